/**
 * Finds references to objects that do not exist (ISO 32000-2 §7.3.10), so that an update does not
 * use their numbers. It searches the text, faster than parsing, and may find too many.
 */
import type { PdfFile } from '../parser/file.ts'
import { decodeStream, readStream } from '../parser/stream.ts'
import { PdfSyntaxError, readIndirect } from '../parser/syntax.ts'

/** White space and the R of a reference (§7.3.10). */
const REFERENCE_ENDS = [' R', '\nR', '\rR']
/** No update adds as many objects. */
const MAX_ADDED_OBJECTS = 1_000_000
const MAX_STREAM_BYTES = 128 * 1024 * 1024

const isDigit = (octet = 0): boolean => octet >= 0x30 && octet <= 0x39
const isSpace = (octet = 0): boolean => octet === 0x20 || (octet >= 0x09 && octet <= 0x0d)

/** The object number of the reference whose R follows `at`. Undefined if it is not a reference. */
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

function collectReferences(bytes: Uint8Array, from: number, into: Set<number>): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const end of REFERENCE_ENDS) {
    for (let at = view.indexOf(end, 0, 'latin1'); at !== -1; at = view.indexOf(end, at + 1, 'latin1')) {
      const number = numberBefore(bytes, at)
      if (number !== undefined && number >= from && number < from + MAX_ADDED_OBJECTS) into.add(number)
    }
  }
}

/** Empty if it is unreadable, because then no reader follows its references. */
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

/** Returns object numbers from `from` on that the file refers to. */
export function findUnresolvedNumbers(file: PdfFile, from: number): ReadonlySet<number> {
  const unresolved = new Set<number>()
  collectReferences(file.bytes, from, unresolved)
  const streams = new Set<number>()
  for (const entry of file.crossReference.entries.values()) if (entry.kind === 'compressed') streams.add(entry.stream)
  for (const number of streams) collectReferences(objectStreamData(file, number), from, unresolved)
  return unresolved
}
