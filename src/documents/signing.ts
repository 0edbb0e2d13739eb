/** What a recipient does behind their link: open, enter a code, finish, decline, hand over. */
import * as core from '../core/document.ts'
import type { Language } from '../core/language.ts'
import { localized } from '../core/message.ts'
import { Refusal, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { MARK_NAMES, type MarkName, type PersonalMark } from '../core/signature-mark.ts'
import * as act from '../core/signing.ts'
import { cleanText } from '../core/text.ts'
import type { Tx } from '../db/open.ts'
import { isoDay } from '../lib/clock-format.ts'
import { isSameSecret } from '../lib/token.ts'
import { type Actor, type App, type Origin, SYSTEM } from '../ports.ts'
import { organisation } from '../settings/organisation.ts'
import { consentId, consentText, intentText } from './consent.ts'
import { dropFormValues, dropMarkContentsExcept, type MarkContent, saveMarkContent } from './form-queries.ts'
import { hashAccessCode, requireLiveRecipient, resolveLink, resolveSigningSession, type SigningContext } from './link.ts'
import { createMark, type MarkInput } from './marks.ts'
import { change, changeTo } from './record.ts'
import { unprintableErrorOf, valuesOf } from './signing-progress.ts'

type Client = Pick<Origin, 'ip' | 'userAgent'>

function by(recipient: core.Recipient, client: Client): Origin {
  const actor: Actor = { ...SYSTEM.actor, label: `recipient:${recipient.id}`, idempotencyOwner: recipient.id, scopes: [] }
  return { actor, ...client }
}

type Command = (document: core.Document, now: Date) => core.Transition

/** The command, as long as the link of the recipient who gives it lives. */
function requireLiveLink(known: core.Recipient, command: Command): Command {
  return (document, now) => {
    requireLiveRecipient(document, known)
    return command(document, now)
  }
}

/**
 * A person asks to see the document by an act of their own, with the access code where one is set.
 * Counts as `viewed`.
 */
export async function openDocument(app: App, token: string, code: string | undefined, client: Client): Promise<SigningContext> {
  const opened = await resolveLink(app, token)
  if (opened.recipient.accessCodeHash !== undefined) {
    const typed = (code ?? '').trim()
    if (typed === '' && !core.isCodeLocked(opened.recipient))
      refuseIfInvalid([{ path: 'accessCode', ...localized('codeMissing') }])
    await checkCode(app, opened, typed, client)
  }
  const { document, recipient } = opened
  const view = requireLiveLink(recipient, (d, now) => core.view(d, recipient.id, now))
  await change(app, by(recipient, client), document.id, view)
  return resolveLink(app, token)
}

async function checkCode(app: App, { document, recipient }: SigningContext, code: string, client: Client): Promise<void> {
  const origin = by(recipient, client)
  // Counted before it is looked at, so that a crash in between gives no free guess.
  const count = requireLiveLink(recipient, (d, now) => act.countAccessCodeTry(d, recipient.id, now))
  await change(app, origin, document.id, count)
  const right = isSameSecret(hashAccessCode(app, recipient.id, code), recipient.accessCodeHash ?? '')
  const judge = requireLiveLink(recipient, d => (right ? act.acceptAccessCode : act.rejectAccessCode)(d, recipient.id))
  const after = await change(app, origin, document.id, judge)
  if (right) return
  const left = core.MAX_ACCESS_CODE_TRIES - core.recipientOf(after, recipient.id).accessCodeTries
  refuseIfInvalid([{ path: 'accessCode', ...(left > 0 ? localized('codeWrong', left) : localized('codeLocked')) }])
}

export interface SigningForm {
  /** By field id, as a form sends them: a ticked box as `on`, an unticked one not at all. */
  values: Record<string, string>
  marks: Record<MarkName, MarkInput>
  consent: boolean
  /** Of the very text that was shown, as `consentId` names it. */
  consentVersion: string
  shownSha256: string
  /** In which the page was shown. */
  language: Language
}

/** The signature itself, by whoever holds the session token. Sent twice it counts once. */
export async function finish(app: App, sessionToken: string, entered: SigningForm, client: Client): Promise<core.Document> {
  const { document, recipient } = await resolveSigningSession(app, sessionToken)
  const { name, contact, timeZone } = await organisation(app.db)
  const { language } = entered
  const consent = consentText(name, contact, language)
  if (recipient.status !== 'signed' && entered.consentVersion !== consentId(consent)) {
    throw new Refusal('invalid_state', localized('consentChanged'))
  }
  const made = await marksOf(app, recipient, entered)
  const errors = [...made.errors, ...unprintableErrors(app, entered)]
  const whole: Omit<act.SigningInput, 'day'> = {
    values: valuesOf(recipient, entered.values),
    marks: made.marks,
    consent: { version: consent.version, sha256: consent.sha256, given: entered.consent },
    shownSha256: entered.shownSha256,
    intent: intentText(recipient.role, language),
    language,
  }
  // The day of the very moment that is recorded as the time of signing.
  const sign: Command = (d, now) => {
    // The first of two taps took the draft with it: what the second one lacks is no error.
    if (core.recipientOf(d, recipient.id).status !== 'signed') refuseIfInvalid(errors)
    return act.finish(d, recipient.id, { ...whole, day: isoDay(now, timeZone) }, now)
  }
  return changeTo(app, by(recipient, client), document.id, requireLiveLink(recipient, sign), async (step, tx) => {
    if (step.events.length > 0) await keepContents(tx, core.recipientOf(step.document, recipient.id), made.contents)
    return step.document
  })
}

interface MadeMarks {
  marks: Record<MarkName, PersonalMark | undefined>
  contents: MarkContent[]
  errors: ValidationError[]
}

async function marksOf(app: App, recipient: core.Recipient, { marks }: SigningForm): Promise<MadeMarks> {
  const made: MadeMarks = { marks: { signature: undefined, initials: undefined }, contents: [], errors: [] }
  for (const name of act.requiredMarks(recipient)) {
    const result = await createMark(app, recipient, name, marks[name])
    if ('error' in result) made.errors.push(result.error)
    else {
      made.marks[name] = result.mark
      if (result.content) made.contents.push(result.content)
    }
  }
  return made
}

/** What the marks are made of stays; the draft and whatever else was tried goes. */
async function keepContents(tx: Tx, { id, signature, initials }: core.Recipient, contents: MarkContent[]): Promise<void> {
  for (const content of contents) await saveMarkContent(tx, id, content)
  const kept = [signature, initials].flatMap(mark => (mark && mark.kind !== 'typed' ? [mark.sha256] : []))
  await dropMarkContentsExcept(tx, id, kept)
  await dropFormValues(tx, id)
}

function unprintableErrors(app: App, { marks, values }: SigningForm): ValidationError[] {
  const texts: [string, string][] = [
    ...MARK_NAMES.map((name): [string, string] => [name, marks[name].kind === 'typed' ? marks[name].text : '']),
    ...Object.entries(values).map(([id, value]): [string, string] => [`fields.${id}`, value]),
  ]
  return texts.flatMap(([path, text]) => unprintableErrorOf(app, path, text) ?? [])
}

const LONGEST_REASON = 1000

export async function decline(app: App, sessionToken: string, reason: string, client: Client): Promise<core.Document> {
  const { document, recipient } = await resolveSigningSession(app, sessionToken)
  const words = cleanText(reason)
  if (words === '') refuseIfInvalid([{ path: 'reason', ...localized('reasonMissing') }])
  if (words.length > LONGEST_REASON) refuseIfInvalid([{ path: 'reason', ...localized('reasonTooLong', LONGEST_REASON) }])
  const refuse = requireLiveLink(recipient, (d, now) => act.decline(d, recipient.id, words, now))
  return change(app, by(recipient, client), document.id, refuse)
}

/**
 * Somebody else takes this recipient's place; what was entered goes, and the links mailed so far
 * with it.
 */
export async function delegate(
  app: App,
  sessionToken: string,
  to: { name: string; email: string },
  client: Client,
): Promise<core.Document> {
  const { document, recipient } = await resolveSigningSession(app, sessionToken)
  refuseIfInvalid(Object.entries(to).flatMap(([path, text]) => unprintableErrorOf(app, path, text) ?? []))
  const give = requireLiveLink(recipient, (d, now) => act.delegate(d, recipient.id, to, now))
  return changeTo(app, by(recipient, client), document.id, give, async (step, tx) => {
    await dropMarkContentsExcept(tx, recipient.id, [])
    await dropFormValues(tx, recipient.id)
    return step.document
  })
}
