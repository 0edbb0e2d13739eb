/** Sends statements that do not depend on each other together, where the engine can. */
import {
  type Compilable,
  type Insertable,
  type InsertQueryBuilder,
  type InsertResult,
  type OperationNodeSource,
  PostgresAdapter,
  sql,
} from 'kysely'
import type { Tx } from './open.ts'
import type { Schema } from './schema.ts'

/** An INSERT, UPDATE or DELETE. */
export interface Change extends OperationNodeSource, Compilable {
  execute(): Promise<unknown>
}

/** A SELECT of columns that JSON can hold: no bytes. */
interface Reading<O> extends OperationNodeSource {
  execute(): Promise<O[]>
}

type RowsOf<Q> = Q extends Reading<infer O> ? O[] : never[]

const isPostgresql = (tx: Tx) => tx.getExecutor().adapter instanceof PostgresAdapter

/**
 * The rows of several SELECTs, none for `undefined`. On PostgreSQL they are one statement, as each
 * would cost a round trip; on SQLite a statement costs none.
 */
export async function readTogether<const Q extends readonly (Reading<unknown> | undefined)[]>(
  tx: Tx,
  readings: Q,
): Promise<{ [I in keyof Q]: RowsOf<Q[I]> }> {
  return (isPostgresql(tx) ? await readAsJson(tx, readings) : await readInTurn(readings)) as { [I in keyof Q]: RowsOf<Q[I]> }
}

async function readInTurn(readings: readonly (Reading<unknown> | undefined)[]): Promise<unknown[][]> {
  const rows: unknown[][] = []
  for (const reading of readings) rows.push((await reading?.execute()) ?? [])
  return rows
}

async function readAsJson(tx: Tx, readings: readonly (Reading<unknown> | undefined)[]): Promise<unknown[][]> {
  const lists = readings.map(reading =>
    reading ? sql`(SELECT coalesce(json_agg(listed), '[]')::text FROM ${reading} AS listed)` : sql`'[]'`,
  )
  const named = lists.map((list, i) => sql`${list} AS ${sql.ref(`rows_${i}`)}`)
  const { rows } = await sql<Record<string, string>>`SELECT ${sql.join(named)}`.execute(tx)
  return readings.map((_, i) => JSON.parse(rows[0]?.[`rows_${i}`] ?? '[]') as unknown[])
}

/** SQLite allows 32,766 parameters per statement; the widest row has 26 columns. */
const ROWS_AT_ONCE = 500
/** PostgreSQL allows 65,535. */
const MAX_PARAMETERS = 60_000

type Insertion<T extends keyof Schema> = InsertQueryBuilder<Schema, T, InsertResult>

/** None for no rows. */
export function insertions<T extends keyof Schema>(
  tx: Tx,
  table: T,
  rows: readonly Insertable<Schema[T]>[],
  finish: (insertion: Insertion<T>) => Change = insertion => insertion,
): Change[] {
  const changes: Change[] = []
  for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) {
    changes.push(finish(tx.insertInto(table).values(rows.slice(i, i + ROWS_AT_ONCE))))
  }
  return changes
}

/** Makes the changes, in any order. No row may occur in two of them. One statement, as above. */
export async function changeTogether(tx: Tx, changes: readonly Change[]): Promise<void> {
  if (!isPostgresql(tx)) {
    for (const change of changes) await change.execute()
    return
  }
  for (const some of inPortions(changes)) {
    const named = some.map((change, i) => sql`${sql.ref(`change_${i}`)} AS (${change})`)
    if (some.length === 1) await some[0]?.execute()
    else await sql`WITH ${sql.join(named)} SELECT 1`.execute(tx)
  }
}

function inPortions(changes: readonly Change[]): Change[][] {
  const portions: Change[][] = []
  let left = 0
  for (const change of changes) {
    const count = change.compile().parameters.length
    if (count > left) {
      portions.push([])
      left = MAX_PARAMETERS
    }
    portions.at(-1)?.push(change)
    left -= count
  }
  return portions
}
