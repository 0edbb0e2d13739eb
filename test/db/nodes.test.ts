/** Which processes live, and what ends with them. Several nodes, one database, a clock by hand. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { DEAD_AFTER_MS, HEARTBEAT_MS } from '../../src/db/nodes.ts'
import { joinNode, livingNodes, pass, type TestNode, UNTIL_REMOVED_MS } from '../support/nodes.ts'
import { useSmallApp } from '../support/use-app.ts'

const t = useSmallApp()
let a: TestNode
let b: TestNode

beforeEach(async () => {
  await t.app.node.leave()
  a = await joinNode(t, 'a')
  b = await joinNode(t, 'b')
})

const logged = (what: string) => t.logged.filter(each => each.what === what).map(({ facts }) => facts)

describe('a node', () => {
  test('lives while it reports', async () => {
    await pass(t, 10 * DEAD_AFTER_MS, [a, b])
    expect(await livingNodes(t)).toEqual(['a', 'b'])
  })

  test('that has stopped is removed within 30 seconds, and the removal is logged once', async () => {
    await pass(t, DEAD_AFTER_MS, [a, b])
    await pass(t, DEAD_AFTER_MS, [a])
    expect(await livingNodes(t)).toEqual(['a', 'b'])
    await pass(t, HEARTBEAT_MS, [a])
    expect(await livingNodes(t)).toEqual(['a'])
    expect(logged('a node does not report any more')).toEqual([{ boot: b.node.boot, name: 'b' }])
  })

  test('that is late by ten seconds stays', async () => {
    await pass(t, DEAD_AFTER_MS, [a, b])
    await pass(t, HEARTBEAT_MS + 10_000, [a])
    await pass(t, HEARTBEAT_MS, [b])
    await pass(t, DEAD_AFTER_MS - HEARTBEAT_MS, [a])
    expect(await livingNodes(t)).toEqual(['a', 'b'])
  })

  test('that leaves is gone at once', async () => {
    await b.node.leave()
    expect(await livingNodes(t)).toEqual(['a'])
  })

  test('that has left does not come back by a late heartbeat', async () => {
    await b.node.leave()
    await b.node.beat()
    expect(await livingNodes(t)).toEqual(['a'])
  })

  test('that was removed continues under another boot, also after the second time', async () => {
    const boots = [b.node.boot]
    for (let i = 0; i < 2; i++) {
      await pass(t, UNTIL_REMOVED_MS, [a])
      expect(await livingNodes(t)).toEqual(['a'])
      await b.node.beat()
      expect(await livingNodes(t)).toEqual(['a', 'b'])
      boots.push(b.node.boot)
    }
    expect(new Set(boots).size).toBe(3)
  })

  test('that starts on the folder of one that died takes its place at once, and no other', async () => {
    const again = await joinNode(t, 'b again', 'b')
    expect(await livingNodes(t)).toEqual(['a', 'b again'])
    expect(again.node.boot).not.toBe(b.node.boot)
  })

  test('that starts on the folder of one that had joined twice takes the place of the second', async () => {
    await pass(t, UNTIL_REMOVED_MS, [a])
    await b.node.beat()
    await joinNode(t, 'b again', 'b')
    expect(await livingNodes(t)).toEqual(['a', 'b again'])
  })

  test('that starts alone removes those that stopped before', async () => {
    const c = await joinNode(t, 'c')
    await pass(t, UNTIL_REMOVED_MS, [c])
    expect(await livingNodes(t)).toEqual(['c'])
  })
})

describe('no living node is removed', () => {
  test('by the first to report after the database was down for a minute', async () => {
    await pass(t, DEAD_AFTER_MS, [a, b])
    t.clock.pass({ minutes: 1 })
    await a.node.beat()
    await b.node.beat()
    await pass(t, UNTIL_REMOVED_MS, [a, b])
    expect(await livingNodes(t)).toEqual(['a', 'b'])
    expect(logged('a node does not report any more')).toEqual([])
  })

  test('by a node that was itself stopped for a minute', async () => {
    await pass(t, DEAD_AFTER_MS, [a, b])
    t.clock.pass({ minutes: 1 })
    await b.node.beat()
    expect(await livingNodes(t)).toEqual(['a', 'b'])
  })

  test('when the clock of the database is set back or forward', async () => {
    for (const hours of [-3, 3]) {
      await pass(t, DEAD_AFTER_MS, [a, b])
      t.clock.pass({ hours })
      await pass(t, UNTIL_REMOVED_MS, [a, b])
      expect(await livingNodes(t)).toEqual(['a', 'b'])
    }
  })
})

test('a node that stopped before the clock was set back is removed all the same', async () => {
  await pass(t, DEAD_AFTER_MS, [a, b])
  t.clock.pass({ hours: -3 })
  await pass(t, UNTIL_REMOVED_MS, [a])
  expect(await livingNodes(t)).toEqual(['a'])
})

describe('work under a lease', () => {
  const ran: string[] = []
  const run = ({ node }: TestNode) => node.whileLeased('schedule', async () => ran.push(node.name))
  beforeEach(() => void ran.splice(0))

  test('runs on the node that had it first, again and again', async () => {
    for (let i = 0; i < 3; i++) for (const node of [b, a]) await run(node)
    expect(ran).toEqual(['b', 'b', 'b'])
  })

  test('of two nodes that ask at the same moment, one runs it', async () => {
    expect((await Promise.all([run(a), run(b)])).filter(hasRun => hasRun)).toHaveLength(1)
    expect(ran).toHaveLength(1)
  })

  test('is taken over when its node has left', async () => {
    await run(a)
    await a.node.leave()
    expect(await run(b)).toBe(true)
  })

  test('is taken over when its node has stopped, and does not return to it', async () => {
    await run(a)
    await pass(t, DEAD_AFTER_MS, [a, b])
    await pass(t, UNTIL_REMOVED_MS, [b])
    await run(b)
    expect(await run(a)).toBe(false)
    await a.node.beat()
    expect(await run(a)).toBe(false)
    expect(ran).toEqual(['a', 'b'])
  })

  test('is not given to a node that was removed and does not know it', async () => {
    await pass(t, UNTIL_REMOVED_MS, [a])
    expect(await run(b)).toBe(false)
    await b.node.beat()
    expect(await run(b)).toBe(true)
  })

  test('has a name: one node may have one lease and another node the other', async () => {
    await run(a)
    expect(await b.node.whileLeased('another', async () => undefined)).toBe(true)
  })
})

describe('on one machine', () => {
  test('a start removes every earlier one, because the lock of the folder proves that they are gone', async () => {
    const { app } = t
    await app.node.join()
    expect(await livingNodes(t)).toEqual(['node-1'])
    await (await t.rebooted()).node.leave()
    expect(await livingNodes(t)).toEqual([])
  })

  test('leased work always runs, and nothing is written for it', async () => {
    await t.app.node.join()
    const before = t.writes()
    let runs = 0
    for (let i = 0; i < 3; i++) await t.app.node.whileLeased('schedule', async () => runs++)
    expect(runs).toBe(3)
    expect(t.writes()).toBe(before)
  })
})
