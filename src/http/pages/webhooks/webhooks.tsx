/** Settings → Webhooks: the list, one webhook, a new one, its changes, and the allowed networks. */
import { WebhookPage } from '../../../../views/webhooks/webhook.tsx'
import {
  LATELY_DAYS,
  WebhookFormPage,
  WebhookNetworksPage,
  WebhooksPage,
  type WebhookValues,
} from '../../../../views/webhooks/webhooks.tsx'
import { PUBLIC_EVENTS } from '../../../core/document/event.ts'
import { WEBHOOKS_PATH } from '../../../core/page-paths.ts'
import { violation } from '../../../core/violation.ts'
import { DAY_MS } from '../../../lib/duration.ts'
import type { ShownError } from '../../../locales/app.ts'
import { readServiceSettings } from '../../../settings/service-settings.ts'
import { testWebhookNow } from '../../../webhooks/deliveries.ts'
import { countFailedSince, latestDeliveries, listDeliveries } from '../../../webhooks/delivery-queries.ts'
import { editWebhook, loadWebhook, registerWebhook } from '../../../webhooks/manage.ts'
import { changeAllowedNetworks } from '../../../webhooks/publish.ts'
import { formerSecretsEnd, listWebhooks, type Webhook } from '../../../webhooks/queries.ts'
import type { FormState, PageResponse, Visit } from '../../frame/page.tsx'
import { countAttempt } from '../../limits.ts'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction, sessionOf } from '../settings/settings-access.ts'
import { mayChange, noticeOf, viewOf, viewsOf } from './webhook-access.ts'

// The list, and one webhook.

const MAX_RECENT = 5
/** So many answers say why a webhook was disabled. */
const MAX_REASONS = 3

export async function listPage(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  const { actor } = sessionOf(visit)
  const webhooks = await listWebhooks(app.db, actor)
  const ids = webhooks.map(({ id }) => id)
  const latest = await latestDeliveries(app.db, ids)
  const failed = await countFailedSince(app.db, ids, new Date(app.now().getTime() - LATELY_DAYS * DAY_MS))
  const views = await viewsOf(visit, webhooks)
  return {
    html: (
      <WebhooksPage
        context={visit.context(visit.texts.webhooks.title)}
        notice={noticeOf(visit)}
        rows={views.map(view => ({ ...view, latest: latest.get(view.id), failedLately: failed.get(view.id) ?? 0 }))}
        showsOwners={actor.seesAll}
        mayChange={mayChange(visit)}
        showsNetworks={actor.isAdmin}
      />
    ),
  }
}

/** A secret that was just made is shown in this one response. */
export async function webhookPage(
  visit: Visit,
  webhook: Webhook,
  made?: { secret: string; title: string },
): Promise<PageResponse> {
  const { app } = visit
  const view = await viewOf(visit, webhook)
  const recent = await listDeliveries(app.db, webhook.id, { limit: MAX_RECENT })
  const failed = webhook.enabled ? [] : await listDeliveries(app.db, webhook.id, { limit: MAX_REASONS, status: 'failed' })
  return {
    html: (
      <WebhookPage
        context={visit.context(view.host)}
        notice={made ? undefined : noticeOf(visit)}
        webhook={view}
        formerUntil={await formerSecretsEnd(app.db, webhook.id, app.now())}
        mayChange={mayChange(visit)}
        recent={recent}
        failed={failed}
        tested={recent.find(({ id, isTest }) => isTest && id === visit.query.tested)}
        made={made}
      />
    ),
  }
}

export function chosenWebhook(visit: Visit): Promise<Webhook> {
  return loadWebhook(visit.app.db, sessionOf(visit).actor, visit.params.id ?? '')
}

// The form of a new webhook, and of one that is changed.

export const NO_VALUES: WebhookValues = { url: '', description: '', which: '', events: [] }

function enteredWebhook(form: Record<string, string>): WebhookValues {
  const { url = '', description = '', which = '' } = form
  return { url: url.trim(), description, which, events: PUBLIC_EVENTS.filter(type => form[`event:${type}`] === 'on') }
}

/** As the actions take it. An empty list is refused by them. */
function inputOf({ url, description, which, events }: WebhookValues) {
  return { url, description, events: which === 'all' ? ['*'] : which === 'chosen' ? [...events] : [] }
}

