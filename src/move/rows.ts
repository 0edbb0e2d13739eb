/** Checks and copies the rows of a move: table by table in order of references, page by page. */
import {
  digestOf,
  insertPage,
  pageSize,
  positionAfter,
  readPage,
  START,
  type TableDigest,
  type UnfitValue,
} from '../db/move/rows.ts'
import { type MovePosition, readMovePosition, saveMovePosition } from '../db/move/state.ts'
import type { MovedTable, MoveSchema } from '../db/move/tables.ts'
import type { Database, Tx } from '../db/open.ts'
import type { Progress } from './move.ts'
import type { StoredFiles } from './stored-files.ts'

export type Digests = Record<string, TableDigest>

const MAX_UNFIT = 20

/** Count and hash of every table. `unfit`: the first values that PostgreSQL could not store. */
export async function digestRows(
  { database }: MoveEnd,
  { tables }: MoveSchema,
  progress: Progress,
  { findUnfit = false } = {},
): Promise<{ digests: Digests; unfit: UnfitValue[] }> {
  const digests: Digests = {}
  const unfit: UnfitValue[] = []
  for (const table of tables) {
    digests[table.name] = await digestOf(database, table, {
      onRows: count => progress.add(count),
      ...(findUnfit ? { onUnfit: value => void (unfit.length < MAX_UNFIT && unfit.push(value)) } : {}),
    })
  }
  return { digests, unfit }
}

const sameDigest = (a: TableDigest | undefined, b: TableDigest | undefined): boolean =>
  a?.sha256 === b?.sha256 && a?.rows === b?.rows

/** The names of the tables that differ. */
export function differences(a: Digests, b: Digests): string[] {
  return Object.keys({ ...a, ...b }).filter(name => !sameDigest(a[name], b[name]))
}

/** Goes on after the last page that an earlier run has committed. */
export async function copyRows(source: MoveEnd, target: MoveEnd, { tables }: MoveSchema, progress: Progress): Promise<void> {
  const at = await readMovePosition(target.database.db)
  const first = at ? tables.findIndex(({ name }) => name === at.table) : 0
  for (const table of tables.slice(first))
    await copyTable(source, target, table, at?.table === table.name ? at : undefined, progress)
}

async function copyTable(
  source: MoveEnd,
  target: MoveEnd,
  table: MovedTable,
  from: MovePosition | undefined,
  progress: Progress,
): Promise<void> {
  for (let position = from?.position ?? START; ; ) {
    const rows = await readPage(source.database, table, position)
    const next = positionAfter(table, position, rows)
    if (rows.length > 0) {
      const page = async (tx: Tx) => {
        await insertPage(tx, target.database.engine, table, rows)
        await saveMovePosition(tx, { table: table.name, position: next })
      }
      // A crash of the machine may undo pages with their positions; the last commit is durable.
      await target.database.write(page, { durable: false })
    }
    progress.add(rows.length)
    if (rows.length < pageSize(table)) return
    position = next
  }
}

// Source or target of a move: a database and its file store, which no process serves.

/** The move cannot be made, or not be completed. The message is a sentence with the remedy. */
export class MoveError extends Error {}

export interface MoveEnd {
  /** For people: a folder or the address of a server, without passwords. */
  name: string
  database: Database
  files: StoredFiles
  /**
   * Runs `work` while no other process changes the rows, then records that they moved to `to`.
   * `work` calls `keepMark` before it changes the target: an error before that leaves no mark.
   */
  moveTo<T>(to: string, work: (keepMark: () => void) => Promise<T>): Promise<T>
  close(): Promise<void>
}
