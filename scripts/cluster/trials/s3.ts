/** The S3 store is slow, refuses, lies, ends in the middle, or has lost an object. */
import type { Cluster } from '../cluster.ts'
import { checkInvariants, comeToRest, doctorFindings } from '../invariants.ts'
import { type Report, seconds } from '../report.ts'
import type { S3Failure } from '../s3-proxy.ts'
import { keepWorking, type Trial, untilServed, withCluster } from './trial.ts'

const FAILING_MS = 8_000
const MAX_READ = 10
const FAILURES: [name: string, failure: S3Failure][] = [
  ['slow by 2 s', { kind: 'slow', ms: 2_000 }],
  ['503', { kind: 'status', status: 503 }],
  ['wrong bytes', { kind: 'wrong-bytes' }],
  ['cut in the middle', { kind: 'cut' }],
  ['404 to everything', { kind: 'missing' }],
]

interface Reads {
  right: number
  refused: number
  /** Altered bytes with a 200: the one thing that must not be. */
  wrong: number
  statuses: Set<number>
}

/** Every completed document's file from every node. */
async function readAll(cluster: Cluster, hashes: Map<string, string>): Promise<Reads> {
  const reads: Reads = { right: 0, refused: 0, wrong: 0, statuses: new Set() }
  for (const [id, sha256] of hashes) {
    for (const node of cluster.nodes) {
      const answer = await cluster.client.once('GET', `/documents/${id}/file`, { node }).catch(() => undefined)
      if (answer === undefined) {
        reads.refused++
        continue
      }
      reads.statuses.add(answer.status)
      const isRight = answer.status === 200 && new Bun.CryptoHasher('sha256').update(answer.body).digest('hex') === sha256
      if (isRight) reads.right++
      else if (answer.status === 200) reads.wrong++
      else reads.refused++
    }
  }
  return reads
}

const textOf = ({ right, refused, wrong, statuses }: Reads) =>
  `${right} right, ${refused} refused, ${wrong} altered; statuses ${[...statuses].join(', ')}`

/** Documents that only one node has had in its cache. */
async function completedHashes(cluster: Cluster, report: Report): Promise<Map<string, string>> {
  const work = keepWorking(cluster, 3)
  await Bun.sleep(3_000)
  await work.end()
  await comeToRest(cluster, report)
  const ids = new Set(cluster.client.promised.signed.slice(-MAX_READ * 2).map(({ documentId }) => documentId))
  const hashes = new Map<string, string>()
  for (const id of ids) hashes.set(id, (await cluster.client.call('GET', `/documents/${id}`)).body.sha256.sealed)
  return hashes
}

async function tryFailure(cluster: Cluster, report: Report, name: string, failure: S3Failure): Promise<void> {
  const hashes = await completedHashes(cluster, report)
  cluster.balancer.reset()
  const { s3Proxy } = cluster
  s3Proxy?.arm(failure)
  const work = keepWorking(cluster, 3)
  const reads = await readAll(cluster, hashes)
  await Bun.sleep(FAILING_MS)
  const ready = cluster.balancer.readyCount()
  s3Proxy?.disarm()
  const servedMs = await untilServed(cluster)
  const { done, failures } = await work.end()
  report.promise(`${name}: no altered byte is answered`, reads.wrong === 0, textOf(reads))
  report.figure(`${name}: requests that S3 failed; nodes ready meanwhile`, `${s3Proxy?.disturbed}; ${ready}`)
  report.figure(`${name}: errors that clients met`, cluster.balancer.errorText())
  report.promise(
    `${name}: every client finished its documents`,
    failures.length === 0,
    `${done} documents ${failures.slice(0, 2).join('; ')}`,
  )
  report.figure(`${name}: until a write was served afterwards`, seconds(servedMs))
  const again = await readAll(cluster, hashes)
  report.promise(`${name}: afterwards every file is right from every node`, again.refused + again.wrong === 0, textOf(again))
  // A file that cannot be verified is an internal error by contract: the invariants begin anew.
  cluster.balancer.reset()
}

/** An object is gone from the bucket, and comes back. */
async function loseObject(cluster: Cluster, report: Report): Promise<void> {
  const hashes = await completedHashes(cluster, report)
  const [id, sha256 = ''] = [...hashes].at(-1) ?? []
  const bucket = cluster.site.s3.bucket(cluster.bucket)
  const key = (await cluster.site.s3.objects(cluster.bucket)).find(name => name.includes(sha256)) ?? ''
  const bytes = await bucket.file(key).bytes()
  await bucket.delete(key)
  for (const node of cluster.nodes) await node.clearCache()
  await cluster.untilReady()
  const one = new Map([[id ?? '', sha256]])
  const reads = await readAll(cluster, one)
  report.promise('lost object: no node answers a file', reads.right + reads.wrong === 0, textOf(reads))
  const { findings } = await doctorFindings(cluster)
  const named = findings.filter(({ message, verdict }) => verdict === 'error' && message.includes(sha256))
  report.promise(
    'lost object: doctor names it',
    named.length > 0,
    named[0]?.message.replace(sha256, `${sha256.slice(0, 8)}…`) ?? 'not named',
  )
  await bucket.write(key, bytes)
  const again = await readAll(cluster, one)
  report.promise('put back: every node answers the right file', again.right === cluster.nodes.length, textOf(again))
  cluster.balancer.reset()
}

export const s3: Trial = {
  name: 's3',
  title: 'S3 is slow, refuses, lies, ends in the middle, or has lost an object',
  run: context =>
    withCluster(context, {}, async cluster => {
      for (const [name, failure] of FAILURES) await tryFailure(cluster, context.report, name, failure)
      await loseObject(cluster, context.report)
      await comeToRest(cluster, context.report)
      await checkInvariants(cluster, context.report)
    }),
}
