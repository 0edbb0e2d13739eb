/** The rows of work that leaves the process, and of the mails among it. */
import { sql } from 'kysely'
import { type Db, prepared, type Tx } from '../db/open.ts'

export type JobKind = 'mail' | 'webhook' | 'seal' | 'augment'

export interface Job {
  id: string
  kind: JobKind
  subject: string
  lane: string
  /** Attempts counted before this one. */
  attempts: number
}

export interface NewJob {
  id: string
  kind: JobKind
  subject: string
  lane: string
  documentId: string | undefined
  dueAt: Date
}

export async function insertJob(tx: Tx, job: NewJob, now: Date): Promise<void> {
  await tx
    .insertInto('jobs')
    .values({
      id: job.id,
      kind: job.kind,
      subject: job.subject,
      lane: job.lane,
      document_id: job.documentId ?? null,
      due_at: job.dueAt.toISOString(),
      created_at: now.toISOString(),
    })
    .execute()
}

/** In the text of the statement: for a bound value SQLite prepares it a second time to see that the index of open jobs holds it. */
const OPEN = sql.lit('open' as const)

/** The same, unless there is one of this kind for the subject already. */
export async function insertJobOnce(tx: Tx, job: NewJob, now: Date): Promise<void> {
  const known = await tx
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', job.kind)
    .where('subject', '=', job.subject)
    .executeTakeFirst()
  if (!known) await insertJob(tx, job, now)
}

/** How many jobs of a kind are open, counted up to `limit`. */
export async function countOpenJobs(db: Db, kind: JobKind, limit: number): Promise<number> {
  const open = db.selectFrom('jobs').select('id').where('kind', '=', kind).where('state', '=', OPEN).limit(limit)
  return (await open.execute()).length
}

/** What may still be started of a kind. */
export interface FreeCapacity {
  /** Jobs of the kind, in all. */
  all: number
  /** Jobs outside slow lanes, and in them. */
  fast: number
  slow: number
  isSlow(lane: string): boolean
  leftInLane(lane: string): number
}

interface DueRow extends Job {
  due_at: string
}

const FREE = "FROM jobs INDEXED BY jobs_lane WHERE kind = ? AND state = 'open' AND lease_boot IS NULL"
const NEXT_LANE = `SELECT lane ${FREE} AND lane > ? ORDER BY lane LIMIT 1`
const DUE_IN_LANE = `SELECT id, kind, subject, lane, attempts, due_at ${FREE} AND lane = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?`

/** Free jobs of a kind that are due, as far as there is room: one of each lane in turn, the lane that waits longest first. */
export function dueJobs(db: Db, kind: JobKind, now: Date, room: FreeCapacity): Job[] {
  if (room.all <= 0 || (room.fast <= 0 && room.slow <= 0)) return []
  const lanes: { oldest: string; rows: DueRow[] }[] = []
  const next = prepared(db, NEXT_LANE).pluck()
  for (
    let lane = next.get(kind, '') as string | undefined;
    lane !== undefined;
    lane = next.get(kind, lane) as string | undefined
  ) {
    const left = Math.min(room.all, room.leftInLane(lane), room.isSlow(lane) ? room.slow : room.fast)
    const rows = left > 0 ? (prepared(db, DUE_IN_LANE).all(kind, lane, now.toISOString(), left) as DueRow[]) : []
    if (rows[0]) lanes.push({ oldest: rows[0].due_at, rows })
  }
  lanes.sort((a, b) => Number(a.oldest > b.oldest) - Number(a.oldest < b.oldest))
  const longest = Math.max(0, ...lanes.map(({ rows }) => rows.length))
  const inTurn = Array.from({ length: longest }, (_, i) => lanes.flatMap(({ rows }) => rows[i] ?? [])).flat()
  const left = { all: room.all, fast: room.fast, slow: room.slow }
  return inTurn.filter(({ lane }) => {
    const side = room.isSlow(lane) ? 'slow' : 'fast'
    return left[side]-- > 0 && left.all-- > 0
  })
}

