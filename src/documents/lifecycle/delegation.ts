/** Finds the person behind a recipient at the time of an event. */
import type { AuditEvent } from '../../audit/log.ts'
import { isOtherMailbox } from '../../core/document/correct-recipient.ts'
import type { Recipient } from '../../core/document/document.ts'
import type { Json } from '../../core/document/event.ts'

/** Of one document or of several. */
type Entry = Pick<AuditEvent, 'sequence' | 'recipientId' | 'personal'> & { type: string }

const isRenamed = ({ type, recipientId }: Entry, { id }: Pick<Recipient, 'id'>) =>
  (type === 'recipient.delegated' || type === 'recipient.corrected') && recipientId === id

/** Whether the event gave the recipient's place to the owner of another mailbox. */
export function isReplacement(event: AuditEvent, recipient: Recipient): boolean {
  if (!isRenamed(event, recipient)) return false
  const [from, to] = [personOf(event.personal?.from), personOf(event.personal?.to)]
  return event.type === 'recipient.delegated' || !from || !to || isOtherMailbox(from, to)
}

/** The recipient's name at the time of the event: the next change names the person before. */
export function recipientNameAt(
  recipient: Pick<Recipient, 'id' | 'name'>,
  events: readonly Entry[],
  { sequence }: Pick<Entry, 'sequence'>,
): string {
  const next = events.find(event => event.sequence >= sequence && isRenamed(event, recipient))
  return personOf(next?.personal?.from)?.name ?? recipient.name
}

/** The person delegated to, or the corrected one, as `Name <address>`. */
export function delegateOf({ personal }: AuditEvent): string | undefined {
  const person = personOf(personal?.to)
  return person && `${person.name} <${person.email}>`
}

/** The person before and after a delegation or correction. */
export function renaming({ personal }: AuditEvent): { from: Person; to: Person } | undefined {
  const [from, to] = [personOf(personal?.from), personOf(personal?.to)]
  return from && to && { from, to }
}

interface Person {
  name: string
  email: string
}

function personOf(value: Json | undefined): Person | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { name, email } = value
  return typeof name === 'string' && typeof email === 'string' ? { name, email } : undefined
}
