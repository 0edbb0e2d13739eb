/**
 * From the last signature to the sealed file: prepared in a child, signed here, judged in a child, kept, and only then completed. Stages may be
 * repeated after a crash; what is published stands in one transaction and cannot be published twice.
 */
import type * as core from '../core/document.ts'
import { Refusal } from '../core/refusal.ts'
import { type SealedFile, sealed, sealingFailed } from '../core/sealed.ts'
import type { PrepareRequest } from '../evidence/prepare.ts'
import { addFile } from '../files/queries.ts'
import { isDiskFull } from '../lib/disk.ts'
import { sha256Hex } from '../lib/token.ts'
import { isMachineBusy, later, sealPauseS } from '../outbox/outbox.ts'
import { finishJob, type Job, postponeJob } from '../outbox/queries.ts'
import type { SealKey } from '../pki/key.ts'
import type { Certificate } from '../pki/x509.ts'
import { type App, SYSTEM } from '../ports.ts'
import { organisation } from '../settings/organisation.ts'
import { sealChain } from '../settings/seal-chain.ts'
import { evidenceOf } from './evidence.ts'
import { augmentAt, type Climbing, climb, timestampCms, toPemChains } from './long-term.ts'
import { fieldAppearances, withDrawings } from './marks.ts'
import * as queries from './queries.ts'
import { record } from './record.ts'
import { addSealedVersion } from './sealed-queries.ts'
import { timestampTrustWith } from './verification.ts'
import { verifyOwnSeal } from './verify-own.ts'

/** A file that was made and is not sound: never published. */
class InvalidSealError extends Error {
  override name = 'InvalidSealError'
}
/** The bytes that were signed are not there any more: a seal over anything else would be a lie. */
class OriginalMissingError extends Error {}

export async function sealDocument(app: App, job: Job): Promise<void> {
  const document = await queries.find(app.db, job.subject)
  if (document?.status !== 'sealing') {
    await app.write(tx => finishJob(tx, job.id, 'done'))
    return
  }
  try {
    const made = await makeSealedFile(app, document)
    try {
      await publish(app, job, document.id, made)
    } finally {
      app.storage.release(made.sha256)
    }
  } catch (error) {
    await postpone(app, job, document.id, error)
  }
}

interface Made extends SealedFile {
  bytes: number
  certificateSha256: string
  /** The authority of each time-stamp, with its issuers, the newest last. */
  stamps: Certificate[][]
}

/** Sealed, judged, and kept under the hash of its bytes. */
async function makeSealedFile(app: App, document: core.Document): Promise<Made> {
  await app.disk.requireSpaceForChange()
  const path = app.storage.pathOf(document.sha256Original)
  const reason = `Sealed after all had signed: ${document.title} (${document.id})`
  const made = await sealSource(app, document, { path, bytes: undefined, reason })
  try {
    await app.storage.keep(made.path, made.sha256)
    return made
  } finally {
    await app.storage.discard(made.path)
  }
}

/** What is sealed, and what the signature says of it. */
interface Source {
  path: string
  /** Its size, unless it stands in the store. */
  bytes: number | undefined
  reason: string
}

/** A sealed file that is sound. */
interface SealedCopy extends Made {
  /** A temporary file; the caller's. */
  path: string
  /** What it lacks of its goal, in clauses. */
  missing: string[]
}

/** Prepared update → CMS → time-stamp → sealed bytes → material and time-stamps for the long term → judged. @throws InvalidSealError and others */
export async function sealSource(app: App, document: core.Document, source: Source): Promise<SealedCopy> {
  const key = await app.sealKey()
  const certificateSha256 = sha256Hex(key.certificate)
  const climbing: Climbing = {
    path: app.storage.temporaryPath(),
    isTemporary: true,
    seal: await sealChain(app, certificateSha256),
    stamps: [],
    missing: [],
  }
  try {
    await seal(app, document, key, source, climbing)
    // Read back from disk before anybody is told.
    const timestampTrust = await timestampTrustWith(app, climbing.stamps)
    const judged = await verifyOwnSeal(app, { path: climbing.path, chain: key.chain, timestampTrust, originalPath: source.path })
    if (judged.reasons.length > 0) throw new InvalidSealError(judged.reasons.join('; '))
    return { ...judged, certificateSha256, stamps: climbing.stamps, path: climbing.path, missing: climbing.missing }
  } catch (error) {
    await app.storage.discard(climbing.path)
    throw error
  }
}

