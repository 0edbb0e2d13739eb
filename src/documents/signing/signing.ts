/** The actions of a recipient: open the document, sign, decline, delegate. */
import { auditEventsOf } from '../../audit/log.ts'
import {
  type Document,
  isCodeLocked,
  MAX_ACCESS_CODE_ATTEMPTS,
  type Recipient,
  recipientOf,
  type Transition,
  view,
} from '../../core/document/document.ts'
import { MAX_REASON } from '../../core/document/document-limits.ts'
import { type FieldFile, isFile } from '../../core/field/field.ts'
import type { Language } from '../../core/language.ts'
import { Refusal, refuseIfInvalid, type ValidationError } from '../../core/refusal.ts'
import type { DeviceKeyRule } from '../../core/signing/device-key.ts'
import { localized } from '../../core/signing/message.ts'
import { readPages, writePages } from '../../core/signing/pages-shown.ts'
import type { MarkName, PersonalMark } from '../../core/signing/signature-mark.ts'
import * as signing from '../../core/signing/signing.ts'
import { requireFewHandOvers } from '../../core/signing/signing.ts'
import { openByLink } from '../../core/signing/signing-link.ts'
import { cleanText } from '../../core/text.ts'
import type { Tx } from '../../db/open.ts'
import type { Change } from '../../db/together.ts'
import type { FileRemoval } from '../../files/claims.ts'
import { isoDay } from '../../lib/clock-format.ts'
import { isSameSecret } from '../../lib/token.ts'
import type { App, Client } from '../../ports.ts'
import { type Organisation, readOrganisation } from '../../settings/organisation.ts'
import { textFitErrors } from '../draft/text-fit.ts'
import { type Command, changeDocument, type Others } from '../record.ts'
import { consentShown, ownConsent } from './consent.ts'
import {
  type DeviceKeyRequest,
  deviceKeyRule,
  type GivenDeviceKey,
  requestDeviceKey,
  withDeviceKey,
  withVerifier,
} from './device-key.ts'
import { addedFiles, dropFiles, finishLater, keepSignedFiles } from './field-files.ts'
import { formValueDeletion, type MarkContent, markDeletion, markInsertion } from './form-queries.ts'
import { deviceKeyInsertion, type UsedDeviceKey } from './key-queries.ts'
import {
  type Handed,
  hashAccessCode,
  presentSessionToken,
  recipientOrigin,
  requireUnchangedLink,
  resolveHandedOut,
  resolveLink,
  type SigningContext,
} from './link.ts'
import { createMark, type MarkedRecipient, type MarkInput, withMarking } from './marks.ts'
import { checkOneTimeCode } from './one-time-code.ts'
import { enteredTexts, unprintableErrorOf, valuesOf } from './signing-progress.ts'

type RecipientCommand = (document: Document, recipientId: string, now: Date, tx: Tx) => Transition | Promise<Transition>

/** Throws `not_found` if the link or access code has changed since the recipient was read. */
function changeByRecipient(
  app: App,
  { document: { id }, recipient }: SigningContext,
  client: Client,
  command: RecipientCommand,
  others?: Others,
): Promise<Document> {
  const checkedCommand: Command = (document, now, tx) => {
    requireUnchangedLink(document, recipient)
    return command(document, recipient.id, now, tx)
  }
  return changeDocument(app, recipientOrigin(recipient, client), id, checkedCommand, transition => transition.document, others)
}

/** What a recipient proves beside the link. */
export interface Proof {
  accessCode?: string | undefined
  /** A one-time code, and the token of the browser that asked for it. */
  code?: string | undefined
  browser?: string | undefined
  /** Of an earlier proof in this browser. */
  session?: string | undefined
}

/** Whether this browser has opened the document before, since link or code last changed. */
export async function isProven(app: App, { recipient }: SigningContext, session: string | undefined): Promise<boolean> {
  return session !== undefined && isSameSecret(session, await presentSessionToken(app, recipient))
}

/** Opens the document with the code, if it needs one, and marks it as viewed. */
export async function openDocument(app: App, token: string, proof: Proof, client: Client): Promise<SigningContext> {
  return openWith(app, await resolveLink(app, token), proof, client, view)
}

