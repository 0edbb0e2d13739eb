/** The App: the services of a running instance, first argument of every action. Types only. */
import type { Config } from './config.ts'
import type { FoundFields } from './core/draft/proposal.ts'
import type { PageBox } from './core/field/geometry.ts'
import type { ChangeFeed } from './db/change-feed.ts'
import type { FeatureLevels } from './db/feature-level.ts'
import type { OwnNode } from './db/nodes.ts'
import type { Db, Tx } from './db/open.ts'
import type { LogoPicture } from './image/logo-picture.ts'
import type { PackedAsset } from './lib/asset-pack.ts'
import type { KeyedQueue } from './lib/async-work.ts'
import type { DiskLevel, DiskSpace } from './lib/disk.ts'
import type { EventStreams } from './lib/event-streams.ts'
import type { NewId } from './lib/id.ts'
import type { Log } from './lib/log.ts'
import type { LruCache, SharedCache } from './lib/lru-cache.ts'
import type { Machine } from './lib/machine.ts'
import type { PasswordHasher } from './lib/password.ts'
import type { RateLimiter } from './lib/rate-limit.ts'
import type { SecretBox } from './lib/secret-box.ts'
import type { ServiceMetrics } from './lib/service-metrics.ts'
import type { Mailer } from './mailer/message.ts'
import type { SmtpOptions } from './mailer/smtp.ts'
import type { SealKey } from './pki/key.ts'
import type { PdfTools } from './sandbox/pdf-tools.ts'
import type { FileDamage, FileStore } from './storage/file-store.ts'

export interface Instance {
  id: string
  environment: string
  isProduction: boolean
  version: string
}

export interface WriteOptions {
  /** Wakes the worker after the commit; true by default. False for changes that make no work. */
  wake?: boolean
}

/** A picture that e-mails carry, with its size as shown. */
export interface MailLogoFile extends LogoPicture {
  content: Uint8Array
  /** Of its part in an e-mail. RFC 2392. */
  contentId: string
}

/** State that is lost at the end of the process. */
export interface InMemoryServices {
  passwords: PasswordHasher
  /** Attempts by kind and address, where guessing must be slow. */
  attempts: RateLimiter
  /** Last use of API tokens and sessions, ms: their rows are written at most once a minute. */
  lastUse: LruCache<string, number>
  /** Work in child processes by recipient or user. */
  recipientQueue: KeyedQueue
  /** Page boxes of uploaded files by SHA-256. */
  pageBoxes: LruCache<string, PageBox[]>
  /** Updates that disable the active content of uploaded files, by SHA-256. Mostly empty. */
  disablingUpdates: SharedCache<Uint8Array>
  /** Searches for fields in uploaded files, finished or running, by SHA-256. */
  foundFields: LruCache<string, Promise<FoundFields>>
  /** Logos as e-mails carry them, made or being made, by SHA-256. */
  mailLogos: LruCache<string, Promise<MailLogoFile | undefined>>
  /** Tells of every committed change of a document. */
  changes: ChangeFeed
  /** Which features no node that still serves would ignore. */
  features: FeatureLevels
  /** Assets of other releases, by the SHA-256 of their pack. */
  assetPacks: LruCache<string, PackedAsset[]>
  /** Consent texts that are known to be stored, by version and hash. */
  storedConsents: LruCache<string, true>
  /** Open streams of server-sent events, by session. */
  eventStreams: EventStreams
  metrics: ServiceMetrics
}

/** Who can decrypt a backup: age knows a pass-phrase, or recipients, never both. */
export type BackupKeys = { passphrase: string } | { recipients: readonly string[] }

export interface MadeBackup {
  /** Of the encrypted file. */
  bytes: number
  documents: number
  /** Whether the backup contains the master key. */
  hasMasterKey: boolean
  /** Files that were damaged before, which the backup lacks. */
  damaged: string[]
}

/** Private, so that a copy of a marked value has no mark. There is none at run time. */
declare class CommitMark {
  private readonly isCommitted: true
}

/** What a transaction returned, after its commit. The value itself, not one made of it. */
export type Committed<T> = T extends object ? T & CommitMark : T

export interface App extends InMemoryServices, Omit<Machine, 'now'> {
  config: Config
  instance: Instance
  node: OwnNode
  db: Db
  /**
   * Runs a transaction, which holds the write lock from the start. Inside, await only `tx`. The
   * database may roll `work` back and run it again: it must change nothing else.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<Committed<T>>
  /**
   * As `write`, but a crash may undo it: for claims, leases and reservations, which end with the
   * process anyway. It wakes nobody and is never part of the change of a request.
   */
  writeUnsynced<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** As `write`, also while the clock of this node is wrong: for the alert that says so. */
  writeAtAnyClock: App['write']
  /** Runs after the commit of this transaction, once; never if it is rolled back. */
  afterCommit(tx: Tx, run: () => void): void
  /** If the storage refuses the change, it waits in memory for `flushPending`. */
  writeEventually(work: (tx: Tx) => Promise<unknown>): Promise<void>
  /** Retries the waiting changes of `writeEventually`. */
  flushPending(): Promise<void>
  /** Overwrites what deleted rows have left in the files of the database; may take a second. */
  compact(): Promise<void>
  storage: FileStore
  mailer: Mailer
  /** Sends by this mail server. */
  connectMail(options: SmtpOptions): Mailer
  pdf: PdfTools
  /** The active certificate and its key, loaded at the first use. */
  sealKey(): Promise<SealKey>
  secrets: SecretBox
  /** Signing links and access codes are derived from it. */
  linkKey: Uint8Array
  /** Characters that no embedded font contains. */
  unprintable(text: string): string[]
  /** The time of what is stored: that of the database, where several nodes share it. */
  now(): Date
  clock: ClockWatch
  newId: NewId
  log: Log
  damage: DamageWatch
  checks: LongChecks
  disk: DiskWatch
  /** Makes a backup in a process of its own. @throws Error with a sentence for administrators */
  makeBackup(path: string, to: BackupKeys): Promise<MadeBackup>
  /** Tells the worker that there may be work. */
  wake(): void
}

