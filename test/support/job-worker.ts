/** A worker over real rows, with handlers that the test controls. */
import { afterEach, beforeEach } from 'bun:test'
import type { Pace } from '../../src/jobs/worker.ts'
import { type Handler, Worker } from '../../src/jobs/worker.ts'
import type { Timers } from '../../src/lib/machine.ts'
import { finishJob, insertJob, type Job, type JobKind } from '../../src/outbox/queries.ts'
import type { App } from '../../src/ports.ts'
import { openSmallApp, type SmallApp } from './small-app.ts'

export let t: SmallApp
export let workers: Worker[]
export let ended: string[]
/** Running jobs, each with a function that ends it. */
export let runningJobs: Map<string, { job: Job; end: (pace?: Pace) => void }>
/** Callbacks for jobs that take too long, in the order of their starts. */
export let patience: Set<() => void>
export let peak: { all: number; byLane: Map<string, number> }

/** Stops a worker that polls without end, which would hang the test run. */
export const MAX_WRITES = 3000

/** Call it once per test file. */
export function useWorkers(): void {
  beforeEach(async () => {
    t = await openSmallApp()
    const write = t.app.write
    t.app.write = (work, how) =>
      t.writes() < MAX_WRITES ? write(work, how) : Promise.reject(new Error('transactions without end'))
    workers = []
    ended = []
    runningJobs = new Map()
    patience = new Set()
    peak = { all: 0, byLane: new Map() }
  })

  afterEach(async () => {
    const stopped = Promise.all(workers.map(w => w.stop()))
    for (const { end } of runningJobs.values()) end()
    await stopped
    await t.close()
  })
}

/** Lets pending work continue without time passing. */
export async function turns(count = 60): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>(resolve => setImmediate(resolve))
}

const after: Timers['after'] = (ms, then) => {
  if (Number.isFinite(ms)) patience.add(then)
  return () => patience.delete(then)
}

/** All running jobs have taken too long. */
export async function patienceEnds(): Promise<void> {
  const all = [...patience]
  patience.clear()
  for (const then of all) then()
  await turns(200)
}

export const done: Handler = async (app, job) => {
  await app.write(tx => finishJob(tx, job, 'done'))
  ended.push(job.subject)
  return 'in time'
}

/** Runs until the test ends it. */
export const blocking: Handler = async (app, job) => {
  const { promise, resolve } = Promise.withResolvers<Pace | undefined>()
  runningJobs.set(job.subject, { job, end: resolve })
  const inLane = [...runningJobs.values()].filter(u => u.job.lane === job.lane).length
  peak.all = Math.max(peak.all, runningJobs.size)
  peak.byLane.set(job.lane, Math.max(peak.byLane.get(job.lane) ?? 0, inLane))
  const pace = await promise
  runningJobs.delete(job.subject)
  await done(app, job)
  return pace
}

export const forAll = (handler: Handler): Record<JobKind, Handler> => ({
  mail: handler,
  webhook: handler,
  seal: handler,
  augment: handler,
})

export function open(handler: Handler | Record<JobKind, Handler>, app: App = t.app): Worker {
  app.timers = { ...app.timers, after }
  const worker = new Worker(app, typeof handler === 'function' ? forAll(handler) : handler)
  app.wake = worker.wake
  workers.push(worker)
  return worker
}

let count = 0
export async function put(
  kind: JobKind,
  subjects: string[],
  { lane = kind, dueAt = t.clock.now }: { lane?: string; dueAt?: Date } = {},
) {
  await t.app.write(async tx => {
    for (const subject of subjects) {
      const id = `job_${String(++count).padStart(6, '0')}`
      await insertJob(tx, { id, kind, subject, lane, documentId: undefined, dueAt }, t.clock.now)
    }
  })
}

export interface Row {
  id: string
  subject: string
  state: string
  attempts: number
  lease_boot: string | null
  last_error: string | null
  due_at: string
}
export const rows = () =>
  t.database.sql<Row>('SELECT id, subject, state, attempts, lease_boot, last_error, due_at FROM jobs ORDER BY id')
export async function jobNamed(subject: string): Promise<Row> {
  const row = (await rows()).find(each => each.subject === subject)
  if (!row) throw new Error(`there is no job ${subject}`)
  return row
}
export const names = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => `${prefix}${i}`)
