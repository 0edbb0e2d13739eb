/** Keeps values up to a total weight; the least recently used are removed first. */
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
