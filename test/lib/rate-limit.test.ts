import { expect, test } from 'bun:test'
import { RateLimiter } from '../../src/lib/rate-limit.ts'

const QUOTA = { perMinute: 60, burst: 3 }

test('a burst passes, the next request waits, and one token is added per second', () => {
  const limiter = new RateLimiter(QUOTA)
  expect([1, 2, 3, 4].map(() => limiter.take('a', 0))).toEqual([
    { allowed: true, remaining: 2, resetS: 1, fullS: 1 },
    { allowed: true, remaining: 1, resetS: 1, fullS: 2 },
    { allowed: true, remaining: 0, resetS: 1, fullS: 3 },
    { allowed: false, remaining: 0, resetS: 1, fullS: 3 },
  ])
  expect(limiter.take('a', 999).allowed).toBe(false)
  expect(limiter.take('a', 1000).allowed).toBe(true)
  expect(limiter.take('a', 1000).allowed).toBe(false)
})

test('the reported waiting time is long enough', () => {
  const limiter = new RateLimiter({ perMinute: 7, burst: 1 })
  let now = 0
  for (let i = 0; i < 50; i++) {
    expect([i, limiter.take('a', now).allowed]).toEqual([i, true])
    const refused = limiter.take('a', now)
    expect(refused.allowed).toBe(false)
    now += refused.resetS * 1000
  }
})

test('each key has its own bucket', () => {
  const limiter = new RateLimiter(QUOTA)
  for (let i = 0; i < 4; i++) limiter.take('a', 0)
  expect(limiter.take('b', 0)).toMatchObject({ allowed: true, remaining: 2 })
})

test('tokens never exceed the burst, however long the pause', () => {
  const limiter = new RateLimiter(QUOTA)
  limiter.take('a', 0)
  const later = Array.from({ length: 5 }, () => limiter.take('a', 86_400_000).allowed)
  expect(later).toEqual([true, true, true, false, false])
})

test('a clock that is set back gives no tokens and does not block for long', () => {
  const limiter = new RateLimiter(QUOTA)
  for (let i = 0; i < 3; i++) limiter.take('a', 3_600_000)
  expect(limiter.take('a', 0).allowed).toBe(false)
  expect(limiter.take('a', 1000).allowed).toBe(true)
})

test('in any minute at most burst and quota together pass', () => {
  const limiter = new RateLimiter({ perMinute: 600, burst: 120 })
  let passed = 0
  for (let ms = 0; ms < 60_000; ms += 7) if (limiter.take('a', ms).allowed) passed++
  expect(passed).toBeLessThanOrEqual(720)
  expect(passed).toBeGreaterThan(710)
})

test('a flood of new keys removes the oldest keys, not those in use', () => {
  const limiter = new RateLimiter({ perMinute: 1, burst: 1 })
  limiter.take('first', 0)
  for (let i = 0; i < 49_999; i++) limiter.take(`k${i}`, 0)
  expect(limiter.take('first', 0).allowed).toBe(false)
  limiter.take('one more', 0)
  expect(limiter.take('k49998', 0).allowed).toBe(false)
})

test('a key is remembered until its bucket is full again, so those of an hour are not kept', () => {
  const limiter = new RateLimiter({ perMinute: 20, burst: 20 })
  for (let second = 0; second < 3600; second++) limiter.take(`k${second}`, second * 1000)
  // Those of the last minute.
  expect(limiter.size).toBe(61)
  for (let i = 0; i < 20; i++) limiter.take('busy', 3_600_000)
  expect(limiter.take('busy', 3_600_000).allowed).toBe(false)
})
