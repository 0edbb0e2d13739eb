/** What a recipient does behind their link: open, enter a code, finish, decline. */
import * as core from '../core/document.ts'
import { unprintableFault } from '../core/draft.ts'
import { type Fault, Refusal, refuseFaults } from '../core/refusal.ts'
import { ROLE_WORDS } from '../core/routing.ts'
import { cleanLine, cleanText } from '../core/text.ts'
import { isoDay } from '../lib/clock-format.ts'
import { sameSecret } from '../lib/token.ts'
import { type Actor, type App, type Origin, SYSTEM } from '../ports.ts'
import { organisation } from '../settings/organisation.ts'
import { consentText, intentText } from './consent.ts'
import { hashAccessCode, type Opened, openLink, openPass } from './link.ts'
import { change } from './record.ts'

type Whence = Pick<Origin, 'ip' | 'userAgent'>

function by(recipient: core.Recipient, whence: Whence): Origin {
  const actor: Actor = { ...SYSTEM.actor, label: `recipient:${recipient.id}`, idempotencyOwner: recipient.id, scopes: [] }
  return { actor, ...whence }
}

/** A person asks to see the document by an act of their own, with the access code where one is set. Counts as `viewed`. */
export async function enter(app: App, token: string, code: string | undefined, whence: Whence): Promise<Opened> {
  const opened = await openLink(app, token)
  if (opened.recipient.accessCodeHash !== undefined) {
    const typed = (code ?? '').trim()
    if (typed === '') refuseFaults([{ path: 'accessCode', message: 'Please enter the access code.' }])
    await checkCode(app, opened, typed, whence)
  }
  await change(app, by(opened.recipient, whence), opened.document.id, (d, now) => core.view(d, opened.recipient.id, now))
  return openLink(app, token)
}

async function checkCode(app: App, { document, recipient }: Opened, code: string, whence: Whence): Promise<void> {
  const origin = by(recipient, whence)
  // Counted before it is looked at, so that a crash in between gives no free guess.
  await change(app, origin, document.id, d => ({ document: core.countCodeTry(d, recipient.id), events: [] }))
  const right = sameSecret(hashAccessCode(app, recipient.id, code), recipient.accessCodeHash ?? '')
  await change(app, origin, document.id, d =>
    right
      ? core.codeAccepted(d, recipient.id)
      : { document: d, events: [{ type: 'recipient.code_refused', recipientId: recipient.id }] },
  )
  if (right) return
  const left = core.ACCESS_CODE_TRIES - recipient.accessCodeTries - 1
  const tries = left === 1 ? 'one more try' : left > 1 ? `${left} more tries` : 'no more tries: please ask the sender'
  refuseFaults([{ path: 'accessCode', message: `This access code is not right. You have ${tries}.` }])
}

export interface Entered {
  /** By field id, as a form sends them: a ticked box as `on`, an unticked one not at all. */
  values: Record<string, string>
  signature: string
  initials: string
  consent: boolean
  consentVersion: string
  shownSha256: string
}

/** The signature itself, by whoever holds the entry pass. Sent twice it counts once. */
export async function finish(app: App, pass: string, entered: Entered, whence: Whence): Promise<core.Document> {
  const { document, recipient } = await openPass(app, pass)
  const { name, contact, timeZone } = await organisation(app.db)
  const consent = consentText(name, contact)
  if (entered.consentVersion !== consent.version) {
    throw new Refusal('invalid_state', 'The text you agreed to has changed meanwhile. Please reload the page and read it again.')
  }
  refuseFaults(printableFaults(app, entered))
  const act: Omit<core.Act, 'day'> = {
    values: valuesOf(recipient, entered),
    signature: cleanLine(entered.signature),
    initials: cleanLine(entered.initials),
    consent: { version: consent.version, sha256: consent.sha256, given: entered.consent },
    shownSha256: entered.shownSha256,
    intent: intentText(ROLE_WORDS[recipient.role].act),
  }
  // The day of the very moment that is recorded as the time of signing.
  const sign = (d: core.Document, now: Date) => core.finish(d, recipient.id, { ...act, day: isoDay(now, timeZone) }, now)
  return change(app, by(recipient, whence), document.id, sign)
}

/** A form's word for a ticked box (HTML, checkbox value mode `default/on`) in the words of the field. */
function valuesOf({ fields }: core.Recipient, { values }: Entered): Record<string, string> {
  const boxes = fields.filter(f => f.type === 'checkbox' && values[f.id] === 'on')
  return { ...values, ...Object.fromEntries(boxes.map(f => [f.id, 'true'])) }
}

function printableFaults(app: App, entered: Entered): Fault[] {
  const texts: [string, string][] = [
    ['signature', entered.signature],
    ['initials', entered.initials],
    ...Object.entries(entered.values).map(([id, value]): [string, string] => [`fields.${id}`, value]),
  ]
  return texts.flatMap(([path, text]) => {
    const message = unprintableFault(text, app)
    return message ? [{ path, message: `Your entry ${message}.` }] : []
  })
}

export async function decline(app: App, pass: string, reason: string, whence: Whence): Promise<core.Document> {
  const { document, recipient } = await openPass(app, pass)
  const words = cleanText(reason)
  if (words === '') refuseFaults([{ path: 'reason', message: 'Please say in a few words why you decline.' }])
  if (words.length > 1000) refuseFaults([{ path: 'reason', message: 'Please use at most 1,000 characters.' }])
  return change(app, by(recipient, whence), document.id, (d, now) => core.decline(d, recipient.id, words, now))
}
