/** The route of the event log. */
import { listEvents, presentPublicEvents } from '../../documents/evidence/event-log.ts'
import { type ApiRoute, JsonText, route } from '../route.ts'
import * as responses from './schema/event-responses.ts'
import * as requests from './schema/requests.ts'
import { DEFAULT_LIMIT } from './schema/schema-parts.ts'

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
