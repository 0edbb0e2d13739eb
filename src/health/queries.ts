/**
 * Rows of the time, of the checks that run in the background, and of what the watches and the
 * Health page count.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import type { JobKind } from '../outbox/queries.ts'
import type { LongCheck } from '../ports.ts'
import { dropSetting, readSetting, saveSetting } from '../settings/queries.ts'

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

// Rows about the time: when the clock was last believed, and the pause while it is doubted.

/** Written every few minutes while the clock is believed. */
const BELIEVED = 'clock.believed'
const DOUBT = 'clock.doubt'

/** Why the clock is doubted. It is shared by all nodes, and survives a restart. */
export interface ClockDoubt {
  direction: 'ahead' | 'behind'
  /** What the data knew. */
  known: Date
  /** What the clock showed. */
  shown: Date
}

export async function believedAt(db: Db | Tx): Promise<Date | undefined> {
  const value = await readSetting(db, BELIEVED)
  return value === undefined ? undefined : new Date(value)
}

export const saveBelieved = (tx: Tx, at: Date): Promise<void> => saveSetting(tx, BELIEVED, at.toISOString())

export async function clockDoubt(db: Db | Tx): Promise<ClockDoubt | undefined> {
  const value = await readSetting(db, DOUBT)
  if (value === undefined) return undefined
  const { direction, known, shown } = JSON.parse(value) as Record<'known' | 'shown', string> & Pick<ClockDoubt, 'direction'>
  return { direction, known: new Date(known), shown: new Date(shown) }
}

export const saveDoubt = (tx: Tx, doubt: ClockDoubt): Promise<void> => saveSetting(tx, DOUBT, JSON.stringify(doubt))
export const dropDoubt = (tx: Tx): Promise<void> => dropSetting(tx, DOUBT)

/**
 * The newest time in the data of a release that did not write when it believed the clock: of the
 * audit log, of backups, and of nodes that served before this one.
 */
export async function newestTime(db: Db | Tx, ownBoot: string): Promise<Date | undefined> {
  const { rows } = await sql<{ at: string | null }>`SELECT at FROM events WHERE sequence = (SELECT max(sequence) FROM events)
    UNION ALL SELECT max(started_at) FROM backup_runs
    UNION ALL SELECT max(seen_at) FROM nodes WHERE boot <> ${ownBoot}`.execute(db)
  const newest = rows
    .flatMap(({ at }) => at ?? [])
    .sort()
    .at(-1)
  return newest === undefined ? undefined : new Date(newest)
}

/** Jobs that the wrong clock has put off: they are tried now. The index of free jobs finds them. */
export async function retryPutOff(tx: Tx, beyond: Date, now: Date): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ due_at: now.toISOString() })
    .where('state', '=', sql.lit('open' as const))
    .where('lease_boot', 'is', null)
    .where('due_at', '>', beyond.toISOString())
    .execute()
}

// What the watches ask of jobs, mails, nodes and entries. Each reads a few rows of an index.

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
