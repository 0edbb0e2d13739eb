/** The App record: everything an action may use, handed in as its first argument. Types only. */
import type { Config } from './config.ts'
import type { PageBox } from './core/geometry.ts'
import type { Db, Tx } from './db/open.ts'
import type { DiskLevel, DiskSpace } from './lib/disk.ts'
import type { NewId } from './lib/id.ts'
import type { KeyedQueue } from './lib/keyed-queue.ts'
import type { LastUse } from './lib/last-use.ts'
import type { Log } from './lib/log.ts'
import type { LruCache } from './lib/lru-cache.ts'
import type { PasswordHasher } from './lib/password.ts'
import type { AttemptLimiter } from './lib/rate-limit.ts'
import type { SecretBox } from './lib/secret-box.ts'
import type { Mailer } from './mailer/message.ts'
import type { SealKey } from './pki/key.ts'
import type { PdfTools } from './sandbox/pdf-tools.ts'
import type { FileStore } from './storage/files.ts'

export interface Instance {
  id: string
  /** New at every start: leases and reservations of an older one count as never made. */
  bootId: string
  environment: string
  isProduction: boolean
  version: string
}

export interface WriteOptions {
  /** False: the change makes no work for the worker. True by default. */
  wake?: boolean
}

/** State that is lost at the end of the process. */
export interface InMemoryServices {
  passwords: PasswordHasher
  /** Attempts by kind and address, where guessing must be slow. */
  attempts: AttemptLimiter
  /** When API keys and sessions were last used. */
  lastUse: LastUse
  /** Work in child processes by recipient. */
  recipientQueue: KeyedQueue
  /** Checks of stored files, finished or running, by hash and state of the file on disk. */
  fileChecks: LruCache<string, Promise<void>>
  /** Page boxes of uploaded files by SHA-256. */
  pageBoxes: LruCache<string, PageBox[]>
}

export interface App extends InMemoryServices {
  config: Config
  instance: Instance
  db: Db
  /** One transaction, begun immediately; wakes the worker after its commit unless `wake` is false. Inside, await only `tx`. */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  /** A change nobody waits for: what the disk refuses is kept in memory and owed. For what a start would mend by itself. */
  writeEventually(work: (tx: Tx) => Promise<unknown>): Promise<void>
  /** Tries again what is owed. */
  flushPending(): Promise<void>
  storage: FileStore
  mailer: Mailer
  pdf: PdfTools
  /** Loaded at the first use; the certificate that seals from now on. */
  sealKey(): Promise<SealKey>
  secrets: SecretBox
  /** Signing links and access codes are derived from it. */
  linkKey: Uint8Array
  /** Characters no embedded face holds. */
  unprintable(text: string): string[]
  now(): Date
  newId: NewId
  log: Log
  damage: DamageWatch
  disk: DiskWatch
  /** Tells the worker that there may be work. */
  wake(): void
}

export type FileDamage = 'missing' | 'changed' | 'unreadable'

/** Damage of stored files and of the database: noted where it is met, looked for by the schedule. */
export interface DamageWatch {
  /** What SQLite says is wrong with the database; undefined while nothing is known. */
  databaseProblem(): string | undefined
  /** Notes an error of SQLite that means damage. Other errors are ignored. */
  noteError(error: unknown): void
  /** Notes that a stored file is not what its name says. Does not wait for the alert. */
  noteFile(sha256: string, damage: FileDamage): void
  /** Starts a check of the database: the quick one, or the full one while it is known to be damaged. */
  checkAfterStart(): void
  /** Starts the weekly check when it is due, and looks again at files known to be damaged. */
  checkWhenDue(): Promise<void>
  /** Ends the alerts of files that were restored, or that no row refers to any more. */
  recheckFiles(): Promise<void>
  /** Hashes every stored file, one after another. */
  checkFiles(): Promise<void>
  /** Settles when nothing runs in the background. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** The space left for the data folder. */
export interface DiskWatch {
  measure(): Promise<{ level: DiskLevel; space: DiskSpace }>
  /** Throws `storage_unavailable` when the disk is low: before a file is taken in. */
  requireSpaceForUpload(): Promise<void>
  /** Throws `storage_unavailable` when only the reserve is left: before a change begins. */
  requireSpaceForChange(): Promise<void>
  /** Raises or ends the alert. */
  updateAlert(): Promise<void>
}

/** An App over an open data folder. */
export interface AppHandle {
  app: App
  close(): Promise<void>
}

export const SCOPES = ['documents:read', 'documents:write', 'webhooks:read', 'webhooks:write'] as const
export type Scope = (typeof SCOPES)[number]

/** Who acts, and what that one may see. */
export interface Actor {
  /** For the audit log: `key:key_…`, `user:usr_…`, `recipient:rcp_…`, `command-line` or `system`. */
  label: string
  /** Owner of what is created. `undefined`: the instance itself. */
  userId: string | undefined
  /** Administrators see every document, members their own. */
  seesAll: boolean
  /** Whose idempotency keys these are. */
  idempotencyOwner: string
  scopes: readonly Scope[]
}

/** Whence a change comes. */
export interface Origin {
  actor: Actor
  ip: string | undefined
  userAgent: string | undefined
}

/** The service by itself. */
export const SYSTEM: Origin = {
  actor: { label: 'system', userId: undefined, seesAll: true, idempotencyOwner: 'system', scopes: SCOPES },
  ip: undefined,
  userAgent: undefined,
}

/** Whoever may run the program on the data folder. */
export const COMMAND_LINE: Origin = { ...SYSTEM, actor: { ...SYSTEM.actor, label: 'command-line' } }
