/** Augments files below the configured level and renews time-stamps. Earlier bytes never change. */
import { auditEventsOf } from '../../audit/log.ts'
import type * as core from '../../core/document/document.ts'
import { sealAugmented } from '../../core/document/sealed.ts'
import { changeTime } from '../../db/change-time.ts'
import { abandonFile, type FileClaim, keepFile } from '../../files/claims.ts'
import { dropFileIfUnused } from '../../files/queries.ts'
import { retryTime, sealRetryDelayS } from '../../outbox/outbox.ts'
import {
  countOpenJobs,
  dropJobs,
  finishJob,
  insertJobOnce,
  type LeasedJob,
  LeaseLostError,
  postponeJob,
} from '../../outbox/queries.ts'
import { type Certificate, certificatesOfPem, readCertificate } from '../../pki/x509.ts'
import { type App, SYSTEM } from '../../ports.ts'
import { sealChain } from '../../settings/seal-certificate.ts'
import { readTimestampSettings } from '../../settings/timestamp-settings.ts'
import { timestampTrustWith } from '../evidence/verification.ts'
import * as queries from '../queries.ts'
import { record } from '../record.ts'
import { augmentAt, augmentTo, gainsTime, higherLevel, inADay, isBelow, type SealedRevision, toPemChains } from './long-term.ts'
import { verifyOwnSeal } from './seal-file.ts'
import {
  addSealedVersion,
  type DueVersion,
  dueForAugmentation,
  planAugmentation,
  type SealedVersion,
  sealedVersion,
} from './sealed-queries.ts'

const BATCH_SIZE = 50

/** An expiring authority makes many documents due at once. Jobs are queued in portions. */
const MAX_OPEN_JOBS = 1000

/** Queues a job for each due version. Returns the number of versions read. */
export async function augmentAllDue(app: App): Promise<number> {
  let count = 0
  let due: DueVersion[] = []
  do {
    due = await dueForAugmentation(app.db, app.now(), due.at(-1) ?? { at: '', sha256: '' }, BATCH_SIZE)
    if (due.length === 0 || (await countOpenJobs(app.db, 'augment', MAX_OPEN_JOBS)) >= MAX_OPEN_JOBS) break
    await app.write(async tx => {
      for (const { sha256 } of due) {
        const version = await sealedVersion(tx, sha256)
        const job = { id: app.newId('job'), kind: 'augment', subject: sha256, lane: 'augment', dueAt: app.now() } as const
        await insertJobOnce(tx, { ...job, documentId: version?.documentId }, app.now())
      }
    })
    count += due.length
    await app.timers.yield()
  } while (due.length === BATCH_SIZE)
  return count
}

/** Undefined if a newer version replaced it or it is not due any more. */
async function findDue(app: App, sha256: string) {
  const version = await sealedVersion(app.db, sha256)
  const document = version && (await queries.find(app.db, version.documentId))
  return version?.augmentAt && document?.sha256Sealed === sha256 ? { version, document } : undefined
}

export async function augmentSeal(app: App, job: LeasedJob): Promise<void> {
  const found = await findDue(app, job.subject)
  if (!found) {
    await app.write(tx => finishJob(tx, job, 'done'))
    return
  }
  try {
    await augment(app, job, found.document, found.version)
  } catch (error) {
    if (error instanceof LeaseLostError) throw error
    const message = error instanceof Error ? error.message : String(error)
    app.log('warn', 'seal not augmented', { documentId: found.document.id, attempt: job.attempts + 1, error: message })
    await app.write(tx => postponeJob(tx, job, retryTime(app, sealRetryDelayS(job, error)), message))
  }
}

