/** Time-based codes as all authenticator apps make them: six digits, 30 s, SHA-1. RFC 6238. */
import { Secret, TOTP } from 'otpauth/slim'
import type { Random } from './machine.ts'

const PERIOD_S = 30
/** RFC 6238 §5.2: the clock of a phone may be off, and typing takes time. */
const MAX_STEPS_OFF = 1
/** RFC 4226 §4, R6. */
const SECRET_BYTES = 20

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: new Uint8Array(bytes).buffer })

export function newTotpSecret(random: Random): Uint8Array {
  return random(SECRET_BYTES)
}

/** The address that a QR code holds. */
export function totpUri(secret: Uint8Array, { issuer, account }: { issuer: string; account: string }): string {
  return new TOTP({ issuer, label: account, algorithm: 'SHA1', digits: 6, period: PERIOD_S, secret: secretOf(secret) }).toString()
}

/** Base32 in groups of four, for typing. */
export function readableSecret(secret: Uint8Array): string {
  return secretOf(secret).base32.replace(/.{4}(?=.)/g, '$& ')
}

export function totpCode(secret: Uint8Array, now: Date): string {
  return new TOTP({ secret: secretOf(secret), period: PERIOD_S }).generate({ timestamp: now.getTime() })
}

/** Whether it has the form of a code; people type spaces. */
export function isTotpForm(entered: string): boolean {
  return /^\d{6}$/.test(entered.replace(/\s/g, ''))
}

/** The time step of a right code. The caller refuses a step that was accepted before. */
export function stepOfCode(secret: Uint8Array, entered: string, now: Date): number | undefined {
  if (!isTotpForm(entered)) return undefined
  const totp = new TOTP({ secret: secretOf(secret), period: PERIOD_S })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: entered.replace(/\s/g, ''), timestamp, window: MAX_STEPS_OFF })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}
