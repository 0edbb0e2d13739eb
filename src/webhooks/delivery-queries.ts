/** Rows of deliveries and of the attempts at them. */
import { type Selectable, sql } from 'kysely'
import type { PublicEvent, TEST_EVENT } from '../core/document/event.ts'
import type { Db, Tx } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { type Change, insertions } from '../db/together.ts'
import { firstIdFrom } from '../lib/id.ts'
import { dropJobs, dueTimes } from '../outbox/queries.ts'

export interface Delivery {
  id: string
  webhookId: string
  eventId: string
  type: PublicEvent | typeof TEST_EVENT
  /** `undefined` for a test. */
  documentId: string | undefined
  body: string
  isTest: boolean
}

export function deliveryInsertions(tx: Tx, deliveries: readonly Delivery[], now: Date): Change[] {
  const rows = deliveries.map(delivery => ({
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    type: delivery.type,
    document_id: delivery.documentId ?? null,
    body: delivery.body,
    status: 'pending' as const,
    created_at: now.toISOString(),
    is_test: delivery.isTest ? (1 as const) : (0 as const),
  }))
  return insertions(tx, 'deliveries', rows)
}

export async function deliveryById(db: Db | Tx, id: string): Promise<Delivery | undefined> {
  const row = await db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst()
  return row && deliveryOf(row)
}

function deliveryOf(row: Selectable<Schema['deliveries']>): Delivery {
  const { id, webhook_id: webhookId, event_id: eventId, document_id: documentId, body, is_test: isTest } = row
  const type = (row.type ?? typeIn(body)) as Delivery['type']
  return { id, webhookId, eventId, type, documentId: documentId ?? undefined, body, isTest: isTest === 1 }
}

/** Our own text, which is valid. */
function typeIn(body: string): string {
  return (JSON.parse(body) as { type: string }).type
}

/** Fills the types of deliveries that earlier releases made. Returns how many. */
export async function fillTypes(tx: Tx, limit: number): Promise<number> {
  const rows = await tx.selectFrom('deliveries').select(['id', 'body']).where('type', 'is', null).limit(limit).execute()
  for (const { id, body } of rows) {
    await tx
      .updateTable('deliveries')
      .set({ type: typeIn(body) })
      .where('id', '=', id)
      .execute()
  }
  return rows.length
}

/** When the first delivery since `moment` that did not succeed was created. */
export async function firstUndeliveredFrom(tx: Tx, webhookId: string, moment: Date): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('deliveries')
    .select('created_at')
    .where('webhook_id', '=', webhookId)
    .where('id', '>=', firstIdFrom('dlv', moment.getTime()))
    .where('status', '!=', 'delivered')
    .where('is_test', '=', 0)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && new Date(row.created_at)
}

export async function setDeliveryStatus(tx: Tx, id: string, status: 'delivered' | 'failed'): Promise<void> {
  await tx.updateTable('deliveries').set({ status }).where('id', '=', id).execute()
}

export type Headers = Record<string, string>

export interface Attempt {
  number: number
  at: Date
  status: number | undefined
  error: string | undefined
  latencyMs: number
  /** The beginning of the body. */
  answer: string
  /** `undefined` in attempts of earlier releases. */
  requestHeaders: Headers | undefined
  /** `undefined` also if there was no answer. */
  answerHeaders: Headers | undefined
}

export async function insertAttempt(tx: Tx, deliveryId: string, attempt: Attempt): Promise<void> {
  await tx
    .insertInto('delivery_attempts')
    .values({
      delivery_id: deliveryId,
      number: attempt.number,
      at: attempt.at.toISOString(),
      status: attempt.status ?? null,
      error: attempt.error ?? null,
      latency_ms: Math.round(attempt.latencyMs),
      answer: attempt.answer,
      request_headers: jsonOf(attempt.requestHeaders),
      answer_headers: jsonOf(attempt.answerHeaders),
    })
    .onConflict(c => c.doNothing())
    .execute()
}

/** Called with the deletion of a document: the bodies contain personal data. */
export async function eraseDeliveries(tx: Tx, documentId: string): Promise<void> {
  await tx.deleteFrom('deliveries').where('document_id', '=', documentId).execute()
}

/** They outlast their document, and have no personal data. Returns how many were removed. */
export async function dropDeletionsBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const ended = tx
    .selectFrom('deliveries')
    .select('id')
    // As in the condition of the index.
    .where('type', '=', sql.lit('document.deleted'))
    .where('id', '<', firstIdFrom('dlv', moment.getTime()))
    .where('status', '!=', 'pending')
    .limit(limit)
  const ids = (await ended.execute()).map(({ id }) => id)
  await dropJobs(tx, 'webhook', ids)
  if (ids.length > 0) await tx.deleteFrom('deliveries').where('id', 'in', ids).execute()
  return ids.length
}

export interface DeliveryWithAttempts extends Delivery {
  status: Selectable<Schema['deliveries']>['status']
  createdAt: Date
  /** `undefined` when none follows. */
  nextAttemptAt: Date | undefined
  /** The oldest first. */
  attempts: Attempt[]
}

