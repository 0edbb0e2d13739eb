/**
 * Runs the jobs of the outbox in lanes. Their limits are those of this node: each node has its own
 * worker. A failing job never ends the process.
 */
import { UnreachableError } from '../core/refusal.ts'
import type { Tx } from '../db/open.ts'
import { storageRefusal } from '../db/storage-refusal.ts'
import { errorMessage } from '../lib/error-message.ts'
import type { Cancel } from '../lib/machine.ts'
import { retryTime } from '../outbox/outbox.ts'
import {
  dueJobs,
  giveBackJobs,
  JOB_KINDS,
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
import { KIND_LIMITS, Lanes, type Pace, type RunningJob } from './lanes.ts'

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
