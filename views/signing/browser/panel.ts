/**
 * The form next to the document; on a phone a sheet that shows one entry or all. The style sheet
 * reads `data-sheet`, so that a rotated phone keeps its state.
 */
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import { button, element, requireElement } from './element.ts'
import type { Entry } from './entries.ts'
import { SheetHistory } from './history.ts'
import { formatCount } from './texts.ts'
import { wordsOf } from './viewport.ts'

/** `other`: what can be done instead of signing. */
type Sheet = 'closed' | 'one' | 'all' | 'other'

export interface Panel {
  element: HTMLElement
  /** Focuses the entry. `name`: of its place, shown above it on a phone. */
  open(entry: Entry, name: string): void
  /** The entry received the focus. */
  follow(entry: Entry | undefined): void
  openAll(): void
  /** Opens what can be done instead of signing, by the id of its part of the page. */
  openOther(id: string): void
  close(): void
  /** Lists missing and wrong entries and takes the focus. */
  summary(missing: { entry: Entry; message: string }[]): void
  clearSummary(): void
  /** The entry is no longer asked: its line leads nowhere. */
  dropFromSummary(entry: Entry): void
  isOpen(): boolean
}

interface Options {
  texts: ScriptTexts
  lang: string
  onClose(): void
  /** A line of the summary leads to its entry. */
  lead(entry: Entry): void
}

/**
 * Below this width the form is a sheet; the style sheet has the same limit. In em, so that larger
 * text counts as a smaller window.
 */
export const PHONE = matchMedia('(max-width: 56.2488em)')

export function openPanel({ texts, lang, onClose, lead }: Options): Panel {
  const panel = requireElement('#panel', HTMLElement)
  const head = element('div', { class: 'sheet-head' })
  const root = document.documentElement
  PHONE.addEventListener('change', cover)
  const sheet = (to: Sheet, name = texts.fields) => {
    root.dataset.sheet = to
    heading.textContent = name
    if (to !== 'other') markOther(panel, undefined)
    cover()
    if (to === 'closed') sheets.closed()
    else sheets.opened()
  }
  const openAll = () => {
    sheet('all')
    panel.scrollTop = 0
    requireElement('#sign', HTMLElement).focus({ preventScroll: true })
  }
  const close = () => {
    sheet('closed')
    onClose()
  }
  const heading = element('p', { class: 'place' })
  const sheets = new SheetHistory({ covers: () => PHONE.matches, onBack: () => close(), onForward: () => openAll() })
  head.append(heading, button(texts.close, { class: 'link' }, close))
  panel.prepend(head)
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && PHONE.matches && root.dataset.sheet !== 'closed') close()
  })
  const mark = (entry: Entry | undefined) => markCurrent(panel, entry)
  const open = (entry: Entry, name: string) => {
    mark(entry)
    sheet('one', name)
    // Another entry begins at the top.
    if (PHONE.matches) panel.scrollTop = 0
    const control = entry.control()
    control.focus({ preventScroll: true })
    entry.element.scrollIntoView({ block: 'nearest', behavior: 'auto' })
    // If the entry is higher than the sheet, show the control with its words.
    wordsOf(control).scrollIntoView({ block: 'nearest', behavior: 'auto' })
  }
  sheet('closed')
  return {
    element: panel,
    open,
    follow: mark,
    openAll,
    openOther(id) {
      mark(undefined)
      const other = requireElement(`#${id}`, HTMLDetailsElement, panel)
      markOther(panel, other)
      sheet('other', requireElement('summary', HTMLElement, other).textContent ?? '')
      if (PHONE.matches) panel.scrollTop = 0
      requireElement('textarea, input:not([type="hidden"])', HTMLElement, other).focus()
    },
    close,
    summary(missing) {
      panel.querySelector('#summary')?.remove()
      const summary = summaryElement(formatCount(texts.missing, missing.length, lang), missing, lead)
      head.after(summary)
      sheet('all')
      summary.focus({ preventScroll: true })
      panel.scrollTop = 0
    },
    clearSummary() {
      panel.querySelector('#summary')?.remove()
    },
    dropFromSummary: ({ name }) => dropLine(panel, name),
    isOpen: () => root.dataset.sheet !== 'closed',
  }
}

/** Who goes on to sign meets no open form that declines next to the consent. */
function markOther(panel: HTMLElement, other: Element | undefined): void {
  for (const each of panel.querySelectorAll<HTMLDetailsElement>('.refusal')) {
    if (each === other || each.classList.contains('current')) each.open = each === other
    each.classList.toggle('current', each === other)
  }
}

function markCurrent(panel: HTMLElement, entry: Entry | undefined): void {
  for (const each of panel.querySelectorAll('.entry.current')) if (each !== entry?.element) each.classList.remove('current')
  entry?.element.classList.add('current')
}

function dropLine(panel: HTMLElement, name: string): void {
  panel
    .querySelector(`#summary a[href="#${CSS.escape(name)}"]`)
    ?.closest('li')
    ?.remove()
  if (!panel.querySelector('#summary li')) panel.querySelector('#summary')?.remove()
}

/** What the sheet covers must not be reachable by keyboard. */
function cover(): void {
  const isWhole = PHONE.matches && document.documentElement.dataset.sheet === 'all'
  document.getElementById('document')?.toggleAttribute('inert', isWhole)
}

function summaryElement(title: string, missing: { entry: Entry; message: string }[], lead: (entry: Entry) => void): HTMLElement {
  const list = element('ul')
  for (const { entry, message } of missing) {
    const link = element('a', { href: `#${entry.name}` }, message)
    link.addEventListener('click', event => {
      event.preventDefault()
      lead(entry)
    })
    list.append(element('li', {}, link))
  }
  return element('div', { id: 'summary', class: 'error', role: 'alert', tabindex: '-1' }, element('strong', {}, title), list)
}
