/** Server-sent events about the progress of a batch, for its page. */
import { sessionUser } from '../../../accounts/people.ts'
import { loadBatch } from '../../../batches/batches.ts'
import { findBatch } from '../../../batches/queries.ts'
import type { Batch } from '../../../core/template/batch.ts'
import type { EventSource } from '../../../lib/event-streams.ts'
import type { Cancel } from '../../../lib/machine.ts'
import type { App } from '../../../ports.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { type OwnVisit, streamOf } from '../documents/live.ts'
import { actorOf, idOf } from '../documents/sender-visit.ts'

const POLL_MS = 1000

/** Differs after every change of a row. */
export function batchPosition({ state, counts: { sent, failed, stopped } }: Batch): string {
  return `${state}-${sent}-${failed}-${stopped}`
}

/** Reads the counts once a second: any node may send rows, and a failed row changes no document. */
class BatchProgress implements EventSource {
  readonly #app: App
  readonly #token: string
  readonly #id: string
  readonly #wake: () => void
  readonly #stop: Cancel
  #known: string
  #isReading = false

  constructor({ app, session, request, query }: OwnVisit, id: string, wake: () => void) {
    this.#app = app
    this.#token = session.token
    this.#id = id
    this.#wake = wake
    this.#known = request.headers.get('last-event-id') ?? query.after ?? ''
    this.#stop = app.timers.every(POLL_MS, () => void this.#look())
    void this.#look()
  }

  /** Ends with the session, and with the batch. */
  async take(): Promise<string[] | undefined> {
    if (!(await sessionUser(this.#app, this.#token, { isUse: false }))) return undefined
    const batch = await findBatch(this.#app.db, this.#id)
    if (!batch) return undefined
    const position = batchPosition(batch)
    if (position === this.#known) return []
    this.#known = position
    return [`id: ${position}\nevent: changed\ndata: ${JSON.stringify({ id: this.#id, version: null })}\n\n`]
  }

  ended(): void {
    this.#stop()
  }

  /** A failure is met again by the next look, or by the page itself. */
  async #look(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    try {
      const batch = await findBatch(this.#app.db, this.#id)
      if (!batch || batchPosition(batch) !== this.#known) this.#wake()
    } catch (error) {
      this.#app.log('warn', 'the progress of a batch could not be read', { error: String(error) })
    } finally {
      this.#isReading = false
    }
  }
}

export async function getLive(visit: Visit): Promise<PageResponse> {
  const { id } = await loadBatch(visit.app.db, actorOf(visit), idOf(visit))
  return streamOf(visit, (own, wake) => new BatchProgress(own, id, wake))
}
