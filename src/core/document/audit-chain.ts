/**
 * The hash chain of the audit log: hash_n = SHA-256(0x00 ‖ hash_{n-1} ‖ JCS(entry)). Canonical JSON
 * is RFC 8785; the zero byte separates domains as in RFC 9162 §2.1.1.
 */
import { createHash } from 'node:crypto'
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

/** The hash of an entry, hex. `previous` is the hash before it, `entry` its canonical JSON. */
export function chainHash(previous: string, entry: string): string {
  return createHash('sha256').update(Buffer.of(0)).update(Buffer.from(previous, 'hex')).update(entry, 'utf8').digest('hex')
}

/** In place of personal data, so that data and salt can be deleted without breaking the chain. */
export function commitment(salt: string, personal: Json): string {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(canonicalJson(personal), 'utf8').digest('hex')
}

/** SHA-256 of the canonical JSON, hex. */
export function canonicalHash(value: Json): string {
  return createHash('sha256').update(canonicalJson(value), 'utf8').digest('hex')
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
