/**
 * Runs the jobs of the outbox in lanes. Their limits are those of this node: each node has its own
 * worker. A failing job never ends the process.
 */
import { UnreachableError } from '../core/refusal.ts'
import type { Tx } from '../db/open.ts'
import { storageRefusal } from '../db/storage-refusal.ts'
import { errorMessage } from '../lib/log.ts'
import { LruCache } from '../lib/lru-cache.ts'
import type { Cancel } from '../lib/machine.ts'
import { MAIL_BULK_LANE, MAIL_SLOW_LANE, retryTime } from '../outbox/outbox.ts'
import {
  dueJobs,
  type FreeCapacity,
  giveBackJobs,
  JOB_KINDS,
  type Job,
  type JobKind,
  KINDS_ON_THIS_MACHINE,
  type LeasedJob,
  LeaseLostError,
  nextDue,
  postponeJob,
  retrySealsNow,
  takeJobs,
} from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { asService } from '../sandbox/task-owner.ts'
import { sendingPause } from '../settings/sending-pause.ts'

// Counts running jobs per kind and lane, and how many more may start.

interface KindLimits {
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

interface RunningJob {
  job: Job
  /** It was started in a slow lane. */
  isSlow: boolean
  /** It has run for longer than the `patienceMs` of its kind. */
  isOverdue: boolean
}

/** Lanes with a known pace; the least recently used one is forgotten and counts as new. */
const MAX_LANES = 1000

class Lanes {
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

// The worker.

/** Closes the job's row in the transaction of the result. Returns the receiver's pace, if any. */
export type Handler = (app: App, job: LeasedJob) => Promise<Pace | undefined>

const MAX_SLEEP_MS = 30_000
/** Other nodes add jobs, too, and do not wake this worker. */
const POLL_MS = 1000
/** After an error of the database. */
const RETRY_MS = 5000
/** After a handler threw. */
const UNEXPECTED_PAUSE_S = 300

export class Worker {
  readonly #app: App
  readonly #handlers: Record<JobKind, Handler>
  readonly #lanes = new Lanes()
  readonly #running = new Map<RunningJob, Promise<void>>()
  #isStarted = false
  #isStopped = false
  #pumping: Promise<void> | undefined
  #isWoken = false
  /** May be leased, but do not run: the answer to the COMMIT of their lease was lost. */
  #unsure: { ids: string[]; boot: string } | undefined
  /** This node was taken for dead: until its next heartbeat it may lease nothing. */
  #isRemoved = false
  #cancelLook: Cancel | undefined
  /** Resolves when capacity becomes free. */
  #freed = Promise.withResolvers<void>()

  constructor(app: App, handlers: Record<JobKind, Handler>) {
    this.#app = app
    this.#handlers = handlers
  }

  /** From now on runs due jobs by itself. */
  async start(): Promise<void> {
    const app = this.#app
    // The restart may have fixed what kept documents from being sealed.
    await app.writeAtAnyClock(tx => retrySealsNow(tx, app.now()))
    this.#isStarted = true
    this.wake()
  }

