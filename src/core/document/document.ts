/** The document and its state machine: a command returns the next value and its events. Pure. */
import { DAY_MS, HOUR_MS } from '../../lib/duration.ts'
import { requireSendable } from '../draft/draft-check.ts'
import type { Field } from '../field/field.ts'
import { type FieldLists, placedFields } from '../field/visibility.ts'
import { Refusal } from '../refusal.ts'
import type { EndedAction } from '../sentence.ts'
import { COPY_DAYS } from '../service-limits.ts'
import { isMailed, mustAct, recipientsToNotify, recipientsToRemind } from '../signing/routing.ts'
import type { PersonalMark } from '../signing/signature-mark.ts'
import { violation } from '../violation.ts'
import { canonicalHash } from './audit-chain.ts'
import type { DocumentValues, RecipientValues } from './document-members.ts'
import type { DomainEvent, Json } from './event.ts'

export const DOCUMENT_STATUSES = ['draft', 'sent', 'sealing', 'completed', 'declined', 'voided', 'expired'] as const
export type PublicStatus = (typeof DOCUMENT_STATUSES)[number]
/** A template is a document that is never sent: its recipients are roles. */
export type DocumentStatus = PublicStatus | 'template'

export const RECIPIENT_STATUSES = ['created', 'sent', 'viewed', 'signed', 'declined', 'expired', 'voided'] as const
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number]

export const EMAIL_STATUSES = ['none', 'queued', 'delivered', 'failed'] as const
export type EmailStatus = (typeof EMAIL_STATUSES)[number]

export interface ReminderPlan {
  firstAfterDays: number
  everyDays: number
  max: number
}

export interface Recipient extends RecipientValues {
  id: string
  /** Keyed hash of the access code; `undefined` when the recipient needs none. */
  accessCodeHash: string | undefined
  /** Wrong tries, also of one-time codes. */
  accessCodeAttempts: number
  /** Codes are refused until this time. */
  accessCodeWaitUntil: Date | undefined
  /** The newest link that the sender's program had made, until it is opened. */
  pendingLink: string | undefined
  /** Incremented to invalidate the links mailed before. */
  linkVersion: number
  /** The mark the person signed with. */
  signature: PersonalMark | undefined
  initials: PersonalMark | undefined
  consentVersion: string | undefined
  consentSha256: string | undefined
  remindersSent: number
  lastMailedAt: Date | undefined
  nextReminderAt: Date | undefined
  fields: Field[]
}

/** EN 319 142-1 §6.2. */
export const SEAL_LEVELS = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const
export type SealLevel = (typeof SEAL_LEVELS)[number]

/** ISO 32000-2 §12.8.3. Only the first is a PAdES baseline signature. */
export const SEAL_SUB_FILTERS = ['ETSI.CAdES.detached', 'adbe.pkcs7.detached'] as const
export type SealSubFilter = (typeof SEAL_SUB_FILTERS)[number]

export interface Document extends DocumentValues {
  id: string
  ownerId: string | undefined
  status: DocumentStatus
  /** Not known if a release before ended it. */
  endedAt: Date | undefined
  /** Since when it is under legal hold. */
  heldAt: Date | undefined
  holdReason: string | undefined
  /** Of the canonical bytes, which every signer sees. */
  sha256Original: string
  /** Of the uploaded bytes, if they had to be rewritten. */
  sha256Uploaded: string | undefined
  /** The uploads in order, if several were joined. */
  files: readonly DocumentFile[] | undefined
  /** Of the newest version of the sealed file, which begins with the bytes of the previous one. */
  sha256Sealed: string | undefined
  /** The sender fills them in before sending. They are always read-only. */
  senderFields: Field[]
  /** Of a template: whether everybody who may send documents may use it. */
  isShared: boolean
  recipients: Recipient[]
}

export function isTemplate({ status }: Pick<Document, 'status'>): boolean {
  return status === 'template'
}

/** The names of the uploads, in one line. */
export function fileNamesOf({ files, fileName }: Pick<Document, 'files' | 'fileName'>): string {
  return files?.map(file => file.fileName).join(' + ') ?? fileName
}

/** One of several uploads that were joined. */
export interface DocumentFile {
  fileName: string
  /** Of the uploaded bytes. */
  sha256: string
  pageCount: number
}

export interface Transition {
  document: Document
  events: DomainEvent[]
}

const MIN_REMINDER_PAUSE_MS = HOUR_MS
export const MAX_ACCESS_CODE_ATTEMPTS = 5
/** In a row, at any number of codes. NIST SP 800-63B §5.2.2 allows at most 100. */
const MAX_WRONG_CODES = 25

