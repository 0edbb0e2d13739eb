/** Counts running jobs per kind and lane, and how many more may start. */
import { LruCache } from '../lib/lru-cache.ts'
import { MAIL_BULK_LANE, MAIL_SLOW_LANE } from '../outbox/outbox.ts'
import type { FreeCapacity, Job, JobKind } from '../outbox/queries.ts'

export interface KindLimits {
  /** Jobs outside slow lanes that have run for less than `patienceMs`. */
  fast: number
  slow: number
  /** All jobs of the kind: bounds the number of connections. */
  all: number
  /** A job that has run for this long no longer counts as fast; it continues to run. */
  patienceMs: number
  /** Per receiver: jobs at once if its last response was in time, and if it is new. */
  receiver?: { known: number; new: number }
}

export const KIND_LIMITS: Record<JobKind, KindLimits> = {
  mail: { fast: 8, slow: 2, all: 32, patienceMs: 500 },
  // 50 webhooks with at most 4 jobs each stay below `all`.
  webhook: { fast: 64, slow: 8, all: 256, patienceMs: 1000, receiver: { known: 4, new: 1 } },
  seal: { fast: 2, slow: 0, all: 2, patienceMs: Number.POSITIVE_INFINITY },
  augment: { fast: 1, slow: 0, all: 1, patienceMs: Number.POSITIVE_INFINITY },
}

/** Their jobs never take the capacity of others. */
const SLOW_LANES = new Set([MAIL_SLOW_LANE, MAIL_BULK_LANE])

/** Whether the last job of a lane exceeded a time limit of its receiver. */
export type Pace = 'in time' | 'timed out'

export interface RunningJob {
  job: Job
  /** It was started in a slow lane. */
  isSlow: boolean
  /** It has run for longer than the `patienceMs` of its kind. */
  isOverdue: boolean
}

/** Lanes with a known pace; the least recently used one is forgotten and counts as new. */
const MAX_LANES = 1000

export class Lanes {
  readonly #running = new Set<RunningJob>()
  readonly #paces = new LruCache<string, Pace>(MAX_LANES)

  begin(job: Job): RunningJob {
    const running = { job, isSlow: this.#isSlow(job.kind, job.lane), isOverdue: false }
    this.#running.add(running)
    return running
  }

  /** `pace` is undefined if the handler threw or the kind has no receivers. */
  end(running: RunningJob, pace: Pace | undefined): void {
    this.#running.delete(running)
    const { kind, lane } = running.job
    if (pace && KIND_LIMITS[kind].receiver) this.#paces.set(`${kind} ${lane}`, pace)
  }

  freeCapacity(kind: JobKind): FreeCapacity {
    const running = [...this.#running].filter(({ job }) => job.kind === kind)
    const { fast, slow, all } = KIND_LIMITS[kind]
    return {
      all: all - running.length,
      fast: fast - running.filter(({ isSlow, isOverdue }) => !isSlow && !isOverdue).length,
      slow: slow - running.filter(({ isSlow }) => isSlow).length,
      isSlow: lane => this.#isSlow(kind, lane),
      leftInLane: lane => this.#leftInLane(kind, lane),
    }
  }

  #isSlow(kind: JobKind, lane: string): boolean {
    return SLOW_LANES.has(lane) || this.#paces.get(`${kind} ${lane}`) === 'timed out'
  }

  #leftInLane(kind: JobKind, lane: string): number {
    const { receiver, fast, slow } = KIND_LIMITS[kind]
    if (!receiver) return this.#isSlow(kind, lane) ? slow : fast
    const running = [...this.#running].filter(({ job }) => job.kind === kind && job.lane === lane)
    const isKnown = this.#paces.get(`${kind} ${lane}`) === 'in time' && !running.some(({ isOverdue }) => isOverdue)
    return (isKnown ? receiver.known : receiver.new) - running.length
  }
}
