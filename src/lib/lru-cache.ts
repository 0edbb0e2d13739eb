/**
 * Keeps values up to a total weight; the least recently used are removed first. Caches by key
 * object, and of runs that are shared.
 */

/** Caches the result of `compute` for each key object, for as long as the key exists. */
export function memoizePerObject<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const cache = new WeakMap<K, { value: V }>()
  return key => {
    const entry = cache.get(key) ?? { value: compute(key) }
    cache.set(key, entry)
    return entry.value
  }
}

/** Keeps results up to a total weight; concurrent calls with one key share one run. */
export class SharedCache<V> {
  readonly #kept: LruCache<string, { value: V }>
  readonly #running = new Map<string, Promise<V>>()
  readonly #weightOf: (value: V) => number

  constructor(maxWeight: number, weightOf: (value: V) => number) {
    this.#kept = new LruCache(maxWeight)
    this.#weightOf = weightOf
  }

  /** A failure is not kept. What weighs more than the whole cache is made for each call. */
  get(key: string, make: () => Promise<V>): Promise<V> {
    const kept = this.#kept.get(key)
    if (kept) return Promise.resolve(kept.value)
    const running = this.#running.get(key) ?? this.#run(key, make)
    this.#running.set(key, running)
    return running
  }

  async #run(key: string, make: () => Promise<V>): Promise<V> {
    try {
      const value = await make()
      this.#kept.set(key, { value }, this.#weightOf(value))
      return value
    } finally {
      this.#running.delete(key)
    }
  }
}

export class LruCache<K, V> {
  // A Map iterates in the order of insertion: the least recently used entry comes first.
  readonly #entries = new Map<K, { value: V; weight: number }>()
  readonly #maxWeight: number
  #weight = 0

  /** With the default weight of 1, `maxWeight` is the number of entries. */
  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** A value heavier than the whole cache is not kept. */
  set(key: K, value: V, weight = 1): void {
    this.delete(key)
    if (weight > this.#maxWeight) return
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) break
      this.delete(oldest)
    }
  }

  /** Removes from the least recently used on, as long as `isOver`. */
  deleteOldest(isOver: (value: V) => boolean): void {
    for (const [key, { value }] of this.#entries) {
      if (!isOver(value)) return
      this.delete(key)
    }
  }

  get size(): number {
    return this.#entries.size
  }

  delete(key: K): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }
}
