/** Makes a delivery and its job for each subscribed webhook, in the transaction of the change. */
import type { Json, PublicEvent } from '../core/event.ts'
import type { Tx } from '../db/open.ts'
import { changeTogether } from '../db/together.ts'
import { jobInsertions, type NewJob } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { type Delivery, deliveryInsertions } from './delivery-queries.ts'
import type { Subscription, Webhook } from './queries.ts'

export interface PublishedEvent {
  id: string
  type: PublicEvent
  /** The time of the event, not of its delivery. */
  at: Date
  data: Record<string, unknown>
}

type Deps = Pick<App, 'newId' | 'now'>

/** Deliveries and their jobs, to be inserted. */
export interface Deliveries {
  deliveries: Delivery[]
  jobs: NewJob[]
}

/** `subscriptions`: the rows of `subscribedWebhooks`. */
export function deliveriesOf(
  app: Deps,
  documentId: string,
  events: readonly PublishedEvent[],
  subscriptions: readonly Subscription[],
): Deliveries {
  const made: Deliveries = { deliveries: [], jobs: [] }
  const webhooks = subscriptions.map(row => ({ ...row, events: JSON.parse(row.events) as string[] }))
  for (const { id: eventId, type, at, data } of events) {
    const body = JSON.stringify({ id: eventId, type, timestamp: at.toISOString(), data: data as Record<string, Json> })
    for (const webhook of webhooks) {
      if (!webhook.events.includes('*') && !webhook.events.includes(type)) continue
      addDelivery(made, app, webhook, { eventId, type, documentId, body, isTest: false })
    }
  }
  return made
}

function addDelivery(
  { deliveries, jobs }: Deliveries,
  app: Deps,
  webhook: Pick<Webhook, 'id' | 'url'>,
  content: Omit<Delivery, 'id' | 'webhookId'>,
): string {
  const id = app.newId('dlv')
  deliveries.push({ ...content, id, webhookId: webhook.id })
  const lane = new URL(webhook.url).host
  jobs.push({ id: app.newId('job'), kind: 'webhook', subject: id, lane, documentId: content.documentId, dueAt: app.now() })
  return id
}

/** Inserts the delivery and its job. Returns the id of the delivery. */
export async function queueDelivery(
  tx: Tx,
  app: Deps,
  webhook: Pick<Webhook, 'id' | 'url'>,
  content: Omit<Delivery, 'id' | 'webhookId'>,
): Promise<string> {
  const made: Deliveries = { deliveries: [], jobs: [] }
  const id = addDelivery(made, app, webhook, content)
  const now = app.now()
  await changeTogether(tx, [...deliveryInsertions(tx, made.deliveries, now), ...jobInsertions(tx, made.jobs, now)])
  return id
}