/** As `openDocument`. Of two who open the same signing link, the second is refused. */
export async function openHandedOut(app: App, token: string, proof: Proof, client: Client): Promise<Handed> {
  const { link, ...context } = await resolveHandedOut(app, token)
  const command = (document: Document, id: string, now: Date) => openByLink(document, id, link, now)
  return { ...(await openWith(app, context, proof, client, command)), link }
}

/** `command` opens the document. The recipient's codes are checked before. */
export async function openWith(
  app: App,
  context: SigningContext,
  proof: Proof,
  client: Client,
  command: RecipientCommand,
): Promise<SigningContext> {
  if (!(await isProven(app, context, proof.session))) await requireProof(app, context, proof, client)
  const document = await changeByRecipient(app, context, client, command)
  return { document, recipient: recipientOf(document, context.recipient.id) }
}

/** The one place that decides whether the link is enough. */
async function requireProof(app: App, context: SigningContext, proof: Proof, client: Client): Promise<void> {
  const { recipient } = context
  if (recipient.verify) return checkOneTimeCode(app, context, proof.code ?? '', proof.browser, client)
  if (recipient.accessCodeHash === undefined) return
  const entered = (proof.accessCode ?? '').trim()
  // If the code is locked, `checkCode` says so, whatever was entered.
  if (entered === '' && !isCodeLocked(recipient)) refuseIfInvalid([{ path: 'accessCode', ...localized('codeMissing') }])
  await checkCode(app, context, entered, client)
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
  /** Pages that were displayed, as the script of the page says. */
  pagesShown?: string
  /** Of files that came with the form and were refused. */
  fileErrors?: readonly ValidationError[]
  /** By field id: the hash of the file that the page showed, empty for none. */
  shownFiles: Record<string, string>
  /** The fields whose files the form itself has added or removed. */
  changedFiles: readonly string[]
  /** The signature of the signer's device, if there is one. */
  deviceKey?: GivenDeviceKey | undefined
}

interface PreparedSigning {
  /** Throws what is wrong with the form, unless the recipient has signed already. */
  sign(current: Document, id: string, now: Date): Transition
  /** Of drawn and uploaded marks. */
  contents: MarkContent[]
  deviceKeyRule: DeviceKeyRule
}

/** Reads the form outside the transaction that signs. */
async function prepareSigning(app: App, context: SigningContext, form: SigningForm): Promise<PreparedSigning> {
  const { document } = context
  const recipient = await withMarking(app, context.recipient)
  const { isApprovalMarked } = recipient
  const organisation = await readOrganisation(app.db)
  const { timeZone } = organisation
  const { language, shownSha256 } = form
  const shown = await consentShown(app, organisation, form, recipient)
  if (recipient.status !== 'signed' && !shown) throw new Refusal('invalid_state', localized('consentChanged'))
  const { version, sha256, text, intents } = shown ?? ownConsent(app, organisation, language, recipient)
  const values = valuesOf(recipient, form.values, language)
  const hidden = signing.hiddenWith(document, recipient, values)
  const asked = { ...recipient, fields: recipient.fields.filter(f => !hidden.has(f.id)) }
  const { marks, contents, errors } = await createMarks(app, asked, form)
  errors.push(...fileErrorsOf(asked, form), ...unprintableErrors(app, asked, form, valuesOf(asked, values, language)))
  errors.push(...(await textFitErrors(app, document, enteredTexts(asked, values))))
  const files = await addedFiles(app, recipient)
  errors.push(...unseenFileErrors(asked, form, files))
  const input: Omit<signing.SigningInput, 'day'> = {
    values,
    files,
    marks,
    isApprovalMarked,
    isConsentUnlisted: !(await app.features.isUsable(app.db, 'consentEntry')),
    consent: { version, sha256, text, given: form.consent },
    shownSha256,
    intent: intents[recipient.role],
    language,
    pagesShown: pagesShownIn(form, document),
  }
  const sign = (current: Document, id: string, now: Date) => {
    // A repeated request finds the form values already deleted; do not report them as missing.
    if (recipientOf(current, id).status !== 'signed') refuseIfInvalid(errors)
    return signing.finish(current, id, { ...input, day: isoDay(now, timeZone) }, now)
  }
  return { sign, contents, deviceKeyRule: deviceKeyRule(app, context, organisation) }
}

