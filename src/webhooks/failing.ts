/** Webhooks whose receiver takes nothing: the owner is warned, then the webhook is disabled and the owner is told. */
import { addressesForOwner } from '../accounts/notified.ts'
import { endAlertIn, raiseAlertIn } from '../alerts/alerts.ts'
import type { Tx } from '../db/open.ts'
import type { App } from '../ports.ts'
import { disableWebhook, firstUndeliveredFrom, type Webhook, webhookById } from './queries.ts'

const HOUR_MS = 3_600_000
const WARNED_AFTER_MS = 96 * HOUR_MS
const DISABLED_AFTER_MS = 120 * HOUR_MS

type Services = Pick<App, 'newId' | 'now' | 'log'>

export interface FailedAttempt {
  at: Date
  /** Of the answer, if there was one. */
  status: number | undefined
  /** What failed, for a person. */
  error: string
  /** No further attempt at this delivery follows. */
  isLast: boolean
}

/** Disables the webhook at once after 410 Gone, and after a last attempt without any success for five days. Warns after four. */
export async function recordFailure(tx: Tx, app: Services, webhookId: string, attempt: FailedAttempt): Promise<void> {
  // As it is now: another attempt may have succeeded or disabled it while this one ran.
  const webhook = await webhookById(tx, webhookId)
  if (!webhook?.enabled) return
  const lastSuccess = webhook.lastSuccessAt ?? webhook.createdAt
  // A webhook to which nothing was sent for weeks did not fail in them.
  const failingSince = (await firstUndeliveredFrom(tx, webhook.id, lastSuccess)) ?? lastSuccess
  const silentMs = attempt.at.getTime() - failingSince.getTime()
  if (attempt.status === 410) return disable(tx, app, webhook, 'the receiver answered 410 Gone')
  if (attempt.isLast && silentMs >= DISABLED_AFTER_MS) return disable(tx, app, webhook, 'nothing was accepted for five days')
  if (silentMs >= WARNED_AFTER_MS) await warn(tx, app, webhook, attempt.error)
}

/** A deleted webhook needs nobody any more. */
export async function endAlertsOf(tx: Tx, app: Services, webhookId: string): Promise<void> {
  await endAlertIn(tx, app, 'webhook_failing', webhookId)
  await endAlertIn(tx, app, 'webhook_disabled', webhookId)
}

/** The address may hold a secret in its path: messages and the audit log name the host. */
function nameOf({ id, url }: Webhook): string {
  return `The webhook ${id} to ${new URL(url).host}`
}

async function disable(tx: Tx, app: Services, webhook: Webhook, reason: string): Promise<void> {
  await disableWebhook(tx, webhook.id, reason)
  await endAlertIn(tx, app, 'webhook_failing', webhook.id)
  await raiseAlertIn(tx, app, {
    kind: 'webhook_disabled',
    subject: webhook.id,
    title: `A webhook was disabled: ${new URL(webhook.url).host}`,
    message: `${nameOf(webhook)} was disabled: ${reason}. Nothing more is sent to it. Delete it, and register it anew once its receiver is ready.`,
    to: await addressesForOwner(tx, webhook.ownerId),
  })
}

async function warn(tx: Tx, app: Services, webhook: Webhook, error: string): Promise<void> {
  await raiseAlertIn(tx, app, {
    kind: 'webhook_failing',
    subject: webhook.id,
    title: `A webhook fails: ${new URL(webhook.url).host}`,
    message: `${nameOf(webhook)} has accepted nothing for four days; after five days it is disabled. The last attempt: ${error}.`,
    to: await addressesForOwner(tx, webhook.ownerId),
  })
}
