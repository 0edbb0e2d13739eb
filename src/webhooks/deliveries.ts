/** The deliveries of a webhook: shows them, repeats them, and sends a test. */
import { TEST_EVENT } from '../core/document/event.ts'
import { Refusal, refuseIfInvalid } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import type { Actor, App, Committed, Origin } from '../ports.ts'
import { sendingPause } from '../settings/sending-pause.ts'
import { attemptDelivery, storeAttempt } from './deliver.ts'
import * as queries from './delivery-queries.ts'
import { loadWebhook, record } from './manage.ts'
import { queueDelivery, recordFailure } from './publish.ts'
import { type Webhook, webhookById } from './queries.ts'

export interface DeliveryPage {
  deliveries: queries.DeliveryWithAttempts[]
  next: string | undefined
}

/** The newest first. `after`: the cursor of the page before. */
export async function listDeliveries(
  app: App,
  actor: Actor,
  webhookId: string,
  { limit, after, ...filter }: queries.DeliveryFilter & { limit: number; after: string | undefined },
): Promise<DeliveryPage> {
  await loadWebhook(app.db, actor, webhookId)
  const found = await queries.listDeliveries(app.db, webhookId, { ...filter, limit: limit + 1, before: after })
  const deliveries = found.slice(0, limit)
  return { deliveries, next: found.length > limit ? deliveries.at(-1)?.id : undefined }
}

/** @throws Refusal `not_found` */
export async function loadDelivery(app: App, actor: Actor, webhookId: string, id: string): Promise<queries.DeliveryWithAttempts> {
  const webhook = await loadWebhook(app.db, actor, webhookId)
  const delivery = await queries.deliveryWithAttempts(app.db, id)
  if (delivery?.webhookId !== webhook.id) throw deliveryNotFound()
  return delivery
}

const deliveryNotFound = () => new Refusal('not_found', violation('delivery_not_found'))

/** Delivers the same event again, with a new series of attempts. */
export function redeliver(app: App, actor: Actor, webhookId: string, id: string) {
  return app.write(async tx => {
    const webhook = await loadEnabled(tx, actor, webhookId)
    const delivery = await queries.deliveryById(tx, id)
    if (delivery?.webhookId !== webhook.id) throw deliveryNotFound()
    return queue(tx, app, webhook, delivery)
  })
}

/** One request makes at most so many: the transaction holds up others. */
export const MAX_REDELIVERED = 500

export interface Redelivery {
  queued: number
  /** Failed ones that are left. */
  remaining: number
}

/**
 * As `redeliver`, of every event whose newest delivery since then has failed. Those that were sent
 * again meanwhile are left out, so that the same request twice sends nothing twice.
 */
export async function redeliverSince(app: App, origin: Origin, webhookId: string, since: Date): Promise<Committed<Redelivery>> {
  if (Number.isNaN(since.getTime())) refuseIfInvalid([{ path: 'since', ...violation('no_such_time') }])
  return app.write(async tx => {
    const webhook = await loadEnabled(tx, origin.actor, webhookId)
    const failed = await queries.failedSince(tx, webhookId, since)
    const chosen = failed.slice(0, MAX_REDELIVERED)
    for (const id of chosen) {
      const delivery = await queries.deliveryById(tx, id)
      if (delivery) await queue(tx, app, webhook, delivery)
    }
    const data = { since: since.toISOString(), queued: chosen.length }
    if (chosen.length > 0) await record(tx, app, 'webhook.redelivered', webhook, origin, data)
    return { queued: chosen.length, remaining: failed.length - chosen.length }
  })
}

/** How many events `redeliverSince` would send. */
export async function countRedeliverable(app: App, actor: Actor, webhookId: string, since: Date): Promise<number> {
  await loadWebhook(app.db, actor, webhookId)
  return (await queries.failedSince(app.db, webhookId, since)).length
}

/** Sends an event that concerns no document, whatever the webhook subscribes to. Tried once. */
export function testWebhook(app: App, actor: Actor, webhookId: string) {
  return app.write(async tx => {
    const webhook = await loadEnabled(tx, actor, webhookId)
    return queue(tx, app, webhook, testOf(app, webhook))
  })
}

function testOf(app: App, webhook: Webhook): Omit<queries.Delivery, 'id' | 'webhookId'> {
  const eventId = app.newId('evt')
  const event = { id: eventId, type: TEST_EVENT, timestamp: app.now().toISOString(), data: { webhook: { id: webhook.id } } }
  return { eventId, type: TEST_EVENT, documentId: undefined, body: JSON.stringify(event), isTest: true }
}

/**
 * As `testWebhook`, but sends at once and returns the delivery with its answer, also for a webhook
 * that is disabled. A crash before the answer leaves nothing.
 */
export async function testWebhookNow(app: App, actor: Actor, webhookId: string): Promise<queries.DeliveryWithAttempts> {
  const webhook = await loadWebhook(app.db, actor, webhookId)
  if (await sendingPause(app.db)) throw new Refusal('invalid_state', violation('sending_paused'))
  const delivery = { ...testOf(app, webhook), id: app.newId('dlv'), webhookId }
  const createdAt = app.now()
  const attempt = await attemptDelivery(app, webhook, delivery)
  await app.write(async tx => {
    // It may have been deleted during the request.
    if (!(await webhookById(tx, webhookId))) throw new Refusal('not_found', violation('webhook_not_found'))
    for (const insertion of queries.deliveryInsertions(tx, [delivery], createdAt)) await insertion.execute()
    const error = await storeAttempt(tx, app, delivery, { ...attempt, number: 1 })
    if (error === undefined) return
    await queries.setDeliveryStatus(tx, delivery.id, 'failed')
    const status = attempt.result.outcome === 'answered' ? attempt.result.status : undefined
    await recordFailure(tx, app, webhookId, { at: attempt.at, status, error, isLast: false })
  })
  return loadDelivery(app, actor, webhookId, delivery.id)
}

async function loadEnabled(tx: Tx, actor: Actor, webhookId: string): Promise<Webhook> {
  const webhook = await loadWebhook(tx, actor, webhookId)
  if (!webhook.enabled) throw new Refusal('invalid_state', violation('webhook_disabled'))
  return webhook
}

async function queue(
  tx: Tx,
  app: App,
  webhook: Webhook,
  { eventId, type, documentId, body, isTest }: Omit<queries.Delivery, 'id' | 'webhookId'>,
): Promise<queries.DeliveryWithAttempts> {
  const content = { eventId, type, documentId, body, isTest }
  const id = await queueDelivery(tx, app, webhook, content)
  const now = app.now()
  return { ...content, id, webhookId: webhook.id, status: 'pending', createdAt: now, nextAttemptAt: now, attempts: [] }
}

/** Our own text. Bodies of earlier releases have the recipient in `data` alone. */
function recipientIn(body: string): string | null {
  const { recipientId, data } = JSON.parse(body) as { recipientId?: string | null; data: { recipient?: { id: string } } }
  return recipientId ?? data.recipient?.id ?? null
}

/** As the API returns it. */
export function presentDelivery(delivery: queries.DeliveryWithAttempts) {
  const { id, eventId, type, documentId = null, status, createdAt, nextAttemptAt, body, attempts } = delivery
  return {
    id,
    eventId,
    type,
    documentId,
    recipientId: recipientIn(body),
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
