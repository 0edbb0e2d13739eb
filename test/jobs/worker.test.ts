/** The worker: order of jobs, failures, leases, stopping. */
import { describe, expect, test } from 'bun:test'
import { DatabaseUnavailableError } from '../../src/db/open.ts'
import { type Handler, Worker } from '../../src/jobs/worker.ts'
import { finishJob, postponeJob, releaseLeases, takeJobs } from '../../src/outbox/queries.ts'
import type { App } from '../../src/ports.ts'
import { openWriting } from '../../src/writing.ts'
import { FailingDatabase } from '../support/failing-database.ts'
import {
  blocking,
  done,
  ended,
  forAll,
  jobNamed,
  names,
  open,
  patienceEnds,
  put,
  rows,
  runningJobs,
  t,
  turns,
  useWorkers,
  workers,
} from '../support/job-worker.ts'
import { START } from '../support/small-app.ts'

useWorkers()

describe('draining', () => {
  test('runs all due jobs in the order of their due times, and no others', async () => {
    await put('mail', ['second'])
    await put('mail', ['first'], { dueAt: new Date(START.getTime() - 1) })
    await put('mail', ['later'], { dueAt: new Date(START.getTime() + 1) })
    const worker = open(done)
    await worker.drain()
    expect(ended).toEqual(['first', 'second'])
    t.clock.pass({ seconds: 1 })
    await worker.drain()
    expect(ended).toEqual(['first', 'second', 'later'])
    expect((await rows()).map(r => [r.state, r.attempts, r.lease_boot])).toEqual(Array(3).fill(['done', 1, null]))
  })

  test('runs jobs that other jobs queue', async () => {
    await put('seal', ['one'])
    const handler: Handler = async (app, job) => {
      if (job.kind === 'seal') await put('mail', ['two'])
      await done(app, job)
    }
    await open(handler).drain()
    expect(ended).toEqual(['one', 'two'])
  })

  test('ends if nothing is due', async () => {
    await open(done).drain()
    expect(ended).toEqual([])
  })

  test('runs more jobs than the limit', async () => {
    await put('mail', names('m', 30))
    await put('webhook', names('w', 30))
    await put('seal', names('s', 10))
    await open(done).drain()
    expect(ended.sort()).toEqual([...names('m', 30), ...names('w', 30), ...names('s', 10)].sort())
  })

  test('passes each job to one handler, once', async () => {
    await put('mail', names('m', 20))
    const worker = open(done)
    await Promise.all([worker.drain(), worker.drain(), worker.drain()])
    expect(ended.toSorted()).toEqual(names('m', 20).sort())
    expect((await rows()).every(r => r.attempts === 1)).toBe(true)
  })

  test('passes the number of earlier attempts', async () => {
    const attempts: number[] = []
    const handler: Handler = async (app, job) => {
      attempts.push(job.attempts)
      await app.write(tx => postponeJob(tx, job, new Date(app.now().getTime() + 1000), '421 later'))
    }
    await put('mail', ['m'])
    const worker = open(handler)
    for (let i = 0; i < 3; i++) {
      await worker.drain()
      t.clock.pass({ seconds: 1 })
    }
    expect(attempts).toEqual([0, 1, 2])
    expect((await rows())[0]).toMatchObject({ state: 'open', attempts: 3, lease_boot: null, last_error: '421 later' })
  })
})

describe('a start', () => {
  test('retries waiting seals at once, and no other jobs before their time', async () => {
    const dueAt = new Date(START.getTime() + 3_600_000)
    await put('seal', ['seal'], { dueAt })
    await put('mail', ['mail'], { dueAt })
    await open(done).start()
    await turns()
    expect(ended).toEqual(['seal'])
  })
})

