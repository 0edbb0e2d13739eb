/** The clock of one node jumps ahead while it serves: it takes no jobs and writes nothing. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster } from '../cluster.ts'
import type { SignetNode } from '../node.ts'
import { seconds } from '../report.ts'
import { disturbed, type Trial, withPrepared } from './trial.ts'

const LIBRARY = ['x86_64', 'aarch64'].map(name => `/usr/lib/${name}-linux-gnu/faketime/libfaketime.so.1`).find(existsSync)
const CLIENTS = 4
const WRONG_MS = 30_000
/** A heartbeat, and what the balancer takes to ask. */
const MAX_SEEN_MS = 10_000

async function untilReady(node: SignetNode, isReady: boolean): Promise<number> {
  const startedMs = performance.now()
  while ((await node.isReady()) !== isReady) {
    if (performance.now() - startedMs > 60_000) return Number.NaN
    await Bun.sleep(50)
  }
  return performance.now() - startedMs
}

/** Entries and changes with a time that is yet to come. */
const fromTheFuture = (cluster: Cluster) =>
  cluster.count(`SELECT (SELECT count(*) FROM events WHERE at > later) + (SELECT count(*) FROM documents WHERE updated_at > later)
    FROM (SELECT to_char((clock_timestamp() + interval '3 seconds') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS later) t`)

export const clock: Trial = {
  name: 'clock',
  title: 'the clock of a node jumps ten minutes ahead and back, under work',
  run: context =>
    withPrepared(context, {}, async cluster => {
      const { report } = context
      if (LIBRARY === undefined) throw new Error('libfaketime is needed (Debian: apt-get install libfaketime)')
      const node = cluster.node(0)
      const file = join(node.folder, 'clock')
      writeFileSync(file, '+0')
      node.set({
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      })
      await cluster.start()
      await disturbed(context, cluster, CLIENTS, async () => {
        await Bun.sleep(3_000)
        writeFileSync(file, '+600')
        const seenMs = await untilReady(node, false)
        report.promise('the node is not ready', seenMs <= MAX_SEEN_MS, seconds(seenMs))
        const write = await cluster.client.once('POST', '/webhooks', {
          node,
          body: { url: 'http://127.0.0.1:9/', events: ['*'] },
        })
        report.promise('it refuses a write', write.status === 503, write.status)
        await Bun.sleep(WRONG_MS)
        const count = await fromTheFuture(cluster)
        report.promise('entries and changes with a time to come', count === 0, count)
        writeFileSync(file, '+0')
        report.promise('once corrected, it is ready again', !Number.isNaN(await untilReady(node, true)), 'yes')
      })
    }),
}
