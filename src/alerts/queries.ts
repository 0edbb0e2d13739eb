/** Rows of open alerts and counts of mails about alerts. */
import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import { DAY_MS } from '../lib/duration.ts'

export interface Alert {
  kind: string
  /** Empty for the whole instance. */
  subject: string
  since: Date
  /** Problem and remedy. */
  message: string
  /** The worst reached; undefined where there are none. */
  step: number | undefined
  /** Mailed to this user, too. */
  ownerId: string | undefined
  /** Undefined once it was mailed, or if it is not to be. */
  mailDueAt: Date | undefined
}

const ALERTS = rowMapper<Alert, Selectable<Schema['alerts']>>()({
  kind: 'kind',
  subject: 'subject',
  since: ['since', 'time'],
  message: 'message',
  step: ['step', 'optional'],
  ownerId: ['owner_id', 'optional'],
  mailDueAt: ['mail_due_at', 'optional time'],
})

/** Opens the alert, or replaces what is known of it. */
export async function saveAlert(tx: Tx, alert: Alert): Promise<void> {
  const { kind: _kind, subject: _subject, ...known } = ALERTS.write(alert)
  await tx
    .insertInto('alerts')
    .values(ALERTS.write(alert))
    .onConflict(c => c.columns(['kind', 'subject']).doUpdateSet(known))
    .execute()
}

export async function setAlertMessage(tx: Tx, kind: string, subject: string, message: string): Promise<void> {
  await tx.updateTable('alerts').set({ message }).where('kind', '=', kind).where('subject', '=', subject).execute()
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
  return rows.map(ALERTS.read)
}

export async function findAlert(db: Db | Tx, kind: string, subject: string): Promise<Alert | undefined> {
  const row = await db.selectFrom('alerts').selectAll().where('kind', '=', kind).where('subject', '=', subject).executeTakeFirst()
  return row && ALERTS.read(row)
}

export async function countAlertsByKind(db: Db): Promise<{ kind: string; count: number }[]> {
  const counts = db.selectFrom('alerts').select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
  return (await counts.groupBy('kind').execute()).map(({ kind, count }) => ({ kind, count: Number(count) }))
}

/** Whether one has to be mailed by now. */
export async function isAlertMailDue(db: Db | Tx, now: Date): Promise<boolean> {
  const due = db.selectFrom('alerts').select('kind').where('mail_due_at', '<=', now.toISOString())
  return (await due.executeTakeFirst()) !== undefined
}

/** Those to be mailed until then, as mailed from now on. Oldest first. */
export async function takeAlertsToMail(tx: Tx, until: Date): Promise<Alert[]> {
  const at = until.toISOString()
  const rows = await tx
    .selectFrom('alerts')
    .selectAll()
    .where('mail_due_at', '<=', at)
    .orderBy('since')
    .orderBy('subject')
    .execute()
  await tx.updateTable('alerts').set({ mail_due_at: null }).where('mail_due_at', '<=', at).execute()
  return rows.map(ALERTS.read)
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

const COUNT_PERIOD_MS = DAY_MS

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
