import { expect, test } from 'bun:test'
import { dateTimeFormat, keptFormats, MAX_FORMATS } from '../../src/lib/clock-format.ts'

test('a format is made once, and differs by language, zone and form', () => {
  const day = dateTimeFormat('de', { timeZone: 'Europe/Berlin', month: 'long' })
  expect(dateTimeFormat('de', { timeZone: 'Europe/Berlin', month: 'long' })).toBe(day)
  const moment = new Date('2026-12-31T23:30:00Z')
  expect(day.format(moment)).toBe('Januar')
  expect(dateTimeFormat('en', { timeZone: 'Europe/Berlin', month: 'long' }).format(moment)).toBe('January')
  expect(dateTimeFormat('de', { timeZone: 'UTC', month: 'long' }).format(moment)).toBe('Dezember')
  expect(dateTimeFormat('de', { timeZone: 'Europe/Berlin', month: 'short' }).format(moment)).toBe('Jan')
})

test('zones and languages that people choose do not fill the memory: a fixed number of formats is kept', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  for (const timeZone of zones)
    for (const tag of ['en', 'de', 'pl', 'ar', 'fr']) dateTimeFormat(tag, { timeZone, day: 'numeric' })
  expect(zones.length * 5).toBeGreaterThan(5 * MAX_FORMATS)
  expect(keptFormats()).toBe(MAX_FORMATS)
})
