/**
 * The gap in which the CMS stands, and the two ranges around it that are signed. Knows offsets, not certificates. ISO 32000-2 §12.8.1.
 * Both placeholders are random digits, so that no text of an upload or a person's name can be taken for them; they are never found by searching for zeros.
 */
import { createHash, randomInt } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** [0, offset of `<`, offset after `>`, bytes from there to the end of the signed revision]. */
export type ByteRange = readonly [number, number, number, number]

/** What the signature dictionary holds until its true values are known. */
export interface Placeholder {
  /** Value of /ByteRange: numbers of ten digits, to be written as `[0 n n n]` with any white space between. */
  byteRange: ByteRange
  /** Hexadecimal digits of the /Contents string (without `<` and `>`), 2 × `contentsBytes` long, decimal digits only. */
  contentsHex: string
}

/** The gap is missing, doubled, damaged or too small. A fault of ours or of the disk, never of a person's input. */
export class ByteRangeError extends Error {
  override name = 'ByteRangeError'
}

const TOKEN_DIGITS = 40
const CHUNK_BYTES = 1 << 20
const LESS = 0x3c
const GREATER = 0x3e

/** A fresh placeholder for a CMS of at most `contentsBytes`. */
export function newPlaceholder(contentsBytes: number): Placeholder {
  if (!Number.isSafeInteger(contentsBytes) || contentsBytes < TOKEN_DIGITS)
    throw new ByteRangeError('the gap asked for is too small')
  const tenDigits = () => randomInt(1_000_000_000, 10_000_000_000)
  const token = Array.from({ length: TOKEN_DIGITS }, () => randomInt(10)).join('')
  return { byteRange: [0, tenDigits(), tenDigits(), tenDigits()], contentsHex: token.padEnd(2 * contentsBytes, '0') }
}

function isHexDigit(octet: number | undefined): boolean {
  if (octet === undefined) return false
  return (octet >= 0x30 && octet <= 0x39) || (octet >= 0x61 && octet <= 0x66) || (octet >= 0x41 && octet <= 0x46)
}

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function findOnce(view: Buffer, text: string, what: string): number {
  const at = view.indexOf(text, 0, 'latin1')
  if (at === -1) throw new ByteRangeError(`the placeholder of ${what} is missing`)
  if (view.indexOf(text, at + 1, 'latin1') !== -1) throw new ByteRangeError(`the placeholder of ${what} stands there twice`)
  return at
}

/**
 * Puts the true ByteRange in place of its placeholder, in the same length, and returns it. `bytes` are changed in place.
 * They may be the whole file, or only its last part: then `offset` is where they begin in the file. They must reach to the file's end.
 * @throws ByteRangeError
 */
export function writeByteRange(bytes: Uint8Array, placeholder: Placeholder, offset = 0): ByteRange {
  const view = viewOf(bytes)
  const digits = findOnce(view, placeholder.contentsHex, '/Contents')
  const end = digits + placeholder.contentsHex.length
  if (view[digits - 1] !== LESS || view[end] !== GREATER)
    throw new ByteRangeError('the placeholder of /Contents is not one hexadecimal string')
  const byteRange: ByteRange = [0, offset + digits - 1, offset + end + 1, bytes.length - end - 1]

  const [, first, second, third] = placeholder.byteRange
  const at = findOnce(view, String(first), '/ByteRange')
  const from = view.lastIndexOf('[', at, 'latin1')
  const to = view.indexOf(']', at, 'latin1')
  const written = from === -1 || to === -1 || to - from > 200 ? '' : view.toString('latin1', from, to + 1)
  if (!new RegExp(`^\\[\\s*0\\s+${first}\\s+${second}\\s+${third}\\s*\\]$`).test(written)) {
    throw new ByteRangeError('the placeholder of /ByteRange is not an array of four numbers')
  }
  const text = `[${byteRange.join(' ')}`
  if (text.length + 1 > written.length) throw new ByteRangeError('the file is too long for the placeholder of /ByteRange')
  view.write(`${text.padEnd(written.length - 1)}]`, from, 'latin1')
  return byteRange
}

/** The signed bytes: what stands before the gap, and what stands after it. */
export function rangesOf(bytes: Uint8Array, [start, first, second, length]: ByteRange): [Uint8Array, Uint8Array] {
  return [bytes.subarray(start, start + first), bytes.subarray(second, second + length)]
}

