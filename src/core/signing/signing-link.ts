/** Signing links that senders or their programs have made, to hand out: each opens once. Pure. */
import {
  changeRecipient,
  type Document,
  isCodeLocked,
  isPastExpiry,
  type Recipient,
  recipientOf,
  type Transition,
  view,
} from '../document/document.ts'
import { pauseLeftS } from '../pause.ts'
import { Refusal } from '../refusal.ts'
import { violation } from '../violation.ts'
import { localized } from './message.ts'
import { isMailed, recipientsToAct } from './routing.ts'
import { MAX_CODE_PAUSE_S } from './signing.ts'

const LINK_MINUTES = 15
/** After the last wrong access code. Programs make links unasked, whoever visits their pages. */
const UNLOCK_AFTER_S = 3_600

export interface SigningLink {
  id: string
  expiresAt: Date
}

export function linkExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + LINK_MINUTES * 60_000)
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
