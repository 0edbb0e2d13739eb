/** Server-sent events about changes of documents, for pages that show them. */
import { sessionUser } from '../../../accounts/people.ts'
import { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import type { DocumentChange, Subscription } from '../../../db/change-feed.ts'
import { loadCached } from '../../../documents/record.ts'
import type { EventSource } from '../../../lib/event-streams.ts'
import { sha256Hex } from '../../../lib/sha256.ts'
import type { Actor, App } from '../../../ports.ts'
import { loadTemplate } from '../../../templates/edit.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { SAME_ORIGIN } from '../../version-headers.ts'

/** Ids of changed documents that wait to be sent; with more, one event without an id is sent. */
const MAX_WAITING = 200
const RETRY_AFTER_S = 60

export type OwnVisit = Visit & { session: NonNullable<Visit['session']> }

/** The state that the page shows, by the browser that reconnects or by the page. */
export function knownPosition({ request, query }: Pick<Visit, 'request' | 'query'>): string | undefined {
  return request.headers.get('last-event-id') ?? query.after
}

/** The changes that one signed-in person may see, of one document or of all. */
class VisibleChanges implements EventSource {
  readonly #app: App
  readonly #token: string
  readonly #documentId: string | undefined
  readonly #waiting = new Map<string, number | undefined>()
  readonly #subscription: Subscription
  #actor: Actor
  #hasMissed = false

  constructor(visit: OwnVisit, documentId: string | undefined, wake: () => void) {
    const { app, session } = visit
    this.#app = app
    this.#token = session.token
    this.#actor = session.actor
    this.#documentId = documentId
    const known = knownPosition(visit)
    this.#subscription = app.changes.subscribe(change => {
      if (change === 'missed') this.#hasMissed = true
      else if (!this.#concerns(change)) return
      wake()
    }, known)
  }

  /** Ends with the session. */
  async take(): Promise<string[] | undefined> {
    const signedIn = await sessionUser(this.#app, this.#token, { isUse: false })
    if (!signedIn) return undefined
    this.#actor = signedIn.actor
    if (this.#hasMissed) this.#waiting.clear()
    const changes: [id: string | null, version: number | undefined][] = this.#hasMissed
      ? [[this.#documentId ?? null, undefined]]
      : [...this.#waiting]
    this.#hasMissed = false
    this.#waiting.clear()
    return changes.map(([id, version]) => this.#block(id, version))
  }

  ended(): void {
    this.#subscription.end()
  }

  #concerns({ documentId, ownerId, version }: DocumentChange): boolean {
    if (this.#documentId !== undefined && documentId !== this.#documentId) return false
    if (!this.#actor.seesAll && ownerId !== this.#actor.userId) return false
    if (this.#waiting.size >= MAX_WAITING) this.#hasMissed = true
    else this.#waiting.set(documentId, version)
    return true
  }

  /** The id lets a browser that reconnects say what it knows. */
  #block(id: string | null, version: number | undefined): string {
    const data = JSON.stringify({ id, version: version ?? null })
    return `id: ${this.#subscription.position()}\nevent: changed\ndata: ${data}\n\n`
  }
}

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // nginx would hold the events back. https://nginx.org/en/docs/http/ngx_http_proxy_module.html
  'x-accel-buffering': 'no',
  ...SAME_ORIGIN,
}

/** A stream of the signed-in visitor's own. */
export function streamOf(visit: Visit, source: (visit: OwnVisit, wake: () => void) => EventSource): PageResponse {
  const { session } = visit
  if (!session) throw new Refusal('unauthorized', violation('please_sign_in'))
  return openStream(visit, session.token, wake => source({ ...visit, session }, wake))
}

/** The streams of one session token are counted together. */
export function openStream({ app, request }: Visit, token: string, source: (wake: () => void) => EventSource): PageResponse {
  if (request.method === 'HEAD') return { response: new Response(null, { headers: HEADERS }) }
  const body = app.eventStreams.open(sha256Hex(token), source)
  if (!body) throw new Refusal('overloaded', violation('pages_open'), [], RETRY_AFTER_S)
  return { response: new Response(body, { headers: HEADERS }) }
}

export const changesOf = (visit: Visit, documentId: string | undefined) =>
  streamOf(visit, (own, wake) => new VisibleChanges(own, documentId, wake))

export async function documentStream(visit: Visit): Promise<PageResponse> {
  const { app, session, params } = visit
  if (!session) throw new Refusal('unauthorized', violation('please_sign_in'))
  const { document } = await loadCached(app.db, session.actor, params.id ?? '')
  return changesOf(visit, document.id)
}

/** For whoever may edit it: the editor is the only page that shows one template. */
export async function templateStream(visit: Visit): Promise<PageResponse> {
  const { app, session, params } = visit
  if (!session) throw new Refusal('unauthorized', violation('please_sign_in'))
  const { id } = await loadTemplate(app.db, session.actor, params.id ?? '', 'change')
  return changesOf(visit, id)
}
