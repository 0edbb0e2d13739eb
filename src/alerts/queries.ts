/** Rows of open alerts and counts of mails about alerts. */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/open.ts'

export interface Alert {
  kind: string
  /** Empty for the whole instance. */
  subject: string
  since: Date
  /** Problem and remedy. */
  message: string
}

/** Inserts the alert unless it is open. Returns whether it is new. */
export async function insertAlert(tx: Tx, { kind, subject, since, message }: Alert): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('alerts')
    .values({ kind, subject, since: since.toISOString(), message })
    .onConflict(c => c.columns(['kind', 'subject']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Returns whether the alert was open. */
export async function deleteAlert(tx: Tx, kind: string, subject: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('alerts')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Open alerts, oldest first. */
export async function listAlerts(db: Db | Tx, limit: number): Promise<Alert[]> {
  const rows = await db.selectFrom('alerts').selectAll().orderBy('since').orderBy('subject').limit(limit).execute()
  return rows.map(row => ({ ...row, since: new Date(row.since) }))
}

export async function isAlertOpen(db: Db | Tx, kind: string, subject: string): Promise<boolean> {
  const row = await db
    .selectFrom('alerts')
    .select('kind')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row !== undefined
}

export async function countAlerts(db: Db | Tx, kind: string): Promise<number> {
  const { count } = await db
    .selectFrom('alerts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return count
}

export async function alertSubjects(db: Db | Tx, kind: string): Promise<string[]> {
  const rows = await db.selectFrom('alerts').select('subject').where('kind', '=', kind).execute()
  return rows.map(row => row.subject)
}

const COUNT_PERIOD_MS = 24 * 3_600_000

/** Counts a mail. Returns the number of mails in the day that began with the first of them. */
export async function incrementAlertMails(tx: Tx, kind: string, address: string, now: Date): Promise<number> {
  const at = now.toISOString()
  const dayBefore = new Date(now.getTime() - COUNT_PERIOD_MS).toISOString()
  // A start in the future counts as over: the clock was set back.
  const isOver = sql`alert_mails.since <= ${dayBefore} OR alert_mails.since > ${at}`
  const { count } = await tx
    .insertInto('alert_mails')
    .values({ kind, address, since: at, count: 1 })
    .onConflict(c =>
      c.columns(['kind', 'address']).doUpdateSet({
        count: sql`CASE WHEN ${isOver} THEN 1 ELSE alert_mails.count + 1 END`,
        since: sql`CASE WHEN ${isOver} THEN excluded.since ELSE alert_mails.since END`,
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return count
}

/** Removes counts that are over, because they contain addresses. Returns how many. */
export async function dropAlertMailCounts(tx: Tx, now: Date): Promise<number> {
  const dayBefore = new Date(now.getTime() - COUNT_PERIOD_MS).toISOString()
  return Number((await tx.deleteFrom('alert_mails').where('since', '<=', dayBefore).executeTakeFirst()).numDeletedRows)
}
