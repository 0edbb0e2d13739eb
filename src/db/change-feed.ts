/** Publishes changes of documents after their commit, within this process. */
import { randomBytes } from 'node:crypto'
import type { Tx } from './open.ts'

export interface DocumentChange {
  documentId: string
  /** Owner of the document; `undefined` for the instance itself. */
  ownerId: string | undefined
  /** `undefined` once the document is deleted. */
  version: number | undefined
}

export type ChangeListener = (change: DocumentChange) => void

/**
 * Other engines can implement it: on PostgreSQL, `note` would call `pg_notify`, and a listener
 * would publish what `LISTEN` receives from every process.
 */
export interface ChangeFeed {
  /** Publishes the change when the transaction commits, never if it is rolled back. */
  note(tx: Tx, change: DocumentChange): Promise<void>
  /** Called by `app.write` after each commit. */
  committed(tx: Tx): void
  /** The listener must not throw. Returns the function that ends the subscription. */
  subscribe(listener: ChangeListener): () => void
  /** Differs after every published change and after every start. */
  position(): string
}

export class InProcessChangeFeed implements ChangeFeed {
  // Keyed by transaction: a transaction that is rolled back is forgotten with its changes.
  readonly #noted = new WeakMap<Tx, Map<string, DocumentChange>>()
  readonly #listeners = new Set<ChangeListener>()
  readonly #start = randomBytes(6).toString('hex')
  #published = 0

  async note(tx: Tx, change: DocumentChange): Promise<void> {
    const noted = this.#noted.get(tx) ?? new Map<string, DocumentChange>()
    this.#noted.set(tx, noted.set(change.documentId, change))
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

  subscribe(listener: ChangeListener): () => void {
    // Wrapped: one function may be subscribed twice.
    const own: ChangeListener = change => listener(change)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  position(): string {
    return `${this.#start}-${this.#published}`
  }
}
