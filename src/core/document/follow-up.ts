/** The mails and seals that follow from events. The outbox turns them into rows. Pure. */
import { isMailed } from '../signing/routing.ts'
import type { Document, Recipient } from './document.ts'
import type { DomainEvent, EventType } from './event.ts'

export const MAIL_KINDS = [
  'invitation',
  'reminder',
  'receipt',
  'completed',
  'declined',
  'voided',
  'expired',
  'delegated',
  'access_code_locked',
  'one_time_code',
  'mail_failed',
  'sealing_failed',
  'link_requested',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

export type FollowUp =
  /** A mail to a recipient, or to the document's owner when `recipientId` is undefined. */
  { kind: 'mail'; mail: MailKind; documentId: string; recipientId: string | undefined } | { kind: 'seal'; documentId: string }

/** `document` is the value after the events. */
export function followUps(document: Document, events: DomainEvent[]): FollowUp[] {
  return events.flatMap(event => RULES[event.type]?.(document, event) ?? [])
}

type Rule = (document: Document, event: DomainEvent) => FollowUp[]

/** Mails the recipient of the event, unless the sender's program hands out the link. */
function mailTo(mail: MailKind): Rule {
  return ({ id: documentId, recipients }, { recipientId }) => {
    const recipient = recipients.find(r => r.id === recipientId)
    return recipient && isMailed(recipient) ? [{ kind: 'mail', mail, documentId, recipientId }] : []
  }
}

/** Mails the owner about the recipient of the event. */
function mailOwner(mail: MailKind): Rule {
  return document => [{ kind: 'mail', mail, documentId: document.id, recipientId: undefined }]
}

/** Who was asked learns of the end, also after signing: nobody is left to believe that it holds. */
const wasAsked = (r: Recipient) => isMailed(r) && r.sentAt !== undefined

/** Mails the owner and the chosen recipients, except the one who caused the event. */
function mailAll(mail: MailKind, isChosen: (r: Recipient) => boolean): Rule {
  return (document, event) => [
    ...document.recipients
      .filter(r => isChosen(r) && r.id !== event.recipientId)
      .map((r): FollowUp => ({ kind: 'mail', mail, documentId: document.id, recipientId: r.id })),
    { kind: 'mail', mail, documentId: document.id, recipientId: undefined },
  ]
}

const RULES: Partial<Record<EventType, Rule>> = {
  'recipient.notified': mailTo('invitation'),
  'recipient.reminded': mailTo('reminder'),
  // The last who signs gets it with the sealed document, seconds later.
  'recipient.signed': (document, event) => (document.status === 'sent' ? mailTo('receipt')(document, event) : []),
  'recipient.delegated': mailOwner('delegated'),
  'recipient.access_code_locked': mailOwner('access_code_locked'),
  'recipient.code_sent': (document, event) =>
    event.data?.method === 'email_code' ? mailTo('one_time_code')(document, event) : [],
  'recipient.link_requested': (document, event) =>
    (event.data?.to === 'sender' ? mailOwner('link_requested') : mailTo('invitation'))(document, event),
  'recipient.email_failed': mailOwner('mail_failed'),
  'document.sealing_failed': mailOwner('sealing_failed'),
  'document.sealing': document => [{ kind: 'seal', documentId: document.id }],
  'document.completed': mailAll('completed', () => true),
  'document.declined': mailAll('declined', wasAsked),
  'document.voided': mailAll('voided', wasAsked),
  'document.expired': mailAll('expired', wasAsked),
}

// Who asks a recipient, by the same name in e-mails and on pages.

/** `Anna Weber (Acme Ltd)`; `person` is undefined for documents of programs. */
export function senderName(person: string | undefined, organisation: string): string {
  return person === undefined || person === organisation ? organisation : `${person} (${organisation})`
}
