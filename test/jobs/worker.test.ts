/** The worker over real rows, with handlers that do what a test tells them: lanes, widths, failures, orderly ends. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Handler, openWorker, WIDTH, type Worker } from '../../src/jobs/worker.ts'
import { finishJob, insertJob, type Job, type JobKind, postponeJob } from '../../src/outbox/queries.ts'
import type { App } from '../../src/ports.ts'
import { openWriting } from '../../src/writing.ts'
import { openSmallApp, type SmallApp, START } from '../support/small-app.ts'

let t: SmallApp
let workers: Worker[]
let ended: string[]
/** Jobs under way, each with the means to end it. */
let underWay: Map<string, { job: Job; end: () => void }>
let most: { all: number; byLane: Map<string, number> }

/** A worker that asks without end would hang the test run, and the program: it never lets anything else have its turn. */
const MOST_WRITES = 3000

beforeEach(async () => {
  t = await openSmallApp()
  const write = t.app.write
  t.app.write = (work, how) =>
    t.writes() < MOST_WRITES ? write(work, how) : Promise.reject(new Error('transactions without end'))
  workers = []
  ended = []
  underWay = new Map()
  most = { all: 0, byLane: new Map() }
})

afterEach(async () => {
  const stopped = Promise.all(workers.map(w => w.stop()))
  for (const { end } of underWay.values()) end()
  await stopped
  await t.close()
})

/** Lets everything that can go on without time passing go on. */
async function turns(count = 60): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>(resolve => setImmediate(resolve))
}

const done: Handler = async (app, job) => {
  await app.write(tx => finishJob(tx, job.id, 'done'))
  ended.push(job.subject)
}

/** Begins, and ends when the test says so. */
const held: Handler = async (app, job) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  underWay.set(job.subject, { job, end: resolve })
  const inLane = [...underWay.values()].filter(u => u.job.lane === job.lane).length
  most.all = Math.max(most.all, underWay.size)
  most.byLane.set(job.lane, Math.max(most.byLane.get(job.lane) ?? 0, inLane))
  await promise
  underWay.delete(job.subject)
  await done(app, job)
}

const forAll = (handler: Handler): Record<JobKind, Handler> => ({
  mail: handler,
  webhook: handler,
  seal: handler,
  raise: handler,
})

function open(handler: Handler | Record<JobKind, Handler>, app: App = t.app): Worker {
  const worker = openWorker(app, typeof handler === 'function' ? forAll(handler) : handler)
  app.wake = worker.wake
  workers.push(worker)
  return worker
}

let count = 0
async function put(
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

interface Row {
  subject: string
  state: string
  attempts: number
  lease_boot: string | null
  last_error: string | null
  due_at: string
}
const rows = () =>
  t.database.raw.prepare('SELECT subject, state, attempts, lease_boot, last_error, due_at FROM jobs ORDER BY id').all() as Row[]
const names = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => `${prefix}${i}`)

describe('draining', () => {
  test('does everything that is due, in the order it fell due, and nothing that is not', async () => {
    await put('mail', ['second'])
    await put('mail', ['first'], { dueAt: new Date(START.getTime() - 1) })
    await put('mail', ['later'], { dueAt: new Date(START.getTime() + 1) })
    const worker = open(done)
    await worker.drain()
    expect(ended).toEqual(['first', 'second'])
    t.clock.pass({ seconds: 1 })
    await worker.drain()
    expect(ended).toEqual(['first', 'second', 'later'])
    expect(rows().map(r => [r.state, r.attempts, r.lease_boot])).toEqual(Array(3).fill(['done', 1, null]))
  })

  test('does what jobs leave behind', async () => {
    await put('seal', ['one'])
    const handler: Handler = async (app, job) => {
      if (job.kind === 'seal') await put('mail', ['two'])
      await done(app, job)
    }
    await open(handler).drain()
    expect(ended).toEqual(['one', 'two'])
  })

  test('ends with nothing to do', async () => {
    await open(done).drain()
    expect(ended).toEqual([])
  })

  test('does more than fits at once', async () => {
    await put('mail', names('m', 30))
    await put('webhook', names('w', 30))
    await put('seal', names('s', 10))
    await open(done).drain()
    expect(ended.sort()).toEqual([...names('m', 30), ...names('w', 30), ...names('s', 10)].sort())
  })

  test('gives each job to one handler, once', async () => {
    await put('mail', names('m', 20))
    const worker = open(done)
    await Promise.all([worker.drain(), worker.drain(), worker.drain()])
    expect(ended.toSorted()).toEqual(names('m', 20).sort())
    expect(rows().every(r => r.attempts === 1)).toBe(true)
  })

  test('tells a handler how often it was tried before', async () => {
    const attempts: number[] = []
    const handler: Handler = async (app, job) => {
      attempts.push(job.attempts)
      await app.write(tx => postponeJob(tx, job.id, new Date(app.now().getTime() + 1000), '421 later'))
    }
    await put('mail', ['m'])
    const worker = open(handler)
    for (let i = 0; i < 3; i++) {
      await worker.drain()
      t.clock.pass({ seconds: 1 })
    }
    expect(attempts).toEqual([0, 1, 2])
    expect(rows()[0]).toMatchObject({ state: 'open', attempts: 3, lease_boot: null, last_error: '421 later' })
  })
})

