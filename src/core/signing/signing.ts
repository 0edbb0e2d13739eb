/**
 * The commands of a recipient: enter the access code, sign, decline, delegate; and that of a sender
 * who unlocks the code. Pure.
 */
import { DAY_MS } from '../../lib/duration.ts'
import {
  changeRecipient,
  close,
  type Document,
  daysAfter,
  isCodeLocked,
  isPastExpiry,
  mayOpen,
  notify,
  type Recipient,
  recipientOf,
  type Transition,
} from '../document/document.ts'
import type { DomainEvent } from '../document/event.ts'
import {
  acceptedTypes,
  type Field,
  type FieldFile,
  isFile,
  isFilledByService,
  isMark,
  maxLengthOf,
  validateFieldValue,
} from '../field/field.ts'
import { hiddenFields, placedFields } from '../field/visibility.ts'
import { pauseLeftS } from '../pause.ts'
import { Refusal, refuseIfInvalid, type ValidationError } from '../refusal.ts'
import { cleanLine, emailError, sameMailbox, samePerson } from '../text.ts'
import { violation } from '../violation.ts'
import { localized } from './message.ts'
import { isComplete, maySign, mustAct } from './routing.ts'
import { MARK_NAMES, type MarkName, type PersonalMark } from './signature-mark.ts'

/** What the recipient entered and was shown when signing. */
export interface SigningInput {
  /** By field id. */
  values: Record<string, string>
  /** By field id; they were examined. */
  files: Record<string, FieldFile>
  marks: Record<MarkName, PersonalMark | undefined>
  /** As `Marking` says. */
  isApprovalMarked?: boolean
  consent: { version: string; sha256: string; text: string; given: boolean }
  /** Without an entry of its own for the consent: the release before could not print one. */
  isConsentUnlisted?: boolean
  shownSha256: string
  /** The value of date fields, `YYYY-MM-DD`: the day of signing in the organisation's time zone. */
  day: string
  /** The statement of intent beside the button. */
  intent: string
  language: string
  /** Pages that the signing page displayed, as in `pages-shown.ts`. Undefined without a script. */
  pagesShown?: string | undefined
}

/** viewed → signed; the last signature leads to `sealing`. Repeating it changes nothing. */
export function finish(document: Document, recipientId: string, input: SigningInput, now: Date): Transition {
  const recipient = recipientOf(document, recipientId)
  if (recipient.status === 'signed') return { document, events: [] }
  requireOpen(document, now)
  if (!mustAct(recipient)) throw new Refusal('invalid_state', localized('nothingForViewers'))
  if (recipient.status !== 'viewed') throw new Refusal('invalid_state', localized('notOpened'))
  if (input.shownSha256 !== document.sha256Original) throw new Refusal('invalid_state', localized('documentChanged'))
  const { fields, marks } = fillIn(document, recipient, input)
  const signed = changeRecipient(document, recipientId, {
    status: 'signed',
    signedAt: now,
    ...marks,
    consentVersion: input.consent.version,
    consentSha256: input.consent.sha256,
    nextReminderAt: undefined,
    fields,
  })
  const event: DomainEvent = {
    type: 'recipient.signed',
    recipientId,
    data: {
      consentVersion: input.consent.version,
      consentSha256: input.consent.sha256,
      originalSha256: input.shownSha256,
      intent: input.intent,
      language: input.language,
      ...(input.pagesShown === undefined ? {} : { pagesShown: input.pagesShown }),
    },
    personal: {
      consentText: input.consent.text,
      // Where no mark says who confirmed.
      ...(Object.values(marks).some(Boolean) ? {} : { confirmedAs: recipient.name }),
      ...Object.fromEntries(MARK_NAMES.map(name => [name, marks[name] ?? null])),
      fieldValues: Object.fromEntries(fields.map(f => [f.id, f.value ?? null])),
      ...(fields.some(f => f.file) ? { fieldFiles: filesOf(fields) } : {}),
    },
  }
  const acts = [...consentEvents(recipientId, input), event]
  if (!isComplete(signed)) {
    const notified = notify(signed, now)
    return { document: notified.document, events: [...acts, ...notified.events] }
  }
  return { document: { ...signed, status: 'sealing' }, events: [...acts, { type: 'document.sealing' }] }
}

