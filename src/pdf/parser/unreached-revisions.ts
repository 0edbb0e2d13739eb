/**
 * Ends of revisions (startxref, offset, %%EOF) that no /Prev reaches: a reader that searches the
 * file finds a revision there that the cross-reference leaves out. ISO 32000-2 §7.5.5, §7.5.6,
 * Annex F. What stands inside an object, such as an attached PDF, is no end.
 */
import { readAllOffsets } from './cross-reference.ts'
import type { PdfFile } from './file.ts'
import { readStreamAt } from './stream.ts'
import { type Cursor, PdfSyntaxError, readValue, skipSpace, takeInteger, takeKeyword } from './syntax.ts'

const MARK = 'startxref'
const END = '%%EOF'
const MAX_ENDS = 10_000

/** White space may stand before a section. */
function startOf(bytes: Uint8Array, at: number): number {
  const cursor: Cursor = { bytes, at }
  skipSpace(cursor)
  return cursor.at
}

/**
 * The offset that the startxref at `at` names, and where its %%EOF ends; undefined when it is no
 * end of a revision.
 */
function readEnd(bytes: Uint8Array, at: number): { offset: number; end: number } | undefined {
  const cursor: Cursor = { bytes, at: at + MARK.length }
  const offset = takeInteger(cursor)
  if (offset === undefined) return undefined
  while ([0x20, 0x0d, 0x0a].includes(bytes[cursor.at] ?? 0)) cursor.at++
  const mark = Buffer.from(bytes.subarray(cursor.at, cursor.at + END.length)).toString('latin1')
  return mark === END ? { offset, end: cursor.at + END.length } : undefined
}

/**
 * Past the object at an offset, the data of a stream included; the offset itself when none can be
 * read there.
 */
function endOfObject(file: PdfFile, offset: number): number {
  const cursor: Cursor = { bytes: file.bytes, at: offset }
  if (takeInteger(cursor) === undefined || takeInteger(cursor) === undefined || !takeKeyword(cursor, 'obj')) return offset
  try {
    const value = readValue(cursor)
    if (value.kind !== 'dictionary') return cursor.at
    const length = file.resolve(value.entries.get('Length')).value
    const data = readStreamAt(file.bytes, cursor.at, length.kind === 'number' ? length.value : undefined)
    return data === undefined ? cursor.at : data.byteOffset - file.bytes.byteOffset + data.length
  } catch (error) {
    if (error instanceof PdfSyntaxError) return offset
    throw error
  }
}

/** Tells whether a place lies inside an object of the file, for places that ascend. */
function newInside(file: PdfFile): (at: number) => boolean {
  const offsets = Float64Array.from(readAllOffsets(file.bytes, file.crossReference)).sort()
  let next = 0
  // Places are asked for from the first to the last; one object may hold all of them.
  let known = { offset: -1, end: -1 }
  return at => {
    while (next < offsets.length && (offsets[next] ?? 0) <= at) next++
    const offset = offsets[next - 1]
    if (offset === undefined) return false
    if (offset !== known.offset) known = { offset, end: endOfObject(file, offset) }
    return known.end > at
  }
}

/**
 * Where revisions end that the cross-reference does not lead to, past their %%EOF. @throws
 * PdfSyntaxError
 */
export function findUnreachedRevisions(file: PdfFile): number[] {
  const { bytes, crossReference } = file
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const reached = new Set(crossReference.sections.map(offset => startOf(bytes, offset)))
  const unreached: number[] = []
  let inside: ((at: number) => boolean) | undefined
  let isFirst = true
  for (let at = view.indexOf(MARK), count = 0; at !== -1; at = view.indexOf(MARK, at + 1)) {
    const found = readEnd(bytes, at)
    if (found === undefined) continue
    if (++count > MAX_ENDS) throw new PdfSyntaxError(`the file has more than ${MAX_ENDS} ends of revisions`)
    // The first part of a linearised file names offset 0, for its own end is the file's.
    const isFirstPart = isFirst && found.offset === 0 && crossReference.isLinearised
    isFirst = false
    if (isFirstPart || reached.has(startOf(bytes, found.offset))) continue
    inside ??= newInside(file)
    if (!inside(at)) unreached.push(found.end)
  }
  return unreached
}
