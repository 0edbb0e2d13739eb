/** Token buckets by key, in memory. The clock is an argument. */

export interface Quota {
  perMinute: number
  burst: number
}

export interface Taken {
  allowed: boolean
  remaining: number
  /** Seconds until the next token, at least 1 when nothing is left. */
  resetS: number
}

export interface RateLimiter {
  take(key: string, nowMs: number): Taken
}

const MAX_KEYS = 50_000

export function rateLimiter({ perMinute, burst }: Quota): RateLimiter {
  const buckets = new Map<string, { tokens: number; atMs: number }>()
  const perMs = perMinute / 60_000
  return {
    take(key, nowMs) {
      const found = buckets.get(key)
      const bucket = found ?? { tokens: burst, atMs: nowMs }
      if (!found) {
        // A flood of new keys forgets the oldest: they start full again, memory stays bounded.
        if (buckets.size >= MAX_KEYS) buckets.delete(buckets.keys().next().value ?? '')
        buckets.set(key, bucket)
      }
      bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, nowMs - bucket.atMs) * perMs)
      bucket.atMs = nowMs
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= 1
      return {
        allowed,
        remaining: Math.floor(bucket.tokens),
        resetS: Math.max(1, Math.ceil((1 - (bucket.tokens % 1)) / perMs / 1000)),
      }
    },
  }
}
