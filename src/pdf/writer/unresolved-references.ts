/**
 * Object numbers that a file refers to though nothing stands there: they mean null (ISO 32000-2
 * §7.3.10), and must not come to mean what an update adds. Looks at the text of references alone,
 * which is many times faster than reading every object, and may name a number too many.
 */
import type { PdfFile } from '../parser/file.ts'
import { decodeStream, readStream } from '../parser/stream.ts'
import { PdfSyntaxError, readIndirect } from '../parser/syntax.ts'

/** White space and the R of a reference, as writers set them (§7.3.10). */
const ENDS = [' R', '\nR', '\rR']
/** No update has as many objects. */
const REACH = 1_000_000
const MAX_STREAM_BYTES = 128 * 1024 * 1024

const isDigit = (octet = 0): boolean => octet >= 0x30 && octet <= 0x39
const isSpace = (octet = 0): boolean => octet === 0x20 || (octet >= 0x09 && octet <= 0x0d)

/**
 * The object number of the reference whose R stands behind `at`; undefined when none stands there.
 */
function numberBefore(bytes: Uint8Array, at: number): number | undefined {
  let place = at
  while (isSpace(bytes[place])) place--
  if (!isDigit(bytes[place])) return undefined
  while (isDigit(bytes[place])) place--
  if (!isSpace(bytes[place])) return undefined
  while (isSpace(bytes[place])) place--
  let number = 0
  for (let factor = 1; isDigit(bytes[place]) && factor < 1e12; factor *= 10) number += ((bytes[place--] ?? 0) - 0x30) * factor
  return number
}

function scan(bytes: Uint8Array, from: number, into: Set<number>): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const end of ENDS) {
    for (let at = view.indexOf(end, 0, 'latin1'); at !== -1; at = view.indexOf(end, at + 1, 'latin1')) {
      const number = numberBefore(bytes, at)
      if (number !== undefined && number >= from && number < from + REACH) into.add(number)
    }
  }
}

/** The data of an object stream; nothing when it cannot be read, for then it leads nowhere. */
function objectStreamData({ bytes, crossReference, resolve }: PdfFile, number: number): Uint8Array {
  const entry = crossReference.entries.get(number)
  if (entry?.kind !== 'offset') return new Uint8Array()
  try {
    const { value, cursor } = readIndirect(bytes, entry.offset, number, entry.generation)
    if (value.kind !== 'dictionary') return new Uint8Array()
    const length = resolve(value.entries.get('Length')).value
    return decodeStream(readStream(cursor, length.kind === 'number' ? length.value : undefined), value, MAX_STREAM_BYTES)
  } catch (error) {
    if (error instanceof PdfSyntaxError) return new Uint8Array()
    throw error
  }
}

/** Numbers from `from` on, at which nothing stands, that something in the file leads to. */
export function findUnresolvedNumbers(file: PdfFile, from: number): ReadonlySet<number> {
  const dangling = new Set<number>()
  scan(file.bytes, from, dangling)
  const streams = new Set<number>()
  for (const entry of file.crossReference.entries.values()) if (entry.kind === 'compressed') streams.add(entry.stream)
  for (const number of streams) scan(objectStreamData(file, number), from, dangling)
  return dangling
}
