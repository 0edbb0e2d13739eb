/** Whose turn it is, and what each role may do: no other module compares roles. Pure. */
import type { Document, Recipient } from '../document/document.ts'

export const ROLES = ['signer', 'approver', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export const SIGNING_ORDERS = ['parallel', 'sequential'] as const
export type SigningOrder = (typeof SIGNING_ORDERS)[number]

/** How a recipient gets the link: by e-mail, or from the sender's program, which has it made. */
export const DELIVERIES = ['email', 'link'] as const
export type Delivery = (typeof DELIVERIES)[number]

/** Whether invitations, reminders and notices are mailed. The sealed copy always is. */
export function isMailed({ deliverBy }: Pick<Recipient, 'deliverBy'>): boolean {
  return deliverBy === 'email'
}

/** A document waits for its signers and approvers, never for viewers. */
export function mustAct(recipient: Pick<Recipient, 'role'>): boolean {
  return recipient.role !== 'viewer'
}

/** Whether two who act have one mailbox: the release before refuses such a document. */
export function sharesMailbox({ recipients }: Pick<Document, 'recipients'>): boolean {
  const addresses = recipients.filter(r => mustAct(r) && r.email !== '').map(({ email }) => email.toLowerCase())
  return new Set(addresses).size < addresses.length
}

export function maySign(role: Role): boolean {
  return role === 'signer'
}

function isOpen(recipient: Recipient): boolean {
  return mustAct(recipient) && recipient.status !== 'signed'
}

export function isComplete(document: Document): boolean {
  return document.recipients.some(mustAct) && !document.recipients.some(isOpen)
}

/** In sequence those up to the first group with an open recipient. */
export function reachedRecipients(document: Document): Recipient[] {
  if (document.signingOrder === 'parallel') return document.recipients
  const group = Math.min(...document.recipients.filter(isOpen).map(r => r.order))
  return document.recipients.filter(r => r.order <= group)
}

/** Reached and not yet notified. */
export function recipientsToNotify(document: Document): Recipient[] {
  return reachedRecipients(document).filter(r => r.status === 'created')
}

/** Those whose turn it is: notified and not finished. */
export function recipientsToAct(document: Document): Recipient[] {
  return document.status === 'sent' ? reachedRecipients(document).filter(r => isOpen(r) && r.status !== 'created') : []
}

export function recipientsToRemind(document: Document): Recipient[] {
  return recipientsToAct(document).filter(isMailed)
}
