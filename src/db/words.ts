/** The few words of SQL that differ between SQLite and PostgreSQL, as text of statements. */
import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import { ACCENTED } from '../lib/search-text.ts'
import type { Read } from './open.ts'
import type { Schema } from './schema.ts'

export interface Words {
  /** After the name of a table: the index that SQLite has to use. */
  indexedBy(index: string): string
  /**
   * A value that SQLite does not plan by: with a bare `?` it may prepare the statement again at
   * every run, at ten times the cost.
   */
  bound: string
  /** Before a column: keeps SQLite from using an index of it. */
  unindexed: string
  /** Between two tables: SQLite reads the first one first. */
  joinInOrder: string
  /** Whether texts are equal without regard to the case of ASCII letters. */
  sameText(column: string, value: string): string
  /** What a name is sorted by, as `nameKey`. */
  nameKey(column: string): string
  /** Whether a text contains another. */
  contains(text: string, part: string): string
  /**
   * The time of the database's clock, as it is stored; for SQLite that is the machine's. It goes on
   * inside a transaction.
   */
  clock: string
  /** In FROM: the texts of a JSON array, as `named.value` in the order of `named.key`. */
  listed: string
  /** Executables that know an older schema can no longer write. SQLite's do not anyway. */
  raiseOldestWriter(tx: Kysely<Schema>, schema: number): Promise<void>
  /** Documents whose search text has all these trigrams, by number in descending order. */
  withTrigrams(trigrams: readonly string[], numbers: { from: number; to: number }, limit: number): Read
}

const SQLITE: Words = {
  indexedBy: index => `INDEXED BY ${index}`,
  bound: '+?',
  unindexed: '+',
  joinInOrder: 'CROSS JOIN',
  sameText: (column, value) => `${column} = ${value} COLLATE NOCASE`,
  nameKey: column => `name_key(${column})`,
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  clock: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  listed: 'json_each(?) AS named',
  async raiseOldestWriter() {},
  withTrigrams: (trigrams, { from, to }, limit) => ({
    sql: `SELECT s.document_id FROM document_trigrams t CROSS JOIN document_search s ON s.number = t.rowid
      WHERE t.document_trigrams MATCH ? AND t.rowid >= ? AND t.rowid <= ? ORDER BY t.rowid DESC LIMIT ?`,
    values: [trigrams.map(each => `"${each.replaceAll('"', '""')}"`).join(' AND '), from, to, limit],
  }),
}

/** It plans by its statistics. With collation C, `lower` folds ASCII letters alone. */
const POSTGRESQL: Words = {
  indexedBy: () => '',
  bound: '?',
  unindexed: '',
  joinInOrder: 'JOIN',
  sameText: (column, value) => `lower(${column} COLLATE "C") = lower(${value} COLLATE "C")`,
  nameKey: column => `lower(translate(${column}, '${ACCENTED.from}', '${ACCENTED.to}') COLLATE "C")`,
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  clock: `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  listed: 'json_array_elements_text(?::json) WITH ORDINALITY AS named (value, key)',
  async raiseOldestWriter(tx, schema) {
    await sql`UPDATE writer SET oldest_writer = GREATEST(oldest_writer, ${schema})`.execute(tx)
  },
  withTrigrams: (trigrams, { from, to }, limit) => ({
    sql: `SELECT document_id FROM document_search
      WHERE document_trigrams_of(text) @> ?::text::text[] AND number >= ? AND number <= ? ORDER BY number DESC LIMIT ?`,
    values: [`{${trigrams.map(each => `"${each.replace(/["\\]/g, '\\$&')}"`)}}`, from, to, limit],
  }),
}

/** Of a connection or a transaction. */
export function wordsOf(db: Kysely<Schema>): Words {
  return db.getExecutor().adapter instanceof PostgresAdapter ? POSTGRESQL : SQLITE
}

/** Text that is written once for each engine, and chosen by the connection. */
export function inWords<T>(write: (words: Words) => T): (db: Kysely<Schema>) => T {
  const written = new Map([SQLITE, POSTGRESQL].map(words => [words, write(words)]))
  return db => written.get(wordsOf(db)) as T
}

/** Text with a `?` for each value, as a part of a built query. */
export function sqlOf<T>(text: string, ...values: unknown[]): RawBuilder<T> {
  const parts = text.split('?')
  return sql<T>(Object.assign(parts, { raw: parts }), ...values)
}
