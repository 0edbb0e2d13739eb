/** Appends events to the hash chain, reads them back and verifies the chain. */
import { canonicalJson, chainHash, commitment, GENESIS, verifyLinks } from '../core/document/audit-chain.ts'
import {
  type DomainEvent,
  type EventType,
  type InstanceEvent,
  isServiceAct,
  type Json,
  presentType,
  publicTypeOf,
} from '../core/document/event.ts'
import { storable } from '../core/text.ts'
import { changeTime } from '../db/change-time.ts'
import type { Db, Tx } from '../db/open.ts'
import { type Change, changeTogether } from '../db/together.ts'
import { type App, type Origin, SYSTEM } from '../ports.ts'
import * as queries from './queries.ts'

export interface RecordedEvent<Type extends string = EventType> {
  id: string
  sequence: number
  at: Date
  event: DomainEvent<Type>
}

type Deps = Pick<App, 'newId' | 'now' | 'random'>

/** Events with their place in the chain, and the changes that append them. */
interface PreparedEvents<Type extends string = EventType> {
  recorded: RecordedEvent<Type>[]
  /** To be made before other events are prepared in the transaction. */
  changes: Change[]
}

/** Prepares events of a document, in order. `newest`: the rows of `newestEvents`. */
export function prepareEvents(
  tx: Tx,
  app: Deps,
  { id: documentId, ownerId }: { id: string; ownerId: string | undefined },
  events: readonly DomainEvent[],
  origin: Origin,
  newest: readonly queries.NewestEvent[],
): PreparedEvents {
  const { recorded, changes } = prepare(tx, app, documentId, events, origin, newest)
  const published = recorded.flatMap(({ sequence, event }) => {
    const type = publicTypeOf(event.type)
    return type === undefined ? [] : [{ sequence, type, documentId, ownerId }]
  })
  return { recorded, changes: [...changes, ...queries.publicEventInsertions(tx, published)] }
}

/** Appends events of a document, in order, in the transaction of the change. */
export async function appendEvents(
  tx: Tx,
  app: Deps,
  document: { id: string; ownerId: string | undefined },
  events: readonly DomainEvent[],
  origin: Origin,
): Promise<RecordedEvent[]> {
  const newest = await queries.newestEvents(tx, document.id).execute()
  const now = await changeTime(tx, app)
  const deps = { newId: app.newId, random: app.random, now: () => now }
  const { recorded, changes } = prepareEvents(tx, deps, document, events, origin, newest)
  await changeTogether(tx, changes)
  return recorded
}

export async function appendInstanceEvent(tx: Tx, app: Deps, event: DomainEvent<InstanceEvent>, origin: Origin): Promise<void> {
  const newest = await queries.newestEvents(tx, undefined).execute()
  const now = await changeTime(tx, app)
  const { changes } = prepare(tx, { newId: app.newId, random: app.random, now: () => now }, undefined, [event], origin, newest)
  await changeTogether(tx, changes)
}

function prepare<Type extends EventType | InstanceEvent>(
  tx: Tx,
  app: Deps,
  documentId: string | undefined,
  events: readonly DomainEvent<Type>[],
  origin: Origin,
  newest: readonly queries.NewestEvent[],
): PreparedEvents<Type> {
  const newestFirst = newest.toSorted((a, b) => b.sequence - a.sequence)
  let { sequence, hash } = newestFirst[0] ?? START
  let position = positionOf(
    documentId,
    newestFirst.find(row => row.document_id === documentId),
  )
  const recorded: RecordedEvent<Type>[] = []
  const rows: queries.NewEventRow[] = []
  for (const event of events) {
    const by = isServiceAct(event.type) ? SYSTEM : origin
    const id = app.newId('evt')
    const at = app.now()
    const salt = app.random(16).toHex()
    const personal = personalOf(event, by, documentId !== undefined)
    const entry = canonicalJson({
      ...position,
      id,
      type: event.type,
      at: at.toISOString(),
      recipientId: event.recipientId ?? null,
      actor: by.actor.label,
      data: storableJson(event.data ?? {}),
      personal: personal ? commitment(salt, personal) : null,
    })
    hash = chainHash(hash, entry)
    sequence++
    position = positionAfter(position, hash)
    const detail = personal ? { salt, personal: canonicalJson(personal) } : { salt: undefined, personal: undefined }
    rows.push({ sequence, id, documentId, type: event.type, at, entry, hash, ...detail })
    recorded.push({ id, sequence, at, event })
  }
  return { recorded, changes: queries.eventInsertions(tx, rows) }
}

