/**
 * Backups that the instance makes by itself, or because an administrator asks for one; makes,
 * records, hands out and deletes them.
 */
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { endAlertIn, raiseAlertIn } from '../alerts/alerts.ts'
import { appendInstanceEvent } from '../audit/log.ts'
import type { BackupPlan } from '../config/stored-rows.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import { backupsFolder } from '../lib/data-paths.ts'
import { sha256OfFile } from '../lib/disk.ts'
import { exists, removeIfExists } from '../lib/files.ts'
import { errorMessage } from '../lib/log.ts'
import { ownCommand } from '../lib/own-command.ts'
import { diagnosis, englishOfDiagnosis } from '../locales/diagnoses.ts'
import type { App, BackupKeys, MadeBackup, Origin } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { sendingPause } from '../settings/sending-pause.ts'
import { FileStoreUnavailableError } from '../storage/file-store.ts'
import { S3Bucket } from '../storage/s3-bucket.ts'
import { BackupError } from './error.ts'
import { bucketOf, keysOf, lastSlot, placeName, readBackupPlan } from './plan.ts'
import {
  type BackupRun,
  endRun,
  insertRun,
  isNodeAlive,
  markRemoved,
  openRun,
  type RunEnd,
  wasScheduledSince,
} from './run-queries.ts'
import { backupName, isBackupName, PART_SUFFIX } from './write.ts'

/** One PUT stores a backup; more would need an upload in parts. */
const MAX_S3_BYTES = 5e9

/**
 * Once a minute: makes the backup that is due, if none runs. A copy that was restored beside the
 * original must not remove its backups: it waits until sending is resumed.
 */
export async function runDueBackup(app: App): Promise<void> {
  const plan = await readBackupPlan(app.db)
  if (!plan || (await sendingPause(app.db))) return
  await endInterrupted(app)
  const { timeZone } = await readOrganisation(app.db)
  const slot = lastSlot(plan, app.now(), timeZone)
  if (!slot || slot < new Date(plan.changedAt) || (await wasScheduledSince(app.db, slot))) return
  const run = await beginRun(app, plan, 'schedule')
  if (run) await performRun(app, plan, run)
}

/** Begins one now and does not wait for its end. @throws Refusal */
export async function startBackup(app: App): Promise<void> {
  const plan = await readBackupPlan(app.db)
  if (!plan) throw new Refusal('invalid_state', violation('backup_place_missing'))
  await endInterrupted(app)
  const run = await beginRun(app, plan, 'request')
  if (!run) throw new Refusal('invalid_state', violation('backup_running'))
  performRun(app, plan, run).catch(error => app.log('error', 'backup not recorded', { error: errorMessage(error) }))
}

/** Undefined while another one runs. */
async function beginRun(app: App, plan: BackupPlan, cause: BackupRun['cause']): Promise<BackupRun | undefined> {
  const place = await placeName(app, plan)
  const run: BackupRun = {
    id: app.newId('bak'),
    cause,
    boot: app.node.boot,
    startedAt: app.now(),
    endedAt: undefined,
    verdict: undefined,
    fileName: backupName(app.instance, app.now()),
    place,
    bytes: undefined,
    documents: undefined,
    problem: undefined,
    removedAt: undefined,
  }
  return app.write(
    async tx => {
      if (await openRun(tx)) return undefined
      await insertRun(tx, run)
      return run
    },
    { wake: false },
  )
}

/** Of a process that is gone, or of the instance before it was restored. */
async function endInterrupted(app: App): Promise<void> {
  const run = await openRun(app.db)
  if (!run || (await isNodeAlive(app.db, run.boot))) return
  const problem = englishOfDiagnosis(diagnosis('backup_interrupted'))
  await recordEnd(app, run, { verdict: 'failed', bytes: undefined, documents: undefined, problem })
}

async function performRun(app: App, plan: BackupPlan, run: BackupRun): Promise<void> {
  try {
    const { bytes, documents, damaged } = await (plan.place === 'folder' ? toFolder(app, plan, run) : toBucket(app, plan, run))
    const isWhole = damaged.length === 0
    const lost = diagnosis('backup_lacks_files', { files: damaged.length })
    await recordEnd(app, run, {
      verdict: isWhole ? 'verified' : 'incomplete',
      bytes,
      documents,
      problem: isWhole ? undefined : englishOfDiagnosis(lost),
    })
    // An older backup may still hold what this one lacks.
    if (isWhole) await removeOlder(app, plan).catch(error => logKept(app, error))
  } catch (error) {
    app.log('error', 'backup failed', { error: errorMessage(error) })
    await recordEnd(app, run, { verdict: 'failed', bytes: undefined, documents: undefined, problem: errorMessage(error) })
  }
}

