/** Events of documents, created by the state machine alone, and of the instance. Types only. */
/** Types that a webhook can subscribe to. */
export const PUBLIC_EVENTS = [
  'document.created',
  'document.updated',
  'document.sent',
  'document.viewed',
  'document.completed',
  'document.declined',
  'document.voided',
  'document.expired',
  'document.sealing_failed',
  'document.deleted',
  'recipient.notified',
  'recipient.signed',
  'recipient.email_failed',
  'recipient.reminded',
  'recipient.corrected',
  'recipient.delegated',
  'recipient.access_code_locked',
  'recipient.code_sent',
] as const
export type PublicEvent = (typeof PUBLIC_EVENTS)[number]

/** The one event whose deliveries may contain a secret. */
export const CODE_EVENT = 'recipient.code_sent'

/** Sent to a webhook on request. It concerns no document and is not in the audit log. */
export const TEST_EVENT = 'webhook.test'

/** Types that only the audit log shows. */
export const INTERNAL_EVENTS = [
  'document.sealing',
  'document.seal_augmented',
  'document.erased',
  'document.legal_hold_set',
  'document.legal_hold_lifted',
  'document.owner_changed',
  'template.created',
  'template.updated',
  'template.deleted',
  'template.owner_changed',
  'recipient.email_accepted',
  'recipient.email_written',
  'recipient.access_code_failed',
  'recipient.access_code_accepted',
  'recipient.access_code_unlocked',
  'recipient.code_failed',
  'recipient.identified',
  'recipient.link_created',
  'recipient.link_opened',
  'recipient.link_requested',
  'recipient.opened_from_app',
  'recipient.consented',
] as const
export type InternalEvent = (typeof INTERNAL_EVENTS)[number]

export type EventType = PublicEvent | InternalEvent
export type TemplateEvent = Extract<InternalEvent, `template.${string}`>
/** What happens to a document that is no template. */
export type DocumentEvent = Exclude<EventType, TemplateEvent>

/** A new type needs a sentence in `audit-events.ts` of each language of the web app. */
export type InstanceEvent =
  | 'organisation.changed'
  | 'settings.changed'
  | 'retention.changed'
  | 'retention.announced'
  | 'seal_certificate.created'
  | 'seal_certificate.renewed'
  | 'seal_certificate.imported'
  | 'seal_certificate.revoked'
  | 'user.created'
  | 'user.password_reset_link_issued'
  | 'user.password_reset'
  | 'user.invited'
  | 'user.invitation_renewed'
  | 'user.invitation_withdrawn'
  | 'user.renamed'
  | 'user.email_change_requested'
  | 'user.email_changed'
  | 'user.email_change_stopped'
  | 'user.role_changed'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.removed'
  | 'user.documents_handed_over'
  | 'user.password_changed'
  | 'user.sessions_ended'
  | 'user.second_factor_added'
  | 'user.second_factor_removed'
  | 'user.recovery_codes_renewed'
  | 'user.recovery_code_used'
  | 'user.passkey_added'
  | 'user.passkey_renamed'
  | 'user.passkey_removed'
  | 'user.passkey_refused'
  | 'user.identity_linked'
  | 'user.identity_unlinked'
  | 'sign_in.refused'
  | 'user.signed_in'
  | 'user.signed_out'
  | 'user.sign_in_delayed'
  | 'sign_in.changed'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.enabled'
  | 'webhook.disabled'
  | 'webhook.secret_replaced'
  | 'webhook.deleted'
  | 'webhook.redelivered'
  | 'master_key.rotated'
  | 'master_key.copy_tested'
  | 'alert.raised'
  | 'alert.ended'
  | 'instance.set_up'
  | 'instance.restored'
  | 'sending.resumed'
  | 'clock.confirmed'
  | 'upgrade.finished'
  | 'audit.exported'
  | 'audit.checked'
  | 'audit.checkpoint_made'
  | 'witness.refused'
  | 'witness.added'
  | 'witness.certificate_replaced'
  | 'witness.begun_anew'
  | 'witness.removed'
  | 'backups.changed'
  | 'backup.downloaded'
  | 'batch.created'
  | 'batch.resumed'
  | 'batch.stopped'
  | 'batch.finished'

export type Json = string | number | boolean | null | Json[] | { [member: string]: Json }

/** An event as the state machine returns it. The audit log adds actor, client and hash. */
export interface DomainEvent<Type extends string = EventType> {
  type: Type
  recipientId?: string
  /** Stored in the chain in clear text. */
  data?: Record<string, Json>
  /** Personal data: the chain holds a salted commitment to it, so that it can be deleted. */
  personal?: Record<string, Json>
}

/** Whether the entry names no person, even if a person's action caused the event. */
export function isServiceAct(type: EventType | InstanceEvent): boolean {
  return type === 'document.sealing'
}

export function isPublicEvent(type: EventType): type is PublicEvent {
  return (PUBLIC_EVENTS as readonly string[]).includes(type)
}

/** The type under which programs learn of the event; `undefined` if they do not. */
export function publicTypeOf(type: EventType): PublicEvent | undefined {
  if (type === 'document.erased') return 'document.deleted'
  return isPublicEvent(type) ? type : undefined
}

/** Why a document is gone, as programs learn it. `deleted`: on request, after its end. */
export const DELETION_REASONS = ['deleted', 'draft_deleted', 'retention'] as const
export type DeletionReason = (typeof DELETION_REASONS)[number]

/** Of the event that remains of a document; `undefined` for other events. */
export function deletionReasonOf({ type, data }: Pick<DomainEvent, 'type' | 'data'>): DeletionReason | undefined {
  if (type === 'document.erased') return 'retention'
  if (type !== 'document.deleted') return undefined
  return data?.status === 'draft' ? 'draft_deleted' : 'deleted'
}

/** Types of entries from before schema 12, read as the present ones: entries never change. */
const FORMER_TYPES: Readonly<Record<string, EventType>> = {
  'document.seal_raised': 'document.seal_augmented',
  'recipient.handed_over': 'recipient.delegated',
  'recipient.code_locked': 'recipient.access_code_locked',
  'recipient.code_refused': 'recipient.access_code_failed',
  'recipient.code_accepted': 'recipient.access_code_accepted',
  'recipient.mail_accepted': 'recipient.email_accepted',
  'recipient.mail_written': 'recipient.email_written',
}

/** The present name of the type in an entry. */
export function presentType(stored: string): string {
  return FORMER_TYPES[stored] ?? stored
}

/** The type as entries call it, and what those of former releases do. */
export function storedTypesOf(type: string): string[] {
  return [type, ...Object.keys(FORMER_TYPES).filter(former => FORMER_TYPES[former] === type)]
}
