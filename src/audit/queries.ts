/** Rows of the audit log: only appended, except that personal data can be deleted. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { canonicalJson } from '../core/document/audit-chain.ts'
import type { DomainEvent, EventType, Json, PublicEvent } from '../core/document/event.ts'
import type { Db, Tx } from '../db/open.ts'
import { type Change, insertions } from '../db/together.ts'
import { sqlOf, wordsOf } from '../db/words.ts'

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

/** SELECTs the newest event of all, and the newest one of the document. */
export function newestEvents(tx: Tx, documentId: string | undefined) {
  const newest = () => tx.selectFrom('events').select(({ fn }) => fn.max('sequence').as('sequence'))
  const query = tx.selectFrom('events').select(['sequence', 'document_id', 'entry', 'hash'])
  return documentId === undefined
    ? query.where('sequence', '=', newest())
    : query.where('sequence', 'in', [newest(), newest().where('document_id', '=', documentId)])
}

export interface NewestEvent {
  sequence: number
  document_id: string | null
  entry: string
  hash: string
}

export type NewEventRow = Omit<EventRow, 'previousHash'>

/** With their personal data. */
export function eventInsertions(tx: Tx, rows: readonly NewEventRow[]): Change[] {
  const events = rows.map(row => ({
    sequence: row.sequence,
    id: row.id,
    document_id: row.documentId ?? null,
    type: row.type,
    at: row.at.toISOString(),
    entry: row.entry,
    hash: row.hash,
  }))
  const details = rows.flatMap(({ sequence, documentId, salt, personal }) =>
    salt === undefined || personal === undefined ? [] : [{ sequence, document_id: documentId ?? null, salt, personal }],
  )
  return [...insertions(tx, 'events', events), ...insertions(tx, 'event_details', details)]
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

/** Events of these documents, in the order of the chain. */
export async function eventsOfDocuments(db: Db, documentIds: readonly string[]): Promise<EventRow[]> {
  if (documentIds.length === 0) return []
  return (await rows(db).where('events.document_id', 'in', documentIds).execute()).map(eventOf)
}

const CREATED = ['document.created', 'template.created'] as const
const REMOVED = ['document.deleted', 'document.erased', 'template.deleted'] as const

/**
 * Documents and templates without a row that no entry says were deleted; in the order of the
 * chain.
 */
export async function lostDocuments(db: Db, after: number, limit: number): Promise<{ id: string; sequence: number }[]> {
  const created = db.selectFrom('events').select(['document_id as id', 'sequence']).where('type', 'in', CREATED)
  const lost = created
    .where('sequence', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('documents').select('documents.id').whereRef('documents.id', '=', 'events.document_id'))),
    )
  const found = lost.where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom('events as gone')
          .select('gone.sequence')
          .whereRef('gone.document_id', '=', 'events.document_id')
          .where('gone.type', 'in', REMOVED),
      ),
    ),
  )
  const listed = await found.orderBy('sequence').limit(limit).execute()
  return listed.flatMap(({ id, sequence }) => (id === null ? [] : [{ id, sequence }]))
}

/**
 * Whether a person was removed, or a document that existed then was deleted, at this time or
 * later.
 */
export async function hasErasedSince(db: Db, at: Date): Promise<boolean> {
  const since = at.toISOString()
  const erased = db
    .selectFrom('events as gone')
    .select('gone.sequence')
    .where('gone.type', 'in', [...REMOVED, 'user.removed'])
  const concerned = erased
    .where('gone.at', '>=', since)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('gone.type', '=', 'user.removed'),
        exists(
          selectFrom('events as made')
            .select('made.sequence')
            .whereRef('made.document_id', '=', 'gone.document_id')
            .where('made.at', '<', since),
        ),
      ]),
    )
  return (await concerned.limit(1).executeTakeFirst()) !== undefined
}

/** When the newest entry of a type was made. */
export async function lastAtOfType(db: Db, type: string): Promise<Date | undefined> {
  const found = db.selectFrom('events').select('at').where('type', '=', type).orderBy('sequence', 'desc').limit(1)
  const row = await found.executeTakeFirst()
  return row && new Date(row.at)
}

