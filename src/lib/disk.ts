/** Errors and free space of a disk, and durable writes. */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { partsOfFile, writeAll } from './files.ts'
import type { FileSystem } from './machine.ts'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether the disk is full, failing or locked by another program. */
export function isDiskError(error: unknown): boolean {
  return /^(SQLITE_FULL|SQLITE_IOERR|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_BUSY|ENOSPC|EIO|EROFS|EDQUOT)/.test(codeOf(error))
}

/** SHMSIZE: SQLite could not enlarge its shared memory. */
export function isDiskFull(error: unknown): boolean {
  return /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/.test(codeOf(error))
}

/** For people, who get no stack; undefined for an error that is not of the disk. */
export function diskErrorSentence(error: unknown): string | undefined {
  const code = codeOf(error)
  if (!isDiskError(error) || code.startsWith('SQLITE_BUSY')) return undefined
  return isDiskFull(error)
    ? `A disk is full (${code}): free space, and run the command again.`
    : `A disk fails, or cannot be written (${code}): check it, and run the command again.`
}

/** Whether the process or the machine has too many open files and connections. */
export function isOutOfFiles(error: unknown): boolean {
  return /^(EMFILE|ENFILE)$/.test(codeOf(error))
}

/**
 * Whether written data may not be durable. A second sync would succeed and prove nothing.
 * https://wiki.postgresql.org/wiki/Fsync_Errors
 */
export function isSyncError(error: unknown): boolean {
  return /^(SQLITE_IOERR(_DIR)?_FSYNC|EIO)$/.test(codeOf(error))
}

export interface DiskSpace {
  /** Available to this user. */
  freeBytes: number
  totalBytes: number
}

/** `low`: no new files are accepted. `reserve`: only deletions are accepted. */
export type DiskLevel = 'ok' | 'low' | 'reserve'

const MIB = 1024 * 1024
/** Space for sealing several of the largest documents at once, and for the database's log. */
const MIN_FREE_BYTES = 500 * MIB
/** Gives the administrator time to act: 5 %, on a large disk at most `ENOUGH_FREE_BYTES`. */
const MIN_FREE_FRACTION = 0.05
const ENOUGH_FREE_BYTES = 10 * 1024 * MIB
/** Kept for the database's log and for deletions: SQLite must never meet a full disk. */
export const RESERVE_BYTES = 32 * MIB

/** The limit of the level `low` for a disk of this size. */
export function lowBytesOf({ totalBytes }: Pick<DiskSpace, 'totalBytes'>): number {
  return Math.max(MIN_FREE_BYTES, Math.min(ENOUGH_FREE_BYTES, MIN_FREE_FRACTION * totalBytes))
}

/** Below this an administrator is warned, before anything is refused. */
export const nearLowBytesOf = (space: Pick<DiskSpace, 'totalBytes'>): number => 2 * lowBytesOf(space)

export function diskLevelOf(space: DiskSpace): DiskLevel {
  if (space.freeBytes < RESERVE_BYTES) return 'reserve'
  return space.freeBytes < lowBytesOf(space) ? 'low' : 'ok'
}

/** Writes and syncs a file (0600), not its name: call `syncFolder`. `wx`: EEXIST if it exists. */
export async function writeSynced(
  fileSystem: FileSystem,
  path: string,
  bytes: Uint8Array,
  flag: 'w' | 'wx' = 'w',
): Promise<void> {
  const file = await fileSystem.open(path, flag)
  try {
    await writeAll(file, bytes, 0)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes new names in a folder durable. */
export async function syncFolder(fileSystem: FileSystem, folder: string): Promise<void> {
  const file = await fileSystem.open(folder, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** For a start, which has not begun to serve. */
export function syncFolderNow(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

export async function sha256OfFile(fileSystem: FileSystem, path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of partsOfFile(fileSystem, path)) hash.update(part)
  return hash.digest('hex')
}