describe('a handler that throws', () => {
  test('stops neither the worker nor other jobs; its own is postponed by about five minutes', async () => {
    await put('mail', ['bad', 'good'])
    const handler: Handler = async (app, job) => {
      if (job.subject === 'bad') throw new Error('unforeseen')
      await done(app, job)
    }
    const worker = open(handler)
    await worker.drain()
    expect(ended).toEqual(['good'])
    const [bad] = await rows()
    expect(bad).toMatchObject({ state: 'open', attempts: 1, lease_boot: null, last_error: 'unforeseen' })
    const pauseS = (Date.parse(bad?.due_at ?? '') - START.getTime()) / 1000
    expect(pauseS).toBeGreaterThanOrEqual(270)
    expect(pauseS).toBeLessThanOrEqual(330)
    expect(t.logged).toMatchObject([
      { level: 'error', what: 'job failed unexpectedly', facts: { kind: 'mail', error: 'unforeseen' } },
    ])
    t.clock.pass({ minutes: 6 })
    await worker.drain()
    expect((await rows())[0]?.attempts).toBe(2)
  })

  test('because the data were out of reach, is tried again as soon as a client is asked to', async () => {
    await put('mail', ['bad'])
    await open(async () => {
      throw new DatabaseUnavailableError('not-done')
    }).drain()
    const [bad] = await rows()
    expect(bad).toMatchObject({ state: 'open', attempts: 1, lease_boot: null })
    expect((Date.parse(bad?.due_at ?? '') - START.getTime()) / 1000).toBeLessThan(6)
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
    expect((await rows())[0]).toMatchObject({ state: 'open', lease_boot: null })
    expect(t.logged).toHaveLength(1)
  })

  test('on a full disk keeps its lease, and is freed without a restart once writes succeed', async () => {
    await put('mail', ['bad'])
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
    let broken = false
    const write = t.app.write
    const writing = openWriting(
      { write: work => (broken ? Promise.reject(full) : write(work, { wake: false })) },
      { log: t.app.log, committed: () => {}, wake: () => {}, onSyncError: () => {} },
    )
    const app: App = { ...t.app, ...writing }
    const worker = open(async (_app, job) => {
      broken = job.attempts === 0
      if (broken) throw full
      ended.push(job.subject)
      await write(tx => finishJob(tx, job, 'done'))
    }, app)
    await worker.drain()
    expect((await rows())[0]).toMatchObject({ state: 'open', lease_boot: t.app.node.boot })
    await expect(app.flushPending()).rejects.toMatchObject({ reason: 'storage_unavailable' })
    broken = false
    await app.flushPending()
    expect((await rows())[0]).toMatchObject({ state: 'open', lease_boot: null })
    t.clock.pass({ minutes: 10 })
    await worker.drain()
    expect(ended).toEqual(['bad'])
  })
})

describe('leases', () => {
  test('of an earlier boot are freed by the next start, those of this boot are not', async () => {
    await put('mail', ['dead'])
    await open(blocking).start()
    await turns()
    const later = await t.rebooted()
    await put('mail', ['alive'])
    const { id } = await jobNamed('alive')
    await t.app.write(tx => takeJobs(tx, [id], later.node.boot))
    await t.app.write(releaseLeases)
    expect((await jobNamed('dead')).lease_boot).toBeNull()
    expect((await jobNamed('alive')).lease_boot).toBe(later.node.boot)
  })
})

describe('a lease whose COMMIT was not answered', () => {
  test.each(['made', 'lost'] as const)('and was %s keeps no job from being run', async commit => {
    await put('seal', ['one'])
    const failing = new FailingDatabase()
    const app: App = {
      ...t.app,
      ...openWriting(failing.wrapApp(t.app), { log: t.app.log, committed: () => {}, wake: () => {}, onSyncError: () => {} }),
    }
    const worker = open(done, app)
    failing.commits.push(commit)
    await expect(worker.drain()).rejects.toMatchObject({ outcome: 'unknown' })
    expect((await jobNamed('one')).lease_boot).toBe(commit === 'made' ? t.app.node.boot : null)
    await worker.drain()
    expect(await jobNamed('one')).toMatchObject({ state: 'done', attempts: 1 })
    expect(ended).toEqual(['one'])
  })
})

describe('a started worker', () => {
  test('runs jobs when a commit wakes it, and does not wake itself', async () => {
    await open(done).start()
    await turns()
    await put('mail', ['m'])
    await turns()
    expect(ended).toEqual(['m'])
    const before = t.writes()
    await turns(200)
    expect(t.writes()).toBe(before)
  })

  test('runs nothing before its start', async () => {
    const worker = open(done)
    await put('mail', ['m'])
    worker.wake()
    await turns()
    expect(ended).toEqual([])
    expect((await rows())[0]?.attempts).toBe(0)
  })

  test('continues after an error while looking for jobs', async () => {
    let failing = true
    const app: App = {
      ...t.app,
      writeUnsynced: work => (failing && t.writes() > 1 ? Promise.reject(new Error('disk full')) : t.app.writeUnsynced(work)),
    }
    const worker = new Worker(app, forAll(done))
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

test('a worker retries by itself after an error while looking for jobs', async () => {
  let failing = false
  const app: App = {
    ...t.app,
    writeUnsynced: work => (failing ? Promise.reject(new Error('full')) : t.app.writeUnsynced(work)),
  }
  const worker = open(done, app)
  await worker.start()
  await turns()
  await put('mail', ['m'])
  failing = true
  worker.wake()
  await turns()
  expect(ended).toEqual([])
  failing = false
  await patienceEnds()
  expect(ended).toEqual(['m'])
})

describe('stopping', () => {
  test('waits for running jobs and starts no new ones', async () => {
    await put('mail', names('m', 10))
    const worker = open(blocking)
    await worker.start()
    await turns()
    let stopped = false
    const stop = worker.stop().then(() => {
      stopped = true
    })
    await turns()
    expect(stopped).toBe(false)
    for (const { end } of runningJobs.values()) end()
    await stop
    expect(ended.sort()).toEqual(names('m', 8))
    expect((await rows()).filter(r => r.state === 'open').every(r => r.lease_boot === null && r.attempts === 0)).toBe(true)
    worker.wake()
    await turns()
    expect(ended).toHaveLength(8)
  })

  test('a worker that never started stops at once', async () => {
    await open(done).stop()
    expect(ended).toEqual([])
  })
})
