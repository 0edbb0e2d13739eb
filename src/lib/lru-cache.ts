/** Keeps a map to what was used last. A Map keeps the order in which its keys came. */

/** Puts a value as the newest; beyond `most` the oldest go. */
export function putNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= most) break
    map.delete(oldest)
  }
}