describe('a start', () => {
  test('tries at once the seals that wait for another attempt, and nothing else before its time', async () => {
    const dueAt = new Date(START.getTime() + 3_600_000)
    await put('seal', ['seal'], { dueAt })
    await put('mail', ['mail'], { dueAt })
    await open(done).start()
    await turns()
    expect(ended).toEqual(['seal'])
  })
})

describe('a handler that throws', () => {
  test('ends neither the worker nor the other jobs; its own rests for about five minutes', async () => {
    await put('mail', ['bad', 'good'])
    const handler: Handler = async (app, job) => {
      if (job.subject === 'bad') throw new Error('unforeseen')
      await done(app, job)
    }
    const worker = open(handler)
    await worker.drain()
    expect(ended).toEqual(['good'])
    const [bad] = rows()
    expect(bad).toMatchObject({ state: 'open', attempts: 1, lease_boot: null, last_error: 'unforeseen' })
    const pauseS = (Date.parse(bad?.due_at ?? '') - START.getTime()) / 1000
    expect(pauseS).toBeGreaterThanOrEqual(270)
    expect(pauseS).toBeLessThanOrEqual(330)
    expect(t.logged).toMatchObject([
      { level: 'error', what: 'job failed unexpectedly', facts: { kind: 'mail', error: 'unforeseen' } },
    ])
    t.clock.pass({ minutes: 6 })
    await worker.drain()
    expect(rows()[0]?.attempts).toBe(2)
  })

  test.each([
    [
      'before its first await',
      () => {
        throw new Error('at once')
      },
    ],
    ['something that is no error', async () => Promise.reject('a text')],
  ] as [string, Handler][])('%s is no different', async (_, handler) => {
    await put('mail', ['bad'])
    await open(handler).drain()
    expect(rows()[0]).toMatchObject({ state: 'open', lease_boot: null })
    expect(t.logged).toHaveLength(1)
  })

  test('while the disk refuses keeps its lease, and is free again without a restart once the disk takes writes', async () => {
    await put('mail', ['bad'])
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
    let broken = false
    const write = t.app.write
    const writing = openWriting(
      { write: work => (broken ? Promise.reject(full) : write(work, 'quietly')) },
      { log: t.app.log, wake: () => {}, onSyncFault: () => {} },
    )
    const app: App = { ...t.app, ...writing }
    const worker = open(async (_app, job) => {
      broken = job.attempts === 0
      if (broken) throw full
      ended.push(job.subject)
      await write(tx => finishJob(tx, job.id, 'done'))
    }, app)
    await worker.drain()
    expect(rows()[0]).toMatchObject({ state: 'open', lease_boot: 'boot-1' })
    await expect(app.writeOwed()).rejects.toMatchObject({ reason: 'storage_unavailable' })
    broken = false
    await app.writeOwed()
    expect(rows()[0]).toMatchObject({ state: 'open', lease_boot: null })
    t.clock.pass({ minutes: 10 })
    await worker.drain()
    expect(ended).toEqual(['bad'])
  })
})

describe('leases', () => {
  test('of a start that died are freed by the next, those of this one are not', async () => {
    await put('mail', ['dead', 'alive'])
    t.database.raw.exec("UPDATE jobs SET lease_boot = 'boot-0' WHERE subject = 'dead'")
    t.database.raw.exec("UPDATE jobs SET lease_boot = 'boot-1' WHERE subject = 'alive'")
    await open(done).start()
    await turns()
    expect(ended).toEqual(['dead'])
  })
})

