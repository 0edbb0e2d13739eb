/** What the pages of webhooks share: who may change them, and how they are shown. */
import type { WebhookView } from '../../../../views/webhooks/webhook-parts.tsx'
import { userNames } from '../../../accounts/queries.ts'
import { shownTo } from '../../../webhooks/manage.ts'
import type { Webhook } from '../../../webhooks/queries.ts'
import type { Visit } from '../../frame/page.tsx'
import { numberIn } from '../../frame/query.ts'
import { sessionOf } from '../settings/settings-access.ts'

/** Whether the person may change the webhooks that the person may see. */
export function mayChange(visit: Visit): boolean {
  return sessionOf(visit).actor.scopes.includes('webhooks:write')
}

export async function viewsOf(visit: Visit, webhooks: readonly Webhook[]): Promise<WebhookView[]> {
  const { app, texts } = visit
  const names = await userNames(app.db, [...new Set(webhooks.flatMap(({ ownerId }) => ownerId ?? []))])
  const { noOwner, formerOwner } = texts.webhooks
  return webhooks.map(webhook => ({
    ...shownTo(sessionOf(visit).actor, webhook),
    host: new URL(webhook.url).host,
    owner: webhook.ownerId === undefined ? noOwner : (names.get(webhook.ownerId) ?? formerOwner),
  }))
}

export async function viewOf(visit: Visit, webhook: Webhook): Promise<WebhookView> {
  const [view] = await viewsOf(visit, [webhook])
  if (!view) throw new Error('one webhook has one view')
  return view
}

/** The notice that a redirect asked for. */
export function noticeOf(visit: Visit): string | undefined {
  const { texts } = visit
  return visit.noticeIn(texts.webhooks.notices) ?? resendNotice(visit)
}

/** After failed events were sent again. */
function resendNotice({ query, texts, language }: Visit): string | undefined {
  const [queued, remaining] = [numberIn(query, 'queued'), numberIn(query, 'remaining')]
  if (queued === 0) return undefined
  const t = texts.webhooks.resend
  const sent = t.queued(queued, queued.toLocaleString(language))
  return remaining === 0 ? sent : `${sent} ${t.remaining(remaining.toLocaleString(language))}`
}
