/**
 * Slots for concurrent tasks, shared fairly between owners, and the bounded queue for them. Knows
 * neither tasks nor children.
 */
import { busyRefusal } from '../core/refusal.ts'

/**
 * `seal`: for a document that all have signed; served first, few, since the worker bounds them, and
 * never refused for the length of the queue. `internal`: for users, API tokens, signers. `public`:
 * for anonymous visitors; after the others, but not for ever. `spare`: to start a child before
 * there is a task; last, and nobody leaves a slot to it.
 */
export type Lane = 'seal' | 'internal' | 'public' | 'spare'

/** Beyond these bounds a task is refused as `overloaded`. */
const BOUNDS: Record<Lane, { waiting: number; waitMs: number }> = {
  seal: { waiting: Number.POSITIVE_INFINITY, waitMs: 60_000 },
  internal: { waiting: 256, waitMs: 25_000 },
  public: { waiting: 16, waitMs: 15_000 },
  spare: { waiting: Number.POSITIVE_INFINITY, waitMs: 60_000 },
}

/**
 * A public task that has waited so long comes before internal ones, unless another public one runs.
 */
const PUBLIC_TURN_MS = 5_000

/** Lower ones start first. */
const RANKS = { seal: 0, duePublic: 1, internal: 2, public: 3, spare: 4 }

/** Numbers of tasks. */
export interface QueueLoad {
  running: number
  waiting: number
}

export interface Order {
  lane: Lane
  owner: string
  /** It was recalled before, and is not again: it waits while long tasks have all slots but one. */
  wasRecalled?: boolean
}

export interface Slot {
  /** The task takes long: from now on it may be recalled. */
  becomeLong(): void
  /** Call once, when the task has ended. */
  release(): void
}

interface Running extends Order {
  isLong: boolean
  /** It ends soon. */
  isEnding: boolean
  recall(): void
}

interface Waiter extends Order {
  sinceMs: number
  start(): void
  refuse(): void
}

export class TaskQueue {
  readonly #size: number
  readonly #bounds: typeof BOUNDS
  readonly #now: () => number
  readonly #waiting: Waiter[] = []
  /** In the order of their start. */
  readonly #running = new Set<Running>()

  constructor(size: number, bounds: typeof BOUNDS = BOUNDS, now = () => performance.now()) {
    this.#size = size
    this.#bounds = bounds
    this.#now = now
  }

  get load(): QueueLoad {
    return { running: this.#running.size, waiting: this.#waiting.length }
  }

  /**
   * Waits for a slot. `recall` is called at most once, when the task must end without a result,
   * because it takes long and others wait; it then asks again, with `wasRecalled`.
   * @throws Refusal `overloaded` when too many wait, or for too long
   */
  async acquire(order: Order, recall: () => void = () => undefined): Promise<Slot> {
    this.#refuseOne(order)
    return new Promise<Slot>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
      }
      const waiter: Waiter = {
        ...order,
        sinceMs: this.#now(),
        start: () => {
          leave()
          resolve(this.#start(order, recall))
        },
        refuse: () => {
          leave()
          reject(busyRefusal())
        },
      }
      const timer = setTimeout(waiter.refuse, this.#bounds[order.lane].waitMs)
      this.#waiting.push(waiter)
      this.#startNext()
      this.#recallOne()
    })
  }

  #start(order: Order, recall: () => void): Slot {
    const running: Running = { ...order, isLong: order.wasRecalled === true, isEnding: false, recall }
    this.#running.add(running)
    return {
      becomeLong: () => {
        running.isLong = true
        this.#recallOne()
      },
      release: () => {
        this.#running.delete(running)
        this.#startNext()
      },
    }
  }

  #startNext(): void {
    while (this.#running.size < this.#size) {
      const next = this.#next()
      if (!next) return
      next.start()
    }
  }

  /**
   * Of those that may start: the lane first, then who has the fewest running, then who came first.
   */
  #next(): Waiter | undefined {
    const mayStartLong = this.#count(({ isLong }) => isLong) < this.#slotsForLong
    const [first, ...others] = this.#waiting.filter(({ wasRecalled }) => !wasRecalled || mayStartLong)
    const order = (a: Waiter, b: Waiter) => this.#rank(a) - this.#rank(b) || this.#runningOf(a) - this.#runningOf(b)
    return first && others.reduce((best, waiter) => (order(waiter, best) < 0 ? waiter : best), first)
  }

  #rank({ lane, sinceMs }: Waiter): number {
    if (lane !== 'public') return RANKS[lane]
    const isDue = this.#now() - sinceMs >= PUBLIC_TURN_MS && this.#count(running => running.lane === 'public') === 0
    return isDue ? RANKS.duePublic : RANKS.public
  }

  /**
   * While one waits that may be short, long tasks leave it a slot, and an owner keeps one. Seals go
   * on, and so does what was recalled before.
   */
  #recallOne(): void {
    const waiting = this.#waiting.filter(({ wasRecalled, lane }) => !wasRecalled && lane !== 'spare')
    const running = [...this.#running]
    if (waiting.length === 0 || running.some(({ isEnding }) => isEnding)) return
    const free = running.filter(({ isLong, wasRecalled, lane }) => isLong && !wasRecalled && lane !== 'seal')
    const fewest = Math.min(...waiting.map(waiter => this.#runningOf(waiter)))
    const isTooMany = this.#count(({ isLong }) => isLong) > this.#slotsForLong
    const found = isTooMany ? free.at(-1) : free.findLast(task => this.#runningOf(task) > Math.max(1, fewest))
    if (!found) return
    found.isEnding = true
    found.recall()
  }

  /** Where its lane is full, the newest task of the owner with the most is refused. */
  #refuseOne({ lane, owner }: Order): void {
    const inLane = this.#waiting.filter(waiter => waiter.lane === lane)
    if (inLane.length < this.#bounds[lane].waiting) return
    const byOwner = Map.groupBy(inLane, waiter => waiter.owner)
    const most = [...byOwner.values()].reduce((a, b) => (b.length > a.length ? b : a))
    if (most.length <= (byOwner.get(owner)?.length ?? 0) + 1) throw busyRefusal()
    most.at(-1)?.refuse()
  }

  get #slotsForLong(): number {
    return Math.max(1, this.#size - 1)
  }

  #runningOf({ owner }: Order): number {
    return this.#count(running => running.owner === owner)
  }

  #count(of: (running: Running) => boolean): number {
    let count = 0
    for (const running of this.#running) if (of(running)) count++
    return count
  }
}
