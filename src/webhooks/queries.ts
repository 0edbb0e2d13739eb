/** Rows of webhooks, their deliveries and delivery attempts. */
import type { Selectable } from 'kysely'
import type { PublicEvent } from '../core/event.ts'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import { firstIdFrom } from '../lib/id.ts'
import { dropJobs } from '../outbox/queries.ts'
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

/** Enabled webhooks whose owner may see the document; without an owner all documents. */
export async function subscribedWebhooks(db: Db | Tx, documentOwnerId: string | undefined): Promise<Webhook[]> {
  const rows = await undeleted(db)
    .leftJoin('users', 'users.id', 'webhooks.owner_id')
    .selectAll('webhooks')
    .where('webhooks.enabled', '=', 1)
    .where(eb =>
      eb.or([
        eb('webhooks.owner_id', 'is', null),
        eb('users.role', '=', 'admin'),
        eb('webhooks.owner_id', '=', documentOwnerId ?? ''),
      ]),
    )
    .orderBy('webhooks.id')
    .execute()
  return rows.map(WEBHOOKS.read)
}

export async function countWebhooks(tx: Tx): Promise<number> {
  const { count } = await undeleted(tx)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await tx.insertInto('webhooks').values(WEBHOOKS.write(webhook)).execute()
}

/** Marks the webhook as deleted and erases its secret. `dropRemainsOfWebhooks` removes the rows. */
export async function deleteWebhook(tx: Tx, id: string, now: Date): Promise<void> {
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

export interface Delivery {
  id: string
  webhookId: string
  eventId: string
  body: string
}

export async function insertDelivery(tx: Tx, delivery: Delivery, documentId: string, now: Date): Promise<void> {
  await tx
    .insertInto('deliveries')
    .values({
      id: delivery.id,
      webhook_id: delivery.webhookId,
      event_id: delivery.eventId,
      document_id: documentId,
      body: delivery.body,
      status: 'pending',
      created_at: now.toISOString(),
    })
    .execute()
}

export async function deliveryById(db: Db | Tx, id: string): Promise<Delivery | undefined> {
  const row = await db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { id: row.id, webhookId: row.webhook_id, eventId: row.event_id, body: row.body }
}

/** When the first delivery since `moment` that did not succeed was created. */
export async function firstUndeliveredFrom(tx: Tx, webhookId: string, moment: Date): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('deliveries')
    .select('created_at')
    .where('webhook_id', '=', webhookId)
    .where('id', '>=', firstIdFrom('dlv', moment.getTime()))
    .where('status', '!=', 'delivered')
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
