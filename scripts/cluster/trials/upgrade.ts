/** Nodes of the real release before and of this one at once; then back, forward, and finished. */
import { signersOf } from '../client.ts'
import type { Cluster } from '../cluster.ts'
import type { SignetNode } from '../node.ts'
import { previousRelease } from '../previous-release.ts'
import { runToEnd } from '../programs.ts'
import type { Report } from '../report.ts'
import { endRun, nextTitle, type Trial, type TrialContext, tryCreate, withCluster } from './trial.ts'

const CLIENTS = 4
const SCHEMA_TOO_NEW = 3
/** A node that was stopped is removed within 30 s. */
const MAX_REMOVAL_MS = 60_000

interface Journeys {
  done: number
  failures: string[]
  /** Assets that the node which was asked does not have, by its release. */
  missing: Map<'before' | 'this', number>
  assets: number
}

/** Documents from creation to the last signature. Each request goes to the next node. */
async function makeJourneys(cluster: Cluster, count: number, newNodes: readonly SignetNode[]): Promise<Journeys> {
  const seen: Journeys = { done: 0, failures: [], missing: new Map(), assets: 0 }
  let left = count
  const work = async () => {
    while (left-- > 0) {
      const title = nextTitle()
      try {
        await cluster.client.wholeStory(title, signersOf(title))
        seen.done++
        await askForAssets(cluster, newNodes, seen)
      } catch (error) {
        seen.failures.push(`${title}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, work))
  return seen
}

/** What the page of each node names, asked of every other one. */
async function askForAssets(cluster: Cluster, newNodes: readonly SignetNode[], seen: Journeys): Promise<void> {
  for (const from of cluster.nodes) {
    const page = await (await fetch(`${from.url}/sign-in`, { headers: { 'x-forwarded-for': '10.9.0.1' } })).text()
    for (const [path] of page.matchAll(/\/static\/[\w./-]+/g)) {
      for (const node of cluster.nodes) {
        if (node === from) continue
        seen.assets++
        if ((await fetch(node.url + path)).ok) continue
        const release = newNodes.includes(node) ? 'this' : 'before'
        seen.missing.set(release, (seen.missing.get(release) ?? 0) + 1)
      }
    }
  }
}

function reportJourneys(report: Report, what: string, { done, failures, missing, assets }: Journeys, count: number): void {
  report.promise(`${what}: every journey ends`, done === count, `${done} of ${count} ${failures.slice(0, 2).join('; ')}`)
  const of = (release: 'before' | 'this') =>
    `${missing.get(release) ?? 0} by ${release === 'this' ? 'this' : 'the release before'}`
  report.figure(
    `${what}: assets of another release that were not found`,
    `${of('this')}, ${of('before')}, of ${assets} asked for`,
  )
}

async function replace(cluster: Cluster, node: SignetNode, executable: string): Promise<void> {
  await node.end()
  await node.start(executable)
  await cluster.untilReady()
}

/** `signet migrate --finish` of this release. */
async function finish({ site }: TrialContext, cluster: Cluster): Promise<string> {
  const env = { ...cluster.node(0).env, SIGNET_DATA: site.newFolder('finish-') }
  return runToEnd([site.executable, 'migrate', '--finish'], { env }).catch((error: Error) => error.message)
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''

async function runMixed(context: TrialContext, cluster: Cluster, before: string): Promise<void> {
  const { site, report, documents } = context
  const [first, ...others] = cluster.nodes
  if (first === undefined) throw new Error('several nodes are needed')
  await replace(cluster, first, site.executable)
  reportJourneys(
    report,
    `1 node of this release, ${others.length} of the one before`,
    await makeJourneys(cluster, documents, [first]),
    documents,
  )
  const refused = await finish(context, cluster)
  report.promise(
    'the upgrade is not finished while an older node serves',
    /replace its executable first/.test(refused),
    lastLine(refused),
  )

  await replace(cluster, first, before)
  const back = Math.ceil(documents / 5)
  reportJourneys(report, 'all nodes back at the release before', await makeJourneys(cluster, back, []), back)

  for (const node of cluster.nodes) await replace(cluster, node, site.executable)
  const all = await makeJourneys(cluster, back, cluster.nodes)
  reportJourneys(report, 'all nodes at this release, not finished', all, back)
}

/** A node of the release before that nobody saw: stopped, taken for dead, and continued. */
async function runFinished(context: TrialContext, cluster: Cluster, before: string): Promise<void> {
  const { report, site } = context
  const last = cluster.nodes.at(-1)
  if (last === undefined) throw new Error('several nodes are needed')
  await last.end()
  await last.start(before)
  // Its start has ended then: stopped in it, it would end for want of the database.
  await cluster.untilReady()
  last.stop()
  const deadline = performance.now() + MAX_REMOVAL_MS
  const isRegistered = () => cluster.count(`SELECT count(*) AS n FROM nodes WHERE name = '${last.name}'`)
  while ((await isRegistered()) > 0 && performance.now() < deadline) await Bun.sleep(500)
  const done = await finish(context, cluster)
  // Verbs of the release before are refused from now on, as its nodes are.
  cluster.options.executable = site.executable
  report.promise('without older nodes the upgrade is finished', /has schema/.test(done), lastLine(done))
  last.continue()
  const write = await cluster.client
    .once('POST', '/webhooks', { node: last, body: { url: 'http://127.0.0.1:9/', events: ['*'] } })
    .catch(error => ({ status: 0, body: { error: { message: String(error) } } }))
  report.promise(
    'an older node that was stopped meanwhile can no longer write',
    write.status === 503 || write.status === 0,
    `${write.status} ${write.body.error?.message}`,
  )
  const ended = await last.refused()
  report.promise('and ends by itself', ended.code === SCHEMA_TOO_NEW, `exit ${ended.code}: ${lastLine(ended.log)}`)
  last.launch(before)
  const start = await last.refused()
  report.promise(
    'a start of the release before is refused',
    start.code === SCHEMA_TOO_NEW,
    `exit ${start.code}: ${lastLine(start.log)}`,
  )
  await last.start(site.executable)
  await cluster.untilReady()
  const created = await tryCreate(cluster)
  report.promise('this release serves on', created?.status === 201, String(created?.status))
}

export const upgrade: Trial = {
  name: 'upgrade',
  title: 'the real release before beside this one: mixed, back, forward, finished',
  async run(context) {
    const { report } = context
    const { executable, commit } = await previousRelease()
    report.figure('the release before', commit.slice(0, 12))
    await withCluster(context, { executable }, async cluster => {
      cluster.balancer.reset()
      await runMixed(context, cluster, executable)
      await runFinished(context, cluster, executable)
      await endRun(cluster, report)
    })
  },
}
