/** What has to be true of a cluster when work has come to rest, whatever happened before. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'
import { runToEnd } from './programs.ts'
import type { Report } from './report.ts'

const REST_MS = 240_000
const VERIFIED_FILES = 5
const MAX_CLAIM_MS = 400_000

/** Waits until every document is sealed and nothing is due to leave. */
export async function comeToRest(cluster: Cluster, report: Report): Promise<void> {
  const { client } = cluster
  const startedMs = performance.now()
  const ids = [...new Set(client.promised.signed.map(({ documentId }) => documentId))]
  const open = await client.untilCompleted(ids, REST_MS)
  report.promise('every signed document is completed', open.length === 0, `${ids.length - open.length} of ${ids.length}`)
  for (const id of open.slice(0, 3))
    console.log(`        not completed: ${JSON.stringify((await client.call('GET', `/documents/${id}`)).body)}`)
  while ((await openJobs(cluster)) > 0 && performance.now() - startedMs < REST_MS) await Bun.sleep(250)
  const jobs = await openJobs(cluster)
  report.promise('no job is left', jobs === 0, `${jobs} open`)
  if (jobs > 0) console.log(await cluster.rows("SELECT * FROM jobs WHERE state = 'open' LIMIT 5"))
}

const openJobs = (cluster: Cluster) => cluster.count("SELECT count(*) AS n FROM jobs WHERE state = 'open'")

export async function checkInvariants(cluster: Cluster, report: Report): Promise<void> {
  await checkSealedOnce(cluster, report)
  await checkPromises(cluster, report)
  await checkReceived(cluster, report)
  await checkMails(cluster, report)
  await checkAudit(cluster, report)
  await checkFiles(cluster, report)
  await checkSealedFiles(cluster, report)
  const { broken } = cluster.balancer
  report.promise(
    'no answer is an internal error',
    broken.length === 0,
    broken.length === 0 ? 'none' : `${broken.length}: ${broken[0]}`,
  )
  const orphans = cluster.site.programs.orphans()
  report.promise('children of killed nodes have ended', orphans.length === 0, `${orphans.length} left`)
}

interface PublicEvent {
  id: string
  type: string
  documentId: string
}

async function allEvents({ client }: Cluster): Promise<PublicEvent[]> {
  const events: PublicEvent[] = []
  for (let cursor = ''; ; ) {
    const { body } = await client.call('GET', `/events?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`)
    events.push(...body.data)
    if (body.nextCursor === null) return events
    cursor = body.nextCursor
  }
}

function countBy<T>(list: T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of list) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}

const completedIds = ({ client }: Cluster): string[] => {
  const signatures = countBy(client.promised.signed, ({ documentId }) => documentId)
  return [...signatures].filter(([, count]) => count >= 2).map(([id]) => id)
}

/** One event, one webhook-id, one sealed file and one hash for each document. */
async function checkSealedOnce(cluster: Cluster, report: Report): Promise<void> {
  const ids = completedIds(cluster)
  const events = (await allEvents(cluster)).filter(({ type }) => type === 'document.completed')
  const byDocument = countBy(events, ({ documentId }) => documentId)
  const once = ids.filter(id => byDocument.get(id) === 1)
  report.promise('one document.completed for each document', once.length === ids.length, `${once.length} of ${ids.length}`)

  const received = cluster.webhooks.events.filter(({ type }) => type === 'document.completed')
  const webhookIds = new Map<string, Set<string>>()
  for (const { documentId, webhookId } of received)
    webhookIds.set(documentId, (webhookIds.get(documentId) ?? new Set()).add(webhookId))
  const oneWebhook = ids.filter(id => webhookIds.get(id)?.size === 1)
  const figure = `${oneWebhook.length} of ${ids.length}; ${received.length} deliveries`
  report.promise('one webhook-id of document.completed for each', oneWebhook.length === ids.length, figure)

  const rows = await cluster.rows(
    "SELECT subject, count(*) AS n FROM jobs WHERE kind = 'seal' GROUP BY subject HAVING count(*) > 1",
  )
  report.promise('no document has two jobs that seal', rows.length === 0, `${rows.length} have`)
  await checkHashes(cluster, report, ids)
}

