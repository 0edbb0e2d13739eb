/**
 * Makes a backup: one encrypted tar, read back before it gets its name. The database is copied
 * first; the files that the copy refers to are held until they are in the archive.
 */
import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { whileFilesHeld } from '../files/hold.ts'
import { databasePath } from '../lib/data-paths.ts'
import { isDiskFull, RESERVE_BYTES, syncFolder } from '../lib/disk.ts'
import { exists, partsOfFile, removeIfExists, writeAll } from '../lib/files.ts'
import { errorMessage } from '../lib/log.ts'
import { TAR_END, tarHeader, tarPadding } from '../lib/tar.ts'
import { diagnosis } from '../locales/diagnoses.ts'
import { loadMasterKey } from '../master-key.ts'
import type { App, BackupKeys, Instance } from '../ports.ts'
import { copyForBackup, factsOf, type NamelessCopy } from './database-copy.ts'
import { openEncryption, streamOf } from './encryption.ts'
import { BackupError } from './error.ts'
import { FILES_PREFIX, FORMAT, filesOf, type Manifest, PART } from './manifest.ts'
import type { FileRow } from './queries.ts'
import { checkBackup } from './read.ts'

type Services = Pick<
  App,
  | 'config'
  | 'instance'
  | 'storage'
  | 'fileSystem'
  | 'secrets'
  | 'now'
  | 'steadyMs'
  | 'timers'
  | 'random'
  | 'writeUnsynced'
  | 'log'
>

export interface BackupOptions {
  /** A new file. */
  path: string
  to: BackupKeys
  /** Runs when the database has been copied, before any file is read. */
  afterCopy?: (manifest: Manifest) => Promise<void> | void
}

export interface Backup {
  manifest: Manifest
  /** Of the encrypted file. */
  bytes: number
  /** Files that were damaged or missing before: the backup lacks them. */
  damaged: string[]
}

const FILL_BYTES = 1 << 18
/** Suffix of a file that is being written. */
export const PART_SUFFIX = '.part'

/** @throws BackupError. Then no file has the name, and nothing unencrypted is left. */
export async function makeBackup(app: Services, options: BackupOptions): Promise<Backup> {
  if (app.config.databaseUrl !== undefined) throw new BackupError(ENGINES_OWN)
  const { fileSystem } = app
  await requireNewFile(fileSystem, options.path)
  const partPath = options.path + PART_SUFFIX
  try {
    // Of a run that was killed.
    await removeIfExists(fileSystem, partPath)
    const { readBack, ...written } = await whileFilesHeld(app, hold => writePart(app, options, partPath, hold))
    const check = await checkBackup(app, partPath, readBack)
    await fileSystem.rename(partPath, options.path)
    await syncFolder(fileSystem, dirname(options.path))
    return { ...written, damaged: check.damaged }
  } catch (error) {
    await removeIfExists(fileSystem, partPath)
    throw explained(error, options.path)
  }
}

export const ENGINES_OWN =
  'This instance is in PostgreSQL and S3, whose own backups are the right ones: src/db/README.md, Backup, describes them.'

async function requireNewFile(fileSystem: App['fileSystem'], path: string): Promise<void> {
  if (await exists(fileSystem, path)) throw new BackupError(diagnosis('backup_exists', { path }))
  try {
    await fileSystem.requireWritable(dirname(path))
  } catch (error) {
    throw new BackupError(diagnosis('backup_folder_not_writable', { folder: dirname(path), errno: codeOf(error) }))
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : errorMessage(error))

function explained(error: unknown, path: string): unknown {
  if (!isDiskFull(error)) return error
  return new BackupError(diagnosis('backup_disk_full', { folder: dirname(path) }), 'disk-full', { cause: error })
}

async function writePart(app: Services, { to, afterCopy }: BackupOptions, path: string, hold: { isLost(): boolean }) {
  const copy = await copyDatabase(app)
  try {
    const manifest = await manifestOf(app, copy)
    await afterCopy?.(manifest)
    const { encrypt, readBack } = await openEncryption(to)
    const bytes = await writeStream(app.fileSystem, path, await encrypt(streamOf(archive(app, copy, manifest))))
    if (hold.isLost()) throw new BackupError(diagnosis('backup_database_silent'))
    return { manifest, bytes, readBack }
  } finally {
    await copy.close()
  }
}

async function copyDatabase({ config, storage, fileSystem }: Services): Promise<NamelessCopy> {
  const path = databasePath(config.dataFolder)
  const [{ size }, { freeBytes }] = await Promise.all([fileSystem.facts(path), fileSystem.space(config.dataFolder)])
  if (freeBytes < size + RESERVE_BYTES) {
    const megabytes = Math.ceil((size + RESERVE_BYTES) / 1e6)
    throw new BackupError(diagnosis('backup_copy_too_large', { megabytes }), 'disk-full')
  }
  return copyForBackup(fileSystem, path, storage.temporaryPath())
}

async function manifestOf({ instance, now, secrets, config }: Services, copy: NamelessCopy): Promise<Manifest> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of copy.read()) {
    hash.update(part)
    bytes += part.length
  }
  return {
    format: FORMAT,
    signet: instance.version,
    madeAt: now().toISOString(),
    ...(await factsOf(copy)),
    database: { bytes, sha256: hash.digest('hex') },
    masterKey: { fingerprint: secrets.fingerprint, isIncluded: config.masterKeyFile === undefined },
  }
}

