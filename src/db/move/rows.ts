/** Reads and writes the rows of a move, page by page, on either engine. */
import { createHash } from 'node:crypto'
import { CompiledQuery, type Kysely } from 'kysely'
import { sha256Hex } from '../../lib/sha256.ts'
import type { Database, Engine, Tx } from '../open.ts'
import type { Schema } from '../schema.ts'
import type { ColumnKind, MovedTable } from './tables.ts'

/** How far a table has been read: the key of the last row, and the number of rows. */
export interface Position {
  after: unknown[] | null
  rows: number
}

export const START: Position = { after: null, rows: 0 }

/** A value that PostgreSQL cannot store, or that would arrive changed. */
export interface UnfitValue {
  table: string
  /** The values of the row's key. */
  key: string
  column: string
  problem: string
}

/** Facts of `instance` that describe the move itself and do not belong to what is moved. */
export const MOVE_FACT = 'move'
export const POSITION_FACT = 'move.position'

const ROWS_PER_PAGE = 250
/** Pictures and files may have a megabyte each. */
const ROWS_PER_PAGE_OF_BLOBS = 25

type Executor = Kysely<Schema>

const quoted = (name: string) => `"${name}"`
const list = (names: readonly string[]) => names.map(quoted).join(', ')
const placeholder = (engine: Engine, number: number) => (engine === 'sqlite' ? '?' : `$${number}`)

async function run(executor: Executor, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  const { rows } = await executor.executeQuery<Row>(CompiledQuery.raw(sql, [...values]))
  return rows
}

const isOwnFact = (table: MovedTable) => table.name === 'instance'
const withoutOwnFacts = `name NOT IN ('${MOVE_FACT}', '${POSITION_FACT}')`

/** The rows after a position, in order of the key. Fewer than a page: the last ones. */
export async function readPage({ db, engine }: Database, table: MovedTable, from: Position): Promise<Row[]> {
  const { after, rows } = from
  const conditions = isOwnFact(table) ? [withoutOwnFacts] : []
  const isKeyed = table.hasPrimaryKey && after !== null
  if (isKeyed) {
    const values = table.key.map((_, i) => placeholder(engine, i + 1)).join(', ')
    conditions.push(`(${list(table.key)}) > (${values})`)
  }
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  // Equal rows are possible without a key, so such a table, which is small, is read by number.
  const offset = table.hasPrimaryKey ? '' : ` OFFSET ${rows}`
  const columns = list(table.columns.map(({ name }) => name))
  const sql = `SELECT ${columns} FROM ${quoted(table.name)}${where} ORDER BY ${list(table.key)} LIMIT ${pageSize(table)}${offset}`
  return run(db, sql, isKeyed ? after : [])
}

export function pageSize({ columns }: MovedTable): number {
  return columns.some(({ kind }) => kind === 'blob') ? ROWS_PER_PAGE_OF_BLOBS : ROWS_PER_PAGE
}

export function positionAfter(table: MovedTable, before: Position, rows: readonly Row[]): Position {
  const last = rows.at(-1)
  return { after: last && table.hasPrimaryKey ? table.key.map(name => last[name]) : null, rows: before.rows + rows.length }
}

/** All pages after a position. */
export async function* pagesOf(database: Database, table: MovedTable, from: Position = START): AsyncGenerator<Row[]> {
  for (let position = from; ; ) {
    const rows = await readPage(database, table, position)
    if (rows.length > 0) yield rows
    if (rows.length < pageSize(table)) return
    position = positionAfter(table, position, rows)
  }
}

/** One statement for all rows. Triggers are off: the rows must arrive as they were. */
export async function insertPage(tx: Tx, engine: Engine, { name, columns }: MovedTable, rows: readonly Row[]): Promise<void> {
  let number = 0
  const tuples = rows.map(() => `(${columns.map(() => placeholder(engine, ++number)).join(', ')})`)
  const values = rows.flatMap(row => columns.map(column => row[column.name]))
  const names = list(columns.map(column => column.name))
  await run(tx, `INSERT INTO ${quoted(name)} (${names}) VALUES ${tuples.join(', ')}`, values)
}

/** Deletes what an earlier, incomplete move has copied. */
export async function deleteRows(tx: Tx, engine: Engine, tables: readonly MovedTable[]): Promise<void> {
  const others = tables.filter(table => !isOwnFact(table)).toReversed()
  if (engine === 'postgresql') await run(tx, `TRUNCATE ${list(others.map(({ name }) => name))}`)
  else for (const { name } of others) await run(tx, `DELETE FROM ${quoted(name)}`)
  await run(tx, `DELETE FROM instance WHERE ${withoutOwnFacts}`)
}

