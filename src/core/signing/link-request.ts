/** A recipient asks for a link in place of one that opens nothing more. Pure. */
import {
  changeRecipient,
  type Document,
  isPastExpiry,
  mayOpen,
  type Recipient,
  recipientOf,
  type Transition,
} from '../document/document.ts'
import { Refusal } from '../refusal.ts'
import { localized } from './message.ts'
import { isMailed, mustAct } from './routing.ts'

/** Who gets an e-mail: the recipient with the link, or the sender, who can send it again. */
export type LinkRequestTo = 'recipient' | 'sender'

const HOUR_MS = 3_600_000
/** Between two requests of a recipient. */
const PAUSE_MS: Record<LinkRequestTo, number> = { recipient: HOUR_MS, sender: 24 * HOUR_MS }
const MAX_IN_A_DAY = 3
/** Requests before this time count no more. */
export const LINK_REQUEST_DAY_MS = 24 * HOUR_MS

/** Undefined where a link would be of no use, or is not e-mailed. */
export function linkRequestTo(document: Document, recipient: Recipient, now: Date): LinkRequestTo | undefined {
  if (!isMailed(recipient) || recipient.sentAt === undefined) return undefined
  if (document.status === 'expired' || isPastExpiry(document, now))
    return mustAct(recipient) && recipient.status !== 'signed' ? 'sender' : undefined
  return document.status === 'sent' && mayOpen(document, recipient) && recipient.status !== 'signed' ? 'recipient' : undefined
}

/** `before`: the times of the recipient's requests of the last day. Throws `rate_limited`. */
export function requestLink(document: Document, recipientId: string, before: readonly Date[], now: Date): Transition {
  const to = linkRequestTo(document, recipientOf(document, recipientId), now)
  if (to === undefined) throw new Refusal('invalid_state', localized('linkUnknown'))
  const waitS = requestWaitS(to, before, now)
  if (waitS > 0) throw new Refusal('rate_limited', localized(to === 'sender' ? 'senderAsked' : 'linkAsked'), [], waitS)
  const mail: Partial<Recipient> = to === 'recipient' ? { emailStatus: 'queued', lastMailedAt: now } : {}
  return {
    document: changeRecipient(document, recipientId, mail),
    events: [{ type: 'recipient.link_requested', recipientId, data: { to } }],
  }
}

function requestWaitS(to: LinkRequestTo, before: readonly Date[], now: Date): number {
  const times = before.map(time => time.getTime()).sort((a, b) => b - a)
  const [newest] = times
  const oldest = times[MAX_IN_A_DAY - 1]
  const ends = [
    ...(newest === undefined ? [] : [newest + PAUSE_MS[to]]),
    ...(oldest === undefined ? [] : [oldest + LINK_REQUEST_DAY_MS]),
  ]
  return Math.ceil((Math.max(now.getTime(), ...ends) - now.getTime()) / 1000)
}
