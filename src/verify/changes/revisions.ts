/**
 * What stands behind a signed revision, update by update: every byte of it is an object, a cross-reference section or the end of a revision, and
 * every object stands where its cross-reference says. ISO 32000-2 §7.5.4 to §7.5.8. Knows the layout, not what the objects mean.
 */
import type { PdfFile } from '../../pdf/parser/file.ts'
import { PdfLimitError } from '../../pdf/parser/limits.ts'
import { readStreamAt } from '../../pdf/parser/stream.ts'
import { type Cursor, PdfSyntaxError, readValue, skipSpace, takeInteger, takeKeyword } from '../../pdf/parser/syntax.ts'

/** One incremental update as it stands in the bytes. */
export interface ScannedUpdate {
  /** Past its `%%EOF`; a line's end may follow. */
  end: number
  /** Offset of its cross-reference section, as its startxref names it. */
  section: number
  /** Where each object stands, by number. */
  objects: ReadonlyMap<number, { offset: number; generation: number }>
  /** Comments stand between its objects, which no reader shows. */
  hasComments: boolean
}

/** A revision with what its update brought. */
export interface Revision {
  file: PdfFile
  update: ScannedUpdate
}

const MAX_UPDATES = 1_000
const END_MARK = '%%EOF'

const isLineEnd = (bytes: Uint8Array): boolean => ['', '\n', '\r', '\r\n'].includes(Buffer.from(bytes).toString('latin1'))

/** True when a revision's `%%EOF` ends at `end`, or a line's end before it. */
export function endsRevision(bytes: Uint8Array, end: number): boolean {
  const tail = Buffer.from(bytes.subarray(Math.max(0, end - END_MARK.length - 2), end)).toString('latin1')
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
    // Its length stands in another object; it has to end where the next object could begin.
    const at = Buffer.from(cursor.bytes.buffer, cursor.bytes.byteOffset, cursor.bytes.byteLength).indexOf('endstream', cursor.at)
    if (at === -1) throw new PdfSyntaxError('a stream has no end')
    cursor.at = at
  }
  if (!takeKeyword(cursor, 'endstream')) throw new PdfSyntaxError('a stream does not end where its /Length says')
}

function skipTable(cursor: Cursor): void {
  while (!takeKeyword(cursor, 'trailer')) {
    const [first, second] = [takeInteger(cursor), takeInteger(cursor)]
    const isEntry = takeKeyword(cursor, 'n') || takeKeyword(cursor, 'f')
    if (first === undefined || second === undefined) throw new PdfSyntaxError('the cross-reference table is damaged')
    if (isEntry && cursor.at >= cursor.bytes.length) throw new PdfSyntaxError('the cross-reference table is damaged')
  }
  readValue(cursor)
}

/** Past white space; true when there was a comment, too. */
function skipBetween(cursor: Cursor): boolean {
  const from = cursor.at
  skipSpace(cursor)
  return cursor.bytes.subarray(from, cursor.at).includes(0x25)
}

function takeEnd(cursor: Cursor): number {
  const section = takeInteger(cursor)
  if (section === undefined) throw new PdfSyntaxError('startxref leads nowhere')
  while ([0x20, 0x0d, 0x0a].includes(cursor.bytes[cursor.at] ?? 0)) cursor.at++
  const mark = Buffer.from(cursor.bytes.subarray(cursor.at, cursor.at + END_MARK.length)).toString('latin1')
  if (mark !== END_MARK) throw new PdfSyntaxError('a revision does not end with %%EOF')
  cursor.at += END_MARK.length
  return section
}

function scanUpdate(bytes: Uint8Array, from: number): ScannedUpdate {
  const cursor: Cursor = { bytes, at: from }
  const objects = new Map<number, { offset: number; generation: number }>()
  let hasComments = false
  for (;;) {
    if (skipBetween(cursor)) hasComments = true
    if (cursor.at >= bytes.length) throw new PdfSyntaxError('something stands there that is no revision')
    if (takeKeyword(cursor, 'xref')) skipTable(cursor)
    if (takeKeyword(cursor, 'startxref')) return { section: takeEnd(cursor), end: cursor.at, objects, hasComments }
    skipSpace(cursor)
    const offset = cursor.at
    const [number, generation] = [takeInteger(cursor), takeInteger(cursor)]
    if (number === undefined || generation === undefined || !takeKeyword(cursor, 'obj'))
      throw new PdfSyntaxError('something stands there that is no object')
    skipStream(cursor, readValue(cursor))
    if (!takeKeyword(cursor, 'endobj')) throw new PdfSyntaxError(`object ${number} has no end`)
    if (objects.has(number)) throw new PdfSyntaxError(`object ${number} stands there twice`)
    objects.set(number, { offset, generation })
  }
}

/** Where an object begins: white space may stand before it. */
function startOf({ bytes }: PdfFile, offset: number): number {
  const cursor: Cursor = { bytes, at: offset }
  skipSpace(cursor)
  return cursor.at
}

/** What speaks against an update's layout; sentences without their end. */
function layoutFault(before: PdfFile, { file, update }: Revision): string | undefined {
  const { newestSection, trailer, entries } = file.crossReference
  if (newestSection.offset < before.bytes.length) return 'its startxref leads back into what was signed'
  const previous = trailer.entries.get('Prev')
  if (previous?.kind !== 'number' || previous.value !== before.crossReference.newestSection.offset)
    return 'its cross-reference does not continue the one before (/Prev)'
  for (const [number, { offset, generation }] of update.objects) {
    const entry = entries.get(number)
    const isCrossReference = offset === newestSection.offset
    const leads = entry?.kind === 'offset' && entry.generation === generation && startOf(file, entry.offset) === offset
    if (!leads && !isCrossReference) return `object ${number} stands in it, but the cross-reference does not lead there`
  }
  return undefined
}

/** A signed revision, the updates behind it, and why what follows the last of them is no update. */
export interface RevisionChain {
  signed: PdfFile
  later: readonly Revision[]
  fault: string | undefined
  /** Why what follows was not looked at to its end; a sentence. It says nothing about the file. */
  limit: string | undefined
  /** White space stands behind the last update, more than the end of a line. */
  hasBlankTail: boolean
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every(octet => octet === 0x20 || octet === 0x0d || octet === 0x0a)

/**
 * All updates of `file` behind `end`, each with the file as it was then. Opening them one by one is the only way to see what each changed; a revision
 * shares the cross-reference of those below it. @throws PdfSyntaxError when the bytes before `end` cannot be read by themselves
 */
export function readRevisions(file: PdfFile, end: number): RevisionChain {
  const { bytes } = file
  const signed = file.revisionAt(end)
  const later: Revision[] = []
  let before = signed
  try {
    for (let at = end; at === end || !isBlank(bytes.subarray(at)); ) {
      if (later.length >= MAX_UPDATES)
        throw new PdfLimitError(`More than ${MAX_UPDATES} revisions follow the signature, which is more than are checked.`)
      const update = scanUpdate(bytes, at)
      const revision = { update, file: file.revisionAt(update.end) }
      const fault = layoutFault(before, revision)
      if (fault !== undefined) throw new PdfSyntaxError(fault)
      later.push(revision)
      before = revision.file
      at = update.end
    }
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error
    const isLimit = error instanceof PdfLimitError
    const [fault, limit] = isLimit ? [undefined, error.message] : [error.message, undefined]
    return { signed, later, fault, limit, hasBlankTail: false }
  }
  const tail = bytes.subarray(later.at(-1)?.update.end ?? end)
  return { signed, later, fault: undefined, limit: undefined, hasBlankTail: !isLineEnd(tail) }
}
