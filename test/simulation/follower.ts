/** Programs that follow the service: by the cursor of changes, by time, by the feed of events. */
import type { Client } from './client.ts'
import type { FeedEvent, KnownDocument, Model } from './model.ts'

const HOUR_MS = 3_600_000

/** A document as a program has seen it last. */
export interface Shown {
  id: string
  status: string
  updatedAt: string
}

export class Follower {
  readonly #client: Client
  readonly #model: Model
  #cursor: string | undefined
  #since = new Date(0).toISOString()
  #event: string | undefined
  readonly byCursor = new Map<string, Shown>()
  readonly byTime = new Map<string, Shown>()
  readonly events: FeedEvent[] = []

  constructor(client: Client, model: Model) {
    this.#client = client
    this.#model = model
  }

  /** One round of all three, and a comparison with what was acknowledged before it began. */
  async poll(): Promise<void> {
    const before = this.#model.documents.filter(({ created, deleted }) => created === 'yes' && deleted === 'no')
    if (await this.#followCursor()) this.#compare(before, this.byCursor, 'cursor')
    // Of a clock that was wrong by more than an hour, the guide says what may be missed by time.
    if ((await this.#followTime()) && this.#model.largestJumpMs <= HOUR_MS) this.#compare(before, this.byTime, 'time')
    await this.followFeed()
  }

  #compare(before: readonly KnownDocument[], known: ReadonlyMap<string, Shown>, by: string): void {
    for (const { id, title, deleted } of before) {
      if (id === undefined || deleted !== 'no' || known.has(id)) continue
      this.#model.violate(`who follows by ${by} does not know “${title}”`)
    }
  }

  /** Of what is listed when nothing goes on any more, the last change was seen. */
  compareLast(listed: readonly Shown[]): void {
    const ways = { cursor: this.byCursor, ...(this.#model.largestJumpMs <= HOUR_MS ? { time: this.byTime } : {}) }
    for (const [way, seen] of Object.entries(ways))
      for (const { id, updatedAt } of listed)
        if (seen.get(id)?.updatedAt !== updatedAt)
          this.#model.violate(`who follows by ${way} has missed the last change of ${id}`)
  }

  async #followCursor(): Promise<boolean> {
    for (;;) {
      const cursor = this.#cursor === undefined ? '' : `&cursor=${encodeURIComponent(this.#cursor)}`
      const answer = await this.#client.once('GET', `/documents?order=changed&limit=20${cursor}`)
      if (answer?.status !== 200) return false
      for (const shown of answer.body.data as Shown[]) this.byCursor.set(shown.id, shown)
      this.#cursor = answer.body.nextCursor ?? this.#cursor
      if (answer.body.data.length === 0) return true
    }
  }

  async #followTime(): Promise<boolean> {
    let cursor = ''
    let asOf: string | undefined
    for (;;) {
      const answer = await this.#client.once(
        'GET',
        `/documents?limit=50&updatedAfter=${encodeURIComponent(this.#since)}${cursor}`,
      )
      if (answer?.status !== 200) return false
      asOf ??= answer.body.asOf
      for (const shown of answer.body.data as Shown[]) this.byTime.set(shown.id, shown)
      if (answer.body.nextCursor === null) break
      cursor = `&cursor=${encodeURIComponent(answer.body.nextCursor)}`
    }
    this.#since = asOf ?? this.#since
    return true
  }

  async followFeed(): Promise<boolean> {
    for (;;) {
      const cursor = this.#event === undefined ? '' : `&cursor=${this.#event}`
      const answer = await this.#client.once('GET', `/events?limit=100${cursor}`)
      if (answer?.status !== 200) return false
      const data = answer.body.data as { id: string; type: string; documentId?: string }[]
      for (const { id, type, documentId = null } of data) this.events.push({ id, type, documentId })
      this.#event = data.at(-1)?.id ?? this.#event
      if (answer.body.nextCursor === null) return true
    }
  }
}
