/** Caches values read from the database by kind, id and version. Readers must not change them. */
import { LruCache } from '../lib/lru-cache.ts'

/** A value with the version of the rows it was read from. */
export interface Versioned<T> {
  version: number
  value: T
  /** Estimate of the memory it takes. */
  bytes: number
}

const MAX_BYTES = 32_000_000

export class ReadCache {
  readonly #entries = new LruCache<string, Versioned<unknown>>(MAX_BYTES)

  /** Returns the value of this version, or what `read` finds. A missing value is not cached. */
  get<T>(kind: string, id: string, version: number | undefined, read: () => Versioned<T> | undefined): T | undefined {
    const key = `${kind} ${id}`
    const known = this.#entries.get(key)
    // One kind is always read as one type.
    if (known !== undefined && known.version === version) return known.value as T
    const found = read()
    if (found === undefined) this.#entries.delete(key)
    else this.#entries.set(key, found, found.bytes)
    return found?.value
  }
}
