/** Makes a delivery attempt and stores its result. Standard Webhooks 1.0.0. */
import { endAlertIn } from '../alerts/alerts.ts'
import type { Tx } from '../db/open.ts'
import { type SendResult, send } from '../lib/fetch-limited.ts'
import { sign } from '../lib/webhook-signature.ts'
import { retryTime } from '../outbox/outbox.ts'
import { finishJob, type LeasedJob, postponeJob } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { recordFailure } from './failing.ts'
import { allowedNetworks, secretName } from './manage.ts'
import * as queries from './queries.ts'

/** Seconds before each retry. The ten attempts, the first included, span about 75 hours. */
export const PAUSES_S = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
const MAX_PAUSE_S = 86_400
const MAX_STORED_RESPONSE_BYTES = 2048

/** Returns whether a time limit was exceeded; `undefined` when nothing was sent. */
export async function deliver(app: App, job: LeasedJob): Promise<'in time' | 'timed out' | undefined> {
  const delivery = await queries.deliveryById(app.db, job.subject)
  const webhook = delivery && (await queries.webhookById(app.db, delivery.webhookId))
  if (!delivery || !webhook?.enabled) {
    await app.write(async tx => {
      if (delivery) await queries.setDeliveryStatus(tx, delivery.id, 'failed')
      await finishJob(tx, job, 'failed', 'the webhook is disabled or was deleted')
    })
    return undefined
  }
  const at = app.now()
  const result = await post(app, webhook, delivery, at).catch((error): SendResult => {
    // A request that cannot be made counts as an attempt: otherwise it would be retried forever.
    const reason = error instanceof Error ? error.message : String(error)
    app.log('error', 'delivery could not be made', { deliveryId: delivery.id, error: reason })
    return { outcome: 'failed', reason: `the request could not be made: ${reason}`, latencyMs: 0 }
  })
  await app.write(async tx => {
    // During the request the document may have been deleted, and its jobs with it, or the webhook.
    if (!(await queries.deliveryById(tx, delivery.id))) return
    if (await queries.webhookById(tx, webhook.id)) await storeResult(tx, app, job, webhook, delivery, at, result)
    else await finishJob(tx, job, 'done')
  })
  return result.outcome === 'failed' && result.timedOut ? 'timed out' : 'in time'
}

async function post(app: App, webhook: queries.Webhook, delivery: queries.Delivery, at: Date): Promise<SendResult> {
  const sealed = [webhook.sealedSecret, ...(await queries.formerSecrets(app.db, webhook.id, at))]
  const secrets = sealed.map(bytes => app.secrets.decrypt(secretName(webhook.id), bytes).toString())
  const timestamp = Math.floor(at.getTime() / 1000)
  return send({
    url: webhook.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': `Signet/${app.instance.version}`,
      ...sign({ id: delivery.eventId, timestamp, body: delivery.body, secrets }),
    },
    body: delivery.body,
    connectTimeoutMs: 5000,
    totalTimeoutMs: 15_000,
    maxResponseBytes: 65_536,
    allow: await allowedNetworks(app),
  })
}

async function storeResult(
  tx: Tx,
  app: App,
  job: LeasedJob,
  webhook: queries.Webhook,
  delivery: queries.Delivery,
  at: Date,
  result: SendResult,
): Promise<void> {
  const status = result.outcome === 'answered' ? result.status : undefined
  const succeeded = status !== undefined && status >= 200 && status < 300
  const error = succeeded ? undefined : result.outcome === 'failed' ? result.reason : `answered ${result.status}`
  await queries.insertAttempt(tx, delivery.id, {
    number: job.attempts + 1,
    at,
    status,
    error,
    latencyMs: result.latencyMs,
    answer: result.outcome === 'answered' ? Buffer.from(result.body.subarray(0, MAX_STORED_RESPONSE_BYTES)).toString() : '',
  })
  if (succeeded) {
    await queries.setDeliveryStatus(tx, delivery.id, 'delivered')
    await queries.recordSuccess(tx, webhook.id, app.now())
    await endAlertIn(tx, app, 'webhook_failing', webhook.id)
    return finishJob(tx, job, 'done')
  }
  // 410 Gone: the receiver wants no further attempts.
  const pauseS = status === 410 || delivery.isTest ? undefined : PAUSES_S[job.attempts]
  const isLast = pauseS === undefined && !delivery.isTest
  await recordFailure(tx, app, webhook.id, { at, status, error: error ?? '', isLast })
  if (pauseS !== undefined) {
    return postponeJob(tx, job, nextAttempt(app.now(), pauseS, retryAfterS(result, at)), error ?? '')
  }
  await queries.setDeliveryStatus(tx, delivery.id, 'failed')
  await finishJob(tx, job, 'failed', error)
}

/** RFC 9110 §10.2.3: `Retry-After` is a number of seconds or a date. */
function retryAfterS(result: SendResult, at: Date): number {
  const requested = result.outcome === 'answered' ? result.headers['retry-after'] : undefined
  if (requested === undefined) return 0
  if (/^\d{1,9}$/.test(requested)) return Number(requested)
  const date = Date.parse(requested)
  return Number.isNaN(date) ? 0 : (date - at.getTime()) / 1000
}

/** `Retry-After` may lengthen the planned pause, but not shorten it. */
function nextAttempt(now: Date, pauseS: number, requestedS: number): Date {
  const planned = retryTime(now, pauseS)
  const requested = new Date(now.getTime() + Math.min(requestedS, MAX_PAUSE_S) * 1000)
  return requested > planned ? requested : planned
}
