/** Registers webhooks, with a secret that is shown once, and deletes them. */
import { randomBytes } from 'node:crypto'
import { PUBLIC_EVENTS, type PublicEvent } from '../core/event.ts'
import { Refusal, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { checkUrl, type Network, parseNetworks, resolveChecked } from '../lib/net-guard.ts'
import { newSecret } from '../lib/webhook-signature.ts'
import type { Actor, App } from '../ports.ts'
import { endAlertsOf } from './failing.ts'
import * as queries from './queries.ts'

const MAX_WEBHOOKS = 50
const SECRET_BYTES = 32
const LOOPBACK = parseNetworks('127.0.0.0/8, ::1/128')

/** The configured private networks, and loopback outside production. */
export function allowedNetworks(app: Pick<App, 'config' | 'instance'>): Network[] {
  return app.instance.isProduction ? app.config.webhookAllow : [...LOOPBACK, ...app.config.webhookAllow]
}

export function secretName(webhookId: string): string {
  return `webhook:${webhookId}`
}

async function urlError(app: App, text: string): Promise<string | undefined> {
  const allow = allowedNetworks(app)
  const checked = checkUrl(text, allow)
  if ('refusal' in checked) return checked.refusal
  const resolved = await resolveChecked(checked.url.hostname, { allow })
  // A name may resolve later; each delivery checks its addresses again.
  return resolved.outcome === 'refused' ? resolved.reason : undefined
}

function eventErrors(events: string[]): ValidationError[] {
  const known: readonly string[] = [...PUBLIC_EVENTS, '*']
  const errors = events.flatMap((type, i) =>
    known.includes(type)
      ? []
      : [{ path: `events[${i}]`, message: `"${type}" is not an event type; event types are ${known.join(', ')}` }],
  )
  return events.length === 0 ? [{ path: 'events', message: 'must contain at least one event type, or *' }] : errors
}

/** Returns the webhook with its secret, which is never shown again. */
export async function registerWebhook(
  app: App,
  actor: Actor,
  input: { url: string; events: string[] },
): Promise<{ webhook: queries.Webhook; secret: string }> {
  const errors = eventErrors(input.events)
  const message = await urlError(app, input.url)
  if (message) errors.unshift({ path: 'url', message })
  refuseIfInvalid(errors)
  const id = app.newId('whk')
  const secret = newSecret(randomBytes(SECRET_BYTES))
  const webhook: queries.Webhook = {
    id,
    ownerId: actor.userId,
    url: input.url,
    events: [...new Set(input.events)] as (PublicEvent | '*')[],
    enabled: true,
    disabledReason: undefined,
    sealedSecret: app.secrets.encrypt(secretName(id), Buffer.from(secret)),
    secretLastFour: secret.slice(-4),
    lastSuccessAt: undefined,
    createdAt: app.now(),
  }
  return app.write(async tx => {
    if ((await queries.countWebhooks(tx)) >= MAX_WEBHOOKS) {
      throw new Refusal('validation_failed', `There are ${MAX_WEBHOOKS} webhooks already: delete one that is not used any more.`)
    }
    await queries.insertWebhook(tx, webhook)
    return { webhook, secret }
  })
}

export async function deleteWebhook(app: App, actor: Actor, id: string): Promise<void> {
  await app.write(async tx => {
    const webhook = await queries.webhookById(tx, id)
    if (!webhook || !(actor.seesAll || webhook.ownerId === actor.userId)) throw new Refusal('not_found', 'Webhook not found.')
    await queries.deleteWebhook(tx, id, app.now())
    await endAlertsOf(tx, app, id)
  })
}

/** As the API returns it. The secret is masked except in the response to its creation. */
export function presentWebhook(webhook: queries.Webhook, secret = `whsec_…${webhook.secretLastFour}`) {
  const { id, url, events, enabled, createdAt } = webhook
  return { id, url, events, enabled, secret, createdAt: createdAt.toISOString() }
}
