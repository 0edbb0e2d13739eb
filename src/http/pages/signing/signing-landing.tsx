/** The page behind a signing link: who asks for what, or what became of it. */
import type { OutcomeProps } from '../../../../views/signing/signing-done.tsx'
import { GatePage } from '../../../../views/signing/signing-gate.tsx'
import { LandingPage } from '../../../../views/signing/signing-landing.tsx'
import { isCodeLocked, type Recipient } from '../../../core/document/document.ts'
import { senderName } from '../../../core/document/follow-up.ts'
import { Refusal } from '../../../core/refusal.ts'
import { localized } from '../../../core/signing/message.ts'
import { maskedAddress } from '../../../core/signing/one-time-code.ts'
import { accessCodeWaitS } from '../../../core/signing/signing.ts'
import { senderOf } from '../../../documents/lifecycle/mail-facts.ts'
import type { Handed, SigningContext } from '../../../documents/signing/link.ts'
import { codeState, sendCode } from '../../../documents/signing/one-time-code.ts'
import { isProven, type Proof } from '../../../documents/signing/signing.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import { randomToken } from '../../../lib/token.ts'
import type { ShownError } from '../../../locales/app.ts'
import { isMailServerSet } from '../../../outbox/configured-mailer.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import type { SignerVisit } from './signer-visit.tsx'
import { doneProps } from './signing-props.ts'

/** `link`: of one that was handed out, and opens once. */
type Landing = SigningContext & Partial<Pick<Handed, 'link'>>

/** Names the document only to those whom the link alone lets in, or who entered the code before. */
export async function linkPage(
  signer: SignerVisit,
  found: Landing,
  path: string,
  errors: ShownError[],
  status: number,
): Promise<PageResponse> {
  if (await isGated(signer, found)) return gatePage(signer, found, path, errors, status)
  return landingPage(signer, found, errors, status)
}

async function landingPage(signer: SignerVisit, found: Landing, errors: ShownError[], status: number): Promise<PageResponse> {
  const { document, recipient, link } = found
  const { visit, language } = signer
  const { app } = visit
  const { name, timeZone } = visit.organisation
  const sender = (await senderOf(app, document))?.name
  const isOpen = document.status === 'sent' && recipient.status !== 'signed'
  return {
    status,
    html: (
      <LandingPage
        {...signer.context(document.title, errors)}
        action={visit.url.pathname}
        sender={senderName(sender, name)}
        recipientName={recipient.name}
        title={document.title}
        role={recipient.role}
        message={document.message === undefined ? undefined : { from: sender ?? name, text: document.message }}
        expires={document.expiresAt ? pageTime(document.expiresAt, { timeZone, language }) : undefined}
        onlyOnceUntil={link && pageTime(link.expiresAt, { timeZone, language })}
        isMailed={await isMailServerSet(app)}
        outcome={isOpen ? undefined : await landingOutcome(signer, found)}
      />
    ),
  }
}

/** Who comes back by the link knows of the copy. */
async function landingOutcome(signer: SignerVisit, found: SigningContext): Promise<OutcomeProps> {
  const outcome = await doneProps(signer, found)
  return outcome.state === 'completed' ? { ...outcome, isMailed: undefined } : outcome
}

// The page that asks for a code before the document, and the request for a one-time code.

/** In which a code is valid. Longer than the code, so that the page can say that it has expired. */
const BROWSER_S = 3600

const cookieFor = (recipient: Recipient) => `signet_code_${recipient.id.slice(4)}`
const browserOf = ({ visit }: SignerVisit, recipient: Recipient) => visit.cookieNamed(cookieFor(recipient))
const browserCookie = ({ visit }: SignerVisit, recipient: Recipient, browser: string) =>
  visit.setCookie(cookieFor(recipient), browser, BROWSER_S)

/** The token of the session in which this browser opened the document of the recipient. */
export const sessionOf = (visit: Visit, { id }: Pick<Recipient, 'id'>) => visit.cookieNamed(`signet_link_${id.slice(4)}`)

/** What this browser proves, with what was entered in the form. */
export function proofOf(signer: SignerVisit, recipient: Recipient): Proof {
  const { accessCode, code } = signer.visit.form
  return { accessCode, code, browser: browserOf(signer, recipient), session: sessionOf(signer.visit, recipient) }
}

/** Whether the link alone opens nothing in this browser. */
export async function isGated(signer: SignerVisit, context: SigningContext): Promise<boolean> {
  const { verify, accessCodeHash } = context.recipient
  if (verify === undefined && accessCodeHash === undefined) return false
  return !(await isProven(signer.visit.app, context, sessionOf(signer.visit, context.recipient)))
}

async function gatePage(
  signer: SignerVisit,
  { recipient }: SigningContext,
  action: string,
  errors: ShownError[],
  status: number,
): Promise<PageResponse> {
  const { app, organisation } = signer.visit
  const { name } = organisation
  const isLocked = isCodeLocked(recipient)
  const waitS = accessCodeWaitS(recipient, app.now())
  const { verify } = recipient
  const locked = { path: 'code', ...localized(verify ? 'oneTimeCodeLocked' : 'codeLocked') }
  const browser = browserOf(signer, recipient)
  const { isSent, waitS: askWaitS } = await codeState(app, recipient, browser)
  const address = verify === 'email_code' ? maskedAddress(recipient.email) : undefined
  const heading = signer.context('').texts.gate.heading
  return {
    status,
    // Before it asks for a code: the answer to that may be lost.
    cookies: verify && browser === undefined ? [browserCookie(signer, recipient, randomToken(app.random))] : [],
    html: (
      <GatePage
        {...signer.context(heading, isLocked ? [locked] : errors)}
        action={action}
        organisation={name}
        oneTimeCode={verify && { address, isMailed: await isMailServerSet(app), isSent, waitS: askWaitS }}
        isLocked={isLocked}
        accessCodeWaitS={waitS > 0 ? waitS : undefined}
      />
    ),
  }
}

/** Sends a code, which is valid in this browser alone. */
export async function askForCode(signer: SignerVisit, context: SigningContext, action: string): Promise<PageResponse> {
  const { visit } = signer
  const { recipient } = context
  const browser = browserOf(signer, recipient) ?? randomToken(visit.app.random)
  try {
    await sendCode(visit.app, context, browser, visit.client)
  } catch (error) {
    if (!(error instanceof Refusal && error.messageRef) || error.reason === 'not_found') throw error
    const { message, messageRef, reason } = error
    const status = reason === 'rate_limited' ? 429 : reason === 'forbidden' ? 403 : 409
    return gatePage(signer, context, action, [{ path: 'code', message, messageRef }], status)
  }
  return { redirect: action, cookies: [browserCookie(signer, recipient, browser)] }
}
