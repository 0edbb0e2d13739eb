/** The examples of the OpenAPI document: `examples.json`, and one delivery for each event type. */
import type { TSchema } from 'typebox'
import { CODE_EVENT, PUBLIC_EVENTS, type PublicEvent } from '../../../core/document/event.ts'
import examples from './examples.json' with { type: 'json' }

interface Shape {
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  anyOf?: Shape[]
}

/** The example of a response. A member that its schema requires and that is not given is null. */
export function withNulls(schema: TSchema, example: unknown): unknown {
  return filled(schema as Shape, example)
}

function filled({ properties, required = [], items, anyOf }: Shape, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const object = anyOf?.find(each => each.properties ?? each.items)
  if (object) return filled(object, value)
  if (Array.isArray(value)) return items ? value.map(item => filled(items, item)) : value
  if (!properties) return value
  const missing = required.filter(name => !(name in value))
  const all = Object.entries({ ...Object.fromEntries(missing.map(name => [name, null])), ...value })
  const order = Object.keys(properties)
  const sorted = all.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  return Object.fromEntries(sorted.map(([name, member]) => [name, filled(properties[name] ?? {}, member)]))
}

interface Example {
  body?: unknown
  query?: Record<string, unknown>
  /** Absent for a file. */
  response?: unknown
}

/** By operation ID. */
export const EXAMPLES: Record<string, Example> = examples.operations
const IDS: Record<string, string> = examples.ids

const RESOURCES: Record<string, string> = { recipientId: 'recipients', fieldId: 'fields', deliveryId: 'deliveries' }

/** A value for a parameter of the path; `id` is of the resource that the path begins with. */
export function exampleId(path: string, parameter: string): string | undefined {
  return IDS[RESOURCES[parameter] ?? path.split('/')[1] ?? '']
}

export const EXAMPLE_REQUEST_ID = examples.requestId
/** `ETag` of a document. */
export const EXAMPLE_ETAG = '"v3"'
export const TEST_EVENT_EXAMPLE: object = examples.testEvent

const completed = examples.event
const [recipient] = completed.data.document.recipients
const VIEWED_AT = recipient?.viewedAt
const SIGNED_AT = recipient?.signedAt
const CREATED = { status: 'created', sentAt: null, emailStatus: 'none' }
const DECLINED = { status: 'declined', viewedAt: VIEWED_AT, declinedAt: SIGNED_AT, declineReason: 'The amount is wrong.' }
const SIGNED = { status: 'signed', viewedAt: VIEWED_AT, signedAt: SIGNED_AT }

/** Differences from a sent document. `about`: the event concerns this recipient. */
const AT_EVENT: Record<Exclude<PublicEvent, 'document.deleted'>, { document?: object; recipient?: object; about?: object }> = {
  'document.created': { document: { status: 'draft', sentAt: null, expiresAt: null }, recipient: CREATED },
  'document.updated': { document: { status: 'draft', sentAt: null, expiresAt: null }, recipient: CREATED },
  'document.sent': { recipient: { emailStatus: 'queued' } },
  'document.viewed': { about: { status: 'viewed', viewedAt: VIEWED_AT } },
  'document.completed': { document: completed.data.document, recipient: recipient ?? {} },
  'document.declined': { document: { status: 'declined' }, about: DECLINED },
  'document.voided': { document: { status: 'voided' }, recipient: { status: 'voided' } },
  'document.expired': { document: { status: 'expired' }, recipient: { status: 'expired' } },
  'document.sealing_failed': { document: { status: 'sealing', sealingError: 'The disk is full.' }, recipient: SIGNED },
  'recipient.notified': { about: { emailStatus: 'queued' } },
  'recipient.signed': { about: SIGNED },
  'recipient.email_failed': { about: { emailStatus: 'failed' } },
  'recipient.reminded': { about: {} },
  'recipient.corrected': { about: { emailStatus: 'queued' } },
  'recipient.delegated': { about: {} },
  'recipient.access_code_locked': { about: {} },
  'recipient.code_sent': { about: { verify: 'webhook_code' } },
}

const ONE_TIME_CODE = { id: 'q3X9mB2nQ7wE5rT8yU1iO4pA6sD-fGhJkL_zXcVbN0c', code: '482913', expiresAt: '2026-11-21T08:14:09.000Z' }

const VALUES = [{ fieldId: IDS.fields, name: 'Town', recipientId: IDS.recipients, value: 'London' }]

/** The body of one delivery for each event type. */
export const EVENTS = Object.fromEntries(PUBLIC_EVENTS.map(type => [type, eventOf(type)])) as Record<PublicEvent, object>

function eventOf(type: PublicEvent): object {
  const {
    document: { id },
  } = completed.data
  const head = { id: completed.id, type, timestamp: completed.timestamp, documentId: id, recipientId: null }
  if (type === 'document.deleted') return { ...head, data: { document: null, id, reason: 'retention', at: completed.timestamp } }
  const { document, recipient: other, about } = AT_EVENT[type]
  const sent = {
    ...completed.data.document,
    status: 'sent',
    completedAt: null,
    sha256: { ...completed.data.document.sha256, sealed: null },
    sealLevel: null,
  }
  const shown = { ...recipient, status: 'sent', viewedAt: null, signedAt: null, ...other, ...about }
  const code = type === CODE_EVENT ? { oneTimeCode: ONE_TIME_CODE } : {}
  const values = type === 'recipient.signed' || type === 'document.completed' ? { values: VALUES } : {}
  const data = {
    document: { ...sent, ...document, recipients: [shown] },
    ...(about ? { recipient: shown } : {}),
    ...values,
    ...code,
  }
  return { ...head, recipientId: about ? (recipient?.id ?? null) : null, data }
}
