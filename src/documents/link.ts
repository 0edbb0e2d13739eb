/**
 * Signing links: derived from the link key, the recipient and the link's version, so that no row
 * holds one and a raised version kills it.
 */
import { type Document, mayOpen, type Recipient } from '../core/document.ts'
import { localized } from '../core/message.ts'
import { Refusal } from '../core/refusal.ts'
import { isSameSecret, keyedToken } from '../lib/token.ts'
import type { App } from '../ports.ts'
import * as queries from './queries.ts'

type Deps = Pick<App, 'linkKey'>

/** `rcp_…` without its prefix, a dot, and 256 keyed bits in base64url. */
export function linkToken(app: Deps, recipient: Pick<Recipient, 'id' | 'linkVersion'>): string {
  return `${recipient.id.slice(4)}.${keyedToken(app.linkKey, 'link', recipient.id, String(recipient.linkVersion))}`
}

export function linkAddress(app: Pick<App, 'linkKey' | 'config'>, recipient: Pick<Recipient, 'id' | 'linkVersion'>): string {
  return `${app.config.baseUrl}/s/${linkToken(app, recipient)}`
}

export interface SigningContext {
  document: Document
  recipient: Recipient
}

/**
 * The document and recipient behind a mailed link. Unknown, outdated and malformed ones are the
 * same `not_found`, which reveals nothing.
 */
export function resolveLink(app: App, token: string): Promise<SigningContext> {
  return locate(app, token, recipient => linkToken(app, recipient))
}

/**
 * What a browser holds once a person has opened the document there, with the access code where one
 * is asked. Not to be had from the link alone, and dead with the link.
 */
export function signingSessionToken(app: Deps, { id, linkVersion, accessCodeHash }: Known): string {
  return `${id.slice(4)}.${keyedToken(app.linkKey, 'entered', id, String(linkVersion), accessCodeHash ?? '')}`
}

/** The document and recipient of an session token; `not_found` as for links. */
export function resolveSigningSession(app: App, sessionToken: string): Promise<SigningContext> {
  return locate(app, sessionToken, recipient => signingSessionToken(app, recipient))
}

type Known = Pick<Recipient, 'id' | 'linkVersion' | 'accessCodeHash'>

/**
 * The recipient as they stand now. `not_found` when the link or session token they were `known` by
 * has died. To be asked in the transaction of each change: a hand-over may have come between.
 */
export function requireLiveRecipient({ recipients }: Document, known: Known): Recipient {
  const recipient = recipients.find(r => r.id === known.id)
  const isTheirs = recipient?.linkVersion === known.linkVersion && recipient.accessCodeHash === known.accessCodeHash
  if (!recipient || !isTheirs) throw deadLink()
  return recipient
}

const deadLink = () => new Refusal('not_found', localized('linkUnknown'))

async function locate(app: App, presented: string, expected: (recipient: Known) => string): Promise<SigningContext> {
  const [ulid] = presented.split('.')
  if (!ulid || !/^[0-9a-z]{26}$/.test(ulid)) throw deadLink()
  const recipientId = `rcp_${ulid}`
  const documentId = await queries.documentIdOfRecipient(app.db, recipientId)
  const document = documentId === undefined ? undefined : await queries.find(app.db, documentId)
  const recipient = document?.recipients.find(r => r.id === recipientId)
  // An unknown recipient is compared too, so that both take the same time.
  const right = isSameSecret(presented, expected(recipient ?? { id: recipientId, linkVersion: 0, accessCodeHash: undefined }))
  if (!right || !document || !recipient || !(recipient.sentAt !== undefined || mayOpen(document, recipient))) throw deadLink()
  return { document, recipient }
}

/** Keyed, so that a copy of the database alone gives nothing to guess against. */
export function hashAccessCode(app: Deps, recipientId: string, code: string): string {
  return keyedToken(app.linkKey, 'access-code', recipientId, code)
}