/** Entries of other documents lie between: this hash makes a document's trail verifiable alone. */
type Position = { documentId: string | null; documentSequence: number | null; documentPreviousHash: string | null }

function positionOf(documentId: string | undefined, newest: { entry: string; hash: string } | undefined): Position {
  if (documentId === undefined) return { documentId: null, documentSequence: null, documentPreviousHash: null }
  const { documentSequence } = newest ? (JSON.parse(newest.entry) as { documentSequence: number }) : { documentSequence: 0 }
  return { documentId, documentSequence: documentSequence + 1, documentPreviousHash: newest?.hash ?? null }
}

function positionAfter({ documentId, documentSequence, documentPreviousHash }: Position, hash: string): Position {
  if (documentSequence === null) return { documentId, documentSequence, documentPreviousHash }
  return { documentId, documentSequence: documentSequence + 1, documentPreviousHash: hash }
}

/**
 * Of a program also its API token, in entries of documents. Of the owner the id alone: who is
 * removed is named in no entry any more.
 */
function personalOf(
  event: DomainEvent<string>,
  { ip, userAgent, actor: { tokenName, userId } }: Origin,
  isOfDocument: boolean,
): Record<string, Json> | undefined {
  const personal = storableJson({ ...event.personal }) as Record<string, Json>
  if (ip !== undefined) personal.ip = ip
  if (userAgent !== undefined) personal.userAgent = userAgent
  if (isOfDocument && tokenName !== undefined) personal.apiToken = { name: storable(tokenName), ownerId: userId ?? null }
  return Object.keys(personal).length > 0 ? personal : undefined
}

/** JSON would keep as an escape what no database can store as text. */
function storableJson(value: Json): Json {
  if (typeof value === 'string') return storable(value)
  if (Array.isArray(value)) return value.map(storableJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storable(name), storableJson(member)]))
}

/** An event of a document as read from the log. `personal` is null once it was erased. */
export interface AuditEvent {
  sequence: number
  id: string
  type: EventType
  at: string
  recipientId: string | null
  actor: string
  data: Record<string, Json>
  personal: Record<string, Json> | null
  ip: string | undefined
  userAgent: string | undefined
  entry: string
  salt: string | null
  hash: string
  /** The hash of the entry before it in the whole chain, which may belong to another document. */
  previousHash: string
}

function auditEvent(row: queries.EventRow): AuditEvent {
  const entry = JSON.parse(row.entry) as Pick<AuditEvent, 'id' | 'type' | 'at' | 'recipientId' | 'actor' | 'data'>
  const personal = row.personal === undefined ? null : (JSON.parse(row.personal) as Record<string, Json>)
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined)
  return {
    sequence: row.sequence,
    id: entry.id,
    type: presentType(entry.type) as EventType,
    at: entry.at,
    recipientId: entry.recipientId,
    actor: entry.actor,
    data: entry.data,
    personal,
    ip: text(personal?.ip),
    userAgent: text(personal?.userAgent),
    entry: row.entry,
    salt: row.salt ?? null,
    hash: row.hash,
    previousHash: row.previousHash ?? GENESIS,
  }
}

/** An event of the whole chain. A node of a later release may have written its type. */
export interface ChainEvent extends Omit<AuditEvent, 'type'> {
  type: string
  documentId: string | undefined
  /** It had personal data, which was erased. */
  isErased: boolean
}

export function chainEvent(row: queries.EventRow): ChainEvent {
  if (!isReadable(row)) return unreadableEvent(row)
  const { personal } = JSON.parse(row.entry) as { personal: string | null }
  return { ...auditEvent(row), documentId: row.documentId, isErased: personal !== null && row.personal === undefined }
}

function isReadable({ entry, personal }: queries.EventRow): boolean {
  try {
    const { at, actor, data } = JSON.parse(entry) as Record<string, unknown>
    JSON.parse(personal ?? '{}')
    return typeof at === 'string' && !Number.isNaN(Date.parse(at)) && typeof actor === 'string' && typeof data === 'object'
  } catch {
    return false
  }
}

/** What the columns say of an entry that somebody has tampered with. */
function unreadableEvent({ sequence, id, type, at, documentId, entry, hash, salt, previousHash }: queries.EventRow): ChainEvent {
  const time = Number.isNaN(at.getTime()) ? new Date(0) : at
  return {
    ...{ sequence, id, documentId, type, entry, hash, salt: salt ?? null, previousHash: previousHash ?? GENESIS },
    ...{ at: time.toISOString(), actor: '', recipientId: null, data: {}, personal: null, isErased: false },
    ...{ ip: undefined, userAgent: undefined },
  }
}

