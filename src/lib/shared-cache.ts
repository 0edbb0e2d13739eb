/** Keeps results up to a total weight; concurrent calls with one key share one run. */
import { LruCache } from './lru-cache.ts'

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
