/** Webhooks over the API. */

import Type from 'typebox'
import { deleteWebhook, presentWebhook, registerWebhook } from '../../webhooks/manage.ts'
import { listWebhooks } from '../../webhooks/queries.ts'
import { type ApiRoute, route } from '../route.ts'
import * as schemas from './schemas.ts'

const tag = 'Webhooks'

export const webhookRoutes: ApiRoute[] = [
  route({
    method: 'POST',
    path: '/webhooks',
    access: 'webhooks:write',
    summary: 'Register a webhook',
    description: 'Deliveries are signed by Standard Webhooks 1.0.0. The secret is shown once, in this answer.',
    tag,
    body: schemas.NewWebhook,
    success: { status: 201, description: 'The webhook with its secret', schema: schemas.Webhook },
    run: ({ app, actor, body }) => registerWebhook(app, actor, body),
    present: ({ webhook, secret }) => presentWebhook(webhook, secret),
  }),
  route({
    method: 'GET',
    path: '/webhooks',
    access: 'webhooks:read',
    summary: 'List webhooks',
    tag,
    success: { status: 200, description: 'All webhooks, oldest first', schema: Type.Array(schemas.Webhook) },
    run: ({ app, actor }) => listWebhooks(app.db, actor),
    present: webhooks => webhooks.map(w => presentWebhook(w)),
  }),
  route({
    method: 'DELETE',
    path: '/webhooks/:id',
    access: 'webhooks:write',
    summary: 'Delete a webhook; its pending deliveries are dropped',
    tag,
    success: { status: 200, description: 'Deleted', schema: schemas.Deleted },
    refuses: ['not_found'],
    run: async ({ app, actor, params }) => {
      await deleteWebhook(app, actor, params.id ?? '')
      return { id: params.id ?? '' }
    },
    present: result => result,
  }),
]
