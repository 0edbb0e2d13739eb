/** Codes of authenticator apps, by the vectors of the RFC, and recovery codes as they are typed. */
import { expect, test } from 'bun:test'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { newRecoveryCode, parseRecoveryCode } from '../../src/lib/token.ts'
import { isTotpForm, newTotpSecret, readableSecret, stepOfCode, totpCode, totpUri } from '../../src/lib/totp.ts'

/** RFC 6238, appendix B; the last six of its eight digits. */
const RFC_SECRET = new TextEncoder().encode('12345678901234567890')
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

test('codes are those of RFC 6238', () => {
  for (const [seconds, code] of VECTORS) {
    const now = new Date(seconds * 1000)
    expect(totpCode(RFC_SECRET, now)).toBe(code)
    expect(stepOfCode(RFC_SECRET, code, now)).toBe(Math.floor(seconds / 30))
  }
})

test('a code counts one step early and one step late, and no longer', () => {
  const secret = newTotpSecret(THIS_MACHINE.random)
  const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)
  const code = totpCode(secret, at(0))
  const steps = [-60, -30, 0, 30, 60].map(seconds => stepOfCode(secret, code, at(seconds)))
  expect(steps).toEqual([undefined, 60_000_000, 60_000_000, 60_000_000, undefined])
})

test('a code may be typed with spaces; anything else is not of its form', () => {
  expect(stepOfCode(RFC_SECRET, ' 287 082 ', new Date(59_000))).toBe(1)
  expect(['287082', '28708', '2870823', 'abcdef', '', '٢٨٧٠٨٢'].map(isTotpForm)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('the address for the app names the service and the account, and holds the shown key', () => {
  const secret = newTotpSecret(THIS_MACHINE.random)
  const uri = new URL(totpUri(secret, { issuer: 'Müller & Co', account: 'grace@example.com' }))
  expect(decodeURIComponent(uri.pathname)).toContain('Müller & Co:grace@example.com')
  expect(uri.searchParams.get('secret')).toBe(readableSecret(secret).replaceAll(' ', ''))
  expect(uri.searchParams.get('secret')).toMatch(/^[A-Z2-7]{32}$/)
})

test('recovery codes differ, and are read however they are typed', () => {
  const codes = Array.from({ length: 100 }, () => newRecoveryCode(THIS_MACHINE.random))
  expect(new Set(codes).size).toBe(100)
  for (const code of codes) {
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){5}$/)
    expect(parseRecoveryCode(` ${code.toLowerCase().replaceAll('-', '')} `)).toBe(code)
  }
  // As it was issued before: of twelve characters.
  expect(parseRecoveryCode('oill-0000-0000')).toBe('0111-0000-0000')
  expect(['', '123456', 'UUUU-UUUU-UUUU', '0000-0000-00000'].map(parseRecoveryCode)).toEqual(Array(4).fill(undefined))
})
