/**
 * The hash chain of the audit log: hash_n = SHA-256(0x00 ‖ hash_{n-1} ‖ JCS(entry)). Canonical JSON
 * is RFC 8785; the zero byte separates domains as in RFC 9162 §2.1.1.
 */
import { EMPTY_BYTES, fromHex, fromUtf8, toHex } from '../../lib/bytes.ts'
import { hashOf } from '../../lib/primitives.ts'
import type { Json } from './event.ts'

/** The hash before the first entry: 32 zero bytes in hex. */
export const GENESIS = '0'.repeat(64)

/** RFC 8785 §3.2: members sorted by UTF-16 code units, numbers and strings as in ECMAScript. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('canonical JSON holds finite numbers only')
    return typeof value === 'string' ? quoted(value) : JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${members.map(([name, member]) => `${quoted(name)}:${canonicalJson(member)}`).join(',')}}`
}

/** §3.2.2.2: a lone surrogate has no canonical form. */
function quoted(text: string): string {
  if (!text.isWellFormed()) throw new Error('canonical JSON holds whole characters only')
  return JSON.stringify(text)
}

const DOMAIN = Uint8Array.of(0)
const hashOfParts = (...parts: Uint8Array[]): string => toHex(hashOf('sha256', ...parts))

/** What is not hexadecimal, such as a salt that somebody changed, gives a hash that nothing has. */
const octetsOf = (hex: string): Uint8Array => fromHex(hex) ?? EMPTY_BYTES

/** The hash of an entry, hex. `previous` is the hash before it, `entry` its canonical JSON. */
export function chainHash(previous: string, entry: string): string {
  return hashOfParts(DOMAIN, octetsOf(previous), fromUtf8(entry))
}

/** In place of personal data, so that data and salt can be deleted without breaking the chain. */
export function commitment(salt: string, personal: Json): string {
  return hashOfParts(octetsOf(salt), fromUtf8(canonicalJson(personal)))
}

/** SHA-256 of the canonical JSON, hex. */
export function canonicalHash(value: Json): string {
  return hashOfParts(fromUtf8(canonicalJson(value)))
}

export interface ChainEntry {
  sequence: number
  entry: string
  hash: string
}

/** `from` is the hash before the first entry. */
export function verifyLinks(from: string, entries: Iterable<ChainEntry>): { head: string } | { firstInvalid: number } {
  let head = from
  for (const { sequence, entry, hash } of entries) {
    if (chainHash(head, entry) !== hash) return { firstInvalid: sequence }
    head = hash
  }
  return { head }
}
