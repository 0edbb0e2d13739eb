/** Reads the layout of the updates after a signed revision. ISO 32000-2 §7.5.4 to §7.5.8. */

import { toLatin1 } from '../../lib/bytes.ts'
import { indexOfBytes } from '../../lib/primitives.ts'
import { type Remark, remark } from '../../locales/remarks.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import { PdfLimitError } from '../../pdf/parser/limits.ts'
import { readStreamAt } from '../../pdf/parser/stream.ts'
import { type Cursor, PdfSyntaxError, readValue, skipSpace, takeInteger, takeKeyword } from '../../pdf/parser/syntax.ts'

/** The layout of one incremental update. */
export interface UpdateLayout {
  /** The offset after its `%%EOF`; a line end may follow. */
  end: number
  /** The place of each object, by number. */
  objects: ReadonlyMap<number, { offset: number; generation: number }>
  /** There are comments between its objects. */
  hasComments: boolean
}

/** A revision and the layout of the update that made it. */
export interface Revision {
  file: PdfFile
  layout: UpdateLayout
}

const MAX_UPDATES = 1_000
const END_MARK = '%%EOF'

const isLineEnd = (bytes: Uint8Array): boolean => ['', '\n', '\r', '\r\n'].includes(toLatin1(bytes))

/** True if a revision ends at `end`: with `%%EOF`, or with a line end after it. */
export function endsRevision(bytes: Uint8Array, end: number): boolean {
  const tail = toLatin1(bytes, Math.max(0, end - END_MARK.length - 2), end)
  return /%%EOF(\r\n|\r|\n)?$/.test(tail)
}

function skipStream(cursor: Cursor, value: ReturnType<typeof readValue>): void {
  if (value.kind !== 'dictionary' || !takeKeyword({ bytes: cursor.bytes, at: cursor.at }, 'stream')) return
  const length = value.entries.get('Length')
  const direct = length?.kind === 'number' ? length.value : undefined
  if (direct !== undefined) {
    const raw = readStreamAt(cursor.bytes, cursor.at, direct)
    if (raw !== undefined) cursor.at = raw.byteOffset - cursor.bytes.byteOffset + raw.length
  } else {
    // Its /Length is another object. The stream must end where the next object can begin.
    const at = indexOfBytes(cursor.bytes, 'endstream', cursor.at)
    if (at === -1) throw new PdfSyntaxError(remark('stream_endless'))
    cursor.at = at
  }
  if (!takeKeyword(cursor, 'endstream')) throw new PdfSyntaxError(remark('stream_of_other_length'))
}

function skipTable(cursor: Cursor): void {
  while (!takeKeyword(cursor, 'trailer')) {
    const [first, second] = [takeInteger(cursor), takeInteger(cursor)]
    const isEntry = takeKeyword(cursor, 'n') || takeKeyword(cursor, 'f')
    if (first === undefined || second === undefined) throw new PdfSyntaxError(remark('cross_reference_damaged'))
    if (isEntry && cursor.at >= cursor.bytes.length) throw new PdfSyntaxError(remark('cross_reference_damaged'))
  }
  readValue(cursor)
}

/** Skips white space and comments. True if there was a comment. */
function skipBetween(cursor: Cursor): boolean {
  const from = cursor.at
  skipSpace(cursor)
  return cursor.bytes.subarray(from, cursor.at).includes(0x25)
}

function takeEnd(cursor: Cursor): void {
  if (takeInteger(cursor) === undefined) throw new PdfSyntaxError(remark('startxref_without_offset'))
  while ([0x20, 0x0d, 0x0a].includes(cursor.bytes[cursor.at] ?? 0)) cursor.at++
  const mark = toLatin1(cursor.bytes, cursor.at, cursor.at + END_MARK.length)
  if (mark !== END_MARK) throw new PdfSyntaxError(remark('revision_without_mark'))
  cursor.at += END_MARK.length
}