/** Takes free jobs under this boot's lease and counts the attempt. Answers the ids of those that nobody else has taken. */
export async function takeJobs(tx: Tx, ids: string[], bootId: string): Promise<Set<string>> {
  const taken = await tx
    .updateTable('jobs')
    .set(({ eb }) => ({ lease_boot: bootId, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .where('lease_boot', 'is', null)
    .where('state', '=', 'open')
    .returning('id')
    .execute()
  return new Set(taken.map(({ id }) => id))
}

/** When the next free job falls due; `undefined` when none is open. */
export async function nextDue(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select('due_at')
    .where('state', '=', OPEN)
    .where('lease_boot', 'is', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row && new Date(row.due_at)
}

export async function finishJob(tx: Tx, id: string, state: 'done' | 'failed', error?: string): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ state, lease_boot: null, last_error: error ?? null })
    .where('id', '=', id)
    .execute()
}

/** In its lane, unless another is named. */
export async function postponeJob(tx: Tx, id: string, dueAt: Date, error: string, lane?: string): Promise<void> {
  const moved = lane === undefined ? {} : { lane }
  await tx
    .updateTable('jobs')
    .set({ due_at: dueAt.toISOString(), lease_boot: null, last_error: error, ...moved })
    .where('id', '=', id)
    .execute()
}

/** Seals that wait for another attempt are due now. */
export async function retrySealsNow(tx: Tx, now: Date): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ due_at: now.toISOString() })
    .where('kind', '=', 'seal')
    .where('state', '=', 'open')
    .where('due_at', '>', now.toISOString())
    .execute()
}

/** What a process that died had taken is free again. */
export async function releaseLeases(tx: Tx, bootId: string): Promise<void> {
  await sql`UPDATE jobs INDEXED BY jobs_leased SET lease_boot = NULL WHERE lease_boot IS NOT NULL AND lease_boot <> ${bootId}`.execute(
    tx,
  )
}

export async function dropJobs(tx: Tx, kind: JobKind, subjects: string[]): Promise<void> {
  for (const subject of subjects) await tx.deleteFrom('jobs').where('kind', '=', kind).where('subject', '=', subject).execute()
}

export async function dropDocumentJobs(tx: Tx, documentId: string): Promise<void> {
  await tx.deleteFrom('jobs').where('document_id', '=', documentId).execute()
}

/** The text of a mail that belongs to no document, in the language of the web app. */
export interface Notice {
  subject: string
  paragraphs: string[]
  /** `path` is a path of this service. */
  link?: { text: string; path: string }
}

