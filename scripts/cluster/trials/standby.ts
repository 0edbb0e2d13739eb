/** A standby is promoted after its primary is gone: what was answered and is lost, with and without
 * synchronous commit. */
import { Cluster } from '../cluster.ts'
import { checkInvariants, comeToRest, doctorFindings } from '../invariants.ts'
import { PostgresProxy } from '../postgres-proxy.ts'
import { PostgresServer } from '../postgres-server.ts'
import { type Report, seconds } from '../report.ts'
import { Site } from '../site.ts'
import { keepWorking, type Trial, type TrialContext, tryCreate, untilServed } from './trial.ts'

const WORK_MS = 4_000
const SILENT_MS = 4_000

const SYNCHRONOUS = ["synchronous_standby_names = 'standby'", 'synchronous_commit = on']

/** Of the documents that clients were given with 201, those that no node knows. */
async function countLost(cluster: Cluster): Promise<{ created: number; lost: number }> {
  const { created } = cluster.client.promised
  let lost = 0
  for (const id of created.keys()) if ((await cluster.client.call('GET', `/documents/${id}`)).status === 404) lost++
  return { created: created.size, lost }
}

async function warnsOf(cluster: Cluster): Promise<string> {
  const { findings } = await doctorFindings(cluster)
  return findings
    .filter(({ verdict, message }) => verdict !== 'ok' && /synchronous/i.test(message))
    .map(f => f.message)
    .join('; ')
}

async function promote(cluster: Cluster, standby: PostgresServer): Promise<void> {
  await cluster.site.postgres.vanish()
  await standby.promote()
  for (const proxy of cluster.postgresProxies) proxy.switchTo(standby.port)
}

/** While the standby is out of reach, writes; then the primary is gone for good. */
async function failOver(context: TrialContext, isSynchronous: boolean): Promise<void> {
  const { report } = context
  const what = isSynchronous ? 'synchronous' : 'asynchronous'
  const site = Site.open()
  try {
    await site.startServers(context.site.s3.kind)
    const cluster = await Cluster.open(site, { engine: 'postgresql', nodes: 3 })
    const replication = await new PostgresProxy(site.postgres.port).listen()
    site.atClose(() => replication.close())
    const standby = await PostgresServer.copyOf(site.postgres, site.folder, replication.port)
    if (isSynchronous) {
      site.postgres.configure(SYNCHRONOUS)
      await site.postgres.reload()
      await untilSynchronous(site.postgres)
    }
    await reportDoctor(cluster, report, isSynchronous)
    const work = keepWorking(cluster, 3)
    await Bun.sleep(WORK_MS)
    replication.silence(true)
    const [answered, refused] = await createFor(cluster, SILENT_MS)
    report.figure(
      `${what}: creates while the standby is out of reach`,
      `${answered} × 201, ${refused} refused or without an answer`,
    )
    const startedMs = performance.now()
    await promote(cluster, standby)
    await untilServed(cluster)
    report.figure(
      `${what}: from the crash of the primary to a write served by the standby`,
      seconds(performance.now() - startedMs),
    )
    await reportAfter(context, cluster, standby, { what, isSynchronous, work })
  } finally {
    await site.close()
  }
}

async function untilSynchronous(primary: PostgresServer): Promise<void> {
  for (let i = 0; i < 200; i++) {
    const [row] = await primary.rows('postgres', "SELECT count(*) AS n FROM pg_stat_replication WHERE sync_state = 'sync'")
    if (Number(row?.n) === 1) return
    await Bun.sleep(50)
  }
  throw new Error('the standby did not become synchronous')
}

async function reportDoctor(cluster: Cluster, report: Report, isSynchronous: boolean): Promise<void> {
  const warnings = await warnsOf(cluster)
  if (isSynchronous) report.promise('doctor does not warn with a synchronous standby', warnings === '', warnings || 'no warning')
  else report.promise('doctor warns without a synchronous standby', warnings !== '', warnings || 'no warning')
}

async function createFor(cluster: Cluster, ms: number): Promise<[answered: number, refused: number]> {
  const deadline = performance.now() + ms
  let answered = 0
  let refused = 0
  while (performance.now() < deadline) {
    const answer = await Promise.race([tryCreate(cluster), Bun.sleep(ms)])
    if (answer?.status === 201) answered++
    else refused++
  }
  return [answered, refused]
}

interface After {
  what: string
  isSynchronous: boolean
  work: ReturnType<typeof keepWorking>
}

async function reportAfter(context: TrialContext, cluster: Cluster, standby: PostgresServer, after: After): Promise<void> {
  const { report } = context
  const { what, isSynchronous, work } = after
  if (!isSynchronous) {
    // Clients of lost documents would wait for ever: they are not part of the figure.
    const { lost, created } = await countLost(cluster)
    report.promise(`${what}: documents answered with 201 are lost`, lost > 0, `${lost} of ${created}`)
    await checkChanges(cluster, report)
    void work.end()
    return
  }
  const { done, failures } = await work.end()
  report.promise(
    `${what}: every client finished its documents`,
    failures.length === 0,
    `${done} documents ${failures.slice(0, 2).join('; ')}`,
  )
  const { lost, created } = await countLost(cluster)
  report.promise(`${what}: no document answered with 201 is lost`, lost === 0, `${lost} of ${created}`)
  cluster.readFrom(standby)
  await comeToRest(cluster, report)
  await checkInvariants(cluster, report)
}

/** The standby counts from an earlier state: each node must still see what others change. */
async function checkChanges(cluster: Cluster, report: Report): Promise<void> {
  let stale = 0
  const rounds = 6
  for (let i = 0; i < rounds; i++) {
    const answer = await tryCreate(cluster)
    const id = String(answer?.body.id)
    const titles = await Promise.all(
      cluster.nodes.map(async node => {
        await cluster.client.once('GET', `/documents/${id}`, { node })
        return node
      }),
    )
    const body = { title: `changed-${i}` }
    await cluster.client.call('PATCH', `/documents/${id}`, { body })
    await Bun.sleep(2_500)
    for (const node of titles) {
      const seen = await cluster.client.once('GET', `/documents/${id}`, { node })
      if (seen.body.title !== body.title) stale++
    }
  }
  report.promise(
    'after the loss no node answers from what is no longer',
    stale === 0,
    `${stale} of ${rounds * cluster.nodes.length} reads`,
  )
}

export const standby: Trial = {
  name: 'standby',
  title: 'the primary crashes for good and a standby is promoted, without and with synchronous commit',
  async run(context) {
    await failOver(context, false)
    await failOver(context, true)
  },
}
