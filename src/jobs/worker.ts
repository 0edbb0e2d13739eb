/** Carries out the rows of the outbox: claims what is due under this boot's lease, in lanes, and never lets a failing job end the process. */

import { later } from '../outbox/outbox.ts'
import {
  claimJobs,
  hastenSeals,
  type Job,
  type JobKind,
  nextDue,
  postponeJob,
  type Room,
  releaseLeases,
} from '../outbox/queries.ts'
import type { App } from '../ports.ts'

/** Does the work of one job and closes its row in the transaction of the result. */
export type Handler = (app: App, job: Job) => Promise<void>

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

/** How many jobs run at once: of a kind, and of one lane within it. */
export const WIDTH: Record<JobKind, { kind: number; lane: number }> = {
  mail: { kind: 4, lane: 4 },
  webhook: { kind: 64, lane: 4 },
  seal: { kind: 2, lane: 2 },
  raise: { kind: 1, lane: 1 },
}

const KINDS: JobKind[] = ['seal', 'webhook', 'mail', 'raise']
const LONGEST_SLEEP_MS = 30_000
/** A handler that threw was not expected to: its job rests this long. */
const UNEXPECTED_PAUSE_S = 300

export function openWorker(app: App, handlers: Record<JobKind, Handler>): Worker {
  const running = new Map<string, { job: Job; done: Promise<void> }>()
  let started = false
  let stopped = false
  let pumping: Promise<void> | undefined
  let again = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** What may still be started of a kind. */
  function roomFor(kind: JobKind): Room {
    const own = [...running.values()].filter(r => r.job.kind === kind)
    const inLane = new Map<string, number>()
    for (const { job } of own) inLane.set(job.lane, (inLane.get(job.lane) ?? WIDTH[kind].lane) - 1)
    return { limit: WIDTH[kind].kind - own.length, inLane, lane: WIDTH[kind].lane }
  }

  async function run(job: Job): Promise<void> {
    try {
      await handlers[job.kind](app, job)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      app.log('error', 'job failed unexpectedly', { jobId: job.id, kind: job.kind, error: message })
      await app
        .writeInTheEnd(tx => postponeJob(tx, job.id, later(app.now(), UNEXPECTED_PAUSE_S), message))
        .catch(error => app.log('error', 'job could not be postponed', { jobId: job.id, error: String(error) }))
    } finally {
      running.delete(job.id)
    }
  }

  /** Claims and starts what there is room for. Answers whether anything was started. */
  async function claimOnce(): Promise<boolean> {
    let any = false
    for (const kind of KINDS) {
      const room = roomFor(kind)
      if (stopped || room.limit <= 0) continue
      // Looked up first: a claim takes the write lock, and most wakes find nothing.
      if (!(await hasDue())) return any
      // A claim makes no work: it must not wake the worker that makes it.
      const jobs = await app.write(tx => claimJobs(tx, kind, app.now(), app.instance.bootId, room), 'quietly')
      for (const job of jobs) {
        const done = run(job).then(() => {
          if (started) wake()
        })
        running.set(job.id, { job, done })
        any = true
      }
    }
    return any
  }

  async function hasDue(): Promise<boolean> {
    const due = await nextDue(app.db)
    return due !== undefined && due <= app.now()
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
      .catch(error =>
        app.log('error', 'worker could not look for work', { error: error instanceof Error ? error.message : String(error) }),
      )
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
        await hastenSeals(tx, app.now())
      })
      started = true
      wake()
    },
    wake,
    async drain() {
      for (;;) {
        const any = await claimOnce()
        const [first] = running.values()
        if (!any && !first) return
        await Promise.all([...running.values()].map(r => r.done))
      }
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await pumping
      await Promise.all([...running.values()].map(r => r.done))
    },
  }
}
