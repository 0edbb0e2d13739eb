/** Stores a change with its audit entries, webhooks, mails and jobs in one transaction. */
import { addressesForOwner } from '../accounts/notified.ts'
import { appendEvents } from '../audit/log.ts'
import type { Document, Transition } from '../core/document.ts'
import { isPublicEvent } from '../core/event.ts'
import { followUps } from '../core/follow-up.ts'
import { Refusal } from '../core/refusal.ts'
import type { Db, Tx } from '../db/open.ts'
import { queueFollowUps } from '../outbox/outbox.ts'
import type { Actor, App, Origin } from '../ports.ts'
import { publish } from '../webhooks/publish.ts'
import type { CachedDocument } from './cached-document.ts'
import { presentRecipient, presentSummary } from './present.ts'
import * as queries from './queries.ts'

/** Throws `not_found` both for unknown documents and for those the actor may not see. */
export async function load(db: Db | Tx, actor: Actor, id: string): Promise<Document> {
  const document = await queries.find(db, id)
  if (!document || !maySee(actor, document)) throw notFound()
  return document
}

/** As `load`, with the JSON texts. */
export async function loadCached(db: Db, actor: Actor, id: string): Promise<CachedDocument> {
  const cached = await queries.findCached(db, id)
  if (!cached || !maySee(actor, cached.document)) throw notFound()
  return cached
}

export const maySee = (actor: Actor, document: Document) => actor.seesAll || document.ownerId === actor.userId
const notFound = () => new Refusal('not_found', 'Document not found.')

/** Stores what changed and when. `before` is undefined for a new document. */
export async function record(
  tx: Tx,
  app: App,
  before: Document | undefined,
  transition: Transition,
  origin: Origin,
): Promise<Document> {
  const { events } = transition
  const isChanged = before !== undefined && (before !== transition.document || events.length > 0)
  const document = isChanged ? { ...transition.document, updatedAt: app.now() } : transition.document
  if (before === undefined) await queries.insert(tx, document)
  else if (isChanged) await queries.save(tx, before, document)
  if (before === undefined || isChanged) await noteChange(tx, app, document)
  const recorded = await appendEvents(tx, app, document, events, origin)
  await queueFollowUps(tx, app, followUps(document, events), async id =>
    id === undefined ? addressesForOwner(tx, document.ownerId) : document.recipients.filter(r => r.id === id),
  )
  await publish(
    tx,
    app,
    document,
    recorded.flatMap(({ id, at, event: { type, recipientId } }) => {
      if (!isPublicEvent(type)) return []
      const recipient = document.recipients.find(r => r.id === recipientId)
      const data = { document: presentSummary(document), ...(recipient ? { recipient: presentRecipient(recipient) } : {}) }
      return [{ id, type, at, data }]
    }),
  )
  return document
}

/** Tells those who look at the document, after the commit. */
async function noteChange(tx: Tx, app: App, { id, ownerId }: Document): Promise<void> {
  await app.changes.note(tx, { documentId: id, ownerId, version: await queries.versionOf(tx, id) })
}

export type Command = (document: Document, now: Date) => Transition

/** Loads the document, applies a command of the state machine and records the transition. */
export async function change(app: App, origin: Origin, id: string, command: Command): Promise<Document> {
  return changeDocument(app, origin, id, command, ({ document }) => document)
}

/** As `change`, but `result` runs in the same transaction and makes the return value. */
export async function changeDocument<T>(
  app: App,
  origin: Origin,
  id: string,
  command: Command,
  result: (transition: Transition, tx: Tx) => T | Promise<T>,
): Promise<T> {
  return app.write(async tx => {
    const document = await load(tx, origin.actor, id)
    const transition = command(document, app.now())
    await record(tx, app, document, transition, origin)
    return result(transition, tx)
  })
}
