/**
 * Restores a backup: unpacks it beside the data folder, checks every part, brings the schema up to
 * date, pauses sending, and only then puts the new folder in the place of the old one.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { appendInstanceEvent } from '../audit/log.ts'
import type { Config } from '../config.ts'
import { lockFolder } from '../db/lock.ts'
import { migrate } from '../db/migrate.ts'
import { openRaw, openSqlite } from '../db/sqlite.ts'
import { counted } from '../lib/counted.ts'
import { databasePath, filesFolder, keysFolder } from '../lib/data-paths.ts'
import { isDiskError, isDiskFull, syncFolder, writeSynced } from '../lib/disk.ts'
import { writeAll } from '../lib/files.ts'
import { idFactory } from '../lib/id.ts'
import type { FileSystem, OpenFile, Random } from '../lib/machine.ts'
import { permissionProblem } from '../lib/private-path.ts'
import { fingerprintOf as keyFingerprint, secretBox } from '../lib/secret-box.ts'
import { loadMasterKey } from '../master-key.ts'
import { COMMAND_LINE } from '../ports.ts'
import { pauseSending } from '../settings/sending-pause.ts'
import { fileNameOf } from '../storage/file-store.ts'
import { examineDatabase } from './database-copy.ts'
import type { Identities } from './encryption.ts'
import { BackupError } from './error.ts'
import type { Manifest } from './manifest.ts'
import { type Contents, type PartWriter, readBackup, type Unpacking } from './read.ts'
import {
  dropRestore,
  finishSwapped,
  isSwapped,
  isWhole,
  makeRestoring,
  markWhole,
  removeRestoring,
  removeUnused,
  requireReplaceable,
  swapIn,
} from './restored-folder.ts'
import { settleOpenRun } from './run-queries.ts'

export interface RestoreOptions {
  path: string
  by: Identities
  config: Pick<Config, 'dataFolder' | 'environment' | 'masterKeyFile'>
  fileSystem: FileSystem
  now(): Date
  random: Random
  say(line: string): void
}

export interface Restored {
  /** Undefined if an earlier run, which was killed, had checked everything. */
  contents: Contents | undefined
  /** Where the former data folder is now. */
  keptAs: string | undefined
}

/** For the log of the database and the files that are written while it is unpacked. */
const MIN_FREE_BYTES = 64 << 20
const FINGERPRINT_BYTES = 4096
const SYNCS_AT_ONCE = 16

const UNCHANGED = 'Nothing was changed.'
const GO_ON =
  'Everything was checked and is on this disk: when that is mended, run the same command again, which puts it in place.'

/** @throws BackupError, SchemaTooNewError, FolderInUseError: the message says what was changed. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { fileSystem } = options
  const { dataFolder } = options.config
  const fingerprint = await fingerprintOf(fileSystem, options.path)
  // Not yet made where the former folder has its new name already: nobody else may take the place.
  const isMade = !existsSync(dataFolder)
  let unlock: (() => void) | undefined
  try {
    unlock = await withDisk(dataFolder, UNCHANGED, () => takeFolder(dataFolder, isWhole(dataFolder, fingerprint)))
    if (isSwapped(dataFolder, fingerprint)) return { contents: undefined, keptAs: await finishSwapped(fileSystem, dataFolder) }
    requireReplaceable(dataFolder)
    const contents = isWhole(dataFolder, fingerprint)
      ? undefined
      : await withDisk(dataFolder, UNCHANGED, () => prepare(options, fingerprint))
    return { contents, keptAs: await withDisk(dataFolder, GO_ON, () => putInPlace(fileSystem, dataFolder)) }
  } catch (error) {
    if (isMade) removeUnused(dataFolder)
    throw error
  } finally {
    unlock?.()
  }
}

/**
 * Ends an interrupted restore of this folder without its backup. Returns whether there was one.
 * @throws FolderInUseError
 */
export async function dropInterrupted(fileSystem: FileSystem, folder: string): Promise<boolean> {
  const unlock = takeFolder(folder, true)
  try {
    return await dropRestore(fileSystem, folder)
  } finally {
    unlock()
  }
}

async function putInPlace(fileSystem: FileSystem, folder: string): Promise<string | undefined> {
  await swapIn(fileSystem, folder)
  return finishSwapped(fileSystem, folder)
}

