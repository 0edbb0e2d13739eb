/**
 * What a backup reads of the copy of a database, of any schema from the first on, and what waits to
 * be sent.
 */
import type { Db } from '../db/open.ts'

export interface FileRow {
  sha256: string
  bytes: number
}

/** The stored files after `after`, in the order of their names. */
export async function filePage(db: Db, after: string, limit: number): Promise<FileRow[]> {
  return db.selectFrom('files').select(['sha256', 'bytes']).where('sha256', '>', after).orderBy('sha256').limit(limit).execute()
}

export async function documentCount(db: Db): Promise<number> {
  const documents = db.selectFrom('documents').where('status', '<>', 'template')
  const counted = documents.select(({ fn }) => fn.countAll<number>().as('count'))
  return (await counted.executeTakeFirstOrThrow()).count
}

/** What goes out when sending is resumed. */
export interface WaitingToSend {
  mails: number
  webhooks: number
  reminders: number
  /** Documents whose time is over. */
  expiring: number
}

export async function waitingToSend(db: Db, now: Date): Promise<WaitingToSend> {
  const at = now.toISOString()
  const rows = await db
    .selectFrom('jobs')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
    .where('state', '=', 'open')
    .groupBy('kind')
    .execute()
  const jobs = (kind: string) => rows.find(row => row.kind === kind)?.count ?? 0
  const recipients = db.selectFrom('recipients').where('next_reminder_at', '<=', at)
  const documents = db.selectFrom('documents').where('status', '=', 'sent').where('expires_at', '<=', at)
  const counted = await Promise.all([
    recipients.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    documents.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { mails: jobs('mail'), webhooks: jobs('webhook'), reminders: counted[0].count, expiring: counted[1].count }
}
