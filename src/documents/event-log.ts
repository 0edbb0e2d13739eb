/** The public events of documents in the order in which they were recorded. */
import * as audit from '../audit/queries.ts'
import type { PublicEvent } from '../core/event.ts'
import { refuseIfInvalid } from '../core/refusal.ts'
import type { Actor, App } from '../ports.ts'
import { presentRecipient, presentSummary } from './present.ts'
import { findCached } from './queries.ts'

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

/** JSON as the API returns it. The document is shown as it is now: earlier states are not kept. */
export function presentPublicEvent(app: Pick<App, 'db'>, event: audit.PublicEventRow): string {
  const { id, type, at, documentId, recipientId } = event
  const cached = findCached(app.db, documentId)
  const recipient = cached?.document.recipients.find(r => r.id === recipientId)
  const head = JSON.stringify({ id, type, timestamp: at.toISOString(), documentId, recipientId: recipientId ?? null })
  const members = [
    `"document":${cached?.json(presentSummary) ?? 'null'}`,
    ...(recipient ? [`"recipient":${JSON.stringify(presentRecipient(recipient))}`] : []),
  ]
  return `${head.slice(0, -1)},"data":{${members.join(',')}}}`
}
