/**
 * The contract of a file store: files under the SHA-256 of their bytes, never changed in place.
 * `files/claims.ts` decides when a file may be removed.
 */
import type { Machine } from '../lib/machine.ts'
import { isSha256Hex } from '../lib/sha256.ts'
import { UnavailableError } from '../lib/unavailable.ts'
import type { CopiesState } from './local-copies.ts'

/** A stored file is missing or its bytes do not match its hash. They are never handed out. */
export class FileDamagedError extends Error {}

/** The store does not answer: a later attempt may succeed. Says nothing about the file. */
export class FileStoreUnavailableError extends UnavailableError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, 'not-done', options)
  }
}

export type FileDamage = 'missing' | 'changed' | 'unreadable'

export type StoreMachine = Pick<Machine, 'now' | 'steadyMs' | 'timers' | 'random' | 'fileSystem'>

export interface StoreListeners {
  /** Called when data that was written may not be durable. */
  onSyncError?(error: unknown): void
  /** Called when a file is missing, does not match its name, or cannot be read. */
  onDamage?(sha256: string, damage: FileDamage): void
  /** Called when a temporary file could not be removed: the sweep does it later. */
  onLeftover?(error: unknown): void
  /** Called when the store did not answer, also after repeats. */
  onUnavailable?(): void
}

/** A complete temporary file. Its creator calls `discard`, which has no effect after `keep`. */
export interface Upload {
  path: string
  bytes: number
  /** Settles when the file is synced; it may be read before. */
  synced: Promise<void>
}

export interface TemporaryFile {
  write(bytes: Uint8Array): Promise<void>
  /** Call after the last write: syncs and closes the file. */
  finish(): Upload
  /** Removes the file, finished or not. */
  discard(): Promise<void>
}

/** Files on this node's disk that have no name yet. */
export interface TemporaryFiles {
  /** A new unused path, for `keep` and for files that are made outside the process. */
  temporaryPath(): string
  /** Opens a file (created exclusively, 0600) for content that arrives in parts. */
  openTemporary(): Promise<TemporaryFile>
  writeTemporary(bytes: Uint8Array): Promise<Upload>
  /** Does not fail: who has done its work with a file has done it, whatever becomes of the file. */
  discard(temporaryPath: string): Promise<void>
  /** Call only at start-up, while no other process uses the folder. */
  removeTemporaryFiles(): Promise<void>
}

/** The files are those of another instance, whose rows are not here: none may be removed. */
export class FileStoreTakenError extends Error {}

export interface FileStore extends TemporaryFiles {
  /** Makes a synced temporary file durable under its hash. Files with equal bytes share it. */
  keep(temporaryPath: string, sha256: string): Promise<void>
  /**
   * Path of a file on this disk with these bytes, for readers that verify them. A folder answers
   * without looking: the file may be missing.
   */
  localPath(sha256: string): Promise<string>
  /** As `localPath`, verified once for each state of the file on disk. @throws FileDamagedError */
  intact(sha256: string): Promise<{ path: string; bytes: number }>
  /** Without reading the file. @throws FileDamagedError */
  sizeOf(sha256: string): Promise<number>
  /** The bytes, verified against their hash. Throws `FileDamagedError` or a file system error. */
  read(sha256: string): Promise<Uint8Array>
  /** Hashes the stored bytes themselves, not a copy. `undefined` if they are missing. */
  hashOf(sha256: string): Promise<string | undefined>
  /** Deletes the bytes if they exist. `files/claims.ts` alone decides when. */
  remove(sha256: string): Promise<void>
  /** The names of all stored files, in slices and in no particular order. */
  list(): AsyncIterable<string[]>
  /** `undefined` if the file is missing. */
  storedAt(sha256: string): Promise<Date | undefined>
  /**
   * Removes what is on this disk only: temporary files older than `olderThan`, and copies of files
   * that `findReferenced` does not return. Returns their number.
   */
  sweepDisk(findReferenced: (sha256s: string[]) => Promise<Set<string>>, olderThan: Date): Promise<number>
  /** Copies on this disk of files that are stored elsewhere. */
  copies(): CopiesState | undefined
  /** Stores, reads and deletes a file of its own. @throws what fails */
  ping(): Promise<void>
}

/** All names end in .pdf, those of pictures too: the database knows the type. */
export function fileNameOf(sha256: string): string {
  if (!isSha256Hex(sha256)) throw new Error('a stored file is named by a SHA-256')
  return `${sha256}.pdf`
}

export function sha256OfName(name: string): string | undefined {
  const [, sha256] = /^(.*)\.pdf$/.exec(name) ?? []
  return isSha256Hex(sha256) ? sha256 : undefined
}
