/** The public events of documents in the order in which they were recorded. */
import * as audit from '../audit/queries.ts'
import type { PublicEvent } from '../core/event.ts'
import { refuseIfInvalid } from '../core/refusal.ts'
import type { Actor, App } from '../ports.ts'
import type { CachedDocument } from './cached-document.ts'
import { presentRecipient, presentSummary } from './present.ts'
import { findAllCached } from './queries.ts'

export interface EventFilter {
  type?: PublicEvent
  documentId?: string
}

export interface EventPage {
  events: audit.PublicEventRow[]
  next: string | undefined
}

/** The oldest first, after the event with the id `after`. */
export async function listEvents(
  app: App,
  actor: Actor,
  filter: EventFilter,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<EventPage> {
  const from = after === undefined ? 0 : await audit.sequenceOf(app.db, after)
  if (from === undefined) refuseIfInvalid([{ path: 'cursor', message: 'is not the id of an event' }])
  const owner = actor.seesAll ? {} : { ownerId: actor.userId ?? '' }
  const found = await audit.publicEvents(app.db, { ...filter, ...owner, after: from ?? 0 }, limit + 1)
  const events = found.slice(0, limit)
  return { events, next: found.length > limit ? events.at(-1)?.id : undefined }
}

/** JSON as the API returns it. Documents are shown as they are now: earlier states are not kept. */
export async function presentPublicEvents(app: Pick<App, 'db'>, events: audit.PublicEventRow[]): Promise<string[]> {
  const found = await findAllCached(app.db, [...new Set(events.map(({ documentId }) => documentId))])
  const byId = new Map(found.map(cached => [cached.document.id, cached]))
  return events.map(event => presentPublicEvent(event, byId.get(event.documentId)))
}

function presentPublicEvent(event: audit.PublicEventRow, cached: CachedDocument | undefined): string {
  const { id, type, at, documentId, recipientId } = event
  const recipient = cached?.document.recipients.find(r => r.id === recipientId)
  const head = JSON.stringify({ id, type, timestamp: at.toISOString(), documentId, recipientId: recipientId ?? null })
  const members = [
    `"document":${cached?.json(presentSummary) ?? 'null'}`,
    ...(recipient ? [`"recipient":${JSON.stringify(presentRecipient(recipient))}`] : []),
  ]
  return `${head.slice(0, -1)},"data":{${members.join(',')}}}`
}
