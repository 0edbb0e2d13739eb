/** Checks and repairs the modes of files and folders that other users must not read. */
import { chmodSync, statSync } from 'node:fs'

const FOR_OTHERS = 0o077

/** Problem and remedy if group or others have rights; links are followed. */
export function permissionProblem(path: string, mode: 0o600 | 0o700): string | undefined {
  const found = statSync(path).mode & 0o777
  if ((found & FOR_OTHERS) === 0) return undefined
  return `is open to other users of this machine (mode ${found.toString(8)}): run chmod ${mode.toString(8)} ${path}`
}

/** Removes the rights of group and others, if the file exists. */
export function makePrivate(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & FOR_OTHERS) !== 0) chmodSync(path, mode & 0o700)
}
