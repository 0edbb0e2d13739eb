/** Stores a change with its audit entries, webhooks, mails and jobs in one transaction. */
import { addressesForOwner } from '../accounts/notified.ts'
import { prepareEvents } from '../audit/log.ts'
import { eventDataInsertions, newestEvents } from '../audit/queries.ts'
import { type Document, isEnded, isTemplate, type Transition } from '../core/document/document.ts'
import { type FollowUp, followUps } from '../core/document/follow-up.ts'
import { Refusal } from '../core/refusal.ts'
import { requiresDeviceKey } from '../core/signing/device-key.ts'
import { sharesMailbox } from '../core/signing/routing.ts'
import { violation } from '../core/violation.ts'
import { changeTime } from '../db/change-time.ts'
import type { Db, Tx } from '../db/open.ts'
import { type Change, changeTogether, readTogether } from '../db/together.ts'
import { claimById } from '../files/claim-queries.ts'
import { type FileClaim, fileSettlement } from '../files/claims.ts'
import { queuedFor } from '../outbox/outbox.ts'
import { jobInsertions, mailInsertions } from '../outbox/queries.ts'
import type { Actor, App, Committed, Origin } from '../ports.ts'
import { deliveryInsertions } from '../webhooks/delivery-queries.ts'
import { deliveriesOf, type PublishedEvent } from '../webhooks/publish.ts'
import { subscribedWebhooks } from '../webhooks/queries.ts'
import { documentChanges, documentInsertions } from './change-queries.ts'
import { lastNumber } from './lists/search-queries.ts'
import type { CachedDocument } from './present.ts'
import { publishedEvents } from './published.ts'
import * as queries from './queries.ts'
import { requireDeviceKeys } from './signing/device-key.ts'

/** Throws `not_found` for unknown documents, for those the actor may not see, and for templates. */
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

/** Templates have rules of their own. */
export const maySee = (actor: Actor, document: Document) =>
  !isTemplate(document) && (actor.seesAll || document.ownerId === actor.userId)
const notFound = () => new Refusal('not_found', violation('document_not_found'))

interface RecordOptions {
  /** A stored file that the document refers to from now on. */
  file?: FileClaim
  /** Changes of other rows than those of the document, its recipients and fields. */
  others?: readonly Change[]
}

/** Stores what changed and when. `before` is undefined for a new document. */
export async function record(
  tx: Tx,
  app: App,
  before: Document | undefined,
  transition: Transition,
  origin: Origin,
  { file, others = [] }: RecordOptions = {},
): Promise<Document> {
  const { events } = transition
  await requireUsable(tx, app, before, transition.document)
  const isChanged = before !== undefined && (before !== transition.document || events.length > 0)
  const now = await changeTime(tx, app)
  const document = isChanged ? { ...transition.document, ...timesOf(before, transition, now) } : transition.document
  const hasEvents = events.length > 0
  const [newest, subscriptions, last, claims] = await readTogether(tx, [
    hasEvents ? newestEvents(tx, document.id) : undefined,
    hasEvents ? subscribedWebhooks(tx, document.ownerId) : undefined,
    before === undefined ? lastNumber(tx) : undefined,
    file && claimById(tx, file.id),
  ])
  const deps = { newId: app.newId, random: app.random, now: () => now }
  const { recorded, changes } = prepareEvents(tx, deps, document, events, origin, newest)
  const queued = await queuedFor(app, await usableFollowUps(tx, app, followUps(document, events)), async id =>
    id === undefined ? addressesForOwner(tx, document.ownerId) : document.recipients.filter(r => r.id === id),
  )
  const published = publishedEvents(document, recorded)
  const { deliveries, jobs } = deliveriesOf(app, published, subscriptions)
  const settlement = file ? fileSettlement(tx, file, claims, now) : []
  // Changes of a document may be made at once, and the file that it refers to comes before.
  if (before !== undefined) await changeTogether(tx, settlement)
  await changeTogether(tx, [
    ...(before === undefined ? settlement : []),
    ...(before === undefined ? await documentInsertions(tx, document, last[0]) : []),
    ...(isChanged ? await documentChanges(tx, before, document) : []),
    ...changes,
    ...eventDataInsertions(tx, published.map(withJson)),
    ...mailInsertions(tx, queued.mails),
    ...deliveryInsertions(tx, deliveries, now),
    ...jobInsertions(tx, [...queued.jobs, ...jobs], now),
    ...others,
  ])
  if (before === undefined || isChanged) await noteChange(tx, app, document)
  return document
}

/**
 * The release before refuses to change and send a document of two who share an address, and would
 * let somebody sign without the device key that is required.
 */
async function requireUsable(tx: Tx, app: App, before: Document | undefined, after: Document): Promise<void> {
  const isNew = sharesMailbox(after) && !(before && sharesMailbox(before))
  if (isNew) await app.features.require(tx, 'sharedAddress')
  if (after.status === 'sent' && before?.status !== 'sent') await requireDeviceKeys(app, tx, after)
  if (requiresDeviceKey(after) && !(before && requiresDeviceKey(before))) await app.features.require(tx, 'deviceKeyRequired')
}

/** The release before, which may still serve, cannot make a receipt. */
async function usableFollowUps(tx: Tx, app: App, all: FollowUp[]): Promise<FollowUp[]> {
  const isReceipt = (one: FollowUp) => one.kind === 'mail' && one.mail === 'receipt'
  if (!all.some(isReceipt) || (await app.features.isUsable(tx, 'receiptMail'))) return all
  return all.filter(one => !isReceipt(one))
}

const withJson = ({ sequence, documentId, data }: PublishedEvent) => ({ sequence, documentId, json: JSON.stringify(data) })

function timesOf(before: Document, { document }: Transition, now: Date): Pick<Document, 'updatedAt' | 'endedAt'> {
  const endedAt = isEnded(document) && !isEnded(before) ? now : document.endedAt
  // What a reader has seen of this document is kept even if the clock was a year ahead then.
  return { updatedAt: before.updatedAt > now ? before.updatedAt : now, endedAt }
}

/** After the commit, pages that show the document are updated. */
async function noteChange(tx: Tx, app: App, { id, ownerId }: Document): Promise<void> {
  await app.changes.note(tx, { documentId: id, ownerId, version: () => queries.versionOf(tx, id) })
}

/** What it reads besides the document, it reads in the transaction. */
export type Command = (document: Document, now: Date, tx: Tx) => Transition | Promise<Transition>

/** Loads the document, applies a command of the state machine and records the transition. */
export async function change(app: App, origin: Origin, id: string, command: Command): Promise<Committed<Document>> {
  return changeDocument(app, origin, id, command, ({ document }) => document)
}

/** Changes to make together with those of a transition. */
export type Others = (transition: Transition, tx: Tx) => Change[] | Promise<Change[]>

/** As `change`, but `result` makes the return value. */
export async function changeDocument<T>(
  app: App,
  origin: Origin,
  id: string,
  command: Command,
  result: (transition: Transition) => T,
  others: Others = () => [],
): Promise<Committed<T>> {
  return app.write(async tx => {
    const document = await load(tx, origin.actor, id)
    const transition = await command(document, await changeTime(tx, app), tx)
    await record(tx, app, document, transition, origin, { others: await others(transition, tx) })
    return result(transition)
  })
}
