/** What a trial is given, and steps that several trials share. */
import { type Answer, signersOf } from '../client.ts'
import { Cluster, type ClusterOptions, type Engine } from '../cluster.ts'
import { checkInvariants, comeToRest } from '../invariants.ts'
import { type Report, seconds } from '../report.ts'
import type { Site } from '../site.ts'

export interface TrialContext {
  site: Site
  report: Report
  engine: Engine
  /** Documents of the main trial. */
  documents: number
  /** Nodes of a trial that does not say otherwise. */
  nodes: number
}

export interface Trial {
  name: string
  title: string
  /** Also on one node with SQLite, which proves the rig itself. */
  isForSqlite?: true
  run(context: TrialContext): Promise<void>
}

export const nodesFor = ({ engine, nodes }: TrialContext): number => (engine === 'sqlite' ? 1 : nodes)

/** A cluster for the length of the work. */
export async function withCluster(
  context: TrialContext,
  options: Partial<ClusterOptions>,
  work: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  await withPrepared(context, options, async cluster => {
    await cluster.start()
    await work(cluster)
  })
}

/** Without running nodes yet. */
export async function withPrepared(
  context: TrialContext,
  options: Partial<ClusterOptions>,
  work: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  const cluster = await Cluster.prepare(context.site, { engine: context.engine, nodes: nodesFor(context), ...options })
  try {
    await work(cluster)
  } catch (error) {
    for (const node of cluster.nodes) console.log(`--- ${node.name}\n${node.log().filter(isNotable).slice(-15).join('\n')}`)
    throw error
  } finally {
    await cluster.close()
  }
}

const isNotable = (line: string) => line !== '' && !line.includes('"level":"info"')

const LATE_MS = 6_000

let stories = 0

export const nextTitle = (): string => `document-${++stories}`

/** Clients that go on, one document after the other, until `end`. */
export function keepWorking(cluster: Cluster, clients: number): { end(): Promise<{ done: number; failures: string[] }> } {
  let isOver = false
  let done = 0
  const failures: string[] = []
  const work = async () => {
    while (!isOver) {
      const title = nextTitle()
      try {
        await cluster.client.wholeStory(title, signersOf(title))
        done++
      } catch (error) {
        failures.push(`${title}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  const running = Promise.all(Array.from({ length: clients }, work))
  return {
    async end() {
      isOver = true
      await running
      return { done, failures }
    },
  }
}

/** Milliseconds until one write, tried every 50 ms without patience, is answered with 201. */
export async function untilServed(cluster: Cluster, limitMs = 120_000): Promise<number> {
  const startedMs = performance.now()
  const late = setTimeout(() => void printActivity(cluster), LATE_MS)
  while (performance.now() - startedMs < limitMs) {
    const answer = await tryCreate(cluster)
    if (answer?.status === 201) {
      clearTimeout(late)
      return performance.now() - startedMs
    }
    await Bun.sleep(50)
  }
  throw new Error(`nothing was served within ${seconds(limitMs)}`)
}

/** Who waits for whom, when a write takes long. */
async function printActivity(cluster: Cluster): Promise<void> {
  const sql = `SELECT pid, state, wait_event, pg_blocking_pids(pid) AS blocked_by, now() - xact_start AS since, left(query, 120) AS query
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`
  const rows = await cluster.rows(sql).catch(String)
  console.log(
    `        no write for ${LATE_MS} ms; ready: ${cluster.balancer.readyCount()}; errors: ${cluster.balancer.errorText()}`,
    rows,
  )
}

export async function tryCreate(cluster: Cluster): Promise<Answer | undefined> {
  const { documentOf } = await import('../client.ts')
  const title = nextTitle()
  const key = crypto.randomUUID()
  const answer = await cluster.client
    .once('POST', '/documents', { body: await documentOf(title, signersOf(title)), key })
    .catch(() => undefined)
  if (answer?.status === 201) cluster.client.promised.created.set(answer.body.id, { key, title })
  return answer
}

/** Work under way while `disturb` runs; then rest, and every invariant. */
export async function disturbed(
  { report }: TrialContext,
  cluster: Cluster,
  clients: number,
  disturb: () => Promise<void>,
): Promise<void> {
  cluster.balancer.reset()
  cluster.supervise()
  const work = keepWorking(cluster, clients)
  try {
    await disturb()
  } finally {
    await cluster.restoreNodes()
  }
  const { done, failures } = await work.end()
  report.promise(
    'every client finished its documents',
    failures.length === 0,
    `${done} documents ${failures.slice(0, 2).join('; ')}`,
  )
  await endRun(cluster, report)
}

/** What the clients and the nodes met; then the cluster rests, and its invariants are checked. */
export async function endRun(cluster: Cluster, report: Report): Promise<void> {
  report.figure('errors that clients met', cluster.balancer.errorText())
  report.figure(
    'nodes that ended by themselves and were started again',
    `${cluster.failures.length} ${cluster.failures[0] ?? ''}`,
  )
  await comeToRest(cluster, report)
  await checkInvariants(cluster, report)
}
