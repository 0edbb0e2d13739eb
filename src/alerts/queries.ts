/** Rows of the alerts that are open. */
import type { Db, Tx } from '../db/open.ts'

export interface Alert {
  kind: string
  /** What it is about; empty for the instance as a whole. */
  subject: string
  since: Date
  /** What is wrong and what to do, for an administrator. */
  message: string
}

/** Inserts the alert unless it is open already. Returns whether it is new. */
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

/** The open alerts, the oldest first, at most `limit`. */
export async function listAlerts(db: Db | Tx, limit: number): Promise<Alert[]> {
  const rows = await db.selectFrom('alerts').selectAll().orderBy('since').orderBy('subject').limit(limit).execute()
  return rows.map(row => ({ ...row, since: new Date(row.since) }))
}

/** The subjects of the open alerts of a kind. */
export async function alertSubjects(db: Db | Tx, kind: string): Promise<string[]> {
  const rows = await db.selectFrom('alerts').select('subject').where('kind', '=', kind).execute()
  return rows.map(row => row.subject)
}
