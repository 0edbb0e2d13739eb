/** `GET /readyz` of a node that shares its database and its files with others. */
import { afterEach, beforeEach, expect, mock, spyOn, test } from 'bun:test'
import type { NodeHealth } from '../../../src/db/nodes.ts'
import { MAX_CHECK_MS, Readiness } from '../../../src/http/health.ts'
import type { App } from '../../../src/ports.ts'
import { onSqlite } from '../../support/engine.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

let t: TestApp
/** What the node finds. */
let found: NodeHealth & { oldestWriter: number; leaving: boolean; stopping: boolean; ping: () => Promise<void> }

beforeEach(async () => {
  t = await openTestApp()
  found = { silenceMs: 1000, clockDifferenceMs: 5, oldestWriter: 22, leaving: false, stopping: false, ping: async () => {} }
})
afterEach(() => {
  mock.restore()
  return t.close()
})

/** The App as one node of several, on the tables of the test. */
function shared(): App {
  const reads = { ...t.app.db.reads, first: async () => ({ oldest_writer: found.oldestWriter }) }
  const db = new Proxy(t.app.db, {
    get(target, name) {
      const value = name === 'reads' ? reads : Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const node = Object.assign(Object.create(t.app.node), { isAlone: false, health: () => found })
  const storage = Object.assign(Object.create(t.app.storage), { ping: () => found.ping() })
  return { ...t.app, db, node, storage }
}

async function ask(): Promise<{ status: number; body: { status: string; node: string; checks: Record<string, unknown> } }> {
  const response = await new Readiness(shared(), found).response()
  return { status: response.status, body: await response.json() }
}

test('a node whose database, file store, heartbeat and clock are in order is ready, and says its name', async () => {
  const { status, body } = await ask()
  expect([status, body.status, body.node]).toEqual([200, 'ready', t.app.config.nodeName])
  expect(body.checks).toMatchObject({ database: 'ok', schema: 'ok', fileStore: 'ok', heartbeat: 'ok', clock: 'ok' })
})

const never = () => new Promise<never>(() => undefined)
const broken: [what: string, found: Partial<typeof found>, check: string, verdict: string][] = [
  ['whose heartbeats are not stored', { silenceMs: 13_000 }, 'heartbeat', 'late'],
  ['whose clock is wrong', { clockDifferenceMs: -2500 }, 'clock', 'differs'],
  ['that is older than the schema allows', { oldestWriter: 1_000_000 }, 'schema', 'too-new'],
  ['that is stopping', { stopping: true }, 'stopping', 'true'],
  ['that was asked to stop and still serves', { leaving: true }, 'stopping', 'true'],
]

test.each(broken)('a node %s is not ready', async (_, given, check, verdict) => {
  Object.assign(found, given)
  const { status, body } = await ask()
  expect([status, body.status, String(body.checks[check])]).toEqual([503, 'not-ready', verdict])
})

test('a node whose seal certificate has ended is not called ready, and goes on with what works', async () => {
  t.clock.pass({ days: 6 * 366 })
  const { status, body } = await ask()
  expect([status, body.status, body.checks.sealCertificate]).toEqual([200, 'degraded', 'expired'])
})

test('a node whose file store fails is degraded and stays in the balancer: pages and signatures work', async () => {
  found.ping = () => Promise.reject(new Error('503'))
  const { status, body } = await ask()
  expect([status, body.status, body.checks.fileStore]).toEqual([200, 'degraded', 'unavailable'])
})

test('why the file store fails is in the log, not in the answer', async () => {
  found.ping = () => Promise.reject(new Error('the bucket does not exist'))
  const { body } = await ask()
  expect(JSON.stringify(body)).not.toContain('bucket')
  expect(t.logged.map(({ facts }) => facts.error)).toContain('the bucket does not exist')
})

/** The time limits of checks that still run. They end when the test says so. */
function holdLimits(): Set<() => void> {
  const held = new Map<unknown, () => void>()
  const [start, stop] = [globalThis.setTimeout, globalThis.clearTimeout]
  const ends = new Set<() => void>()
  spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
    if (ms !== MAX_CHECK_MS) return start(run, ms)
    const limit = {}
    held.set(limit, run)
    ends.add(run)
    return limit
  }) as typeof setTimeout)
  spyOn(globalThis, 'clearTimeout').mockImplementation(((limit: Timer) => {
    const run = held.get(limit)
    if (run) ends.delete(run)
    else stop(limit)
  }) as typeof clearTimeout)
  return ends
}

const turn = () => new Promise(resolve => setImmediate(resolve))

test('a node whose file store hangs answers when the time of a check is over: less than two seconds', async () => {
  found.ping = never
  const limits = holdLimits()
  const answer = ask()
  // All other checks end by themselves.
  do await turn()
  while (limits.size !== 1)
  for (const end of limits) end()
  const { status, body } = await answer
  expect([status, body.checks.fileStore]).toEqual([200, 'unavailable'])
  expect(MAX_CHECK_MS).toBeLessThan(2000)
})

test('a node whose database hangs answers when the time of one check is over, since all run together', async () => {
  const hanging = new Proxy(t.app.db, {
    get(target, name) {
      if (name === 'reads') return { first: never, all: never, allAtOnce: never }
      if (name === 'selectFrom')
        return () =>
          new Proxy(() => undefined, {
            get: (_, n) => (n.toString().startsWith('execute') ? never : () => hanging.selectFrom('alerts')),
          })
      return Reflect.get(target, name, target)
    },
  })
  const limits = holdLimits()
  let isAnswered = false
  const answer = new Readiness({ ...shared(), db: hanging }, found).response().finally(() => {
    isAnswered = true
  })
  let ended = 0
  while (!isAnswered) {
    await turn()
    if (limits.size > 0) ended++
    for (const end of limits) end()
    limits.clear()
  }
  const response = await answer
  const { checks } = (await response.json()) as { checks: Record<string, unknown> }
  expect([response.status, checks.database, checks.schema]).toEqual([503, 'unreadable', 'unknown'])
  expect(ended).toBe(1)
})

onSqlite(test)('a node alone asks neither file store nor heartbeat', async () => {
  const response = await t.fetch('/readyz')
  const { status, node, checks } = (await response.json()) as Record<string, unknown>
  expect([status, node]).toEqual(['ready', t.app.config.nodeName])
  expect(Object.keys(checks as object)).toEqual([
    'database',
    'files',
    'damagedFiles',
    'sealCertificate',
    'disk',
    'sending',
    'stopping',
  ])
})
