/** Collects garbage before a child's memory reaches its limit: decoded images are large. */

const MAX_GARBAGE_BYTES = 192 * 1024 * 1024

export function freeMemory(): void {
  if (process.memoryUsage.rss() > MAX_GARBAGE_BYTES) Bun.gc(true)
}
