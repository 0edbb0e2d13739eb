/** The tables that a move copies, in order of references, as SQLite's own catalogue lists them. */
import type { Raw } from '../sqlite.ts'

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
export function movedTables(raw: Raw): MovedTable[] {
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
