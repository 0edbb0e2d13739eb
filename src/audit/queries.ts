/** Rows of the audit log: only appended, except that personal data can be deleted. */
import { sql } from 'kysely'
import type { EventType, PublicEvent } from '../core/event.ts'
import type { Db, Tx } from '../db/open.ts'
import { prepared } from '../db/sqlite.ts'

export interface EventRow {
  sequence: number
  id: string
  documentId: string | undefined
  type: string
  at: Date
  entry: string
  hash: string
  salt: string | undefined
  personal: string | undefined
  /** The hash of the entry before it in the whole chain; `undefined` for the first entry. */
  previousHash: string | undefined
}

export async function head(db: Db | Tx): Promise<{ sequence: number; hash: string } | undefined> {
  return db.selectFrom('events').select(['sequence', 'hash']).orderBy('sequence', 'desc').limit(1).executeTakeFirst()
}

export async function insertEvent(tx: Tx, row: Omit<EventRow, 'previousHash'>): Promise<void> {
  await tx
    .insertInto('events')
    .values({
      sequence: row.sequence,
      id: row.id,
      document_id: row.documentId ?? null,
      type: row.type,
      at: row.at.toISOString(),
      entry: row.entry,
      hash: row.hash,
    })
    .execute()
  if (row.salt === undefined || row.personal === undefined) return
  await tx
    .insertInto('event_details')
    .values({ sequence: row.sequence, document_id: row.documentId ?? null, salt: row.salt, personal: row.personal })
    .execute()
}

function rows(db: Db | Tx) {
  return db
    .selectFrom('events')
    .leftJoin('event_details', 'event_details.sequence', 'events.sequence')
    .leftJoin('events as before', join => join.on(sql`before.sequence`, '=', sql`events.sequence - 1`))
    .select([
      'events.sequence',
      'events.id',
      'events.document_id',
      'events.type',
      'events.at',
      'events.entry',
      'events.hash',
      'event_details.salt',
      'event_details.personal',
      'before.hash as previous_hash',
    ])
    .orderBy('events.sequence')
}

type Joined = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

function eventOf(row: Joined): EventRow {
  return {
    sequence: row.sequence,
    id: row.id,
    documentId: row.document_id ?? undefined,
    type: row.type,
    at: new Date(row.at),
    entry: row.entry,
    hash: row.hash,
    salt: row.salt ?? undefined,
    personal: row.personal ?? undefined,
    previousHash: row.previous_hash ?? undefined,
  }
}

export async function eventsOf(db: Db | Tx, documentId: string): Promise<EventRow[]> {
  return (await rows(db).where('events.document_id', '=', documentId).execute()).map(eventOf)
}

export async function newestEventOf(db: Db | Tx, documentId: string): Promise<{ entry: string; hash: string } | undefined> {
  return db
    .selectFrom('events')
    .select(['entry', 'hash'])
    .where('document_id', '=', documentId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The entries of a document's events of one type, after `since`. */
export async function entriesSince(tx: Tx, documentId: string, type: string, since: Date): Promise<string[]> {
  const rows = tx.selectFrom('events').select('entry').where('document_id', '=', documentId).where('type', '=', type)
  return (await rows.where('at', '>', since.toISOString()).execute()).map(({ entry }) => entry)
}

/** The newest event of one of these types, for each document that has one. */
export function newestOfTypes<Type extends EventType>(
  db: Db,
  documentIds: readonly string[],
  types: readonly Type[],
): Map<string, NewestEvent<Type>> {
  const statement = prepared(
    db,
    `SELECT type, at, json_extract(entry, '$.recipientId') AS recipientId FROM events
     WHERE document_id = ? AND type IN (${types.map(() => '?')}) ORDER BY sequence DESC LIMIT 1`,
  )
  return new Map(
    documentIds.flatMap(id => {
      const row = statement.get(id, ...types) as (Omit<NewestEvent<Type>, 'at'> & { at: string }) | undefined
      return row === undefined ? [] : [[id, { ...row, at: new Date(row.at) }]]
    }),
  )
}

export interface NewestEvent<Type extends EventType> {
  type: Type
  at: Date
  recipientId: string | null
}

/** Consecutive events of the whole chain, in order. */
export async function eventsAfter(db: Db | Tx, sequence: number, limit: number): Promise<EventRow[]> {
  return (await rows(db).where('events.sequence', '>', sequence).limit(limit).execute()).map(eventOf)
}

export async function erasePersonal(tx: Tx, documentId: string): Promise<void> {
  await tx.deleteFrom('event_details').where('document_id', '=', documentId).execute()
}

export async function insertPublicEvent(
  tx: Tx,
  {
    sequence,
    type,
    documentId,
    ownerId,
  }: { sequence: number; type: PublicEvent; documentId: string; ownerId: string | undefined },
): Promise<void> {
  const row = { sequence, type, document_id: documentId, owner_id: ownerId ?? null }
  await tx.insertInto('public_events').values(row).execute()
}

export async function sequenceOf(db: Db, id: string): Promise<number | undefined> {
  return (await db.selectFrom('events').select('sequence').where('id', '=', id).executeTakeFirst())?.sequence
}

export interface PublicEventRow {
  id: string
  type: PublicEvent
  at: Date
  documentId: string
  recipientId: string | undefined
}

export interface PublicEventFilter {
  /** The sequence of an event. */
  after: number
  /** Without it, events of all owners. */
  ownerId?: string
  type?: PublicEvent
  documentId?: string
}

/** In the order of the log. With a document, the plus sign keeps SQLite from other indexes. */
export async function publicEvents(db: Db, filter: PublicEventFilter, limit: number): Promise<PublicEventRow[]> {
  const { after, ownerId, type, documentId } = filter
  const plus = sql.raw(documentId === undefined ? '' : '+')
  const conditions = [
    ...(documentId === undefined ? [] : [sql`public_events.document_id = ${documentId}`]),
    ...(ownerId === undefined ? [] : [sql`${plus}public_events.owner_id = ${ownerId}`]),
    ...(type === undefined ? [] : [sql`${plus}public_events.type = ${type}`]),
    sql`public_events.sequence > ${after}`,
  ]
  const query = sql<{ id: string; type: PublicEvent; at: string; document_id: string; entry: string }>`
    SELECT events.id, public_events.type, events.at, public_events.document_id, events.entry
    FROM public_events CROSS JOIN events ON events.sequence = public_events.sequence
    WHERE ${sql.join(conditions, sql` AND `)} ORDER BY public_events.sequence LIMIT ${limit}`
  return (await query.execute(db)).rows.map(({ id, type, at, document_id, entry }) => {
    const { recipientId } = JSON.parse(entry) as { recipientId: string | null }
    return { id, type, at: new Date(at), documentId: document_id, recipientId: recipientId ?? undefined }
  })
}
