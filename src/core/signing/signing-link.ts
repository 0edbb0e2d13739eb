/**
 * Signing links that are handed out, requests for a new link, and signing by people who are signed
 * in to the web app. Pure.
 */
import { HOUR_MS, MINUTE_MS } from '../../lib/duration.ts'
import {
  changeRecipient,
  type Document,
  isCodeLocked,
  isPastExpiry,
  mayOpen,
  type Recipient,
  recipientOf,
  type Transition,
  view,
} from '../document/document.ts'
import { pauseLeftS } from '../pause.ts'
import { Refusal } from '../refusal.ts'
import { LINK_MINUTES } from '../service-limits.ts'
import { sameMailbox, samePerson } from '../text.ts'
import { violation } from '../violation.ts'
import { localized } from './message.ts'
import { isMailed, mustAct, recipientsToAct } from './routing.ts'
import { MAX_CODE_PAUSE_S } from './signing.ts'

// Links that senders or their programs have made, to hand out: each opens once.

/** After the last wrong access code. Programs make links unasked, whoever visits their pages. */
const UNLOCK_AFTER_S = 3_600

export interface SigningLink {
  id: string
  expiresAt: Date
}

export function linkExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + LINK_MINUTES * MINUTE_MS)
}

/** Whether a person may create a link, and why not: the link of an e-mail proves the mailbox. */
export function requireHandOut(recipient: Recipient): void {
  if (isMailed(recipient)) throw new Refusal('invalid_state', violation('link_by_email_only'))
}

/** Whether the page offers a person to create a link. */
export function mayHandOut(document: Document, recipient: Recipient, now: Date): boolean {
  return !isMailed(recipient) && !isPastExpiry(document, now) && recipientsToAct(document).includes(recipient)
}

/**
 * For a recipient whose turn it is. It ends the link before, if that was not opened. Those who have
 * no tries left for the access code get new ones after an hour.
 */
export function createLink(document: Document, recipientId: string, { id, expiresAt }: SigningLink, now: Date): Transition {
  const recipient = recipientOf(document, recipientId)
  if (document.status !== 'sent')
    throw new Refusal('invalid_state', violation('links_only_while_out', { status: document.status }))
  if (isPastExpiry(document, now)) throw new Refusal('invalid_state', violation('link_of_expired'))
  if (!recipientsToAct(document).includes(recipient)) throw new Refusal('invalid_state', violation('link_out_of_turn'))
  if (recipient.verify) throw new Refusal('invalid_state', violation('link_beside_code'))
  // Of a locked access code, the pause ends with the last try.
  const waitUntil = recipient.accessCodeWaitUntil
  const unlocksAt = waitUntil && new Date(waitUntil.getTime() + UNLOCK_AFTER_S * 1000)
  const isOver = pauseLeftS(unlocksAt, now, UNLOCK_AFTER_S + MAX_CODE_PAUSE_S) === 0
  const tries = isCodeLocked(recipient) && isOver ? { accessCodeAttempts: 0, accessCodeWaitUntil: undefined } : {}
  return {
    document: changeRecipient(document, recipientId, { pendingLink: id, ...tries }),
    events: [{ type: 'recipient.link_created', recipientId, data: { linkId: id, expiresAt: expiresAt.toISOString() } }],
  }
}

/** Throws `invalid_state` if the link was opened before, replaced by a newer one, or is too old. */
export function requireOpenable(document: Document, recipientId: string, link: SigningLink, now: Date): void {
  const { pendingLink, status } = recipientOf(document, recipientId)
  if (status === 'signed' || pendingLink !== link.id) throw new Refusal('invalid_state', localized('linkUsed'))
  if (link.expiresAt <= now) throw new Refusal('invalid_state', localized('linkTooOld'))
}

/** Of two who open the same link, the second is refused. */
export function openByLink(document: Document, recipientId: string, link: SigningLink, now: Date): Transition {
  requireOpenable(document, recipientId, link, now)
  const data = { linkId: link.id }
  const viewed = view(changeRecipient(document, recipientId, { pendingLink: undefined }), recipientId, now)
  return {
    document: viewed.document,
    events: [{ type: 'recipient.link_opened', recipientId, data }, ...viewed.events.map(event => ({ ...event, data }))],
  }
}

// A recipient asks for a link in place of one that opens nothing more.

/** Who gets an e-mail: the recipient with the link, or the sender, who can send it again. */
export type LinkRequestTo = 'recipient' | 'sender'

/** Between two requests of a recipient. */
const REQUEST_PAUSE_MS: Record<LinkRequestTo, number> = { recipient: HOUR_MS, sender: 24 * HOUR_MS }
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
    ...(newest === undefined ? [] : [newest + REQUEST_PAUSE_MS[to]]),
    ...(oldest === undefined ? [] : [oldest + LINK_REQUEST_DAY_MS]),
  ]
  return Math.ceil((Math.max(now.getTime(), ...ends) - now.getTime()) / 1000)
}

// Signing by people who are signed in to the web app, without the link of a mail.

/** An account of the web app. */
export interface AccountHolder {
  id: string
  name: string
  email: string
}

/** Whether the recipient is this person. Of two who share an address, the name decides. */
export function isAccountHolder({ recipients }: Document, recipient: Recipient, person: AccountHolder): boolean {
  if (!sameMailbox(recipient.email, person.email)) return false
  const isShared = recipients.some(r => r !== recipient && mustAct(r) && sameMailbox(r.email, person.email))
  return !isShared || samePerson(recipient, person)
}

/** The recipient as whom this person has to act now. */
export function ownTurn(document: Document, person: AccountHolder, now: Date): Recipient | undefined {
  if (isPastExpiry(document, now)) return undefined
  return recipientsToAct(document).find(r => isAccountHolder(document, r, person))
}

/** `isNoted`: the log has it already. Throws `invalid_state` if it is not the person's turn. */
export function openFromApp(
  document: Document,
  recipientId: string,
  { person, isNoted }: { person: AccountHolder; isNoted: boolean },
  now: Date,
): Transition {
  if (ownTurn(document, person, now)?.id !== recipientId) throw notWaiting()
  const data = { userId: person.id }
  const viewed = view(document, recipientId, now)
  return {
    document: viewed.document,
    events: [
      ...(isNoted ? [] : [{ type: 'recipient.opened_from_app' as const, recipientId, data }]),
      ...viewed.events.map(event => ({ ...event, data })),
    ],
  }
}

/** The same for a document that there is not, or that waits for others. */
export function notWaiting(): Refusal {
  return new Refusal('invalid_state', violation('not_waiting_for_you'))
}
