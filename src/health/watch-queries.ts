/** What the watches ask of jobs, mails, nodes and entries. Each reads a few rows of an index. */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import type { JobKind } from '../outbox/queries.ts'

/** In the text of the statement, so that SQLite uses the indexes of open jobs. */
const OPEN = sql.lit('open' as const)
/** Mails are accepted nearly in the order in which they were made. */
const NEWEST_MAILS = 20

const time = (text: string | null | undefined) => (text ? new Date(text) : undefined)

export interface FailingJob {
  createdAt: Date
  /** Of its last attempt. */
  error: string
}

/** The oldest open job that was tried and failed, of those created after `since`. */
export async function oldestFailing(db: Db, kind: JobKind, since = new Date(0)): Promise<FailingJob | undefined> {
  const failing = db.selectFrom('jobs').select(['created_at', 'last_error']).where('kind', '=', kind).where('state', '=', OPEN)
  const query = failing.where('last_error', 'is not', null).where('created_at', '>', since.toISOString())
  const row = await query.orderBy('created_at').limit(1).executeTakeFirst()
  return row && { createdAt: new Date(row.created_at), error: row.last_error ?? '' }
}

/** Open jobs of a kind that were tried and failed; counted up to a limit. */
export async function countFailing(db: Db, kind: JobKind, limit: number): Promise<number> {
  const open = db.selectFrom('jobs').select('id').where('kind', '=', kind).where('state', '=', OPEN)
  const failing = open.where('last_error', 'is not', null).limit(limit)
  const query = db.selectFrom(failing.as('failing')).select(({ fn }) => fn.countAll<number>().as('count'))
  return Number((await query.executeTakeFirstOrThrow()).count)
}

/** When the job is due that waits longest and that no node has begun. */
export async function oldestWaiting(db: Db, kind: JobKind): Promise<Date | undefined> {
  const open = db.selectFrom('jobs').select('due_at').where('kind', '=', kind).where('state', '=', OPEN)
  const row = await open.where('lease_boot', 'is', null).orderBy('due_at').limit(1).executeTakeFirst()
  return time(row?.due_at)
}

/** Whether a node runs a job of the kind. */
export async function isAnyLeased(db: Db, kind: JobKind): Promise<boolean> {
  const leased = db.selectFrom('jobs').select('id').where('lease_boot', 'is not', null).where('kind', '=', kind)
  return (await leased.limit(1).executeTakeFirst()) !== undefined
}

export async function lastAcceptedMail(db: Db | Tx): Promise<Date | undefined> {
  const accepted = db.selectFrom('mails').select('sent_at').where('status', '=', 'accepted')
  const rows = await accepted.orderBy('id', 'desc').limit(NEWEST_MAILS).execute()
  return time(rows.reduce<string | null>((last, { sent_at: at }) => (at !== null && at > (last ?? '') ? at : last), null))
}

/** When the node started that has served longest. */
export async function servedSince(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('nodes').select('started_at').orderBy('started_at').limit(1).executeTakeFirst()
  return time(row?.started_at)
}

/** The time of the newest entry of the audit log. */
export async function lastEntryAt(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('events').select('at').orderBy('sequence', 'desc').limit(1).executeTakeFirst()
  return time(row?.at)
}
