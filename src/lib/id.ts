/**
 * Ids: a type prefix and a lower-case ULID that increases, so ids sort by creation. Numbers from
 * random bytes.
 */
import { decodeTime, encodeTime, monotonicFactory, TIME_MAX } from 'ulid'
import { HOUR_MS } from './duration.ts'
import type { Random } from './machine.ts'

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
  | 'chk'
  | 'wit'
  | 'wst'

/** `at`: the time in the id, in place of the present. */
export type NewId = (prefix: IdPrefix, at?: Date) => string

/** After the clock was set back by more, ids follow it: it was wrong before. */
const MAX_KEPT_MS = HOUR_MS

const POOL_SIZE = 1024

/** Numbers in [0, 1). Draws bytes once for many of them. */
function fractions(random: Random): () => number {
  let pool = new Uint32Array()
  let used = 0
  return () => {
    if (used === pool.length) {
      pool = new Uint32Array(new Uint8Array(random(4 * POOL_SIZE)).buffer)
      used = 0
    }
    return (pool[used++] ?? 0) / 2 ** 32
  }
}

export function idFactory(nowMs: () => number, random: Random): NewId {
  const fraction = fractions(random)
  const next = growing(fraction, MAX_KEPT_MS)
  // Times of changes grow by themselves: an id has exactly the time of its change.
  const nextAt = growing(fraction, 0)
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

/** The source of a regular expression. */
export const idPattern = (prefix: IdPrefix) => `${prefix}_[0-9a-z]{26}`

export const isId = (text: string, prefix: IdPrefix) => new RegExp(`^${idPattern(prefix)}$`).test(text)

export function timeOfId(id: string): Date {
  return new Date(decodeTime(id.slice(id.indexOf('_') + 1).toUpperCase()))
}

/** Ids created at `ms` or later sort at or after it, earlier ones before it. */
export function firstIdFrom(prefix: IdPrefix, ms: number): string {
  return `${prefix}_${encodeTime(Math.min(Math.max(ms, 0), TIME_MAX)).toLowerCase()}${'0'.repeat(16)}`
}

// Numbers from random bytes, each as likely as any other.

const RANGE = 2 ** 48

/** A whole number from 0 to `bound` − 1. `bound`: 2^48 at most. */
export function randomBelow(random: Random, bound: number): number {
  // The remainders of greater numbers would make small results more likely.
  const end = RANGE - (RANGE % bound)
  let drawn: number
  do drawn = Buffer.from(random(6)).readUIntBE(0, 6)
  while (drawn >= end)
  return drawn % bound
}

/** In [0, 1). */
export const randomFraction = (random: Random): number => randomBelow(random, RANGE) / RANGE
