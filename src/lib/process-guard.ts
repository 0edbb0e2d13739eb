/** What this process takes from itself at its start, before it opens a file. */
import { forbidCoreDumps, LibcError, RESOURCE, raiseLimit } from './libc.ts'

/** New files and folders are for their owner alone, and a crash writes no secrets to disk. */
export function guardProcess(): void {
  process.umask(0o077)
  try {
    forbidCoreDumps()
  } catch (error) {
    // Without the C library the system's own limit holds.
    if (!(error instanceof LibcError)) throw error
  }
}

/**
 * Raises how many files and connections may be open at once as far as the system allows. Returns
 * how many; `undefined` where that is not known.
 */
export function raiseOpenFiles(): number | undefined {
  try {
    return raiseLimit(RESOURCE.files)
  } catch (error) {
    if (error instanceof LibcError) return undefined
    throw error
  }
}
