/** Signing links that the sender's program has made, to hand out itself: each opens once. Pure. */
import { changeRecipient, type Document, isCodeLocked, isPastExpiry, recipientOf, type Transition, view } from './document.ts'
import { localized } from './message.ts'
import { Refusal } from './refusal.ts'
import { recipientsToAct } from './routing.ts'

const LINK_MINUTES = 15
/** After the last wrong access code. Programs make links unasked, whoever visits their pages. */
const UNLOCK_AFTER_MS = 3_600_000

export interface SigningLink {
  id: string
  expiresAt: Date
}

export function linkExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + LINK_MINUTES * 60_000)
}

/**
 * For a recipient whose turn it is. It ends the link before, if that was not opened. Those who have
 * no tries left for the access code get new ones after an hour.
 */
export function createLink(document: Document, recipientId: string, { id, expiresAt }: SigningLink, now: Date): Transition {
  const recipient = recipientOf(document, recipientId)
  if (document.status !== 'sent')
    throw new Refusal(
      'invalid_state',
      `The document is ${document.status}: only one that is out for signature has signing links.`,
    )
  if (isPastExpiry(document, now)) throw new Refusal('invalid_state', 'The document has expired: send it again first.')
  if (!recipientsToAct(document).includes(recipient))
    throw new Refusal('invalid_state', 'It is not the turn of this recipient: signing links are for those who have to act now.')
  if (recipient.verify)
    throw new Refusal(
      'invalid_state',
      'The recipient has to enter a one-time code, which needs the link that was mailed: links are for recipients without `verify`.',
    )
  // Of a locked access code, the pause ends with the last try.
  const isOver = now.getTime() - (recipient.accessCodeWaitUntil?.getTime() ?? 0) >= UNLOCK_AFTER_MS
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
