/** Attempts are counted for each subscriber, whatever address of theirs they come from. */
import { afterEach, expect, test } from 'bun:test'
import { Refusal } from '../../src/core/refusal.ts'
import { violation } from '../../src/core/violation.ts'
import { countAttempt } from '../../src/http/limits.ts'
import { RateLimiter } from '../../src/lib/rate-limit.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp | undefined
afterEach(() => t?.close())

const AT = new Date('2026-11-20T17:25:00.000Z')

function counter() {
  const app = { attempts: new RateLimiter({ perMinute: 10, burst: 10 }), now: () => AT }
  return (who: string | undefined) => {
    try {
      countAttempt(app, 'sign-in', who, violation('too_many_sign_ins'))
      return 'allowed'
    } catch (error) {
      if (error instanceof Refusal) return error.reason
      throw error
    }
  }
}

test('the addresses of one IPv6 network have one count, those of another have their own', () => {
  const count = counter()
  for (let i = 1; i <= 10; i++) expect(count(`2001:db8:0:1::${i}`)).toBe('allowed')
  expect(count('2001:db8:0:1:ffff::1')).toBe('rate_limited')
  expect(count('2001:db8:0:2::1')).toBe('allowed')
})

test('an IPv4 address has one count in every notation, and a known device its own', () => {
  const count = counter()
  for (let i = 1; i <= 10; i++) expect(count('192.0.2.1')).toBe('allowed')
  expect(count('::ffff:192.0.2.1')).toBe('rate_limited')
  expect(count('192.0.2.2')).toBe('allowed')
  expect(count('a-device')).toBe('allowed')
})

test('wrong API tokens get 429 after at most twenty in a minute, and a right one from the same address is served', async () => {
  t = await openTestApp()
  const ask = async (key: string) => t?.api('GET', '/me', undefined, { authorization: `Bearer ${key}` })
  const statuses: (number | undefined)[] = []
  for (let i = 0; i < 25; i++) statuses.push((await ask(`esk_test_${i}`))?.status)
  const first = statuses.indexOf(429)
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThanOrEqual(20)
  expect(statuses).toEqual([...Array(first).fill(401), ...Array(25 - first).fill(429)])
  expect(Number((await ask('esk_test_x'))?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask(await t.key()))?.status).toBe(200)
})