/** Makes the sealed file at `climbing.path`, as high as its goal and its authorities allow. */
async function seal(app: App, document: core.Document, key: SealKey, source: Source, climbing: Climbing): Promise<void> {
  const { contentsBytesFor, fill, sign } = await import('../pades/sign.ts')
  const { level: goal, fallback } = app.config.timestamps
  const { name } = await organisation(app.db)
  const signature: PrepareRequest['signature'] = {
    name,
    reason: source.reason,
    location: undefined,
    at: app.now().toISOString(),
    contentsBytes: contentsBytesFor(key.chain, goal !== 'B-B'),
  }
  const preparing = withDrawings(app, document.recipients, async drawings => {
    const marks = document.recipients.flatMap(recipient => fieldAppearances(recipient, drawings))
    const evidence = await evidenceOf(app, document, drawings, source.bytes)
    return app.pdf.prepare({ sourcePath: source.path, outPath: climbing.path, fields: marks, evidence, signature })
  })
  const prepared = await preparing.catch(async error => {
    if (source.bytes === undefined) await demandOriginal(app, document)
    throw error
  })
  if (prepared.sourceSha256 !== document.sha256Original) throw new OriginalMissingError('has changed')
  const { contents: cms } = await sign(prepared, key)
  if (goal === 'B-B') return void (await fill({ prepared, contents: cms }))
  try {
    const stamped = await timestampCms(app, cms)
    climbing.stamps.push(stamped.path)
    await fill({ prepared, contents: stamped.cms })
    await climb(app, climbing, goal)
  } catch (error) {
    if (!(error instanceof Error && error.name === 'TimestampError') || fallback === 'wait') throw error
    // The seal does not wait: what it lacks is added later, behind its bytes.
    app.log('warn', 'sealed below its goal', { documentId: document.id, why: error.message })
    climbing.missing.push(error.message)
    if (climbing.stamps.length === 0) await fill({ prepared, contents: cms })
  }
}

/** What cannot be read may have been altered: then that is the cause to be told. */
async function demandOriginal({ storage }: App, { sha256Original }: core.Document): Promise<void> {
  const stored = await storage.hashOf(sha256Original)
  if (stored !== sha256Original) throw new OriginalMissingError(stored === undefined ? 'is missing' : 'has changed')
}

async function publish(app: App, job: Job, id: string, { sha256, level, bytes, certificateSha256, stamps }: Made): Promise<void> {
  const chains = await toPemChains(stamps)
  await app.write(async tx => {
    const document = await queries.find(tx, id)
    if (document?.status !== 'sealing') return finishJob(tx, job.id, 'done')
    const now = app.now()
    await addFile(tx, sha256, bytes, now)
    await record(tx, app, document, sealed(document, { sha256, level }, certificateSha256, now), SYSTEM)
    const version = { sha256, documentId: id, level, madeAt: now, augmentAt: augmentAt(app, level, stamps.at(-1)) }
    await addSealedVersion(tx, version, chains)
    await finishJob(tx, job.id, 'done')
  })
}

/** The cause stands on the document, and the seal is tried again for as long as it takes. */
async function postpone(app: App, job: Job, id: string, error: unknown): Promise<void> {
  const cause = causeOf(error)
  const pauseS = sealPauseS(job, error)
  app.log('error', 'sealing failed', {
    documentId: id,
    attempt: job.attempts + 1,
    error: error instanceof Error ? error.message : String(error),
  })
  await app.write(async tx => {
    const document = await queries.find(tx, id)
    if (document) await record(tx, app, document, sealingFailed(document, cause), SYSTEM)
    await postponeJob(tx, job.id, later(app.now(), pauseS), cause)
  })
}

/** A cause a person can act on; details stay in the log. */
function causeOf(error: unknown): string {
  if (error instanceof InvalidSealError)
    return `The sealed file did not pass the check before publishing: ${error.message}. Support needs the log of this time.`
  if (isDiskFull(error) || (error instanceof Refusal && error.reason === 'storage_unavailable'))
    return 'The disk is full or failing: make room in the data folder. Sealing goes on by itself.'
  if (isMachineBusy(error))
    return 'The machine is too busy to seal the document now: nothing is wrong with the file. It is tried again within a minute.'
  if (error instanceof OriginalMissingError)
    return `The original file ${error.message} in the data folder: restore it from a backup.`
  if (error instanceof Error && error.name === 'TimestampError')
    return `No time-stamp authority gave a time-stamp: ${error.message}. The seal waits for one and is tried again by itself.`
  if (error instanceof Error && error.name === 'SealKeyError') return `The seal certificate cannot be used: ${error.message}`
  if (error instanceof Error && error.name === 'PdfChildError') return `The PDF cannot be sealed: ${error.message}.`
  return 'Sealing failed for an unexpected reason; the log of this time names it. It is tried again by itself.'
}
