/** The clock of nodes is the database's. One whose own is wrong runs no jobs and writes nothing. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'kysely'
import { listAlerts } from '../../src/alerts/queries.ts'
import { UnreachableError } from '../../src/core/refusal.ts'
import { ClusterNode, HEARTBEAT_MS } from '../../src/db/nodes.ts'
import { MAX_CLOCK_DIFFERENCE_MS } from '../../src/db/postgresql/server-check.ts'
import { watchOwnClock } from '../../src/health/watch.ts'
import { HANDLERS } from '../../src/jobs/handlers.ts'
import { Worker } from '../../src/jobs/worker.ts'
import { releaseLeases } from '../../src/outbox/queries.ts'
import type { App } from '../../src/ports.ts'
import { newDocument } from '../support/sample.ts'
import { START } from '../support/test-app.ts'
import { useTestApp } from '../support/use-app.ts'

/** The clocks of the machine, and of the database. */
let machineMs: number
let steadyMs: number
let databaseMs: number
/** Between the question of a heartbeat and the database's clock, and from there to the answer. */
let travelMs: { there: number; back: number }
const t = useTestApp()
let node: ClusterNode

const pass = (ms: number) => {
  machineMs += ms
  steadyMs += ms
  databaseMs += ms
}

beforeEach(async () => {
  machineMs = databaseMs = START.getTime()
  steadyMs = 1000
  travelMs = { there: 0, back: 0 }
  node = new ClusterNode({
    name: 'node-1',
    version: '0',
    now: () => new Date(machineMs),
    steadyMs: () => steadyMs,
    random: t.app.random,
    timers: t.app.timers,
    log: t.app.log,
    db: t.app.db,
    write: (work, options) => t.app.write(work, options),
    writeUnsynced: work => t.app.writeUnsynced(work),
    admit: async () => {},
    release: releaseLeases,
    bootFile: join(t.folder, 'boot'),
    clock: () => sql.val(new Date(databaseMs).toISOString()),
    async outside(work) {
      pass(travelMs.there)
      const answer = await t.app.write(work, { wake: false })
      pass(travelMs.back)
      return answer
    },
  })
  await node.join()
})

describe('the shared clock', () => {
  test('is that of the machine before the first heartbeat, then that of the database and the time since', async () => {
    databaseMs += 1500
    expect(node.now().getTime()).toBe(machineMs)
    await node.beat()
    pass(HEARTBEAT_MS)
    expect(node.now().getTime()).toBe(databaseMs)
    expect(node.hasRightClock()).toBe(true)
  })

  test('does not follow a machine whose clock is set; that shows at once, and ends when it is mended', async () => {
    await node.beat()
    machineMs += 600_000
    expect([node.now().getTime(), node.hasRightClock()]).toEqual([databaseMs, false])
    await node.beat()
    expect([node.health().clockDifferenceMs, node.hasRightClock()]).toEqual([600_000, false])
    machineMs -= 600_000
    await node.beat()
    expect(node.hasRightClock()).toBe(true)
  })

  test('of a machine whose clock was set while it was halted and taken for dead is compared before the node goes on', async () => {
    await node.beat()
    const former = node.boot
    pass(60_000)
    machineMs -= 90_000
    await t.app.write(tx => tx.deleteFrom('nodes').execute())
    await node.beat()
    expect(node.boot).not.toBe(former)
    expect([node.health().clockDifferenceMs, node.hasRightClock()]).toEqual([-90_000, false])
  })

  test('a slow answer of the database is no difference of the clocks', async () => {
    travelMs = { there: 3 * MAX_CLOCK_DIFFERENCE_MS, back: 3 * MAX_CLOCK_DIFFERENCE_MS }
    await node.beat()
    expect([node.health().clockDifferenceMs, node.hasRightClock()]).toEqual([0, true])
    expect(Math.abs(node.now().getTime() - databaseMs)).toBe(0)
  })

  test.each([
    ['question', { there: 10_000, back: 0 }],
    ['answer', { there: 0, back: 10_000 }],
  ])('is not moved by a heartbeat whose %s is late by seconds, also the first one', async (_, late) => {
    travelMs = late
    for (let i = 0; i < 3; i++) {
      await node.beat()
      expect(node.now().getTime()).toBe(databaseMs)
    }
  })

  test('is moved by a late answer as far as that proves: the machine slept, and its clock was set', async () => {
    await node.beat()
    machineMs += 3_600_000
    databaseMs += 3_600_000
    travelMs = { there: 0, back: 1_000 }
    await node.beat()
    expect(databaseMs - node.now().getTime()).toBe(1_000)
  })

  test('a machine that slept waits for its next heartbeat', async () => {
    await node.beat()
    // The steady clock does not go on meanwhile.
    machineMs += 3_600_000
    databaseMs += 3_600_000
    expect(node.hasRightClock()).toBe(false)
    await node.beat()
    expect([node.hasRightClock(), node.now().getTime()]).toEqual([true, databaseMs])
  })

  test('a clock that is behind is as wrong as one that is ahead', async () => {
    machineMs -= MAX_CLOCK_DIFFERENCE_MS + 1
    await node.beat()
    expect(node.hasRightClock()).toBe(false)
  })
})

describe('a node whose clock is wrong', () => {
  const wrong = () => {
    const health = { silenceMs: 0, clockDifferenceMs: 600_000 }
    Object.assign(t.app.node, { hasRightClock: () => false, health: () => health })
  }
  const right = () => Object.assign(t.app.node, { hasRightClock: () => true })

  test('answers changes with 503 and Retry-After, reads as before, and stores nothing', async () => {
    const { id } = (await t.api('POST', '/documents', await newDocument())).body
    wrong()
    const refused = await t.api('POST', '/documents', await newDocument())
    expect([refused.status, refused.body.error.code]).toEqual([503, 'storage_unavailable'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await t.api('GET', `/documents/${id}`)).status).toBe(200)
    expect(await t.app.write(async () => 1).catch(error => error)).toBeInstanceOf(UnreachableError)
    right()
    expect((await t.api('GET', '/documents')).body.data).toHaveLength(1)
  })

  test('takes no jobs, and takes them when its clock is right again', async () => {
    await t.api('POST', '/documents', await newDocument({ send: true }))
    const worker = new Worker(t.app, HANDLERS)
    wrong()
    await worker.drain()
    expect(t.mails).toEqual([])
    right()
    await worker.drain()
    expect(t.mails).toHaveLength(2)
    await worker.stop()
  })

  test('raises the alert that says so all the same', async () => {
    wrong()
    const app: App = { ...t.app, node: Object.assign(Object.create(t.app.node), { isAlone: false, name: 'node-1' }) }
    await watchOwnClock(app)
    expect((await listAlerts(t.app.db, 5)).map(({ kind }) => kind)).toEqual(['clock_wrong'])
  })
})
