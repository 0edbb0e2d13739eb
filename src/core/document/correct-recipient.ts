/** Corrects the name or address of a recipient after the document was sent. Pure. */
import { Refusal, refuseIfInvalid } from '../refusal.ts'
import { isMailed, mustAct } from '../signing/routing.ts'
import { cleanLine, emailError, lineError, sameMailbox, samePerson } from '../text.ts'
import { violation } from '../violation.ts'
import {
  changeRecipient,
  type Document,
  daysAfter,
  isPastExpiry,
  type Recipient,
  recipientOf,
  type Transition,
} from './document.ts'
import type { DomainEvent } from './event.ts'
import { ErrorList, type ValidationDeps } from './new-document.ts'

/** Members left out keep their value. */
export interface Correction {
  name?: string
  email?: string
}

export interface CorrectionDeps extends Pick<ValidationDeps, 'unprintable'> {
  now: Date
}

/** Whether the name or address may still be corrected. */
export function mayCorrect({ status }: Pick<Document, 'status'>, recipient: Pick<Recipient, 'status'>): boolean {
  return status === 'sent' && (recipient.status === 'created' || recipient.status === 'sent' || recipient.status === 'viewed')
}

/** Whether a corrected address is another mailbox, and so perhaps another person's. */
export function isOtherMailbox(before: Pick<Recipient, 'email'>, after: Pick<Recipient, 'email'>): boolean {
  return !sameMailbox(before.email, after.email)
}

/** Links mailed before become invalid. Who was invited before is invited again. */
export function correctRecipient(document: Document, recipientId: string, to: Correction, deps: CorrectionDeps): Transition {
  const recipient = recipientOf(document, recipientId)
  requireCorrectable(document, recipient, deps.now)
  const { name, email } = correctedPerson(document, recipient, to, deps)
  if (name === recipient.name && email === recipient.email) return { document, events: [] }
  const isMailedAgain = recipient.status !== 'created' && isMailed(recipient)
  const next = changeRecipient(document, recipientId, {
    name,
    email,
    linkVersion: recipient.linkVersion + 1,
    ...(isOtherMailbox(recipient, { email }) ? asNewPerson(document, recipient, deps.now) : {}),
    ...(isMailedAgain ? { emailStatus: 'queued', lastMailedAt: deps.now } : {}),
  })
  const from = { name: recipient.name, email: recipient.email }
  const corrected: DomainEvent = { type: 'recipient.corrected', recipientId, personal: { from, to: { name, email } } }
  return { document: next, events: isMailedAgain ? [corrected, { type: 'recipient.notified', recipientId }] : [corrected] }
}

/** Nothing that the person before has done counts for the owner of another mailbox. */
function asNewPerson({ reminders }: Document, { status, deliverBy }: Recipient, now: Date): Partial<Recipient> {
  const forgotten = { accessCodeAttempts: 0, accessCodeWaitUntil: undefined, remindersSent: 0, viewedAt: undefined }
  if (status === 'created') return forgotten
  const nextReminderAt = reminders && isMailed({ deliverBy }) ? daysAfter(now, reminders.firstAfterDays) : undefined
  return { ...forgotten, status: 'sent', sentAt: now, nextReminderAt }
}

function requireCorrectable(document: Document, recipient: Recipient, now: Date): void {
  if (document.status !== 'sent')
    throw new Refusal('invalid_state', violation('recipients_not_correctable', { status: document.status }))
  if (isPastExpiry(document, now)) throw new Refusal('invalid_state', violation('document_expired_for_corrections'))
  if (!mayCorrect(document, recipient))
    throw new Refusal('invalid_state', violation('recipient_not_correctable', { status: recipient.status }))
}

function correctedPerson(
  document: Document,
  before: Recipient,
  to: Correction,
  { unprintable }: CorrectionDeps,
): Required<Correction> {
  const name = to.name === undefined ? before.name : cleanLine(to.name)
  const email = to.email === undefined ? before.email : to.email.trim()
  const errors = new ErrorList(unprintable)
  if (to.name !== undefined) errors.add('name', lineError(to.name))
  errors.add('email', emailError(email))
  errors.addUnprintable('name', to.name)
  errors.addUnprintable('email', to.email)
  const other = document.recipients.find(r => r.id !== before.id && mustAct(r) && samePerson(r, { name, email }))
  if (other && mustAct(before)) errors.add('email', violation('mailbox_of_person', { name: other.name }))
  refuseIfInvalid(errors.all)
  return { name, email }
}
