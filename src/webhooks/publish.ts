/** Inserts a delivery and its job for each subscribed webhook, in the transaction of the change. */
import type { Json, PublicEvent } from '../core/event.ts'
import type { Tx } from '../db/open.ts'
import { insertJob } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import * as queries from './queries.ts'

export interface PublishedEvent {
  id: string
  type: PublicEvent
  /** The time of the event, not of its delivery. */
  at: Date
  data: Record<string, unknown>
}

export async function publish(
  tx: Tx,
  app: Pick<App, 'newId' | 'now'>,
  document: { id: string; ownerId: string | undefined },
  events: PublishedEvent[],
): Promise<void> {
  if (events.length === 0) return
  const webhooks = await queries.subscribedWebhooks(tx, document.ownerId)
  for (const { id: eventId, type, at, data } of events) {
    const body = JSON.stringify({ id: eventId, type, timestamp: at.toISOString(), data: data as Record<string, Json> })
    for (const webhook of webhooks) {
      if (!webhook.events.includes('*') && !webhook.events.includes(type)) continue
      await queueDelivery(tx, app, webhook, { eventId, documentId: document.id, body, isTest: false })
    }
  }
}

/** Inserts the delivery and its job. Returns the id of the delivery. */
export async function queueDelivery(
  tx: Tx,
  app: Pick<App, 'newId' | 'now'>,
  webhook: Pick<queries.Webhook, 'id' | 'url'>,
  content: Omit<queries.Delivery, 'id' | 'webhookId'>,
): Promise<string> {
  const id = app.newId('dlv')
  const now = app.now()
  await queries.insertDelivery(tx, { ...content, id, webhookId: webhook.id }, now)
  const job = { id: app.newId('job'), kind: 'webhook' as const, subject: id, lane: new URL(webhook.url).host }
  await insertJob(tx, { ...job, documentId: content.documentId, dueAt: now }, now)
  return id
}
