/** The routes of webhook endpoints, their deliveries, and the event log. */
import { FORMER_SECRET_HOURS } from '../../core/service-limits.ts'
import { listEvents, presentPublicEvents } from '../../documents/evidence/event-log.ts'
import {
  listDeliveries,
  MAX_REDELIVERED,
  presentDelivery,
  redeliver,
  redeliverSince,
  testWebhook,
} from '../../webhooks/deliveries.ts'
import {
  deleteWebhook,
  editWebhook,
  loadWebhook,
  presentWebhook,
  registerWebhook,
  rotateSecret,
  shownTo,
} from '../../webhooks/manage.ts'
import { listWebhooks } from '../../webhooks/queries.ts'
import { type ApiRoute, JsonText, route } from '../route.ts'
import * as responses from './schema/event-responses.ts'
import * as requests from './schema/requests.ts'
import { DeletedResource } from './schema/responses.ts'
import { DEFAULT_LIMIT } from './schema/schema-parts.ts'

/** The route of the event log. */
export const eventRoutes: ApiRoute[] = [
  route({
    method: 'GET',
    path: '/events',
    operationId: 'listEvents',
    access: 'documents:read',
    summary: 'List events, oldest first',
    description:
      'The events of all documents that the token may see, in the order in which they happened: who missed deliveries catches up here. Each is as it was delivered, with the document and the recipient as they were at the event. Of a deleted document only `document.deleted` has more than its head: `data.document` of its other events is `null`. Events from before this was stored show the document as it is now. `cursor` is the id of an event, also one from a delivery: the page begins after it. When `nextCursor` is `null`, keep the id of the last event and pass it later.',
    tag: 'Events',
    query: requests.EventQuery,
    success: { status: 200, description: 'One page of events', schema: responses.EventPage },
    run: async ({ app, actor, query: { limit = DEFAULT_LIMIT, cursor, ...filter } }) => {
      const { events, next } = await listEvents(app, actor, filter, { limit, after: cursor })
      return { events: await presentPublicEvents(app, actor, events), next }
    },
    present: ({ events, next }) => new JsonText(`{"data":[${events.join(',')}],"nextCursor":${JSON.stringify(next ?? null)}}`),
  }),
]

const tag = 'Webhooks'
const webhookId = (params: Record<string, string>) => params.id ?? ''

