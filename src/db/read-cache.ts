/** Caches values read from the database by kind, id and version. Readers must not change them. */
import { LruCache } from '../lib/lru-cache.ts'

/** A value with the version of the rows it was read from. */
export interface Versioned<T> {
  version: number
  value: T
  /** Estimate of the memory it takes. */
  bytes: number
}

/** What is asked for. Without a version it is read anew. */
export interface Wanted {
  id: string
  version: number | undefined
}

/** By the estimates of its entries: some 800 documents for two signers. */
const MAX_BYTES = 8_000_000

export class ReadCache {
  readonly #entries = new LruCache<string, Versioned<unknown>>(MAX_BYTES)

  /**
   * Returns the value of this version at once, or what `read` finds. A missing value is not
   * cached.
   */
  get<T>(kind: string, wanted: Wanted, read: () => Promise<Versioned<T> | undefined>): T | undefined | Promise<T | undefined> {
    const held = this.#held<T>(kind, wanted)
    return held === undefined ? this.#read(kind, wanted, read) : held.value
  }

  /** As `get`, for several in their order. `read` is called once, for those that are not cached. */
  async getAll<T>(
    kind: string,
    wanted: readonly Wanted[],
    read: (ids: string[]) => Promise<ReadonlyMap<string, Versioned<T>>>,
  ): Promise<T[]> {
    const held = wanted.map(each => this.#held<T>(kind, each))
    const missing = wanted.flatMap(({ id }, i) => (held[i] === undefined ? [id] : []))
    const found = missing.length === 0 ? new Map<string, Versioned<T>>() : await read(missing)
    return wanted.flatMap(({ id }, i) => (held[i] ?? this.#keep(kind, id, found.get(id)))?.value ?? [])
  }

  async #read<T>(kind: string, { id }: Wanted, read: () => Promise<Versioned<T> | undefined>): Promise<T | undefined> {
    return this.#keep(kind, id, await read())?.value
  }

  #held<T>(kind: string, { id, version }: Wanted): Versioned<T> | undefined {
    const known = this.#entries.get(`${kind} ${id}`)
    // One kind is always read as one type.
    return known?.version === version ? (known as Versioned<T> | undefined) : undefined
  }

  #keep<T>(kind: string, id: string, found: Versioned<T> | undefined): Versioned<T> | undefined {
    const key = `${kind} ${id}`
    if (found === undefined) this.#entries.delete(key)
    // A slow read may end after a later one has found a newer version.
    else if (found.version >= (this.#entries.get(key)?.version ?? 0)) this.#entries.set(key, found, found.bytes)
    return found
  }
}
