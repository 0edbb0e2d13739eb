/** What has to happen outside the transaction after an event: mails and seals, as plain orders. The outbox turns them into rows. Pure. */
import type { Document } from './document.ts'
import type { DomainEvent, EventType } from './event.ts'
import { mustAct } from './routing.ts'

const MAIL_KINDS = [
  'invitation',
  'reminder',
  'completed',
  'declined',
  'voided',
  'expired',
  'delegated',
  'access_code_locked',
  'mail_failed',
  'sealing_failed',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

export type FollowUp =
  /** A mail to a recipient, or to the document's owner when `recipientId` is undefined. */
  { kind: 'mail'; mail: MailKind; documentId: string; recipientId: string | undefined } | { kind: 'seal'; documentId: string }

/** The orders that follow from events on a document as it stands after them. */
export function followUps(document: Document, events: DomainEvent[]): FollowUp[] {
  return events.flatMap(event => RULES[event.type]?.(document, event) ?? [])
}

type Rule = (document: Document, event: DomainEvent) => FollowUp[]

function mailTo(mail: MailKind): Rule {
  return (document, event) => [{ kind: 'mail', mail, documentId: document.id, recipientId: event.recipientId }]
}

/** The owner alone, about the recipient of the event. */
function mailOwner(mail: MailKind): Rule {
  return document => [{ kind: 'mail', mail, documentId: document.id, recipientId: undefined }]
}

/** Everyone who was ever told of the document and has not brought this about themselves, and the owner. */
function mailAll(mail: MailKind, whom: (r: Document['recipients'][number]) => boolean): Rule {
  return (document, event) => [
    ...document.recipients
      .filter(r => whom(r) && r.id !== event.recipientId)
      .map((r): FollowUp => ({ kind: 'mail', mail, documentId: document.id, recipientId: r.id })),
    { kind: 'mail', mail, documentId: document.id, recipientId: undefined },
  ]
}

const RULES: Partial<Record<EventType, Rule>> = {
  'recipient.notified': mailTo('invitation'),
  'recipient.reminded': mailTo('reminder'),
  'recipient.delegated': mailOwner('delegated'),
  'recipient.access_code_locked': mailOwner('access_code_locked'),
  'recipient.email_failed': mailOwner('mail_failed'),
  'document.sealing_failed': mailOwner('sealing_failed'),
  'document.sealing': document => [{ kind: 'seal', documentId: document.id }],
  'document.completed': mailAll('completed', () => true),
  'document.declined': mailAll('declined', r => r.sentAt !== undefined),
  'document.voided': mailAll('voided', r => r.sentAt !== undefined && r.status === 'voided'),
  'document.expired': mailAll('expired', r => r.sentAt !== undefined && mustAct(r)),
}