/** Before the signature: the service learns of both by one request. */
function consentEvents(recipientId: string, { consent, language, isConsentUnlisted = false }: SigningInput): DomainEvent[] {
  const data = { consentVersion: consent.version, consentSha256: consent.sha256, language }
  return isConsentUnlisted ? [] : [{ type: 'recipient.consented', recipientId, data }]
}

function requireOpen(document: Document, now: Date): void {
  if (document.status !== 'sent') throw new Refusal('invalid_state', localized('notOpen', document.status))
  if (isPastExpiry(document, now)) throw new Refusal('invalid_state', localized('signingPeriodOver'))
}

/** The value before the recipient changes it: the sender's, or the recipient's name or address. */
export function proposedValue({ value, type }: Field, { name, email }: Pick<Recipient, 'name' | 'email'>): string | undefined {
  return value ?? (type === 'name' ? name : type === 'email' ? email : undefined)
}

/**
 * The marks a person must make: those with a field, and of a signer always a signature. An approver
 * confirms with name and consent alone.
 */
export function requiredMarks({ role, fields, isApprovalMarked = false }: Marking): MarkName[] {
  const isSigned = maySign(role) || (isApprovalMarked && mustAct({ role }))
  return MARK_NAMES.filter(name => (name === 'signature' && isSigned) || fields.some(({ type }) => type === name))
}

export interface Marking extends Pick<Recipient, 'role' | 'fields'> {
  /** An approver makes a signature too: the release before, which may still serve, asks for one. */
  isApprovalMarked?: boolean
}

/**
 * The ids of the document's fields that are hidden from a recipient who has entered these values.
 * The values of others are those that the document has.
 */
export function hiddenWith(document: Document, recipient: Recipient, values: Readonly<Record<string, string>>): Set<string> {
  const own = new Set(recipient.fields)
  return hiddenFields(
    placedFields(document).map(({ field }) => field),
    field => (own.has(field) && !field.readOnly ? values[field.id] : field.value),
  )
}

function filesOf(fields: readonly Field[]) {
  return Object.fromEntries(fields.flatMap(({ id, file }) => (file ? [[id, { ...file }]] : [])))
}

const MISSING = { signature: 'signatureMissing', initials: 'initialsMissing' } as const

interface CompletedFields {
  fields: Field[]
  marks: Record<MarkName, PersonalMark | undefined>
}

/** Throws `validation_failed` with all errors, those of fields under `fields.<id>`. */
function fillIn(document: Document, recipient: Recipient, input: SigningInput): CompletedFields {
  const errors: ValidationError[] = []
  if (!input.consent.given) errors.push({ path: 'consent', ...localized('consentMissing') })
  const hidden = hiddenWith(document, recipient, input.values)
  const { isApprovalMarked = false } = input
  const shown = recipient.fields.filter(({ id }) => !hidden.has(id))
  const required = requiredMarks({ ...recipient, fields: shown, isApprovalMarked })
  for (const name of required) {
    const mark = input.marks[name]
    const limit = maxLengthOf({ type: name })
    if (mark === undefined || mark.text === '') errors.push({ path: name, ...localized(MISSING[name]) })
    // The text of a drawing or picture is the recipient's name, which may be longer.
    else if (mark.kind === 'typed' && [...mark.text].length > limit)
      errors.push({ path: name, ...localized('markTooLong', limit) })
  }
  const fields = recipient.fields.map(field => {
    if (hidden.has(field.id)) return { ...field, value: undefined, file: undefined }
    // Validated above, once for all fields with the mark.
    if (isMark(field.type)) return { ...field, value: input.marks[field.type]?.text }
    if (isFile(field.type)) return withFile(field, input.files[field.id], errors)
    // What the sender left out of a read-only field, the recipient cannot enter.
    const numbers = field.readOnly ? 'stored' : { language: input.language }
    const asked = { ...field, required: field.required && !field.readOnly }
    const result = validateFieldValue(asked, enteredFor(field, input), numbers)
    if ('error' in result) errors.push({ path: `fields.${field.id}`, ...result.error })
    return 'error' in result ? field : { ...field, value: result.value }
  })
  refuseIfInvalid(errors)
  return {
    fields,
    // What another page still sends of a mark that is not asked for is not kept.
    marks: {
      signature: required.includes('signature') ? input.marks.signature : undefined,
      initials: required.includes('initials') ? input.marks.initials : undefined,
    },
  }
}

