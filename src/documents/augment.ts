/** Raises sealed files that are below their goal, or whose newest time-stamp will not hold much longer. The bytes given out so far stay the beginning. */
import { auditEventsOf } from '../audit/log.ts'
import type * as core from '../core/document.ts'
import { sealAugmented } from '../core/sealed.ts'
import { addFile, dropFileIfUnused } from '../files/queries.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import { later, sealPauseS } from '../outbox/outbox.ts'
import { countOpenJobs, finishJob, insertJobOnce, type Job, postponeJob } from '../outbox/queries.ts'
import { type App, SYSTEM } from '../ports.ts'
import { sealChain } from '../settings/seal-chain.ts'
import { augmentAt, type Climbing, climb, toPemChains } from './long-term.ts'
import * as queries from './queries.ts'
import { record } from './record.ts'
import { addSealedVersion, type DueVersion, dueForAugmentation, type SealedVersion, sealedVersion } from './sealed-queries.ts'
import { timestampTrustWith } from './verification.ts'
import { verifyOwnSeal } from './verify-own.ts'

const AT_ONCE = 50

/** A time-stamp that ends concerns all documents at once: their jobs are put as the earlier ones are done. */
const MAX_OPEN_JOBS = 1000

/** Puts a job for each version whose time has come. Answers how many were looked at. */
export async function augmentAllDue(app: App): Promise<number> {
  let count = 0
  let due: DueVersion[] = []
  do {
    due = await dueForAugmentation(app.db, app.now(), due.at(-1) ?? { at: '', sha256: '' }, AT_ONCE)
    if (due.length === 0 || (await countOpenJobs(app.db, 'augment', MAX_OPEN_JOBS)) >= MAX_OPEN_JOBS) break
    await app.write(async tx => {
      for (const { sha256 } of due) {
        const version = await sealedVersion(tx, sha256)
        const order = { id: app.newId('job'), kind: 'augment', subject: sha256, lane: 'augment', dueAt: app.now() } as const
        await insertJobOnce(tx, { ...order, documentId: version?.documentId }, app.now())
      }
    })
    count += due.length
    await yieldToEventLoop()
  } while (due.length === AT_ONCE)
  return count
}

/** What stands for the file now; `undefined` when there is nothing to raise any more. */
async function current(app: App, sha256: string) {
  const version = await sealedVersion(app.db, sha256)
  const document = version && (await queries.find(app.db, version.documentId))
  return version?.augmentAt && document?.sha256Sealed === sha256 ? { version, document } : undefined
}

export async function augmentSeal(app: App, job: Job): Promise<void> {
  const found = await current(app, job.subject)
  if (!found) {
    await app.write(tx => finishJob(tx, job.id, 'done'))
    return
  }
  try {
    await raise(app, job, found.document, found.version)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    app.log('warn', 'seal not raised', { documentId: found.document.id, attempt: job.attempts + 1, error: message })
    await app.write(tx => postponeJob(tx, job.id, later(app.now(), sealPauseS(job, error)), message))
  }
}

async function raise(app: App, job: Job, document: core.Document, version: SealedVersion): Promise<void> {
  const originalPath = app.storage.pathOf(version.sha256)
  const seal = await sealChain(app, await sealCertificateOf(app, document))
  const { certificatesOfPem, readCertificate } = await import('../pki/x509.ts')
  const stamp = version.timestampChain === undefined ? undefined : certificatesOfPem(version.timestampChain).map(readCertificate)
  const stamps = stamp === undefined ? [] : [stamp]
  const climbing: Climbing = { path: originalPath, isTemporary: false, seal, stamps, missing: [] }
  try {
    await climb(app, climbing, app.config.timestamps.level)
    if (climbing.missing.length > 0) throw new Error(`the long term lacks ${climbing.missing.join('; ')}`)
    const timestampTrust = await timestampTrustWith(app, climbing.stamps)
    const chain = seal.chain.map(certificate => certificate.der)
    const judged = await verifyOwnSeal(app, { path: climbing.path, chain, timestampTrust, originalPath })
    if (judged.reasons.length > 0) throw new Error(`the raised file did not pass the check: ${judged.reasons.join('; ')}`)
    await app.storage.keep(climbing.path, judged.sha256)
    try {
      await publish(app, job, version, climbing, judged)
    } finally {
      app.storage.release(judged.sha256)
    }
  } finally {
    if (climbing.isTemporary) await app.storage.discard(climbing.path)
  }
}

async function sealCertificateOf(app: App, { id }: core.Document): Promise<string> {
  const completed = (await auditEventsOf(app.db, id)).findLast(event => event.type === 'document.completed')
  const sha256 = completed?.data.sealCertificateSha256
  if (typeof sha256 !== 'string') throw new Error('the audit log names no seal certificate')
  return sha256
}

/** The version before goes with the nightly sweep: somebody may be reading it. */
async function publish(
  app: App,
  job: Job,
  before: SealedVersion,
  { stamps }: Climbing,
  { sha256, bytes, level }: { sha256: string; bytes: number; level: core.SealLevel },
): Promise<void> {
  const chains = await toPemChains(stamps)
  await app.write(async tx => {
    const document = await queries.find(tx, before.documentId)
    if (document?.sha256Sealed !== before.sha256) return finishJob(tx, job.id, 'done')
    const now = app.now()
    await addFile(tx, sha256, bytes, now)
    await record(tx, app, document, sealAugmented(document, { sha256, level }), SYSTEM)
    const version = { sha256, documentId: document.id, level, madeAt: now, augmentAt: augmentAt(app, level, stamps.at(-1)) }
    await addSealedVersion(tx, version, chains)
    await dropFileIfUnused(tx, before.sha256)
    await finishJob(tx, job.id, 'done')
  })
}
