/** Attempts counted by address where guessing must get slow. In memory, one set per App. */
import { Refusal } from '../core/refusal.ts'
import { type RateLimiter, rateLimiter } from '../lib/rate-limit.ts'
import type { App } from '../ports.ts'

const QUOTA = { perMinute: 20, burst: 20 }
const limiters = new WeakMap<App, Map<string, RateLimiter>>()

/** Counts one attempt of a kind; throws `rate_limited` with the wait when there were too many. */
export function countAttempt(app: App, kind: string, address: string | undefined, message: string): void {
  const kinds = limiters.get(app) ?? new Map<string, RateLimiter>()
  limiters.set(app, kinds)
  const limiter = kinds.get(kind) ?? rateLimiter(QUOTA)
  kinds.set(kind, limiter)
  const taken = limiter.take(address ?? 'unknown', app.now().getTime())
  if (!taken.allowed) throw new Refusal('rate_limited', message, [], taken.resetS)
}
