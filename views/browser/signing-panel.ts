/**
 * The form beside the document. On a wide screen all of it stands there; on a phone it is a sheet from the bottom that shows one entry, or all of them.
 * What is shown is decided by the style sheet from `data-sheet` at the root, so that a turned phone keeps its place.
 */
import type { ClientWords } from '../../src/language/signer.ts'
import { button, demand, element } from './signing-element.ts'
import type { Entry } from './signing-entries.ts'
import { counted } from './signing-words.ts'

/** Nothing of the sheet; one entry; everything. */
type Sheet = 'closed' | 'one' | 'all'

export interface Panel {
  element: HTMLElement
  /** The entry takes the focus. */
  open(entry: Entry): void
  /** The entry has got the focus by itself. */
  follow(entry: Entry | undefined): void
  openAll(): void
  close(): void
  /** What has to be mended, each line leading to its entry. Takes the focus. */
  summary(missing: { entry: Entry; message: string }[]): void
  clearSummary(): void
  isOpen(): boolean
}

interface Options {
  words: ClientWords
  lang: string
  /** The sheet was closed by the person. */
  onClose(): void
}

/** Below this width, CSS px, the form is a sheet; the style sheet says the same. */
export const PHONE = matchMedia('(max-width: 899.98px)')

export function openPanel({ words, lang, onClose }: Options): Panel {
  const panel = demand('#panel', HTMLElement)
  const head = element('div', { class: 'sheet-head' })
  const root = document.documentElement
  const sheet = (to: Sheet) => {
    root.dataset.sheet = to
  }
  const close = () => {
    sheet('closed')
    onClose()
  }
  head.append(button(words.close, { class: 'link' }, close))
  panel.prepend(head)
  panel.addEventListener('keydown', event => {
    if (event.key === 'Escape' && PHONE.matches) close()
  })
  const mark = (entry: Entry | undefined) => {
    for (const each of panel.querySelectorAll('.entry.current')) if (each !== entry?.element) each.classList.remove('current')
    entry?.element.classList.add('current')
  }
  const open = (entry: Entry) => {
    mark(entry)
    sheet('one')
    entry.control().focus({ preventScroll: true })
    entry.element.scrollIntoView({ block: 'nearest', behavior: 'auto' })
  }
  sheet('closed')
  return {
    element: panel,
    open,
    follow: mark,
    openAll() {
      sheet('all')
      panel.scrollTop = 0
      demand('#sign', HTMLElement).focus({ preventScroll: true })
    },
    close,
    summary(missing) {
      panel.querySelector('#summary')?.remove()
      const summary = summaryElement(counted(words.missing, missing.length, lang), missing, open)
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
