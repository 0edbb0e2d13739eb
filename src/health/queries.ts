/** Rows of the checks that run in the background, and what the Health page counts. */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import type { JobKind } from '../outbox/queries.ts'
import type { LongCheck } from '../ports.ts'

/** In the text of the statement, so that SQLite uses the index of open jobs. */
const OPEN = sql.lit('open' as const)

export interface CheckRun {
  boot: string
  startedAt: Date
  finishedAt: Date | undefined
  done: number
  total: number
  /** Undefined until it has finished. */
  result: unknown
}

export async function checkRun(db: Db | Tx, name: LongCheck): Promise<CheckRun | undefined> {
  const row = await db.selectFrom('checks').selectAll().where('name', '=', name).executeTakeFirst()
  return (
    row && {
      boot: row.boot,
      startedAt: new Date(row.started_at),
      finishedAt: row.finished_at === null ? undefined : new Date(row.finished_at),
      done: row.done,
      total: row.total,
      result: row.result === null ? undefined : JSON.parse(row.result),
    }
  )
}

/** Whether it goes on: a node that ended, ended its checks. */
export async function isRunning(db: Db | Tx, run: CheckRun | undefined): Promise<boolean> {
  if (run === undefined || run.finishedAt !== undefined) return false
  return (await db.selectFrom('nodes').select('boot').where('boot', '=', run.boot).executeTakeFirst()) !== undefined
}

interface NewRun {
  boot: string
  actor: string
  at: Date
  total: number
}

/** The result of the run before is kept until this one has its own. */
export async function insertRun(tx: Tx, name: LongCheck, { boot, actor, at, total }: NewRun): Promise<void> {
  const begun = { boot, actor, started_at: at.toISOString(), finished_at: null, done: 0, total }
  await tx
    .insertInto('checks')
    .values({ name, ...begun, result: null })
    .onConflict(c => c.column('name').doUpdateSet(begun))
    .execute()
}

export async function noteProgress(tx: Tx, name: LongCheck, done: number): Promise<void> {
  await tx.updateTable('checks').set({ done }).where('name', '=', name).execute()
}

/** `result`: undefined if it could not be finished. */
export async function finishRun(tx: Tx, name: LongCheck, at: Date, result: unknown): Promise<void> {
  const finished = { finished_at: at.toISOString(), result: JSON.stringify(result) }
  await tx.updateTable('checks').set(finished).where('name', '=', name).execute()
}

/** Open jobs of a kind that were tried and failed; counted up to a limit. */
export interface FailingJobs {
  count: number
  /** Of one of them. */
  lastError: string
}

export async function failingJobs(db: Db, kind: JobKind, limit: number): Promise<FailingJobs | undefined> {
  const open = db.selectFrom('jobs').select('last_error').where('kind', '=', kind).where('state', '=', OPEN)
  const rows = await open.where('last_error', 'is not', null).orderBy('created_at', 'desc').limit(limit).execute()
  const [newest] = rows
  return newest && { count: rows.length, lastError: newest.last_error ?? '' }
}

/** Makes jobs of the kind that wait for another attempt due now. */
export async function retryNow(tx: Tx, kind: JobKind, now: Date): Promise<number> {
  const at = now.toISOString()
  const waiting = tx.updateTable('jobs').set({ due_at: at }).where('kind', '=', kind).where('state', '=', 'open')
  const { numUpdatedRows } = await waiting.where('lease_boot', 'is', null).where('due_at', '>', at).executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Mails created since then that no server accepted; counted up to a limit. */
export async function failedMails(db: Db, since: Date, limit: number): Promise<number> {
  const failed = db.selectFrom('mails').select('id').where('created_at', '>=', since.toISOString()).where('status', '=', 'failed')
  return (await failed.limit(limit).execute()).length
}

export async function storedFiles(db: Db): Promise<{ count: number; bytes: number }> {
  const sums = db.selectFrom('files').select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number>('bytes').as('bytes')])
  const { count, bytes } = await sums.executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes ?? 0) }
}

export interface NodeRow {
  name: string
  version: string
}

export async function allNodes(db: Db): Promise<NodeRow[]> {
  return db.selectFrom('nodes').select(['name', 'version']).orderBy('name').execute()
}

/** Of PostgreSQL, in bytes. */
export async function databaseBytes(db: Db): Promise<number> {
  return Number(await db.reads.value('SELECT pg_database_size(current_database())', []))
}