export const webhookRoutes: ApiRoute[] = [
  route({
    method: 'POST',
    path: '/webhooks',
    operationId: 'createWebhook',
    creates: '/webhooks',
    access: 'webhooks:write',
    summary: 'Register a webhook',
    description: 'Deliveries are signed by Standard Webhooks 1.0.0. The secret is shown once, in this response.',
    tag,
    body: requests.NewWebhookEndpoint,
    success: { status: 201, description: 'The webhook with its secret', schema: responses.WebhookEndpoint },
    run: ({ app, origin, body }) => registerWebhook(app, origin, body),
    present: ({ webhook, secret }) => presentWebhook(webhook, secret),
  }),
  route({
    method: 'GET',
    path: '/webhooks',
    operationId: 'listWebhooks',
    access: 'webhooks:read',
    summary: 'List webhooks',
    answerHasSecret: true,
    tag,
    success: { status: 200, description: 'All webhooks, oldest first', schema: responses.WebhookEndpoints },
    run: async ({ app, actor }) => (await listWebhooks(app.db, actor)).map(webhook => shownTo(actor, webhook)),
    present: webhooks => webhooks.map(webhook => presentWebhook(webhook)),
  }),
  route({
    method: 'GET',
    path: '/webhooks/:id',
    operationId: 'getWebhook',
    access: 'webhooks:read',
    summary: 'Get a webhook',
    answerHasSecret: true,
    tag,
    success: { status: 200, description: 'The webhook', schema: responses.WebhookEndpoint },
    refuses: ['not_found'],
    run: async ({ app, actor, params }) => shownTo(actor, await loadWebhook(app.db, actor, webhookId(params))),
    present: webhook => presentWebhook(webhook),
  }),
  route({
    method: 'PATCH',
    path: '/webhooks/:id',
    operationId: 'updateWebhook',
    access: 'webhooks:write',
    summary: 'Change, disable or enable a webhook',
    description:
      'Members that are absent keep their value. Enabling a webhook again clears `disabledReason`, and earlier failures no longer count.',
    tag,
    body: requests.WebhookEndpointUpdate,
    success: { status: 200, description: 'The webhook as it is now', schema: responses.WebhookEndpoint },
    refuses: ['not_found'],
    run: ({ app, origin, params, body }) => editWebhook(app, origin, webhookId(params), body),
    present: webhook => presentWebhook(webhook),
  }),
  route({
    method: 'DELETE',
    path: '/webhooks/:id',
    operationId: 'deleteWebhook',
    access: 'webhooks:write',
    summary: 'Delete a webhook',
    description: 'Its pending deliveries are dropped.',
    tag,
    success: { status: 200, description: 'The webhook is deleted', schema: DeletedResource },
    refuses: ['not_found'],
    run: async ({ app, origin, params }) => {
      await deleteWebhook(app, origin, webhookId(params))
      return { id: webhookId(params) }
    },
    present: result => result,
  }),
  route({
    method: 'POST',
    path: '/webhooks/:id/rotate-secret',
    operationId: 'rotateWebhookSecret',
    access: 'webhooks:write',
    summary: 'Replace the secret of a webhook',
    description: `The new secret is shown once, in this response. For ${FORMER_SECRET_HOURS} hours each delivery is also signed with the old one: \`webhook-signature\` then contains two signatures, separated by a space, and a receiver may know either secret.`,
    tag,
    body: requests.NoBody,
    success: { status: 200, description: 'The webhook with its new secret', schema: responses.WebhookEndpoint },
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, origin, params }) => rotateSecret(app, origin, webhookId(params)),
    present: ({ webhook, secret }) => presentWebhook(webhook, secret),
  }),
  route({
    method: 'POST',
    path: '/webhooks/:id/test',
    operationId: 'testWebhook',
    access: 'webhooks:write',
    summary: 'Send a test event',
    description:
      'Delivers a `webhook.test` event, whatever the webhook subscribes to. It is attempted once; `GET /webhooks/{id}/deliveries` shows the result.',
    tag,
    body: requests.NoBody,
    success: { status: 201, description: 'The delivery, which is queued', schema: responses.Delivery },
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, actor, params }) => testWebhook(app, actor, webhookId(params)),
    present: presentDelivery,
  }),
  route({
    method: 'POST',
    path: '/webhooks/:id/redeliver',
    operationId: 'redeliverWebhookFailures',
    access: 'webhooks:write',
    summary: 'Deliver failed events again',
    description: `Makes a new delivery of each event whose newest delivery since that time has failed, at most ${MAX_REDELIVERED} in one request. Tests are left out.`,
    tag,
    body: requests.RedeliveryRequest,
    success: { status: 200, description: 'How many were queued', schema: responses.Redelivery },
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, origin, params, body }) => redeliverSince(app, origin, webhookId(params), new Date(body.since)),
    present: result => result,
  }),
  route({
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    operationId: 'listWebhookDeliveries',
    access: 'webhooks:read',
    summary: 'List the deliveries of a webhook, newest first',
    description:
      'With every attempt and the beginning of each answer. The deliveries of a deleted document are deleted with it, but for `document.deleted`, which is kept for 90 days.',
    tag,
    query: requests.DeliveryQuery,
    success: { status: 200, description: 'One page of deliveries', schema: responses.DeliveryPage },
    refuses: ['not_found'],
    run: ({ app, actor, params, query: { limit = DEFAULT_LIMIT, cursor } }) =>
      listDeliveries(app, actor, webhookId(params), { limit, after: cursor }),
    present: ({ deliveries, next }) => ({ data: deliveries.map(presentDelivery), nextCursor: next ?? null }),
  }),
  route({
    method: 'POST',
    path: '/webhooks/:id/deliveries/:deliveryId/redeliver',
    operationId: 'redeliverWebhookDelivery',
    access: 'webhooks:write',
    summary: 'Deliver an event again',
    description: 'Makes a new delivery of the same event, with the same `webhook-id` and body, and a new series of attempts.',
    tag,
    body: requests.NoBody,
    success: { status: 201, description: 'The new delivery, which is queued', schema: responses.Delivery },
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, actor, params }) => redeliver(app, actor, webhookId(params), params.deliveryId ?? ''),
    present: presentDelivery,
  }),
]
