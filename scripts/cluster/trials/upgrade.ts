/** Nodes are replaced one after another by later releases: first expand, then contract. */
import type { Cluster } from '../cluster.ts'
import { buildLaterRelease } from '../later-release.ts'
import { type Report, seconds } from '../report.ts'
import { disturbed, type Trial, tryCreate, withCluster } from './trial.ts'

const EXPAND = { name: 'trial_expand', sql: 'ALTER TABLE documents ADD COLUMN trial_note TEXT;' }
const CONTRACT = { name: 'trial_contract', sql: 'ALTER TABLE documents DROP COLUMN trial_note;', isLastOfOld: true }

/** One node after the other, orderly. */
async function replaceAll(cluster: Cluster, executable: string): Promise<void> {
  for (const node of cluster.nodes) {
    await node.end()
    await node.start(executable)
    await cluster.untilReady()
    await Bun.sleep(1_500)
  }
}

/** With the contracting release beside it, a node of the release before the expanding one. */
async function refuseOld(cluster: Cluster, report: Report, contracted: string): Promise<void> {
  const [first, second] = cluster.nodes
  if (first === undefined || second === undefined) throw new Error('two nodes are needed')
  await first.end()
  await first.start(contracted)
  const old = await cluster.client.once('POST', '/documents', { node: second, body: {} })
  const write = await cluster.client.once('POST', '/webhooks', {
    node: second,
    body: { url: 'http://127.0.0.1:9/', events: ['*'] },
  })
  const isRefused = write.status === 503
  report.promise(
    'a running node of the older release can no longer write',
    isRefused,
    `${write.status} ${write.body.error?.message ?? ''} (${old.status})`,
  )
  report.promise('and is not ready', !(await second.isReady()), (await second.isReady()) ? 'ready' : 'not ready')
  await second.end()
  second.launch()
  const { code, log } = await second.refused()
  const sentence = log.trim().split('\n').at(-1) ?? ''
  report.promise('a start of the older release is refused', code > 0, `exit ${code}: ${sentence}`)
  await cluster.balancer.check()
  const answer = await tryCreate(cluster)
  report.promise('the later release serves on', answer?.status === 201, String(answer?.status))
}

export const upgrade: Trial = {
  name: 'upgrade',
  title: 'two releases at once: expand under work, then contract',
  async run(context) {
    const { site, report } = context
    const expanded = await buildLaterRelease(site.newFolder('expand-'), [EXPAND])
    const contracted = await buildLaterRelease(site.newFolder('contract-'), [EXPAND, CONTRACT])
    await withCluster(context, {}, async cluster => {
      await disturbed(context, cluster, 4, async () => {
        const startedMs = performance.now()
        await replaceAll(cluster, expanded)
        report.figure('three nodes replaced by the expanding release, under work', seconds(performance.now() - startedMs))
      })
    })
    await withCluster(context, { nodes: 2 }, cluster => refuseOld(cluster, report, contracted))
  },
}
