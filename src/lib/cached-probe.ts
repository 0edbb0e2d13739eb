/** Checks a service at most every few seconds, and waits for its answer a limited time. */
import type { Timers } from './machine.ts'
import { within } from './within.ts'

interface Options {
  now(): Date
  timers: Timers
  /** How long a good answer counts. */
  freshMs: number
  /** How long a failure counts: shorter, so that the end of one is seen soon. */
  failureMs: number
  /** After this time the service counts as failing. The check goes on, and its result counts. */
  patienceMs: number
}

export class CachedProbe {
  readonly #check: () => Promise<unknown>
  readonly #options: Options
  #result: { isOk: boolean; atMs: number } | undefined
  #running: Promise<boolean> | undefined

  constructor(check: () => Promise<unknown>, options: Options) {
    this.#check = check
    this.#options = options
  }

  async isOk(): Promise<boolean> {
    const { now, timers, freshMs, failureMs, patienceMs } = this.#options
    const known = this.#result
    if (known && Math.abs(now().getTime() - known.atMs) < (known.isOk ? freshMs : failureMs)) return known.isOk
    this.#running ??= this.#run()
    try {
      return await within(timers, patienceMs, this.#running, () => new Error('no answer yet'))
    } catch {
      // Late: the check itself never throws.
      return false
    }
  }

  async #run(): Promise<boolean> {
    const isOk = await this.#check().then(
      () => true,
      () => false,
    )
    this.#result = { isOk, atMs: this.#options.now().getTime() }
    this.#running = undefined
    return isOk
  }
}
