/** What a disk says when it cannot, and what makes a name on it durable. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, statfs } from 'node:fs/promises'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether an error is SQLite's or the system's word for a disk that is full, failing or held by another program. */
export function isDiskError(error: unknown): boolean {
  return /^(SQLITE_FULL|SQLITE_IOERR|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_BUSY|ENOSPC|EIO|EROFS|EDQUOT)/.test(codeOf(error))
}

/** Whether the disk is full, by SQLite's or the system's word. */
export function isDiskFull(error: unknown): boolean {
  return /^(SQLITE_FULL|ENOSPC|EDQUOT)$/.test(codeOf(error))
}

/** Whether this process, or the machine, has as many files and connections open as it may. */
export function isOutOfFiles(error: unknown): boolean {
  return /^(EMFILE|ENFILE)$/.test(codeOf(error))
}

/** Whether what was to be made durable may not be: a second sync would succeed and prove nothing. https://wiki.postgresql.org/wiki/Fsync_Errors */
export function isSyncError(error: unknown): boolean {
  return /^(SQLITE_IOERR(_DIR)?_FSYNC|EIO)$/.test(codeOf(error))
}

export interface DiskSpace {
  /** What is left for this user. */
  freeBytes: number
  totalBytes: number
}

/** `low`: enough for what was begun, not for more files. `reserve`: nothing but what frees space is written any more. */
export type DiskLevel = 'ok' | 'low' | 'reserve'

const MIB = 1024 * 1024
/** Several of the largest documents being sealed at once, with the database's log. It is needed on a small disk as well. */
const LEAST_FREE_BYTES = 500 * MIB
/** A disk that fills needs time to be looked after: five parts in a hundred, of a large disk no more than this. */
const LEAST_FREE_PART = 0.05
const ENOUGH_FREE_BYTES = 10 * 1024 * MIB
/** Kept for the database: its log, and the removal of documents. SQLite must not be the one that finds the disk full. */
export const RESERVE_BYTES = 32 * MIB

/** Below this a disk of that size is low. */
export function lowBytesOf({ totalBytes }: Pick<DiskSpace, 'totalBytes'>): number {
  return Math.max(LEAST_FREE_BYTES, Math.min(ENOUGH_FREE_BYTES, LEAST_FREE_PART * totalBytes))
}

export function diskLevelOf(space: DiskSpace): DiskLevel {
  if (space.freeBytes < RESERVE_BYTES) return 'reserve'
  return space.freeBytes < lowBytesOf(space) ? 'low' : 'ok'
}

/** The space where a folder lies. Throws the system's error. */
export async function diskSpaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, bsize, blocks } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** Writes a file for its owner alone and onto the disk, not yet its name. What stands there already is replaced, or refused with `wx` (EEXIST). */
export async function writeSynced(path: string, bytes: Uint8Array, flag: 'w' | 'wx' = 'w'): Promise<void> {
  const handle = await open(path, flag, 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A new name in a folder may be lost with the power until the folder itself is on disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** SHA-256 in hex, a part of the file at a time. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
