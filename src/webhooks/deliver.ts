/** Makes a delivery attempt and stores its result. Standard Webhooks 1.0.0. */
import { endAlertIn } from '../alerts/alerts.ts'
import { CODE_EVENT } from '../core/document/event.ts'
import { MAX_STORED_ANSWER_BYTES } from '../core/service-limits.ts'
import type { Tx } from '../db/open.ts'
import type { SendResult } from '../lib/fetch-limited.ts'
import { errorMessage } from '../lib/log.ts'
import { oneTimeCode } from '../lib/token.ts'
import { sign } from '../lib/webhook-signature.ts'
import { retryTime } from '../outbox/outbox.ts'
import { finishJob, type LeasedJob, postponeJob } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { secretName } from '../settings/sealed.ts'
import { type Delivery, deliveryById, type Headers, insertAttempt, setDeliveryStatus } from './delivery-queries.ts'
import { allowedNetworks, recordFailure } from './publish.ts'
import type { Webhook } from './queries.ts'
import * as queries from './queries.ts'

/** Seconds before each retry. The ten attempts, the first included, span about 75 hours. */
export const PAUSES_S = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
const MAX_PAUSE_S = 86_400

/** Returns whether a time limit was exceeded; `undefined` when nothing was sent. */
export async function deliver(app: App, job: LeasedJob): Promise<'in time' | 'timed out' | undefined> {
  const delivery = await deliveryById(app.db, job.subject)
  const webhook = delivery && (await queries.webhookById(app.db, delivery.webhookId))
  if (!delivery || !webhook?.enabled) {
    await app.write(async tx => {
      if (delivery) await setDeliveryStatus(tx, delivery.id, 'failed')
      await finishJob(tx, job, 'failed', 'the webhook is disabled or was deleted')
    })
    return undefined
  }
  const attempt = await attemptDelivery(app, webhook, delivery)
  await app.write(async tx => {
    // During the request the document may have been deleted, and its jobs with it, or the webhook.
    if (!(await deliveryById(tx, delivery.id))) return
    if (await queries.webhookById(tx, webhook.id)) await storeResult(tx, app, job, webhook, delivery, attempt)
    else await finishJob(tx, job, 'done')
  })
  return attempt.result.outcome === 'failed' && attempt.result.timedOut ? 'timed out' : 'in time'
}

export interface MadeAttempt {
  at: Date
  requestHeaders: Headers
  result: SendResult
  /** The one-time code that was in the body, so that it is not stored with the answer. */
  code: string | undefined
}

/** Sends the delivery once. Stores nothing. */
export async function attemptDelivery(app: App, webhook: queries.Webhook, delivery: Delivery): Promise<MadeAttempt> {
  const at = app.now()
  let requestHeaders: Headers = {}
  const { body, code } = contentOf(app, webhook, delivery)
  try {
    requestHeaders = await headersFor(app, webhook, { ...delivery, body }, at)
    const { url } = webhook
    const allow = await allowedNetworks(app)
    const limits = { connectTimeoutMs: 5000, totalTimeoutMs: 15_000, maxResponseBytes: 65_536 }
    const result = await app.send({ url, method: 'POST', headers: requestHeaders, body, ...limits, allow })
    return { at, requestHeaders, result, code }
  } catch (error) {
    // A request that cannot be made counts as an attempt: otherwise it would be retried forever.
    const reason = errorMessage(error)
    app.log('error', 'delivery could not be made', { deliveryId: delivery.id, error: reason })
    const result: SendResult = { outcome: 'failed', reason: `the request could not be made: ${reason}`, latencyMs: 0 }
    return { at, requestHeaders, result, code }
  }
}

async function headersFor(app: App, webhook: queries.Webhook, { eventId, body }: Delivery, at: Date): Promise<Headers> {
  const sealed = [webhook.sealedSecret, ...(await queries.formerSecrets(app.db, webhook.id, at))]
  const secrets = sealed.map(bytes => app.secrets.decrypt(secretName('webhook', webhook.id), bytes).toString())
  const timestamp = Math.floor(at.getTime() / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': `Signet/${app.instance.version}`,
    ...sign({ id: eventId, timestamp, body, secrets }),
  }
}

