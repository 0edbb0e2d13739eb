/** Signing links and session tokens, derived from the link key: no row contains one. */
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

/** Throws the same `not_found` for unknown, outdated and malformed links. */
export function resolveLink(app: App, token: string): Promise<SigningContext> {
  return locate(app, token, recipient => linkToken(app, recipient))
}

/** Given to the browser that opened the document; valid as long as link and access code are. */
export function signingSessionToken(app: Deps, { id, linkVersion, accessCodeHash }: LinkState): string {
  return `${id.slice(4)}.${keyedToken(app.linkKey, 'entered', id, String(linkVersion), accessCodeHash ?? '')}`
}

/** Throws `not_found` as for links. */
export function resolveSigningSession(app: App, sessionToken: string): Promise<SigningContext> {
  return locate(app, sessionToken, recipient => signingSessionToken(app, recipient))
}

type LinkState = Pick<Recipient, 'id' | 'linkVersion' | 'accessCodeHash'>

/**
 * Returns the recipient as of now. Throws `not_found` if the link or access code has changed since
 * `before` was read. Call it in the transaction of each change: a delegation may have come between.
 */
export function requireUnchangedLink({ recipients }: Document, before: LinkState): Recipient {
  const recipient = recipients.find(r => r.id === before.id)
  if (recipient?.linkVersion !== before.linkVersion || recipient.accessCodeHash !== before.accessCodeHash) throw invalidLink()
  return recipient
}

const invalidLink = () => new Refusal('not_found', localized('linkUnknown'))

async function locate(app: App, presented: string, expected: (recipient: LinkState) => string): Promise<SigningContext> {
  const [ulid] = presented.split('.')
  if (!ulid || !/^[0-9a-z]{26}$/.test(ulid)) throw invalidLink()
  const recipientId = `rcp_${ulid}`
  const document = (await queries.findOfRecipient(app.db, recipientId))?.document
  const recipient = document?.recipients.find(r => r.id === recipientId)
  // An unknown recipient is compared too, so that both take the same time.
  const isValid = isSameSecret(presented, expected(recipient ?? { id: recipientId, linkVersion: 0, accessCodeHash: undefined }))
  if (!isValid || !document || !recipient || !(recipient.sentAt !== undefined || mayOpen(document, recipient)))
    throw invalidLink()
  return { document, recipient }
}

/** Keyed, so that codes cannot be guessed from a copy of the database alone. */
export function hashAccessCode(app: Deps, recipientId: string, code: string): string {
  return keyedToken(app.linkKey, 'access-code', recipientId, code)
}
