/** Checks signatures in a file whose structure cannot be followed. ISO 32000-2 §12.8.1. */
import { type ByteRange, rangesOf, readHexContents } from '../pades/byte-range.ts'
import { DerError } from '../pki/der.ts'
import { readSignedCms, verifyCms } from './cms.ts'

const LESS = 0x3c
const GREATER = 0x3e
export const TRUNCATED = 'The file ends before the end of the signed bytes.'

/** Each range costs a digest over the file. */
const MAX_RANGES = 10
const MAX_TRIES = 10_000
const KEY = '/ByteRange'
const ARRAY = /^\/ByteRange\s*\[\s*0\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/

/** Those that leave out a hexadecimal string or exceed the file, newest first. */
export function findByteRanges(bytes: Uint8Array): ByteRange[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const found: ByteRange[] = []
  let at = view.length
  for (let tries = 0; tries < MAX_TRIES && found.length < MAX_RANGES; tries++) {
    at = at === 0 ? -1 : view.lastIndexOf(KEY, at - 1)
    if (at === -1) break
    const [, first, second, length] = (ARRAY.exec(view.toString('latin1', at, at + 200)) ?? []).map(Number)
    if (first === undefined || second === undefined || length === undefined) continue
    const isHexString = view[first] === LESS && (second > view.length || view[second - 1] === GREATER)
    if (isHexString) found.push([0, first, second, length])
  }
  return found
}

function isChanged(bytes: Uint8Array, range: ByteRange): boolean {
  const contents = readHexContents(bytes.subarray(range[1], range[2]))
  if (contents === undefined) return true
  try {
    const cms = readSignedCms(contents.bytes)
    if (cms.content !== undefined) return false
    const request = { cms, signed: rangesOf(bytes, range), subFilter: '', isStrictCertification: false, known: [] }
    return verifyCms(request).broken.length > 0
  } catch (error) {
    // A time-stamp or an unsupported form cannot be checked here.
    if (error instanceof DerError) return false
    throw error
  }
}

/** A sentence; undefined if no signature shows a change of the file. */
export function describeDamage(bytes: Uint8Array, isReadable: (end: number) => boolean): string | undefined {
  for (const range of findByteRanges(bytes)) {
    const end = range[2] + range[3]
    if (end > bytes.length) return TRUNCATED
    if (isChanged(bytes, range)) return 'The document was changed after it was signed: its digest is not the signed one.'
    if (end < bytes.length && isReadable(end)) return `${bytes.length - end} bytes follow the signed revision and cannot be read.`
  }
  return undefined
}
