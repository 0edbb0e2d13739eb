/** A worker over real rows, with handlers that the test controls. */
import { afterEach, beforeEach } from 'bun:test'
import type { Pace } from '../../src/jobs/lanes.ts'
import { type After, type Handler, Worker } from '../../src/jobs/worker.ts'
import { finishJob, insertJob, type Job, type JobKind } from '../../src/outbox/queries.ts'
import type { App } from '../../src/ports.ts'
import { openSmallApp, type SmallApp } from './small-app.ts'

export let t: SmallApp
export let workers: Worker[]
export let ended: string[]
/** Jobs under way, each with the means to end it. */
export let underWay: Map<string, { job: Job; end: (pace?: Pace) => void }>
/** What the worker does once a job has taken too long, in the order of the jobs' starts; a test says when. */
export let patience: Set<() => void>
export let most: { all: number; byLane: Map<string, number> }

/** A worker that asks without end would hang the test run, and the program: it never lets anything else have its turn. */
export const MOST_WRITES = 3000

/** To be called once in a test file. */
export function useWorkers(): void {
  beforeEach(async () => {
    t = await openSmallApp()
    const write = t.app.write
    t.app.write = (work, how) =>
      t.writes() < MOST_WRITES ? write(work, how) : Promise.reject(new Error('transactions without end'))
    workers = []
    ended = []
    underWay = new Map()
    patience = new Set()
    most = { all: 0, byLane: new Map() }
  })

  afterEach(async () => {
    const stopped = Promise.all(workers.map(w => w.stop()))
    for (const { end } of underWay.values()) end()
    await stopped
    await t.close()
  })
}

/** Lets everything that can go on without time passing go on. */
export async function turns(count = 60): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>(resolve => setImmediate(resolve))
}

export const after: After = (ms, then) => {
  if (Number.isFinite(ms)) patience.add(then)
  return () => patience.delete(then)
}

/** Every job that runs now has taken too long. */
export async function patienceEnds(): Promise<void> {
  const all = [...patience]
  patience.clear()
  for (const then of all) then()
  await turns(200)
}

export const done: Handler = async (app, job) => {
  await app.write(tx => finishJob(tx, job.id, 'done'))
  ended.push(job.subject)
  return 'in time'
}

/** Begins, and ends when the test says so. */
export const held: Handler = async (app, job) => {
  const { promise, resolve } = Promise.withResolvers<Pace | undefined>()
  underWay.set(job.subject, { job, end: resolve })
  const inLane = [...underWay.values()].filter(u => u.job.lane === job.lane).length
  most.all = Math.max(most.all, underWay.size)
  most.byLane.set(job.lane, Math.max(most.byLane.get(job.lane) ?? 0, inLane))
  const pace = await promise
  underWay.delete(job.subject)
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
  const worker = new Worker(app, typeof handler === 'function' ? forAll(handler) : handler, after)
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
  subject: string
  state: string
  attempts: number
  lease_boot: string | null
  last_error: string | null
  due_at: string
}
export const rows = () =>
  t.database.raw.prepare('SELECT subject, state, attempts, lease_boot, last_error, due_at FROM jobs ORDER BY id').all() as Row[]
export const names = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => `${prefix}${i}`)
