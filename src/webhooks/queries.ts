/** Rows of webhooks, their deliveries and the attempts at them. */
import type { Selectable } from 'kysely'
import type { PublicEvent } from '../core/event.ts'
import type { Db, Tx } from '../db/open.ts'
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

function webhookOf(row: Selectable<Schema['webhooks']>): Webhook {
  return {
    id: row.id,
    ownerId: row.owner_id ?? undefined,
    url: row.url,
    events: JSON.parse(row.events) as Webhook['events'],
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason ?? undefined,
    sealedSecret: row.sealed_secret,
    secretLastFour: row.secret_last_four,
    lastSuccessAt: row.last_success_at === null ? undefined : new Date(row.last_success_at),
    createdAt: new Date(row.created_at),
  }
}

/** Webhooks that were not deleted. */
const present = (db: Db | Tx) => db.selectFrom('webhooks').where('webhooks.deleted_at', 'is', null)

/** Oldest first: those the actor may see. */
export async function listWebhooks(db: Db | Tx, actor: Pick<Actor, 'seesAll' | 'userId'>): Promise<Webhook[]> {
  let query = present(db).selectAll().orderBy('id')
  if (!actor.seesAll) query = query.where('owner_id', '=', actor.userId ?? '')
  return (await query.execute()).map(webhookOf)
}

export async function webhookById(db: Db | Tx, id: string): Promise<Webhook | undefined> {
  const row = await present(db).selectAll().where('id', '=', id).executeTakeFirst()
  return row && webhookOf(row)
}

/** Enabled ones whose owner may see the document: no owner or an administrator sees all, a member their own. */
export async function subscribedWebhooks(db: Db | Tx, documentOwnerId: string | undefined): Promise<Webhook[]> {
  const rows = await present(db)
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
  return rows.map(webhookOf)
}

export async function countWebhooks(tx: Tx): Promise<number> {
  const { count } = await present(tx)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await tx
    .insertInto('webhooks')
    .values({
      id: webhook.id,
      owner_id: webhook.ownerId ?? null,
      url: webhook.url,
      events: JSON.stringify(webhook.events),
      enabled: webhook.enabled ? 1 : 0,
      disabled_reason: webhook.disabledReason ?? null,
      sealed_secret: webhook.sealedSecret,
      secret_last_four: webhook.secretLastFour,
      last_success_at: null,
      created_at: webhook.createdAt.toISOString(),
    })
    .execute()
}

/** Makes the webhook unknown from now on and erases its secret. What it leaves is removed by `dropRemainsOfWebhooks`. */
export async function deleteWebhook(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ deleted_at: now.toISOString(), enabled: 0, sealed_secret: new Uint8Array() })
    .where('id', '=', id)
    .execute()
}

/** Removes at most `limit` deliveries of a deleted webhook with their jobs, or, when it has none, the webhook. Returns how many rows went. */
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

export async function noteSuccess(tx: Tx, id: string, now: Date): Promise<void> {
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

/** When the first delivery of a webhook was made that was not delivered, of those from a moment on; undefined when there is none. */
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

/** With the document its deliveries go: their bodies name people. */
export async function eraseDeliveries(tx: Tx, documentId: string): Promise<void> {
  await tx.deleteFrom('deliveries').where('document_id', '=', documentId).execute()
}
