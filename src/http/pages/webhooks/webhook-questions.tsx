/**
 * Settings → Webhooks: what asks a question first: a new secret, the deletion, and sending failed
 * events again.
 */
import { RESEND_SPANS, type ResendSpan, WebhookQuestionPage, WebhookResendPage } from '../../../../views/webhooks/webhook.tsx'
import { WEBHOOKS_PATH } from '../../../core/page-paths.ts'
import { HOUR_MS } from '../../../lib/duration.ts'
import type { ShownError } from '../../../locales/app.ts'
import { countRedeliverable, MAX_REDELIVERED, redeliverSince } from '../../../webhooks/deliveries.ts'
import { deleteWebhook, rotateSecret } from '../../../webhooks/manage.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction, sessionOf } from '../settings/settings-access.ts'
import { chosenWebhook, webhookPage } from './webhooks.tsx'

// A new secret, and the deletion.

type Question = 'rotate' | 'delete'

interface Refused {
  errors?: ShownError[]
  status?: number
}

export async function questionPage(
  visit: Visit,
  question: Question,
  { errors = [], status = 200 }: Refused = {},
): Promise<PageResponse> {
  const { id, url } = await chosenWebhook(visit)
  const { host } = new URL(url)
  return {
    html: (
      <WebhookQuestionPage
        context={visit.context(visit.texts.webhooks[`${question}Title`](host), { errors })}
        id={id}
        host={host}
        question={question}
      />
    ),
    status,
  }
}

export async function postRotate(visit: Visit): Promise<PageResponse> {
  const { app, params, texts } = visit
  const result = await runConfirmedAction(visit, () => rotateSecret(app, originOf(visit), params.id ?? ''))
  if ('errors' in result) return questionPage(visit, 'rotate', result)
  const { webhook, secret } = result.done
  return webhookPage(visit, webhook, { secret, title: texts.webhooks.rotated })
}

export async function postDelete(visit: Visit): Promise<PageResponse> {
  const { app, params } = visit
  const result = await runConfirmedAction(visit, () => deleteWebhook(app, originOf(visit), params.id ?? ''))
  return 'errors' in result ? questionPage(visit, 'delete', result) : { redirect: `${WEBHOOKS_PATH}?notice=deleted` }
}

// Failed events of a span, sent again.

const SPANS = Object.keys(RESEND_SPANS) as ResendSpan[]

const startOf = ({ app }: Visit, span: ResendSpan) => new Date(app.now().getTime() - RESEND_SPANS[span] * HOUR_MS)

export async function resendPage(visit: Visit, errors: ShownError[] = []): Promise<PageResponse> {
  const { app, texts } = visit
  const { id, url } = await chosenWebhook(visit)
  const { actor } = sessionOf(visit)
  const counts = { '1h': 0, '1d': 0, '7d': 0, '30d': 0 }
  for (const span of SPANS) counts[span] = await countRedeliverable(app, actor, id, startOf(visit, span))
  const { host } = new URL(url)
  return {
    html: (
      <WebhookResendPage
        context={visit.context(texts.webhooks.resend.title(host), { errors })}
        id={id}
        host={host}
        counts={counts}
        chosen={SPANS.find(span => counts[span] > 0) ?? ''}
        limit={MAX_REDELIVERED}
      />
    ),
    status: errors.length > 0 ? 422 : 200,
  }
}

export async function postResend(visit: Visit): Promise<PageResponse> {
  const { app, params, form } = visit
  const span = SPANS.find(each => each === form.span)
  if (span === undefined) return resendPage(visit, [{ path: 'span', message: visit.texts.webhooks.resend.missing }])
  const { queued, remaining } = await redeliverSince(app, originOf(visit), params.id ?? '', startOf(visit, span))
  return { redirect: `${WEBHOOKS_PATH}/${params.id}?queued=${queued}&remaining=${remaining}` }
}
