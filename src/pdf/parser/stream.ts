/**
 * Reads and decodes the streams that a cross-reference uses: /FlateDecode with predictors only. ISO
 * 32000-2 §7.3.8, §7.4.4. Page content is decoded in content.ts.
 */

import { InflateError } from '../../lib/inflate.ts'
import { inflate } from '../../lib/primitives.ts'
import { remark } from '../../locales/remarks.ts'
import { MAX_STREAM_BYTES } from './limits.ts'
import { type Cursor, type PdfDictionary, PdfSyntaxError, type PdfValue, takeKeyword } from './syntax.ts'

/** @throws PdfSyntaxError */
export function readStream(cursor: Cursor, length: number | undefined): Uint8Array {
  const { bytes } = cursor
  if (!takeKeyword(cursor, 'stream')) throw new PdfSyntaxError(remark('not_a_stream'))
  if (bytes[cursor.at] === 0x0d) cursor.at++
  if (bytes[cursor.at] === 0x0a) cursor.at++
  const start = cursor.at
  if (length !== undefined && start + length <= bytes.length) {
    const end: Cursor = { bytes, at: start + length }
    if (takeKeyword(end, 'endstream')) return bytes.subarray(start, start + length)
  }
  throw new PdfSyntaxError(remark('stream_of_other_length'))
}

/** Undefined if no stream follows the dictionary that ends at `end`. @throws PdfSyntaxError */
export function readStreamAt(bytes: Uint8Array, end: number, length: number | undefined): Uint8Array | undefined {
  if (!takeKeyword({ bytes, at: end }, 'stream')) return undefined
  return readStream({ bytes, at: end }, length)
}

function inflateWithin(raw: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return inflate(raw, Math.max(1, Math.min(maxBytes, MAX_STREAM_BYTES)))
  } catch (error) {
    if (!(error instanceof InflateError)) throw error
    throw new PdfSyntaxError(error.failure === 'too_large' ? remark('stream_too_large') : remark('stream_damaged'))
  }
}

function predictPaeth(left: number, up: number, upLeft: number): number {
  const [a, b, c] = [Math.abs(up - upLeft), Math.abs(left - upLeft), Math.abs(left + up - 2 * upLeft)]
  return a <= b && a <= c ? left : b <= c ? up : upLeft
}

/** §7.4.4.4. */
function predict(filter: number, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 0:
      return 0
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4:
      return predictPaeth(left, up, upLeft)
  }
  throw new PdfSyntaxError(remark('stream_predictor'))
}

/** Undoes PNG predictors (§7.4.4.4). The first byte of a row names its predictor. */
function undoPredictors(data: Uint8Array, columns: number): Uint8Array {
  const rows = Math.floor(data.length / (columns + 1))
  const out = new Uint8Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    const from = row * (columns + 1)
    const filter = data[from] ?? 0
    const to = row * columns
    for (let i = 0; i < columns; i++) {
      // Outside `out` (the row above the first) the values are 0.
      const left = i > 0 ? (out[to + i - 1] ?? 0) : 0
      const up = out[to + i - columns] ?? 0
      const upLeft = i > 0 ? (out[to + i - columns - 1] ?? 0) : 0
      out[to + i] = (data[from + 1 + i] ?? 0) + predict(filter, left, up, upLeft)
    }
  }
  return out
}

const unwrapSingle = (value: PdfValue | undefined): PdfValue | undefined =>
  value?.kind === 'array' && value.items.length === 1 ? value.items[0] : value

function readInteger(dictionary: PdfDictionary, key: string, otherwise: number): number {
  const value = dictionary.entries.get(key)
  return value?.kind === 'number' && value.integer ? value.value : otherwise
}

/** @throws PdfSyntaxError beyond `maxBytes` or with another filter */
export function decodeStream(raw: Uint8Array, dictionary: PdfDictionary, maxBytes: number): Uint8Array {
  const filter = unwrapSingle(dictionary.entries.get('Filter'))
  if (filter === undefined) return raw
  if (filter.kind !== 'name' || filter.value !== 'FlateDecode') {
    throw new PdfSyntaxError(remark('object_stream_filter'))
  }
  const data = inflateWithin(raw, maxBytes)
  const parameters = unwrapSingle(dictionary.entries.get('DecodeParms'))
  if (parameters?.kind !== 'dictionary') return data
  const predictor = readInteger(parameters, 'Predictor', 1)
  if (predictor === 1) return data
  const columns = readInteger(parameters, 'Columns', 1)
  const bytesPerRow = Math.ceil(
    (columns * readInteger(parameters, 'Colors', 1) * readInteger(parameters, 'BitsPerComponent', 8)) / 8,
  )
  const isSupported = columns === bytesPerRow && columns > 0 && columns <= 1 << 16
  if (predictor < 10 || !isSupported) throw new PdfSyntaxError(remark('object_stream_predictor'))
  return undoPredictors(data, columns)
}
