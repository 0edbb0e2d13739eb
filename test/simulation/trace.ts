/** What happened, in order: each line with its time. Its hash tells two runs apart. */
import { createHash } from 'node:crypto'

/** Of a stack in JSON: they name the folder of the checkout, and the runtime may leave some out. */
const STACK_LINES = /\\n +at [^"\\]*/g

export class Trace {
  readonly #hash = createHash('sha256')
  readonly #kept: string[] = []
  #lines = 0

  /** `keepAll`: also each release, for a replay that somebody reads. */
  constructor(readonly keepAll = false) {}

  /** A release: counted and hashed, mostly not kept. */
  add(atMs: number, who: string, what: string): void {
    const line = `${new Date(atMs).toISOString()} ${who}: ${what}`
    this.#lines++
    this.#hash.update(`${line}\n`)
    if (this.keepAll) this.#kept.push(line)
  }

  /** A sentence for people. The stack of an error is not hashed. */
  say(atMs: number, who: string, sentence: string): void {
    const line = `${new Date(atMs).toISOString()} ${who}: ${sentence}`
    this.#lines++
    this.#hash.update(`${line.replaceAll(STACK_LINES, '')}\n`)
    this.#kept.push(line)
  }

  get lines(): readonly string[] {
    return this.#kept
  }

  get length(): number {
    return this.#lines
  }

  digest(): string {
    return this.#hash.copy().digest('hex')
  }
}