describe('widths', () => {
  test('at most so many of a kind run at once', async () => {
    await put('mail', names('m', 10))
    await open(held).start()
    await turns()
    expect([...underWay.keys()]).toEqual(names('m', WIDTH.mail.kind))
    underWay.get('m0')?.end()
    await turns()
    expect([...underWay.keys()]).toEqual(['m1', 'm2', 'm3', 'm4'])
  })

  test('a slow receiver holds up itself alone', async () => {
    await put('webhook', names('slow', 40), { lane: 'whk_slow' })
    await put('webhook', names('good', 3), { lane: 'whk_good' })
    await put('mail', ['mail'])
    await open(async (app, job) => (job.lane === 'whk_slow' ? held(app, job) : done(app, job))).start()
    await turns()
    expect(ended.toSorted()).toEqual(['good0', 'good1', 'good2', 'mail'])
    expect(underWay.size).toBe(WIDTH.webhook.lane)
  })

  test('a lane never runs more than its width, also when its jobs end one by one', async () => {
    await put('webhook', names('w', 20), { lane: 'whk_1' })
    await open(held).start()
    await turns()
    for (let i = 0; i < 20; i++) {
      ;[...underWay.values()][0]?.end()
      await turns(20)
    }
    expect(ended).toHaveLength(20)
    expect(most.byLane.get('whk_1')).toBe(WIDTH.webhook.lane)
  })

  test('many receivers together fill the width of the kind and no more', async () => {
    for (let lane = 0; lane < 20; lane++) await put('webhook', names(`w${lane}-`, 5), { lane: `whk_${lane}` })
    await open(held).start()
    await turns(200)
    expect(underWay.size).toBe(WIDTH.webhook.kind)
    expect(Math.max(...most.byLane.values())).toBe(WIDTH.webhook.lane)
  })

  test('a full lane is waited for, not asked again and again', async () => {
    await put('webhook', names('w', 12), { lane: 'whk_1' })
    await open(held).start()
    await turns(200)
    expect(underWay.size).toBe(WIDTH.webhook.lane)
    expect(t.writes()).toBeLessThan(50)
  })

  test('jobs of a kind that has no room are waited for too, while other kinds go on', async () => {
    await put('mail', names('m', 12))
    await open(async (app, job) => (job.kind === 'mail' ? held(app, job) : done(app, job))).start()
    await turns()
    await put('seal', ['s'])
    await turns(200)
    expect(ended).toEqual(['s'])
    expect(t.writes()).toBeLessThan(50)
  })
})

describe('a started worker', () => {
  test('works when woken by a commit, and not for itself alone', async () => {
    await open(done).start()
    await turns()
    await put('mail', ['m'])
    await turns()
    expect(ended).toEqual(['m'])
    const before = t.writes()
    await turns(200)
    expect(t.writes()).toBe(before)
  })

  test('does nothing before its start', async () => {
    const worker = open(done)
    await put('mail', ['m'])
    worker.wake()
    await turns()
    expect(ended).toEqual([])
    expect(rows()[0]?.attempts).toBe(0)
  })

  test('goes on after it could not look for work', async () => {
    let failing = true
    const app: App = {
      ...t.app,
      write: work => (failing && t.writes() > 1 ? Promise.reject(new Error('disk full')) : t.app.write(work)),
    }
    const worker = openWorker(app, forAll(done))
    workers.push(worker)
    await worker.start()
    await turns()
    await put('mail', ['m'])
    worker.wake()
    await turns()
    expect(ended).toEqual([])
    expect(t.logged.map(l => l.what)).toContain('worker could not look for work')
    failing = false
    worker.wake()
    await turns()
    expect(ended).toEqual(['m'])
  })
})

describe('stopping', () => {
  test('waits for what runs and takes nothing new', async () => {
    await put('mail', names('m', 10))
    const worker = open(held)
    await worker.start()
    await turns()
    let stopped = false
    const stop = worker.stop().then(() => {
      stopped = true
    })
    await turns()
    expect(stopped).toBe(false)
    for (const { end } of underWay.values()) end()
    await stop
    expect(ended.sort()).toEqual(names('m', 4))
    expect(
      rows()
        .filter(r => r.state === 'open')
        .every(r => r.lease_boot === null && r.attempts === 0),
    ).toBe(true)
    worker.wake()
    await turns()
    expect(ended).toHaveLength(4)
  })

  test('a worker that never started is at once done', async () => {
    await open(done).stop()
    expect(ended).toEqual([])
  })
})
