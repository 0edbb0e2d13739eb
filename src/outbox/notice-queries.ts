/** Rows of notices, the mails that belong to no document: found by time, deleted. */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { MAILS, type Mail } from './queries.ts'

/** The notices that were queued from a time until another. */
export async function noticesQueued(db: Db | Tx, from: Date, until: Date): Promise<Mail[]> {
  const between = db.selectFrom('mails').selectAll().where('kind', '=', 'notice').where('created_at', '>=', from.toISOString())
  return (await between.where('created_at', '<=', until.toISOString()).execute()).map(MAILS.read)
}

/** The notices to addresses (lower case) that are not waiting. Their files are the caller's. */
export async function dropNoticesTo(tx: Tx, emails: readonly string[]): Promise<Mail[]> {
  const notices = tx.deleteFrom('mails').where('document_id', 'is', null).where('status', '!=', 'queued')
  return (await notices.where(sql`lower(recipient_email)`, 'in', emails).returningAll().execute()).map(MAILS.read)
}

export async function dropMail(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('mails').where('id', '=', id).execute()
}

/**
 * Notices of this state that were created before. Returns those that it deleted, at most `limit`.
 */
export async function dropNoticesBefore(tx: Tx, status: 'accepted' | 'failed', before: Date, limit: number): Promise<Mail[]> {
  const old = tx.selectFrom('mails').select('id').where('document_id', 'is', null).where('status', '=', status)
  const some = old.where('created_at', '<', before.toISOString()).limit(limit)
  return (await tx.deleteFrom('mails').where('id', 'in', some).returningAll().execute()).map(MAILS.read)
}
