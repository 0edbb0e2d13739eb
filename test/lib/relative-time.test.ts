/** Times beside the present, in words, by the calendar of the reader's zone. */
import { expect, test } from 'bun:test'
import { startOfDay } from '../../src/lib/clock-format.ts'
import { type Clock, dayOf, relativeTime } from '../../src/lib/relative-time.ts'

const NOW = new Date('2026-11-20T17:25:00.000Z')
const en: Clock = { now: NOW, timeZone: 'UTC', language: 'en' }
const de: Clock = { ...en, timeZone: 'Europe/Berlin', language: 'de' }
const at = (text: string) => new Date(text)

test('a time is written as the clock shows it, then in minutes, hours, days and then its date', () => {
  const words = (text: string, clock = en) => relativeTime(at(text), clock)
  expect(words('2026-11-20T17:24:30Z')).toBe('17:24')
  expect(words('2026-11-20T17:20:00Z')).toBe('5 minutes ago')
  expect(words('2026-11-20T14:20:00Z')).toBe('3 hours ago')
  expect(words('2026-11-19T23:59:00Z')).toBe('yesterday')
  expect(words('2026-11-17T01:00:00Z')).toBe('3 days ago')
  expect(words('2026-11-12T01:00:00Z')).toBe('12 Nov')
  expect(words('2025-11-12T01:00:00Z')).toBe('12 Nov 2025')
  expect(words('2026-11-21T01:00:00Z')).toBe('tomorrow')
  expect(words('2026-11-20T14:20:00Z', de)).toBe('vor 3 Stunden')
  expect(words('2026-11-18T14:20:00Z', de)).toBe('vorgestern')
})

test('a day begins at midnight of the zone', () => {
  // 23:30 in Berlin on the 19th, 22:30 UTC.
  expect(dayOf(at('2026-11-19T22:30:00Z'), de)).toEqual({ kind: 'yesterday', text: 'gestern' })
  expect(dayOf(at('2026-11-19T23:30:00Z'), de)).toEqual({ kind: 'today', text: 'heute' })
  expect(dayOf(at('2026-11-17T12:00:00Z'), en)).toEqual({ kind: 'weekday', text: 'Tuesday' })
  expect(dayOf(at('2026-12-21T12:00:00Z'), de)).toEqual({ kind: 'date', text: '21. Dezember' })
})

test('the first moment of a day follows the zone, also where the clock changes', () => {
  const start = (day: string, zone: string) => startOfDay(day, zone)?.toISOString()
  expect(start('2026-11-20', 'UTC')).toBe('2026-11-20T00:00:00.000Z')
  expect(start('2026-11-20', 'Europe/Berlin')).toBe('2026-11-19T23:00:00.000Z')
  expect(start('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z')
  expect(start('2026-03-30', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z')
  expect(start('2026-11-20', 'Pacific/Auckland')).toBe('2026-11-19T11:00:00.000Z')
  const wrong = ['2026-02-31x', '2026-02-30', 'soon', '', '0000-01-01', '0999-12-31', '1000-01-01', '+10000-01-01']
  for (const day of wrong) expect([day, start(day, 'America/Los_Angeles')]).toEqual([day, undefined])
  expect(start('9999-12-31', 'America/Los_Angeles')).toBe('9999-12-31T08:00:00.000Z')
})