export async function hasRows(db: Executor, table: MovedTable): Promise<boolean> {
  const where = isOwnFact(table) ? ` WHERE ${withoutOwnFacts}` : ''
  return (await run(db, `SELECT 1 AS one FROM ${quoted(table.name)}${where} LIMIT 1`)).length > 0
}

/** Count and hash of a table. `onUnfit` hears of every value that must not be moved. */
export async function digestOf(
  database: Database,
  table: MovedTable,
  { onUnfit, onRows }: { onUnfit?: (value: UnfitValue) => void; onRows?: (rows: number) => void } = {},
): Promise<TableDigest> {
  const digest = new RowDigest(table)
  for await (const rows of pagesOf(database, table)) {
    const text = digest.add(rows)
    if (onUnfit) for (const value of await unfitValues(database, table, rows, text)) onUnfit(value)
    onRows?.(rows.length)
  }
  return digest.result()
}

const REPLACEMENT = '\ufffd'

/** `text`: of all rows. Few pages contain a character that needs a closer look. */
async function unfitValues(database: Database, table: MovedTable, rows: readonly Row[], text: string): Promise<UnfitValue[]> {
  const found = rows.flatMap(row => table.columns.flatMap(column => unfitInteger(table, row, column)))
  if (!text.includes('\0') && !text.includes(REPLACEMENT)) return found
  for (const row of rows) {
    const own = rowText(row, table)
    if (own.includes('\0') || own.includes(REPLACEMENT)) found.push(...(await unfitTexts(database, table, row)))
  }
  return found
}

const keyText = ({ key }: MovedTable, row: Row) => JSON.stringify(key.map(name => row[name]))

function unfitInteger(table: MovedTable, row: Row, { name, kind }: MovedTable['columns'][number]): UnfitValue[] {
  const value = row[name]
  if (kind !== 'integer' || value === null || Number.isSafeInteger(value)) return []
  return [{ table: table.name, key: keyText(table, row), column: name, problem: 'is a number beyond 2^53' }]
}

async function unfitTexts(database: Database, table: MovedTable, row: Row): Promise<UnfitValue[]> {
  const found: UnfitValue[] = []
  for (const { name, kind } of table.columns) {
    const value = row[name]
    if (kind !== 'text' || typeof value !== 'string') continue
    const problem = value.includes('\0')
      ? 'contains a NUL character'
      : value.includes(REPLACEMENT) && !(await isValidText(database, table, row, name))
        ? 'is not valid UTF-8'
        : undefined
    if (problem !== undefined) found.push({ table: table.name, key: keyText(table, row), column: name, problem })
  }
  return found
}

/** SQLite's driver reads invalid bytes as the replacement character, which may also be stored. */
async function isValidText({ db, engine }: Database, table: MovedTable, row: Row, column: string): Promise<boolean> {
  if (engine !== 'sqlite') return true
  const where = table.key.map(name => `${quoted(name)} IS ?`).join(' AND ')
  const sql = `SELECT CAST(${quoted(column)} AS BLOB) AS bytes FROM ${quoted(table.name)} WHERE ${where}`
  const [found] = await run(
    db,
    sql,
    table.key.map(name => row[name]),
  )
  return found !== undefined && Buffer.from(row[column] as string).equals(found.bytes as Buffer)
}

// A SHA-256 over rows in order of their keys, the same for equal rows of every engine.

type Row = Record<string, unknown>

export interface TableDigest {
  rows: number
  sha256: string
}

/** Each value with its type and length, so that no two rows have the same text. */
function valueText(value: unknown, kind: ColumnKind): string {
  if (value === null) return 'n'
  if (kind === 'blob') return `b${sha256Hex(value as Uint8Array)}`
  if (kind === 'text') return `t${(value as string).length}:${value}`
  // The shortest text that reads back as the same number; only -0 needs a word of its own.
  return `${kind === 'real' ? 'r' : 'i'}${Object.is(value, -0) ? '-0' : value};`
}

export function rowText(row: Row, { columns }: Pick<MovedTable, 'columns'>): string {
  return columns.map(({ name, kind }) => valueText(row[name], kind)).join('')
}

class RowDigest {
  readonly #table: MovedTable
  readonly #hash = createHash('sha256')
  #rows = 0

  constructor(table: MovedTable) {
    this.#table = table
  }

  /** Returns the text that was added. */
  add(rows: readonly Row[]): string {
    const text = rows.map(row => rowText(row, this.#table)).join('')
    this.#hash.update(text)
    this.#rows += rows.length
    return text
  }

  result(): TableDigest {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}
