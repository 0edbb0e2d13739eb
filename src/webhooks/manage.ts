/** Registers, changes and deletes webhooks. A secret is shown once. */
import { appendInstanceEvent } from '../audit/log.ts'
import { type InstanceEvent, type Json, PUBLIC_EVENTS, type PublicEvent } from '../core/document/event.ts'
import { errorsIn, Refusal, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { FORMER_SECRET_HOURS, MAX_WEBHOOK_DESCRIPTION, MAX_WEBHOOK_URL } from '../core/service-limits.ts'
import { cleanLine, lineError } from '../core/text.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { HOUR_MS } from '../lib/duration.ts'
import { checkUrl, resolveChecked } from '../lib/net-guard.ts'
import { newSecret } from '../lib/webhook-signature.ts'
import type { Actor, App, Origin } from '../ports.ts'
import { secretName } from '../settings/sealed.ts'
import { allowedNetworks, endAlertsOf } from './publish.ts'
import * as queries from './queries.ts'

const MAX_WEBHOOKS = 50
const SECRET_BYTES = 32
const FORMER_SECRET_MS = FORMER_SECRET_HOURS * HOUR_MS
const MAX_FORMER_SECRETS = 4

async function urlError(app: App, text: string): Promise<Violation | undefined> {
  if (text.length > MAX_WEBHOOK_URL) return violation('url_too_long', { max: MAX_WEBHOOK_URL })
  const allow = await allowedNetworks(app)
  const checked = checkUrl(text, allow)
  if ('refusal' in checked) return checked.refusal
  const resolved = await resolveChecked(checked.url.hostname, { allow, own: app.ownAddresses(), lookup: app.lookup })
  // A name may resolve later; each delivery checks its addresses again.
  return resolved.outcome === 'refused' ? violation('url_network_refused', { reason: resolved.reason }) : undefined
}

function eventErrors(events: string[]): ValidationError[] {
  const known: readonly string[] = [...PUBLIC_EVENTS, '*']
  const errors = events.flatMap((type, i) =>
    known.includes(type) ? [] : [{ path: `events[${i}]`, ...violation('event_type_unknown', { type, known: [...known] }) }],
  )
  return events.length === 0 ? [{ path: 'events', ...violation('event_types_missing') }] : errors
}

function descriptionErrors(description = ''): ValidationError[] {
  const line = cleanLine(description)
  return errorsIn([['description', line === '' ? undefined : (lineError(description) ?? lengthError(line))]])
}

function lengthError({ length }: string): Violation | undefined {
  return length > MAX_WEBHOOK_DESCRIPTION ? violation('too_long', { max: MAX_WEBHOOK_DESCRIPTION }) : undefined
}

async function refuseInvalid(app: App, { url, description, events }: WebhookEdit): Promise<void> {
  const urlErrors = errorsIn([['url', url === undefined ? undefined : await urlError(app, url)]])
  refuseIfInvalid([...urlErrors, ...descriptionErrors(description), ...(events ? eventErrors(events) : [])])
}

/** Of checked events. */
const withoutRepeats = (events: string[]) => [...new Set(events)] as (PublicEvent | '*')[]

function sealSecret({ secrets }: App, webhookId: string, secret: string) {
  const sealedSecret = secrets.encrypt(secretName('webhook', webhookId), Buffer.from(secret))
  return { sealedSecret, secretLastFour: secret.slice(-4) }
}

/** Returns the webhook with its secret, which is never shown again. */
export async function registerWebhook(app: App, origin: Origin, input: { url: string; description?: string; events: string[] }) {
  await refuseInvalid(app, input)
  const id = app.newId('whk')
  const secret = newSecret(app.random(SECRET_BYTES))
  const webhook: queries.Webhook = {
    id,
    ownerId: origin.actor.userId,
    url: input.url,
    description: cleanLine(input.description ?? '') || undefined,
    events: withoutRepeats(input.events),
    enabled: true,
    disabledReason: undefined,
    ...sealSecret(app, id, secret),
    lastSuccessAt: undefined,
    failuresFrom: undefined,
    createdAt: app.now(),
  }
  return app.write(async tx => {
    if ((await queries.countWebhooks(tx)) >= MAX_WEBHOOKS) {
      throw new Refusal('validation_failed', violation('too_many_webhooks', { max: MAX_WEBHOOKS }))
    }
    await queries.insertWebhook(tx, webhook)
    await record(tx, app, 'webhook.created', webhook, origin, { events: webhook.events })
    return { webhook, secret }
  })
}

/** Throws `not_found` also for a webhook that the actor may not see. */
export async function loadWebhook(db: Db | Tx, actor: Actor, id: string): Promise<queries.Webhook> {
  const webhook = await queries.webhookById(db, id)
  if (!webhook || !(actor.seesAll || webhook.ownerId === actor.userId))
    throw new Refusal('not_found', violation('webhook_not_found'))
  return webhook
}

export interface WebhookEdit {
  url?: string
  /** Empty for none. */
  description?: string
  events?: string[]
  enabled?: boolean
}

/** Of the address only the host: its path may contain a secret. */
export function record(
  tx: Tx,
  app: App,
  type: InstanceEvent & `webhook.${string}`,
  { id, url }: queries.Webhook,
  origin: Origin,
  more: Record<string, Json> = {},
): Promise<void> {
  return appendInstanceEvent(tx, app, { type, data: { webhookId: id, host: new URL(url).host, ...more } }, origin)
}

const EDITED = ['url', 'description', 'events'] as const

async function recordEdit(
  tx: Tx,
  app: App,
  { before, webhook }: Record<'before' | 'webhook', queries.Webhook>,
  origin: Origin,
): Promise<void> {
  const changed = EDITED.filter(name => String(before[name] ?? '') !== String(webhook[name] ?? ''))
  const events = changed.includes('events') ? { events: webhook.events } : {}
  if (changed.length > 0) await record(tx, app, 'webhook.changed', webhook, origin, { changed, ...events })
  if (webhook.enabled === before.enabled) return
  await record(tx, app, webhook.enabled ? 'webhook.enabled' : 'webhook.disabled', webhook, origin)
}

/** Enabling it again, or another address, makes earlier failures not count. */
export async function editWebhook(app: App, origin: Origin, id: string, edit: WebhookEdit): Promise<queries.Webhook> {
  const { actor } = origin
  await loadWebhook(app.db, actor, id)
  await refuseInvalid(app, edit)
  return app.write(async tx => {
    const before = await loadWebhook(tx, actor, id)
    const { url = before.url, enabled = before.enabled } = edit
    const events = edit.events ? withoutRepeats(edit.events) : before.events
    const description = edit.description === undefined ? before.description : cleanLine(edit.description) || undefined
    const disabledReason = enabled ? undefined : before.disabledReason
    const startsAnew = url !== before.url || (enabled && !before.enabled)
    const failuresFrom = startsAnew ? app.now() : before.failuresFrom
    const webhook = { ...before, url, description, events, enabled, disabledReason, failuresFrom }
    await queries.updateWebhook(tx, webhook)
    await recordEdit(tx, app, { before, webhook }, origin)
    if (startsAnew || !enabled) await endAlertsOf(tx, app, id)
    return webhook
  })
}

/** Returns the webhook with its new secret. The old one signs beside it for a day. */
export async function rotateSecret(app: App, origin: Origin, id: string) {
  return app.write(async tx => {
    const before = await loadWebhook(tx, origin.actor, id)
    const now = app.now()
    if ((await queries.formerSecrets(tx, id, now)).length >= MAX_FORMER_SECRETS) {
      throw new Refusal('invalid_state', violation('secret_replaced_often', { times: MAX_FORMER_SECRETS }))
    }
    const secret = newSecret(app.random(SECRET_BYTES))
    const webhook = { ...before, ...sealSecret(app, id, secret) }
    await queries.insertFormerSecret(tx, id, before.sealedSecret, new Date(now.getTime() + FORMER_SECRET_MS))
    await queries.updateWebhook(tx, webhook)
    await record(tx, app, 'webhook.secret_replaced', webhook, origin)
    return { webhook, secret }
  })
}

export async function deleteWebhook(app: App, origin: Origin, id: string): Promise<void> {
  await app.write(async tx => {
    const webhook = await loadWebhook(tx, origin.actor, id)
    await queries.deleteWebhook(tx, id, app.now())
    await record(tx, app, 'webhook.deleted', webhook, origin)
    await endAlertsOf(tx, app, id)
  })
}

/** Path and query of a URL may contain a secret, which auditors must not see. */
export function shownTo({ seesAll, isAdmin }: Actor, webhook: queries.Webhook): queries.Webhook {
  const { origin, pathname, search } = new URL(webhook.url)
  return seesAll && !isAdmin && pathname + search !== '/' ? { ...webhook, url: `${origin}/…` } : webhook
}

/** As the API returns it. The secret is masked except in the response to its creation. */
export function presentWebhook(webhook: queries.Webhook, secret = `whsec_…${webhook.secretLastFour}`) {
  const { id, url, description = null, events, enabled, disabledReason = null, createdAt } = webhook
  return { id, url, description, events, enabled, disabledReason, secret, createdAt: createdAt.toISOString() }
}
