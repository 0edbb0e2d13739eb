/** Quiet hours follow the local time, also when the clocks change. */
import { expect, test } from 'bun:test'
import { isQuiet, isTimeOfDay } from '../../src/core/quiet-hours.ts'

const NIGHT = { from: '20:00', to: '07:30', weekends: false }
const at = (text: string, zone = 'Europe/Berlin', hours = NIGHT) => isQuiet(hours, new Date(text), zone)

test('they end on the next day, the first minute is quiet and the last is not', () => {
  expect([at('2026-11-20T18:59:59Z'), at('2026-11-20T19:00:00Z')]).toEqual([false, true])
  expect([at('2026-11-21T06:29:59Z'), at('2026-11-21T06:30:00Z')]).toEqual([true, false])
  expect(at('2026-11-20T23:30:00Z')).toBe(true)
})

test('within one day', () => {
  const noon = { from: '12:00', to: '13:00', weekends: false }
  expect([at('2026-11-20T11:00:00Z', 'UTC', noon), at('2026-11-20T12:30:00Z', 'UTC', noon)]).toEqual([false, true])
  expect(at('2026-11-20T13:00:00Z', 'UTC', noon)).toBe(false)
})

test('in summer they begin an hour earlier by UTC, on the day of the change too', () => {
  expect([at('2026-07-20T17:59:00Z'), at('2026-07-20T18:00:00Z')]).toEqual([false, true])
  // 25 October 2026: from 3 to 2 o'clock. 07:30 is 06:30 UTC, not 05:30.
  expect([at('2026-10-25T05:30:00Z'), at('2026-10-25T06:30:00Z')]).toEqual([true, false])
  // 29 March 2026: from 2 to 3 o'clock. Hours that end at 02:30 end at 3 o'clock.
  const early = { from: '22:00', to: '02:30', weekends: false }
  expect([at('2026-03-29T00:59:00Z', 'Europe/Berlin', early), at('2026-03-29T01:00:00Z', 'Europe/Berlin', early)]).toEqual([
    true,
    false,
  ])
})

test('weekends are those of the zone, whole', () => {
  const weekends = { from: '00:00', to: '00:00', weekends: true }
  // Friday 20 November, 23:30 UTC, is Saturday in Berlin.
  expect([at('2026-11-20T22:59:00Z', 'Europe/Berlin', weekends), at('2026-11-20T23:30:00Z', 'Europe/Berlin', weekends)]).toEqual([
    false,
    true,
  ])
  expect([at('2026-11-22T22:59:00Z', 'Europe/Berlin', weekends), at('2026-11-22T23:00:00Z', 'Europe/Berlin', weekends)]).toEqual([
    true,
    false,
  ])
})

test('equal times are no hours', () => {
  expect(at('2026-11-20T10:00:00Z', 'UTC', { from: '10:00', to: '10:00', weekends: false })).toBe(false)
})

test('times of day', () => {
  expect(['00:00', '23:59', '24:00', '7:30', '07:60', ''].map(isTimeOfDay)).toEqual([true, true, false, false, false, false])
})
