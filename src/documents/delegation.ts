/** Finds the person behind a recipient at the time of an event, before and after a delegation. */
import type { AuditEvent } from '../audit/log.ts'
import type { Recipient } from '../core/document.ts'
import type { Json } from '../core/event.ts'

export const isDelegation = (event: AuditEvent, { id }: Recipient) =>
  event.type === 'recipient.delegated' && event.recipientId === id

/** The recipient's name at the time of the event: the next delegation names the person before. */
export function recipientNameAt(recipient: Recipient, events: AuditEvent[], { sequence }: AuditEvent): string {
  const next = events.find(event => event.sequence >= sequence && isDelegation(event, recipient))
  return personOf(next?.personal?.from)?.name ?? recipient.name
}

/** The person delegated to, as `Name <address>`. */
export function delegateOf({ personal }: AuditEvent): string | undefined {
  const person = personOf(personal?.to)
  return person && `${person.name} <${person.email}>`
}

function personOf(value: Json | undefined): { name: string; email: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { name, email } = value
  return typeof name === 'string' && typeof email === 'string' ? { name, email } : undefined
}
