/** Temporary folders of tests, removed after the last test of a file. */
import { afterAll, beforeEach } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** In memory where possible: every commit is synced, which is slow on a disk. */
const ROOT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Who calls this removes it. */
export function temporaryFolder(): string {
  return mkdtempSync(join(ROOT, 'signet-test-'))
}

/** Call once in a test file: a folder for all its tests. */
export function useFolder(): string {
  const folder = temporaryFolder()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** With a fresh folder for each test. Gives paths in it, or its own without a name. */
export function useFreshFolder(): (...names: string[]) => string {
  const folder = useFolder()
  let count = 0
  beforeEach(() => mkdirSync(join(folder, String(++count)), { mode: 0o700 }))
  return (...names) => join(folder, String(count), ...names)
}
