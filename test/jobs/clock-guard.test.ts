/** A clock that was set is distinguished from time that passed. */
import { beforeEach, expect, test } from 'bun:test'
import { clockGuard } from '../../src/jobs/schedule.ts'

const HOUR_S = 3600
let clockS: number
let steadyS: number
let logged: [string, Record<string, unknown> | undefined][]
let isTrusted: () => boolean

const pass = (seconds: number) => {
  clockS += seconds
  steadyS += seconds
}

beforeEach(() => {
  clockS = 1_800_000_000
  steadyS = 50
  logged = []
  isTrusted = clockGuard({
    now: () => new Date(clockS * 1000),
    steadyMs: () => steadyS * 1000,
    log: (_level, what, facts) => void logged.push([what, facts]),
  })
})

test('time that passes is trusted, however long between two calls', () => {
  pass(30)
  expect(isTrusted()).toBe(true)
  pass(5 * HOUR_S)
  expect(isTrusted()).toBe(true)
  expect(logged).toEqual([])
})

test('a jump forward by more than an hour is logged, and trusted after a minute', () => {
  clockS += 400 * 24 * HOUR_S
  expect(isTrusted()).toBe(false)
  expect(logged).toEqual([['clock.jump', { seconds: 400 * 24 * HOUR_S, now: '2028-02-19T08:00:00.000Z' }]])
  pass(59)
  expect(isTrusted()).toBe(false)
  pass(1)
  expect(isTrusted()).toBe(true)
  expect(logged).toHaveLength(1)
})

test('a clock set forward and back again is trusted at once', () => {
  clockS += 10 * HOUR_S
  expect(isTrusted()).toBe(false)
  clockS -= 10 * HOUR_S
  expect(isTrusted()).toBe(true)
})

test('a second jump restarts the minute', () => {
  clockS += 2 * HOUR_S
  expect(isTrusted()).toBe(false)
  pass(50)
  clockS += 2 * HOUR_S
  expect(isTrusted()).toBe(false)
  pass(50)
  expect(isTrusted()).toBe(false)
  pass(10)
  expect(isTrusted()).toBe(true)
})

test('a step of up to an hour, as by a time server, is not a jump', () => {
  clockS += HOUR_S
  expect(isTrusted()).toBe(true)
  clockS -= HOUR_S
  expect(isTrusted()).toBe(true)
  expect(logged).toEqual([])
})
