/** The schemas of webhooks, deliveries and events in responses, and of what is delivered. */
import Type from 'typebox'
import { DELETION_REASONS, PUBLIC_EVENTS, TEST_EVENT } from '../../../core/document/event.ts'
import { DocumentSummary, RecipientSummary } from './responses.ts'
import { component, described, Id, openEnum, optional, orNull, Time } from './schema-parts.ts'

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
