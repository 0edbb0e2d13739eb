/** Reads /ByteRange and /Contents. ISO 32000-2 §12.8.1. */
import { EMPTY_BYTES, fromHex, toLatin1 } from '../lib/bytes.ts'
import { type Remark, remark } from '../locales/remarks.ts'

/** [0, offset of `<`, offset after `>`, bytes from there to the end of the signed revision]. */
export type ByteRange = readonly [number, number, number, number]

export const LESS = 0x3c
export const GREATER = 0x3e

export function isHexDigit(octet: number | undefined): boolean {
  if (octet === undefined) return false
  return (octet >= 0x30 && octet <= 0x39) || (octet >= 0x61 && octet <= 0x66) || (octet >= 0x41 && octet <= 0x46)
}

/** The signed bytes before and after /Contents. */
export function rangesOf(bytes: Uint8Array, [start, first, second, length]: ByteRange): [Uint8Array, Uint8Array] {
  return [bytes.subarray(start, start + first), bytes.subarray(second, second + length)]
}

/** Why the numbers are not a byte range of a file of `size` bytes; undefined if they are. */
export function byteRangeError(numbers: readonly number[], size: number): Remark | undefined {
  const [start, first, second, length] = numbers
  if (numbers.length !== 4 || start === undefined || first === undefined || second === undefined || length === undefined) {
    return remark('byte_range_not_four')
  }
  if (numbers.some(n => !Number.isSafeInteger(n))) return remark('byte_range_not_integer')
  if (numbers.some(n => n < 0)) return remark('byte_range_negative')
  if (numbers.some(n => n > size)) return remark('byte_range_beyond_end')
  if (start !== 0) return remark('byte_range_late')
  if (first === 0) return remark('byte_range_without_beginning')
  if (second <= first) return remark('byte_range_overlapping')
  if (second + length > size) return remark('byte_range_beyond_end')
  return undefined
}

export interface HexContents {
  bytes: Uint8Array
  /** Case of the letter digits: a writer uses one. */
  letters: 'none' | 'lower' | 'upper' | 'mixed'
}

/** Reads `<hex>` with an even number of digits; undefined if it is anything else. */
export function readHexContents(text: Uint8Array): HexContents | undefined {
  if (text.length < 4 || text.length % 2 !== 0 || text[0] !== LESS || text.at(-1) !== GREATER) return undefined
  const digits = text.subarray(1, -1)
  if (!digits.every(isHexDigit)) return undefined
  const lower = digits.some(octet => octet >= 0x61)
  const upper = digits.some(octet => octet >= 0x41 && octet <= 0x46)
  const letters = lower && upper ? 'mixed' : lower ? 'lower' : upper ? 'upper' : 'none'
  return { bytes: fromHex(toLatin1(digits)) ?? EMPTY_BYTES, letters }
}
