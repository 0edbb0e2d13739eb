import { expect, test } from 'bun:test'
import { endOfDay, isoDay, readableTime } from '../../src/lib/clock-format.ts'

const at = (text: string) => new Date(text)

test('a time has one zone, with the name that the language gives it', () => {
  expect(readableTime(at('2026-12-21T21:29:00.000Z'))).toBe('21 December 2026, 21:29 UTC')
  expect(readableTime(at('2026-12-21T21:29:00.000Z'), 'Europe/Berlin')).toBe('21 December 2026, 22:29 CET')
  expect(readableTime(at('2026-12-21T21:29:00.000Z'), 'Europe/Berlin', 'de')).toBe('21. Dezember 2026, 22:29 MEZ')
  expect(readableTime(at('2026-12-21T21:29:00.000Z'), 'America/New_York')).toBe('21 December 2026, 16:29 GMT-5')
})

test('in Arabic the comma is the Arabic one', () => {
  expect(readableTime(at('2026-11-20T17:25:00.000Z'), 'UTC', 'ar')).toContain('2026، 17:25')
})

test('midnight is 00:00 of the new day', () => {
  expect(readableTime(at('2026-12-31T23:59:59.999Z'))).toBe('31 December 2026, 23:59 UTC')
  expect(readableTime(at('2027-01-01T00:00:00.000Z'))).toBe('1 January 2027, 00:00 UTC')
})

test.each([
  ['Asia/Kathmandu', '2026-06-01T18:15:00Z', '2 June 2026, 00:00'],
  ['Australia/Lord_Howe', '2026-07-01T00:00:00Z', '1 July 2026, 10:30'],
  ['Australia/Lord_Howe', '2026-12-01T00:00:00Z', '1 December 2026, 11:00'],
  ['Pacific/Apia', '2026-06-01T11:00:00Z', '2 June 2026, 00:00'],
  ['America/New_York', '2026-03-08T06:59:00Z', '8 March 2026, 01:59'],
  ['America/New_York', '2026-03-08T07:00:00Z', '8 March 2026, 03:00'],
  ['Europe/Berlin', '2026-10-25T00:30:00Z', '25 October 2026, 02:30'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', '25 October 2026, 02:30'],
  ['Europe/Berlin', '2028-02-29T23:00:00Z', '1 March 2028, 00:00'],
])('in %s, %s is %s', (zone, moment, local) => {
  expect(readableTime(at(moment), zone)).toStartWith(`${local} `)
})

test('the name of the zone distinguishes the two hours at the end of daylight saving time', () => {
  expect(readableTime(at('2026-10-25T00:30:00Z'), 'Europe/Berlin')).not.toBe(
    readableTime(at('2026-10-25T01:30:00Z'), 'Europe/Berlin'),
  )
})

test('the zone of the server has no effect', () => {
  const module = Bun.resolveSync('../../src/lib/clock-format.ts', import.meta.dir)
  const code = `const { readableTime } = await import(${JSON.stringify(module)})
    process.stdout.write(readableTime(new Date('2026-11-20T17:25:00Z'), 'Asia/Kathmandu'))`
  const formatted = ['UTC', 'America/New_York', 'Pacific/Apia'].map(TZ =>
    Bun.spawnSync([process.execPath, '-e', code], { env: { TZ } }).stdout.toString(),
  )
  expect(new Set(formatted)).toEqual(new Set([readableTime(at('2026-11-20T17:25:00Z'), 'Asia/Kathmandu')]))
})

test.each([
  ['2026-12-31T23:30:00Z', 'UTC', '2026-12-31'],
  ['2026-12-31T23:30:00Z', 'Europe/Berlin', '2027-01-01'],
  ['2026-12-31T10:30:00Z', 'Pacific/Apia', '2026-12-31'],
  ['2026-12-31T11:30:00Z', 'Pacific/Apia', '2027-01-01'],
  ['2027-01-01T00:30:00Z', 'America/New_York', '2026-12-31'],
])('%s in %s is the day %s', (moment, zone, day) => {
  expect(isoDay(new Date(moment), zone)).toBe(day)
})

test.each([
  ['2026-12-31', 'UTC', '2026-12-31T23:59:59.000Z'],
  ['2026-12-31', 'Europe/Berlin', '2026-12-31T22:59:59.000Z'],
  ['2026-12-31', 'Pacific/Apia', '2026-12-31T10:59:59.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-25T22:59:59.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-29T21:59:59.000Z'],
  ['2026-03-08', 'America/New_York', '2026-03-09T03:59:59.000Z'],
])('the day %s ends in %s at %s', (day, zone, end) => {
  expect(endOfDay(day, zone)?.toISOString()).toBe(end)
})

test('a day that does not exist has no end', () => {
  for (const day of ['', '2026-02-30', '2026-2-3', 'tomorrow', '20261231']) expect(endOfDay(day, 'UTC')).toBeUndefined()
})
