/** Ids: a type prefix and a 26-character lower-case ULID that never goes back within a process, so ids sort in order of creation. */
import { randomBytes } from 'node:crypto'
import { monotonicFactory } from 'ulid'

export type IdPrefix = 'doc' | 'rcp' | 'fld' | 'whk' | 'evt' | 'dlv' | 'key' | 'usr' | 'job' | 'req' | 'ins' | 'mail' | 'crt'

export type NewId = (prefix: IdPrefix) => string

/** `nowMs` lets tests hold the clock; `random` gives numbers in [0, 1). */
export function idFactory(nowMs: () => number, random = () => randomBytes(4).readUInt32BE(0) / 2 ** 32): NewId {
  const next = monotonicFactory(random)
  return prefix => `${prefix}_${next(nowMs()).toLowerCase()}`
}