function takeObject(cursor: Cursor): { number: number; offset: number; generation: number } {
  skipSpace(cursor)
  const offset = cursor.at
  const [number, generation] = [takeInteger(cursor), takeInteger(cursor)]
  if (number === undefined || generation === undefined || !takeKeyword(cursor, 'obj'))
    throw new PdfSyntaxError(remark('not_an_object'))
  skipStream(cursor, readValue(cursor))
  if (!takeKeyword(cursor, 'endobj')) throw new PdfSyntaxError(remark('object_endless', { number }))
  return { number, offset, generation }
}

/** Every byte must belong to an object, a cross-reference section or the end of the revision. */
function readLayout(bytes: Uint8Array, from: number): UpdateLayout {
  const cursor: Cursor = { bytes, at: from }
  const objects = new Map<number, { offset: number; generation: number }>()
  let hasComments = false
  for (;;) {
    if (skipBetween(cursor)) hasComments = true
    if (cursor.at >= bytes.length) throw new PdfSyntaxError(remark('not_a_revision'))
    if (takeKeyword(cursor, 'xref')) skipTable(cursor)
    if (takeKeyword(cursor, 'startxref')) {
      takeEnd(cursor)
      return { end: cursor.at, objects, hasComments }
    }
    const { number, offset, generation } = takeObject(cursor)
    if (objects.has(number)) throw new PdfSyntaxError(remark('object_twice', { number }))
    objects.set(number, { offset, generation })
  }
}

/** The first byte of an object: white space may precede it. */
function startOf({ bytes }: PdfFile, offset: number): number {
  const cursor: Cursor = { bytes, at: offset }
  skipSpace(cursor)
  return cursor.at
}

/** A clause, undefined if the layout is valid. */
function findLayoutError(before: PdfFile, { file, layout }: Revision): Remark | undefined {
  const { newestSection, trailer, entries } = file.crossReference
  if (newestSection.offset < before.bytes.length) return remark('startxref_in_signed')
  const previous = trailer.entries.get('Prev')
  if (previous?.kind !== 'number' || previous.value !== before.crossReference.newestSection.offset)
    return remark('prev_elsewhere')
  for (const [number, { offset, generation }] of layout.objects) {
    const entry = entries.get(number)
    const isCrossReference = offset === newestSection.offset
    const isReferenced = entry?.kind === 'offset' && entry.generation === generation && startOf(file, entry.offset) === offset
    if (!isReferenced && !isCrossReference) return remark('object_unreferenced', { number })
  }
  return undefined
}

/** A signed revision and the updates after it. */
export interface RevisionChain {
  signed: PdfFile
  later: readonly Revision[]
  /** Why the bytes after the last of them are not an update; a clause. */
  error: Remark | undefined
  /** The bound that ended the check early; a sentence. Not a problem of the file. */
  limit: Remark | undefined
  /** More white space than one line end follows the last update. */
  hasBlankTail: boolean
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every(octet => octet === 0x20 || octet === 0x0d || octet === 0x0a)

/** @throws PdfSyntaxError if the bytes before `end` are not a readable PDF */
export function readRevisions(file: PdfFile, end: number): RevisionChain {
  const { bytes } = file
  const signed = file.revisionAt(end)
  const later: Revision[] = []
  let before = signed
  try {
    for (let at = end; at === end || !isBlank(bytes.subarray(at)); ) {
      if (later.length >= MAX_UPDATES) throw new PdfLimitError(remark('more_updates_than', { max: MAX_UPDATES }))
      const layout = readLayout(bytes, at)
      const revision = { layout, file: file.revisionAt(layout.end) }
      const error = findLayoutError(before, revision)
      if (error !== undefined) throw new PdfSyntaxError(error)
      later.push(revision)
      before = revision.file
      at = layout.end
    }
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error
    const reason = error instanceof PdfLimitError ? 'limit' : 'error'
    return { signed, later, error: undefined, limit: undefined, [reason]: error.remark, hasBlankTail: false }
  }
  const tail = bytes.subarray(later.at(-1)?.layout.end ?? end)
  return { signed, later, error: undefined, limit: undefined, hasBlankTail: !isLineEnd(tail) }
}
