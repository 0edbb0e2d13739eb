/** Limits and the temporary folder of the process, set at its start. */
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { forbidCoreDumps, LibcError, RESOURCE, raiseLimit } from './libc.ts'

/** sysexits.h, EX_SOFTWARE: a supervisor starts the program again. */
export const EXIT_SOFTWARE = 70

/** Makes new files private, and forbids core dumps, which would contain secrets. */
export function guardProcess(): void {
  process.umask(0o077)
  try {
    forbidCoreDumps()
  } catch (error) {
    // Without the C library the system's limit applies.
    if (!(error instanceof LibcError)) throw error
  }
}

/** A container's volume is empty at first. Without the folder, SQLite says what is missing. */
export function makeTemporaryFolder(): void {
  try {
    mkdirSync(tmpdir(), { recursive: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

/** Raises the limit as far as possible. Returns it; `undefined` where it is unknown. */
export function raiseOpenFiles(): number | undefined {
  try {
    return raiseLimit(RESOURCE.files)
  } catch (error) {
    if (error instanceof LibcError) return undefined
    throw error
  }
}
