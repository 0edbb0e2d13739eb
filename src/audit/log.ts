/**
 * Appends what happened to the hash chain, and walks it. Knows the shape of an entry; what may
 * happen is the state machine's matter.
 */
import { randomBytes } from 'node:crypto'
import { canonicalJson, chainHash, commitment, GENESIS, verifyLinks } from '../core/audit-chain.ts'
import { type DomainEvent, type EventType, type InstanceEvent, isServiceAct, type Json } from '../core/event.ts'
import type { Db, Tx } from '../db/open.ts'
import { type App, type Origin, SYSTEM } from '../ports.ts'
import * as queries from './queries.ts'

/** A event as it now stands in the log. */
export interface RecordedEvent<Type extends string = EventType> {
  id: string
  sequence: number
  at: Date
  event: DomainEvent<Type>
}

/**
 * Appends what happened to a document in order, inside the transaction of the change they tell of.
 */
export function appendEvents(
  tx: Tx,
  app: Pick<App, 'newId' | 'now'>,
  documentId: string,
  events: DomainEvent[],
  origin: Origin,
): Promise<RecordedEvent[]> {
  return appendOf(tx, app, documentId, events, origin)
}

/** Appends what happened to the instance, inside the transaction of that change. */
export async function appendInstanceEvent(
  tx: Tx,
  app: Pick<App, 'newId' | 'now'>,
  event: DomainEvent<InstanceEvent>,
  origin: Origin,
): Promise<void> {
  await appendOf(tx, app, undefined, [event], origin)
}

async function appendOf<Type extends EventType | InstanceEvent>(
  tx: Tx,
  app: Pick<App, 'newId' | 'now'>,
  documentId: string | undefined,
  events: DomainEvent<Type>[],
  origin: Origin,
): Promise<RecordedEvent<Type>[]> {
  if (events.length === 0) return []
  const last = await queries.head(tx)
  let sequence = last?.sequence ?? 0
  let hash = last?.hash ?? GENESIS
  const before = documentId ? await queries.newestEventOf(tx, documentId) : undefined
  let { documentSequence } = before ? (JSON.parse(before.entry) as { documentSequence: number }) : { documentSequence: 0 }
  let documentPreviousHash = before?.hash ?? null
  const recorded: RecordedEvent<Type>[] = []
  for (const event of events) {
    const from = isServiceAct(event.type) ? SYSTEM : origin
    const id = app.newId('evt')
    const at = app.now()
    const salt = randomBytes(16).toString('hex')
    const personal = personalOf(event, from)
    const entry = canonicalJson({
      id,
      type: event.type,
      at: at.toISOString(),
      documentId: documentId ?? null,
      documentSequence: documentId === undefined ? null : ++documentSequence,
      // The entries between belong to other documents and are not given out: this one lets a
      // document's trail be checked without them.
      documentPreviousHash,
      recipientId: event.recipientId ?? null,
      actor: from.actor.label,
      data: event.data ?? {},
      personal: personal ? commitment(salt, personal) : null,
    })
    hash = chainHash(hash, entry)
    if (documentId !== undefined) documentPreviousHash = hash
    sequence++
    const detail = personal ? { salt, personal: canonicalJson(personal) } : { salt: undefined, personal: undefined }
    await queries.insertEvent(tx, { sequence, id, documentId, type: event.type, at, entry, hash, ...detail })
    recorded.push({ id, sequence, at, event })
  }
  return recorded
}

function personalOf(event: DomainEvent<string>, { ip, userAgent }: Origin): Record<string, Json> | undefined {
  const personal: Record<string, Json> = { ...event.personal }
  if (ip !== undefined) personal.ip = ip
  if (userAgent !== undefined) personal.userAgent = userAgent
  return Object.keys(personal).length > 0 ? personal : undefined
}

/**
 * An event as it is read back: the entry's members, the personal part unless it was erased, and its
 * link.
 */
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
  /** The hash it was linked to; others' events may lie before it. */
  previousHash: string
}

function auditEvent(row: queries.EventRow): AuditEvent {
  const entry = JSON.parse(row.entry) as Pick<AuditEvent, 'id' | 'type' | 'at' | 'recipientId' | 'actor' | 'data'>
  const personal = row.personal === undefined ? null : (JSON.parse(row.personal) as Record<string, Json>)
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined)
  return {
    sequence: row.sequence,
    id: entry.id,
    type: entry.type,
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

export async function auditEventsOf(db: Db | Tx, documentId: string): Promise<AuditEvent[]> {
  return (await queries.eventsOf(db, documentId)).map(auditEvent)
}

export async function auditHead(db: Db | Tx): Promise<{ sequence: number; hash: string }> {
  return (await queries.head(db)) ?? { sequence: 0, hash: GENESIS }
}

const STRETCH = 1000

/**
 * Walks the whole chain and every commitment that was not erased. Answers the head, or the first
 * sequence number that does not hold.
 */
export async function verifyChain(db: Db): Promise<{ head: string; count: number } | { firstInvalid: number }> {
  let hash = GENESIS
  let after = 0
  for (;;) {
    const stretch = await queries.eventsAfter(db, after, STRETCH)
    for (const row of stretch) {
      const walked = verifyLinks(hash, [row])
      if (row.sequence !== ++after || 'firstInvalid' in walked || !holds(row)) return { firstInvalid: row.sequence }
      hash = walked.head
    }
    if (stretch.length < STRETCH) return { head: hash, count: after }
  }
}

/** The row says what its entry says, and the personal part is the one committed to. */
function holds(row: queries.EventRow): boolean {
  try {
    const entry = JSON.parse(row.entry) as Record<'id' | 'type' | 'at' | 'documentId' | 'personal', string | null> | null
    if (entry?.id !== row.id || entry.type !== row.type || entry.at !== row.at.toISOString()) return false
    if (entry.documentId !== (row.documentId ?? null)) return false
    if (row.salt === undefined || row.personal === undefined) return true
    return commitment(row.salt, JSON.parse(row.personal) as Json) === entry.personal
  } catch (error) {
    // What is no JSON, or a time that is none, was not written by us.
    if (error instanceof SyntaxError || error instanceof RangeError) return false
    throw error
  }
}
