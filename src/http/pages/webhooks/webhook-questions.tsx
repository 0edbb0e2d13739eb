/** Settings → Webhooks: a new secret and the deletion, each after a question. */
import { WebhookQuestionPage } from '../../../../views/webhooks/webhook-question.tsx'
import type { ShownError } from '../../../locales/app.ts'
import { deleteWebhook, rotateSecret } from '../../../webhooks/manage.ts'
import type { PageResponse, PageRoute, Visit } from '../../frame/page.tsx'
import { ownOrigin } from '../accounts/profile.tsx'
import { runConfirmedAction } from '../settings/settings-access.ts'
import { WEBHOOKS_PATH } from './webhook-access.ts'
import { loaded, webhookPage } from './webhooks.tsx'

type Question = 'rotate' | 'delete'

interface Refused {
  errors?: ShownError[]
  status?: number
}

async function questionPage(
  visit: Visit,
  question: Question,
  { errors = [], status = 200 }: Refused = {},
): Promise<PageResponse> {
  const { id, url } = await loaded(visit)
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

async function rotate(visit: Visit): Promise<PageResponse> {
  const { app, params, texts } = visit
  const result = await runConfirmedAction(visit, () => rotateSecret(app, ownOrigin(visit), params.id ?? ''))
  if ('errors' in result) return questionPage(visit, 'rotate', result)
  const { webhook, secret } = result.done
  return webhookPage(visit, webhook, { secret, title: texts.webhooks.rotated })
}

async function remove(visit: Visit): Promise<PageResponse> {
  const { app, params } = visit
  const result = await runConfirmedAction(visit, () => deleteWebhook(app, ownOrigin(visit), params.id ?? ''))
  return 'errors' in result ? questionPage(visit, 'delete', result) : { redirect: `${WEBHOOKS_PATH}?notice=deleted` }
}

export const webhookQuestionPages: PageRoute[] = [
  { method: 'GET', path: `${WEBHOOKS_PATH}/:id/rotate`, access: 'sender', run: visit => questionPage(visit, 'rotate') },
  { method: 'POST', path: `${WEBHOOKS_PATH}/:id/rotate`, access: 'sender', run: rotate },
  { method: 'GET', path: `${WEBHOOKS_PATH}/:id/delete`, access: 'sender', run: visit => questionPage(visit, 'delete') },
  { method: 'POST', path: `${WEBHOOKS_PATH}/:id/delete`, access: 'sender', run: remove },
]