export interface Mail {
  id: string
  kind: string
  /** Undefined for a notice. */
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

export async function insertMail(tx: Tx, mail: Mail): Promise<void> {
  await tx
    .insertInto('mails')
    .values({
      id: mail.id,
      kind: mail.kind,
      document_id: mail.documentId ?? null,
      recipient_id: mail.recipientId ?? null,
      recipient_name: mail.name,
      recipient_email: mail.email,
      status: mail.status,
      reply: mail.reply ?? null,
      created_at: mail.createdAt.toISOString(),
      sent_at: mail.sentAt?.toISOString() ?? null,
      notice: mail.notice === undefined ? null : JSON.stringify(mail.notice),
    })
    .execute()
}

export async function mailById(db: Db | Tx, id: string): Promise<Mail | undefined> {
  const row = await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
  return row && mailOf(row)
}

/** Newest first. */
export async function latestMails(db: Db, limit: number): Promise<Mail[]> {
  return (await db.selectFrom('mails').selectAll().orderBy('id', 'desc').limit(limit).execute()).map(mailOf)
}

function mailOf(row: Record<string, unknown> & { id: string }): Mail {
  const text = (name: string) => String(row[name])
  const moment = (name: string) => (row[name] === null ? undefined : new Date(text(name)))
  return {
    id: row.id,
    kind: text('kind'),
    documentId: row.document_id === null ? undefined : text('document_id'),
    recipientId: row.recipient_id === null ? undefined : text('recipient_id'),
    name: text('recipient_name'),
    email: text('recipient_email'),
    status: text('status') as Mail['status'],
    reply: row.reply === null ? undefined : text('reply'),
    createdAt: new Date(text('created_at')),
    sentAt: moment('sent_at'),
    notice: row.notice === null ? undefined : (JSON.parse(text('notice')) as Notice),
  }
}

export async function setMailStatus(tx: Tx, id: string, status: Mail['status'], reply: string, now: Date): Promise<void> {
  await tx
    .updateTable('mails')
    .set({ status, reply, sent_at: status === 'accepted' ? now.toISOString() : null })
    .where('id', '=', id)
    .execute()
}

/** What names the files of the mails made at these moments. */
export async function mailsMadeAt(db: Db, moments: Date[]): Promise<Pick<Mail, 'id' | 'createdAt'>[]> {
  const texts = moments.map(moment => moment.toISOString())
  const rows = await db.selectFrom('mails').select(['id', 'created_at']).where('created_at', 'in', texts).execute()
  return rows.map(row => ({ id: row.id, createdAt: new Date(row.created_at) }))
}

/** Answers the mails that were there. */
export async function dropDocumentMails(tx: Tx, documentId: string): Promise<Mail[]> {
  return (await tx.deleteFrom('mails').where('document_id', '=', documentId).returningAll().execute()).map(mailOf)
}

/** An `Idempotency-Key` as one owner sent it. */
export interface Reservation {
  owner: string
  value: string
  /** SHA-256 of method, path and body bytes. */
  fingerprint: string
}

/** Takes the key in one statement that decides who is first: a row of an older boot that never finished, or one past its time, counts as none. */
export async function takeIdempotencyKey(
  tx: Tx,
  { owner, value, fingerprint }: Reservation,
  boot: string,
  now: Date,
): Promise<boolean> {
  const fresh = { fingerprint, boot, status: null, sealed_body: null, created_at: now.toISOString(), expires_at: null }
  const taken = await tx
    .insertInto('idempotency_keys')
    .values({ owner, value, ...fresh })
    .onConflict(c =>
      c
        .columns(['owner', 'value'])
        .doUpdateSet(fresh)
        .where(eb =>
          eb.or([
            eb('idempotency_keys.expires_at', '<=', now.toISOString()),
            eb.and([eb('idempotency_keys.status', 'is', null), eb('idempotency_keys.boot', '!=', boot)]),
          ]),
        ),
    )
    .executeTakeFirst()
  return (taken.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function idempotencyKey(tx: Tx, { owner, value }: Reservation) {
  return tx
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('owner', '=', owner)
    .where('value', '=', value)
    .executeTakeFirstOrThrow()
}

export async function settleIdempotencyKey(
  tx: Tx,
  { owner, value }: Reservation,
  status: number,
  sealedBody: Uint8Array,
  expiresAt: Date,
): Promise<void> {
  const settled = { status, sealed_body: sealedBody, expires_at: expiresAt.toISOString() }
  await tx.updateTable('idempotency_keys').set(settled).where('owner', '=', owner).where('value', '=', value).execute()
}

export async function releaseIdempotencyKey(tx: Tx, { owner, value }: Reservation): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('owner', '=', owner)
    .where('value', '=', value)
    .where('status', 'is', null)
    .execute()
}

/** Answers past their time, and reservations of starts that died; at most `limit` of each. Answers how many went. */
export async function dropIdempotencyKeys(tx: Tx, now: Date, boot: string, limit: number): Promise<number> {
  const over = sql`SELECT owner, value FROM idempotency_keys WHERE expires_at <= ${now.toISOString()} LIMIT ${limit}`
  // Two ranges about this boot: "unequal" would look at every reservation that is under way.
  const died = (than: '<' | '>') =>
    sql`SELECT owner, value FROM idempotency_keys INDEXED BY idempotency_keys_open
      WHERE status IS NULL AND boot ${sql.raw(than)} ${boot} LIMIT ${limit}`
  let gone = 0
  for (const keys of [over, died('<'), died('>')]) {
    const result = await sql`DELETE FROM idempotency_keys WHERE (owner, value) IN (${keys})`.execute(tx)
    gone += Number(result.numAffectedRows ?? 0n)
  }
  return gone
}
