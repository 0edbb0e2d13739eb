/** The schemas of webhooks, deliveries and events in responses, and of what is delivered. */
import Type from 'typebox'
import { DELETION_REASONS, PUBLIC_EVENTS, type PublicEvent, TEST_EVENT } from '../../../core/document/event.ts'
import { EVENTS, TEST_EVENT_EXAMPLE, withNulls } from '../reference/examples.ts'
import { DocumentSummary, RecipientSummary } from './responses.ts'
import { type Components, component, described, Id, openEnum, optional, orNull, parametersOf, Time } from './schema-parts.ts'

export const WebhookEndpoint = component('WebhookEndpoint', {
  id: Id('whk'),
  url: Type.String(),
  description: orNull(Type.String()),
  events: Type.Array(openEnum([...PUBLIC_EVENTS, '*'])),
  enabled: Type.Boolean({ description: 'Events are delivered.' }),
  disabledReason: orNull(described('Why the service has disabled it. `null` also when it was disabled on request.')),
  secret: described('Verifies the signatures of deliveries. Complete when it is created or replaced, masked afterwards.'),
  createdAt: Time,
})
export const WebhookEndpoints = Type.Array(WebhookEndpoint)

const DeliveryAttempt = component('DeliveryAttempt', {
  number: Type.Integer({ description: '1 is the first attempt.' }),
  at: Time,
  status: orNull(Type.Integer({ description: 'Status of the answer; `null` without an answer.' })),
  latencyMs: Type.Integer(),
  error: orNull(described('Why the attempt failed.')),
  answer: described('The first 2,048 bytes of the body of the answer.'),
})

export const Delivery = component('Delivery', {
  id: Id('dlv'),
  eventId: described('The `webhook-id` of the request, which is the same for each delivery of the event.'),
  type: openEnum([...PUBLIC_EVENTS, TEST_EVENT]),
  documentId: orNull(described('`null` for a test.')),
  recipientId: orNull(described('The recipient whom the event concerns.')),
  status: openEnum(['pending', 'delivered', 'failed'], '`failed`: no attempt follows.'),
  createdAt: Time,
  nextAttemptAt: orNull(Time),
  body: described('The body of the request, exactly as it is signed.'),
  attempts: Type.Array(DeliveryAttempt, { description: 'The oldest first.' }),
})
export const Redelivery = component('Redelivery', {
  queued: Type.Integer({ description: 'Deliveries that were queued now, the oldest first.' }),
  remaining: Type.Integer({ description: 'Failed deliveries that are left: repeat the request for them.' }),
})

export const DeliveryPage = component('DeliveryPage', { data: Type.Array(Delivery), nextCursor: orNull(Type.String()) })

export const TestEvent = component('TestEvent', {
  id: Id('evt'),
  type: openEnum([TEST_EVENT]),
  timestamp: Type.String({ format: 'date-time' }),
  data: component('TestEventData', { webhook: component('TestedWebhook', { id: Id('whk') }) }),
})

const head = {
  id: Id('evt'),
  type: openEnum(PUBLIC_EVENTS),
  timestamp: Type.String({ format: 'date-time', description: 'Time of the event, not of the delivery.' }),
  documentId: Id('doc'),
  recipientId: orNull(described('The recipient whom the event concerns.')),
}

const OneTimeCode = component('OneTimeCode', {
  id: described('The same for each attempt at this delivery.'),
  code: orNull(
    described(
      'Six digits, to be passed on to this recipient and not stored. `null` after it has expired, in `body` of a delivery, and in the list of events.',
    ),
  ),
  expiresAt: Time,
})

const FieldValue = component('FieldValue', {
  fieldId: Id('fld'),
  name: orNull(described('`name` of the field.')),
  recipientId: orNull(described('Whose field it is; `null`: one of `senderFields`.')),
  value: orNull(described('As in `value` of the field: what was entered. `null`: nothing, or the field was not shown.')),
})

const more = {
  recipient: optional(RecipientSummary),
  values: optional(
    Type.Array(FieldValue, {
      description:
        'Of `recipient.signed`: the values of the fields of the recipient. Of `document.completed`: those of all fields. Signatures and initials have none.',
    }),
  ),
  oneTimeCode: optional(OneTimeCode),
}

export const Event = component('Event', {
  ...head,
  data: component('EventData', { document: DocumentSummary, ...more }),
})

const deletion = {
  id: Id('doc'),
  reason: openEnum(
    DELETION_REASONS,
    '`deleted`: on request, after its end. `draft_deleted`: on request, before it was sent. `retention`: its retention was over.',
  ),
  at: Time,
}

export const DeletionEvent = component('DeletionEvent', {
  ...head,
  data: component('DeletionData', { document: Type.Null(), ...deletion }, 'Without personal data. The document is gone.'),
})

const LoggedEvent = component('LoggedEvent', {
  ...head,
  data: component('LoggedEventData', {
    document: orNull(DocumentSummary),
    ...more,
    id: optional(deletion.id),
    reason: optional(deletion.reason),
    at: optional(deletion.at),
  }),
})
export const EventPage = component(
  'EventPage',
  { data: Type.Array(LoggedEvent), nextCursor: orNull(Type.String()) },
  '`data` of each event is as it was delivered; `document` is `null` once it is deleted. `id`, `reason` and `at` are of `document.deleted`.',
)

// The `webhooks` section of the OpenAPI document: one operation for each event type.

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
