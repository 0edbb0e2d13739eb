/** Publishes changes of documents after their commit, of this process or of all that share rows. */
import { sql } from 'kysely'
import { errorMessage, type Log } from '../lib/log.ts'
import type { Cancel, Random, Timers } from '../lib/machine.ts'
import type { Db, Tx } from './open.ts'

export interface DocumentChange {
  documentId: string
  /** Owner of the document; `undefined` for the instance itself. */
  ownerId: string | undefined
  /** `undefined` once the document is deleted. */
  version: number | undefined
}

/** A feed that needs the version reads it. */
interface NotedChange extends Omit<DocumentChange, 'version'> {
  version: DocumentChange['version'] | (() => Promise<DocumentChange['version']>)
}

/** `missed`: some changes are not known any more, so everything has to be read again. */
type ChangeListener = (change: DocumentChange | 'missed') => void

export interface Subscription {
  /** All changes until here have been published to the listener. */
  position(): string
  end(): void
}

type Write = (work: (tx: Tx) => Promise<unknown>, options?: { wake?: boolean }) => Promise<unknown>

export interface ChangeFeed {
  /** Publishes the change when the transaction commits, never if it is rolled back. */
  note(tx: Tx, change: NotedChange): Promise<void>
  /** Called by `app.write` after each commit. */
  committed(tx: Tx): void
  /** From now on, or all since a position of any node. The listener must not throw. */
  subscribe(listener: ChangeListener, after?: string): Subscription
  /** Of the last change. A page asks before it reads what it shows. */
  position(): Promise<string>
  /** Scheduled: removes rows of changes beyond those that are kept. */
  prune(write: Write): Promise<void>
}

export class InProcessChangeFeed implements ChangeFeed {
  // Keyed by transaction: a transaction that is rolled back is forgotten with its changes.
  readonly #noted = new WeakMap<Tx, Map<string, DocumentChange>>()
  readonly #listeners = new Set<ChangeListener>()
  readonly #start: string
  #published = 0

  constructor(random: Random) {
    this.#start = random(6).toHex()
  }

  async note(tx: Tx, { version, ...change }: NotedChange): Promise<void> {
    const noted = this.#noted.get(tx) ?? new Map<string, DocumentChange>()
    this.#noted.set(
      tx,
      noted.set(change.documentId, { ...change, version: typeof version === 'function' ? await version() : version }),
    )
  }

  committed(tx: Tx): void {
    const noted = this.#noted.get(tx)
    if (noted === undefined) return
    this.#noted.delete(tx)
    for (const change of noted.values()) {
      this.#published++
      for (const listener of this.#listeners) listener(change)
    }
  }

  subscribe(listener: ChangeListener, after = this.#position()): Subscription {
    if (after !== this.#position()) listener('missed')
    // Wrapped: one function may be subscribed twice.
    const own: ChangeListener = change => listener(change)
    this.#listeners.add(own)
    return { position: () => this.#position(), end: () => void this.#listeners.delete(own) }
  }

  async position(): Promise<string> {
    return this.#position()
  }

  async prune(): Promise<void> {}

  /** Differs after every published change and after every start. */
  #position(): string {
    return `${this.#start}-${this.#published}`
  }
}

const POLL_MS = 1000
/** Rows that are kept. A subscriber with an older position is sent `missed`. */
export const MAX_KEPT_CHANGES = 10_000

interface Follower {
  listener: ChangeListener
  /** Of the last change published to it; `undefined` until the first look at the rows. */
  number: number | undefined
}

interface ChangeRow {
  document_id: string
  owner_id: string | null
  version: number | null
  number: number
}

/**
 * Of all nodes, by the rows of `document_changes`, read once a second while there is a listener. A
 * trigger numbers the changes in the order of their commits.
 */
export class PolledChangeFeed implements ChangeFeed {
  readonly #db: Pick<Db, 'reads'>
  readonly #log: Log
  readonly #timers: Timers
  readonly #noted = new WeakSet<Tx>()
  readonly #followers = new Set<Follower>()
  #stop: Cancel | undefined
  #polling: Promise<void> | undefined
  #isWoken = false
  #isFailing = false

  constructor({ db, log, timers }: { db: Pick<Db, 'reads'>; log: Log; timers: Timers }) {
    this.#db = db
    this.#log = log
    this.#timers = timers
  }

  async note(tx: Tx): Promise<void> {
    this.#noted.add(tx)
  }

  committed(tx: Tx): void {
    if (this.#noted.delete(tx)) this.#wake()
  }

  subscribe(listener: ChangeListener, after?: string): Subscription {
    const follower: Follower = { listener, number: after === undefined ? undefined : Number(after) }
    this.#followers.add(follower)
    this.#stop ??= this.#timers.every(POLL_MS, () => this.#wake())
    this.#wake()
    return {
      // Empty until the rows were read: equal to no position.
      position: () => String(follower.number ?? ''),
      end: () => {
        this.#followers.delete(follower)
        if (this.#followers.size > 0) return
        this.#stop?.()
        this.#stop = undefined
      },
    }
  }

  async position(): Promise<string> {
    return String(await this.#newest())
  }

  async prune(write: Write): Promise<void> {
    const last = (await this.#newest()) - MAX_KEPT_CHANGES
    const read = 'SELECT number FROM document_changes WHERE number <= ? LIMIT 1'
    if ((await this.#db.reads.first(read, [last])) === undefined) return
    await write(tx => sql`DELETE FROM document_changes WHERE number <= ${last}`.execute(tx), { wake: false })
  }

  /** Resolves when all that was committed before the call has been published. */
  async poll(): Promise<void> {
    this.#wake()
    while (this.#polling) await this.#polling
  }

  #wake(): void {
    this.#isWoken = true
    this.#polling ??= this.#publish().finally(() => {
      this.#polling = undefined
      if (this.#isWoken && this.#followers.size > 0) this.#wake()
    })
  }

  async #publish(): Promise<void> {
    while (this.#isWoken && this.#followers.size > 0) {
      this.#isWoken = false
      try {
        await this.#publishNewTo([...this.#followers])
        this.#isFailing = false
      } catch (error) {
        if (!this.#isFailing) this.#log('warn', 'changes of documents could not be read', { error: errorMessage(error) })
        this.#isFailing = true
      }
    }
  }

  async #publishNewTo(followers: Follower[]): Promise<void> {
    const newest = await this.#newest()
    for (const follower of followers) {
      follower.number ??= newest
      // In the future: the database was restored.
      if (follower.number <= newest && follower.number >= newest - MAX_KEPT_CHANGES) continue
      follower.number = newest
      follower.listener('missed')
    }
    const known = Math.min(newest, ...followers.map(({ number = newest }) => number))
    if (known === newest) return
    const rows = (await this.#db.reads.all(NEWER, [known])) as ChangeRow[]
    for (const follower of followers) if (this.#followers.has(follower)) publish(rows, follower)
  }

  async #newest(): Promise<number> {
    return ((await this.#db.reads.first(NEWEST, [])) as { number: number } | undefined)?.number ?? 0
  }
}

const NEWEST = 'SELECT number FROM document_changes ORDER BY number DESC LIMIT 1'
const NEWER = 'SELECT document_id, owner_id, version, number FROM document_changes WHERE number > ? ORDER BY number'

function publish(rows: ChangeRow[], follower: Follower): void {
  for (const { document_id, owner_id, version, number } of rows) {
    if (number <= (follower.number ?? 0)) continue
    follower.number = number
    follower.listener({ documentId: document_id, ownerId: owner_id ?? undefined, version: version ?? undefined })
  }
}
