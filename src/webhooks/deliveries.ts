/** The deliveries of a webhook: shows them, repeats them, and sends a test. */
import { TEST_EVENT } from '../core/event.ts'
import { Refusal } from '../core/refusal.ts'
import type { Tx } from '../db/open.ts'
import type { Actor, App } from '../ports.ts'
import { loadWebhook } from './manage.ts'
import { queueDelivery } from './publish.ts'
import * as queries from './queries.ts'

export interface DeliveryPage {
  deliveries: queries.DeliveryWithAttempts[]
  next: string | undefined
}

/** The newest first. `after`: the cursor of the page before. */
export async function listDeliveries(
  app: App,
  actor: Actor,
  webhookId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<DeliveryPage> {
  await loadWebhook(app.db, actor, webhookId)
  const found = await queries.listDeliveries(app.db, webhookId, { limit: limit + 1, before: after })
  const deliveries = found.slice(0, limit)
  return { deliveries, next: found.length > limit ? deliveries.at(-1)?.id : undefined }
}

/** Delivers the same event again, with a new series of attempts. */
export function redeliver(app: App, actor: Actor, webhookId: string, id: string): Promise<queries.DeliveryWithAttempts> {
  return app.write(async tx => {
    const webhook = await loadEnabled(tx, actor, webhookId)
    const delivery = await queries.deliveryById(tx, id)
    if (delivery?.webhookId !== webhook.id) {
      throw new Refusal('not_found', 'Delivery not found. The deliveries of a deleted document are deleted with it.')
    }
    return queue(tx, app, webhook, delivery)
  })
}

/** Sends an event that concerns no document, whatever the webhook subscribes to. Tried once. */
export function testWebhook(app: App, actor: Actor, webhookId: string): Promise<queries.DeliveryWithAttempts> {
  return app.write(async tx => {
    const webhook = await loadEnabled(tx, actor, webhookId)
    const eventId = app.newId('evt')
    const event = { id: eventId, type: TEST_EVENT, timestamp: app.now().toISOString(), data: { webhook: { id: webhook.id } } }
    return queue(tx, app, webhook, { eventId, documentId: undefined, body: JSON.stringify(event), isTest: true })
  })
}

async function loadEnabled(tx: Tx, actor: Actor, webhookId: string): Promise<queries.Webhook> {
  const webhook = await loadWebhook(tx, actor, webhookId)
  if (!webhook.enabled) throw new Refusal('invalid_state', 'The webhook is disabled: enable it, then repeat the request.')
  return webhook
}

async function queue(
  tx: Tx,
  app: App,
  webhook: queries.Webhook,
  { eventId, documentId, body, isTest }: Omit<queries.Delivery, 'id' | 'webhookId'>,
): Promise<queries.DeliveryWithAttempts> {
  const content = { eventId, documentId, body, isTest }
  const id = await queueDelivery(tx, app, webhook, content)
  const now = app.now()
  return { ...content, id, webhookId: webhook.id, status: 'pending', createdAt: now, nextAttemptAt: now, attempts: [] }
}

/** As the API returns it. */
export function presentDelivery(delivery: queries.DeliveryWithAttempts) {
  const { id, eventId, status, createdAt, nextAttemptAt, body, attempts } = delivery
  // Our own text, which is valid.
  const { type } = JSON.parse(body) as { type: string }
  return {
    id,
    eventId,
    type,
    status,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    body,
    attempts: attempts.map(({ number, at, status: answered = null, latencyMs, error = null, answer }) => ({
      number,
      at: at.toISOString(),
      status: answered,
      latencyMs,
      error,
      answer,
    })),
  }
}
