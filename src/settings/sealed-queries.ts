/** Rows with encrypted bytes, whatever their table. */
import { sql } from 'kysely'
import type { Tx } from '../db/open.ts'
import type { SealedColumn } from './sealed.ts'

const equal = (keys: readonly string[], values: readonly string[]) =>
  sql.join(
    keys.map((key, i) => sql`${sql.ref(key)} = ${values[i]}`),
    sql` AND `,
  )

/** The keys of all rows that have a secret. */
export async function sealedKeys(tx: Tx, { table, column, keys }: SealedColumn): Promise<string[][]> {
  const names = sql.join(keys.map(key => sql.ref(key)))
  const found = sql<
    Record<string, string>
  >`SELECT DISTINCT ${names} FROM ${sql.table(table)} WHERE ${sql.ref(column)} IS NOT NULL`
  return (await found.execute(tx)).rows.map(row => keys.map(key => row[key] ?? ''))
}

/** The secrets of these keys: one, or the former ones of a webhook. */
export async function sealedBytes(
  tx: Tx,
  { table, column, keys }: SealedColumn,
  values: readonly string[],
): Promise<Uint8Array[]> {
  const found = sql<{
    sealed: Uint8Array
  }>`SELECT ${sql.ref(column)} AS sealed FROM ${sql.table(table)} WHERE ${equal(keys, values)}`
  return (await found.execute(tx)).rows.map(({ sealed }) => sealed)
}

export async function replaceSealed(
  tx: Tx,
  { table, column, keys }: SealedColumn,
  values: readonly string[],
  { from, to }: { from: Uint8Array; to: Uint8Array },
): Promise<void> {
  await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${to}
    WHERE ${equal(keys, values)} AND ${sql.ref(column)} = ${from}`.execute(tx)
}
