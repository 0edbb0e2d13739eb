/** Times on the audit certificate. */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openTimeFormatter } from '../../src/evidence/time.ts'

const ENGLISH = { locale: 'en-GB', dateTime: (date: string, time: string) => `${date}, ${time}` }
/** Beside a time of another offset, so that each has its own. */
const local = (zone: string, at: string) => {
  const other = ['2026-01-01T00:00:00Z', '2026-07-01T00:00:00Z', '1900-01-01T00:00:00Z', '1800-01-01T00:00:00Z']
  return openTimeFormatter(zone, ENGLISH, [...other, at]).local(at)
}

describe('times', () => {
  test('are right in zones with odd offsets', () => {
    expect(local('Asia/Kathmandu', '2026-01-01T00:00:00.000Z')).toBe('1 Jan 2026, 05:45:00 UTC+05:45')
    expect(local('Australia/Lord_Howe', '2026-01-01T00:00:00.000Z')).toBe('1 Jan 2026, 11:00:00 UTC+11:00')
    expect(local('Australia/Lord_Howe', '2026-07-01T00:00:00.000Z')).toBe('1 Jul 2026, 10:30:00 UTC+10:30')
    expect(local('Pacific/Apia', '2026-01-01T11:30:00.000Z')).toBe('2 Jan 2026, 00:30:00 UTC+13:00')
    expect(local('America/St_Johns', '2026-01-01T00:00:00.000Z')).toBe('31 Dec 2025, 20:30:00 UTC-03:30')
  })

  test('are right at a change of offset: the missing hour and the repeated hour', () => {
    expect(local('Europe/Berlin', '2026-03-29T00:59:59.999Z')).toBe('29 Mar 2026, 01:59:59 UTC+01:00')
    expect(local('Europe/Berlin', '2026-03-29T01:00:00.000Z')).toBe('29 Mar 2026, 03:00:00 UTC+02:00')
    expect(local('Europe/Berlin', '2026-10-25T00:30:00.000Z')).toBe('25 Oct 2026, 02:30:00 UTC+02:00')
    expect(local('Europe/Berlin', '2026-10-25T01:30:00.000Z')).toBe('25 Oct 2026, 02:30:00 UTC+01:00')
    // Lord Howe changes by half an hour.
    expect(local('Australia/Lord_Howe', '2026-10-03T15:29:59.000Z')).toBe('4 Oct 2026, 01:59:59 UTC+10:30')
    expect(local('Australia/Lord_Howe', '2026-10-03T15:30:00.000Z')).toBe('4 Oct 2026, 02:30:00 UTC+11:00')
  })

  test('name the offset once if all have the same', () => {
    const [winter, summer] = ['2026-01-01T00:00:00Z', '2026-07-01T00:00:00Z']
    const same = openTimeFormatter('Europe/Berlin', ENGLISH, [winter])
    expect([same.zone, same.local(winter)]).toEqual(['Europe/Berlin (UTC+01:00)', '1 Jan 2026, 01:00:00'])
    expect(openTimeFormatter('Europe/Berlin', ENGLISH, [winter, summer]).zone).toBe('Europe/Berlin')
    expect(openTimeFormatter('UTC', ENGLISH, [winter]).zone).toBe('UTC')
  })

  test('an unknown zone or invalid time is an error', () => {
    expect(() => openTimeFormatter('Mars/Olympus', ENGLISH, [])).toThrow(RangeError)
    expect(() => openTimeFormatter('UTC', ENGLISH, ['yesterday'])).toThrow(RangeError)
  })

  test('do not depend on the time zone of the machine: all bytes are the same', () => {
    const script = `
      import { composeEvidence } from './src/evidence/prepare.ts'
      import { A4, evidenceOf } from './test/evidence/sample.ts'
      const pdf = await composeEvidence(evidenceOf({ timeZone: 'Asia/Kathmandu', language: 'de' }), A4)
      console.log(new Date(2026, 0, 1).getTimezoneOffset(), Bun.hash(pdf).toString(16))
    `
    const hashes = [
      { TZ: 'UTC', LANG: 'C' },
      { TZ: 'Pacific/Apia', LANG: 'ar_EG.UTF-8' },
      { TZ: 'America/St_Johns', LANG: 'pl_PL.UTF-8' },
    ].map(env => {
      const done = Bun.spawnSync([process.execPath, '-e', script], {
        cwd: join(import.meta.dir, '../..'),
        env,
        stderr: 'inherit',
      })
      return done.stdout.toString().trim().split(' ')
    })
    expect(new Set(hashes.map(([offset]) => offset)).size).toBe(3)
    expect(new Set(hashes.map(([, hash]) => hash)).size).toBe(1)
    expect(hashes[0]?.[1]).toMatch(/^[0-9a-f]+$/)
  })
})
