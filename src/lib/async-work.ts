/**
 * Runs tasks of a key one after another, checks a service at most every few seconds, and waits
 * for work for a limited time.
 */
import type { Timers } from './machine.ts'

/** Runs tasks of the same key one after another, and tasks of different keys side by side. */
export class KeyedQueue {
  readonly #queues = new Map<string, { last: Promise<unknown>; length: number }>()

  /** How many tasks of the key run or wait. */
  lengthOf(key: string): number {
    return this.#queues.get(key)?.length ?? 0
  }

  /** Runs the task after all earlier ones of its key, whether they succeeded or failed. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    this.#queues.set(key, queue)
    queue.length++
    const result = queue.last.then(task)
    queue.last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      queue.length--
      if (queue.length === 0) this.#queues.delete(key)
    }
  }
}

// Checks a service at most every few seconds, and waits for its answer a limited time.

interface CheckOptions {
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
  readonly #options: CheckOptions
  #result: { isOk: boolean; atMs: number } | undefined
  #running: Promise<boolean> | undefined

  constructor(check: () => Promise<unknown>, options: CheckOptions) {
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

// Waits for work for a limited time.

/** Settles as `work`, or throws `late()` when it takes longer. */
export async function within<T>(timers: Pick<Timers, 'after'>, ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const cancel = timers.after(Math.max(0, ms), () => timeout.reject(late()))
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    cancel()
  }
}
