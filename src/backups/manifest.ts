/**
 * The manifest, the first part of a backup, says what the others hold. Parses it, and sums up the
 * stored files for it.
 */
import { createHash, type Hash } from 'node:crypto'
import { latestVersion, SchemaTooNewError } from '../db/migrate.ts'
import type { Db } from '../db/open.ts'
import { BackupError } from './error.ts'
import { type FileRow, filePage } from './queries.ts'

/** Raised when an older executable could not restore the backup any more. */
export const FORMAT = 1

/** The names of the parts, in their order. The stored files come before the damaged ones' list. */
export const PART = {
  manifest: 'manifest.json',
  database: 'signet.db',
  masterKey: 'keys/master.key',
  /** Names files that were damaged before the backup was made: it has no intact copy of them. */
  damaged: 'damaged.json',
} as const

export const FILES_PREFIX = 'files/'

export interface Manifest {
  format: number
  /** The version of the executable that made it. */
  signet: string
  schema: number
  environment: string
  instance: string
  /** UTC, ISO 8601. */
  madeAt: string
  documents: number
  audit: { entries: number; head: string }
  database: { bytes: number; sha256: string }
  files: FileSum
  /** `isIncluded`: the key lay in the data folder. Otherwise it is kept elsewhere. */
  masterKey: { fingerprint: string; isIncluded: boolean }
}

/** What a manifest says about all stored files together. */
interface FileSum {
  count: number
  bytes: number
  /** The SHA-256 of the names of all files, in order, each with a line feed. */
  list: string
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const NUMBERS = ['schema', 'documents', 'database.bytes', 'files.count', 'files.bytes', 'audit.entries']
const TEXTS = [
  'signet',
  'environment',
  'instance',
  'madeAt',
  'audit.head',
  'database.sha256',
  'files.list',
  'masterKey.fingerprint',
]

function memberOf(value: unknown, path: string): unknown {
  return path.split('.').reduce((at, name) => (isRecord(at) ? at[name] : undefined), value)
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
/** A terminal shows some of these texts, and would obey control characters. */
const isPrintable = (value: unknown): boolean => typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)

/** @throws BackupError, and SchemaTooNewError for a backup of a newer executable */
export function parseManifest(text: string): Manifest {
  const value = parseJson(text)
  const format = memberOf(value, 'format')
  if (typeof format === 'number' && format > FORMAT) {
    throw new BackupError(
      `The backup has format ${format}, this executable (format ${FORMAT}) is too old for it: use a newer signet.`,
      'too-new',
    )
  }
  const isWhole =
    format === FORMAT &&
    NUMBERS.every(path => isCount(memberOf(value, path))) &&
    TEXTS.every(path => isPrintable(memberOf(value, path))) &&
    !Number.isNaN(Date.parse(String(memberOf(value, 'madeAt')))) &&
    typeof memberOf(value, 'masterKey.isIncluded') === 'boolean'
  if (!isWhole) throw new BackupError('The backup has no manifest that this executable understands: use another backup.')
  const manifest = value as Manifest
  if (manifest.schema > latestVersion()) throw new SchemaTooNewError('backup', manifest.schema, latestVersion())
  return manifest
}

/** Returns undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

// The stored files of a database, and their sum.

const ROWS_AT_ONCE = 1000

/** Ordered by name, which is the SHA-256 of the file. */
export async function* filesOf(db: Db): AsyncGenerator<FileRow> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: FileRow[] = await filePage(db, after, ROWS_AT_ONCE)
    yield* page
    after = page.length < ROWS_AT_ONCE ? undefined : page.at(-1)?.sha256
  }
}

/** Sums up files, which are added in the order of their names. */
export class FileSummer {
  readonly #hash: Hash = createHash('sha256')
  #count = 0
  #bytes = 0

  add({ sha256, bytes }: FileRow): void {
    this.#hash.update(`${sha256}\n`)
    this.#count++
    this.#bytes += bytes
  }

  /** Call once, after the last file. */
  sum(): FileSum {
    return { count: this.#count, bytes: this.#bytes, list: this.#hash.digest('hex') }
  }
}

export async function sumOfFiles(db: Db): Promise<FileSum> {
  const summer = new FileSummer()
  for await (const file of filesOf(db)) summer.add(file)
  return summer.sum()
}

export const isSameSum = (a: FileSum, b: FileSum): boolean => a.count === b.count && a.bytes === b.bytes && a.list === b.list
