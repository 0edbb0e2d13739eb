/** Makes and migrates the schema on PostgreSQL: SQLite's own text, translated. */
import { migrations as all, featureLevelOf, type Migration, oldestWriterOf, schemaOfLevel } from '../../../migrations/index.ts'
import { HOUR_MS } from '../../lib/duration.ts'
import type { Clock } from '../../lib/machine.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import { ForeignSchemaError, migrate as migrateSqlite, NO_CLOCK, SchemaTooNewError } from '../migrate.ts'
import { openInMemory } from '../sqlite.ts'
import { isSerializationFailure, type PgConnection } from './connection.ts'
import { Translator } from './translate.ts'

// What only PostgreSQL has: the row that writers lock, the feed of changes, the search index.

/** `oldest_writer`: executables that know an older schema must not write. */
const WRITER = `
CREATE TABLE writer (
  one BIGINT PRIMARY KEY CHECK (one = 1),
  application TEXT NOT NULL,
  schema BIGINT NOT NULL,
  oldest_writer BIGINT NOT NULL
);
INSERT INTO writer VALUES (1, 'signet', 0, 0);`

/** SQLite has no TRUNCATE; it passes by the triggers of rows. */
const AUDIT_LOG = `
CREATE TRIGGER events_never_emptied BEFORE TRUNCATE ON events EXECUTE FUNCTION events_never_go();`

/**
 * The newest change of each document. Numbers grow in the order of commits, since transactions run
 * one after another: a reader that knows a number finds all later changes above it.
 */
const CHANGES = `
CREATE SEQUENCE document_change_numbers;
CREATE TABLE document_changes (
  document_id TEXT PRIMARY KEY,
  owner_id TEXT,
  version BIGINT,
  number BIGINT NOT NULL
);
CREATE UNIQUE INDEX document_changes_number ON document_changes (number);
CREATE FUNCTION document_change_noted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO document_changes VALUES (OLD.id, OLD.owner_id, NULL, nextval('document_change_numbers'))
      ON CONFLICT (document_id) DO UPDATE SET version = NULL, number = excluded.number;
  ELSE
    -- Not NEW: triggers of other rows of the same statement may have run before this one.
    INSERT INTO document_changes
      SELECT id, owner_id, version, nextval('document_change_numbers') FROM documents WHERE id = NEW.id
      ON CONFLICT (document_id) DO UPDATE
      SET owner_id = excluded.owner_id, version = excluded.version, number = excluded.number;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER document_change_added AFTER INSERT OR DELETE ON documents
  FOR EACH ROW EXECUTE FUNCTION document_change_noted();
CREATE TRIGGER document_change_made AFTER UPDATE ON documents
  FOR EACH ROW WHEN (NEW.version <> OLD.version OR NEW.owner_id IS DISTINCT FROM OLD.owner_id)
  EXECUTE FUNCTION document_change_noted();`

/**
 * Each three characters that follow one another, as the trigram tokenizer of FTS5 makes them. The
 * text is split once: `substr` would count the characters before each. The cost is measured: with
 * the default one, PostgreSQL would rather compute the trigrams of thousands of texts than look
 * into their index.
 */
const SEARCH = `
CREATE FUNCTION document_trigrams_of(text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 5000 AS $$
  SELECT ARRAY(
    SELECT DISTINCT trigram FROM (
      SELECT character || lead(character) OVER w || lead(character, 2) OVER w AS trigram
      FROM pg_catalog.unnest(pg_catalog.string_to_array($1, NULL)) WITH ORDINALITY AS characters (character, position)
      WINDOW w AS (ORDER BY position)
    ) AS trigrams WHERE trigram IS NOT NULL)
$$;
CREATE INDEX document_search_trigrams ON document_search USING gin (document_trigrams_of(text));`

const POSTGRESQL_ADDITIONS = [WRITER, AUDIT_LOG, CHANGES, SEARCH].join('\n')

// SQLite's migrations, translated.

/**
 * A new database begins with the schema that SQLite has after this migration; later migrations are
 * translated one by one. No PostgreSQL database is older. Never changed.
 */
export const BASELINE = 22

/** Serialises starts on an empty database. Held until the end of the transaction. */
const LOCK = `SELECT pg_advisory_xact_lock(${0x5349474e})`

const MAX_ATTEMPTS = 5
/** An index of a large table takes minutes. Given up earlier, it would be begun anew for ever. */
const MAX_MIGRATION_MS = 6 * HOUR_MS

interface WriterRow {
  application: string
  schema: number
  oldest_writer: number
}

/** The statements of SQLite's schema, tables first. */
export function sqliteSchema(list: readonly Migration[]): string[] {
  const raw = openInMemory()
  try {
    migrateSqlite(raw, NO_CLOCK, { list: [...list] })
    const rows = raw
      .prepare(
        `SELECT sql FROM sqlite_schema
        WHERE sql IS NOT NULL AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
        ORDER BY CASE type WHEN 'table' THEN 1 WHEN 'index' THEN 2 ELSE 3 END, rowid`,
      )
      .all() as { sql: string }[]
    return rows.map(row => row.sql)
  } finally {
    raw.close()
  }
}

/** Translates migration after migration: each depends on the tables that those before have left. */
class Translation {
  readonly #translator = new Translator()
  readonly baseline: string[]

