/** The schedule of several nodes: shared rows are the work of one, its own disk that of each. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DiskSpaceWatch, endAlertsOfFormerNodes } from '../../src/alerts/disk-watch.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { DEAD_AFTER_MS, HEARTBEAT_MS } from '../../src/db/nodes.ts'
import { runSchedule, SCHEDULE } from '../../src/jobs/schedule.ts'
import { joinNode, pass, type TestNode, UNTIL_REMOVED_MS } from '../support/nodes.ts'
import { useSmallApp } from '../support/use-app.ts'

const t = useSmallApp()
let a: TestNode
let b: TestNode

beforeEach(async () => {
  await t.app.node.leave()
  a = await joinNode(t, 'a')
  b = await joinNode(t, 'b')
})

describe('a run of the schedule', () => {
  const shared = SCHEDULE.filter(entry => entry.runsOn === 'one node')
  const runs = SCHEDULE.map(entry => entry.run)
  let ran: string[]
  const nodesThatRan = (name: string | undefined) => ran.filter(each => each.endsWith(` ${name}`)).map(each => each[0])

  beforeEach(() => {
    ran = []
    for (const entry of SCHEDULE) entry.run = async ({ node }) => ran.push(`${node.name} ${entry.name}`)
  })
  afterEach(() => {
    for (const [i, entry] of SCHEDULE.entries()) entry.run = runs[i] ?? entry.run
  })

  test('does what the nodes share on one of them, and what is its own on each', async () => {
    await Promise.all([runSchedule(a.app), runSchedule(b.app)])
    await runSchedule(b.app)
    for (const { name } of shared) expect(new Set(nodesThatRan(name)).size).toBe(1)
    for (const name of ['sweep the disk', 'watch the disk', 'watch the clock', 'flush pending writes', 'sweep mails'])
      expect(nodesThatRan(name).sort()).toEqual(['a', 'b', 'b'])
  })

  test('is continued by another node within 30 seconds when the first has stopped', async () => {
    await runSchedule(a.app)
    await pass(t, DEAD_AFTER_MS, [a, b])
    ran = []
    await pass(t, UNTIL_REMOVED_MS, [b])
    await runSchedule(b.app)
    for (const { name } of shared) expect(nodesThatRan(name)).toEqual(['b'])
    await runSchedule(a.app)
    for (const { name } of shared) expect(nodesThatRan(name)).toEqual(['b'])
  })

  test('is left to others by a node whose clock goes wrong, until it is right again', async () => {
    let aheadMs = 0
    const c = await joinNode(t, 'c', 'c', () => new Date(t.clock.now.getTime() + aheadMs))
    await runSchedule(c.app)
    expect(await a.node.whileLeased('schedule', async () => undefined)).toBe(false)
    aheadMs = 3_600_000
    await pass(t, HEARTBEAT_MS, [a, b, c])
    ran = []
    await runSchedule(c.app)
    for (const { name } of shared) expect(nodesThatRan(name)).toEqual([])
    await runSchedule(a.app)
    for (const { name } of shared) expect(nodesThatRan(name)).toEqual(['a'])
    await a.node.leave()
    expect(await c.node.whileLeased('schedule', async () => undefined)).toBe(false)
    aheadMs = 0
    await pass(t, HEARTBEAT_MS, [b, c])
    expect(await c.node.whileLeased('schedule', async () => undefined)).toBe(true)
  })

  test('that fails keeps the lease: the next run is on the same node', async () => {
    for (const entry of shared) entry.run = () => Promise.reject(new Error('broken'))
    await runSchedule(a.app)
    expect(await b.node.whileLeased('schedule', async () => undefined)).toBe(false)
  })
})

describe('the alert of a full disk', () => {
  const low = { freeBytes: 3e8, totalBytes: 2e12 }
  const roomy = { freeBytes: 1e12, totalBytes: 2e12 }
  const measure = ({ app }: TestNode, space: typeof low) => new DiskSpaceWatch(app, async () => space).updateAlert()
  const alerts = async () => (await listAlerts(t.app.db, 10)).map(({ subject }) => subject)

  test('belongs to one node: another one with free space does not end it', async () => {
    await measure(a, low)
    await measure(b, roomy)
    expect(await alerts()).toEqual(['a'])
    await measure(b, low)
    await measure(a, roomy)
    expect(await alerts()).toEqual(['b'])
    expect((await listAlerts(t.app.db, 10))[0]?.message).toContain('of the node b')
  })

  test('ends when its node is gone, and not before', async () => {
    await measure(a, low)
    await endAlertsOfFormerNodes(b.app)
    expect(await alerts()).toEqual(['a'])
    await a.node.leave()
    await endAlertsOfFormerNodes(b.app)
    expect(await alerts()).toEqual([])
  })

  test('of a machine that served alone ends, and on one machine its own stays', async () => {
    await new DiskSpaceWatch(t.app, async () => low).updateAlert()
    expect(await alerts()).toEqual([''])
    await endAlertsOfFormerNodes(t.app)
    expect(await alerts()).toEqual([''])
    await endAlertsOfFormerNodes(a.app)
    expect(await alerts()).toEqual([])
  })
})
