/** The schema's part of a move: which tables there are, and triggers that do not fire meanwhile. */
import { CompiledQuery } from 'kysely'
import { migrate, NO_CLOCK } from '../migrate.ts'
import type { Engine, Tx } from '../open.ts'
import { openInMemory, type Raw } from '../sqlite.ts'
import { type MovedTable, movedTables } from './tables.ts'

export interface MoveSchema {
  tables: MovedTable[]
  /** SQLite's triggers, as text. */
  triggers: string[]
  /** SQLite's full-text indexes, whose content is made from a table. */
  searchIndexes: string[]
}

/** Of this executable, whatever the engine. */
export function readMoveSchema(): MoveSchema {
  const raw = openInMemory()
  try {
    migrate(raw, NO_CLOCK)
    return {
      tables: movedTables(raw),
      triggers: textsOf(raw, "SELECT sql AS text FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid"),
      searchIndexes: textsOf(raw, "SELECT name AS text FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual'"),
    }
  } finally {
    raw.close()
  }
}

const textsOf = (raw: Raw, sql: string): string[] => (raw.prepare(sql).all() as { text: string }[]).map(row => row.text)

/** Whether a database with a schema was never used: the move that made it may have been killed. */
export function isUnusedFile(raw: Raw): boolean {
  return raw.prepare('SELECT 1 FROM instance LIMIT 1').get() === undefined
}

async function run(tx: Tx, ...statements: string[]): Promise<void> {
  for (const sql of statements) await tx.executeQuery(CompiledQuery.raw(sql))
}

/** Otherwise a moved row would change versions and counts that are moved as they are. */
export async function stopTriggers(tx: Tx, engine: Engine, { tables }: MoveSchema): Promise<void> {
  if (engine === 'postgresql') return run(tx, ...tables.map(({ name }) => `ALTER TABLE "${name}" DISABLE TRIGGER USER`))
  const { rows } = await tx.executeQuery<{ name: string }>(
    CompiledQuery.raw("SELECT name FROM sqlite_schema WHERE type = 'trigger'"),
  )
  await run(tx, ...rows.map(({ name }) => `DROP TRIGGER "${name}"`))
}

/** After the rows: makes what the triggers would have made of them, and starts the triggers. */
export async function startTriggers(tx: Tx, engine: Engine, schema: MoveSchema): Promise<void> {
  if (engine === 'postgresql') {
    // Plans need statistics, which PostgreSQL would collect only minutes later.
    return run(tx, ...schema.tables.flatMap(({ name }) => [`ALTER TABLE "${name}" ENABLE TRIGGER USER`, `ANALYZE "${name}"`]))
  }
  await stopTriggers(tx, engine, schema)
  await run(tx, ...schema.searchIndexes.map(name => `INSERT INTO ${name} (${name}) VALUES ('rebuild')`), ...schema.triggers)
}
