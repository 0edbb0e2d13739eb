/**
 * The form next to the document; on a phone a sheet that shows one entry or all. The style sheet
 * reads `data-sheet`, so that a rotated phone keeps its state.
 */
import type { ScriptTexts } from '../../src/locales/catalogue.ts'
import { button, element, requireElement } from './signing-element.ts'
import type { Entry } from './signing-entries.ts'
import { formatCount } from './signing-texts.ts'

type Sheet = 'closed' | 'one' | 'all'

export interface Panel {
  element: HTMLElement
  /** Focuses the entry. */
  open(entry: Entry): void
  /** The entry received the focus. */
  follow(entry: Entry | undefined): void
  openAll(): void
  close(): void
  /** Lists missing and wrong entries and takes the focus. */
  summary(missing: { entry: Entry; message: string }[]): void
  clearSummary(): void
  isOpen(): boolean
}

interface Options {
  texts: ScriptTexts
  lang: string
  onClose(): void
}

/**
 * Below this width the form is a sheet; the style sheet has the same limit. In em, so that larger
 * text counts as a smaller window.
 */
export const PHONE = matchMedia('(max-width: 56.2488em)')

export function openPanel({ texts, lang, onClose }: Options): Panel {
  const panel = requireElement('#panel', HTMLElement)
  const head = element('div', { class: 'sheet-head' })
  const root = document.documentElement
  PHONE.addEventListener('change', cover)
  const sheet = (to: Sheet) => {
    root.dataset.sheet = to
    cover()
  }
  const close = () => {
    sheet('closed')
    onClose()
  }
  head.append(button(texts.close, { class: 'link' }, close))
  panel.prepend(head)
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && PHONE.matches && root.dataset.sheet !== 'closed') close()
  })
  const mark = (entry: Entry | undefined) => {
    for (const each of panel.querySelectorAll('.entry.current')) if (each !== entry?.element) each.classList.remove('current')
    entry?.element.classList.add('current')
  }
  const open = (entry: Entry) => {
    mark(entry)
    sheet('one')
    // Another entry begins at the top.
    if (PHONE.matches) panel.scrollTop = 0
    const control = entry.control()
    control.focus({ preventScroll: true })
    entry.element.scrollIntoView({ block: 'nearest', behavior: 'auto' })
    // If the entry is higher than the sheet, show the control.
    control.scrollIntoView({ block: 'nearest', behavior: 'auto' })
  }
  sheet('closed')
  return {
    element: panel,
    open,
    follow: mark,
    openAll() {
      sheet('all')
      panel.scrollTop = 0
      requireElement('#sign', HTMLElement).focus({ preventScroll: true })
    },
    close,
    summary(missing) {
      panel.querySelector('#summary')?.remove()
      const summary = summaryElement(formatCount(texts.missing, missing.length, lang), missing, open)
      head.after(summary)
      sheet('all')
      summary.focus({ preventScroll: true })
      panel.scrollTop = 0
    },
    clearSummary() {
      panel.querySelector('#summary')?.remove()
    },
    isOpen: () => root.dataset.sheet !== 'closed',
  }
}

/** What the sheet covers must not be reachable by keyboard. */
function cover(): void {
  const isWhole = PHONE.matches && document.documentElement.dataset.sheet === 'all'
  document.getElementById('document')?.toggleAttribute('inert', isWhole)
}

function summaryElement(title: string, missing: { entry: Entry; message: string }[], open: (entry: Entry) => void): HTMLElement {
  const list = element('ul')
  for (const { entry, message } of missing) {
    const link = element('a', { href: `#${entry.name}` }, message)
    link.addEventListener('click', event => {
      event.preventDefault()
      open(entry)
    })
    list.append(element('li', {}, link))
  }
  return element('div', { id: 'summary', class: 'error', role: 'alert', tabindex: '-1' }, element('strong', {}, title), list)
}