/** Whether the clock can be believed, by what the data knows. */
export interface ClockWatch {
  /**
   * Whether what cannot be undone may be done because it has become due. Compares the clock with
   * the data after a start and after a jump, and raises an alert when it doubts the clock.
   */
  isBelieved(): Promise<boolean>
  /** The App as such work gets it: its clock throws when it jumps meanwhile. */
  guarded(app: App): App
}

/** Reports damage of stored files and the database, when a request meets it or a check finds it. */
export interface DamageWatch {
  /** SQLite's report about the database; `undefined` while no damage is known. */
  databaseProblem(): string | undefined
  /** Reports an error of SQLite if it means damage. */
  noteError(error: unknown): void
  /** Reports that a stored file does not match its name. Does not wait for the alert. */
  noteFile(sha256: string, damage: FileDamage): void
  /** Reports a document whose rows cannot be read. Does not wait for the alert. */
  noteDocument(documentId: string, error: unknown): void
  /** Reads the whole database. Returns what is wrong with it; nothing for PostgreSQL. */
  checkDatabase(): Promise<string[]>
  /** Starts a check of the database: a quick one, or a full one if damage is known. */
  checkAfterStart(): void
  /** Starts the weekly check if it is due, and checks files again that are known to be damaged. */
  checkWhenDue(): Promise<void>
  /** Ends the alerts of files and documents that were restored or are gone. */
  recheck(): Promise<void>
  checkFiles(): Promise<void>
  /** Resolves when no check is running. */
  settled(): Promise<void>
  close(): Promise<void>
}

const LONG_CHECKS = ['audit log', 'installation'] as const
/** The chain of the audit log; files, seal and child processes. */
export type LongCheck = (typeof LONG_CHECKS)[number]

/** Checks that a person starts and that run while the service goes on. Rows hold their results. */
export interface LongChecks {
  /** Returns false if the check runs already, here or on another node. */
  start(name: LongCheck, origin: Origin): Promise<boolean>
  /** Resolves when none runs here. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** The free space of the data folder's disk. */
export interface DiskWatch {
  measure(): Promise<{ level: DiskLevel; space: DiskSpace }>
  /** Throws `storage_unavailable` when the disk is low. Call before a file is accepted. */
  requireSpaceForUpload(): Promise<void>
  /** Throws `storage_unavailable` when only the reserve is left. Call before a change. */
  requireSpaceForChange(): Promise<void>
  updateAlert(): Promise<void>
}

export interface AppHandle {
  app: App
  close(): Promise<void>
}

export const SCOPES = [
  'documents:read',
  'documents:write',
  'templates:read',
  'templates:write',
  'webhooks:read',
  'webhooks:write',
  'links:create',
] as const
export type Scope = (typeof SCOPES)[number]
/** What an API token may do if none is named: who hands out links could sign in place of others. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter(scope => scope !== 'links:create')

export const ROLES = ['admin', 'member', 'auditor'] as const
/** Administrators do everything, members send their own documents, auditors read everything. */
export type Role = (typeof ROLES)[number]

/** The user, key, recipient or process that acts, with its rights. */
export interface Actor {
  /** In the audit log: `key:key_…`, `user:usr_…`, `recipient:rcp_…`, `command-line` or `system`. */
  label: string
  /** Owner of created documents and webhooks; `undefined` for the instance itself. */
  userId: string | undefined
  /** Administrators and auditors see all documents, members their own. */
  seesAll: boolean
  /** Administrators manage what belongs to others. */
  isAdmin: boolean
  /** Idempotency keys are separate for each owner. */
  idempotencyOwner: string
  scopes: readonly Scope[]
  /** Of a program: the name of its API token, which belongs to `userId`. */
  tokenName?: string
}

/** The address and program of a request. */
export interface Client {
  ip: string | undefined
  userAgent: string | undefined
}

/** The source of a change, for the audit log. */
export interface Origin extends Client {
  actor: Actor
}

export const SYSTEM: Origin = {
  actor: { label: 'system', userId: undefined, seesAll: true, isAdmin: true, idempotencyOwner: 'system', scopes: SCOPES },
  ip: undefined,
  userAgent: undefined,
}

/** Changes by a person who may run the program on the data folder. */
export const COMMAND_LINE: Origin = { ...SYSTEM, actor: { ...SYSTEM.actor, label: 'command-line' } }
