/** The routes of webhook endpoints. */
import { deleteWebhook, presentWebhook, registerWebhook } from '../../webhooks/manage.ts'
import { listWebhooks } from '../../webhooks/queries.ts'
import { type ApiRoute, route } from '../route.ts'
import * as requests from './requests.ts'
import * as responses from './responses.ts'

const tag = 'Webhooks'

export const webhookRoutes: ApiRoute[] = [
  route({
    method: 'POST',
    path: '/webhooks',
    operationId: 'createWebhook',
    access: 'webhooks:write',
    summary: 'Register a webhook',
    description: 'Deliveries are signed by Standard Webhooks 1.0.0. The secret is shown once, in this response.',
    tag,
    body: requests.NewWebhookEndpoint,
    success: { status: 201, description: 'The webhook with its secret', schema: responses.WebhookEndpoint },
    run: ({ app, actor, body }) => registerWebhook(app, actor, body),
    present: ({ webhook, secret }) => presentWebhook(webhook, secret),
  }),
  route({
    method: 'GET',
    path: '/webhooks',
    operationId: 'listWebhooks',
    access: 'webhooks:read',
    summary: 'List webhooks',
    tag,
    success: { status: 200, description: 'All webhooks, oldest first', schema: responses.WebhookEndpoints },
    run: ({ app, actor }) => listWebhooks(app.db, actor),
    present: webhooks => webhooks.map(webhook => presentWebhook(webhook)),
  }),
  route({
    method: 'DELETE',
    path: '/webhooks/:id',
    operationId: 'deleteWebhook',
    access: 'webhooks:write',
    summary: 'Delete a webhook',
    description: 'Its pending deliveries are dropped.',
    tag,
    success: { status: 200, description: 'The webhook is deleted', schema: responses.DeletedResource },
    refuses: ['not_found'],
    run: async ({ app, actor, params }) => {
      await deleteWebhook(app, actor, params.id ?? '')
      return { id: params.id ?? '' }
    },
    present: result => result,
  }),
]
