/** What a key is and may. */
import { type ApiRoute, route } from '../route.ts'
import * as schemas from './schemas.ts'

export const meRoutes: ApiRoute[] = [
  route({
    method: 'GET',
    path: '/me',
    access: 'any key',
    summary: 'Environment, key name and scopes',
    tag: 'Key',
    success: { status: 200, description: 'The calling key', schema: schemas.Me },
    run: async ({ app, actor, keyName }) => ({ environment: app.instance.environment, keyName, scopes: actor.scopes }),
    present: result => result,
  }),
]