  /** Looks for due jobs. A property, so that it can be passed on as a function. */
  readonly wake = (): void => {
    if (!this.#isStarted || this.#isStopped) return
    this.#isWoken = true
    this.#look()
  }

  #look(): void {
    this.#pumping ??= this.#pump()
      .catch(error => {
        this.#app.log('error', 'worker could not look for work', { error: errorMessage(error) })
        // Without this, due jobs would wait for the next write, which may be hours away.
        this.#app.timers.after(RETRY_MS, this.wake)
      })
      .finally(() => {
        this.#pumping = undefined
        if (this.#isWoken) this.wake()
      })
  }

  /** Runs jobs until none is due and none is running. */
  async drain(): Promise<void> {
    for (;;) {
      const freed = this.#freed
      // A job that ends while the database is asked leaves capacity that the answer did not use.
      if ((await this.#startDueJobs()) || this.#freed !== freed) continue
      if (this.#running.size === 0) return
      await freed.promise
    }
  }

  /** Starts no more jobs and waits for the running ones. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelLook?.()
    await this.#pumping
    await Promise.all(this.#running.values())
  }

  async #pump(): Promise<void> {
    // One read where looking into the lanes takes several: a timer mostly finds nothing.
    let waitMs = this.#isWoken ? 0 : await this.#msUntilDue()
    if (waitMs <= 0) {
      do {
        this.#isWoken = false
        while (await this.#startDueJobs()) {
          // One call may not start all due jobs of a kind.
        }
      } while (this.#isWoken && !this.#isStopped)
      waitMs = await this.#msUntilDue()
    }
    this.#cancelLook?.()
    if (this.#isStopped || !this.#isStarted) return
    const isIdle = this.#running.size === 0 && !this.#isRemoved && this.#app.node.hasRightClock()
    const minMs = isIdle ? 1 : POLL_MS
    const maxMs = this.#app.node.isAlone ? MAX_SLEEP_MS : POLL_MS
    this.#cancelLook = this.#app.timers.after(Math.min(maxMs, Math.max(minMs, waitMs)), () => this.#look())
  }

  async #msUntilDue(): Promise<number> {
    const due = await nextDue(this.#app.db, await this.#kinds())
    return due ? due.getTime() - this.#app.now().getTime() : MAX_SLEEP_MS
  }

  /**
   * Leases and starts as many due jobs as the lanes allow. Returns whether there may
   * be more: others that were faster leave what is behind their jobs.
   */
  async #startDueJobs(): Promise<boolean> {
    const app = this.#app
    // What it made would carry wrong times. It looks again by its timer.
    if (!app.node.hasRightClock()) return false
    await this.#giveBackUnsure()
    let mayBeMore = false
    for (const kind of await this.#kinds()) {
      if (this.#isStopped) break
      // Read first: leasing needs the write lock, and most wakes find nothing.
      const due = await dueJobs(app.db, kind, app.now(), this.#lanes.freeCapacity(kind))
      if (due.length === 0) continue
      const ids = due.map(({ id }) => id)
      const { boot } = app.node
      const taken = await this.#lease(ids, boot)
      this.#isRemoved = taken === undefined
      if (taken === undefined) return false
      for (const job of due) if (taken.has(job.id)) this.#startJob({ ...job, boot })
      mayBeMore = true
    }
    return mayBeMore
  }

  /** After a restore mails and webhooks wait until an administrator resumes sending. */
  async #kinds(): Promise<readonly JobKind[]> {
    return (await sendingPause(this.#app.db)) ? KINDS_ON_THIS_MACHINE : JOB_KINDS
  }

  /** As `takeJobs`. */
  async #lease(ids: string[], boot: string): Promise<Set<string> | undefined> {
    try {
      return await this.#app.writeUnsynced(tx => takeJobs(tx, ids, boot))
    } catch (error) {
      if (error instanceof UnreachableError && error.outcome === 'unknown') this.#unsure = { ids, boot }
      throw error
    }
  }

  /** This node lives, so no other node would ever free them. */
  async #giveBackUnsure(): Promise<void> {
    const unsure = this.#unsure
    if (unsure === undefined) return
    await this.#app.writeUnsynced(tx => giveBackJobs(tx, unsure.ids, unsure.boot))
    this.#unsure = undefined
  }

  #startJob(job: LeasedJob): void {
    const running = this.#lanes.begin(job)
    const cancel = this.#app.timers.after(KIND_LIMITS[job.kind].patienceMs, () => {
      running.isOverdue = true
      this.#capacityFreed()
    })
    const { jobs, jobsRunning } = this.#app.metrics
    jobsRunning.of(job.kind).add()
    const done = this.#run(job).then(pace => {
      cancel()
      jobsRunning.of(job.kind).add(-1)
      jobs.of(job.kind).add()
      this.#lanes.end(running, pace)
      this.#running.delete(running)
      this.#capacityFreed()
    })
    this.#running.set(running, done)
  }

  #capacityFreed(): void {
    this.#freed.resolve()
    this.#freed = Promise.withResolvers<void>()
    this.wake()
  }

  async #run(job: LeasedJob): Promise<Pace | undefined> {
    const app = this.#app
    try {
      // A request that wakes the worker does not own the jobs.
      return await asService(() => this.#handlers[job.kind](app, job))
    } catch (error) {
      if (error instanceof LeaseLostError) this.#noteLost(job)
      else await this.#postpone(job, error)
      return undefined
    }
  }

  async #postpone(job: LeasedJob, cause: unknown): Promise<void> {
    const app = this.#app
    const message = errorMessage(cause)
    // Data out of reach is no failure of this job: a database that restarts is back soon.
    const pauseS = storageRefusal(cause)?.retryAfterS ?? UNEXPECTED_PAUSE_S
    app.log('error', 'job failed unexpectedly', { jobId: job.id, kind: job.kind, error: message })
    const postpone = async (tx: Tx) => {
      try {
        await postponeJob(tx, job, retryTime(app, pauseS), message)
      } catch (error) {
        // This may run minutes later, among the pending writes.
        if (!(error instanceof LeaseLostError)) throw error
        this.#noteLost(job)
      }
    }
    await app
      .writeEventually(postpone)
      .catch(error => app.log('error', 'job could not be postponed', { jobId: job.id, error: String(error) }))
  }

  /** Another node repeats it. */
  #noteLost({ id, kind }: LeasedJob): void {
    this.#app.log('info', 'job not stored: its lease has ended', { jobId: id, kind })
  }
}
