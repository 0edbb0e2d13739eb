/** A check of a service is not repeated at every question, and never holds up the answer. */
import { beforeEach, expect, test } from 'bun:test'
import { CachedProbe } from '../../src/lib/async-work.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'

let nowMs: number
let checks: PromiseWithResolvers<void>[]
beforeEach(() => {
  nowMs = 0
  checks = []
})

const probe = () => {
  const check = () => {
    const next = Promise.withResolvers<void>()
    checks.push(next)
    return next.promise
  }
  return new CachedProbe(check, { ...THIS_MACHINE, now: () => new Date(nowMs), freshMs: 15_000, failureMs: 2000, patienceMs: 20 })
}

test('a good answer counts until it is old, for all who ask', async () => {
  const asked = probe()
  const [first, second] = [asked.isOk(), asked.isOk()]
  checks[0]?.resolve()
  expect([await first, await second, await asked.isOk()]).toEqual([true, true, true])
  expect(checks).toHaveLength(1)
  nowMs = 15_000
  const later = asked.isOk()
  checks[1]?.reject(new Error('gone'))
  expect(await later).toBe(false)
})

test('a failure counts a shorter time', async () => {
  const asked = probe()
  const first = asked.isOk()
  checks[0]?.reject(new Error('gone'))
  expect([await first, await asked.isOk()]).toEqual([false, false])
  nowMs = 2000
  const later = asked.isOk()
  checks[1]?.resolve()
  expect(await later).toBe(true)
})

test('a service that hangs counts as failing, is not asked again meanwhile, and its late answer counts', async () => {
  const asked = probe()
  expect([await asked.isOk(), await asked.isOk()]).toEqual([false, false])
  expect(checks).toHaveLength(1)
  checks[0]?.resolve()
  await checks[0]?.promise
  expect(await asked.isOk()).toBe(true)
})
