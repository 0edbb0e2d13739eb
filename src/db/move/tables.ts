/** The tables that a move copies, in order of references, as SQLite's own catalogue lists them. */
import { CompiledQuery } from 'kysely'
import { migrate, NO_CLOCK } from '../migrate.ts'
import type { Engine, Tx } from '../open.ts'
import { openInMemory, type Raw } from '../sqlite.ts'

export type ColumnKind = 'text' | 'integer' | 'real' | 'blob'

export interface MovedTable {
  name: string
  columns: { name: string; kind: ColumnKind }[]
  /** The columns of the primary key; all columns where there is none. */
  key: string[]
  hasPrimaryKey: boolean
}

/** Each end has its own: its migrations, its running processes and what they have begun. */
const STAY = new Set(['migrations', 'cluster', 'nodes', 'leases', 'file_claims', 'file_holds'])

const KINDS: Record<string, ColumnKind> = { TEXT: 'text', INTEGER: 'integer', REAL: 'real', BLOB: 'blob' }

/** `raw` has the newest schema. Shadow tables of an index are left out: the index is rebuilt. */
function movedTables(raw: Raw): MovedTable[] {
  const listed = raw.pragma('table_list') as { schema: string; name: string; type: string }[]
  const names = listed
    .filter(({ schema, type, name }) => schema === 'main' && type === 'table' && !name.startsWith('sqlite_') && !STAY.has(name))
    .map(({ name }) => name)
    .sort()
  return inOrderOfReferences(raw, names).map(name => tableOf(raw, name))
}

function tableOf(raw: Raw, name: string): MovedTable {
  const rows = raw.pragma(`table_info(${name})`) as { name: string; type: string; pk: number }[]
  const columns = rows.map(row => ({ name: row.name, kind: kindOf(name, row) }))
  const primary = rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const hasPrimaryKey = primary.length > 0
  return { name, columns, key: (hasPrimaryKey ? primary : rows).map(row => row.name), hasPrimaryKey }
}

function kindOf(table: string, column: { name: string; type: string }): ColumnKind {
  const kind = KINDS[column.type]
  if (kind === undefined) throw new Error(`a move cannot copy ${table}.${column.name} of type ${column.type}`)
  return kind
}

/** A table comes after all tables that it refers to. */
function inOrderOfReferences(raw: Raw, names: string[]): string[] {
  const ordered = new Set<string>()
  const visit = (name: string, from: readonly string[]): void => {
    if (ordered.has(name) || !names.includes(name)) return
    if (from.includes(name)) throw new Error(`the tables ${from.join(', ')} refer to each other`)
    const references = raw.pragma(`foreign_key_list(${name})`) as { table: string }[]
    for (const { table } of references) if (table !== name) visit(table, [...from, name])
    ordered.add(name)
  }
  for (const name of names) visit(name, [])
  return [...ordered]
}

// The schema's part of a move: which tables there are, and triggers that do not fire meanwhile.

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
