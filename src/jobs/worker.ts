/**
 * Carries out the rows of the outbox: claims what is due under this boot's lease, in lanes, and
 * never lets a failing job end the process.
 */
import { retryTime } from '../outbox/outbox.ts'
import {
  dueJobs,
  type Job,
  type JobKind,
  nextDue,
  postponeJob,
  releaseLeases,
  retrySealsNow,
  takeJobs,
} from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { KIND_LIMITS, openLanes, type Pace, type Running } from './lanes.ts'

/**
 * Does the work of one job and closes its row in the transaction of the result. Answers the
 * receiver's pace, where there is one.
 */
export type Handler = (app: App, job: Job) => Promise<Pace | undefined>

/** Calls `then` after a time; the answer cancels it. */
export type After = (ms: number, then: () => void) => () => void

const afterTime: After = (ms, then) => {
  if (!Number.isFinite(ms)) return () => undefined
  const timer = setTimeout(then, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

export interface Worker {
  /** Begins to work by itself, at once and whenever woken. */
  start(): Promise<void>
  /** There may be work. */
  wake(): void
  /** Works until nothing is due and nothing runs. */
  drain(): Promise<void>
  /** Takes nothing new; settles when what runs has ended. */
  stop(): Promise<void>
}

const KINDS: JobKind[] = ['seal', 'webhook', 'mail', 'augment']
const LONGEST_SLEEP_MS = 30_000
/** After the database could not be asked, or took no write. */
const LOOK_AGAIN_MS = 5000
/** A handler that threw was not expected to: its job rests this long. */
const UNEXPECTED_PAUSE_S = 300

export function openWorker(app: App, handlers: Record<JobKind, Handler>, after: After = afterTime): Worker {
  const lanes = openLanes()
  const running = new Map<Running, Promise<void>>()
  let started = false
  let stopped = false
  let pumping: Promise<void> | undefined
  let again = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let change = Promise.withResolvers<void>()

  async function run(job: Job): Promise<Pace | undefined> {
    try {
      return await handlers[job.kind](app, job)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      app.log('error', 'job failed unexpectedly', { jobId: job.id, kind: job.kind, error: message })
      await app
        .writeEventually(tx => postponeJob(tx, job.id, retryTime(app.now(), UNEXPECTED_PAUSE_S), message))
        .catch(error => app.log('error', 'job could not be postponed', { jobId: job.id, error: String(error) }))
      return undefined
    }
  }

  function start(job: Job): void {
    const entry = lanes.begin(job)
    const cancel = after(KIND_LIMITS[job.kind].patienceMs, () => {
      entry.isOverdue = true
      roomChanged()
    })
    const done = run(job).then(pace => {
      cancel()
      lanes.end(entry, pace)
      running.delete(entry)
      roomChanged()
    })
    running.set(entry, done)
  }

  /** A job ended, or gave its place to another. */
  function roomChanged(): void {
    change.resolve()
    change = Promise.withResolvers<void>()
    if (started) wake()
  }

  /** Claims and starts what there is room for. Answers whether anything was started. */
  async function claimOnce(): Promise<boolean> {
    let any = false
    for (const kind of KINDS) {
      if (stopped) break
      // Looked up first: taking needs the write lock, and most wakes find nothing.
      const due = dueJobs(app.db, kind, app.now(), lanes.roomFor(kind))
      if (due.length === 0) continue
      const ids = due.map(({ id }) => id)
      // A claim makes no work: it must not wake the worker that makes it.
      const taken = await app.write(tx => takeJobs(tx, ids, app.instance.bootId), { wake: false })
      for (const job of due.filter(({ id }) => taken.has(id))) {
        start(job)
        any = true
      }
    }
    return any
  }

  async function pump(): Promise<void> {
    do {
      again = false
      while (await claimOnce()) {
        // Another round: a kind may have more than one helping.
      }
    } while (again && !stopped)
    clearTimeout(timer)
    if (stopped || !started) return
    const due = await nextDue(app.db)
    const waitMs = due ? due.getTime() - app.now().getTime() : LONGEST_SLEEP_MS
    timer = setTimeout(wake, Math.min(LONGEST_SLEEP_MS, Math.max(running.size > 0 ? 1000 : 1, waitMs)))
    timer.unref()
  }

  function wake(): void {
    if (!started || stopped) return
    again = true
    pumping ??= pump()
      .catch(error => {
        app.log('error', 'worker could not look for work', { error: error instanceof Error ? error.message : String(error) })
        // Nobody may write for hours, and what is due would wait for that.
        after(LOOK_AGAIN_MS, wake)
      })
      .finally(() => {
        pumping = undefined
        if (again) wake()
      })
  }

  return {
    async start() {
      await app.write(async tx => {
        await releaseLeases(tx, app.instance.bootId)
        // The restart may have mended what kept them from being sealed.
        await retrySealsNow(tx, app.now())
      })
      started = true
      wake()
    },
    wake,
    async drain() {
      for (;;) {
        const changed = change.promise
        if (await claimOnce()) continue
        if (running.size === 0) return
        await changed
      }
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await pumping
      await Promise.all(running.values())
    },
  }
}
