/** Sends changes whose results nobody reads together, where the engine can. */
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

/**
 * Makes the changes, in any order. No row may occur in two of them. On PostgreSQL they are one
 * statement, as each would cost a round trip; on SQLite a statement costs none.
 */
export async function changeTogether(tx: Tx, changes: readonly Change[]): Promise<void> {
  if (!(tx.getExecutor().adapter instanceof PostgresAdapter)) {
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
