/** The public events of documents in the order in which they were recorded. */
import * as audit from '../../audit/queries.ts'
import type { PublicEvent } from '../../core/document/event.ts'
import { errorsIn, refuseIfInvalid } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import type { Actor, App } from '../../ports.ts'
import { eventJson } from '../../webhooks/publish.ts'
import { type CachedDocument, presentRecipient, presentSummary } from '../present.ts'
import { deletionData } from '../published.ts'
import { findAllCached } from '../queries.ts'
import { maySee } from '../record.ts'

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
  if (from === undefined) refuseIfInvalid(errorsIn([['cursor', violation('unknown_event')]]))
  const owner = actor.seesAll ? {} : { ownerId: actor.userId ?? '' }
  const found = await audit.publicEvents(app.db, { ...filter, ...owner, after: from ?? 0 }, limit + 1)
  const events = found.slice(0, limit)
  return { events, next: found.length > limit ? events.at(-1)?.id : undefined }
}

/**
 * JSON as the API returns it: as it was delivered. Events of earlier releases show the document as
 * it is now, if the actor may still see it.
 */
export async function presentPublicEvents(app: Pick<App, 'db'>, actor: Actor, events: audit.PublicEventRow[]): Promise<string[]> {
  const former = events.filter(({ data }) => data === undefined)
  const found = await findAllCached(app.db, [...new Set(former.map(({ documentId }) => documentId))])
  const byId = new Map(found.flatMap(cached => (maySee(actor, cached.document) ? [[cached.document.id, cached]] : [])))
  return events.map(event => {
    const { documentId, event: recorded, at, data = presentAsNow(event, byId.get(documentId)) } = event
    const deletion = deletionData(documentId, recorded, at)
    return eventJson({ ...event, recipientId: recorded.recipientId }, deletion ? JSON.stringify(deletion) : data)
  })
}

function presentAsNow({ event: { recipientId } }: audit.PublicEventRow, cached: CachedDocument | undefined): string {
  const recipient = cached?.document.recipients.find(r => r.id === recipientId)
  const shown = recipient ? `,"recipient":${JSON.stringify(presentRecipient(recipient))}` : ''
  return `{"document":${cached?.json(presentSummary) ?? 'null'}${shown}}`
}