/** The hash in the API, in the webhook, and of the bytes that every node sends. */
async function checkHashes(cluster: Cluster, report: Report, ids: string[]): Promise<void> {
  const { client, webhooks, nodes } = cluster
  const different: string[] = []
  for (const [i, id] of ids.entries()) {
    const stated = (await client.call('GET', `/documents/${id}`)).body.sha256.sealed
    const node = nodes[i % nodes.length]
    const file = await client.once('GET', `/documents/${id}/file`, node === undefined ? {} : { node })
    const ofBytes = new Bun.CryptoHasher('sha256').update(file.body).digest('hex')
    const delivered = webhooks.events.filter(({ type, documentId }) => type === 'document.completed' && documentId === id)
    const hashes = new Set([stated, ofBytes, ...delivered.map(({ sealedSha256 }) => sealedSha256)])
    if (hashes.size !== 1) different.push(`${id}: ${file.status} ${[...hashes].join(' ')}`)
  }
  const figure = different.length === 0 ? `${ids.length} equal` : different.slice(0, 3).join('; ')
  report.promise('one sealed hash: API, webhook, bytes from each node in turn', different.length === 0, figure)
}

/** Every 2xx given is still true. */
export async function checkPromises(cluster: Cluster, report: Report): Promise<void> {
  const { client } = cluster
  const { created, sent, signed } = client.promised
  const lost: string[] = []
  for (const [id, { title }] of created) {
    const { status, body } = await client.call('GET', `/documents/${id}`)
    if (status !== 200 || body.title !== title) lost.push(`create ${id} ${status}`)
    else if (sent.has(id) && body.status === 'draft') lost.push(`send ${id}`)
    for (const { email } of signed.filter(({ documentId }) => documentId === id)) {
      const recipient = body.recipients?.find((r: { email: string }) => r.email === email)
      if (recipient?.status !== 'signed') lost.push(`signature of ${email}`)
    }
  }
  const figure = `${created.size} created, ${sent.size} sent, ${signed.length} signed, ${lost.length} untrue ${lost.slice(0, 3).join(', ')}`
  report.promise('every 2xx answer is still true', lost.length === 0, figure)
}

/** No delivery is lost. A repeated one has the same id. */
async function checkReceived(cluster: Cluster, report: Report): Promise<void> {
  const { webhooks } = cluster
  const events = await allEvents(cluster)
  const received = new Set(webhooks.events.map(({ webhookId }) => webhookId))
  const missing = events.filter(({ id }) => !received.has(id))
  const known = new Set(events.map(({ id }) => id))
  const unknown = [...received].filter(id => !known.has(id))
  const repeated = webhooks.events.length - received.size
  const figure = `${events.length} events, ${missing.length} missing, ${unknown.length} unknown, ${repeated} repeated, ${webhooks.invalid} invalid`
  report.promise('every event was delivered, signed', missing.length + unknown.length + webhooks.invalid === 0, figure)
}

/** No mail is lost. A repeated one has the same Message-ID. */
async function checkMails(cluster: Cluster, report: Report): Promise<void> {
  const mails = await cluster.mails.read()
  const { signed } = cluster.client.promised
  const completed = new Set(completedIds(cluster))
  const missing: string[] = []
  let different = 0
  for (const { documentId, email } of signed) {
    const own = mails.filter(({ to }) => to === email)
    const kinds = Map.groupBy(own, ({ subject }) => subject)
    const isComplete = own.some(({ text }) => text.includes('/s/')) && (!completed.has(documentId) || kinds.size >= 2)
    if (!isComplete) missing.push(`${email}: ${[...kinds.keys()].join(', ')}`)
    for (const same of kinds.values()) if (new Set(same.map(({ messageId }) => messageId)).size > 1) different++
  }
  const repeated = mails.length - new Set(mails.map(({ messageId }) => messageId)).size
  const figure = `${mails.length} mails, ${missing.length} missing, ${repeated} repeated ${missing.slice(0, 2).join('; ')}`
  report.promise('every invitation and completion arrived', missing.length === 0, figure)
  report.promise('repeated mails have one Message-ID', different === 0, `${different} with two`)
  // A node that was killed after it sent a mail leaves it to another, which may find it pointless.
  const unsent = await cluster.rows("SELECT kind, status, reply FROM mails WHERE status <> 'accepted'")
  const lost = unsent.filter(
    ({ kind, status, reply }) => status === 'queued' || kind !== 'invitation' || !/pointless/.test(String(reply)),
  )
  const text = `${lost.length} ${lost
    .slice(0, 2)
    .map(row => JSON.stringify(row))
    .join('; ')}; ${unsent.length - lost.length} invitations found pointless when repeated`
  report.promise('no mail is queued or failed', lost.length === 0, text)
}

