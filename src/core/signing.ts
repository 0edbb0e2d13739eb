/** What a recipient does with a document that was sent to them: prove an access code, finish, decline, hand over. Pure. */
import {
  changeRecipient,
  close,
  type Document,
  daysAfter,
  isCodeLocked,
  isPastExpiry,
  notify,
  type Recipient,
  recipientOf,
  type Transition,
} from './document.ts'
import type { DomainEvent } from './event.ts'
import { type Field, isFilledByService, isMark, maxLengthOf, validateFieldValue } from './field.ts'
import { localized } from './message.ts'
import { Refusal, refuseIfInvalid, type ValidationError } from './refusal.ts'
import { isComplete, mustAct } from './routing.ts'
import { MARK_NAMES, type MarkName, type PersonalMark } from './signature-mark.ts'
import { cleanLine, emailError, sameMailbox } from './text.ts'

/** Seconds to wait after each wrong access code but the last, after which there is no further try. Anybody mistypes once. */
const CODE_PAUSES_S = [0, 5, 30, 300]

/** Seconds until the next access code is taken; 0 when it may be tried now. */
export function accessCodeWaitS({ accessCodeWaitUntil }: Pick<Recipient, 'accessCodeWaitUntil'>, now: Date): number {
  return Math.max(0, Math.ceil(((accessCodeWaitUntil?.getTime() ?? 0) - now.getTime()) / 1000))
}

/** An access code is tried. Counted before it is looked at, so that a crash gives no free guess. */
export function countAccessCodeTry(document: Document, recipientId: string, now: Date): Transition {
  const recipient = recipientOf(document, recipientId)
  const { accessCodeTries } = recipient
  if (isCodeLocked(recipient)) throw new Refusal('forbidden', localized('codeLocked'))
  const waitS = accessCodeWaitS(recipient, now)
  if (waitS > 0) throw new Refusal('rate_limited', localized('codePause', waitS), [], waitS)
  const accessCodeWaitUntil = new Date(now.getTime() + (CODE_PAUSES_S[accessCodeTries] ?? 0) * 1000)
  return {
    document: changeRecipient(document, recipientId, { accessCodeTries: accessCodeTries + 1, accessCodeWaitUntil }),
    events: [],
  }
}

/** The right code was entered: the count starts again. */
export function acceptAccessCode(document: Document, recipientId: string): Transition {
  return {
    document: changeRecipient(document, recipientId, { accessCodeTries: 0, accessCodeWaitUntil: undefined }),
    events: [{ type: 'recipient.access_code_accepted', recipientId }],
  }
}

/** A wrong code was entered; after the last try the sender has to be told. */
export function rejectAccessCode(document: Document, recipientId: string): Transition {
  const refused: DomainEvent = { type: 'recipient.access_code_failed', recipientId }
  const locked: DomainEvent[] = isCodeLocked(recipientOf(document, recipientId))
    ? [{ type: 'recipient.access_code_locked', recipientId }]
    : []
  return { document, events: [refused, ...locked] }
}

export interface Act {
  /** By field id, as entered. */
  values: Record<string, string>
  /** What is put into the fields for marks, and shown on the certificate pages. */
  marks: Record<MarkName, PersonalMark | undefined>
  consent: { version: string; sha256: string; given: boolean }
  /** SHA-256 of the document as it was shown to the person. */
  shownSha256: string
  /** The calendar day of the act in the organisation's zone, `YYYY-MM-DD`: what date fields hold. */
  day: string
  /** The intent sentence that stood beside the button, and the language of what was shown. */
  intent: string
  language: string
}

/** viewed → signed; the last one takes the document to `sealing`. A second finish by the same person changes nothing. */
export function finish(document: Document, recipientId: string, act: Act, now: Date): Transition {
  const recipient = recipientOf(document, recipientId)
  if (recipient.status === 'signed') return { document, events: [] }
  demandOpen(document, now)
  if (!mustAct(recipient)) throw new Refusal('invalid_state', localized('nothingForViewers'))
  if (recipient.status !== 'viewed') throw new Refusal('invalid_state', localized('notOpened'))
  if (act.shownSha256 !== document.sha256Original) throw new Refusal('invalid_state', localized('documentChanged'))
  const { fields, marks } = fillIn(recipient, act)
  const signed = changeRecipient(document, recipientId, {
    status: 'signed',
    signedAt: now,
    ...marks,
    consentVersion: act.consent.version,
    consentSha256: act.consent.sha256,
    nextReminderAt: undefined,
    fields,
  })
  const event: DomainEvent = {
    type: 'recipient.signed',
    recipientId,
    data: {
      consentVersion: act.consent.version,
      consentSha256: act.consent.sha256,
      originalSha256: act.shownSha256,
      intent: act.intent,
      language: act.language,
    },
    personal: {
      ...Object.fromEntries(MARK_NAMES.map(name => [name, marks[name] ?? null])),
      fieldValues: Object.fromEntries(fields.map(f => [f.id, f.value ?? null])),
    },
  }
  if (!isComplete(signed)) {
    const told = notify(signed, now)
    return { document: told.document, events: [event, ...told.events] }
  }
  return { document: { ...signed, status: 'sealing' }, events: [event, { type: 'document.sealing' }] }
}

function demandOpen(document: Document, now: Date): void {
  if (document.status !== 'sent') throw new Refusal('invalid_state', localized('notOpen', document.status))
  if (isPastExpiry(document, now)) throw new Refusal('invalid_state', localized('signingPeriodOver'))
}

