/** A node ends at any moment, or is stopped for a minute, also while it holds the writer row. */
import type { Cluster } from '../cluster.ts'
import { seconds } from '../report.ts'
import { disturbed, type Trial, tryCreate, untilServed, withCluster } from './trial.ts'

const KILLS = 10
const STOP_MS = 60_000
const CLIENTS = 4

const worst = (values: number[]) => seconds(Math.max(...values))

export const killed: Trial = {
  name: 'killed',
  title: 'a node killed with -9 at any moment, ten times, under work',
  isForSqlite: true,
  run: context =>
    withCluster(context, {}, async cluster => {
      const served: number[] = []
      const ready: number[] = []
      await disturbed(context, cluster, CLIENTS, async () => {
        for (let i = 0; i < KILLS; i++) {
          await Bun.sleep(300 + Math.random() * 1_500)
          const node = cluster.node(i % cluster.nodes.length)
          await node.kill()
          if (cluster.nodes.length > 1) served.push(await untilServed(cluster))
          const startedMs = performance.now()
          node.launch()
          await cluster.untilReady()
          ready.push(performance.now() - startedMs)
        }
      })
      if (served.length > 0) context.report.figure('until the others served a new write, worst', worst(served))
      context.report.figure('until the killed node was ready again, worst', worst(ready))
    }),
}

export const stopped: Trial = {
  name: 'stopped',
  title: 'a node stopped for 60 s and continued, under work',
  isForSqlite: true,
  run: context =>
    withCluster(context, {}, async cluster => {
      let servedMs = Number.NaN
      await disturbed(context, cluster, CLIENTS, async () => {
        await Bun.sleep(1_000)
        const startedMs = performance.now()
        cluster.node(0).stop()
        if (cluster.nodes.length > 1) servedMs = await untilServed(cluster)
        await Bun.sleep(STOP_MS - (performance.now() - startedMs))
        cluster.node(0).continue()
      })
      if (!Number.isNaN(servedMs)) context.report.figure('until the others served a new write', seconds(servedMs))
      context.report.promise('the continued node runs on', cluster.node(0).isRunning(), 'same process')
    }),
}

/** Longer than a transaction may be idle in the database. */
const MAX_LOCKED_MS = 45_000

async function stopInTransaction(cluster: Cluster): Promise<number> {
  const [first] = cluster.nodes
  const [proxy] = cluster.postgresProxies
  if (first === undefined || proxy === undefined) throw new Error('there is no node')
  const isStopped = proxy.atAnswerTo(/for update/i, () => first.stop())
  const asked = cluster.client.once('POST', '/webhooks', { node: first, body: { url: 'http://127.0.0.1:9/', events: ['*'] } })
  asked.catch(() => {})
  await Promise.race([isStopped, Bun.sleep(10_000).then(() => Promise.reject(new Error('no transaction began with FOR UPDATE')))])
  return performance.now()
}

export const stoppedWriter: Trial = {
  name: 'stopped-writer',
  title: 'a node stopped for 60 s while it holds the writer row, under work',
  run: context =>
    withCluster(context, {}, async cluster => {
      let servedMs = Number.NaN
      await disturbed(context, cluster, CLIENTS, async () => {
        await Bun.sleep(1_000)
        const startedMs = await stopInTransaction(cluster)
        await untilServed(cluster)
        servedMs = performance.now() - startedMs
        await Bun.sleep(STOP_MS - (performance.now() - startedMs))
        cluster.node(0).continue()
        await cluster.untilReady()
        await tryCreate(cluster)
      })
      context.report.promise('until another node could write', servedMs < MAX_LOCKED_MS, seconds(servedMs))
    }),
}