/** The whole chain by `doctor`, and each trail as the API presents it. */
async function checkAudit(cluster: Cluster, report: Report): Promise<void> {
  const { findings } = await doctorFindings(cluster)
  const errors = findings.filter(({ verdict }) => verdict === 'error')
  const audit = findings.find(({ name }) => /audit/i.test(name))
  report.promise(
    'doctor finds no error',
    errors.length === 0,
    errors.map(f => `${f.name}: ${f.message}`).join('; ') || `${findings.length} checks`,
  )
  report.promise('the audit chain verifies', audit?.verdict === 'ok', audit?.message ?? 'not checked')
  let entries = 0
  const wrong: string[] = []
  for (const id of cluster.client.promised.created.keys()) {
    const { body } = await cluster.client.call('GET', `/documents/${id}/audit`)
    entries += body.events.length
    const types = body.events.map((event: { type: string }) => event.type)
    if (types.filter((type: string) => type === 'document.completed').length > 1) wrong.push(id)
    if (new Set(body.events.map((event: { hash: string }) => event.hash)).size !== types.length) wrong.push(id)
  }
  report.promise(
    'no trail has an entry twice',
    wrong.length === 0,
    `${entries} entries of ${cluster.client.promised.created.size} documents`,
  )
}

export interface Finding {
  name: string
  verdict: 'ok' | 'warning' | 'error'
  message: string
}

/** Also when it exits with 1. */
export async function doctorFindings(cluster: Cluster): Promise<{ findings: Finding[] }> {
  const text = await cluster.verb(['doctor', '--json']).catch((error: Error) => error.message)
  const line = text.split('\n').find(row => row.startsWith('{') && row.includes('"findings"'))
  if (line === undefined) throw new Error(`doctor said:\n${text}`)
  return JSON.parse(line)
}

/** Claims of nodes that were killed are ended once a minute, and their objects with them. */
async function untilUnclaimed(cluster: Cluster): Promise<number> {
  const startedMs = performance.now()
  const open = () => cluster.count('SELECT count(*) AS n FROM file_claims')
  while ((await open()) > 0 && performance.now() - startedMs < MAX_CLAIM_MS) await Bun.sleep(500)
  return open()
}

/** The rows of files and the objects are the same set. */
async function checkFiles(cluster: Cluster, report: Report): Promise<void> {
  const claims = await untilUnclaimed(cluster)
  report.promise('no claim on a file is left', claims === 0, claims)
  const rows = new Set((await cluster.rows('SELECT sha256 FROM files')).map(({ sha256 }) => String(sha256)))
  const objects = new Set(await cluster.objects())
  const withoutRow = [...objects].filter(sha256 => !rows.has(sha256)).length
  const withoutObject = [...rows].filter(sha256 => !objects.has(sha256)).length
  const figure = `${rows.size} rows, ${objects.size} objects, ${withoutRow} without row, ${withoutObject} without object`
  report.promise('rows of files and objects are equal', withoutRow + withoutObject === 0, figure)
}

async function checkSealedFiles(cluster: Cluster, report: Report): Promise<void> {
  const folder = cluster.site.newFolder('sealed-')
  mkdirSync(folder, { recursive: true })
  const ids = completedIds(cluster).slice(0, VERIFIED_FILES)
  const trusted = join(folder, 'trusted.pem')
  writeFileSync(trusted, await (await cluster.balancer.fetch('/seal-certificate.pem')).bytes())
  let valid = 0
  for (const id of ids) {
    const path = join(folder, `${id}.pdf`)
    const { body } = await cluster.client.call('GET', `/documents/${id}/file`)
    writeFileSync(path, body)
    const byPdfsig = await runToEnd(['pdfsig', '-nocert', path]).catch(String)
    const own = await cluster.verb(['verify', path, '--json', '--trust', trusted]).catch((error: Error) => error.message)
    const isValid = /Signature is Valid/.test(byPdfsig) && /"verdict":\s*"valid"/.test(own)
    if (isValid) valid++
    else console.log(byPdfsig, own)
  }
  report.promise('sealed files are valid by pdfsig and by signet verify', valid === ids.length, `${valid} of ${ids.length}`)
}
