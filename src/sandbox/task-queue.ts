/** Slots for concurrent tasks, and the bounded queue for them. Knows neither tasks nor children. */
import { busyRefusal } from '../core/refusal.ts'

/**
 * `seal`: for a document that all have signed; few, since the worker bounds them, and never refused
 * for the length of the queue. `internal`: for users, API tokens, signers. `public`: for anonymous
 * visitors; served last, and never with the last free slot unless there is only one.
 */
export type Lane = 'seal' | 'internal' | 'public'

/** Beyond these bounds a task is refused as `overloaded`. */
const BOUNDS: Record<Lane, { waiting: number; waitMs: number }> = {
  seal: { waiting: Number.POSITIVE_INFINITY, waitMs: 60_000 },
  internal: { waiting: 256, waitMs: 25_000 },
  public: { waiting: 16, waitMs: 15_000 },
}

/** Numbers of tasks. */
export interface QueueLoad {
  running: number
  waiting: number
}

interface Waiter {
  lane: Lane
  start(): void
}

export class TaskQueue {
  readonly #size: number
  readonly #bounds: typeof BOUNDS
  readonly #waiting: Waiter[] = []
  #taken = 0

  constructor(size: number, bounds: typeof BOUNDS = BOUNDS) {
    this.#size = size
    this.#bounds = bounds
  }

  get load(): QueueLoad {
    return { running: this.#taken, waiting: this.#waiting.length }
  }

  /** Waits for a slot. @throws Refusal `overloaded` when too many wait, or for too long */
  async acquire(lane: Lane): Promise<void> {
    if (this.#taken < this.#slotsFor(lane)) {
      this.#taken++
      return
    }
    const { waiting, waitMs } = this.#bounds[lane]
    if (this.#waiting.filter(waiter => waiter.lane === lane).length >= waiting) throw busyRefusal()
    await new Promise<void>((resolve, reject) => {
      const waiter = { lane, start: () => settle(resolve) }
      const timer = setTimeout(() => settle(() => reject(busyRefusal())), waitMs)
      const settle = (finish: () => void) => {
        clearTimeout(timer)
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        finish()
      }
      this.#waiting.push(waiter)
    })
  }

  /** Passes the slot on to the next in the queue without freeing it, so no new task overtakes. */
  release(): void {
    const next =
      this.#waiting.find(waiter => waiter.lane !== 'public') ??
      (this.#taken <= this.#slotsFor('public') ? this.#waiting[0] : undefined)
    if (next) next.start()
    else this.#taken--
  }

  #slotsFor(lane: Lane): number {
    return lane === 'public' ? Math.max(1, this.#size - 1) : this.#size
  }
}
