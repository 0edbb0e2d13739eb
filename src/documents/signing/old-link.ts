/** What became of a link that was replaced, and requests for a new one. */
import { type AuditEvent, auditEventsOf, eventTimesSince } from '../../audit/log.ts'
import type { Document, Recipient } from '../../core/document/document.ts'
import { Refusal } from '../../core/refusal.ts'
import { localized } from '../../core/signing/message.ts'
import { LINK_REQUEST_DAY_MS, type LinkRequestTo, linkRequestTo, requestLink } from '../../core/signing/signing-link.ts'
import { sameMailbox } from '../../core/text.ts'
import { changeTime } from '../../db/change-time.ts'
import type { Db, Tx } from '../../db/open.ts'
import { isSameSecret } from '../../lib/token.ts'
import type { App, Client } from '../../ports.ts'
import { renaming } from '../lifecycle/correct-recipient.ts'
import * as queries from '../queries.ts'
import { load, record } from '../record.ts'
import { linkToken, recipientIdIn, recipientOrigin, type SigningContext, signingSessionToken } from './link.ts'

/** How many links before the present one are known. */
const MAX_OLD_LINKS = 50

/**
 * `replaced`: the present link goes to the same mailbox. `handed_over`: its owner gave the place
 * to the person that is named. `readdressed`: it is another person's since, by the sender.
 */
export type OldLink = SigningContext & {
  /** A session proves what was asked beside the link. */
  by: 'link' | 'session'
} & ({ fate: 'replaced' } | { fate: 'handed_over'; to: string } | { fate: 'readdressed' })

const TOKENS = { link: linkToken, session: signingSessionToken }

/** Of a link or a session that was valid before. Undefined for every other text. */
export async function findOldLink(app: App, presented: string): Promise<OldLink | undefined> {
  const recipientId = recipientIdIn(presented)
  const document = recipientId && (await queries.findOfRecipient(app.db, recipientId))?.document
  const recipient = document ? document.recipients.find(({ id }) => id === recipientId) : undefined
  if (!document || !recipient) return undefined
  return fateOf(app, app.db, presented, { document, recipient })
}

async function fateOf(app: App, db: Db | Tx, presented: string, context: SigningContext): Promise<OldLink | undefined> {
  const { document, recipient } = context
  const by = linksBack(app, presented, recipient, 'link') === undefined ? 'session' : 'link'
  const back = linksBack(app, presented, recipient, by)
  if (back === undefined) return undefined
  // Each of these entries replaced the link. What was erased says nothing of its owner.
  const isReplacement = ({ type, recipientId }: AuditEvent) =>
    recipientId === recipient.id && (type === 'recipient.corrected' || type === 'recipient.delegated')
  const event = (await auditEventsOf(db, document.id)).filter(isReplacement).at(-back)
  const people = event && renaming(event)
  if (!event || !people) return undefined
  if (sameMailbox(people.from.email, recipient.email)) return { ...context, by, fate: 'replaced' }
  if (event.type === 'recipient.delegated') return { ...context, by, fate: 'handed_over', to: people.to.name }
  return { ...context, by, fate: 'readdressed' }
}

/** How many links ago this one was made. */
function linksBack(app: App, presented: string, recipient: Recipient, by: OldLink['by']): number | undefined {
  for (let back = 1; back <= MAX_OLD_LINKS && back < recipient.linkVersion; back++)
    if (isSameSecret(presented, TOKENS[by](app, { ...recipient, linkVersion: recipient.linkVersion - back }))) return back
  return undefined
}

/** Whom a request for a new link would reach; undefined where none is offered. */
export function requestOffered({ document, recipient, ...rest }: SigningContext | OldLink, now: Date): LinkRequestTo | undefined {
  const isOwners = !('fate' in rest) || rest.fate === 'replaced'
  return isOwners ? linkRequestTo(document, recipient, now) : undefined
}

/**
 * Mails the link to the address that is stored, to no other, or tells the sender of a document
 * that has expired. Throws `not_found` as for links, and `rate_limited`.
 */
export async function requestNewLink(
  app: App,
  token: string,
  { document: { id }, recipient: { id: recipientId } }: SigningContext,
  client: Client,
): Promise<LinkRequestTo> {
  return app.write(async tx => {
    const origin = recipientOrigin({ id: recipientId }, client)
    const document = await load(tx, origin.actor, id)
    const now = await changeTime(tx, app)
    const to = await requestTo(app, tx, token, document, recipientId, now)
    if (to === undefined) throw new Refusal('not_found', localized('linkUnknown'))
    const since = new Date(now.getTime() - LINK_REQUEST_DAY_MS)
    const before = await eventTimesSince(tx, id, 'recipient.link_requested', origin, since)
    await record(tx, app, document, requestLink(document, recipientId, before, now), origin)
    return to
  })
}

/** In the transaction: the address may have been corrected meanwhile. */
async function requestTo(app: App, tx: Tx, token: string, document: Document, recipientId: string, now: Date) {
  const recipient = document.recipients.find(r => r.id === recipientId)
  if (!recipient) return undefined
  const context = { document, recipient }
  if (isSameSecret(token, linkToken(app, recipient))) return requestOffered(context, now)
  const old = await fateOf(app, tx, token, context)
  return old && requestOffered(old, now)
}
