/** Caches the result of `compute` for each key object, for as long as the key exists. */
export function memoizePerObject<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const cache = new WeakMap<K, { value: V }>()
  return key => {
    const entry = cache.get(key) ?? { value: compute(key) }
    cache.set(key, entry)
    return entry.value
  }
}