export async function eventsBySequence(db: Db, sequences: readonly number[]): Promise<EventRow[]> {
  if (sequences.length === 0) return []
  return (await rows(db).where('events.sequence', 'in', sequences).execute()).map(eventOf)
}

/** The hashes of entries after one, up to another, in order. */
export async function hashesBetween(
  db: Db,
  after: number,
  upTo: number,
  limit: number,
): Promise<{ sequence: number; hash: string }[]> {
  const rows = db.selectFrom('events').select(['sequence', 'hash']).where('sequence', '>', after)
  return rows.where('sequence', '<=', upTo).orderBy('sequence').limit(limit).execute()
}

/** Events of these documents, in the order of the chain. */
export async function eventsOfTypes(db: Db, documentIds: readonly string[], types: readonly string[]): Promise<EventRow[]> {
  if (documentIds.length === 0) return []
  const found = rows(db).where('events.document_id', 'in', documentIds).where('events.type', 'in', types)
  return (await found.execute()).map(eventOf)
}

/** The entries of a document's events of one type, after `since`. */
export async function entriesSince(tx: Tx, documentId: string, type: string, since: Date): Promise<string[]> {
  const rows = tx.selectFrom('events').select('entry').where('document_id', '=', documentId).where('type', '=', type)
  return (await rows.where('at', '>', since.toISOString()).execute()).map(({ entry }) => entry)
}

/** The newest event of one of these types, for each document that has one. */
export async function newestOfTypes<Type extends EventType>(
  db: Db,
  documentIds: readonly string[],
  types: readonly Type[],
): Promise<Map<string, NewestOfType<Type>>> {
  const { listed, joinInOrder } = wordsOf(db)
  const rows = (await db.reads.all(
    `SELECT e.document_id AS id, e.type, e.at, e.entry FROM ${listed} ${joinInOrder} events e ON e.sequence = (
       SELECT sequence FROM events WHERE document_id = named.value AND type IN (${types.map(() => '?')})
       ORDER BY sequence DESC LIMIT 1)`,
    [JSON.stringify(documentIds), ...types],
  )) as { id: string; type: Type; at: string; entry: string }[]
  return new Map(rows.map(({ id, type, at, entry }) => [id, { type, at: new Date(at), recipientId: recipientIdIn(entry) }]))
}

function recipientIdIn(entry: string): string | undefined {
  return eventIn(entry).recipientId
}

function eventIn(entry: string): DomainEvent {
  const { type, recipientId, data } = JSON.parse(entry) as Omit<DomainEvent, 'recipientId'> & { recipientId: string | null }
  return { type, ...(recipientId === null ? {} : { recipientId }), ...(data ? { data } : {}) }
}

interface NewestOfType<Type extends EventType> {
  type: Type
  at: Date
  recipientId: string | undefined
}

/** Consecutive events of the whole chain, in order. */
export async function eventsAfter(db: Db | Tx, sequence: number, limit: number): Promise<EventRow[]> {
  return (await rows(db).where('events.sequence', '>', sequence).limit(limit).execute()).map(eventOf)
}

export async function erasePersonal(tx: Tx, documentId: string): Promise<void> {
  await tx.deleteFrom('event_details').where('document_id', '=', documentId).execute()
}

/**
 * What entries about no document say of a user: names, addresses, and the clients of what the user
 * did. Returns all addresses that the user had. Entries about documents are erased with these.
 */
export async function erasePersonalOfUser(tx: Tx, { id, email }: { id: string; email: string }): Promise<string[]> {
  const { contains } = wordsOf(tx)
  const within = (column: string, text: string) => sqlOf<boolean>(contains(column, '?'), text)
  const own = tx
    .selectFrom('events')
    .select('sequence')
    .where('document_id', 'is', null)
    .where(({ or }) => or([within('entry', `"${id}"`), within('entry', `{"actor":"user:${id}"`)]))
  const erased = await tx.deleteFrom('event_details').where('sequence', 'in', own).returning('personal').execute()
  const addresses = new Set([email, ...erased.flatMap(({ personal }) => addressesIn(personal))].map(text => text.toLowerCase()))
  // The entries of an invitation have no id of the user.
  for (const address of addresses) {
    const named = within('lower(personal)', canonicalJson(address))
    await tx.deleteFrom('event_details').where('document_id', 'is', null).where(named).execute()
  }
  return [...addresses]
}