/** The form offers known events alone, so only a missing one can be wrong. */
const NO_EVENT: ShownError = { path: 'which', ...violation('event_types_not_chosen') }

interface WebhookFormState extends FormState {
  values: WebhookValues
}

export async function formPage(visit: Visit, webhook: Webhook | undefined, state: WebhookFormState): Promise<PageResponse> {
  const { status = 200, asksForPassword, values } = state
  const errors = state.errors?.map(error => (error.path.startsWith('events') ? NO_EVENT : error)) ?? []
  const { actor } = sessionOf(visit)
  const { form, new: title } = visit.texts.webhooks
  return {
    html: (
      <WebhookFormPage
        context={visit.context(webhook ? form.editTitle : title, { errors, asksForPassword })}
        webhook={webhook && { id: webhook.id, host: new URL(webhook.url).host }}
        values={values}
        types={PUBLIC_EVENTS}
        showsNetworks={actor.isAdmin}
      />
    ),
    status,
  }
}

export async function create(visit: Visit): Promise<PageResponse> {
  const { app, form, texts } = visit
  const values = enteredWebhook(form)
  const result = await runConfirmedAction(visit, () => registerWebhook(app, originOf(visit), inputOf(values)))
  if ('errors' in result) return formPage(visit, undefined, { values, ...result })
  const { webhook, secret } = result.done
  return webhookPage(visit, webhook, { secret, title: texts.webhooks.created })
}

export async function editPage(visit: Visit): Promise<PageResponse> {
  const webhook = await chosenWebhook(visit)
  const { url, description = '' } = webhook
  const isAll = webhook.events.includes('*')
  const events = PUBLIC_EVENTS.filter(type => webhook.events.includes(type))
  return formPage(visit, webhook, { values: { url, description, which: isAll ? 'all' : 'chosen', events } })
}

export async function edit(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const webhook = await chosenWebhook(visit)
  const values = enteredWebhook(form)
  const result = await runConfirmedAction(visit, () => editWebhook(app, originOf(visit), webhook.id, inputOf(values)))
  if ('errors' in result) return formPage(visit, webhook, { values, ...result })
  return { redirect: `${WEBHOOKS_PATH}/${webhook.id}?notice=saved` }
}

// What is done to one webhook without a form.

export async function setEnabled(visit: Visit, enabled: boolean): Promise<PageResponse> {
  const { app, params } = visit
  const { id } = await editWebhook(app, originOf(visit), params.id ?? '', { enabled })
  return { redirect: `${WEBHOOKS_PATH}/${id}?notice=${enabled ? 'enabled' : 'disabled'}` }
}

export async function sendTest(visit: Visit): Promise<PageResponse> {
  const { app, params } = visit
  const { actor } = sessionOf(visit)
  countAttempt(app, 'webhook-test', actor.userId, violation('too_many_tests'))
  const { id, webhookId } = await testWebhookNow(app, actor, params.id ?? '')
  return { redirect: `${WEBHOOKS_PATH}/${webhookId}?tested=${id}` }
}

// Settings → Webhooks → Allowed networks. For administrators.

const NETWORKS_PATH = `${WEBHOOKS_PATH}/networks`

export async function networksPage(
  visit: Visit,
  { errors = [], status = 200, asksForPassword }: FormState = {},
): Promise<PageResponse> {
  const { webhookAllow } = await readServiceSettings(visit.app)
  return {
    html: (
      <WebhookNetworksPage
        context={visit.context(visit.texts.webhooks.networks.title, { errors, asksForPassword })}
        notice={errors.length === 0 ? noticeOf(visit) : undefined}
        value={visit.form.networks ?? webhookAllow.value.map(({ text }) => text).join('\n')}
        isFixed={webhookAllow.source === 'environment'}
      />
    ),
    status,
  }
}

export async function saveNetworks(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const origin = originOf(visit)
  const result = await runConfirmedAction(visit, () => changeAllowedNetworks(app, origin, form.networks ?? ''))
  return 'errors' in result ? networksPage(visit, result) : { redirect: `${NETWORKS_PATH}?notice=networks` }
}