export interface DeliveryFilter {
  status?: DeliveryWithAttempts['status'] | undefined
  type?: Delivery['type'] | undefined
}

/** Deliveries of a webhook, the newest first. `before`: the last delivery of the page before. */
export async function listDeliveries(
  db: Db,
  webhookId: string,
  { limit, before, status, type }: DeliveryFilter & { limit: number; before?: string | undefined },
): Promise<DeliveryWithAttempts[]> {
  let query = db.selectFrom('deliveries').selectAll().where('webhook_id', '=', webhookId)
  if (before !== undefined) query = query.where('id', '<', before)
  if (status !== undefined) query = query.where('status', '=', status)
  if (type !== undefined) query = query.where('type', '=', type)
  return withAttempts(db, await query.orderBy('id', 'desc').limit(limit).execute())
}

export async function deliveryWithAttempts(db: Db, id: string): Promise<DeliveryWithAttempts | undefined> {
  const rows = await db.selectFrom('deliveries').selectAll().where('id', '=', id).execute()
  return (await withAttempts(db, rows))[0]
}

async function withAttempts(db: Db, rows: Selectable<Schema['deliveries']>[]): Promise<DeliveryWithAttempts[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const attempts = Map.groupBy(await attemptsOf(db, ids), ({ deliveryId }) => deliveryId)
  const due = await dueTimes(db, 'webhook', ids)
  return rows.map(row => ({
    ...deliveryOf(row),
    status: row.status,
    createdAt: new Date(row.created_at),
    nextAttemptAt: due.get(row.id),
    attempts: attempts.get(row.id) ?? [],
  }))
}

/** The newest delivery of each of these webhooks that has one, by the id of the webhook. */
export async function latestDeliveries(db: Db, webhookIds: string[]): Promise<Map<string, DeliveryWithAttempts>> {
  // PostgreSQL refuses an empty list.
  if (webhookIds.length === 0) return new Map()
  const newest = await db
    .selectFrom('webhooks')
    .where('id', 'in', webhookIds)
    .select(eb =>
      eb
        .selectFrom('deliveries')
        .select('deliveries.id')
        .whereRef('deliveries.webhook_id', '=', 'webhooks.id')
        .orderBy('deliveries.id', 'desc')
        .limit(1)
        .as('delivery_id'),
    )
    .execute()
  const ids = newest.flatMap(({ delivery_id: id }) => id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('deliveries').selectAll().where('id', 'in', ids).execute()
  return new Map((await withAttempts(db, rows)).map(delivery => [delivery.webhookId, delivery]))
}

/** Of each event since `moment` the newest delivery, if it failed: the oldest first. */
export async function failedSince(db: Db | Tx, webhookId: string, moment: Date): Promise<string[]> {
  const found = await sql<{ id: string }>`SELECT id FROM (
      SELECT id, status, is_test, row_number() OVER (PARTITION BY event_id ORDER BY id DESC) AS newest FROM deliveries
      WHERE webhook_id = ${webhookId} AND id >= ${firstIdFrom('dlv', moment.getTime())}
    ) AS found WHERE newest = 1 AND status = 'failed' AND is_test = 0 ORDER BY id`.execute(db)
  return found.rows.map(({ id }) => id)
}

/** How many deliveries since `moment` failed, by the id of the webhook. */
export async function countFailedSince(db: Db, webhookIds: string[], moment: Date): Promise<Map<string, number>> {
  // PostgreSQL refuses an empty list.
  if (webhookIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('deliveries')
    .select(({ fn }) => ['webhook_id', fn.countAll<number>().as('count')])
    .where('webhook_id', 'in', webhookIds)
    .where('status', '=', 'failed')
    .where('id', '>=', firstIdFrom('dlv', moment.getTime()))
    .groupBy('webhook_id')
    .execute()
  return new Map(rows.map(row => [row.webhook_id, Number(row.count)]))
}

async function attemptsOf(db: Db, deliveryIds: string[]): Promise<(Attempt & { deliveryId: string })[]> {
  // PostgreSQL refuses an empty list.
  if (deliveryIds.length === 0) return []
  const query = db.selectFrom('delivery_attempts').selectAll().where('delivery_id', 'in', deliveryIds)
  const rows = await query.orderBy('delivery_id').orderBy('number').execute()
  return rows.map(row => ({
    deliveryId: row.delivery_id,
    number: row.number,
    at: new Date(row.at),
    status: row.status ?? undefined,
    error: row.error ?? undefined,
    latencyMs: row.latency_ms,
    answer: row.answer,
    requestHeaders: headersIn(row.request_headers),
    answerHeaders: headersIn(row.answer_headers),
  }))
}

const jsonOf = (headers: Headers | undefined) => (headers ? JSON.stringify(headers) : null)

const headersIn = (json: string | null) => (json === null ? undefined : (JSON.parse(json) as Headers))