async function* archive(app: Services, copy: NamelessCopy, manifest: Manifest): AsyncGenerator<Uint8Array> {
  yield* smallEntry(PART.manifest, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
  yield tarHeader({ name: PART.database, bytes: manifest.database.bytes })
  yield* copy.read()
  yield tarPadding(manifest.database.bytes)
  if (manifest.masterKey.isIncluded) {
    const key = loadMasterKey(app.config.dataFolder, undefined, false)
    yield* smallEntry(PART.masterKey, Buffer.from(`${Buffer.from(key).toString('base64')}\n`))
  }
  const damaged: string[] = []
  for await (const file of filesOf(copy.db)) {
    if (!(yield* fileEntry(app, file))) damaged.push(file.sha256)
  }
  yield* smallEntry(PART.damaged, Buffer.from(`${JSON.stringify(damaged)}\n`))
  yield TAR_END
}

function* smallEntry(name: string, content: Uint8Array): Generator<Uint8Array> {
  yield tarHeader({ name, bytes: content.length })
  yield content
  yield tarPadding(content.length)
}

/**
 * Returns whether the file was intact. A damaged one has an entry, too, since the archive is not
 * written a second time; its content is filled up or cut to the size of its row.
 */
async function* fileEntry(
  { storage, fileSystem, log }: Services,
  { sha256, bytes }: FileRow,
): AsyncGenerator<Uint8Array, boolean> {
  yield tarHeader({ name: `${FILES_PREFIX}${sha256}.pdf`, bytes })
  const hash = createHash('sha256')
  let left = bytes
  try {
    for await (const part of partsOfFile(fileSystem, await storage.localPath(sha256))) {
      const taken = part.subarray(0, left)
      hash.update(part)
      left -= taken.length
      yield taken
    }
  } catch (error) {
    if (!/^(ENOENT|EIO|EACCES|EISDIR)$/.test(codeOf(error))) throw error
    log('error', 'a file is missing in the backup', { sha256, error: codeOf(error) })
  }
  const isIntact = left === 0 && hash.digest('hex') === sha256
  for (; left > 0; left -= Math.min(left, FILL_BYTES)) yield new Uint8Array(Math.min(left, FILL_BYTES))
  yield tarPadding(bytes)
  return isIntact
}

/** Synced. Returns the number of bytes. */
async function writeStream(fileSystem: App['fileSystem'], path: string, parts: AsyncIterable<Uint8Array>): Promise<number> {
  const handle = await fileSystem.open(path, 'wx')
  let bytes = 0
  try {
    for await (const part of parts) {
      await writeAll(handle, part, bytes)
      bytes += part.length
    }
    await handle.sync()
    return bytes
  } finally {
    await handle.close()
  }
}

const prefixOf = ({ id, environment }: Instance): string => `signet-${environment}-${id.slice(-6)}-`

/** The name of a backup made now, such as `signet-production-x7k2m9-20261122T130500Z.age`. */
export function backupName(instance: Instance, now: Date): string {
  return `${prefixOf(instance)}${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.age`
}

/** Whether this instance gave the name: several may keep their backups in one place. */
export function isBackupName(instance: Instance, name: string): boolean {
  const prefix = prefixOf(instance)
  return name.startsWith(prefix) && /^\d{8}T\d{6}Z\.age$/.test(name.slice(prefix.length))
}
