/**
 * The data of the streams a cross-reference is made of: /FlateDecode with its predictors, nothing else. ISO 32000-2 §7.3.8, §7.4.4.
 * What is drawn on pages is never decoded here.
 */
import { inflateSync } from 'node:zlib'
import { type Cursor, type PdfDictionary, PdfSyntaxError, type PdfValue, takeKeyword } from './syntax.ts'

const MAX_STREAM_BYTES = 128 * 1024 * 1024

/** The raw data of the stream whose dictionary was just read. @throws PdfSyntaxError */
export function streamData(cursor: Cursor, length: number | undefined): Uint8Array {
  const { bytes } = cursor
  if (!takeKeyword(cursor, 'stream')) throw new PdfSyntaxError('a stream is missing where one must stand')
  if (bytes[cursor.at] === 0x0d) cursor.at++
  if (bytes[cursor.at] === 0x0a) cursor.at++
  const start = cursor.at
  if (length !== undefined && start + length <= bytes.length) {
    const end: Cursor = { bytes, at: start + length }
    if (takeKeyword(end, 'endstream')) return bytes.subarray(start, start + length)
  }
  throw new PdfSyntaxError('a stream does not end where its /Length says')
}

/** The raw data of the stream whose dictionary ends at `end`; undefined when no stream follows it. @throws PdfSyntaxError */
export function readStreamAt(bytes: Uint8Array, end: number, length: number | undefined): Uint8Array | undefined {
  if (!takeKeyword({ bytes, at: end }, 'stream')) return undefined
  return streamData({ bytes, at: end }, length)
}

/** An error of zlib has a code of its own; anything else is not ours to name. */
function isZlibError(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(Z_|ERR_BUFFER_TOO_LARGE)/.test(error.code)
  )
}

function inflate(raw: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return inflateSync(raw, { maxOutputLength: Math.max(1, Math.min(maxBytes, MAX_STREAM_BYTES)) })
  } catch (error) {
    if (!isZlibError(error)) throw error
    throw new PdfSyntaxError(error.code.startsWith('Z_') ? 'a compressed stream is damaged' : 'a compressed stream is too large')
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const [a, b, c] = [Math.abs(up - upLeft), Math.abs(left - upLeft), Math.abs(left + up - 2 * upLeft)]
  return a <= b && a <= c ? left : b <= c ? up : upLeft
}

/** Undoes the PNG predictors (§7.4.4.4); every row names its own in its first byte. */
function unpredict(data: Uint8Array, columns: number): Uint8Array {
  const rows = Math.floor(data.length / (columns + 1))
  const out = new Uint8Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    const filter = data[row * (columns + 1)] ?? 0
    const to = row * columns
    for (let i = 0; i < columns; i++) {
      const left = i > 0 ? (out[to + i - 1] ?? 0) : 0
      const up = row > 0 ? (out[to + i - columns] ?? 0) : 0
      const upLeft = row > 0 && i > 0 ? (out[to + i - columns - 1] ?? 0) : 0
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter]
      if (guess === undefined) throw new PdfSyntaxError('a stream has an unknown predictor')
      out[to + i] = (data[row * (columns + 1) + 1 + i] ?? 0) + guess
    }
  }
  return out
}

const only = (value: PdfValue | undefined): PdfValue | undefined =>
  value?.kind === 'array' && value.items.length === 1 ? value.items[0] : value

function integerOf(dictionary: PdfDictionary, key: string, otherwise: number): number {
  const value = dictionary.entries.get(key)
  return value?.kind === 'number' && value.integer ? value.value : otherwise
}

/** The decoded data of an object stream or cross-reference stream. @throws PdfSyntaxError beyond `maxBytes` or with another filter */
export function decodeStream(raw: Uint8Array, dictionary: PdfDictionary, maxBytes: number): Uint8Array {
  const filter = only(dictionary.entries.get('Filter'))
  if (filter === undefined) return raw
  if (filter.kind !== 'name' || filter.value !== 'FlateDecode') {
    throw new PdfSyntaxError('a cross-reference or object stream has a filter other than /FlateDecode')
  }
  const data = inflate(raw, maxBytes)
  const parameters = only(dictionary.entries.get('DecodeParms'))
  if (parameters?.kind !== 'dictionary') return data
  const predictor = integerOf(parameters, 'Predictor', 1)
  if (predictor === 1) return data
  const columns = integerOf(parameters, 'Columns', 1)
  const bytesPerRow = Math.ceil((columns * integerOf(parameters, 'Colors', 1) * integerOf(parameters, 'BitsPerComponent', 8)) / 8)
  const plain = columns === bytesPerRow && columns > 0 && columns <= 1 << 16
  if (predictor < 10 || !plain) throw new PdfSyntaxError('a cross-reference or object stream has an unknown predictor')
  return unpredict(data, columns)
}
