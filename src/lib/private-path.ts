/**
 * Whether other users of the machine can reach a file or a folder, and the command that ends it.
 */
import { chmodSync, statSync } from 'node:fs'

const FOR_OTHERS = 0o077

/**
 * What to do where a folder or file (links followed) has a mode for group or others; `undefined`
 * where it has none.
 */
export function permissionProblem(path: string, mode: 0o600 | 0o700): string | undefined {
  const found = statSync(path).mode & 0o777
  if ((found & FOR_OTHERS) === 0) return undefined
  return `is open to other users of this machine (mode ${found.toString(8)}): run chmod ${mode.toString(8)} ${path}`
}

/** Takes the modes for group and others from a file. One that is not there is no fault. */
export function makePrivate(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & FOR_OTHERS) !== 0) chmodSync(path, mode & 0o700)
}
