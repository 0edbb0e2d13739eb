/** Rows of changes of an account's e-mail address. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'

export interface EmailChange {
  id: string
  userId: string
  oldEmail: string
  newEmail: string
  confirmSha256: string
  stopSha256: string
  requestedAt: Date
  confirmUntil: Date
  /** Undefined: the old address holds. */
  confirmedAt: Date | undefined
  /** Until then the old address can stop the change, or take it back. */
  stopUntil: Date
}

const CHANGES = rowMapper<EmailChange, Selectable<Schema['email_changes']>>()({
  id: 'id',
  userId: 'user_id',
  oldEmail: 'old_email',
  newEmail: 'new_email',
  confirmSha256: 'confirm_sha256',
  stopSha256: 'stop_sha256',
  requestedAt: ['requested_at', 'time'],
  confirmUntil: ['confirm_until', 'time'],
  confirmedAt: ['confirmed_at', 'optional time'],
  stopUntil: ['stop_until', 'time'],
})

const all = (db: Db | Tx) => db.selectFrom('email_changes').selectAll()

export async function insertChange(tx: Tx, change: EmailChange): Promise<void> {
  await tx.insertInto('email_changes').values(CHANGES.write(change)).execute()
}

/** The change that waits for its confirmation. */
export async function openChangeOf(db: Db | Tx, userId: string, now: Date): Promise<EmailChange | undefined> {
  const open = all(db).where('user_id', '=', userId).where('confirmed_at', 'is', null)
  const row = await open.where('confirm_until', '>', now.toISOString()).executeTakeFirst()
  return row && CHANGES.read(row)
}

export async function changeToConfirm(db: Db | Tx, tokenSha256: string, now: Date): Promise<EmailChange | undefined> {
  const open = all(db).where('confirm_sha256', '=', tokenSha256).where('confirmed_at', 'is', null)
  const row = await open.where('confirm_until', '>', now.toISOString()).executeTakeFirst()
  return row && CHANGES.read(row)
}

/** One that waits, or that was confirmed a short while ago. */
export async function changeToStop(db: Db | Tx, tokenSha256: string, now: Date): Promise<EmailChange | undefined> {
  const at = now.toISOString()
  const row = await all(db)
    .where('stop_sha256', '=', tokenSha256)
    .where('stop_until', '>', at)
    .where(({ or, eb }) => or([eb('confirmed_at', 'is not', null), eb('confirm_until', '>', at)]))
    .executeTakeFirst()
  return row && CHANGES.read(row)
}

export async function countChangesSince(tx: Tx, userId: string, moment: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('email_changes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('requested_at', '>', moment.toISOString())
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function markConfirmed(tx: Tx, id: string, now: Date, stopUntil: Date): Promise<void> {
  const values = { confirmed_at: now.toISOString(), stop_until: stopUntil.toISOString() }
  await tx.updateTable('email_changes').set(values).where('id', '=', id).execute()
}

/** Those that wait for their confirmation wait no longer. */
export async function endOpenChangesOf(tx: Tx, userId: string, now: Date): Promise<void> {
  const open = tx.updateTable('email_changes').set({ confirm_until: now.toISOString() }).where('user_id', '=', userId)
  await open.where('confirmed_at', 'is', null).where('confirm_until', '>', now.toISOString()).execute()
}

/** Of this change and of later ones, no link works any more. */
export async function endChangesFrom(tx: Tx, { userId, requestedAt }: EmailChange, now: Date): Promise<void> {
  const at = now.toISOString()
  const later = tx.updateTable('email_changes').set({ confirm_until: at, stop_until: at }).where('user_id', '=', userId)
  await later.where('requested_at', '>=', requestedAt.toISOString()).execute()
}

export async function setEmail(tx: Tx, userId: string, email: string): Promise<void> {
  await tx.updateTable('users').set({ email }).where('id', '=', userId).execute()
}

/** Deletes at most `limit` rows. Returns how many. */
export async function dropChangesBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const old = tx.selectFrom('email_changes').select('id').where('stop_until', '<', moment.toISOString()).limit(limit)
  return Number((await tx.deleteFrom('email_changes').where('id', 'in', old).executeTakeFirst()).numDeletedRows)
}
