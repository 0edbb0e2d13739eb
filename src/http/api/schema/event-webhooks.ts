/** The `webhooks` section of the OpenAPI document: one operation for each event type. */
import { PUBLIC_EVENTS, type PublicEvent, TEST_EVENT } from '../../../core/document/event.ts'
import { EVENTS, TEST_EVENT_EXAMPLE, withNulls } from '../reference/examples.ts'
import { type Components, parametersOf } from './components.ts'
import { DeletionEvent, Event, TestEvent } from './event-responses.ts'

const SUMMARIES: Record<PublicEvent, string> = {
  'document.created': 'A document was created',
  'document.updated': 'A draft was edited; at most one event in 10 minutes for each author',
  'document.sent': 'A document was sent for signature',
  'document.viewed': 'A recipient opened the document for the first time',
  'document.completed': 'Every signer has finished and the PDF is sealed',
  'document.declined': 'A recipient declined, which ends the document',
  'document.voided': 'The sender voided the document',
  'document.expired': 'The document expired before every signer had finished',
  'document.sealing_failed': 'Sealing failed and will be tried again',
  'document.deleted': 'A document was deleted, on request or after its retention; without personal data',
  'recipient.notified': 'It is a recipient’s turn: the invitation was queued, or your program hands out a signing link',
  'recipient.signed': 'A recipient signed or approved',
  'recipient.email_failed': 'A mail to a recipient could not be delivered',
  'recipient.reminded': 'A reminder to a recipient was queued',
  'recipient.corrected': 'The sender corrected the name or address of a recipient',
  'recipient.delegated': 'A recipient named a colleague who acts in their place',
  'recipient.access_code_locked': 'A recipient entered a wrong code too often',
  'recipient.code_sent': 'A recipient asked for a one-time code. The code is only in deliveries to webhooks that name this event',
}

const parameters = parametersOf('WebhookId', 'WebhookTimestamp', 'WebhookSignature')

const description =
  'Compute the HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret and compare it with `webhook-signature`, as Standard Webhooks 1.0.0 defines. Ignore a `webhook-id` that was processed before.'

const responses = {
  '2XX': { description: 'The delivery is accepted.' },
  410: { description: 'The webhook is disabled at once.' },
  default: { description: 'The delivery is tried again later.' },
}

export function eventWebhooks(components: Components) {
  const operations = PUBLIC_EVENTS.map(type => {
    const own = type === 'document.deleted' ? DeletionEvent : Event
    const schema = { allOf: [components.responseSchema(own), { type: 'object', properties: { type: { const: type } } }] }
    return { type, post: operationOf(type, SUMMARIES[type], schema, withNulls(own, EVENTS[type])) }
  })
  const test = operationOf(TEST_EVENT, 'A test was requested', components.responseSchema(TestEvent), TEST_EVENT_EXAMPLE)
  const all = [...operations, { type: TEST_EVENT, post: test }]
  return Object.fromEntries(all.map(({ type, post }) => [type, { post }]))
}

/** The receiver checks the signature: it is not a scheme of OpenAPI. */
function operationOf(type: string, summary: string, schema: object, example: unknown) {
  const name = type.replace(/(?:^|[._])(\w)/g, (_, first: string) => first.toUpperCase())
  const content = { 'application/json': { schema, example } }
  return {
    operationId: `on${name}`,
    summary,
    description,
    tags: ['Webhooks'],
    security: [],
    parameters,
    requestBody: { required: true, content },
    responses,
  }
}
