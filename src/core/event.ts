/**
 * What can happen to a document and its recipients, and to the instance itself. An event is a fact of the past; those of documents are made by the
 * state machine alone. Pure, types and words only.
 */
import { ROLE_LABELS, type Role } from './routing.ts'

/** Kinds a webhook can subscribe to. */
export const PUBLIC_EVENTS = [
  'document.created',
  'document.sent',
  'document.viewed',
  'document.completed',
  'document.declined',
  'document.voided',
  'document.expired',
  'document.sealing_failed',
  'recipient.signed',
  'recipient.email_failed',
  'recipient.reminded',
  'recipient.delegated',
  'recipient.access_code_locked',
] as const
export type PublicEvent = (typeof PUBLIC_EVENTS)[number]

/** Kinds that stand in the audit log alone. */
export const INTERNAL_EVENTS = [
  'document.sealing',
  'document.seal_augmented',
  'document.deleted',
  'recipient.notified',
  'recipient.email_accepted',
  'recipient.email_written',
  'recipient.access_code_failed',
  'recipient.access_code_accepted',
] as const
export type InternalEvent = (typeof INTERNAL_EVENTS)[number]

export type EventType = PublicEvent | InternalEvent

/** Kinds that are of no document: what administrators, the command line and the schedule change for everybody. */
export type InstanceEvent =
  | 'organisation.changed'
  | 'seal_certificate.renewed'
  | 'seal_certificate.imported'
  | 'seal_certificate.revoked'
  | 'user.created'
  | 'user.password_reset_link_issued'
  | 'user.password_reset'
  | 'alert.raised'
  | 'alert.ended'

export type Json = string | number | boolean | null | Json[] | { [member: string]: Json }

/** A fact as the state machine states it; the audit log adds who, whence and the hash. */
export interface DomainEvent<Type extends string = EventType> {
  type: Type
  recipientId?: string
  /** Stands in the chain in clear. */
  data?: Record<string, Json>
  /** Of a person: stands in the chain as a salted commitment, so that it can be erased. */
  personal?: Record<string, Json>
}

/** What the service does by itself, whoever’s act brought it about: its entry names no person. */
export function isServiceAct(type: EventType | InstanceEvent): boolean {
  return type === 'document.sealing'
}

export function isPublicEvent(type: EventType): type is PublicEvent {
  return (PUBLIC_EVENTS as readonly string[]).includes(type)
}

/** What happened, as one sentence part. */
const EVENT_WORDS: Record<EventType, string> = {
  'document.created': 'Document created',
  'document.sent': 'Sent for signature',
  'document.viewed': 'Opened by the recipient',
  'document.completed': 'Completed and sealed',
  'document.declined': 'Declined',
  'document.voided': 'Voided by the sender',
  'document.expired': 'Expired unsigned',
  'document.sealing_failed': 'Sealing failed, will be tried again',
  'document.sealing': 'Everyone has finished, sealing begins',
  'document.seal_augmented': 'Seal raised for long-term proof',
  'document.deleted': 'Document and files erased',
  'recipient.signed': 'Signed',
  'recipient.email_failed': 'Mail could not be delivered',
  'recipient.reminded': 'Reminder queued',
  'recipient.notified': 'Invitation queued',
  'recipient.email_accepted': 'Mail accepted by the mail server',
  'recipient.email_written': 'Mail written to the outbox folder',
  'recipient.access_code_failed': 'Wrong access code entered',
  'recipient.access_code_accepted': 'Access code entered',
  'recipient.access_code_locked': 'Access code entered wrongly too often',
  'recipient.delegated': 'Handed over to a colleague',
}

/** What happened, for the certificate pages and the web app; approvers approve where signers sign. */
export function eventLabel(type: EventType, role: Role | undefined): string {
  if (type !== 'recipient.signed' || role === undefined) return EVENT_WORDS[type]
  const { done } = ROLE_LABELS[role]
  return done.charAt(0).toUpperCase() + done.slice(1)
}
