/** The database crashes, is silent, or is behind connections that end exactly at a COMMIT. */
import { type Answer, documentOf, signersOf } from '../client.ts'
import type { Cluster } from '../cluster.ts'
import { checkPromises } from '../invariants.ts'
import type { CommitCut } from '../postgres-proxy.ts'
import { type Report, seconds } from '../report.ts'
import { disturbed, nextTitle, type Trial, untilServed, withCluster } from './trial.ts'

const CRASHES = 3
const DOWN_MS = 5_000
const ROUNDS = 10
const MAX_BACK_MS = 15_000
const CREATES = /insert into "?documents"?/i
/** Only a signer who finishes leaves no entries: a mail that is sent is recorded, too. */
const FINISHES = /delete from "?drafts"?/i

export const databaseCrash: Trial = {
  name: 'database-crash',
  title: 'PostgreSQL ended by `-m immediate`, 5 s away, and started, under work',
  run: context =>
    withCluster(context, {}, async cluster => {
      const back: number[] = []
      let readyMeanwhile = 0
      await disturbed(context, cluster, 4, async () => {
        for (let i = 0; i < CRASHES; i++) {
          await Bun.sleep(1_500)
          await context.site.postgres.stop('immediate')
          await Bun.sleep(DOWN_MS)
          await cluster.balancer.check()
          readyMeanwhile += cluster.balancer.readyCount()
          await context.site.postgres.start()
          back.push(await untilServed(cluster))
        }
      })
      context.report.promise('no node calls itself ready meanwhile', readyMeanwhile === 0, readyMeanwhile)
      const worst = Math.max(...back)
      context.report.promise('a write is served after the start, worst', worst < MAX_BACK_MS, seconds(worst))
      const running = cluster.nodes.filter(node => node.isRunning()).length
      context.report.promise('no node ended', running === cluster.nodes.length, `${running} run`)
    }),
}

export const databaseSilent: Trial = {
  name: 'database-silent',
  title: 'the network to PostgreSQL swallows everything for 30 s: one node, then all',
  run: context =>
    withCluster(context, {}, async cluster => {
      await disturbed(context, cluster, 4, async () => {
        const [first] = cluster.postgresProxies
        await Bun.sleep(1_000)
        first?.silence(true)
        const servedMs = await untilServed(cluster)
        context.report.figure('one node silent: until the others served a write', seconds(servedMs))
        await Bun.sleep(30_000)
        first?.cut()
        first?.silence(false)
        await cluster.untilReady()
        for (const proxy of cluster.postgresProxies) proxy.silence(true)
        await Bun.sleep(30_000)
        await cluster.balancer.check()
        context.report.promise('all silent: no node is ready', cluster.balancer.readyCount() === 0, cluster.balancer.readyCount())
        for (const proxy of cluster.postgresProxies) proxy.silence(false)
        context.report.figure('until a write is served afterwards', seconds(await untilServed(cluster)))
      })
    }),
}

interface Tries {
  hit: number
  unavailable: number
  same: number
}

/** A create whose COMMIT has no answer; then the same again. */
async function createCut(cluster: Cluster, cut: CommitCut, tries: Tries): Promise<void> {
  const title = nextTitle()
  const body = await documentOf(title, signersOf(title))
  const key = crypto.randomUUID()
  const isHit = cutCommitOf(cluster, cut, CREATES)
  const first = await cluster.client.once('POST', '/documents', { body, key })
  if (!isHit()) return
  tries.hit++
  if (isUnavailable(first)) tries.unavailable++
  const second = await cluster.client.call('POST', '/documents', { body, key })
  const rows = await cluster.count(`SELECT count(*) AS n FROM documents WHERE title = '${title}'`)
  if (second.status === 201 && rows === 1) tries.same++
  if (second.status === 201) cluster.client.promised.created.set(second.body.id, { key, title })
}

/** Cuts at the COMMIT after this statement. The answer ends that, and says whether it was. */
function cutCommitOf(cluster: Cluster, cut: CommitCut, statement: RegExp): () => boolean {
  const [proxy] = cluster.postgresProxies
  let isHit = false
  void proxy?.cutAtCommit(cut, statement).then(() => {
    isHit = true
  })
  return () => {
    proxy?.disarm()
    return isHit
  }
}

const isUnavailable = ({ status, headers, body }: Answer) =>
  status === 503 && headers.get('retry-after') !== null && body.error?.code === 'storage_unavailable'

async function signCut(cluster: Cluster, cut: CommitCut, tries: Tries): Promise<void> {
  const title = nextTitle()
  const signers = signersOf(title)
  const [ada, bob] = signers
  if (ada === undefined || bob === undefined) return
  const id = await cluster.client.create(title, signers)
  await cluster.client.send(id)
  const visit = await cluster.client.openForm(ada.email)
  const isHit = cutCommitOf(cluster, cut, FINISHES)
  const first = await visit.finishOnce(ada.name)
  const wasHit = isHit()
  if (wasHit) tries.hit++
  if (wasHit && first.status === 503) tries.unavailable++
  const second = await visit.finish(ada.name)
  if (second.status === 200) cluster.client.promised.signed.push({ documentId: id, email: ada.email })
  const signatures = await cluster.count(
    `SELECT count(*) AS n FROM events WHERE document_id = '${id}' AND type = 'recipient.signed'`,
  )
  if (wasHit && second.status === 200 && signatures === 1) tries.same++
}

function reportTries(report: Report, what: string, { hit, unavailable, same }: Tries): void {
  report.promise(`${what}: the answer is 503 with Retry-After`, hit > 0 && unavailable === hit, `${unavailable} of ${hit}`)
  report.promise(`${what}: the second try finds one result`, hit > 0 && same === hit, `${same} of ${hit}`)
}

export const commitCut: Trial = {
  name: 'commit-cut',
  title: 'the connection ends at COMMIT: before the server has it, and after it committed',
  run: context =>
    withCluster(context, { nodes: 1 }, async cluster => {
      for (const cut of ['before', 'after'] as const) {
        const creates: Tries = { hit: 0, unavailable: 0, same: 0 }
        for (let i = 0; i < ROUNDS; i++) await createCut(cluster, cut, creates)
        reportTries(context.report, `create, cut ${cut} COMMIT`, creates)
        const signatures: Tries = { hit: 0, unavailable: 0, same: 0 }
        for (let i = 0; i < ROUNDS; i++) await signCut(cluster, cut, signatures)
        reportTries(context.report, `signature, cut ${cut} COMMIT`, signatures)
      }
      await checkPromises(cluster, context.report)
    }),
}