/** The content was examined before. */
function withFile(field: Field, file: FieldFile | undefined, errors: ValidationError[]): Field {
  const accepted = file !== undefined && acceptedTypes(field).includes(file.mediaType) ? file : undefined
  if (accepted === undefined && field.required) errors.push({ path: `fields.${field.id}`, ...localized('fileMissing', field) })
  return { ...field, value: accepted?.fileName, file: accepted }
}

function enteredFor(field: Field, input: SigningInput): string | undefined {
  if (isFilledByService(field.type)) return input.day
  return field.readOnly ? field.value : input.values[field.id]
}

// The access code.

/** Seconds to wait after each wrong access code but the last. The first mistake costs nothing. */
const CODE_PAUSES_S = [0, 5, 30, 300]
export const MAX_CODE_PAUSE_S = Math.max(...CODE_PAUSES_S)

/** Seconds until the next access code may be tried; 0 if it may be tried now. */
export function accessCodeWaitS({ accessCodeWaitUntil }: Pick<Recipient, 'accessCodeWaitUntil'>, now: Date): number {
  return pauseLeftS(accessCodeWaitUntil, now, MAX_CODE_PAUSE_S)
}

/** Call it before the check, so that a crash gives no free guess. */
export function countAccessCodeAttempt(document: Document, recipientId: string, now: Date): Transition {
  const recipient = recipientOf(document, recipientId)
  const { accessCodeAttempts } = recipient
  if (isCodeLocked(recipient)) throw new Refusal('forbidden', localized('codeLocked'))
  const waitS = accessCodeWaitS(recipient, now)
  if (waitS > 0) throw new Refusal('rate_limited', localized('codePause', waitS), [], waitS)
  const accessCodeWaitUntil = new Date(now.getTime() + (CODE_PAUSES_S[accessCodeAttempts] ?? 0) * 1000)
  return {
    document: changeRecipient(document, recipientId, { accessCodeAttempts: accessCodeAttempts + 1, accessCodeWaitUntil }),
    events: [],
  }
}

export function acceptAccessCode(document: Document, recipientId: string): Transition {
  return {
    document: changeRecipient(document, recipientId, { accessCodeAttempts: 0, accessCodeWaitUntil: undefined }),
    events: [{ type: 'recipient.access_code_accepted', recipientId }],
  }
}

/** The access code was wrong; after the last attempt an event informs the sender. */
export function rejectAccessCode(document: Document, recipientId: string): Transition {
  const refused: DomainEvent = { type: 'recipient.access_code_failed', recipientId }
  const locked: DomainEvent[] = isCodeLocked(recipientOf(document, recipientId))
    ? [{ type: 'recipient.access_code_locked', recipientId }]
    : []
  return { document, events: [refused, ...locked] }
}

// New tries for a recipient who entered too many wrong codes.

/** Also after the end, for those who may open the document by their link. */
export function mayUnlock(document: Document, recipient: Recipient): boolean {
  return isCodeLocked(recipient) && mayOpen(document, recipient)
}

