/** Makes a delivery and its job for each subscribed webhook, in the transaction of the change. */
import type { PublicEvent } from '../core/document/event.ts'
import type { Tx } from '../db/open.ts'
import { changeTogether } from '../db/together.ts'
import { jobInsertions, type NewJob } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { type Delivery, deliveryInsertions } from './delivery-queries.ts'
import type { Subscription, Webhook } from './queries.ts'

export interface PublishedEvent {
  id: string
  /** Its place in the audit log. */
  sequence: number
  type: PublicEvent
  /** The time of the event, not of its delivery. */
  at: Date
  documentId: string
  recipientId: string | undefined
  data: object
}

/** JSON of an event, in a delivery and in the list of events. `data`: JSON. */
export function eventJson(
  { id, type, at, documentId, recipientId }: Omit<PublishedEvent, 'data' | 'sequence'>,
  data: string,
): string {
  const head = { id, type, timestamp: at.toISOString(), documentId, recipientId: recipientId ?? null }
  return `${JSON.stringify(head).slice(0, -1)},"data":${data}}`
}

type Deps = Pick<App, 'newId' | 'now'>

/** Deliveries and their jobs, to be inserted. */
export interface Deliveries {
  deliveries: Delivery[]
  jobs: NewJob[]
}

/** `subscriptions`: rows of `subscribedWebhooks`. `dueAt`: when they are sent; by default now. */
export function deliveriesOf(
  app: Deps,
  events: readonly PublishedEvent[],
  subscriptions: readonly Subscription[],
  dueAt = app.now(),
): Deliveries {
  const made: Deliveries = { deliveries: [], jobs: [] }
  const webhooks = subscriptions.map(row => ({ ...row, events: JSON.parse(row.events) as string[] }))
  for (const event of events) {
    const { id: eventId, type, documentId } = event
    const body = eventJson(event, JSON.stringify(event.data))
    for (const webhook of webhooks) {
      if (!webhook.events.includes('*') && !webhook.events.includes(type)) continue
      addDelivery(made, app, webhook, { eventId, type, documentId, body, isTest: false }, dueAt)
    }
  }
  return made
}

function addDelivery(
  { deliveries, jobs }: Deliveries,
  app: Deps,
  webhook: Pick<Webhook, 'id' | 'url'>,
  content: Omit<Delivery, 'id' | 'webhookId'>,
  dueAt: Date,
): string {
  const id = app.newId('dlv')
  deliveries.push({ ...content, id, webhookId: webhook.id })
  const lane = new URL(webhook.url).host
  jobs.push({ id: app.newId('job'), kind: 'webhook', subject: id, lane, documentId: content.documentId, dueAt })
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
  const now = app.now()
  const id = addDelivery(made, app, webhook, content, now)
  await changeTogether(tx, [...deliveryInsertions(tx, made.deliveries, now), ...jobInsertions(tx, made.jobs, now)])
  return id
}
