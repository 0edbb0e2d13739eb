/** Placeholders of /ByteRange and /Contents, found by random digits. ISO 32000-2 §12.8.1. */
import { writeAll } from '../lib/files.ts'
import { randomBelow } from '../lib/id.ts'
import type { FileSystem, OpenFile, Random } from '../lib/machine.ts'
import { type ByteRange, GREATER, isHexDigit, LESS } from './byte-range.ts'

/** Written into the signature dictionary until the values are known. */
export interface Placeholder {
  /** Numbers of ten digits, written as `[0 n n n]` with any white space. */
  byteRange: ByteRange
  /** Hexadecimal digits of /Contents without `<` and `>`: a random number, then zeros. */
  contentsHex: string
}

/** A placeholder is missing, duplicated, damaged or too small. Never caused by input. */
export class ByteRangeError extends Error {
  override name = 'ByteRangeError'
}

const TOKEN_DIGITS = 40

/** Random digits: no text of an upload or a person's name can be taken for a placeholder. */
export function newPlaceholder(contentsBytes: number, random: Random): Placeholder {
  if (!Number.isSafeInteger(contentsBytes) || contentsBytes < TOKEN_DIGITS)
    throw new ByteRangeError('the placeholder is too small')
  const tenDigits = () => 1_000_000_000 + randomBelow(random, 9_000_000_000)
  const token = Array.from({ length: TOKEN_DIGITS }, () => randomBelow(random, 10)).join('')
  return { byteRange: [0, tenDigits(), tenDigits(), tenDigits()], contentsHex: token.padEnd(2 * contentsBytes, '0') }
}

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function findOnce(view: Buffer, text: string, what: string): number {
  const at = view.indexOf(text, 0, 'latin1')
  if (at === -1) throw new ByteRangeError(`the placeholder of ${what} is missing`)
  if (view.indexOf(text, at + 1, 'latin1') !== -1) throw new ByteRangeError(`the placeholder of ${what} occurs twice`)
  return at
}

/** Fills in /ByteRange. `bytes`: the file from `offset` to its end. @throws ByteRangeError */
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

/** @throws ByteRangeError */
function encodeContents([, first, second]: ByteRange, contents: Uint8Array): Buffer {
  const digits = second - first - 2
  if (contents.length * 2 > digits) {
    throw new ByteRangeError(`the CMS has ${contents.length} bytes, /Contents holds ${Math.max(0, Math.floor(digits / 2))}`)
  }
  return Buffer.from(`<${Buffer.from(contents).toString('hex').padEnd(digits, '0')}>`, 'latin1')
}

function checkPlaceholder(text: Uint8Array): void {
  const isHexString = text[0] === LESS && text.at(-1) === GREATER && text.subarray(1, -1).every(isHexDigit)
  if (!isHexString) throw new ByteRangeError('the byte range does not surround a hexadecimal string')
}

async function readExactly(file: OpenFile, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, from + done)
    if (bytesRead === 0) throw new ByteRangeError('the file ends inside /Contents')
    done += bytesRead
  }
  return bytes
}

/** Writes /Contents and fsyncs. Can be repeated. @throws ByteRangeError before any change */
export async function fillContentsInFile(
  fileSystem: FileSystem,
  path: string,
  byteRange: ByteRange,
  contents: Uint8Array,
): Promise<void> {
  const [, first, second, length] = byteRange
  const text = encodeContents(byteRange, contents)
  const file = await fileSystem.open(path, 'r+')
  try {
    const { size } = await fileSystem.facts(path)
    if (second + length !== size) throw new ByteRangeError('the byte range does not end with the file')
    checkPlaceholder(await readExactly(file, first, second - first))
    await writeAll(file, text, first)
    await file.sync()
  } finally {
    await file.close()
  }
}
