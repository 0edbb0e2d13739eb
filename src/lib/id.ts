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

/** `at`: the time in the id, in place of the present. */
export type NewId = (prefix: IdPrefix, at?: Date) => string

/** After the clock was set back by more, ids follow it: it was wrong before. */
const MAX_KEPT_MS = 3_600_000

const POOL_SIZE = 1024

/** Numbers in [0, 1) from the system's generator, which is called once for many of them. */
function secureRandom(): () => number {
  const pool = new Uint32Array(POOL_SIZE)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      crypto.getRandomValues(pool)
      used = 0
    }
    return (pool[used++] ?? 0) / 2 ** 32
  }
}

/** `random` returns numbers in [0, 1). */
export function idFactory(nowMs: () => number, random = secureRandom()): NewId {
  const next = growing(random, MAX_KEPT_MS)
  // Times of changes grow by themselves: an id has exactly the time of its change.
  const nextAt = growing(random, 0)
  return (prefix, at) => `${prefix}_${(at ? nextAt(at.getTime()) : next(nowMs())).toLowerCase()}`
}

/** A time up to `keptMs` before the last one counts as the last one, so that ids grow. */
function growing(random: () => number, keptMs: number): (ms: number) => string {
  let next = monotonicFactory(random)
  let lastMs = 0
  return ms => {
    if (ms < lastMs - keptMs) {
      next = monotonicFactory(random)
      lastMs = 0
    }
    lastMs = Math.max(lastMs, ms)
    return next(ms)
  }
}

export function timeOfId(id: string): Date {
  return new Date(decodeTime(id.slice(id.indexOf('_') + 1).toUpperCase()))
}

/** Ids created at `ms` or later sort at or after it, earlier ones before it. */
export function firstIdFrom(prefix: IdPrefix, ms: number): string {
  return `${prefix}_${encodeTime(Math.min(Math.max(ms, 0), TIME_MAX)).toLowerCase()}${'0'.repeat(16)}`
}