/** SHA-256 over the two ranges of a file, read in pieces. @throws ByteRangeError when the file is shorter than its ranges */
export async function digestFileRanges(path: string, [start, first, second, length]: ByteRange): Promise<Uint8Array> {
  const hash = createHash('sha256')
  const file = await open(path, 'r')
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    for (const [from, to] of [
      [start, start + first],
      [second, second + length],
    ] as const) {
      for (let at = from; at < to; ) {
        const { bytesRead } = await file.read(chunk, 0, Math.min(CHUNK_BYTES, to - at), at)
        if (bytesRead === 0) throw new ByteRangeError('the file ends inside the ranges to be signed')
        hash.update(chunk.subarray(0, bytesRead))
        at += bytesRead
      }
    }
  } finally {
    await file.close()
  }
  return hash.digest()
}

/** The text that fills the gap: `<`, the contents in lower-case hexadecimal, zeros, `>`. @throws ByteRangeError when they do not fit */
function gapText([, first, second]: ByteRange, contents: Uint8Array): Buffer {
  const digits = second - first - 2
  if (contents.length * 2 > digits) {
    throw new ByteRangeError(`the CMS takes ${contents.length} bytes, the gap holds ${Math.max(0, Math.floor(digits / 2))}`)
  }
  return Buffer.from(`<${Buffer.from(contents).toString('hex').padEnd(digits, '0')}>`, 'latin1')
}

function checkGap(gap: Uint8Array): void {
  const sound = gap[0] === LESS && gap.at(-1) === GREATER && gap.subarray(1, -1).every(isHexDigit)
  if (!sound) throw new ByteRangeError('there is no hexadecimal string in the gap of the byte range')
}

/** Puts a CMS, which a time-stamp token is too, into the gap of bytes in memory, in place. @throws ByteRangeError when it does not fit; nothing is changed then */
export function fillContents(bytes: Uint8Array, byteRange: ByteRange, contents: Uint8Array): void {
  const [, first, second, length] = byteRange
  if (second + length !== bytes.length) throw new ByteRangeError('the byte range does not end with the file')
  const text = gapText(byteRange, contents)
  checkGap(bytes.subarray(first, second))
  bytes.set(text, first)
}

async function readExactly(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, from + done)
    if (bytesRead === 0) throw new ByteRangeError('the file ends inside the gap')
    done += bytesRead
  }
  return bytes
}

/**
 * Puts a CMS, which a time-stamp token is too, into the gap of a file by one positioned write, and fsyncs the file; nothing else of it is read or copied.
 * Doing it twice gives the same file. @throws ByteRangeError when it does not fit or there is no such gap; nothing is changed then
 */
export async function fillContentsInFile(path: string, byteRange: ByteRange, contents: Uint8Array): Promise<void> {
  const [, first, second, length] = byteRange
  const text = gapText(byteRange, contents)
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    if (second + length !== size) throw new ByteRangeError('the byte range does not end with the file')
    checkGap(await readExactly(file, first, second - first))
    for (let done = 0; done < text.length; ) {
      const { bytesWritten } = await file.write(text, done, text.length - done, first + done)
      done += bytesWritten
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Why four integers are no byte range of a file of `size` bytes; undefined when they are one. Adding up is safe: numbers beyond the file are refused first. */
export function byteRangeError(numbers: readonly number[], size: number): string | undefined {
  const [start, first, second, length] = numbers
  if (numbers.length !== 4 || start === undefined || first === undefined || second === undefined || length === undefined) {
    return '/ByteRange is not an array of four integers'
  }
  if (numbers.some(n => !Number.isSafeInteger(n))) return '/ByteRange holds something other than integers'
  if (numbers.some(n => n < 0)) return '/ByteRange holds a negative number'
  if (numbers.some(n => n > size)) return '/ByteRange points beyond the end of the file'
  if (start !== 0) return '/ByteRange does not begin at the first byte of the file'
  if (first === 0) return '/ByteRange leaves out the beginning of the file'
  if (second <= first) return 'the two ranges of /ByteRange overlap'
  if (second + length > size) return '/ByteRange points beyond the end of the file'
  return undefined
}

/** The value of a /Contents hexadecimal string. `letters` tells which letter digits occur: a writer uses one kind. */
export interface Gap {
  bytes: Uint8Array
  letters: 'none' | 'lower' | 'upper' | 'mixed'
}

/** Reads `<hex>` from the gap: hexadecimal digits only, an even number of them. Undefined when it is anything else. */
export function readHexContents(gap: Uint8Array): Gap | undefined {
  if (gap.length < 4 || gap.length % 2 !== 0 || gap[0] !== LESS || gap.at(-1) !== GREATER) return undefined
  const digits = gap.subarray(1, -1)
  if (!digits.every(isHexDigit)) return undefined
  const lower = digits.some(octet => octet >= 0x61)
  const upper = digits.some(octet => octet >= 0x41 && octet <= 0x46)
  const letters = lower && upper ? 'mixed' : lower ? 'lower' : upper ? 'upper' : 'none'
  return { bytes: Buffer.from(viewOf(digits).toString('latin1'), 'hex'), letters }
}
