/** Announces one sentence to screen readers, once no key was pressed for a moment. */
const REST_MS = 300

export class Announcer {
  readonly #region: HTMLElement
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `region`: an `aria-live="polite"` element of the page. */
  constructor(region: HTMLElement) {
    this.#region = region
  }

  say(sentence: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      // The same sentence again would not be read out.
      this.#region.textContent = this.#region.textContent === sentence ? `${sentence}\u00a0` : sentence
    }, REST_MS)
  }
}
