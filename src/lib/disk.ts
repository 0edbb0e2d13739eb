/** What a disk says when it cannot, and what makes a name on it durable. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, statfs } from 'node:fs/promises'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether an error is SQLite's or the system's word for a disk that is full, failing or held by another program. */
export function isDiskFault(error: unknown): boolean {
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
export function isSyncFault(error: unknown): boolean {
  return /^(SQLITE_IOERR(_DIR)?_FSYNC|EIO)$/.test(codeOf(error))
}

const LEAST_FREE_BYTES = 500 * 1024 * 1024
const LEAST_FREE_PART = 0.05

/** The room left where a folder lies; scarce below 500 MiB or a twentieth of the disk. */
export async function roomIn(folder: string): Promise<{ freeBytes: number; isScarce: boolean }> {
  const { bavail, bsize, blocks } = await statfs(folder)
  const freeBytes = bavail * bsize
  return { freeBytes, isScarce: freeBytes < LEAST_FREE_BYTES || bavail / blocks < LEAST_FREE_PART }
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
