/** Several nodes on the database of one app, whose clock is theirs and that of the database. */
import { join } from 'node:path'
import { sql } from 'kysely'
import { KNOWN_LEVEL } from '../../src/db/feature-level.ts'
import { ClusterNode, DEAD_AFTER_MS, HEARTBEAT_MS } from '../../src/db/nodes.ts'
import { releaseLeases } from '../../src/outbox/queries.ts'
import type { App } from '../../src/ports.ts'
import type { TestClock } from './test-app.ts'

/** A small or a whole app. */
interface Place {
  app: App
  clock: TestClock
}

export interface TestNode {
  app: App
  node: ClusterNode
}

/** A node that has joined, with a data folder of its own. Heartbeats are made by `pass`. */
export async function joinNode(
  t: Place,
  name: string,
  folder = name,
  now = t.app.now,
  featureLevel = KNOWN_LEVEL,
): Promise<TestNode> {
  const app: App = { ...t.app, now }
  const node = new ClusterNode({
    name,
    version: featureLevel === KNOWN_LEVEL ? '2.0' : '1.0',
    featureLevel,
    now: app.now,
    steadyMs: app.steadyMs,
    random: app.random,
    timers: app.timers,
    log: app.log,
    db: app.db,
    write: (work, options) => app.write(work, options),
    writeUnsynced: work => app.writeUnsynced(work),
    admit: async () => {},
    release: releaseLeases,
    bootFile: join(t.app.config.dataFolder, `boot-of-${folder.replace(/\W/g, '-')}`),
    clock: () => sql.val(t.clock.now.toISOString()),
    outside: work => app.write(work, { wake: false }),
  })
  app.node = node
  await node.join()
  return { app, node }
}

/** Time passes for nodes that run; others are stopped. */
export async function pass(t: Place, ms: number, running: TestNode[]): Promise<void> {
  for (let left = ms; left > 0; left -= HEARTBEAT_MS) {
    t.clock.pass({ seconds: Math.min(left, HEARTBEAT_MS) / 1000 })
    for (const { node } of running) await node.beat()
  }
}

/** After so much time a stopped node is surely removed by one that has run as long. */
export const UNTIL_REMOVED_MS = DEAD_AFTER_MS + 2 * HEARTBEAT_MS

export async function livingNodes(t: Place): Promise<string[]> {
  const rows = await t.app.db.selectFrom('nodes').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}