/** Before and after a change of the address, or beside the name. */
function addressesIn(personal: string): string[] {
  const { email, from, to } = JSON.parse(personal) as Record<string, Json>
  return [email, from, to].filter(text => typeof text === 'string').filter(text => text.includes('@'))
}

/** Of exports whose reader searched for one of these addresses. `personal` is canonical JSON. */
export async function eraseSearches(tx: Tx, emails: readonly string[]): Promise<void> {
  // PostgreSQL refuses an empty list.
  if (emails.length === 0) return
  const exports = tx.selectFrom('events').select('sequence').where('type', '=', 'audit.exported')
  const texts = emails.map(email => canonicalJson({ person: email }).toLowerCase())
  await tx.deleteFrom('event_details').where('sequence', 'in', exports).where(sql`lower(personal)`, 'in', texts).execute()
}

interface NewPublicEvent {
  sequence: number
  type: PublicEvent
  documentId: string
  ownerId: string | undefined
}

export function publicEventInsertions(tx: Tx, rows: readonly NewPublicEvent[]): Change[] {
  return insertions(
    tx,
    'public_events',
    rows.map(({ sequence, type, documentId, ownerId }) => ({
      sequence,
      type,
      document_id: documentId,
      owner_id: ownerId ?? null,
    })),
  )
}

export async function sequenceOf(db: Db, id: string): Promise<number | undefined> {
  return (await db.selectFrom('events').select('sequence').where('id', '=', id).executeTakeFirst())?.sequence
}

/** `json`: what programs learn of the event. Kept, compressed, as long as the document. */
export function eventDataInsertions(tx: Tx, rows: readonly { sequence: number; documentId: string; json: string }[]): Change[] {
  return insertions(
    tx,
    'public_event_data',
    rows.map(({ sequence, documentId, json }) => ({ sequence, document_id: documentId, data: deflateRawSync(json) })),
  )
}

export interface PublicEventRow {
  id: string
  type: PublicEvent
  at: Date
  documentId: string
  /** As the log has it. */
  event: DomainEvent
  /** JSON, as it was delivered. Absent for events of earlier releases and of deleted documents. */
  data: string | undefined
}

export interface PublicEventFilter {
  /** The sequence of an event. */
  after: number
  /** Without it, events of all owners. */
  ownerId?: string
  type?: PublicEvent
  documentId?: string
}

/** In the order of the log. With a document, SQLite must not choose another index. */
export async function publicEvents(db: Db, filter: PublicEventFilter, limit: number): Promise<PublicEventRow[]> {
  const { after, ownerId, type, documentId } = filter
  const { joinInOrder, unindexed } = wordsOf(db)
  const plus = documentId === undefined ? '' : unindexed
  const conditions: [condition: string, value: string | number | undefined][] = [
    ['p.document_id = ?', documentId],
    [`${plus}p.owner_id = ?`, ownerId],
    [`${plus}p.type = ?`, type],
    ['p.sequence > ?', after],
  ]
  const asked = conditions.filter(([, value]) => value !== undefined)
  const rows = (await db.reads.all(
    `SELECT e.id, p.type, e.at, p.document_id, e.entry, d.data FROM public_events p ${joinInOrder} events e ON e.sequence = p.sequence
     LEFT JOIN public_event_data d ON d.sequence = p.sequence WHERE ${asked.map(([condition]) => condition).join(' AND ')} ORDER BY p.sequence LIMIT ?`,
    [...asked.map(([, value]) => value), limit],
  )) as { id: string; type: PublicEvent; at: string; document_id: string; entry: string; data: Uint8Array | null }[]
  return rows.map(({ id, type, at, document_id, entry, data }) => ({
    id,
    type,
    at: new Date(at),
    documentId: document_id,
    event: eventIn(entry),
    data: data === null ? undefined : inflateRawSync(data).toString(),
  }))
}
