/** Runs the jobs of the outbox in lanes. A failing job never ends the process. */
import { errorMessage } from '../lib/error-message.ts'
import { retryTime } from '../outbox/outbox.ts'
import {
  dueJobs,
  JOB_KINDS,
  type Job,
  type JobKind,
  nextDue,
  postponeJob,
  releaseLeases,
  retrySealsNow,
  takeJobs,
} from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { KIND_LIMITS, Lanes, type Pace, type RunningJob } from './lanes.ts'

/** Closes the job's row in the transaction of the result. Returns the receiver's pace, if any. */
export type Handler = (app: App, job: Job) => Promise<Pace | undefined>

/** Calls `then` after a time. The returned function cancels it. */
export type After = (ms: number, then: () => void) => () => void

const afterTime: After = (ms, then) => {
  if (!Number.isFinite(ms)) return () => undefined
  const timer = setTimeout(then, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

const MAX_SLEEP_MS = 30_000
/** After an error of the database. */
const RETRY_MS = 5000
/** After a handler threw. */
const UNEXPECTED_PAUSE_S = 300

export class Worker {
  readonly #app: App
  readonly #handlers: Record<JobKind, Handler>
  readonly #after: After
  readonly #lanes = new Lanes()
  readonly #running = new Map<RunningJob, Promise<void>>()
  #isStarted = false
  #isStopped = false
  #pumping: Promise<void> | undefined
  #isWoken = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Resolves when capacity becomes free. */
  #freed = Promise.withResolvers<void>()

  constructor(app: App, handlers: Record<JobKind, Handler>, after: After = afterTime) {
    this.#app = app
    this.#handlers = handlers
    this.#after = after
  }

  /** From now on runs due jobs by itself. */
  async start(): Promise<void> {
    const app = this.#app
    await app.write(async tx => {
      await releaseLeases(tx, app.instance.bootId)
      // The restart may have fixed what kept documents from being sealed.
      await retrySealsNow(tx, app.now())
    })
    this.#isStarted = true
    this.wake()
  }

  /** Looks for due jobs. A property, so that it can be passed on as a function. */
  readonly wake = (): void => {
    if (!this.#isStarted || this.#isStopped) return
    this.#isWoken = true
    this.#pumping ??= this.#pump()
      .catch(error => {
        this.#app.log('error', 'worker could not look for work', { error: errorMessage(error) })
        // Without this, due jobs would wait for the next write, which may be hours away.
        this.#after(RETRY_MS, this.wake)
      })
      .finally(() => {
        this.#pumping = undefined
        if (this.#isWoken) this.wake()
      })
  }

  /** Runs jobs until none is due and none is running. */
  async drain(): Promise<void> {
    for (;;) {
      const freed = this.#freed.promise
      if (await this.#startDueJobs()) continue
      if (this.#running.size === 0) return
      await freed
    }
  }

  /** Starts no more jobs and waits for the running ones. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#pumping
    await Promise.all(this.#running.values())
  }

  async #pump(): Promise<void> {
    do {
      this.#isWoken = false
      while (await this.#startDueJobs()) {
        // One call may not start all due jobs of a kind.
      }
    } while (this.#isWoken && !this.#isStopped)
    clearTimeout(this.#timer)
    if (this.#isStopped || !this.#isStarted) return
    const due = await nextDue(this.#app.db)
    const waitMs = due ? due.getTime() - this.#app.now().getTime() : MAX_SLEEP_MS
    this.#timer = setTimeout(this.wake, Math.min(MAX_SLEEP_MS, Math.max(this.#running.size > 0 ? 1000 : 1, waitMs)))
    this.#timer.unref()
  }

  /** Leases and starts as many due jobs as the lanes allow. Returns whether it started any. */
  async #startDueJobs(): Promise<boolean> {
    const app = this.#app
    let anyStarted = false
    for (const kind of JOB_KINDS) {
      if (this.#isStopped) break
      // Read first: leasing needs the write lock, and most wakes find nothing.
      const due = dueJobs(app.db, kind, app.now(), this.#lanes.freeCapacity(kind))
      if (due.length === 0) continue
      const ids = due.map(({ id }) => id)
      // A lease adds no job: the write must not wake the worker that makes it.
      const taken = await app.write(tx => takeJobs(tx, ids, app.instance.bootId), { wake: false })
      for (const job of due.filter(({ id }) => taken.has(id))) {
        this.#startJob(job)
        anyStarted = true
      }
    }
    return anyStarted
  }

  #startJob(job: Job): void {
    const running = this.#lanes.begin(job)
    const cancel = this.#after(KIND_LIMITS[job.kind].patienceMs, () => {
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

  async #run(job: Job): Promise<Pace | undefined> {
    const app = this.#app
    try {
      return await this.#handlers[job.kind](app, job)
    } catch (error) {
      const message = errorMessage(error)
      app.log('error', 'job failed unexpectedly', { jobId: job.id, kind: job.kind, error: message })
      await app
        .writeEventually(tx => postponeJob(tx, job.id, retryTime(app.now(), UNEXPECTED_PAUSE_S), message))
        .catch(error => app.log('error', 'job could not be postponed', { jobId: job.id, error: String(error) }))
      return undefined
    }
  }
}