export async function auditEventsOf(db: Db | Tx, documentId: string): Promise<AuditEvent[]> {
  return (await queries.eventsOf(db, documentId)).map(auditEvent)
}

/** By the ids of the documents, in their order in the log. */
export async function auditEventsByDocument(db: Db, documentIds: readonly string[]): Promise<Map<string, AuditEvent[]>> {
  const events = new Map<string, AuditEvent[]>(documentIds.map(id => [id, []]))
  for (const row of await queries.eventsOfDocuments(db, documentIds))
    if (isReadable(row)) events.get(row.documentId ?? '')?.push(auditEvent(row))
  return events
}

/** When this actor has caused events of the type in the document since then, oldest first. */
export async function eventTimesSince(
  tx: Tx,
  documentId: string,
  type: EventType,
  { actor }: Origin,
  since: Date,
): Promise<Date[]> {
  const entries = await queries.entriesSince(tx, documentId, type, since)
  const own = entries.map(entry => JSON.parse(entry) as { actor: string; at: string }).filter(each => each.actor === actor.label)
  return own.map(({ at }) => new Date(at))
}

/** Of an empty chain. */
const START = { sequence: 0, hash: GENESIS }

export async function auditHead(db: Db | Tx): Promise<{ sequence: number; hash: string }> {
  return (await queries.head(db)) ?? START
}

const ROWS_AT_ONCE = 1000

export interface VerifyOptions {
  /** An entry as it was known earlier. */
  known?: { sequence: number; hash: string }
  rowsAtOnce?: number
  /** Called with each entry that is intact, in order. */
  each?(sequence: number, hash: string): void
  /** Called with the number of entries verified so far. */
  progress?(done: number): Promise<void>
}

export type ChainVerdict =
  | { head: string; count: number }
  /** This entry, or its place in the chain, was changed. */
  | { firstInvalid: number }
  /** The chain is intact, but not the known one: it was made anew up to this entry or further. */
  | { rewrittenUpTo: number }
  /** Entries after this one are missing. */
  | { endsAt: number }

type PlainVerdict = Extract<ChainVerdict, { head: string } | { firstInvalid: number }>

/** Verifies the whole chain and all commitments to personal data that still exists. */
export function verifyChain(db: Db, options?: Omit<VerifyOptions, 'known'>): Promise<PlainVerdict>
export function verifyChain(db: Db, options: VerifyOptions): Promise<ChainVerdict>
export async function verifyChain(
  db: Db,
  { known, rowsAtOnce = ROWS_AT_ONCE, each, progress }: VerifyOptions = {},
): Promise<ChainVerdict> {
  let hash = GENESIS
  let after = 0
  for await (const rows of batches(db, rowsAtOnce)) {
    for (const row of rows) {
      const next = row.sequence === after + 1 ? headAfter(row, hash) : undefined
      if (next === undefined) return { firstInvalid: row.sequence }
      hash = next
      after = row.sequence
      each?.(after, hash)
      if (after === known?.sequence && hash !== known.hash) return { rewrittenUpTo: after }
    }
    await progress?.(after)
  }
  return known && known.sequence > after ? { endsAt: after } : { head: hash, count: after }
}

/** All entries in the order of the chain, also those that are added meanwhile. */
async function* batches(db: Db, rowsAtOnce: number): AsyncGenerator<queries.EventRow[], void> {
  for (let after = 0; ; ) {
    const rows = await queries.eventsAfter(db, after, rowsAtOnce)
    yield rows
    if (rows.length < rowsAtOnce) return
    after = rows.at(-1)?.sequence ?? after
  }
}

/** The head of the chain with this entry; undefined if the entry was changed. */
function headAfter(row: queries.EventRow, hash: string): string | undefined {
  const verified = verifyLinks(hash, [row])
  return 'head' in verified && isIntact(row) ? verified.head : undefined
}

/** Whether the columns equal the entry's members, and the personal data matches its commitment. */
function isIntact(row: queries.EventRow): boolean {
  try {
    const entry = JSON.parse(row.entry) as Record<'id' | 'type' | 'at' | 'documentId' | 'personal', string | null> | null
    if (entry?.id !== row.id || entry.type !== row.type || entry.at !== row.at.toISOString()) return false
    if (entry.documentId !== (row.documentId ?? null)) return false
    if (row.salt === undefined || row.personal === undefined) return true
    return commitment(row.salt, JSON.parse(row.personal) as Json) === entry.personal
  } catch (error) {
    // Invalid JSON or an invalid time: the row was changed.
    if (error instanceof SyntaxError || error instanceof RangeError) return false
    throw error
  }
}
