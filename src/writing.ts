/** The write functions of the App: storage errors become refusals, some changes are retried. */
import type { Refusal } from './core/refusal.ts'
import type { CommitOptions, Database, Tx } from './db/open.ts'
import { storageRefusal } from './db/storage-refusal.ts'
import { isSyncError } from './lib/disk.ts'
import { errorMessage, type Log } from './lib/log.ts'
import type { App, Committed, WriteOptions } from './ports.ts'

interface Deps {
  log: Log
  /** Called after every commit, before `wake`. */
  committed(tx: Tx): void
  /** Called after a commit, unless the change makes no work. */
  wake(): void
  /** Called when a commit may not be durable. */
  onSyncError(error: unknown): void
}

type Work = (tx: Tx) => Promise<unknown>

export function openWriting(
  database: Pick<Database, 'write'>,
  deps: Deps,
): Pick<App, 'write' | 'writeUnsynced' | 'afterCommit' | 'writeEventually' | 'flushPending'> {
  // Keyed by transaction: one that is rolled back is forgotten with its notes.
  const notes = new WeakMap<Tx, (() => void)[]>()
  const commit = async <T>(work: (tx: Tx) => Promise<T>, { wake = true, durable }: WriteOptions & CommitOptions = {}) => {
    let used: Tx | undefined
    const result = await database.write(
      tx => {
        // The database may run the work again: only the last transaction is committed.
        used = tx
        return work(tx)
      },
      { durable },
    )
    if (used) {
      deps.committed(used)
      for (const run of notes.get(used) ?? []) run()
    }
    if (wake) deps.wake()
    return result
  }
  const refused = (error: unknown): Refusal | undefined => {
    const refusal = storageRefusal(error)
    if (refusal === undefined || refusal === error) return refusal
    deps.log('error', 'storage unavailable', { error: errorMessage(error) })
    if (isSyncError(error)) deps.onSyncError(error)
    return refusal
  }
  const pending = new PendingChanges(change => commit(change), refused, deps.log)
  const write = async <T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions & CommitOptions): Promise<T> => {
    try {
      return await commit(work, options)
    } catch (error) {
      const refusal = refused(error)
      if (refusal) throw refusal
      throw error
    }
  }
  const writeAfterPending = async <T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions & CommitOptions) => {
    // Waiting changes first: a request is repeated after its reservation was released. Those that
    // fail again go on waiting; this change has its own result.
    if (!pending.isEmpty) await pending.flush().catch(() => undefined)
    return write(work, options) as Promise<Committed<T>>
  }
  return {
    write: writeAfterPending,
    writeUnsynced: work => writeAfterPending(work, { wake: false, durable: false }),
    afterCommit: (tx, run) => void notes.set(tx, [...(notes.get(tx) ?? []), run]),
    async writeEventually(work) {
      try {
        await write(work)
      } catch (error) {
        if (!storageRefusal(error)) throw error
        pending.add(work)
      }
    },
    flushPending: () => pending.flush(),
  }
}

/** Changes that wait for the storage, made once each and in order. */
class PendingChanges {
  readonly #commit: (work: Work) => Promise<unknown>
  readonly #refused: (error: unknown) => Refusal | undefined
  readonly #log: Log
  readonly #changes: Work[] = []
  #flushing: Promise<void> | undefined

  constructor(commit: (work: Work) => Promise<unknown>, refused: (error: unknown) => Refusal | undefined, log: Log) {
    this.#commit = commit
    this.#refused = refused
    this.#log = log
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0
  }

  add(change: Work): void {
    this.#changes.push(change)
  }

  /** Throws `storage_unavailable` as long as the storage refuses the first of them. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  async #flush(): Promise<void> {
    for (let change = this.#changes[0]; change; change = this.#changes[0]) {
      try {
        await this.#commit(change)
      } catch (error) {
        const refusal = this.#refused(error)
        if (refusal) throw refusal
        // It would fail again, and those after it would wait for ever.
        this.#log('error', 'pending change failed', { error: errorMessage(error) })
      }
      this.#changes.shift()
    }
  }
}