  constructor(list: readonly Migration[], baseline: number) {
    const before = sqliteSchema(list.filter(({ version }) => version <= baseline))
    this.baseline = [...before.flatMap(sql => this.#translator.translate(sql)), POSTGRESQL_ADDITIONS]
  }

  next(migration: Migration): string[] {
    return migration.postgresql === undefined ? this.#translator.translate(migration.sql) : [migration.postgresql]
  }
}

interface SchemaOptions {
  list?: readonly Migration[]
  baseline?: number
}

/**
 * Returns the version of the schema, 0 for an empty database. A newer schema is accepted if it says
 * that this executable may write. @throws SchemaTooNewError, ForeignSchemaError
 */
export async function checkPostgresqlSchema(connection: PgConnection, list: readonly Migration[] = all): Promise<number> {
  const [found] = (
    await connection.run(
      `SELECT to_regclass('writer') IS NOT NULL AS ours,
        EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')) AS used`,
      [],
    )
  ).rows as { ours: number; used: number }[]
  if (!found?.ours) {
    if (found?.used) throw new ForeignSchemaError('The database holds tables of another program: use an empty database.')
    return 0
  }
  const [row] = (await connection.run('SELECT application, schema, oldest_writer FROM writer', [])).rows as WriterRow[]
  if (row?.application !== 'signet') throw new ForeignSchemaError('The database is not that of Signet: use an empty database.')
  const known = list.at(-1)?.version ?? 0
  if (row.oldest_writer > known) throw new SchemaTooNewError('database', row.schema, known)
  await requireSameMigrations(connection, list)
  return row.schema
}

/** Whether a node has used the schema. */
export async function hasInstance(connection: PgConnection): Promise<boolean> {
  return (await connection.run('SELECT 1 FROM instance LIMIT 1', [])).rows.length > 0
}

export async function instanceIn(connection: PgConnection): Promise<string | undefined> {
  const { rows } = await connection.run("SELECT value FROM instance WHERE name = 'id'", [])
  return (rows as { value: string }[])[0]?.value
}

async function requireSameMigrations(connection: PgConnection, list: readonly Migration[]): Promise<void> {
  const { rows } = await connection.run('SELECT version, sha256 FROM migrations ORDER BY version', [])
  const ran = new Map((rows as { version: number; sha256: string }[]).map(row => [row.version, row.sha256]))
  for (const { version, sql } of list) {
    const sha256 = ran.get(version)
    if (sha256 !== undefined && sha256 !== sha256Hex(sql)) {
      throw new ForeignSchemaError(
        `Migration ${version} of the database differs from that of this executable: it belongs to another build.`,
      )
    }
  }
}

/**
 * Runs missing migrations, one transaction each; nodes that start together wait for one another.
 * Returns the names of what ran.
 */
export async function migratePostgresql(
  connection: PgConnection,
  { now }: Clock,
  { list = all, baseline = BASELINE }: SchemaOptions = {},
): Promise<string[]> {
  if ((await checkPostgresqlSchema(connection, list)) >= (list.at(-1)?.version ?? 0)) return []
  const translation = new Translation(list, baseline)
  const ran: string[] = []
  const start = list.filter(({ version }) => version <= baseline)
  for (const step of [start, ...list.slice(start.length).map(migration => [migration])]) {
    const statements = step === start ? translation.baseline : step.flatMap(migration => translation.next(migration))
    if (await runRepeated(connection, { list, baseline, now }, step, statements)) ran.push(...step.map(nameOf))
  }
  return ran
}

function nameOf({ version, name }: Migration): string {
  return `${String(version).padStart(4, '0')}_${name}`
}

/** A database that no release has used has no upgrade to finish. */
async function finishIfUnused(connection: PgConnection, list: readonly Migration[]): Promise<void> {
  const level = featureLevelOf(list)
  if (level === 0 || (await hasInstance(connection))) return
  await connection.run('UPDATE cluster SET feature_level = $1', [level])
  await connection.run('UPDATE writer SET oldest_writer = GREATEST(oldest_writer, $1)', [schemaOfLevel(level, list)])
}

/** Reads lock tables, too: PostgreSQL ends a deadlock by refusing a side, maybe the migration. */
async function runRepeated(...args: Parameters<typeof runOnce>): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(...args)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isSerializationFailure(error)) throw error
    }
  }
}

/** Returns `false` if another node was faster. */
async function runOnce(
  connection: PgConnection,
  { list, baseline, now }: Required<SchemaOptions> & Clock,
  step: readonly Migration[],
  statements: readonly string[],
): Promise<boolean> {
  const last = step.at(-1)
  if (last === undefined) return false
  await connection.script(`BEGIN; ${LOCK}`, MAX_MIGRATION_MS)
  try {
    const version = await checkPostgresqlSchema(connection, list)
    const isMissing = version < last.version
    if (isMissing) {
      // Other nodes write meanwhile: as they do, the row first and tables after it.
      if (version > 0) await connection.script('SELECT 1 FROM writer FOR UPDATE')
      await connection.script(statements.join(';\n'), MAX_MIGRATION_MS)
      for (const { version, name, sql } of step) {
        const values = [version, name, sha256Hex(sql), now().toISOString()]
        await connection.run('INSERT INTO migrations (version, name, sha256, at) VALUES ($1, $2, $3, $4)', values)
      }
      // Transactions that wait for the row find the new number in it.
      const known = list.filter(({ version }) => version <= last.version)
      const values = [last.version, Math.max(baseline, oldestWriterOf(known))]
      // A finished upgrade may have raised it further.
      await connection.run('UPDATE writer SET schema = $1, oldest_writer = GREATEST(oldest_writer, $2)', values)
      if (last === list.at(-1)) await finishIfUnused(connection, list)
    }
    await connection.script('COMMIT')
    return isMissing
  } catch (error) {
    // After a failure of the connection the server rolls back by itself.
    if (connection.isUsable) await connection.script('ROLLBACK')
    throw error
  }
}
