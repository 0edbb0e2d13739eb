/**
 * The hash chain of the audit log: hash_n = SHA-256(0x00 ‖ hash_{n-1} ‖ JCS(entry)).
 * Canonical JSON by RFC 8785, the domain byte as RFC 9162 §2.1.1 separates leaves. Pure but for hashing.
 */
import { createHash } from 'node:crypto'
import type { Json } from './event.ts'

/** The hash before the first entry: 32 zero bytes, hex. */
export const GENESIS = '0'.repeat(64)

/** Canonical JSON, RFC 8785 §3.2: members sorted by UTF-16 code units, numbers and strings as ECMAScript writes them. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('canonical JSON holds finite numbers only')
    return typeof value === 'string' ? quoted(value) : JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${members.map(([name, member]) => `${quoted(name)}:${canonicalJson(member)}`).join(',')}}`
}

/** §3.2.2.2: half a surrogate pair has no canonical form. */
function quoted(text: string): string {
  if (!text.isWellFormed()) throw new Error('canonical JSON holds whole characters only')
  return JSON.stringify(text)
}

/** The next link, hex. `previous` is the hash before it, hex; `entry` the canonical JSON of the entry. */
export function chainHash(previous: string, entry: string): string {
  return createHash('sha256').update(Buffer.of(0)).update(Buffer.from(previous, 'hex')).update(entry, 'utf8').digest('hex')
}

/** What stands in the chain for personal data: SHA-256 of salt (bytes) and canonical JSON, hex. Erasing value and salt leaves it whole. */
export function commitment(salt: string, personal: Json): string {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(canonicalJson(personal), 'utf8').digest('hex')
}

export interface ChainEntry {
  sequence: number
  entry: string
  hash: string
}

/** Walks entries in order from `from` (the hash before the first of them). Answers the sequence number of the first entry that does not follow, or the head. */
export function verifyLinks(from: string, entries: Iterable<ChainEntry>): { head: string } | { firstInvalid: number } {
  let head = from
  for (const { sequence, entry, hash } of entries) {
    if (chainHash(head, entry) !== hash) return { firstInvalid: sequence }
    head = hash
  }
  return { head }
}
