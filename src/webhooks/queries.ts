/** Rows of webhooks, their deliveries and delivery attempts. */
import type { Selectable } from 'kysely'
import type { PublicEvent } from '../core/event.ts'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import { type Change, insertions } from '../db/together.ts'
import { firstIdFrom } from '../lib/id.ts'
import { dropJobs, dueTimes } from '../outbox/queries.ts'
import type { Actor } from '../ports.ts'

export interface Webhook {
  id: string
  ownerId: string | undefined
  url: string
  events: (PublicEvent | '*')[]
  enabled: boolean
  disabledReason: string | undefined
  sealedSecret: Uint8Array
  secretLastFour: string
  lastSuccessAt: Date | undefined
  /** Failures of deliveries created earlier do not count. */
  failuresFrom: Date | undefined
  createdAt: Date
}

const WEBHOOKS = rowMapper<Webhook, Selectable<Schema['webhooks']>>()({
  id: 'id',
  ownerId: ['owner_id', 'optional'],
  url: 'url',
  events: ['events', 'json'],
  enabled: ['enabled', 'flag'],
  disabledReason: ['disabled_reason', 'optional'],
  sealedSecret: 'sealed_secret',
  secretLastFour: 'secret_last_four',
  lastSuccessAt: ['last_success_at', 'optional time'],
  failuresFrom: ['failures_from', 'optional time'],
  createdAt: ['created_at', 'time'],
})

/** Deleted webhooks stay as rows until their deliveries are removed. */
const undeleted = (db: Db | Tx) => db.selectFrom('webhooks').where('webhooks.deleted_at', 'is', null)

/** The webhooks that the actor may see, oldest first. */
export async function listWebhooks(db: Db | Tx, actor: Pick<Actor, 'seesAll' | 'userId'>): Promise<Webhook[]> {
  let query = undeleted(db).selectAll().orderBy('id')
  if (!actor.seesAll) query = query.where('owner_id', '=', actor.userId ?? '')
  return (await query.execute()).map(WEBHOOKS.read)
}

export async function webhookById(db: Db | Tx, id: string): Promise<Webhook | undefined> {
  const row = await undeleted(db).selectAll().where('id', '=', id).executeTakeFirst()
  return row && WEBHOOKS.read(row)
}

/** SELECTs enabled webhooks whose owner may see the document; without an owner all documents. */
export function subscribedWebhooks(tx: Tx, documentOwnerId: string | undefined) {
  return undeleted(tx)
    .leftJoin('users', 'users.id', 'webhooks.owner_id')
    .select(['webhooks.id', 'webhooks.url', 'webhooks.events'])
    .where('webhooks.enabled', '=', 1)
    .where(eb =>
      eb.or([
        eb('webhooks.owner_id', 'is', null),
        eb('users.role', '=', 'admin'),
        eb('webhooks.owner_id', '=', documentOwnerId ?? ''),
      ]),
    )
    .orderBy('webhooks.id')
}

/** `events`: a JSON array. */
export type Subscription = Pick<Selectable<Schema['webhooks']>, 'id' | 'url' | 'events'>

export async function countWebhooks(tx: Tx): Promise<number> {
  const { count } = await undeleted(tx)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await tx.insertInto('webhooks').values(WEBHOOKS.write(webhook)).execute()
}

export async function updateWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await tx.updateTable('webhooks').set(WEBHOOKS.write(webhook)).where('id', '=', webhook.id).execute()
}

/** Marks it as deleted and erases its secrets. `dropRemainsOfWebhooks` removes the rows. */
export async function deleteWebhook(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.deleteFrom('webhook_former_secrets').where('webhook_id', '=', id).execute()
  await tx
    .updateTable('webhooks')
    .set({ deleted_at: now.toISOString(), enabled: 0, sealed_secret: new Uint8Array() })
    .where('id', '=', id)
    .execute()
}

/** Removes deliveries of a deleted webhook, or the webhook without any. Returns the row count. */
export async function dropRemainsOfWebhooks(tx: Tx, limit: number): Promise<number> {
  const webhook = await tx.selectFrom('webhooks').select('id').where('deleted_at', 'is not', null).limit(1).executeTakeFirst()
  if (webhook === undefined) return 0
  const rows = await tx.selectFrom('deliveries').select('id').where('webhook_id', '=', webhook.id).limit(limit).execute()
  const ids = rows.map(row => row.id)
  await dropJobs(tx, 'webhook', ids)
  if (ids.length > 0) await tx.deleteFrom('deliveries').where('id', 'in', ids).execute()
  else await tx.deleteFrom('webhooks').where('id', '=', webhook.id).execute()
  return Math.max(ids.length, 1)
}

export async function disableWebhook(tx: Tx, id: string, reason: string): Promise<void> {
  await tx.updateTable('webhooks').set({ enabled: 0, disabled_reason: reason }).where('id', '=', id).execute()
}

export async function recordSuccess(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('webhooks').set({ last_success_at: now.toISOString() }).where('id', '=', id).execute()
}

/** Replaced secrets that still sign, the newest first. */
export async function formerSecrets(db: Db | Tx, webhookId: string, now: Date): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('webhook_former_secrets')
    .select('sealed_secret')
    .where('webhook_id', '=', webhookId)
    .where('valid_until', '>', now.toISOString())
    .orderBy('valid_until', 'desc')
    .execute()
  return rows.map(row => row.sealed_secret)
}

export async function insertFormerSecret(tx: Tx, webhookId: string, sealedSecret: Uint8Array, validUntil: Date): Promise<void> {
  const row = { webhook_id: webhookId, valid_until: validUntil.toISOString(), sealed_secret: sealedSecret }
  await tx.insertInto('webhook_former_secrets').values(row).execute()
}

export async function dropFormerSecrets(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('webhook_former_secrets').where('valid_until', '<=', now.toISOString()).execute()
}

export interface Delivery {
  id: string
  webhookId: string
  eventId: string
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
  return { id, webhookId, eventId, documentId: documentId ?? undefined, body, isTest: isTest === 1 }
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

export interface Attempt {
  number: number
  at: Date
  status: number | undefined
  error: string | undefined
  latencyMs: number
  answer: string
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
    })
    .onConflict(c => c.doNothing())
    .execute()
}

/** Called with the deletion of a document: the bodies contain personal data. */
export async function eraseDeliveries(tx: Tx, documentId: string): Promise<void> {
  await tx.deleteFrom('deliveries').where('document_id', '=', documentId).execute()
}

export interface DeliveryWithAttempts extends Delivery {
  status: Selectable<Schema['deliveries']>['status']
  createdAt: Date
  /** `undefined` when none follows. */
  nextAttemptAt: Date | undefined
  /** The oldest first. */
  attempts: Attempt[]
}

/** Deliveries of a webhook, the newest first. `before`: the last delivery of the page before. */
export async function listDeliveries(
  db: Db,
  webhookId: string,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<DeliveryWithAttempts[]> {
  let query = db.selectFrom('deliveries').selectAll().where('webhook_id', '=', webhookId)
  if (before !== undefined) query = query.where('id', '<', before)
  const rows = await query.orderBy('id', 'desc').limit(limit).execute()
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
  }))
}
