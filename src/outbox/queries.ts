/**
 * Rows of jobs, which are the work that leaves the process, of mails, and of notices among them.
 */
import { type Selectable, sql, type Updateable } from 'kysely'
import type { AppLanguage } from '../core/language.ts'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import { type Change, changeTogether, insertions } from '../db/together.ts'
import { inWords, type Words, wordsOf } from '../db/words.ts'

export const JOB_KINDS = ['seal', 'webhook', 'mail', 'augment'] as const
export type JobKind = (typeof JOB_KINDS)[number]
/** Kinds whose jobs run also while sending is paused. */
export const KINDS_ON_THIS_MACHINE: readonly JobKind[] = ['seal', 'augment']

export interface Job {
  id: string
  kind: JobKind
  subject: string
  lane: string
  /** Attempts counted before this one. */
  attempts: number
}

/** A job that a node runs. Its result is stored only while the lease is this one. */
export interface LeasedJob extends Job {
  /** The boot that leased it. */
  boot: string
}

/** Another node has the job, or it was deleted: nothing of its result may be stored. */
export class LeaseLostError extends Error {
  constructor({ id }: Pick<Job, 'id'>) {
    super(`the lease of ${id} has ended`)
  }
}

export interface NewJob {
  id: string
  kind: JobKind
  subject: string
  lane: string
  documentId: string | undefined
  dueAt: Date
}

export function jobInsertions(tx: Tx, jobs: readonly NewJob[], now: Date): Change[] {
  const rows = jobs.map(({ id, kind, subject, lane, documentId, dueAt }) => ({
    id,
    kind,
    subject,
    lane,
    document_id: documentId ?? null,
    due_at: dueAt.toISOString(),
    created_at: now.toISOString(),
  }))
  return insertions(tx, 'jobs', rows)
}

export async function insertJob(tx: Tx, job: NewJob, now: Date): Promise<void> {
  await changeTogether(tx, jobInsertions(tx, [job], now))
}

// Part of the statement's text: with a bound value SQLite prepares the statement a second time to
// see that the index of open jobs covers it.
const OPEN = sql.lit('open' as const)

/** Inserts the job unless the subject has one of this kind already. */
export async function insertJobOnce(tx: Tx, job: NewJob, now: Date): Promise<void> {
  const known = await tx
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', job.kind)
    .where('subject', '=', job.subject)
    .executeTakeFirst()
  if (!known) await insertJob(tx, job, now)
}

export async function countOpenJobs(db: Db, kind: JobKind, limit: number): Promise<number> {
  const open = db.selectFrom('jobs').select('id').where('kind', '=', kind).where('state', '=', OPEN).limit(limit)
  return (await open.execute()).length
}

/** Jobs of a kind that are due and that no process has begun. */
export async function countWaitingJobs(db: Db, kind: JobKind, now: Date, limit: number): Promise<number> {
  const open = db.selectFrom('jobs').select('id').where('kind', '=', kind).where('state', '=', OPEN)
  const waiting = open.where('lease_boot', 'is', null).where('due_at', '<=', now.toISOString()).limit(limit)
  const query = db.selectFrom(waiting.as('waiting')).select(eb => eb.fn.countAll<number>().as('count'))
  return (await query.executeTakeFirstOrThrow()).count
}

/** How many more jobs of a kind may be started. */
export interface FreeCapacity {
  /** In all lanes. */
  all: number
  /** Outside slow lanes. */
  fast: number
  /** In slow lanes. */
  slow: number
  isSlow(lane: string): boolean
  leftInLane(lane: string): number
}

const freeJobs = ({ indexedBy }: Words) =>
  `FROM jobs ${indexedBy('jobs_lane')} WHERE kind = ? AND state = 'open' AND lease_boot IS NULL`

/** Each lane with its oldest free job. One index look-up for each, however many jobs it has. */
const OLDEST_BY_LANE = inWords(words => {
  const first = `SELECT id ${freeJobs(words)} AND lane >`
  return `WITH RECURSIVE lanes (lane, due_at) AS (
      SELECT lane, due_at FROM jobs WHERE id = (${first} '' ORDER BY lane, due_at, id LIMIT 1)
      UNION ALL SELECT j.lane, j.due_at FROM lanes ${words.joinInOrder} jobs j ON j.id = (
        ${first} lanes.lane ORDER BY lane, due_at, id LIMIT 1)
    ) SELECT lane, due_at FROM lanes`
})

