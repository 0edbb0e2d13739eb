/** Ids: a type prefix and a 26-character lower-case ULID that never goes back within a process, so ids sort in order of creation. */
import { decodeTime, encodeTime, monotonicFactory, TIME_MAX } from 'ulid'

export type IdPrefix = 'doc' | 'rcp' | 'fld' | 'whk' | 'evt' | 'dlv' | 'key' | 'usr' | 'job' | 'req' | 'ins' | 'mail' | 'crt'

export type NewId = (prefix: IdPrefix) => string

const POOL = new Uint32Array(1024)
let used = POOL.length

/** A number in [0, 1) from the system's generator, drawn in helpings. */
function secureRandom(): number {
  if (used === POOL.length) {
    crypto.getRandomValues(POOL)
    used = 0
  }
  return (POOL[used++] ?? 0) / 2 ** 32
}

/** `nowMs` lets tests hold the clock; `random` gives numbers in [0, 1). */
export function idFactory(nowMs: () => number, random = secureRandom): NewId {
  const next = monotonicFactory(random)
  return prefix => `${prefix}_${next(nowMs()).toLowerCase()}`
}

/** The time in an id. An id of a process whose clock was set back holds the time before that. */
export function timeOfId(id: string): Date {
  return new Date(decodeTime(id.slice(id.indexOf('_') + 1).toUpperCase()))
}

/** Ids made from this moment on sort at or behind it, those made before sort below it. */
export function firstIdFrom(prefix: IdPrefix, ms: number): string {
  return `${prefix}_${encodeTime(Math.min(Math.max(ms, 0), TIME_MAX)).toLowerCase()}${'0'.repeat(16)}`
}
