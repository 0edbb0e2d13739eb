/** API tokens: prefix, 32 random base62 characters, 6 of a checksum that reveals typing errors. */
import { createHash } from 'node:crypto'
import { randomBelow } from './id.ts'
import type { Random } from './machine.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = /^esk_(live|test)_[0-9A-Za-z]{38}$/

export type KeyPrefix = 'esk_live_' | 'esk_test_'

export function prefixFor(environment: string): KeyPrefix {
  return environment === 'production' ? 'esk_live_' : 'esk_test_'
}

export function newApiKey(prefix: KeyPrefix, random: Random): string {
  const secret = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomBelow(random, 62)]).join('')
  return prefix + secret + checksum(prefix + secret)
}

/** The first 31 bits of SHA-256, in base62. */
function checksum(text: string): string {
  let number = createHash('sha256').update(text).digest().readUInt32BE(0) >>> 1
  let out = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out = ALPHABET[number % 62] + out
    number = Math.floor(number / 62)
  }
  return out
}

export function isWellFormed(key: string): boolean {
  return SHAPE.test(key) && checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH)
}
