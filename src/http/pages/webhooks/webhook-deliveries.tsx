/** Settings → Webhooks: the deliveries of one webhook, one delivery, and its repetition. */
import { DeliveriesPage, DeliveryPage, deliveriesAddress } from '../../../../views/webhooks/webhook-deliveries.tsx'
import { DELIVERY_OUTCOMES } from '../../../../views/webhooks/webhook-parts.tsx'
import { PUBLIC_EVENTS, TEST_EVENT } from '../../../core/document/event.ts'
import { WEBHOOKS_PATH } from '../../../core/page-paths.ts'
import { listDeliveries, loadDelivery, redeliver } from '../../../webhooks/deliveries.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { choiceIn } from '../../frame/query.ts'
import { sessionOf } from '../settings/settings-access.ts'
import { mayChange, noticeOf, viewOf } from './webhook-access.ts'
import { chosenWebhook } from './webhooks.tsx'

const PER_PAGE = 25
const TYPES = [...PUBLIC_EVENTS, TEST_EVENT] as const

export async function listPage(visit: Visit): Promise<PageResponse> {
  const { app, query } = visit
  const webhook = await chosenWebhook(visit)
  const view = await viewOf(visit, webhook)
  const status = choiceIn(query, 'outcome', DELIVERY_OUTCOMES)
  const type = choiceIn(query, 'event', TYPES)
  const { after } = query
  const filter = { outcome: status ?? '', event: type ?? '' }
  const { actor } = sessionOf(visit)
  const { deliveries, next } = await listDeliveries(app, actor, webhook.id, { limit: PER_PAGE, after, status, type })
  return {
    html: (
      <DeliveriesPage
        context={visit.context(visit.texts.webhooks.deliveries)}
        webhook={view}
        deliveries={deliveries}
        types={TYPES}
        filter={filter}
        older={next && deliveriesAddress(webhook, filter, next)}
        newest={after && deliveriesAddress(webhook, filter)}
      />
    ),
  }
}

export async function deliveryPage(visit: Visit): Promise<PageResponse> {
  const { app, params } = visit
  const webhook = await chosenWebhook(visit)
  const delivery = await loadDelivery(app, sessionOf(visit).actor, webhook.id, params.deliveryId ?? '')
  const view = await viewOf(visit, webhook)
  return {
    html: (
      <DeliveryPage
        context={visit.context(visit.texts.webhooks.deliveries)}
        notice={noticeOf(visit)}
        webhook={view}
        delivery={delivery}
        mayChange={mayChange(visit)}
      />
    ),
  }
}

export async function sendAgain(visit: Visit): Promise<PageResponse> {
  const { app, params } = visit
  const { id, webhookId } = await redeliver(app, sessionOf(visit).actor, params.id ?? '', params.deliveryId ?? '')
  return { redirect: `${WEBHOOKS_PATH}/${webhookId}/deliveries/${id}?notice=queued` }
}
