/** Random tokens, keyed tokens and their comparison; recovery codes and one-time codes. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Random } from './machine.ts'

/** 256 random bits, base64url. */
export function randomToken(random: Random): string {
  return Buffer.from(random(32)).toString('base64url')
}

/** HMAC-SHA256 over the parts, joined by a character that no part contains, base64url. */
export function keyedToken(key: Uint8Array, ...parts: string[]): string {
  return createHmac('sha256', key).update(parts.join('|')).digest('base64url')
}

/** Compares in a time that does not depend on where the texts differ. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}

// Recovery codes: random bits in letters and digits that are not mistaken for one another.

/** Crockford's Base32: without I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/**
 * 120 bits: nobody tries all of them, even with the table of hashes and the key. NIST SP 800-63B
 */
const LENGTH = 24
/** Of codes that were issued before. */
const FORMER_LENGTH = 12

export function newRecoveryCode(random: Random): string {
  const characters = [...random(LENGTH)].map(byte => ALPHABET[byte % ALPHABET.length])
  return characters.join('').replace(/.{4}(?=.)/g, '$&-')
}

/** As it was issued, however it was typed; `undefined` if it cannot be a code. */
export function parseRecoveryCode(entered: string): string | undefined {
  const typed = entered.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const isCode =
    (typed.length === LENGTH || typed.length === FORMER_LENGTH) && [...typed].every(character => ALPHABET.includes(character))
  return isCode ? typed.replace(/.{4}(?=.)/g, '$&-') : undefined
}

// The six digits of a one-time code.

/** `id`: 256 random bits. Without the key, nobody can compute the code from its row. */
export function oneTimeCode(key: Uint8Array, id: string): string {
  // Of 64 bits, the remainder prefers no code noticeably.
  const bits = createHmac('sha256', key).update(`one-time-code|${id}`).digest().readBigUInt64BE()
  return String(bits % 1_000_000n).padStart(6, '0')
}
