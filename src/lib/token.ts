/** Random tokens, keyed tokens and their comparison. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Random } from './machine.ts'

/** 256 random bits, base64url. */
export function randomToken(random: Random): string {
  return Buffer.from(random(32)).toString('base64url')
}

export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/** HMAC-SHA256 over the parts, joined by a character that no part contains, base64url. */
export function keyedToken(key: Uint8Array, ...parts: string[]): string {
  return createHmac('sha256', key).update(parts.join('|')).digest('base64url')
}

/** Compares in a time that does not depend on where the texts differ. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