/** Of an access code, or of one-time codes. Nothing is mailed: the link stays. */
export function unlockRecipient(document: Document, recipientId: string): Transition {
  const recipient = recipientOf(document, recipientId)
  if (!isCodeLocked(recipient)) throw new Refusal('invalid_state', violation('not_locked'))
  if (!mayOpen(document, recipient))
    throw new Refusal('invalid_state', violation('locked_out_anyway', { status: document.status }))
  return {
    document: changeRecipient(document, recipientId, { accessCodeAttempts: 0, accessCodeWaitUntil: undefined }),
    events: [{ type: 'recipient.access_code_unlocked', recipientId }],
  }
}

// Declining and delegating.

/** Whether the recipient still has to act, and so may decline or delegate. */
function isPending(document: Document, recipient: Recipient): boolean {
  return document.status === 'sent' && mustAct(recipient) && (recipient.status === 'sent' || recipient.status === 'viewed')
}

/** sent → declined, by a recipient who had to act. */
export function decline(document: Document, recipientId: string, reason: string, now: Date): Transition {
  const recipient = recipientOf(document, recipientId)
  requireOpen(document, now)
  if (!isPending(document, recipient)) throw new Refusal('invalid_state', localized('nothingToDecline'))
  const declined = changeRecipient(document, recipientId, { status: 'declined', declinedAt: now, declineReason: reason })
  return { document: close(declined, 'declined'), events: [{ type: 'document.declined', recipientId, personal: { reason } }] }
}

export function mayDelegate(document: Document, recipient: Recipient): boolean {
  return document.allowDelegation && isPending(document, recipient)
}

/** Fields and access code stay; links mailed before become invalid. Throws `validation_failed`. */
export function delegate(document: Document, recipientId: string, to: { name: string; email: string }, now: Date): Transition {
  const recipient = recipientOf(document, recipientId)
  requireOpen(document, now)
  if (!isPending(document, recipient)) throw new Refusal('invalid_state', localized('nothingToDelegate'))
  if (!document.allowDelegation) throw new Refusal('forbidden', localized('delegationForbidden'))
  const name = cleanLine(to.name)
  const email = to.email.trim()
  const limit = maxLengthOf({ type: 'signature' })
  const errors: ValidationError[] = []
  if (name === '') errors.push({ path: 'name', ...localized('nameMissing') })
  else if ([...name].length > limit) errors.push({ path: 'name', ...localized('markTooLong', limit) })
  const taken = document.recipients.some(r => r.id !== recipientId && mustAct(r) && samePerson(r, { name, email }))
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
    // The sender's program does not know how to reach the colleague.
    deliverBy: 'email',
    sentAt: now,
    viewedAt: undefined,
    emailStatus: 'queued',
    accessCodeAttempts: 0,
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

// Limits hand-overs in a day: each one mails a stranger, and the sender.

/** Of one recipient's place, whoever has it. */
export const MAX_HAND_OVERS_OF_RECIPIENT = 3
/** Of a document; where more have to act, as many as they are. */
export const MAX_HAND_OVERS_OF_DOCUMENT = 20

interface HandOver {
  recipientId: string | null
  /** RFC 3339. */
  at: string
}

/** `earlier`: all hand-overs of the document. Throws `rate_limited` with the time to wait. */
export function requireFewHandOvers(
  { recipients }: Pick<Document, 'recipients'>,
  recipientId: string,
  earlier: readonly HandOver[],
  now: Date,
): void {
  const since = now.getTime() - DAY_MS
  const times = (some: readonly HandOver[]) =>
    some.map(({ at }) => Date.parse(at)).filter(at => at > since && at <= now.getTime())
  const own = times(earlier.filter(each => each.recipientId === recipientId))
  const limits: [number[], number][] = [
    [own, MAX_HAND_OVERS_OF_RECIPIENT],
    [times(earlier), Math.max(MAX_HAND_OVERS_OF_DOCUMENT, recipients.filter(mustAct).length)],
  ]
  const waits = limits.flatMap(([at, max]) => (at.length < max ? [] : [(at.toSorted((a, b) => b - a)[max - 1] ?? 0) - since]))
  if (waits.length === 0) return
  throw new Refusal('rate_limited', localized('delegatedOften'), [], Math.ceil(Math.max(...waits) / 1000))
}
