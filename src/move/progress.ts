/** Prints how far a move is, at most one line every few seconds. */

const MIN_INTERVAL_MS = 5_000

export class Progress {
  readonly #say: (line: string) => void
  readonly #nowMs: () => number
  #label = ''
  #total = 0
  #done = 0
  #printedAt = 0

  constructor(say: (line: string) => void, nowMs: () => number) {
    this.#say = say
    this.#nowMs = nowMs
  }

  begin(label: string, total: number): void {
    this.#label = label
    this.#total = total
    this.#done = 0
    this.#printedAt = this.#nowMs()
  }

  add(count: number): void {
    this.#done += count
    const now = this.#nowMs()
    if (now - this.#printedAt < MIN_INTERVAL_MS) return
    this.#printedAt = now
    this.#say(`${this.#label}: ${this.#done}${this.#total > 0 ? ` of ${this.#total}` : ''}`)
  }
}
