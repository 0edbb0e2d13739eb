/** Allows one instance per data folder: an SQLite transaction locks it until the process ends. */
import { lchownSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeRunningAddress } from '../lib/running-address.ts'
import { openExclusive } from './sqlite.ts'

export class FolderInUseError extends Error {}

/** Returns a function that releases the lock. Throws a `FolderInUseError` naming the holder. */
export function lockFolder(folder: string, holder: string): () => void {
  const lockPath = join(folder, 'signet.lock')
  const holderPath = join(folder, 'signet.holder')
  const lock = openLock(lockPath, holderPath, folder)
  // The one who wrote it was killed: nobody else has the lock.
  removeRunningAddress(folder)
  writeFileSync(holderPath, `${holder}, process ${process.pid}\n`, { mode: 0o600 })
  giveToOwner(folder, [lockPath, holderPath])
  return () => {
    removeRunningAddress(folder)
    lock.close()
  }
}

/** What root makes in the folder of a service must stay open to its user. */
function giveToOwner(folder: string, paths: string[]): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(folder)
  for (const path of paths) lchownSync(path, uid, gid)
}

function openLock(lockPath: string, holderPath: string, folder: string) {
  try {
    return openExclusive(lockPath)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY'))) throw error
    throw new FolderInUseError(
      `The data folder ${folder} is in use by ${readHolder(holderPath)}. Stop it first, or use another folder with --data.`,
    )
  }
}

function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim() || 'another instance'
  } catch {
    // The other process has locked the folder, but has not written this file yet.
    return 'another instance'
  }
}
