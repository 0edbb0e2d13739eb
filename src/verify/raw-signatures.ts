/**
 * Signatures by their bytes alone, for files whose structure cannot be followed or hides them: four numbers of a /ByteRange that leave out a
 * hexadecimal string of the file. Says whether the signed bytes were changed; trusts nobody. ISO 32000-2 §12.8.1.
 */
import { type ByteRange, rangesOf, readHexContents } from '../pades/byte-range.ts'
import { DerError } from '../pki/der.ts'
import { judgeCms, readSignedCms } from './cms.ts'

const LESS = 0x3c
const GREATER = 0x3e
export const CUT_SHORT = 'The file ends before the bytes that were signed do.'

/** The newest ones: each costs a digest over the file. */
const MAX_RANGES = 10
/** Places that are looked at. */
const MAX_TRIES = 10_000
const KEY = '/ByteRange'
const ARRAY = /^\/ByteRange\s*\[\s*0\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/

/** Byte ranges that lead to a hexadecimal string, or beyond the end of the file; the newest first. */
export function findByteRanges(bytes: Uint8Array): ByteRange[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const found: ByteRange[] = []
  let at = view.length
  for (let tries = 0; tries < MAX_TRIES && found.length < MAX_RANGES; tries++) {
    at = at === 0 ? -1 : view.lastIndexOf(KEY, at - 1)
    if (at === -1) break
    const [, first, second, length] = (ARRAY.exec(view.toString('latin1', at, at + 200)) ?? []).map(Number)
    if (first === undefined || second === undefined || length === undefined) continue
    const isGap = view[first] === LESS && (second > view.length || view[second - 1] === GREATER)
    if (isGap) found.push([0, first, second, length])
  }
  return found
}

function isChanged(bytes: Uint8Array, range: ByteRange): boolean {
  const gap = readHexContents(bytes.subarray(range[1], range[2]))
  if (gap === undefined) return true
  try {
    const cms = readSignedCms(gap.bytes)
    if (cms.content !== undefined) return false
    const question = { cms, signed: rangesOf(bytes, range), subFilter: '', certifies: false, known: [] }
    return judgeCms(question).broken.length > 0
  } catch (error) {
    // A time-stamp, or a form that is not supported: nothing can be said of it.
    if (error instanceof DerError) return false
    throw error
  }
}

/**
 * What happened to a signed file that cannot be read, in a sentence; undefined where no signature shows that anything did.
 * `isReadable` says whether the first `end` bytes can be read by themselves.
 */
export function damageOf(bytes: Uint8Array, isReadable: (end: number) => boolean): string | undefined {
  for (const range of findByteRanges(bytes)) {
    const end = range[2] + range[3]
    if (end > bytes.length) return CUT_SHORT
    if (isChanged(bytes, range)) return 'The document was changed after it was signed: its digest is not the signed one.'
    if (end < bytes.length && isReadable(end)) return `${bytes.length - end} bytes follow the signed revision and cannot be read.`
  }
  return undefined
}
