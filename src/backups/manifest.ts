/** What a backup holds: its first part. The parts follow in a fixed order. */
import { latestVersion, SchemaTooNewError } from '../db/migrate.ts'
import { BackupError } from './error.ts'

/** Raised when an older executable could not restore the backup any more. */
export const FORMAT = 1

export const PART = {
  manifest: 'manifest.json',
  database: 'signet.db',
  masterKey: 'keys/master.key',
  /** Files that were damaged before the backup was made; it holds no intact copy of them. */
  damaged: 'damaged.json',
} as const

export const FILES_PREFIX = 'files/'

export interface Manifest {
  format: number
  /** Of the executable that made it. */
  signet: string
  schema: number
  environment: string
  instance: string
  /** UTC, ISO 8601. */
  madeAt: string
  documents: number
  audit: { entries: number; head: string }
  database: { bytes: number; sha256: string }
  /** Each file is named by its SHA-256; `list` is that of all names, in order, a line each. */
  files: { count: number; bytes: number; list: string }
  /** `isIncluded`: the key lay in the data folder. Otherwise it is kept elsewhere. */
  masterKey: { fingerprint: string; isIncluded: boolean }
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
/** A terminal shows some of them: other characters would be commands to it. */
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

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