async function recordEnd(app: App, run: BackupRun, end: RunEnd): Promise<void> {
  await app.write(async tx => {
    await endRun(tx, run.id, app.now(), end)
    if (end.verdict === 'verified') {
      await endAlertIn(tx, app, 'backup_failed')
      return
    }
    const code = end.verdict === 'failed' ? 'backup_failed' : 'backup_incomplete'
    await raiseAlertIn(tx, app, { kind: 'backup_failed', found: diagnosis(code, { reason: end.problem ?? '' }) })
  })
}

async function toFolder(app: App, plan: BackupPlan, { fileName }: BackupRun): Promise<MadeBackup> {
  await removeParts(app, plan.folder)
  return app.makeBackup(join(plan.folder, fileName), await keysOf(app, plan))
}

/** Of runs that were killed: only one runs at a time. */
async function removeParts({ instance, fileSystem }: App, folder: string): Promise<void> {
  // A folder that cannot be read has a sentence of its own when the backup is made.
  const names = await fileSystem.names(folder).catch(() => [])
  const parts = names.filter(name => name.endsWith(PART_SUFFIX) && isBackupName(instance, name.slice(0, -PART_SUFFIX.length)))
  for (const name of parts) await removeIfExists(fileSystem, join(folder, name))
}

/** By an encrypted file on this disk, which is removed. */
async function toBucket(app: App, plan: BackupPlan, { fileName }: BackupRun): Promise<MadeBackup> {
  const { fileSystem } = app
  const location = await bucketOf(app)
  const bucket = new S3Bucket(location, app)
  const folder = backupsFolder(app.config.dataFolder)
  await fileSystem.makeFolder(folder)
  await removeParts(app, folder)
  const path = join(folder, fileName)
  try {
    const made = await app.makeBackup(path, await keysOf(app, plan))
    if (made.bytes > MAX_S3_BYTES) {
      throw new BackupError(diagnosis('backup_too_large_for_s3', { gigabytes: Math.round(made.bytes / 1e9) }))
    }
    const sha256 = await sha256OfFile(fileSystem, path)
    await bucket.put(fileSystem, location.prefix + fileName, path, sha256)
    if ((await bucket.hashOf(location.prefix + fileName)) === sha256) return made
    throw new BackupError(diagnosis('backup_store_changes_bytes'))
  } finally {
    await removeIfExists(fileSystem, path)
  }
}

/** The new backup is made all the same; the next one tries again. */
const logKept = (app: App, error: unknown) => app.log('error', 'older backup not removed', { error: errorMessage(error) })

/** Keeps the newest ones, and those that cannot be removed. */
async function removeOlder(app: App, plan: BackupPlan): Promise<void> {
  const store = plan.place === 'folder' ? storedInFolder(app, plan.folder) : await storedInBucket(app)
  const names = (await store.list()).filter(name => isBackupName(app.instance, name)).sort()
  for (const name of names.slice(0, -plan.keep)) {
    try {
      await store.remove(name)
    } catch (error) {
      logKept(app, error)
      continue
    }
    await app.write(tx => markRemoved(tx, name, app.now()), { wake: false })
  }
}

interface StoredBackups {
  list(): Promise<string[]>
  remove(name: string): Promise<void>
}

const storedInFolder = ({ fileSystem }: App, folder: string): StoredBackups => ({
  list: () => fileSystem.names(folder),
  remove: name => removeIfExists(fileSystem, join(folder, name)),
})

async function storedInBucket(app: App): Promise<StoredBackups> {
  const location = await bucketOf(app)
  const bucket = new S3Bucket(location, app)
  return {
    async list() {
      const names: string[] = []
      for await (const keys of bucket.list(location.prefix)) names.push(...keys.map(key => key.slice(location.prefix.length)))
      return names
    },
    remove: name => bucket.delete(location.prefix + name),
  }
}

// Hands out a backup that is kept in a folder or an S3 bucket.

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

// Makes a backup in a child process: deriving a key and encrypting would block this one.

/** As `nice`: people who wait come first. */
const PRIORITY = 10

/** By the verb of the command line. The pass-phrase is in no argument. @throws BackupError */
export async function backupInChild({ dataFolder }: Config, path: string, to: BackupKeys): Promise<MadeBackup> {
  const flags = 'passphrase' in to ? ['--passphrase-stdin'] : to.recipients.flatMap(recipient => ['--recipient', recipient])
  const child = Bun.spawn([...ownCommand(), 'backup', path, '--json', '--data', dataFolder, ...flags], {
    stdin: Buffer.from('passphrase' in to ? to.passphrase : ''),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  setPriority(child.pid, PRIORITY)
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  if (out.startsWith('{')) return JSON.parse(out) as MadeBackup
  throw new BackupError(sentenceIn(err) ?? diagnosis('backup_process_ended', { exitCode: String(child.exitCode) }))
}

/** Other lines are of the log. */
const sentenceIn = (text: string): string | undefined => /^signet backup: (.*)$/m.exec(text)?.[1]
