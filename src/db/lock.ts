/** Allows one instance per data folder, by an exclusive lock that ends with the process. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openExclusive } from './open.ts'

export class FolderInUseError extends Error {}

/** Returns a function that releases the lock. Throws `FolderInUseError` that names the holder. */
export function lockFolder(folder: string, who: string): () => void {
  const lockPath = join(folder, 'signet.lock')
  const holderPath = join(folder, 'signet.holder')
  const raw = openLock(lockPath, holderPath, folder)
  writeFileSync(holderPath, `${who}, process ${process.pid}\n`, { mode: 0o600 })
  return () => raw.close()
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
    // The other process has the lock, but has not written its name yet.
    return 'another instance'
  }
}
