/** On a phone an open sheet is an entry of the browser's history: Back closes it. */

interface Options {
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
export class SheetHistory {
  readonly #options: Options
  readonly #isFramed = window.top !== window
  #isOpen = false
  /** True at first after a reload with the sheet open. */
  #hasEntry = isOfSheet(history.state)
  /** `history.back()` takes its time. */
  #isReturning = false

  constructor(options: Options) {
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
