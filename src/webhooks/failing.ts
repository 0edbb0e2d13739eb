/** Warns the owner of a webhook that keeps failing, and disables it later. */
import { endAlertIn, raiseAlertIn } from '../alerts/alerts.ts'
import { appendInstanceEvent } from '../audit/log.ts'
import type { Tx } from '../db/open.ts'
import { type App, SYSTEM } from '../ports.ts'
import { firstUndeliveredFrom } from './delivery-queries.ts'
import { disableWebhook, type Webhook, webhookById } from './queries.ts'

const HOUR_MS = 3_600_000
const WARN_AFTER_MS = 96 * HOUR_MS
const DISABLE_AFTER_MS = 120 * HOUR_MS

type Services = Pick<App, 'newId' | 'now' | 'random' | 'log' | 'afterCommit'>

export interface FailedAttempt {
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
  if (attempt.status === 410) return disable(tx, app, webhook, 'the receiver answered 410 Gone', '')
  if (attempt.isLast && failingMs >= DISABLE_AFTER_MS)
    return disable(tx, app, webhook, 'no delivery was accepted for five days', ` The last attempt: ${attempt.error}.`)
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
function nameOf({ id, url }: Webhook): string {
  return `The webhook ${id} to ${new URL(url).host}`
}

async function disable(tx: Tx, app: Services, webhook: Webhook, reason: string, more: string): Promise<void> {
  await disableWebhook(tx, webhook.id, reason)
  const data = { webhookId: webhook.id, host: new URL(webhook.url).host, reason }
  await appendInstanceEvent(tx, app, { type: 'webhook.disabled', data }, SYSTEM)
  await endAlertIn(tx, app, 'webhook_failing', webhook.id)
  await raiseAlertIn(tx, app, {
    kind: 'webhook_disabled',
    subject: webhook.id,
    message: `${nameOf(webhook)} was disabled: ${reason}.${more} No more events are sent to it. Once its receiver is ready, enable it again under Settings → Webhooks, or delete it.`,
    ownerId: webhook.ownerId,
  })
}

async function warn(tx: Tx, app: Services, webhook: Webhook, error: string): Promise<void> {
  await raiseAlertIn(tx, app, {
    kind: 'webhook_failing',
    subject: webhook.id,
    message: `${nameOf(webhook)} has accepted no delivery for four days; after five days it will be disabled. The last attempt: ${error}.`,
    ownerId: webhook.ownerId,
  })
}
