/** Token buckets by key, in memory. The clock is an argument. */
import { MINUTE_MS } from './duration.ts'
import { LruCache } from './lru-cache.ts'

export interface Quota {
  perMinute: number
  burst: number
}

export interface RateDecision {
  allowed: boolean
  remaining: number
  /** Seconds until the next token, at least 1 when no token is left. */
  resetS: number
  /** Seconds until the bucket is full again. */
  fullS: number
}

const MAX_KEYS = 50_000

export class RateLimiter {
  // A flood of new keys removes those used least recently. They start full again.
  readonly #buckets = new LruCache<string, { tokens: number; atMs: number }>(MAX_KEYS)
  readonly #burst: number
  /** The most requests at once, and the seconds in which a bucket fills. */
  readonly policy: { quota: number; windowS: number }
  readonly #tokensPerMs: number
  readonly #fillMs: number

  constructor({ perMinute, burst }: Quota) {
    this.#burst = burst
    this.#tokensPerMs = perMinute / MINUTE_MS
    this.#fillMs = burst / this.#tokensPerMs
    this.policy = { quota: burst, windowS: Math.ceil((burst * 60) / perMinute) }
  }

  /** Keys that are remembered. */
  get size(): number {
    return this.#buckets.size
  }

  take(key: string, nowMs: number): RateDecision {
    // A bucket that has been filled again is as a new one.
    this.#buckets.deleteOldest(({ atMs }) => nowMs - atMs > this.#fillMs)
    let bucket = this.#buckets.get(key)
    if (bucket === undefined) {
      bucket = { tokens: this.#burst, atMs: nowMs }
      this.#buckets.set(key, bucket)
    }
    bucket.tokens = Math.min(this.#burst, bucket.tokens + Math.max(0, nowMs - bucket.atMs) * this.#tokensPerMs)
    bucket.atMs = nowMs
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    return {
      allowed,
      remaining: Math.floor(bucket.tokens),
      resetS: Math.max(1, Math.ceil((1 - (bucket.tokens % 1)) / this.#tokensPerMs / 1000)),
      fullS: Math.ceil((this.#burst - bucket.tokens) / this.#tokensPerMs / 1000),
    }
  }
}
