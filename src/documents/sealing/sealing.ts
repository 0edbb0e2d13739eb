/** Seals a document after its last signature and completes it. A crash repeats the stages. */
import type * as core from '../../core/document/document.ts'
import { sealed, sealingFailed } from '../../core/document/sealed.ts'
import { Refusal, UnreachableError } from '../../core/refusal.ts'
import { type Violation, violation } from '../../core/violation.ts'
import { changeTime } from '../../db/change-time.ts'
import { storageRefusal } from '../../db/storage-refusal.ts'
import { abandonFile, type FileClaim, keepFile } from '../../files/claims.ts'
import { verifyPage } from '../../files/verify-page.ts'
import { isDiskFull } from '../../lib/disk.ts'
import { errorMessage } from '../../lib/log.ts'
import { englishOfViolation } from '../../locales/violations.ts'
import { isMachineBusy, retryTime, sealRetryDelayS } from '../../outbox/outbox.ts'
import { finishJob, type LeasedJob, LeaseLostError, postponeJob } from '../../outbox/queries.ts'
import { TimestampError } from '../../pades/timestamp.ts'
import { SealKeyError } from '../../pki/issue.ts'
import { type App, SYSTEM } from '../../ports.ts'
import { PdfChildError } from '../../sandbox/errors.ts'
import { readTimestampSettings } from '../../settings/timestamp-settings.ts'
import { FileDamagedError } from '../../storage/file-store.ts'
import { evidenceOf } from '../evidence/evidence.ts'
import { keepVerifyPage } from '../evidence/page-queries.ts'
import * as queries from '../queries.ts'
import { record } from '../record.ts'
import { dateLanguageOf, fieldAppearances, withDrawings } from '../signing/marks.ts'
import { augmentAt, toPemChains } from './long-term.ts'
import { InvalidSealError, OriginalMissingError, type SealedCopy, type SealSubject, sealFile } from './seal-file.ts'
import { addSealedVersion } from './sealed-queries.ts'

export async function sealDocument(app: App, job: LeasedJob): Promise<void> {
  const document = await queries.find(app.db, job.subject)
  if (document?.status !== 'sealing') {
    await app.write(tx => finishJob(tx, job, 'done'))
    return
  }
  try {
    const made = await storeSealedFile(app, document)
    let isUsed = false
    try {
      isUsed = await publish(app, job, document.id, made)
    } finally {
      if (!isUsed) await abandonFile(app, made.claim)
    }
  } catch (error) {
    if (error instanceof LeaseLostError) throw error
    await postpone(app, job, document.id, error)
  }
}

interface StoredCopy extends SealedCopy {
  claim: FileClaim
}

async function storeSealedFile(app: App, document: core.Document): Promise<StoredCopy> {
  await app.disk.requireSpaceForChange()
  const { level, subFilter } = await readTimestampSettings(app)
  const made = await sealFile(app, await sealSubjectOf(app, document), { key: await app.sealKey(), level, subFilter })
  try {
    return { ...made, claim: await keepFile(app, made.path, made) }
  } finally {
    await app.storage.discard(made.path)
  }
}

async function sealSubjectOf(app: App, document: core.Document): Promise<SealSubject> {
  const { id, title, recipients, sha256Original } = document
  return {
    id,
    sourcePath: await originalPath(app, document),
    sourceSha256: sha256Original,
    reason: `Sealed after all had signed: ${title} (${id})`,
    async withContent(work) {
      const language = await dateLanguageOf(app.db, document)
      try {
        return await withDrawings(app, recipients, async drawings => {
          const fields = fieldAppearances(document, recipients, drawings, language)
          return work({ fields, evidence: await evidenceOf(app, document, drawings) })
        })
      } catch (error) {
        await requireOriginal(app, document)
        throw error
      }
    },
  }
}

async function originalPath(app: App, document: core.Document): Promise<string> {
  try {
    return await app.storage.localPath(document.sha256Original)
  } catch (error) {
    if (error instanceof FileDamagedError) await requireOriginal(app, document)
    throw error
  }
}

/** A file that cannot be prepared may have been altered. That cause is the one to report. */
async function requireOriginal({ storage }: App, { sha256Original }: core.Document): Promise<void> {
  const stored = await storage.hashOf(sha256Original)
  if (stored !== sha256Original) throw new OriginalMissingError(stored !== undefined)
}

/** Returns whether the document refers to the file now. */
async function publish(app: App, job: LeasedJob, id: string, made: StoredCopy): Promise<boolean> {
  const { sha256, level, subFilter, claim, certificateSha256, timestampChains } = made
  const chains = toPemChains(timestampChains)
  const goal = (await readTimestampSettings(app)).levels[subFilter]
  const page = verifyPage()
  return app.write(async tx => {
    await finishJob(tx, job, 'done')
    const document = await queries.find(tx, id)
    if (document?.status !== 'sealing') return false
    const now = await changeTime(tx, app)
    const file = { sha256, level, subFilter, verifyPageSha256: page.sha256 }
    const transition = sealed(document, file, certificateSha256, now)
    await keepVerifyPage(tx, page, now)
    await record(tx, app, document, transition, SYSTEM, { file: claim })
    const version = {
      sha256,
      documentId: id,
      level,
      subFilter,
      madeAt: now,
      augmentAt: augmentAt(app, { level, goal }, timestampChains.at(-1)),
    }
    await addSealedVersion(tx, version, chains)
    return true
  })
}

/** Records the cause on the document. Sealing is retried without end. */
async function postpone(app: App, job: LeasedJob, id: string, error: unknown): Promise<void> {
  const cause = englishOfViolation(causeOf(error))
  const pauseS = sealRetryDelayS(job, error)
  app.log('error', 'sealing failed', { documentId: id, attempt: job.attempts + 1, error: errorMessage(error) })
  await app.write(async tx => {
    await postponeJob(tx, job, retryTime(app, pauseS), cause)
    const document = await queries.find(tx, id)
    if (document) await record(tx, app, document, sealingFailed(document, cause), SYSTEM)
  })
}

/** For the owner, who can act on it; the log has the details. */
function causeOf(error: unknown): Violation {
  if (error instanceof InvalidSealError) return violation('sealed_file_invalid')
  if (storageRefusal(error) instanceof UnreachableError) return violation('sealing_unreachable')
  if (isDiskFull(error) || (error instanceof Refusal && error.reason === 'storage_unavailable')) return violation('sealing_disk')
  if (isMachineBusy(error)) return violation('sealing_busy')
  if (error instanceof OriginalMissingError) return violation(error.hasChanged ? 'original_changed' : 'original_missing')
  if (error instanceof TimestampError) return violation('timestamp_awaited', { reason: error.message })
  if (error instanceof SealKeyError) return violation('seal_certificate_unusable', { reason: error.message })
  if (error instanceof PdfChildError) return violation('pdf_unsealable', { reason: error.message })
  return violation('sealing_failed')
}