/** `consequence`: what a disk that is full or fails leaves behind. */
async function withDisk<T>(folder: string, consequence: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const cause = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (isDiskFull(error)) {
      const message = `The disk of ${dirname(folder)} is full: free space, or restore to another disk with --data. ${consequence}`
      throw new BackupError(message, 'disk-full', { cause: error })
    }
    if (!isDiskError(error)) throw error
    const message = `The disk of ${dirname(folder)} fails, or cannot be written (${cause}). ${consequence}`
    throw new BackupError(message, 'refused', { cause: error })
  }
}

function takeFolder(folder: string, mayBeMissing: boolean): () => void {
  if (!existsSync(folder)) {
    if (mayBeMissing) return () => undefined
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }
  const problem = permissionProblem(folder, 0o700)
  if (problem !== undefined) throw new BackupError(`The data folder ${folder} ${problem}`)
  return lockFolder(folder, 'signet restore')
}

/** Of two backups it differs in any case: the beginning has a random key. */
export async function fingerprintOf(fileSystem: FileSystem, path: string): Promise<string> {
  try {
    const handle = await fileSystem.open(path, 'r')
    try {
      const beginning = Buffer.alloc(FINGERPRINT_BYTES)
      const { bytesRead } = await handle.read(beginning, 0, FINGERPRINT_BYTES, 0)
      const { size } = await fileSystem.facts(path)
      return createHash('sha256').update(beginning.subarray(0, bytesRead)).update(String(size)).digest('hex')
    } finally {
      await handle.close()
    }
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new BackupError(`${path} cannot be read (${why}): name the file of a backup.`)
  }
}

async function prepare(options: RestoreOptions, fingerprint: string): Promise<Contents> {
  const { fileSystem } = options
  const { dataFolder } = options.config
  let target: RestoringFolder | undefined
  try {
    const beside = await makeRestoring(fileSystem, dataFolder)
    target = new RestoringFolder(beside, options)
    const contents = await readBackup(fileSystem, options.path, options.by, target)
    await target.settled()
    options.say('Everything was read. The database, the audit log and the files are compared.')
    const { masterKey, manifest } = contents
    if (masterKey && options.config.masterKeyFile === undefined) await writeKey(fileSystem, beside, masterKey)
    await examineDatabase(databasePath(beside), manifest, secretBox(keyFor(options.config, masterKey), options.random))
    await bringUpToDate(beside, manifest, options)
    await syncFolder(fileSystem, filesFolder(beside))
    await markWhole(fileSystem, dataFolder, fingerprint, options.now())
    return contents
  } catch (error) {
    await target?.close()
    removeRestoring(dataFolder)
    throw error
  }
}

function keyFor({ dataFolder, masterKeyFile }: RestoreOptions['config'], included: Uint8Array | undefined): Uint8Array {
  if (included && masterKeyFile === undefined) return included
  return loadMasterKey(dataFolder, masterKeyFile, false)
}

async function writeKey(fileSystem: FileSystem, beside: string, key: Uint8Array): Promise<void> {
  const folder = keysFolder(beside)
  mkdirSync(folder, { mode: 0o700 })
  await writeSynced(fileSystem, join(folder, 'master.key'), Buffer.from(`${Buffer.from(key).toString('base64')}\n`), 'wx')
  await syncFolder(fileSystem, folder)
}

/** The parts of a backup as files of a new data folder, each synced. */
class RestoringFolder implements Unpacking {
  readonly #folder: string
  readonly #options: RestoreOptions
  readonly #syncs = new Set<Promise<void>>()
  #unfinished: OpenFile | undefined

  constructor(folder: string, options: RestoreOptions) {
    this.#folder = folder
    this.#options = options
  }

