/** Runs missing migrations, one transaction each. `user_version` is the number of the schema. */
import { migrations as all, type Migration } from '../../migrations/index.ts'
import type { Clock } from '../lib/machine.ts'
import { searchText } from '../lib/search-text.ts'
import { sha256Hex } from '../lib/sha256.ts'
import type { Raw } from './sqlite.ts'

/** "SIGN" in ASCII: identifies a Signet database. */
export const APPLICATION_ID = 0x5349474e

/** For a schema that nobody writes to. */
export const NO_CLOCK: Clock = { now: () => new Date(0) }

type Place = 'data folder' | 'database' | 'backup'

/** A newer executable wrote the schema. Nothing was changed. */
export class SchemaTooNewError extends Error {
  constructor(place: Place, found: number, known: number, why = '') {
    super(
      `The ${place} has schema ${found}, this executable knows schema ${known}${why}. Use a newer signet; nothing was changed.`,
    )
  }

  /** The schema would do, but an upgrade was finished that this executable does not know. */
  static ofLevel(place: Place, finished: number, known: number): SchemaTooNewError {
    const why = `, and the upgrade to feature level ${finished} was finished, of which it knows ${known}`
    return new SchemaTooNewError(place, latestVersion(), latestVersion(), why)
  }
}

/** Not a Signet database, or one whose migrations differ from those of this executable. */
export class ForeignSchemaError extends Error {}

export function latestVersion(list: Migration[] = all): number {
  return list.at(-1)?.version ?? 0
}

/** @throws SchemaTooNewError */
export function requireKnownSchema(version: number, list: Migration[] = all): void {
  if (version > latestVersion(list)) throw new SchemaTooNewError('data folder', version, latestVersion(list))
}

/** Returns the version of the schema. Throws if this executable must not write to the database. */
export function checkSchema(raw: Raw, list: Migration[] = all): number {
  const version = Number(raw.pragma('user_version', { simple: true }))
  const application = Number(raw.pragma('application_id', { simple: true }))
  const isEmpty = raw.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (isEmpty && application === 0 && version === 0) return 0
  if (application !== APPLICATION_ID)
    throw new ForeignSchemaError('signet.db is not a Signet database: use another folder with --data.')
  requireKnownSchema(version, list)
  const rows = raw.prepare('SELECT version, sha256 FROM migrations ORDER BY version').all() as {
    version: number
    sha256: string
  }[]
  const ran = new Map(rows.map(row => [row.version, row.sha256]))
  for (let number = 1; number <= version; number++) {
    const known = list.find(m => m.version === number)
    if (!known || ran.get(number) !== sha256Hex(known.sql)) {
      throw new ForeignSchemaError(
        `Migration ${number} of this data folder differs from that of this executable: it belongs to another build.`,
      )
    }
  }
  return version
}

/**
 * Returns the names of what ran. `beforeChange`: called before the schema of a database in use
 * changes.
 */
export function migrate(
  raw: Raw,
  { now }: Clock,
  { beforeChange, list = all }: { beforeChange?: (version: number) => void; list?: Migration[] } = {},
): string[] {
  const from = checkSchema(raw, list)
  const missing = list.filter(m => m.version > from)
  if (missing.length === 0) return []
  if (from > 0) beforeChange?.(latestVersion(list))
  raw.function('search_text', { deterministic: true }, (number, text) => searchText(Number(number), String(text)))
  for (const migration of missing) run(raw, migration, now().toISOString())
  return missing.map(m => `${String(m.version).padStart(4, '0')}_${m.name}`)
}

function run(raw: Raw, migration: Migration, at: string): void {
  raw
    .transaction(() => {
      if (migration.version === 1) {
        raw.pragma(`application_id = ${APPLICATION_ID}`)
        raw.exec(
          'CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, at TEXT NOT NULL) STRICT',
        )
      }
      raw.exec(migration.sql)
      // Only this process serves, and older executables refuse the schema.
      const { featureLevel } = migration
      if (featureLevel !== undefined) raw.prepare('UPDATE cluster SET feature_level = ?, finished_at = ?').run(featureLevel, at)
      raw
        .prepare('INSERT INTO migrations (version, name, sha256, at) VALUES (?, ?, ?, ?)')
        .run(migration.version, migration.name, sha256Hex(migration.sql), at)
      raw.pragma(`user_version = ${migration.version}`)
    })
    .immediate()
}