/** Stores the attempt, and what follows from a success. Returns why it failed, if it did. */
export async function storeAttempt(
  tx: Tx,
  app: App,
  { id, webhookId }: Delivery,
  { at, requestHeaders, result, code, number }: MadeAttempt & { number: number },
): Promise<string | undefined> {
  const answered = result.outcome === 'answered' ? result : undefined
  const succeeded = answered !== undefined && answered.status >= 200 && answered.status < 300
  const error = succeeded ? undefined : result.outcome === 'failed' ? result.reason : `answered ${result.status}`
  await insertAttempt(tx, id, {
    number,
    at,
    status: answered?.status,
    error,
    latencyMs: result.latencyMs,
    answer: answered ? beginningOf(answered.body, code) : '',
    requestHeaders,
    answerHeaders: answered && firstHeaders(answered.headers, code),
  })
  if (!succeeded) return error
  await setDeliveryStatus(tx, id, 'delivered')
  await queries.recordSuccess(tx, webhookId, app.now())
  await endAlertIn(tx, app, 'webhook_failing', webhookId)
  return undefined
}

/** The code is replaced before the limit could cut it. */
function beginningOf(body: Uint8Array, code: string | undefined): string {
  const text = withoutCode(Buffer.from(body).toString(), code)
  return Buffer.from(text).subarray(0, MAX_STORED_ANSWER_BYTES).toString()
}

/** Up to the limit. */
function firstHeaders(headers: Headers, code: string | undefined): Headers {
  let left = MAX_STORED_ANSWER_BYTES
  const kept: Headers = {}
  for (const [name, value] of Object.entries(headers)) {
    left -= name.length + value.length
    if (left < 0) break
    kept[name] = withoutCode(value, code)
  }
  return kept
}

async function storeResult(
  tx: Tx,
  app: App,
  job: LeasedJob,
  webhook: queries.Webhook,
  delivery: Delivery,
  attempt: MadeAttempt,
): Promise<void> {
  const { at, result } = attempt
  const error = await storeAttempt(tx, app, delivery, { ...attempt, number: job.attempts + 1 })
  const count = (outcome: string) => app.afterCommit(tx, () => app.metrics.deliveries.of(outcome).add())
  if (error === undefined) {
    count('delivered')
    return finishJob(tx, job, 'done')
  }
  const status = result.outcome === 'answered' ? result.status : undefined
  // 410 Gone: the receiver wants no further attempts.
  const pauseS = status === 410 || delivery.isTest ? undefined : PAUSES_S[job.attempts]
  const isLast = pauseS === undefined && !delivery.isTest
  await recordFailure(tx, app, webhook.id, { at, status, error, isLast })
  count(pauseS === undefined ? 'failed' : 'postponed')
  if (pauseS !== undefined) {
    return postponeJob(tx, job, nextAttempt(app, pauseS, retryAfterS(result, at)), error)
  }
  await setDeliveryStatus(tx, delivery.id, 'failed')
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
function nextAttempt(app: App, pauseS: number, requestedS: number): Date {
  const planned = retryTime(app, pauseS)
  const requested = new Date(app.now().getTime() + Math.min(requestedS, MAX_PAUSE_S) * 1000)
  return requested > planned ? requested : planned
}

// One-time codes in deliveries: they are filled in when a delivery is sent, and never stored.

/** By name only: a webhook for all events may be a log. */
export const takesCodes = (events: Webhook['events']) => events.includes(CODE_EVENT)

interface Content {
  body: string
  /** The code in the body, if there is one. */
  code: string | undefined
}

/** The bytes to send. A code is in them only until it expires. */
function contentOf(app: Pick<App, 'linkKey' | 'now'>, webhook: Webhook, { type, body }: Delivery): Content {
  if (type !== CODE_EVENT || !takesCodes(webhook.events)) return { body, code: undefined }
  const event = JSON.parse(body) as { data: { oneTimeCode?: { id: string; code: string | null; expiresAt: string } } }
  const { oneTimeCode: stored } = event.data
  if (stored === undefined || new Date(stored.expiresAt) <= app.now()) return { body, code: undefined }
  const code = oneTimeCode(app.linkKey, stored.id)
  return { body: JSON.stringify({ ...event, data: { ...event.data, oneTimeCode: { ...stored, code } } }), code }
}

/** What a receiver answers may repeat the code. */
function withoutCode(text: string, code: string | undefined): string {
  return code === undefined ? text : text.replaceAll(code, '••••••')
}