  async accept(manifest: Manifest): Promise<void> {
    const { config, say } = this.#options
    if (manifest.environment !== config.environment) {
      throw new BackupError(
        `The backup is of the environment "${manifest.environment}", not "${config.environment}": restore it with SIGNET_ENVIRONMENT=${manifest.environment}. Nothing was changed.`,
      )
    }
    requireKey(manifest, config)
    const needed = manifest.database.bytes + manifest.files.bytes + MIN_FREE_BYTES
    const { freeBytes } = await this.#options.fileSystem.space(this.#folder)
    if (freeBytes < needed) {
      throw new BackupError(
        `The restored folder needs ${Math.ceil(needed / 1e6)} MB, and ${Math.floor(freeBytes / 1e6)} MB are free beside ${config.dataFolder}: free space, or restore to another disk with --data. Nothing was changed.`,
        'disk-full',
      )
    }
    say(
      `Backup of ${manifest.madeAt}, instance ${manifest.instance} (${manifest.environment}): ${counted(manifest.documents, 'document')}, ${counted(manifest.files.count, 'file')}, ${manifest.masterKey.isIncluded ? 'with' : 'without'} the master key.`,
    )
  }

  database(): Promise<PartWriter> {
    return this.#write(databasePath(this.#folder))
  }

  file(sha256: string): Promise<PartWriter> {
    return this.#write(join(this.#folder, 'files', fileNameOf(sha256)))
  }

  /** All files are on the disk. */
  async settled(): Promise<void> {
    await Promise.all(this.#syncs)
  }

  /** After a failure: the part that was being written stays incomplete. */
  async close(): Promise<void> {
    await this.#unfinished?.close()
    await Promise.allSettled(this.#syncs)
  }

  async #write(path: string): Promise<PartWriter> {
    const { fileSystem } = this.#options
    const handle = await fileSystem.open(path, 'wx')
    this.#unfinished = handle
    let position = 0
    return {
      async write(part) {
        await writeAll(handle, part, position)
        position += part.length
      },
      end: async isIntact => {
        this.#unfinished = undefined
        if (isIntact) return this.#sync(handle)
        await handle.close()
        await fileSystem.unlink(path)
      },
    }
  }

  /** Several at once: a disk syncs them faster together. */
  async #sync(handle: OpenFile): Promise<void> {
    const sync = handle.sync().finally(() => handle.close())
    this.#syncs.add(sync)
    const ended = sync.then(() => void this.#syncs.delete(sync))
    // A failed one stays in the set, where `settled` finds it.
    ended.catch(() => undefined)
    if (this.#syncs.size >= SYNCS_AT_ONCE) await Promise.race(this.#syncs)
  }
}

function requireKey({ masterKey }: Manifest, { dataFolder, masterKeyFile }: RestoreOptions['config']): void {
  if (masterKeyFile === undefined) {
    if (masterKey.isIncluded) return
    throw new BackupError(
      'The backup does not contain the master key, which was kept outside the data folder: name it in SIGNET_MASTER_KEY_FILE. Nothing was changed.',
    )
  }
  if (keyFingerprint(loadMasterKey(dataFolder, masterKeyFile, false)) === masterKey.fingerprint) return
  const id = masterKey.fingerprint.slice(0, 8)
  const remedy = masterKey.isIncluded
    ? 'unset SIGNET_MASTER_KEY_FILE, the backup contains its key'
    : `name the right one, ${id}, in SIGNET_MASTER_KEY_FILE; one that was replaced is kept as FILE.former-${id}`
  throw new BackupError(`${masterKeyFile} is not the master key of this backup: ${remedy}. Nothing was changed.`)
}

/** Migrates, records the restore and pauses sending, while the folder is not yet in use. */
async function bringUpToDate(
  folder: string,
  manifest: Manifest,
  { path: backup, fileSystem, now, random }: Pick<RestoreOptions, 'path' | 'fileSystem' | 'now' | 'random'>,
): Promise<void> {
  const { size } = await fileSystem.facts(backup)
  const path = databasePath(folder)
  const raw = openRaw(path)
  migrate(raw, { now })
  const database = openSqlite(path, raw)
  try {
    await database.write(async tx => {
      const data = { backupMadeAt: manifest.madeAt, entries: manifest.audit.entries, head: manifest.audit.head }
      const deps = { now, random, newId: idFactory(() => now().getTime(), random) }
      await settleOpenRun(tx, basename(backup), { endedAt: now(), documents: manifest.documents, bytes: size })
      await appendInstanceEvent(tx, deps, { type: 'instance.restored', data }, COMMAND_LINE)
      await pauseSending(tx, { since: now(), backupMadeAt: new Date(manifest.madeAt) })
    })
  } finally {
    await database.close()
  }
  await syncFolder(fileSystem, folder)
}