async function augment(app: App, job: LeasedJob, document: core.Document, version: SealedVersion): Promise<void> {
  const present = version.timestampChain === undefined ? [] : certificatesOfPem(version.timestampChain).map(readCertificate)
  const goal = higherLevel(version.level, (await readTimestampSettings(app)).levels[version.subFilter])
  const isRenewal = version.level === goal
  // The bound holds whatever date is stored, also one by the release before, and for any clock.
  if (isRenewal && app.now() < inADay(version.madeAt)) return replan(app, job, version, inADay(version.madeAt))
  const originalPath = await app.storage.localPath(version.sha256)
  const certificateSha256 = await sealCertificateOf(app, document)
  const start = { path: originalPath, timestampChains: present.length === 0 ? [] : [present], missing: [] }
  const { file, failure } = await augmentTo(app, start, goal, certificateSha256)
  try {
    if (failure !== undefined) throw failure
    if (file.missing.length > 0) throw new Error(`validation data is incomplete: ${file.missing.join('; ')}`)
    if (isRenewal && !gainsTime(present, file.timestampChains.at(-1))) {
      const until = present[0]?.notAfter.toISOString()
      app.log('info', 'time-stamp not renewed: its authority still uses the certificate', { documentId: document.id, until })
      await replan(app, job, version, augmentAt(app, { level: version.level, goal }, present))
      return
    }
    await publishFile(app, job, version, file, { goal, certificateSha256, originalPath })
  } finally {
    if (file.path !== originalPath) await app.storage.discard(file.path)
  }
}

/** Leaves the file as it is until `at`. */
async function replan(app: App, job: LeasedJob, { sha256 }: SealedVersion, at: Date | undefined): Promise<void> {
  await app.write(async tx => {
    await finishJob(tx, job, 'done')
    // A file has one job for ever, and this one will need another.
    await dropJobs(tx, 'augment', [sha256])
    await planAugmentation(tx, sha256, at)
  })
}

interface Made {
  goal: core.SealLevel
  certificateSha256: string
  originalPath: string
}

async function publishFile(
  app: App,
  job: LeasedJob,
  version: SealedVersion,
  { path, timestampChains }: SealedRevision,
  { goal, certificateSha256, originalPath }: Made,
): Promise<void> {
  const timestampTrust = await timestampTrustWith(app, timestampChains)
  const chain = (await sealChain(app, certificateSha256)).chain.map(certificate => certificate.der)
  const verified = await verifyOwnSeal(app, { path, chain, timestampTrust, originalPath })
  // Else a level that cannot be reached would add a time-stamp at every attempt.
  if (version.level !== goal && !isBelow(version.level, verified.level)) {
    app.log('warn', 'seal not augmented: its level would stay', { documentId: version.documentId, level: verified.level })
    return replan(app, job, version, inADay(app.now()))
  }
  const claim = await keepFile(app, path, verified)
  let isUsed = false
  try {
    isUsed = await publish(app, job, version, timestampChains, { claim, level: verified.level, goal })
  } finally {
    if (!isUsed) await abandonFile(app, claim)
  }
}

async function sealCertificateOf(app: App, { id }: core.Document): Promise<string> {
  const completed = (await auditEventsOf(app.db, id)).findLast(event => event.type === 'document.completed')
  const sha256 = completed?.data.sealCertificateSha256
  if (typeof sha256 !== 'string') throw new Error('the audit log names no seal certificate')
  return sha256
}

/**
 * Returns whether the document refers to the file now. The nightly sweep removes the version
 * before, because a client may still be reading it.
 */
async function publish(
  app: App,
  job: LeasedJob,
  before: SealedVersion,
  timestampChains: readonly Certificate[][],
  { claim, level, goal }: { claim: FileClaim; level: core.SealLevel; goal: core.SealLevel },
): Promise<boolean> {
  const chains = toPemChains(timestampChains)
  const { sha256 } = claim
  return app.write(async tx => {
    await finishJob(tx, job, 'done')
    const document = await queries.find(tx, before.documentId)
    if (document?.sha256Sealed !== before.sha256) return false
    const now = await changeTime(tx, app)
    await record(tx, app, document, sealAugmented(document, { sha256, level, subFilter: before.subFilter }), SYSTEM, {
      file: claim,
    })
    const version = {
      sha256,
      documentId: document.id,
      level,
      subFilter: before.subFilter,
      madeAt: now,
      augmentAt: augmentAt(app, { level, goal }, timestampChains.at(-1)),
    }
    await addSealedVersion(tx, version, chains)
    await dropFileIfUnused(tx, before.sha256)
    return true
  })
}
