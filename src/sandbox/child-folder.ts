/** A pool's temporary folder, locked. An unlocked one was left by a killed process. */
import { closeSync, lstatSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LibcError, lockDescriptor } from '../lib/libc.ts'

const PREFIX = 'signet-pdf-'
/** A younger folder may be another process's, created and not locked yet. */
const MIN_AGE_MS = 60_000

export class PoolFolder {
  readonly #path: string
  readonly #descriptor: number

  /** Also removes the folders of dead processes. @throws the system's error */
  constructor() {
    removeAbandonedFolders()
    this.#path = mkdtempSync(join(tmpdir(), PREFIX))
    this.#descriptor = openSync(this.#path, 'r')
    lock(this.#descriptor)
  }

  makeFolder(): string {
    return mkdtempSync(join(this.#path, 'child-'))
  }

  close(): void {
    rmSync(this.#path, { recursive: true, force: true })
    closeSync(this.#descriptor)
  }
}

/** Removes folders of this user that no living process has locked. */
function removeAbandonedFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(tmpdir(), name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    const isOwn = stats?.isDirectory() === true && stats.uid === process.getuid?.()
    if (isOwn && Date.now() - stats.mtimeMs >= MIN_AGE_MS) removeUnlessLocked(path)
  }
}

function removeUnlessLocked(path: string): void {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch {
    // Another process removed it meanwhile, or its mode denies access.
    return
  }
  try {
    if (lock(descriptor)) rmSync(path, { recursive: true, force: true })
  } finally {
    closeSync(descriptor)
  }
}

/** False if it is locked already, or if locks do not work here. */
function lock(descriptor: number): boolean {
  try {
    return lockDescriptor(descriptor)
  } catch (error) {
    if (error instanceof LibcError) return false
    throw error
  }
}