const DUE_IN_LANE = inWords(
  words => `SELECT id, kind, subject, lane, attempts ${freeJobs(words)} AND lane = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?`,
)

/** One due job of each lane in turn, beginning with the lane that has waited longest. */
export async function dueJobs(db: Db, kind: JobKind, now: Date, capacity: FreeCapacity): Promise<Job[]> {
  if (capacity.all <= 0 || (capacity.fast <= 0 && capacity.slow <= 0)) return []
  const at = now.toISOString()
  const oldest = (await db.reads.all(OLDEST_BY_LANE(db), [kind, kind])) as { lane: string; due_at: string }[]
  const waiting = oldest.filter(({ lane, due_at }) => due_at <= at && capacity.leftInLane(lane) > 0)
  waiting.sort((a, b) => Number(a.due_at > b.due_at) - Number(a.due_at < b.due_at))
  const lanes = withinCapacity(waiting, capacity)
  const rows = await Promise.all(
    lanes.map(({ lane }) => {
      const limit = Math.min(capacity.all, capacity.leftInLane(lane))
      return db.reads.all(DUE_IN_LANE(db), [kind, lane, at, limit]) as Promise<Job[]>
    }),
  )
  const longest = Math.max(0, ...rows.map(({ length }) => length))
  const inTurn = Array.from({ length: longest }, (_, i) => rows.flatMap(jobs => jobs[i] ?? [])).flat()
  return withinCapacity(inTurn, capacity)
}

/** The first of these that may be started together. */
function withinCapacity<T extends { lane: string }>(all: T[], { isSlow, ...capacity }: FreeCapacity): T[] {
  const left = { all: capacity.all, fast: capacity.fast, slow: capacity.slow }
  return all.filter(({ lane }) => {
    const speed = isSlow(lane) ? 'slow' : 'fast'
    if (left.all <= 0 || left[speed] <= 0) return false
    left.all--
    left[speed]--
    return true
  })
}

/**
 * Leases jobs and counts the attempt. Returns the ids that were still free; `undefined` if the boot
 * has no row, and thus may lease nothing.
 */
export async function takeJobs(tx: Tx, ids: string[], boot: string): Promise<Set<string> | undefined> {
  const node = tx.selectFrom('nodes').select('boot').where('boot', '=', boot)
  const taken = await tx
    .updateTable('jobs')
    .set(({ eb }) => ({ lease_boot: boot, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .where('lease_boot', 'is', null)
    .where('state', '=', 'open')
    .where(({ exists }) => exists(node))
    .returning('id')
    .execute()
  if (taken.length === 0 && !(await node.executeTakeFirst())) return undefined
  return new Set(taken.map(({ id }) => id))
}

/** Ends leases of this boot whose jobs were not begun. */
export async function giveBackJobs(tx: Tx, ids: string[], boot: string): Promise<void> {
  await tx
    .updateTable('jobs')
    .set(({ eb }) => ({ lease_boot: null, attempts: eb('attempts', '-', 1) }))
    .where('id', 'in', ids)
    .where('lease_boot', '=', boot)
    .execute()
}

/** When the next job of these kinds is due. */
export async function nextDue(db: Db, kinds: readonly JobKind[]): Promise<Date | undefined> {
  const all = db.selectFrom('jobs').select('due_at').where('state', '=', OPEN).where('lease_boot', 'is', null)
  const row = await (kinds === JOB_KINDS ? all : all.where('kind', 'in', kinds)).orderBy('due_at').limit(1).executeTakeFirst()
  return row && new Date(row.due_at)
}

/** When the open jobs of these subjects are due. */
export async function dueTimes(db: Db, kind: JobKind, subjects: string[]): Promise<Map<string, Date>> {
  // PostgreSQL refuses an empty list.
  if (subjects.length === 0) return new Map()
  const query = db.selectFrom('jobs').select(['subject', 'due_at']).where('kind', '=', kind).where('subject', 'in', subjects)
  const rows = await query.where('state', '=', 'open').execute()
  return new Map(rows.map(row => [row.subject, new Date(row.due_at)]))
}

/** @throws LeaseLostError, which ends the transaction of the result. */
export async function finishJob(tx: Tx, job: LeasedJob, state: 'done' | 'failed', error?: string): Promise<void> {
  await endLease(tx, job, { state, last_error: error ?? null })
}

/** The job stays in its lane unless another is given. @throws LeaseLostError as `finishJob` */
export async function postponeJob(tx: Tx, job: LeasedJob, dueAt: Date, error: string, lane = job.lane): Promise<void> {
  await endLease(tx, job, { due_at: dueAt.toISOString(), last_error: error, lane })
}

async function endLease(tx: Tx, job: LeasedJob, values: Updateable<Schema['jobs']>): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({ ...values, lease_boot: null })
    .where('id', '=', job.id)
    .where('lease_boot', '=', job.boot)
    .where('state', '=', 'open')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLostError(job)
}

/** Makes seals that wait for another attempt due now. */
export async function retrySealsNow(tx: Tx, now: Date): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ due_at: now.toISOString() })
    .where('kind', '=', 'seal')
    .where('state', '=', 'open')
    .where('lease_boot', 'is', null)
    .where('due_at', '>', now.toISOString())
    .execute()
}