/** Signs the document for this session's recipient. Idempotent. */
export async function finish(app: App, context: SigningContext, form: SigningForm, client: Client): Promise<Document> {
  const { recipient } = context
  const { sign, contents, deviceKeyRule: rule } = await prepareSigning(app, context, form)
  const deviceKey = { rule, given: await withVerifier(form.deviceKey) }
  let keys: UsedDeviceKey[] = []
  const command: RecipientCommand = async (current, id, now, tx) => {
    const signed = await withDeviceKey(app, tx, sign(current, id, now), deviceKey, now)
    keys = signed.keys
    return signed.transition
  }
  let removals: FileRemoval[] = []
  const signed = await changeByRecipient(app, context, client, command, async (transition, tx) => {
    removals = []
    // A repeated request has no events.
    if (transition.events.length === 0) return []
    const after = recipientOf(transition.document, recipient.id)
    removals = await keepSignedFiles(tx, app, after)
    return [...usedMarks(tx, after, contents), ...keys.flatMap(key => deviceKeyInsertion(tx, key))]
  })
  await finishLater(app, removals)
  return signed
}

/** What is no list of its pages is not kept: it is the browser's word alone. */
function pagesShownIn({ pagesShown = '' }: SigningForm, { pageCount }: Document): string | undefined {
  const pages = readPages(pagesShown, pageCount)
  return pages && writePages(pages)
}

/**
 * What the signer's device is to sign, if it is to sign at all. Throws as `finish` would. Stores
 * nothing. `isWanted`: the signer takes the offer.
 */
export async function prepareDeviceKey(
  app: App,
  context: SigningContext,
  form: SigningForm,
  { isWanted, organisation }: { isWanted: boolean; organisation: Organisation },
): Promise<(DeviceKeyRequest & { rule: DeviceKeyRule }) | undefined> {
  const { document, recipient } = context
  const rule = deviceKeyRule(app, context, organisation)
  if (rule === 'off' || (rule === 'offered' && !isWanted)) return undefined
  const { sign } = await prepareSigning(app, context, form)
  const request = await requestDeviceKey(app, sign(document, recipient.id, app.now()), recipient, rule)
  return request && { ...request, rule }
}

/** Another window may have replaced a file: nobody signs one that the page did not show. */
function unseenFileErrors({ fields }: Recipient, form: SigningForm, files: Record<string, FieldFile>): ValidationError[] {
  const unseen = fields.filter(
    ({ id, type }) =>
      isFile(type) && !form.changedFiles.includes(id) && (files[id]?.sha256 ?? '') !== (form.shownFiles[id] ?? ''),
  )
  return unseen.map(field => ({ path: `fields.${field.id}`, ...localized('fileChanged', field) }))
}

const fileErrorsOf = ({ fields }: Recipient, { fileErrors = [] }: SigningForm) =>
  fileErrors.filter(({ path }) => fields.some(({ id }) => path === `fields.${id}`))

async function createMarks(app: App, recipient: MarkedRecipient, form: SigningForm) {
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

function unprintableErrors(
  app: App,
  asked: MarkedRecipient,
  { marks }: SigningForm,
  values: Record<string, string>,
): ValidationError[] {
  const texts = [
    ...signing.requiredMarks(asked).map(name => [name, marks[name].kind === 'typed' ? marks[name].text : ''] as const),
    ...Object.entries(values).map(([id, value]) => [`fields.${id}`, value] as const),
  ]
  return texts.flatMap(([path, text]) => unprintableErrorOf(app, path, text) ?? [])
}

export async function decline(app: App, context: SigningContext, reason: string, client: Client): Promise<Document> {
  const text = cleanText(reason)
  if (text === '') refuseIfInvalid([{ path: 'reason', ...localized('reasonMissing') }])
  if (text.length > MAX_REASON) refuseIfInvalid([{ path: 'reason', ...localized('reasonTooLong', MAX_REASON) }])
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
  const command: RecipientCommand = async (document, _, now, tx) => {
    const delegated = signing.delegate(document, id, to, now)
    const earlier = (await auditEventsOf(tx, document.id)).filter(({ type }) => type === 'recipient.delegated')
    requireFewHandOvers(document, id, earlier, now)
    return delegated
  }
  let removals: FileRemoval[] = []
  const delegated = await changeByRecipient(app, context, client, command, async (_, tx) => {
    removals = await dropFiles(tx, app, id)
    return [markDeletion(tx, id, []), formValueDeletion(tx, id)]
  })
  await finishLater(app, removals)
  return delegated
}
