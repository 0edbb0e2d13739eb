/** Ids: a type prefix and a lower-case ULID that increases, so ids sort by creation. */
import { decodeTime, encodeTime, monotonicFactory, TIME_MAX } from 'ulid'

export type IdPrefix =
  | 'doc'
  | 'rcp'
  | 'fld'
  | 'whk'
  | 'evt'
  | 'dlv'
  | 'key'
  | 'usr'
  | 'inv'
  | 'job'
  | 'req'
  | 'ins'
  | 'mail'
  | 'crt'
  | 'ctc'
  | 'bak'
  | 'tpl'
  | 'rol'
  | 'bat'
  | 'lnk'

export type NewId = (prefix: IdPrefix) => string

const POOL = new Uint32Array(1024)
let used = POOL.length

/** A number in [0, 1) from the system's generator, which is called once for many numbers. */
function secureRandom(): number {
  if (used === POOL.length) {
    crypto.getRandomValues(POOL)
    used = 0
  }
  return (POOL[used++] ?? 0) / 2 ** 32
}

/** `random` returns numbers in [0, 1). */
export function idFactory(nowMs: () => number, random = secureRandom): NewId {
  const next = monotonicFactory(random)
  return prefix => `${prefix}_${next(nowMs()).toLowerCase()}`
}

/** After the clock was set back, ids keep the earlier time until it is reached again. */
export function timeOfId(id: string): Date {
  return new Date(decodeTime(id.slice(id.indexOf('_') + 1).toUpperCase()))
}

/** Ids created at `ms` or later sort at or after it, earlier ones before it. */
export function firstIdFrom(prefix: IdPrefix, ms: number): string {
  return `${prefix}_${encodeTime(Math.min(Math.max(ms, 0), TIME_MAX)).toLowerCase()}${'0'.repeat(16)}`
}
