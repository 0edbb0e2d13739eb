/** The route that describes the calling key. */
import { type ApiRoute, route } from '../route.ts'
import * as responses from './schema/responses.ts'

export const meRoutes: ApiRoute[] = [
  route({
    method: 'GET',
    path: '/me',
    operationId: 'getMe',
    access: 'any key',
    summary: 'Get the environment, name and scopes of the token',
    tag: 'API token',
    success: { status: 200, description: 'The calling token', schema: responses.CurrentKey },
    run: async ({ app, actor, keyName }) => ({ environment: app.instance.environment, keyName, scopes: actor.scopes }),
    present: result => result,
  }),
]
