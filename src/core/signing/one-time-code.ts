/** The rules of one-time codes, by which recipients prove who they are. Pure. */
import { MINUTE_MS } from '../../lib/duration.ts'
import {
  changeRecipient,
  type Document,
  isCodeLocked,
  type Recipient,
  recipientOf,
  type Transition,
} from '../document/document.ts'
import { pauseLeftS } from '../pause.ts'
import { Refusal } from '../refusal.ts'
import { CODE_MINUTES } from '../service-limits.ts'
import { withoutStacks } from '../text.ts'
import { localized } from './message.ts'

export const MAX_CODE_TRIES = 5
const MIN_PAUSE_S = 60
const HOUR_S = 3600
const MAX_CODES_AN_HOUR = 5

export interface OneTimeCode {
  /** The code is derived from it: no row contains the code. */
  id: string
  recipientId: string
  /** The link it was asked for with. */
  linkVersion: number
  /** Of the token of the browser that asked for it. */
  browserHash: string
  attempts: number
  createdAt: Date
  usedAt: Date | undefined
}

const codeExpiry = ({ createdAt }: Pick<OneTimeCode, 'createdAt'>) => new Date(createdAt.getTime() + CODE_MINUTES * MINUTE_MS)

/** Digits of other scripts, blanks and hyphens are accepted. `undefined` if it cannot be a code. */
export function codeEntered(text: string): string | undefined {
  const european = text.replace(/[٠-٩۰-۹]/g, digit => String(digit.charCodeAt(0) & 15))
  const digits = withoutStacks(european)
    .normalize('NFKC')
    .replace(/[\s\p{Cf}\p{Pd}.]/gu, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

/** In two groups of three. A mail or page does not break it. */
export const readableCode = (code: string) => `${code.slice(0, 3)}\u00a0${code.slice(3)}`

/** `a***@example.com`. */
export function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email][0] ?? ''}***${email.slice(at)}`
}

/** Those of this link, the newest first. */
const ofLink = (codes: readonly OneTimeCode[], { linkVersion }: Pick<Recipient, 'linkVersion'>) =>
  codes.filter(code => code.linkVersion === linkVersion).sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())

/** Seconds until the next code may be asked for, in whichever browser; 0 if it may be now. */
export function codeWaitS(codes: readonly OneTimeCode[], recipient: Pick<Recipient, 'linkVersion'>, now: Date): number {
  const own = ofLink(codes, recipient)
  const waitFor = (code: OneTimeCode | undefined, seconds: number) =>
    pauseLeftS(code && new Date(code.createdAt.getTime() + seconds * 1000), now, seconds)
  return Math.max(waitFor(own[0], MIN_PAUSE_S), waitFor(own[MAX_CODES_AN_HOUR - 1], HOUR_S))
}

/** Whether nothing refers to it any more: neither a try nor the limit of an hour. */
export const isForgotten = ({ createdAt }: OneTimeCode, now: Date) => now.getTime() - createdAt.getTime() >= HOUR_S * 1000

/** The newest code of the link. Only this one is valid. */
export function currentCode(codes: readonly OneTimeCode[], recipient: Pick<Recipient, 'linkVersion'>): OneTimeCode | undefined {
  return ofLink(codes, recipient)[0]
}

/** Why a code is not accepted, whatever is entered; `undefined` if it is. */
export function codeFailure(code: OneTimeCode | undefined, browserHash: string | undefined, now: Date) {
  // A code that another browser asked for is not compared, so that nobody can guess it.
  if (code === undefined || code.browserHash !== browserHash) return 'oneTimeCodeElsewhere'
  if (code.usedAt !== undefined) return 'oneTimeCodeUsed'
  if (code.attempts >= MAX_CODE_TRIES) return 'oneTimeCodeDead'
  // As far from its creation in either direction: the clock may have been set back.
  if (Math.abs(now.getTime() - code.createdAt.getTime()) >= CODE_MINUTES * MINUTE_MS) return 'oneTimeCodeExpired'
  return undefined
}

export function requestCode(
  document: Document,
  recipientId: string,
  code: Pick<OneTimeCode, 'id' | 'createdAt'>,
  waitS: number,
): Transition {
  const recipient = recipientOf(document, recipientId)
  if (recipient.verify === undefined) throw new Refusal('invalid_state', localized('linkUnknown'))
  if (isCodeLocked(recipient)) throw new Refusal('forbidden', localized('oneTimeCodeLocked'))
  if (waitS > 0) throw new Refusal('rate_limited', localized('oneTimeCodeWait', waitS), [], waitS)
  const data = { method: recipient.verify, codeId: code.id, expiresAt: codeExpiry(code).toISOString() }
  return { document, events: [{ type: 'recipient.code_sent', recipientId, data, personal: { email: recipient.email } }] }
}

/** Wrong tries count for the recipient too: neither new codes nor other browsers give more. */
export function tryCode(document: Document, recipientId: string, code: Pick<OneTimeCode, 'id'>, isRight: boolean): Transition {
  const recipient = recipientOf(document, recipientId)
  const data = { method: recipient.verify ?? null, codeId: code.id }
  const accessCodeAttempts = isRight ? 0 : recipient.accessCodeAttempts + 1
  const next = changeRecipient(document, recipientId, { accessCodeAttempts })
  if (isRight) return { document: next, events: [{ type: 'recipient.identified', recipientId, data }] }
  const isLocked = isCodeLocked(recipientOf(next, recipientId))
  return {
    document: next,
    events: [
      { type: 'recipient.code_failed', recipientId, data },
      ...(isLocked ? [{ type: 'recipient.access_code_locked' as const, recipientId }] : []),
    ],
  }
}
