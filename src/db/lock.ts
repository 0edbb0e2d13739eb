/** One instance per data folder: an exclusive lock on a small database of its own, held as long as the process lives. Dies with it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openExclusive } from './open.ts'

export class FolderInUseError extends Error {}

/** Takes the folder or throws `FolderInUseError` naming the holder. Call the answer to let go. */
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
      `The data folder ${folder} is in use by ${holder(holderPath)}. Stop that one first, or use another folder with --data.`,
    )
  }
}

function holder(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim() || 'another instance'
  } catch {
    // The other process took the lock a moment ago and has not written its name yet.
    return 'another instance'
  }
}
