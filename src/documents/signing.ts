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
import { consentMark, consentText, intentText } from './consent.ts'
import { demandTheirs, hashAccessCode, type OpenedPlace, openLink, openPass } from './link.ts'
import { dropDraft, dropOtherMarkContents, keepMarkContent, type MarkContent } from './mark-queries.ts'
import { type EnteredMark, markOf } from './marks.ts'
import { change, changeTo } from './record.ts'
import { unprintableErrorOf, valuesOf } from './signing-progress.ts'

type Whence = Pick<Origin, 'ip' | 'userAgent'>

function by(recipient: core.Recipient, whence: Whence): Origin {
  const actor: Actor = { ...SYSTEM.actor, label: `recipient:${recipient.id}`, idempotencyOwner: recipient.id, scopes: [] }
  return { actor, ...whence }
}

type Command = (document: core.Document, now: Date) => core.Transition

/** The command, as long as the link of the recipient who gives it lives. */
function inTheirName(known: core.Recipient, command: Command): Command {
  return (document, now) => {
    demandTheirs(document, known)
    return command(document, now)
  }
}

/** A person asks to see the document by an act of their own, with the access code where one is set. Counts as `viewed`. */
export async function enter(app: App, token: string, code: string | undefined, whence: Whence): Promise<OpenedPlace> {
  const opened = await openLink(app, token)
  if (opened.recipient.accessCodeHash !== undefined) {
    const typed = (code ?? '').trim()
    if (typed === '' && !core.isCodeLocked(opened.recipient))
      refuseIfInvalid([{ path: 'accessCode', ...localized('codeMissing') }])
    await checkCode(app, opened, typed, whence)
  }
  const { document, recipient } = opened
  const view = inTheirName(recipient, (d, now) => core.view(d, recipient.id, now))
  await change(app, by(recipient, whence), document.id, view)
  return openLink(app, token)
}

async function checkCode(app: App, { document, recipient }: OpenedPlace, code: string, whence: Whence): Promise<void> {
  const origin = by(recipient, whence)
  // Counted before it is looked at, so that a crash in between gives no free guess.
  const count = inTheirName(recipient, (d, now) => act.countCodeTry(d, recipient.id, now))
  await change(app, origin, document.id, count)
  const right = isSameSecret(hashAccessCode(app, recipient.id, code), recipient.accessCodeHash ?? '')
  const judge = inTheirName(recipient, d => (right ? act.codeAccepted : act.codeRefused)(d, recipient.id))
  const after = await change(app, origin, document.id, judge)
  if (right) return
  const left = core.ACCESS_CODE_TRIES - core.recipientOf(after, recipient.id).accessCodeTries
  refuseIfInvalid([{ path: 'accessCode', ...(left > 0 ? localized('codeWrong', left) : localized('codeLocked')) }])
}

export interface Entered {
  /** By field id, as a form sends them: a ticked box as `on`, an unticked one not at all. */
  values: Record<string, string>
  marks: Record<MarkName, EnteredMark>
  consent: boolean
  /** Of the very text that was shown, as `consentMark` names it. */
  consentVersion: string
  shownSha256: string
  /** In which the page was shown. */
  language: Language
}

