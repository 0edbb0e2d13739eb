/** Makes signing links for a sender or their program, who hand them out in place of our e-mails. */
import { requireScope } from '../../accounts/rights.ts'
import type { AuditEvent } from '../../audit/log.ts'
import { type Document, type Recipient, recipientOf } from '../../core/document/document.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Delivery, isMailed } from '../../core/signing/routing.ts'
import { createLink, linkExpiry, requireHandOut } from '../../core/signing/signing-link.ts'
import { violation } from '../../core/violation.ts'
import { changeTime } from '../../db/change-time.ts'
import type { Db, Tx } from '../../db/open.ts'
import { timeOfId } from '../../lib/id.ts'
import type { Actor, App, Origin } from '../../ports.ts'
import { readServiceSettings } from '../../settings/service-settings.ts'
import { load, record } from '../record.ts'
import { handedOutAddress } from './link.ts'

type Deps = Pick<App, 'config' | 'secrets' | 'db'>

/** Whether an administrator allows that links are handed out in place of e-mails. */
export async function mayHandOutLinks(app: Deps, db: Db | Tx = app.db): Promise<boolean> {
  return (await readServiceSettings(app, db)).signingLinks.value === 'on'
}

async function requireAllowed(app: Deps, db: Db | Tx): Promise<void> {
  if (await mayHandOutLinks(app, db)) return
  throw new Refusal('forbidden', violation('links_not_allowed'))
}

/** Before recipients are stored: whether all of them may get their links in this way. */
export async function requireDelivery(
  app: Deps,
  db: Db | Tx,
  actor: Pick<Actor, 'scopes'>,
  recipients: readonly { deliverBy?: Delivery }[],
): Promise<void> {
  if (!recipients.some(({ deliverBy }) => deliverBy === 'link')) return
  requireScope(actor, 'links:create')
  await requireAllowed(app, db)
}

/** Before a document is sent: without links, some of its recipients would never hear of it. */
export async function requireReachable(app: Deps, tx: Tx, { recipients }: Document): Promise<void> {
  if (!recipients.every(isMailed)) await requireAllowed(app, tx)
}

export interface CreatedLink {
  url: string
  expiresAt: Date
}

/** The route has checked scope or role. Throws `forbidden`, `not_found`, `invalid_state`. */
export async function createSigningLink(app: App, documentId: string, recipientId: string, origin: Origin) {
  return app.write(async tx => {
    const document = await load(tx, origin.actor, documentId)
    await requireAllowed(app, tx)
    if (isPerson(origin.actor)) requireHandOut(recipientOf(document, recipientId))
    const now = await changeTime(tx, app)
    const id = app.newId('lnk', now)
    const expiresAt = linkExpiry(timeOfId(id))
    const transition = createLink(document, recipientId, { id, expiresAt }, now)
    const saved = await record(tx, app, document, transition, origin)
    return { url: handedOutAddress(app, recipientOf(saved, recipientId), id), expiresAt }
  })
}

const isPerson = ({ label }: Pick<Actor, 'label'>) => label.startsWith('user:')

/** The newest link of a recipient, if this actor created it and it can still be opened. */
export function ownOpenLink(
  app: Pick<App, 'linkKey' | 'config' | 'now'>,
  recipient: Recipient,
  { actor, events }: { actor: Actor; events: readonly Pick<AuditEvent, 'type' | 'actor' | 'data'>[] },
): CreatedLink | undefined {
  const { pendingLink: id } = recipient
  if (id === undefined) return undefined
  const created = events.findLast(({ type, data }) => type === 'recipient.link_created' && data.linkId === id)
  const expiresAt = linkExpiry(timeOfId(id))
  if (created?.actor !== actor.label || expiresAt <= app.now()) return undefined
  return { url: handedOutAddress(app, recipient, id), expiresAt }
}
