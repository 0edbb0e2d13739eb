/** What a database records about a move from it or to it, and why it must not be served then. */
import type { Db, Engine, Tx } from '../open.ts'
import { MOVE_FACT, POSITION_FACT, type Position, type TableDigest } from './rows.ts'

/** `to` and `from` are for people: without passwords. */
export type MoveState =
  | { role: 'source'; state: 'moving' | 'moved'; to: string; at: string }
  | {
      role: 'target'
      from: string
      /** The id of the installation that is moved. */
      installation: string
      at: string
      /** Of the source when its rows were copied: a change of it shows. */
      digests: Record<string, TableDigest>
    }

/** The table that is being copied; those before it are complete. */
export interface MovePosition {
  table: string
  position: Position
}

async function read<T>(db: Db | Tx, name: string): Promise<T | undefined> {
  const row = await db.selectFrom('instance').select('value').where('name', '=', name).executeTakeFirst()
  return row && (JSON.parse(row.value) as T)
}

async function save(tx: Tx, name: string, content: unknown): Promise<void> {
  const value = JSON.stringify(content)
  await tx
    .insertInto('instance')
    .values({ name, value })
    .onConflict(c => c.column('name').doUpdateSet({ value }))
    .execute()
}

export const readMoveState = (db: Db | Tx) => read<MoveState>(db, MOVE_FACT)
export const saveMoveState = (tx: Tx, state: MoveState) => save(tx, MOVE_FACT, state)
export const readMovePosition = (db: Db | Tx) => read<MovePosition>(db, POSITION_FACT)
export const saveMovePosition = (tx: Tx, position: MovePosition) => save(tx, POSITION_FACT, position)

export async function clearMoveState(tx: Tx): Promise<void> {
  await tx.deleteFrom('instance').where('name', 'in', [MOVE_FACT, POSITION_FACT]).execute()
}

/** Why this installation must not be served. `name`: the folder or server. */
export function moveProblem(state: MoveState, name: string, engine: Engine): string {
  const day = state.at.slice(0, 10)
  if (state.role === 'target') {
    return `${name} is the incomplete target of a move from ${state.from}, begun on ${day}: run signet move again to complete it.`
  }
  const undo = `signet move --undo-mark ${engine === 'sqlite' ? `--data ${name}` : '--from-database URL'}`
  return state.state === 'moved'
    ? `${name} was moved to ${state.to} on ${day}: serve from there. If that was never used, ${undo} makes this one serve again.`
    : `${name} is being moved to ${state.to} since ${day}: run signet move again to complete it, or ${undo} to give it up.`
}