/** What a field holds before the recipient touches it: the sender's word, or what is known of the person. */
export function proposedValue({ value, type }: Field, { name, email }: Pick<Recipient, 'name' | 'email'>): string | undefined {
  return value ?? (type === 'name' ? name : type === 'email' ? email : undefined)
}

/** The marks a person is asked for: everyone signs with one, initials only where there is a field for them. */
export function requiredMarks({ fields }: Pick<Recipient, 'fields'>): MarkName[] {
  return fields.some(f => f.type === 'initials') ? ['signature', 'initials'] : ['signature']
}

const MISSING = { signature: 'signatureMissing', initials: 'initialsMissing' } as const

interface Filled {
  fields: Field[]
  marks: Record<MarkName, PersonalMark | undefined>
}

/** The fields as the person leaves them; throws `validation_failed` with every error, each under `fields.<id>`. */
function fillIn(recipient: Recipient, act: Act): Filled {
  const errors: ValidationError[] = []
  if (!act.consent.given) errors.push({ path: 'consent', ...localized('consentMissing') })
  const asked = requiredMarks(recipient)
  for (const name of asked) {
    const mark = act.marks[name]
    const limit = maxLengthOf({ type: name })
    if (mark === undefined || mark.text === '') errors.push({ path: name, ...localized(MISSING[name]) })
    // What is drawn or photographed takes its words from the recipient's name, however long.
    else if (mark.kind === 'typed' && [...mark.text].length > limit)
      errors.push({ path: name, ...localized('markTooLong', limit) })
  }
  const fields = recipient.fields.map(field => {
    // Checked once above for all places where the mark goes.
    if (isMark(field.type)) return { ...field, value: act.marks[field.type as MarkName]?.text }
    const judged = validateFieldValue(field, enteredFor(field, act))
    if ('error' in judged) errors.push({ path: `fields.${field.id}`, ...judged.error })
    return 'error' in judged ? field : { ...field, value: judged.value }
  })
  refuseIfInvalid(errors)
  return {
    fields,
    marks: { signature: act.marks.signature, initials: asked.includes('initials') ? act.marks.initials : undefined },
  }
}

function enteredFor(field: Field, act: Act): string | undefined {
  if (isFilledByService(field.type)) return act.day
  return field.readOnly ? field.value : act.values[field.id]
}

/** What a recipient has open: theirs to decline or to hand over. */
function hasOpen(document: Document, recipient: Recipient): boolean {
  return document.status === 'sent' && mustAct(recipient) && (recipient.status === 'sent' || recipient.status === 'viewed')
}

/** sent → declined, by one who had to act. */
export function decline(document: Document, recipientId: string, reason: string, now: Date): Transition {
  const recipient = recipientOf(document, recipientId)
  demandOpen(document, now)
  if (!hasOpen(document, recipient)) throw new Refusal('invalid_state', localized('nothingToDecline'))
  const declined = changeRecipient(document, recipientId, { status: 'declined', declinedAt: now, declineReason: reason })
  return { document: close(declined, 'declined'), events: [{ type: 'document.declined', recipientId, personal: { reason } }] }
}

/** Whether this recipient may name somebody in their stead. */
export function mayDelegate(document: Document, recipient: Recipient): boolean {
  return document.allowDelegation && hasOpen(document, recipient)
}

/**
 * A colleague takes the recipient's place: the links mailed so far die, a new one goes to the colleague. What was asked of the recipient is asked of
 * the colleague, the access code too. Throws `validation_failed` with every error.
 */
export function delegate(document: Document, recipientId: string, to: { name: string; email: string }, now: Date): Transition {
  const recipient = recipientOf(document, recipientId)
  demandOpen(document, now)
  if (!hasOpen(document, recipient)) throw new Refusal('invalid_state', localized('nothingToDelegate'))
  if (!document.allowDelegation) throw new Refusal('forbidden', localized('delegationForbidden'))
  const name = cleanLine(to.name)
  const email = to.email.trim()
  const limit = maxLengthOf({ type: 'signature' })
  const errors: ValidationError[] = []
  if (name === '') errors.push({ path: 'name', ...localized('nameMissing') })
  else if ([...name].length > limit) errors.push({ path: 'name', ...localized('markTooLong', limit) })
  const taken = document.recipients.some(r => r.id !== recipientId && mustAct(r) && sameMailbox(r.email, email))
  if (emailError(email)) errors.push({ path: 'email', ...localized('addressWrong') })
  else if (sameMailbox(email, recipient.email)) errors.push({ path: 'email', ...localized('sameAddress') })
  else if (taken) errors.push({ path: 'email', ...localized('addressInUse') })
  refuseIfInvalid(errors)
  const plan = document.reminders
  const next = changeRecipient(document, recipientId, {
    name,
    email,
    status: 'sent',
    linkVersion: recipient.linkVersion + 1,
    sentAt: now,
    viewedAt: undefined,
    emailStatus: 'queued',
    accessCodeTries: 0,
    accessCodeWaitUntil: undefined,
    remindersSent: 0,
    lastMailedAt: now,
    nextReminderAt: plan ? daysAfter(now, plan.firstAfterDays) : undefined,
  })
  const from = { name: recipient.name, email: recipient.email }
  const events: DomainEvent[] = [
    { type: 'recipient.delegated', recipientId, personal: { from, to: { name, email } } },
    { type: 'recipient.notified', recipientId },
  ]
  return { document: next, events }
}
