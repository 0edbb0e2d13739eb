/** The actions of a recipient: open the document, sign, decline, delegate. */
import type { Document, Recipient, Transition } from '../core/document.ts'
import { isCodeLocked, MAX_ACCESS_CODE_ATTEMPTS, recipientOf, view } from '../core/document.ts'
import type { Language } from '../core/language.ts'
import { localized } from '../core/message.ts'
import { Refusal, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { MARK_NAMES, type MarkName, type PersonalMark } from '../core/signature-mark.ts'
import * as signing from '../core/signing.ts'
import { cleanText } from '../core/text.ts'
import type { Tx } from '../db/open.ts'
import type { Change } from '../db/together.ts'
import { isoDay } from '../lib/clock-format.ts'
import { isSameSecret } from '../lib/token.ts'
import { type App, type Client, SYSTEM } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { consentId, consentText, intentText } from './consent.ts'
import { formValueDeletion, type MarkContent, markDeletion, markInsertion } from './form-queries.ts'
import { hashAccessCode, requireUnchangedLink, resolveLink, type SigningContext } from './link.ts'
import { createMark, type MarkInput } from './marks.ts'
import { type Command, changeDocument, type Others } from './record.ts'
import { unprintableErrorOf, valuesOf } from './signing-progress.ts'

/** Throws `not_found` if the link or access code has changed since the recipient was read. */
function changeByRecipient(
  app: App,
  { document: { id }, recipient }: SigningContext,
  client: Client,
  command: (document: Document, recipientId: string, now: Date) => Transition,
  others?: Others,
): Promise<Document> {
  // As the system, a recipient may change a document of any owner.
  const actor = { ...SYSTEM.actor, label: `recipient:${recipient.id}`, idempotencyOwner: recipient.id, scopes: [] }
  const checkedCommand: Command = (document, now) => {
    requireUnchangedLink(document, recipient)
    return command(document, recipient.id, now)
  }
  return changeDocument(app, { actor, ...client }, id, checkedCommand, transition => transition.document, others)
}

/** Opens the document with the access code, if it needs one, and marks it as viewed. */
export async function openDocument(app: App, token: string, code: string | undefined, client: Client): Promise<SigningContext> {
  const context = await resolveLink(app, token)
  if (context.recipient.accessCodeHash !== undefined) {
    const entered = (code ?? '').trim()
    // If the code is locked, `checkCode` says so, whatever was entered.
    if (entered === '' && !isCodeLocked(context.recipient)) refuseIfInvalid([{ path: 'accessCode', ...localized('codeMissing') }])
    await checkCode(app, context, entered, client)
  }
  await changeByRecipient(app, context, client, view)
  return resolveLink(app, token)
}

async function checkCode(app: App, context: SigningContext, code: string, client: Client): Promise<void> {
  const { id, accessCodeHash = '' } = context.recipient
  // Counted before the check, so that a crash gives no free guess.
  await changeByRecipient(app, context, client, signing.countAccessCodeAttempt)
  const isRight = isSameSecret(hashAccessCode(app, id, code), accessCodeHash)
  const command = isRight ? signing.acceptAccessCode : signing.rejectAccessCode
  const after = await changeByRecipient(app, context, client, command)
  if (isRight) return
  const attemptsLeft = MAX_ACCESS_CODE_ATTEMPTS - recipientOf(after, id).accessCodeAttempts
  const message = attemptsLeft > 0 ? localized('codeWrong', attemptsLeft) : localized('codeLocked')
  refuseIfInvalid([{ path: 'accessCode', ...message }])
}

export interface SigningForm {
  /** By field id. As in HTML forms, a ticked box is `on` and an unticked one is missing. */
  values: Record<string, string>
  marks: Record<MarkName, MarkInput>
  consent: boolean
  /** Of the consent text that was shown. */
  consentId: string
  /** SHA-256 of the PDF that the recipient was shown. */
  shownSha256: string
  /** Language of the page the form was on. */
  language: Language
}

/** Signs the document for this session's recipient. Idempotent. */
export async function finish(app: App, context: SigningContext, form: SigningForm, client: Client): Promise<Document> {
  const { recipient } = context
  const { name, contact, timeZone } = await readOrganisation(app.db)
  const { language, shownSha256 } = form
  const { version, sha256 } = consentText(name, contact, language)
  if (recipient.status !== 'signed' && form.consentId !== consentId({ version, sha256 }))
    throw new Refusal('invalid_state', localized('consentChanged'))
  const { marks, contents, errors } = await createMarks(app, recipient, form)
  errors.push(...unprintableErrors(app, form))
  const input: Omit<signing.SigningInput, 'day'> = {
    values: valuesOf(recipient, form.values),
    marks,
    consent: { version, sha256, given: form.consent },
    shownSha256,
    intent: intentText(recipient.role, language),
    language,
  }
  const sign = (document: Document, id: string, now: Date) => {
    // A repeated request finds the form values already deleted; do not report them as missing.
    if (recipientOf(document, id).status !== 'signed') refuseIfInvalid(errors)
    return signing.finish(document, id, { ...input, day: isoDay(now, timeZone) }, now)
  }
  // A repeated request has no events.
  return changeByRecipient(app, context, client, sign, ({ document, events }, tx) =>
    events.length > 0 ? usedMarks(tx, recipientOf(document, recipient.id), contents) : [],
  )
}

async function createMarks(app: App, recipient: Recipient, form: SigningForm) {
  const marks: Record<MarkName, PersonalMark | undefined> = { signature: undefined, initials: undefined }
  const contents: MarkContent[] = []
  const errors: ValidationError[] = []
  for (const name of signing.requiredMarks(recipient)) {
    const result = await createMark(app, recipient, name, form.marks[name])
    if ('error' in result) errors.push(result.error)
    else {
      marks[name] = result.mark
      if (result.content) contents.push(result.content)
    }
  }
  return { marks, contents, errors }
}

/** Keeps the contents of the used marks alone, and no form values. */
function usedMarks(tx: Tx, { id, signature, initials }: Recipient, contents: readonly MarkContent[]): Change[] {
  const used = [signature, initials].flatMap(mark => (mark && mark.kind !== 'typed' ? [mark.sha256] : []))
  return [...contents.map(content => markInsertion(tx, id, content)), markDeletion(tx, id, used), formValueDeletion(tx, id)]
}

function unprintableErrors(app: App, { marks, values }: SigningForm): ValidationError[] {
  const texts = [
    ...MARK_NAMES.map(name => [name, marks[name].kind === 'typed' ? marks[name].text : ''] as const),
    ...Object.entries(values).map(([id, value]) => [`fields.${id}`, value] as const),
  ]
  return texts.flatMap(([path, text]) => unprintableErrorOf(app, path, text) ?? [])
}

const MAX_REASON_LENGTH = 1000

export async function decline(app: App, context: SigningContext, reason: string, client: Client): Promise<Document> {
  const text = cleanText(reason)
  if (text === '') refuseIfInvalid([{ path: 'reason', ...localized('reasonMissing') }])
  if (text.length > MAX_REASON_LENGTH) refuseIfInvalid([{ path: 'reason', ...localized('reasonTooLong', MAX_REASON_LENGTH) }])
  return changeByRecipient(app, context, client, (document, id, now) => signing.decline(document, id, text, now))
}

export async function delegate(
  app: App,
  context: SigningContext,
  to: { name: string; email: string },
  client: Client,
): Promise<Document> {
  const { id } = context.recipient
  refuseIfInvalid(Object.entries(to).flatMap(([path, text]) => unprintableErrorOf(app, path, text) ?? []))
  const command = (document: Document, _: string, now: Date) => signing.delegate(document, id, to, now)
  return changeByRecipient(app, context, client, command, (_, tx) => [markDeletion(tx, id, []), formValueDeletion(tx, id)])
}
