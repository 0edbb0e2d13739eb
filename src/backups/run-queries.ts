/** Rows of backups that the instance made. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'

export interface BackupRun {
  id: string
  cause: 'schedule' | 'request'
  boot: string
  startedAt: Date
  endedAt: Date | undefined
  verdict: 'verified' | 'incomplete' | 'failed' | undefined
  fileName: string
  /** Folder or bucket, without a login. */
  place: string
  bytes: number | undefined
  documents: number | undefined
  problem: string | undefined
  removedAt: Date | undefined
}

const RUNS = rowMapper<BackupRun, Selectable<Schema['backup_runs']>>()({
  id: 'id',
  cause: 'cause',
  boot: 'boot',
  startedAt: ['started_at', 'time'],
  endedAt: ['ended_at', 'optional time'],
  verdict: ['verdict', 'optional'],
  fileName: 'file_name',
  place: 'place',
  bytes: ['bytes', 'optional'],
  documents: ['documents', 'optional'],
  problem: ['problem', 'optional'],
  removedAt: ['removed_at', 'optional time'],
})

export async function insertRun(tx: Tx, run: BackupRun): Promise<void> {
  await tx.insertInto('backup_runs').values(RUNS.write(run)).execute()
}

/** The run that has not ended; its process may be gone. */
export async function openRun(db: Db | Tx): Promise<BackupRun | undefined> {
  const row = await db.selectFrom('backup_runs').selectAll().where('ended_at', 'is', null).executeTakeFirst()
  return row && RUNS.read(row)
}

export type RunEnd = Pick<BackupRun, 'verdict' | 'bytes' | 'documents' | 'problem'>

export async function endRun(tx: Tx, id: string, at: Date, { verdict, bytes, documents, problem }: RunEnd): Promise<void> {
  const values = { verdict: verdict ?? null, bytes: bytes ?? null, documents: documents ?? null, problem: problem ?? null }
  await tx
    .updateTable('backup_runs')
    .set({ ended_at: at.toISOString(), ...values })
    .where('id', '=', id)
    .execute()
}

/**
 * For a restored database, in which the run that made the backup has not ended. The restored file
 * is known to be whole; another run has no result here.
 */
export async function settleOpenRun(
  tx: Tx,
  fileName: string,
  { endedAt, documents, bytes }: { endedAt: Date; documents: number; bytes: number },
): Promise<void> {
  const run = await openRun(tx)
  if (run?.fileName === fileName) await endRun(tx, run.id, endedAt, { verdict: 'verified', bytes, documents, problem: undefined })
  await tx.deleteFrom('backup_runs').where('ended_at', 'is', null).execute()
}

/** The newest first. */
export async function newestRuns(db: Db, limit: number): Promise<BackupRun[]> {
  const rows = await db
    .selectFrom('backup_runs')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(RUNS.read)
}

export async function findRun(db: Db, id: string): Promise<BackupRun | undefined> {
  const row = await db.selectFrom('backup_runs').selectAll().where('id', '=', id).executeTakeFirst()
  return row && RUNS.read(row)
}

export async function newestVerified(db: Db): Promise<BackupRun | undefined> {
  const row = await db
    .selectFrom('backup_runs')
    .selectAll()
    .where('verdict', '=', 'verified')
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && RUNS.read(row)
}

export async function wasScheduledSince(db: Db, since: Date): Promise<boolean> {
  const found = db.selectFrom('backup_runs').select('id').where('cause', '=', 'schedule')
  return (await found.where('started_at', '>=', since.toISOString()).executeTakeFirst()) !== undefined
}

export async function markRemoved(tx: Tx, fileName: string, at: Date): Promise<void> {
  await tx.updateTable('backup_runs').set({ removed_at: at.toISOString() }).where('file_name', '=', fileName).execute()
}

export async function isNodeAlive(db: Db | Tx, boot: string): Promise<boolean> {
  return (await db.selectFrom('nodes').select('boot').where('boot', '=', boot).executeTakeFirst()) !== undefined
}
