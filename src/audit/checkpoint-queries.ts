/** Rows of kept checkpoints: added, and once given their time-stamp. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import type { Frontier } from '../evidence/merkle-tree.ts'

export interface KeptCheckpoint {
  id: string
  /** Of the newest entry that it covers, which is also the number of leaves of the tree. */
  sequence: number
  hash: string
  treeRoot: string
  frontier: Frontier
  at: Date
  /** An S/MIME message. */
  text: string
  /** By a time-stamp authority. */
  stampedAt: Date | undefined
  authority: string | undefined
  /** The witness that is asked has co-signed it. */
  isWitnessed: boolean
  /** By the clock of the witness. */
  witnessedAt: Date | undefined
}

export function keptOf(row: Selectable<Schema['checkpoints']>): KeptCheckpoint {
  return {
    ...{ id: row.id, sequence: row.sequence, hash: row.hash, treeRoot: row.tree_root, text: row.text },
    frontier: { size: row.sequence, peaks: row.peaks === '' ? [] : row.peaks.split(' ') },
    at: new Date(row.at),
    stampedAt: row.stamped_at === null ? undefined : new Date(row.stamped_at),
    authority: row.authority ?? undefined,
    isWitnessed: row.witness_text !== null,
    witnessedAt: row.witnessed_at === null ? undefined : new Date(row.witnessed_at),
  }
}

export async function insertCheckpoint(tx: Tx, kept: Omit<KeptCheckpoint, 'isWitnessed' | 'witnessedAt'>): Promise<void> {
  const { id, sequence, hash, treeRoot, frontier, at, text, stampedAt, authority } = kept
  const values = {
    ...{ id, sequence, hash, text, tree_root: treeRoot, peaks: frontier.peaks.join(' ') },
    ...{ at: at.toISOString(), stamped_at: stampedAt?.toISOString() ?? null, authority: authority ?? null },
  }
  await tx.insertInto('checkpoints').values(values).execute()
}

export interface Stamped {
  text: string
  stampedAt: Date
  authority: string | undefined
}

/** Of one that has none yet. */
export async function addTimestamp(tx: Tx, id: string, { text, stampedAt, authority }: Stamped): Promise<void> {
  const changes = { text, stamped_at: stampedAt.toISOString(), authority: authority ?? null }
  await tx.updateTable('checkpoints').set(changes).where('id', '=', id).where('stamped_at', 'is', null).execute()
}

/** Those that cover the most entries first. `before`: only those that cover fewer entries. */
export async function newestCheckpoints(db: Db | Tx, limit: number, before?: number): Promise<KeptCheckpoint[]> {
  const rows = db.selectFrom('checkpoints').selectAll()
  const found = before === undefined ? rows : rows.where('sequence', '<', before)
  return (await found.orderBy('sequence', 'desc').orderBy('id', 'desc').limit(limit).execute()).map(keptOf)
}

export async function checkpointById(db: Db, id: string): Promise<KeptCheckpoint | undefined> {
  const row = await db.selectFrom('checkpoints').selectAll().where('id', '=', id).executeTakeFirst()
  return row && keptOf(row)
}
