/** Rows of co-signatures: those that this instance got, and those that it gave to others. */
import { type Selectable, sql } from 'kysely'
import { type KeptCheckpoint, keptOf } from '../audit/checkpoint-queries.ts'
import type { Db, Tx } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

/** The newest checkpoint that the witness has co-signed. */
export async function newestWitnessed(db: Db): Promise<KeptCheckpoint | undefined> {
  const rows = db.selectFrom('checkpoints').selectAll().where('witness_text', 'is not', null)
  const row = await rows.orderBy('sequence', 'desc').limit(1).executeTakeFirst()
  return row && keptOf(row)
}

export async function checkpointOfSize(db: Db, sequence: number): Promise<KeptCheckpoint | undefined> {
  const row = await db.selectFrom('checkpoints').selectAll().where('sequence', '=', sequence).limit(1).executeTakeFirst()
  return row && keptOf(row)
}

export async function addWitness(tx: Tx, id: string, text: string, witnessedAt: string): Promise<void> {
  await tx.updateTable('checkpoints').set({ witness_text: text, witnessed_at: witnessedAt }).where('id', '=', id).execute()
}

/** All co-signatures that are kept, the newest first. */
export async function witnessTexts(db: Db, limit: number, before?: number): Promise<{ sequence: number; text: string }[]> {
  const rows = db.selectFrom('checkpoints').select(['sequence', 'witness_text']).where('witness_text', 'is not', null)
  const found = before === undefined ? rows : rows.where('sequence', '<', before)
  const listed = await found.orderBy('sequence', 'desc').limit(limit).execute()
  return listed.map(({ sequence, witness_text: text }) => ({ sequence, text: text ?? '' }))
}

// The other side: instances whose checkpoints this one co-signs.

export interface WitnessedInstance {
  id: string
  name: string
  /** PEM: of its seal, or of its root. */
  certificates: string
  /** Its id, from its first checkpoint. */
  instance: string | undefined
  /** What the last co-signed checkpoint covers. 0: the next one is taken as it is. */
  sequence: number
  treeRoot: string | undefined
  seenAt: Date | undefined
  /** Of the last disagreement, until it agrees again. */
  refused: { at: Date; sequence: number; treeRoot: string } | undefined
  addedAt: Date
  removedAt: Date | undefined
}

const dateOf = (text: string | null) => (text === null ? undefined : new Date(text))

function witnessedOf(row: Selectable<Schema['witnessed_instances']>): WitnessedInstance {
  const refusedAt = dateOf(row.refused_at)
  return {
    ...{ id: row.id, name: row.name, certificates: row.certificates, instance: row.instance ?? undefined },
    ...{ sequence: row.sequence, treeRoot: row.tree_root ?? undefined, seenAt: dateOf(row.seen_at) },
    refused: refusedAt && { at: refusedAt, sequence: row.refused_sequence ?? 0, treeRoot: row.refused_root ?? '' },
    ...{ addedAt: new Date(row.added_at), removedAt: dateOf(row.removed_at) },
  }
}

/** In the order in which they were added. */
export async function witnessedInstances(db: Db | Tx): Promise<WitnessedInstance[]> {
  return (await db.selectFrom('witnessed_instances').selectAll().orderBy('id').execute()).map(witnessedOf)
}

export async function witnessedById(db: Db | Tx, id: string): Promise<WitnessedInstance | undefined> {
  const row = await db.selectFrom('witnessed_instances').selectAll().where('id', '=', id).executeTakeFirst()
  return row && witnessedOf(row)
}

export async function insertWitnessed(
  tx: Tx,
  { id, name, certificates, addedAt }: Pick<WitnessedInstance, 'id' | 'name' | 'certificates' | 'addedAt'>,
): Promise<void> {
  await tx.insertInto('witnessed_instances').values({ id, name, certificates, added_at: addedAt.toISOString() }).execute()
}

/** What it co-signs next is taken as it is: a backup was restored there. */
export async function forgetSeen(tx: Tx, id: string): Promise<void> {
  const changes = { sequence: 0, tree_root: null, refused_at: null, refused_sequence: null, refused_root: null }
  await tx.updateTable('witnessed_instances').set(changes).where('id', '=', id).execute()
}

export async function setCertificates(tx: Tx, id: string, certificates: string): Promise<void> {
  await tx.updateTable('witnessed_instances').set({ certificates }).where('id', '=', id).execute()
}

export async function setRemoved(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('witnessed_instances').set({ removed_at: at.toISOString() }).where('id', '=', id).execute()
}

export interface NewStatement {
  id: string
  witnessedId: string
  instance: string
  sequence: number
  treeRoot: string
  receivedAt: Date
  statement: string
}

/** Stores the co-signature, and that it is the last one seen. */
export async function storeStatement(tx: Tx, made: NewStatement): Promise<void> {
  const { id, witnessedId, instance, sequence, treeRoot, receivedAt, statement } = made
  const at = receivedAt.toISOString()
  const row = { id, witnessed_id: witnessedId, sequence, tree_root: treeRoot, received_at: at, statement }
  await tx.insertInto('witnessed_checkpoints').values(row).execute()
  const seen = { instance, sequence, tree_root: treeRoot, seen_at: at }
  const agreed = { refused_at: null, refused_sequence: null, refused_root: null }
  await tx
    .updateTable('witnessed_instances')
    .set({ ...seen, ...agreed })
    .where('id', '=', witnessedId)
    .execute()
}

export async function storeRefusal(
  tx: Tx,
  id: string,
  { at, sequence, treeRoot }: NonNullable<WitnessedInstance['refused']>,
): Promise<void> {
  const changes = { refused_at: at.toISOString(), refused_sequence: sequence, refused_root: treeRoot }
  await tx.updateTable('witnessed_instances').set(changes).where('id', '=', id).execute()
}

/** The one that was given for exactly this tree. */
export async function statementFor(
  db: Db | Tx,
  witnessedId: string,
  sequence: number,
  treeRoot: string,
): Promise<string | undefined> {
  const rows = db.selectFrom('witnessed_checkpoints').select('statement').where('witnessed_id', '=', witnessedId)
  const found = rows.where('sequence', '=', sequence).where('tree_root', '=', treeRoot)
  return (await found.orderBy('id', 'desc').limit(1).executeTakeFirst())?.statement
}

/** How many were given between two times. */
export async function countStatements(tx: Tx, witnessedId: string, from: Date, to: Date): Promise<number> {
  const rows = tx.selectFrom('witnessed_checkpoints').select(sql<number>`count(*)`.as('count'))
  const own = rows.where('witnessed_id', '=', witnessedId).where('received_at', '>', from.toISOString())
  return Number((await own.where('received_at', '<=', to.toISOString()).executeTakeFirstOrThrow()).count)
}

/** In the order in which they were given. `after`: the id of one, not included. */
export async function statementsAfter(
  db: Db,
  witnessedId: string,
  after: string,
  limit: number,
): Promise<{ id: string; statement: string }[]> {
  const rows = db.selectFrom('witnessed_checkpoints').select(['id', 'statement']).where('witnessed_id', '=', witnessedId)
  return rows.where('id', '>', after).orderBy('id').limit(limit).execute()
}
