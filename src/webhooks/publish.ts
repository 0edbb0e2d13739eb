/**
 * Makes a delivery and its job for each subscribed webhook, in the transaction of the change; notes
 * failures, and the networks that are allowed.
 */
import { endAlertIn, raiseAlertIn } from '../alerts/alerts.ts'
import { appendInstanceEvent } from '../audit/log.ts'
import type { PublicEvent } from '../core/document/event.ts'
import { errorsIn, refuseIfInvalid } from '../core/refusal.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import { changeTogether } from '../db/together.ts'
import { HOUR_MS } from '../lib/duration.ts'
import { isWithin, METADATA_ADDRESSES, type Network, NetworkTextError, parseNetworks } from '../lib/net-guard.ts'
import { type Diagnosis, diagnosis, englishOfDiagnosis } from '../locales/diagnoses.ts'
import { jobInsertions, type NewJob } from '../outbox/queries.ts'
import { type App, type Origin, SYSTEM } from '../ports.ts'
import { changeServiceSettings, readServiceSetting } from '../settings/service-settings.ts'
import { type Delivery, deliveryInsertions, firstUndeliveredFrom } from './delivery-queries.ts'
import { disableWebhook, type Subscription, type Webhook, webhookById } from './queries.ts'

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

// Warns the owner of a webhook that keeps failing, and disables it later.

const WARN_AFTER_MS = 96 * HOUR_MS
const DISABLE_AFTER_MS = 120 * HOUR_MS

type Services = Pick<App, 'newId' | 'now' | 'random' | 'log' | 'afterCommit'>

interface FailedAttempt {
  at: Date
  /** Status of the response, if there was one. */
  status: number | undefined
  error: string
  /** No further attempt at this delivery follows. */
  isLast: boolean
}

/** Disables after 410 Gone or the last attempt in five failing days; warns after four days. */
export async function recordFailure(tx: Tx, app: Services, webhookId: string, attempt: FailedAttempt): Promise<void> {
  // Read again: meanwhile another attempt may have succeeded or disabled it.
  const webhook = await webhookById(tx, webhookId)
  if (!webhook?.enabled) return
  const lastSuccess = latest(webhook.createdAt, webhook.lastSuccessAt, webhook.failuresFrom)
  // Time without deliveries is not time of failure.
  const failingSince = (await firstUndeliveredFrom(tx, webhook.id, lastSuccess)) ?? lastSuccess
  const failingMs = attempt.at.getTime() - failingSince.getTime()
  if (attempt.status === 410) return disable(tx, app, webhook, diagnosis('receiver_gone'), '')
  if (attempt.isLast && failingMs >= DISABLE_AFTER_MS)
    return disable(tx, app, webhook, diagnosis('receiver_fails'), attempt.error)
  if (failingMs >= WARN_AFTER_MS) await warn(tx, app, webhook, attempt.error)
}

function latest(first: Date, ...others: (Date | undefined)[]): Date {
  return others.reduce<Date>((newest, date) => (date !== undefined && date > newest ? date : newest), first)
}

export async function endAlertsOf(tx: Tx, app: Services, webhookId: string): Promise<void> {
  await endAlertIn(tx, app, 'webhook_failing', webhookId)
  await endAlertIn(tx, app, 'webhook_disabled', webhookId)
}

/** Only the host: the path of the URL may contain a secret. */
const namesOf = ({ id, url }: Webhook) => ({ webhookId: id, host: new URL(url).host })

/** `cause`: the last attempt; empty if its answer alone disables the webhook. */
async function disable(tx: Tx, app: Services, webhook: Webhook, why: Diagnosis, cause: string): Promise<void> {
  const { id: subject, ownerId } = webhook
  const reason = englishOfDiagnosis(why)
  await disableWebhook(tx, subject, reason)
  const names = namesOf(webhook)
  await appendInstanceEvent(tx, app, { type: 'webhook.disabled', data: { ...names, reason } }, SYSTEM)
  await endAlertIn(tx, app, 'webhook_failing', subject)
  const found = diagnosis('webhook_disabled', { ...names, reason, hasCause: cause !== '', cause })
  await raiseAlertIn(tx, app, { kind: 'webhook_disabled', subject, found, ownerId })
}

async function warn(tx: Tx, app: Services, webhook: Webhook, cause: string): Promise<void> {
  const found = diagnosis('webhook_failing', { ...namesOf(webhook), cause })
  await raiseAlertIn(tx, app, { kind: 'webhook_failing', subject: webhook.id, found, ownerId: webhook.ownerId })
}

// The networks that webhooks may reach although they are refused by default.

const LOOPBACK = parseNetworks('127.0.0.0/8, ::1/128')

/** Those in force now, and loopback outside production. */
export async function allowedNetworks(app: Pick<App, 'config' | 'db' | 'secrets' | 'instance'>): Promise<Network[]> {
  const allowed = await readServiceSetting(app, 'webhookAllow')
  return app.instance.isProduction ? allowed : [...LOOPBACK, ...allowed]
}

function networksError(text: string): Violation | undefined {
  try {
    for (const network of parseNetworks(text)) {
      const address = METADATA_ADDRESSES.find(each => isWithin(each, [network]))
      if (address !== undefined) return violation('network_with_metadata', { network: network.text, address })
    }
    return undefined
  } catch (error) {
    if (error instanceof NetworkTextError) return error.violation
    throw error
  }
}

/** `text`: networks by spaces, commas or lines. @throws Refusal with the error of `networks` */
export async function changeAllowedNetworks(app: App, origin: Origin, text: string): Promise<void> {
  refuseIfInvalid(errorsIn([['networks', networksError(text)]]))
  const webhookAllow = parseNetworks(text)
    .map(network => network.text)
    .join(', ')
  await app.write(tx => changeServiceSettings(tx, app, origin, { webhookAllow }))
}
