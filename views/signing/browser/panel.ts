/**
 * The form next to the document; on a phone a sheet that shows one entry or all, above the
 * keyboard. The style sheet reads `data-sheet`, so that a rotated phone keeps its state.
 */
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import { formatCount } from './data.ts'
import { button, element, requireElement } from './element.ts'
import type { Entry } from './entries.ts'

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

interface PanelOptions {
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

export function openPanel({ texts, lang, onClose, lead }: PanelOptions): Panel {
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

// On a phone an open sheet is an entry of the browser's history: Back closes it.

interface SheetHistoryOptions {
  /** The sheet lies over the document, as on a phone. */
  covers(): boolean
  /** The person went back from the open sheet. */
  onBack(): void
  /** The person went forward to it again. */
  onForward(): void
}

interface SheetState {
  sheet: true
}

const isOfSheet = (state: unknown): state is SheetState => typeof state === 'object' && state !== null && 'sheet' in state

/** Does nothing in a frame: its entries are among those of the page around it. */
class SheetHistory {
  readonly #options: SheetHistoryOptions
  readonly #isFramed = window.top !== window
  #isOpen = false
  /** True at first after a reload with the sheet open. */
  #hasEntry = isOfSheet(history.state)
  /** `history.back()` takes its time. */
  #isReturning = false

  constructor(options: SheetHistoryOptions) {
    this.#options = options
    window.addEventListener('popstate', ({ state }) => this.#moved(isOfSheet(state)))
  }

  opened(): void {
    this.#isOpen = true
    if (!this.#hasEntry && !this.#isFramed && this.#options.covers()) this.#push()
  }

  /** By a button or a key: its entry goes with it. */
  closed(): void {
    this.#isOpen = false
    if (!this.#hasEntry || this.#isReturning) return
    this.#isReturning = true
    history.back()
  }

  #push(): void {
    this.#hasEntry = true
    history.pushState({ sheet: true } satisfies SheetState, '')
  }

  #moved(isAtSheet: boolean): void {
    const isReturning = this.#isReturning
    this.#isReturning = false
    this.#hasEntry = isAtSheet
    if (isAtSheet) {
      if (!this.#isOpen) this.#options.onForward()
    } else if (this.#isOpen) {
      // Opened again before the way back was done.
      if (isReturning) this.#push()
      else this.#options.onBack()
    }
  }
}

// Fits the page into the visible screen: some browsers do not tell CSS about the keyboard.

/** Below this height (rem) help texts are hidden. */
const LOW_REM = 30

/** The control with the label around it. */
const wordsOf = (control: Element): Element => control.closest('label') ?? control

/** A keyboard opens, or the bar grows, after the focus and may cover the field. */
function seeFocus(): void {
  const { activeElement } = document
  if (activeElement?.matches('#panel :is(input, select, textarea)')) wordsOf(activeElement).scrollIntoView({ block: 'nearest' })
}

/** Keeps `data-low` and `--free-height`, `--free-top` and `--bar-height` (px) at the root. */
export function fitViewport(bar: HTMLElement): void {
  const root = document.documentElement
  const { style } = root
  const visual = window.visualViewport
  const fit = () => {
    // While zoomed by two fingers the page stays as it is.
    const isPlain = visual && Math.abs(visual.scale - 1) < 0.01
    const height = isPlain ? visual.height : innerHeight
    const isOther = style.getPropertyValue('--free-height') !== `${height}px`
    style.setProperty('--free-height', `${height}px`)
    root.toggleAttribute('data-low', height < LOW_REM * Number.parseFloat(getComputedStyle(root).fontSize))
    style.setProperty('--free-top', `${isPlain ? visual.offsetTop : 0}px`)
    if (isOther) requestAnimationFrame(seeFocus)
  }
  visual?.addEventListener('resize', fit)
  visual?.addEventListener('scroll', fit)
  addEventListener('resize', fit)
  fit()
  const measure = () => {
    style.setProperty('--bar-height', `${bar.getBoundingClientRect().height}px`)
    seeFocus()
  }
  new ResizeObserver(measure).observe(bar)
  measure()
}
