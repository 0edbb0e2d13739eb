/** Hands out a backup that is kept in a folder or an S3 bucket. */
import { join } from 'node:path'
import { appendInstanceEvent } from '../audit/log.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import { exists } from '../lib/files.ts'
import type { App, Origin } from '../ports.ts'
import { FileStoreUnavailableError } from '../storage/file-store.ts'
import { bucketOf, placeName, readBackupPlan } from './plan.ts'
import type { BackupRun } from './run-queries.ts'

/** Only the bucket of the plan: the login of an earlier one is not kept. */
export async function currentBucket(app: App): Promise<string | undefined> {
  const plan = await readBackupPlan(app.db)
  return plan?.place === 's3' ? placeName(app, plan) : undefined
}

/** Without asking the bucket: the answer to a download says whether it has the file. */
export async function isDownloadable(
  { fileSystem }: Pick<App, 'fileSystem'>,
  run: BackupRun,
  bucket: string | undefined,
): Promise<boolean> {
  if (run.bytes === undefined || run.removedAt !== undefined) return false
  return run.place === bucket || exists(fileSystem, join(run.place, run.fileName))
}

/** Recorded before the first byte goes out. @throws Refusal `not_found`, `storage_unavailable` */
export async function downloadBackup(app: App, origin: Origin, run: BackupRun): Promise<Blob | ReadableStream<Uint8Array>> {
  const bucket = await currentBucket(app)
  if (!(await isDownloadable(app, run, bucket))) throw new Refusal('not_found', violation('backup_gone'))
  const content = run.place === bucket ? await openInBucket(app, run) : app.fileSystem.blob(join(run.place, run.fileName))
  const data = { file: run.fileName, bytes: run.bytes ?? 0 }
  await app.write(tx => appendInstanceEvent(tx, app, { type: 'backup.downloaded', data }, origin))
  return content
}

async function openInBucket(app: App, { fileName }: BackupRun): Promise<ReadableStream<Uint8Array>> {
  const [location, { S3Bucket }] = await Promise.all([bucketOf(app), import('../storage/s3-bucket.ts')])
  try {
    const body = await new S3Bucket(location, app).open(location.prefix + fileName)
    if (body) return body
  } catch (error) {
    if (!(error instanceof FileStoreUnavailableError)) throw error
    throw new Refusal('storage_unavailable', violation('backup_not_handed_out', { reason: error.message }))
  }
  throw new Refusal('not_found', violation('backup_gone'))
}
