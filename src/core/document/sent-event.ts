/** The audit entry of sending: what exactly was sent, and to whom. Pure. */
import { type FieldLists, placedFields } from '../field/placed-fields.ts'
import { canonicalHash } from './audit-chain.ts'
import type { Document } from './document.ts'
import type { DomainEvent, Json } from './event.ts'

/** Drafts can be edited until they are sent: the entry of the creation says what was uploaded. */
export function sentEvent(document: Document, expiresAt: Date): DomainEvent {
  const { title, message, recipients, signingOrder, sha256Original } = document
  return {
    type: 'document.sent',
    data: {
      originalSha256: sha256Original,
      signingOrder,
      expiresAt: expiresAt.toISOString(),
      recipientIds: recipients.map(({ id }) => id),
      fieldCount: placedFields(document).length,
      fieldsSha256: fieldsSha256(document),
    },
    personal: {
      title,
      message: message ?? null,
      recipients: recipients.map(({ id, name, email, role, order }) => ({ id, name, email, role, order })),
    },
  }
}

/** Of the canonical JSON of all fields with their owners; absent members are `null`. */
export function fieldsSha256(document: FieldLists): string {
  const fields = placedFields(document).map(({ field, recipientId }) => {
    const members = Object.entries({ ...field, recipientId }).map(([name, value]) => [name, value ?? null])
    return Object.fromEntries(members) as Record<string, Json>
  })
  return canonicalHash(fields)
}
