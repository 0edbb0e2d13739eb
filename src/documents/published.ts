/** What programs learn of the events of a document, in deliveries and in the list of events. */
import type { RecordedEvent } from '../audit/log.ts'
import type { Document } from '../core/document/document.ts'
import {
  CODE_EVENT,
  type DeletionReason,
  type DomainEvent,
  deletionReasonOf,
  type Json,
  publicTypeOf,
} from '../core/document/event.ts'
import { type Field, isMark } from '../core/field/field.ts'
import type { PublishedEvent } from '../webhooks/publish.ts'
import { presentRecipient, presentSummary } from './present.ts'

/** `document`: after the events. */
export function publishedEvents(document: Document, recorded: readonly RecordedEvent[]): PublishedEvent[] {
  return recorded.flatMap(({ id, sequence, at, event }) => {
    const type = publicTypeOf(event.type)
    if (type === undefined) return []
    const data = deletionData(document.id, event, at) ?? dataOf(document, event)
    return [{ id, sequence, type, at, documentId: document.id, recipientId: event.recipientId, data }]
  })
}

interface DeletionData {
  document: null
  id: string
  reason: DeletionReason
  at: string
}

/** Without personal data: it is kept for ever. `undefined` for another event. */
export function deletionData(id: string, event: DomainEvent, at: Date): DeletionData | undefined {
  const reason = deletionReasonOf(event)
  return reason && { document: null, id, reason, at: at.toISOString() }
}

function dataOf(document: Document, { type, recipientId, data: facts }: DomainEvent): Record<string, unknown> {
  const recipient = document.recipients.find(r => r.id === recipientId)
  return {
    document: presentSummary(document),
    ...(recipient ? { recipient: presentRecipient(recipient) } : {}),
    ...(type === 'recipient.signed' && recipient ? { values: valuesOf(recipient.id, recipient.fields) } : {}),
    ...(type === 'document.completed' ? { values: allValues(document) } : {}),
    // The code is filled in while it is sent.
    ...(type === CODE_EVENT && facts?.method === 'webhook_code'
      ? { oneTimeCode: { id: facts.codeId as Json, code: null, expiresAt: facts.expiresAt as Json } }
      : {}),
  }
}

/** The sender's first. */
function allValues({ senderFields, recipients }: Document) {
  return [...valuesOf(null, senderFields), ...recipients.flatMap(({ id, fields }) => valuesOf(id, fields))]
}

/** Of all fields but marks, which have no value. */
function valuesOf(recipientId: string | null, fields: readonly Field[]) {
  return fields
    .filter(({ type }) => !isMark(type))
    .map(({ id, name = null, value = null }) => ({ fieldId: id, name, recipientId, value }))
}
