/** Rows of claims on stored files. Each rule is one statement, so it also holds between nodes. */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/open.ts'

export interface ClaimRow {
  id: string
  sha256: string
  boot: string
  claimedAt: Date
}

/** When the removals were claimed that may still go on. */
export interface RemovalSpan {
  from: Date
  /** What is later was noted by a clock that was ahead: it ends with its node. */
  to: Date
}

/** Of a claim to remove: whether its bytes are deleted by now, or will not be. */
const isOver = ({ from, to }: RemovalSpan) => sql<boolean>`(claimed_at < ${from.toISOString()}
  OR (claimed_at > ${to.toISOString()} AND boot NOT IN (SELECT boot FROM nodes)))`

/** Returns false while the same bytes are being removed. */
export async function insertKeep(tx: Tx, { id, sha256, boot, claimedAt }: ClaimRow, span: RemovalSpan): Promise<boolean> {
  const { numAffectedRows } = await sql`INSERT INTO file_claims (id, sha256, purpose, boot, claimed_at)
    SELECT ${id}, ${sha256}, 'keep', ${boot}, ${claimedAt.toISOString()}
    WHERE NOT EXISTS (SELECT 1 FROM file_claims
      WHERE sha256 = ${sha256} AND purpose = 'remove' AND NOT ${isOver(span)})`.execute(tx)
  return numAffectedRows === 1n
}

/** A process that died holds for as long. */
export const HOLD_MS = 120_000

/** A hold that would last longer was noted by a clock that was ahead. Clocks of nodes differ. */
const longestHold = (at: Date): string => new Date(at.getTime() + 2 * HOLD_MS).toISOString()

const isHeld = (at: Date) =>
  sql<boolean>`EXISTS (SELECT 1 FROM file_holds WHERE until > ${at.toISOString()} AND until <= ${longestHold(at)})`

/**
 * Returns false if a row refers to the file, a living node keeps it, a backup holds all files, or
 * it is being removed.
 */
export async function insertRemoval(tx: Tx, { id, sha256, boot, claimedAt }: ClaimRow): Promise<boolean> {
  const { numAffectedRows } = await sql`INSERT INTO file_claims (id, sha256, purpose, boot, claimed_at)
    SELECT ${id}, ${sha256}, 'remove', ${boot}, ${claimedAt.toISOString()}
    WHERE NOT EXISTS (SELECT 1 FROM files WHERE sha256 = ${sha256})
      AND NOT ${isHeld(claimedAt)}
      AND NOT EXISTS (SELECT 1 FROM file_claims
        WHERE sha256 = ${sha256} AND (purpose = 'remove' OR boot IN (SELECT boot FROM nodes)))`.execute(tx)
  return numAffectedRows === 1n
}

/** No node has this boot: once the hold is over, the claim is found as one of a dead node. */
const HELD = 'held'

/** While a backup holds all files, notes one without a row: it is removed after the hold. */
export async function deferRemoval(tx: Tx, { id, sha256, claimedAt }: ClaimRow): Promise<void> {
  await sql`INSERT INTO file_claims (id, sha256, purpose, boot, claimed_at)
    SELECT ${id}, ${sha256}, 'keep', ${HELD}, ${claimedAt.toISOString()}
    WHERE ${isHeld(claimedAt)}
      AND NOT EXISTS (SELECT 1 FROM files WHERE sha256 = ${sha256})
      AND NOT EXISTS (SELECT 1 FROM file_claims WHERE sha256 = ${sha256} AND boot = ${HELD})`.execute(tx)
}

/** Holds all files until then, or for longer. Also drops holds that are over. */
export async function saveHold(tx: Tx, id: string, now: Date, until: Date): Promise<void> {
  await tx
    .deleteFrom('file_holds')
    .where(eb => eb.or([eb('until', '<=', now.toISOString()), eb('until', '>', longestHold(now))]))
    .execute()
  await tx
    .insertInto('file_holds')
    .values({ id, until: until.toISOString() })
    .onConflict(c => c.column('id').doUpdateSet({ until: until.toISOString() }))
    .execute()
}

export async function deleteHold(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('file_holds').where('id', '=', id).execute()
}

/** SELECTs the claim, if it exists. */
export const claimById = (tx: Tx, id: string) => tx.selectFrom('file_claims').select('id').where('id', '=', id)

export const claimDeletion = (tx: Tx, id: string) => tx.deleteFrom('file_claims').where('id', '=', id)

/** Returns whether it existed. */
export async function deleteClaim(tx: Tx, id: string): Promise<boolean> {
  return (await claimDeletion(tx, id).executeTakeFirst()).numDeletedRows === 1n
}

export async function deleteClaims(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('file_claims').where('id', 'in', ids).execute()
}

/** Of dead nodes: one that continues finds that its claim is gone. */
export async function deleteKeeps(tx: Tx, sha256: string): Promise<void> {
  await tx.deleteFrom('file_claims').where('sha256', '=', sha256).where('purpose', '=', 'keep').execute()
}

/** Claims of dead nodes, and removals that are over without having ended. */
export async function unfinishedClaims(db: Db, span: RemovalSpan, limit: number): Promise<{ id: string; sha256: string }[]> {
  return db
    .selectFrom('file_claims')
    .select(['id', 'sha256'])
    .where(eb =>
      eb.or([
        eb.and([eb('purpose', '=', 'keep'), eb('boot', 'not in', db.selectFrom('nodes').select('nodes.boot'))]),
        eb.and([eb('purpose', '=', 'remove'), isOver(span)]),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
}