/** As `retrySealsNow`, for one document. */
export async function retrySealNow(tx: Tx, documentId: string, now: Date): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ due_at: now.toISOString() })
    .where('kind', '=', 'seal')
    .where('subject', '=', documentId)
    .where('state', '=', 'open')
    .execute()
}

/** Makes the job of one mail due now, and counts its attempts anew. */
export async function retryMailNow(tx: Tx, mail: NewJob, now: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({ state: 'open', due_at: now.toISOString(), lane: mail.lane, attempts: 0, last_error: null })
    .where('kind', '=', 'mail')
    .where('subject', '=', mail.subject)
    .where('lease_boot', 'is', null)
    .executeTakeFirst()
  // Jobs that ended are removed after a while; one that runs has its lease.
  if (numUpdatedRows === 0n) await insertJobOnce(tx, mail, now)
}

/** Makes mails that wait for another attempt due now, and moves those of one lane into another. */
export async function retryMailsNow(tx: Tx, lanes: { from: string; to: string }, now: Date): Promise<void> {
  const waiting = tx.updateTable('jobs').where('kind', '=', 'mail').where('state', '=', 'open').where('lease_boot', 'is', null)
  await waiting.set({ due_at: now.toISOString() }).execute()
  await waiting.set({ lane: lanes.to }).where('lane', '=', lanes.from).execute()
}

/** Frees the jobs that a boot without a row had leased. */
export async function releaseLeases(tx: Tx): Promise<void> {
  const { indexedBy } = wordsOf(tx)
  await sql`UPDATE jobs ${sql.raw(indexedBy('jobs_leased'))} SET lease_boot = NULL
    WHERE lease_boot IS NOT NULL AND lease_boot NOT IN (SELECT boot FROM nodes)`.execute(tx)
}