/** Whether all attempts at the access code are used up. */
export function isCodeLocked({ accessCodeAttempts, verify }: Pick<Recipient, 'accessCodeAttempts' | 'verify'>): boolean {
  return accessCodeAttempts >= (verify ? MAX_WRONG_CODES : MAX_ACCESS_CODE_ATTEMPTS)
}

export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * DAY_MS)
}

const ENDED: ReadonlySet<DocumentStatus> = new Set(['completed', 'declined', 'voided', 'expired'])

export function isEnded(document: Pick<Document, 'status'>): boolean {
  return ENDED.has(document.status)
}

/** Until when recipients can download the sealed copy; `undefined` before completion. */
export function copyUntil({ completedAt }: Document): Date | undefined {
  return completedAt && daysAfter(completedAt, COPY_DAYS)
}

/** The actions the status allows: pages offer them, commands enforce them. */
export function allowedActions(document: Document) {
  return {
    send: document.status === 'draft',
    void: document.status === 'draft' || document.status === 'sent',
    remind: document.status === 'sent',
    delete: (document.status === 'draft' || isEnded(document)) && document.heldAt === undefined,
    retrySealing: document.status === 'sealing',
  }
}

export function requireAllowed(isAllowed: boolean, document: Document, action: EndedAction): void {
  if (!isAllowed) throw new Refusal('invalid_state', violation('document_over', { status: document.status, action }))
}

export function changeRecipient(document: Document, recipientId: string, patch: Partial<Recipient>): Document {
  return { ...document, recipients: document.recipients.map(r => (r.id === recipientId ? { ...r, ...patch } : r)) }
}

/** Throws `not_found` if the document has no such recipient. */
export function recipientOf(document: Document, recipientId: string): Recipient {
  const recipient = document.recipients.find(r => r.id === recipientId)
  if (!recipient) throw new Refusal('not_found', violation('recipient_not_found'))
  return recipient
}

export function notify(document: Document, now: Date): Transition {
  let next = document
  const events: DomainEvent[] = []
  for (const recipient of recipientsToNotify(document)) {
    const { id, deliverBy } = recipient
    const plan = mustAct(recipient) ? document.reminders : undefined
    const nextReminderAt = plan ? daysAfter(now, plan.firstAfterDays) : undefined
    const mail: Partial<Recipient> = { emailStatus: 'queued', lastMailedAt: now, nextReminderAt }
    next = changeRecipient(next, id, { status: 'sent', sentAt: now, ...(isMailed(recipient) ? mail : {}) })
    events.push({ type: 'recipient.notified', recipientId: id, ...(isMailed(recipient) ? {} : { data: { deliverBy } }) })
  }
  return { document: next, events }
}

/** draft → sent. */
export function send(document: Document, now: Date): Transition {
  if (document.status !== 'draft') {
    throw new Refusal('invalid_state', violation('document_not_a_draft', { status: document.status }))
  }
  requireSendable(document, now)
  const expiresAt = document.expiresAt ?? daysAfter(now, document.expiresInDays)
  const notified = notify({ ...document, status: 'sent', sentAt: now, expiresAt }, now)
  return { document: notified.document, events: [sentEvent(document, expiresAt), ...notified.events] }
}

/** The link works after the notification, and after completion for the copy. */
export function mayOpen(document: Document, recipient: Recipient): boolean {
  if (document.status === 'completed' || document.status === 'sealing')
    return !mustAct(recipient) || recipient.status === 'signed'
  return document.status === 'sent' && recipient.status !== 'created'
}

/** Repeating it changes nothing. A viewer may open the document after the seal. */
export function view(document: Document, recipientId: string, now: Date): Transition {
  const recipient = recipientOf(document, recipientId)
  const unopened = recipient.status === 'sent' || (recipient.status === 'created' && document.status === 'completed')
  if (!mayOpen(document, recipient) || !unopened) return { document, events: [] }
  return {
    document: changeRecipient(document, recipientId, { status: 'viewed', viewedAt: now }),
    events: [{ type: 'document.viewed', recipientId }],
  }
}

/** Ends the document for everyone who has not finished. */
export function close(document: Document, status: 'declined' | 'voided' | 'expired'): Document {
  const open = new Set<RecipientStatus>(['created', 'sent', 'viewed'])
  const next: RecipientStatus | undefined = status === 'declined' ? undefined : status
  return {
    ...document,
    status,
    recipients: document.recipients.map(r => ({
      ...r,
      nextReminderAt: undefined,
      status: next && open.has(r.status) ? next : r.status,
    })),
  }
}

