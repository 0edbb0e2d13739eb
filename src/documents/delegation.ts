/**
 * Who held a recipient's place when, as the audit log tells it: what one person did is never shown
 * under the name of another.
 */
import type { AuditEvent } from '../audit/log.ts'
import type { Recipient } from '../core/document.ts'
import type { Json } from '../core/event.ts'

/** By this event the recipient's place went to somebody else. */
export const isDelegation = (event: AuditEvent, { id }: Recipient) =>
  event.type === 'recipient.delegated' && event.recipientId === id

/**
 * Who held the recipient's place when this happened: the one from whom it was taken over next, else
 * who holds it now.
 */
export function recipientNameAt(recipient: Recipient, events: AuditEvent[], { sequence }: AuditEvent): string {
  const next = events.find(event => event.sequence >= sequence && isDelegation(event, recipient))
  return personOf(next?.personal?.from)?.name ?? recipient.name
}

/** To whom the event handed a place over, as `Name <address>`. */
export function delegateOf({ personal }: AuditEvent): string | undefined {
  const person = personOf(personal?.to)
  return person && `${person.name} <${person.email}>`
}

function personOf(value: Json | undefined): { name: string; email: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { name, email } = value
  return typeof name === 'string' && typeof email === 'string' ? { name, email } : undefined
}
