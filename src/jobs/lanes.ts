/**
 * How many jobs may run at once: of a kind, of one lane, and of those that are slow. Keeps counts;
 * knows no rows and no clock.
 */
import { MAIL_SLOW_LANE } from '../outbox/outbox.ts'
import type { FreeCapacity, Job, JobKind } from '../outbox/queries.ts'

export interface KindLimits {
  /** Jobs that have run for less than `patienceMs`, outside slow lanes. */
  kind: number
  /** Jobs in slow lanes, together. */
  slow: number
  /** Jobs of the kind, whatever they wait for: a bound on connections. */
  all: number
  /** After this long a running job gives its place to another, and goes on. */
  patienceMs: number
  /**
   * Where a lane is one receiver: jobs at once to one that answered in time last, and to one that
   * is new.
   */
  receiver?: { known: number; new: number }
}

export const KIND_LIMITS: Record<JobKind, KindLimits> = {
  mail: { kind: 8, slow: 2, all: 32, patienceMs: 500 },
  // 50 webhooks, each with at most 4 jobs, stay below `all`.
  webhook: { kind: 64, slow: 8, all: 256, patienceMs: 1000, receiver: { known: 4, new: 1 } },
  seal: { kind: 2, slow: 0, all: 2, patienceMs: Number.POSITIVE_INFINITY },
  augment: { kind: 1, slow: 0, all: 1, patienceMs: Number.POSITIVE_INFINITY },
}

/** How an attempt ended, as far as its receiver's lane is concerned. */
export type Pace = 'in time' | 'timed out'

export interface Running {
  job: Job
  /** It was started in a slow lane. */
  isSlow: boolean
  /** It has run for longer than its kind's patience. */
  isOverdue: boolean
}

export interface Lanes {
  begin(job: Job): Running
  /** `pace` is undefined when nothing is known of the receiver: the handler threw. */
  end(running: Running, pace: Pace | undefined): void
  roomFor(kind: JobKind): FreeCapacity
}

/** Lanes that are remembered; the oldest is forgotten and counts as new. */
const MAX_LANES = 1000

export function openLanes(): Lanes {
  const running = new Set<Running>()
  const paces = new Map<string, Pace>()
  const nameOf = (kind: JobKind, lane: string) => `${kind} ${lane}`
  const isSlow = (kind: JobKind, lane: string) => lane === MAIL_SLOW_LANE || paces.get(nameOf(kind, lane)) === 'timed out'

  function leftInLane(kind: JobKind, lane: string): number {
    const { receiver, kind: width, slow } = KIND_LIMITS[kind]
    const own = [...running].filter(({ job }) => job.kind === kind && job.lane === lane)
    if (!receiver) return isSlow(kind, lane) ? slow : width
    const isKnown = paces.get(nameOf(kind, lane)) === 'in time' && !own.some(({ isOverdue }) => isOverdue)
    return (isKnown ? receiver.known : receiver.new) - own.length
  }

  return {
    begin(job) {
      const entry = { job, isSlow: isSlow(job.kind, job.lane), isOverdue: false }
      running.add(entry)
      return entry
    },
    end(entry, pace) {
      running.delete(entry)
      const { kind, lane } = entry.job
      if (!pace || !KIND_LIMITS[kind].receiver) return
      paces.delete(nameOf(kind, lane))
      paces.set(nameOf(kind, lane), pace)
      const [oldest] = paces.keys()
      if (paces.size > MAX_LANES && oldest !== undefined) paces.delete(oldest)
    },
    roomFor(kind) {
      const own = [...running].filter(({ job }) => job.kind === kind)
      const { kind: width, slow, all } = KIND_LIMITS[kind]
      const slowOnes = own.filter(entry => entry.isSlow).length
      const fastOnes = own.filter(entry => !entry.isSlow && !entry.isOverdue).length
      return {
        all: all - own.length,
        fast: width - fastOnes,
        slow: slow - slowOnes,
        isSlow: lane => isSlow(kind, lane),
        leftInLane: lane => leftInLane(kind, lane),
      }
    },
  }
}