/** draft or sent → voided. */
export function voidDocument(document: Document, reason: string): Transition {
  requireAllowed(allowedActions(document).void, document, 'void')
  return { document: close(document, 'voided'), events: [{ type: 'document.voided', personal: { reason } }] }
}

/** Whether the expiry time of a sent document has passed, even if `expire` has not run yet. */
export function isPastExpiry({ status, expiresAt }: Document, now: Date): boolean {
  return status === 'sent' && expiresAt !== undefined && expiresAt <= now
}

/** sent → expired once the expiry time has passed; before that nothing changes. */
export function expire(document: Document, now: Date): Transition {
  if (!isPastExpiry(document, now)) return { document, events: [] }
  return { document: close(document, 'expired'), events: [{ type: 'document.expired' }] }
}

/** At most once an hour. Recipients without tries left for the access code get new ones. */
export function remind(document: Document, now: Date): Transition {
  requireAllowed(allowedActions(document).remind, document, 'remind')
  const mayBeMailed = ({ lastMailedAt }: Recipient) =>
    !lastMailedAt || now.getTime() - lastMailedAt.getTime() >= MIN_REMINDER_PAUSE_MS
  const due = recipientsToRemind(document).filter(r => isCodeLocked(r) || mayBeMailed(r))
  const unlocked = due
    .filter(isCodeLocked)
    .reduce((next, r) => changeRecipient(next, r.id, { accessCodeAttempts: 0, accessCodeWaitUntil: undefined }), document)
  return remindRecipients(unlocked, due, now)
}

/** After a downtime each recipient gets one reminder; the next is planned from now. */
export function remindDue(document: Document, now: Date): Transition {
  if (document.status !== 'sent') return { document, events: [] }
  const due = recipientsToRemind(document).filter(r => r.nextReminderAt && r.nextReminderAt <= now)
  return remindRecipients(document, due, now)
}

function remindRecipients(document: Document, due: Recipient[], now: Date): Transition {
  let next = document
  const plan = document.reminders
  for (const r of due) {
    const sent = r.remindersSent + 1
    const nextReminderAt = plan && sent < plan.max ? daysAfter(now, plan.everyDays) : undefined
    next = changeRecipient(next, r.id, { remindersSent: sent, lastMailedAt: now, nextReminderAt, emailStatus: 'queued' })
  }
  return { document: next, events: due.map(r => ({ type: 'recipient.reminded', recipientId: r.id })) }
}

/** A mail server accepted the mail, it was written to the outbox folder, or neither. */
export type MailOutcome = 'recipient.email_accepted' | 'recipient.email_written' | 'recipient.email_failed'

/**
 * `reply`: the mail server's reply, or a note of where the file is. The entry says of a mail with
 * a one-time code that it was one.
 */
export function recordMailOutcome(
  document: Document,
  recipientId: string,
  type: MailOutcome,
  reply: string,
  isCode = false,
): Transition {
  const emailStatus: EmailStatus = type === 'recipient.email_failed' ? 'failed' : 'delivered'
  return {
    document: changeRecipient(document, recipientId, { emailStatus }),
    events: [{ type, recipientId, ...(isCode ? { data: { mail: 'one_time_code' } } : {}), personal: { reply } }],
  }
}

/** In any state: the owner only decides who manages the document. */
export function changeOwner(document: Document, ownerId: string): Transition {
  const data = { from: document.ownerId ?? null, to: ownerId }
  const type = isTemplate(document) ? 'template.owner_changed' : 'document.owner_changed'
  return { document: { ...document, ownerId }, events: [{ type, data }] }
}

/** `retention`: the time for which the organisation keeps such documents is over. */
export type ErasureReason = 'request' | 'retention'

/** The event that remains after a template, a draft or an ended document is deleted. */
export function erase(document: Document, reason: ErasureReason): DomainEvent[] {
  if (isTemplate(document)) return [{ type: 'template.deleted', data: { originalSha256: document.sha256Original } }]
  if (document.heldAt) throw new Refusal('invalid_state', violation('document_under_hold'))
  if (!allowedActions(document).delete) {
    throw new Refusal('invalid_state', violation('document_not_ended', { status: document.status }))
  }
  const { status, sha256Original: originalSha256, sha256Sealed: sealedSha256 = null } = document
  if (reason === 'request') return [{ type: 'document.deleted', data: { status, originalSha256 } }]
  return [{ type: 'document.erased', data: { reason, status, originalSha256, sealedSha256 } }]
}

// The audit entry of sending: what exactly was sent, and to whom.

/** Drafts can be edited until they are sent: the entry of the creation says what was uploaded. */
function sentEvent(document: Document, expiresAt: Date): DomainEvent {
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
