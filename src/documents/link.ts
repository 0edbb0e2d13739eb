/** Signing links: derived from the link key, the recipient and the link's version, so that no row holds one and a raised version kills it. */
import { type Document, mayOpen, type Recipient } from '../core/document.ts'
import { Refusal } from '../core/refusal.ts'
import { keyedToken, sameSecret } from '../lib/token.ts'
import type { App } from '../ports.ts'
import * as queries from './queries.ts'

type Means = Pick<App, 'linkKey'>

/** `rcp_…` without its prefix, a dot, and 256 keyed bits in base64url. */
export function linkToken(app: Means, recipient: Pick<Recipient, 'id' | 'linkVersion'>): string {
  return `${recipient.id.slice(4)}.${keyedToken(app.linkKey, 'link', recipient.id, String(recipient.linkVersion))}`
}

export function linkAddress(app: Pick<App, 'linkKey' | 'config'>, recipient: Pick<Recipient, 'id' | 'linkVersion'>): string {
  return `${app.config.baseUrl}/s/${linkToken(app, recipient)}`
}

export interface Opened {
  document: Document
  recipient: Recipient
}

/** The document and recipient behind a link. Unknown, outdated and malformed ones are the same `not_found`, which reveals nothing. */
export async function openLink(app: App, token: string): Promise<Opened> {
  const gone = new Refusal(
    'not_found',
    'This link is not valid. Please use the link of the latest mail, or ask the person who sent it to you.',
  )
  const [ulid] = token.split('.')
  if (!ulid || !/^[0-9a-z]{26}$/.test(ulid)) throw gone
  const recipientId = `rcp_${ulid}`
  const documentId = await queries.documentIdOfRecipient(app.db, recipientId)
  const document = documentId === undefined ? undefined : await queries.find(app.db, documentId)
  const recipient = document?.recipients.find(r => r.id === recipientId)
  // An unknown recipient is compared too, so that both take the same time.
  const expected = linkToken(app, recipient ?? { id: recipientId, linkVersion: 0 })
  const isKnown =
    recipient !== undefined && (recipient.sentAt !== undefined || (document !== undefined && mayOpen(document, recipient)))
  if (!sameSecret(token, expected) || !document || !recipient || !isKnown) throw gone
  return { document, recipient }
}