/** The signature itself, by whoever holds the entry pass. Sent twice it counts once. */
export async function finish(app: App, pass: string, entered: Entered, whence: Whence): Promise<core.Document> {
  const { document, recipient } = await openPass(app, pass)
  const { name, contact, timeZone } = await organisation(app.db)
  const { language } = entered
  const consent = consentText(name, contact, language)
  if (recipient.status !== 'signed' && entered.consentVersion !== consentMark(consent)) {
    throw new Refusal('invalid_state', localized('consentChanged'))
  }
  const made = await marksOf(app, recipient, entered)
  const errors = [...made.errors, ...unprintableErrors(app, entered)]
  const whole: Omit<act.Act, 'day'> = {
    values: valuesOf(recipient, entered.values),
    marks: made.marks,
    consent: { version: consent.version, sha256: consent.sha256, given: entered.consent },
    shownSha256: entered.shownSha256,
    intent: intentText(recipient.role, language),
    language,
  }
  // The day of the very moment that is recorded as the time of signing.
  const sign: Command = (d, now) => {
    // The first of two taps took the draft with it: what the second one lacks is no fault.
    if (core.recipientOf(d, recipient.id).status !== 'signed') refuseIfInvalid(errors)
    return act.finish(d, recipient.id, { ...whole, day: isoDay(now, timeZone) }, now)
  }
  return changeTo(app, by(recipient, whence), document.id, inTheirName(recipient, sign), async (step, tx) => {
    if (step.events.length > 0) await keepContents(tx, core.recipientOf(step.document, recipient.id), made.contents)
    return step.document
  })
}

interface MadeMarks {
  marks: Record<MarkName, PersonalMark | undefined>
  contents: MarkContent[]
  errors: ValidationError[]
}

async function marksOf(app: App, recipient: core.Recipient, { marks }: Entered): Promise<MadeMarks> {
  const made: MadeMarks = { marks: { signature: undefined, initials: undefined }, contents: [], errors: [] }
  for (const name of act.marksAskedOf(recipient)) {
    const result = await markOf(app, recipient, name, marks[name])
    if ('fault' in result) made.errors.push(result.fault)
    else {
      made.marks[name] = result.mark
      if (result.content) made.contents.push(result.content)
    }
  }
  return made
}

/** What the marks are made of stays; the draft and whatever else was tried goes. */
async function keepContents(tx: Tx, { id, signature, initials }: core.Recipient, contents: MarkContent[]): Promise<void> {
  for (const content of contents) await keepMarkContent(tx, id, content)
  const kept = [signature, initials].flatMap(mark => (mark && mark.kind !== 'typed' ? [mark.sha256] : []))
  await dropOtherMarkContents(tx, id, kept)
  await dropDraft(tx, id)
}

function unprintableErrors(app: App, { marks, values }: Entered): ValidationError[] {
  const texts: [string, string][] = [
    ...MARK_NAMES.map((name): [string, string] => [name, marks[name].kind === 'typed' ? marks[name].text : '']),
    ...Object.entries(values).map(([id, value]): [string, string] => [`fields.${id}`, value]),
  ]
  return texts.flatMap(([path, text]) => unprintableErrorOf(app, path, text) ?? [])
}

const LONGEST_REASON = 1000

export async function decline(app: App, pass: string, reason: string, whence: Whence): Promise<core.Document> {
  const { document, recipient } = await openPass(app, pass)
  const words = cleanText(reason)
  if (words === '') refuseIfInvalid([{ path: 'reason', ...localized('reasonMissing') }])
  if (words.length > LONGEST_REASON) refuseIfInvalid([{ path: 'reason', ...localized('reasonTooLong', LONGEST_REASON) }])
  const refuse = inTheirName(recipient, (d, now) => act.decline(d, recipient.id, words, now))
  return change(app, by(recipient, whence), document.id, refuse)
}

/** Somebody else takes this recipient's place; what was entered goes, and the links mailed so far with it. */
export async function delegate(
  app: App,
  pass: string,
  to: { name: string; email: string },
  whence: Whence,
): Promise<core.Document> {
  const { document, recipient } = await openPass(app, pass)
  refuseIfInvalid(Object.entries(to).flatMap(([path, text]) => unprintableErrorOf(app, path, text) ?? []))
  const give = inTheirName(recipient, (d, now) => act.delegate(d, recipient.id, to, now))
  return changeTo(app, by(recipient, whence), document.id, give, async (step, tx) => {
    await dropOtherMarkContents(tx, recipient.id, [])
    await dropDraft(tx, recipient.id)
    return step.document
  })
}
