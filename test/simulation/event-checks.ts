/** What programs learned of events, by the feed and by webhooks, against what clients know. */
import type { Shown } from './follower.ts'
import type { FeedEvent, KnownDocument, Model } from './model.ts'
import type { Receiver } from './network.ts'

const DAY_MS = 86_400_000

const ONCE: ReadonlySet<string> = new Set(
  ['created', 'sent', 'completed', 'declined', 'voided', 'expired', 'deleted'].map(name => `document.${name}`),
)

/** The feed has each event once, and what happens once to a document at most once. */
export function checkFeed(model: Model, feed: readonly FeedEvent[]): void {
  const [ids, once] = [new Set<string>(), new Map<string, number>()]
  for (const { id, type, documentId } of feed) {
    if (ids.has(id)) model.violate(`the feed has ${id} twice`)
    ids.add(id)
    if (ONCE.has(type)) once.set(`${type} ${documentId}`, (once.get(`${type} ${documentId}`) ?? 0) + 1)
  }
  for (const [what, count] of once) if (count > 1) model.violate(`${what} happened ${count} times`)
}

/** Each acknowledged change has its event, and the events lead to the status that is shown. */
export function checkChanges(model: Model, feed: readonly FeedEvent[], shown: ReadonlyMap<string, Shown>): void {
  const types = new Map<string, string[]>()
  for (const { type, documentId } of feed) if (documentId) types.set(documentId, [...(types.get(documentId) ?? []), type])
  for (const known of model.documents) {
    const { id, title, deleted } = known
    if (id === undefined || model.erased.has(id)) continue
    const happened = types.get(id) ?? []
    for (const type of changesOf(known)) if (!happened.includes(type)) model.violate(`the feed has no ${type} of “${title}”`)
    if (deleted !== 'no') continue
    const signatures = known.recipients.filter(({ signed }) => signed === 'yes').length
    const signed = happened.filter(type => type === 'recipient.signed').length
    if (signed < signatures) model.violate(`the feed has ${signed} of ${signatures} signatures of “${title}”`)
    const status = statusAfter(happened)
    const last = shown.get(id)?.status
    if (last !== status) model.violate(`“${title}” is ${last}, and by its events ${status}`)
  }
}

/** A deleted document leaves one event alone. */
function changesOf({ deleted, created, sent, voided }: KnownDocument): string[] {
  if (deleted !== 'no') return deleted === 'yes' ? ['document.deleted'] : []
  const changes = { created, sent, voided }
  return Object.entries(changes).flatMap(([name, outcome]) => (outcome === 'yes' ? [`document.${name}`] : []))
}

function statusAfter(types: readonly string[]): string {
  const end = ['completed', 'declined', 'voided', 'expired'].find(name => types.includes(`document.${name}`))
  return end ?? (types.includes('document.sent') ? 'sent' : 'draft')
}

/** A node shows the events in the order in which a follower has seen them, at any node. */
export function checkOrder(model: Model, seen: readonly FeedEvent[], shown: readonly FeedEvent[], where: string): void {
  const places = new Map(seen.map(({ id }, place) => [id, place]))
  let last = -1
  for (const { id, type } of shown) {
    const place = places.get(id)
    if (place === undefined) model.violate(`${type} ${id} is shown at ${where}, and a follower has missed it`)
    else if (place < last) model.violate(`${type} ${id} is shown at ${where} after what followers saw later`)
    last = place ?? last
  }
}

/** Each event that a program heard of is in the feed, once. */
export function checkDeliveries(model: Model, { received, downtime }: Receiver, feed: readonly FeedEvent[]): void {
  const ids = new Set(feed.map(({ id }) => id))
  const heard = new Set(received.map(({ id }) => id))
  for (const { id, atMs, body } of received) {
    if (!ids.has(id)) model.violate(`a webhook had ${id}, which the feed does not have`)
    const { document } = body.data
    if (body.type === 'document.expired') model.checkExpiry(document.title, document.expiresAt, atMs)
  }
  // Ten attempts span about three days.
  if (downtime.longestMs > 2 * DAY_MS) return
  const deleted = new Set(
    model.documents.flatMap(({ id, deleted }) => (id !== undefined && (deleted !== 'no' || model.erased.has(id)) ? [id] : [])),
  )
  for (const { id, type, documentId } of feed) {
    // What was not delivered of a deleted document is deleted with it.
    const mayLack = documentId !== null && deleted.has(documentId) && type !== 'document.deleted'
    if (!heard.has(id) && !mayLack) model.violate(`no webhook had ${type} ${id}`)
  }
}