/** Moves the mails of a document into another lane. Returns their number. */
export async function moveMails(tx: Tx, documentId: string, lane: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({ lane })
    .where('document_id', '=', documentId)
    .where('kind', '=', 'mail')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function dropJobs(tx: Tx, kind: JobKind, subjects: string[]): Promise<void> {
  for (const subject of subjects) await tx.deleteFrom('jobs').where('kind', '=', kind).where('subject', '=', subject).execute()
}

export async function dropDocumentJobs(tx: Tx, documentId: string): Promise<void> {
  await tx.deleteFrom('jobs').where('document_id', '=', documentId).execute()
}

/** A mail that belongs to no document. */
export interface Notice {
  subject: string
  paragraphs: string[]
  /**
   * `path` is on this service. With `keyedBy`, the token that `keyedToken` makes of it is appended
   * when the mail is sent: no row contains it.
   */
  link?: { text: string; path: string; keyedBy?: string[] }
  /** English by default. */
  language?: AppLanguage
  attachment?: { fileName: string; contentType: string; text: string }
  /** To somebody whose account is gone: its row goes with its outcome. */
  isLast?: boolean
}

export interface Mail {
  id: string
  kind: string
  /** `undefined` for a notice. */
  documentId: string | undefined
  recipientId: string | undefined
  name: string
  email: string
  status: 'queued' | 'accepted' | 'failed'
  reply: string | undefined
  createdAt: Date
  sentAt: Date | undefined
  notice: Notice | undefined
}

export const MAILS = rowMapper<Mail, Selectable<Schema['mails']>>()({
  id: 'id',
  kind: 'kind',
  documentId: ['document_id', 'optional'],
  recipientId: ['recipient_id', 'optional'],
  name: 'recipient_name',
  email: 'recipient_email',
  status: 'status',
  reply: ['reply', 'optional'],
  createdAt: ['created_at', 'time'],
  sentAt: ['sent_at', 'optional time'],
  notice: ['notice', 'optional json'],
})

export const mailInsertions = (tx: Tx, mails: readonly Mail[]): Change[] => insertions(tx, 'mails', mails.map(MAILS.write))

export async function mailById(db: Db | Tx, id: string): Promise<Mail | undefined> {
  const row = await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
  return row && MAILS.read(row)
}

/** Those of these mails that exist. */
export async function mailsById(db: Db | Tx, ids: readonly string[]): Promise<Mail[]> {
  if (ids.length === 0) return []
  return (await db.selectFrom('mails').selectAll().where('id', 'in', ids).execute()).map(MAILS.read)
}

/** Newest first; of one state, if one is named. */
export async function latestMails(db: Db, limit: number, status?: Mail['status']): Promise<Mail[]> {
  const all = db.selectFrom('mails').selectAll().orderBy('id', 'desc').limit(limit)
  return (await (status ? all.where('status', '=', status) : all).execute()).map(MAILS.read)
}

/** The mails to people of the web app that no mail server accepts, newest first. */
export async function failedNotices(db: Db, emails: readonly string[]): Promise<Pick<Mail, 'email' | 'reply' | 'createdAt'>[]> {
  if (emails.length === 0) return []
  const failed = db.selectFrom('mails').selectAll().where('status', '=', 'failed').where('document_id', 'is', null)
  return (await failed.where('recipient_email', 'in', emails).orderBy('id', 'desc').execute()).map(MAILS.read)
}

export async function setMailStatus(tx: Tx, id: string, status: Mail['status'], reply: string, now: Date): Promise<void> {
  await tx
    .updateTable('mails')
    .set({ status, reply, sent_at: status === 'accepted' ? now.toISOString() : null })
    .where('id', '=', id)
    .execute()
}

/** Whether a mail of this kind about the document is under way to its sender, or arrived. */
export async function isSenderMail(db: Db, documentId: string, kind: string): Promise<boolean> {
  const ofDocument = db.selectFrom('mails').select('id').where('document_id', '=', documentId)
  const toSender = ofDocument.where('kind', '=', kind).where('recipient_id', 'is', null)
  return (await toSender.where('status', 'in', ['queued', 'accepted']).limit(1).executeTakeFirst()) !== undefined
}

/** The mails created at these times. The names of their files contain the time. */
export async function mailsCreatedAt(db: Db, dates: Date[]): Promise<Pick<Mail, 'id' | 'createdAt'>[]> {
  const texts = dates.map(date => date.toISOString())
  const rows = await db.selectFrom('mails').select(['id', 'created_at']).where('created_at', 'in', texts).execute()
  return rows.map(row => ({ id: row.id, createdAt: new Date(row.created_at) }))
}

export async function dropDocumentMails(tx: Tx, documentId: string): Promise<Mail[]> {
  return (await tx.deleteFrom('mails').where('document_id', '=', documentId).returningAll().execute()).map(MAILS.read)
}

// Rows of notices, the mails that belong to no document: found by time, deleted.

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
