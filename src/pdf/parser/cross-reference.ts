/**
 * The cross-reference of a PDF: where each object stands, newest revision first. ISO 32000-2 §7.5.4 to §7.5.8.
 * Follows startxref and /Prev only; a file whose cross-reference would have to be rebuilt by scanning is not read.
 */
import { decodeStream, streamData } from './stream.ts'
import {
  type Cursor,
  type PdfDictionary,
  PdfSyntaxError,
  readIndirect,
  readValue,
  skipSpace,
  takeInteger,
  takeKeyword,
} from './syntax.ts'

export type XrefEntry =
  | { kind: 'free' }
  | { kind: 'offset'; offset: number; generation: number }
  | { kind: 'compressed'; stream: number }

export interface CrossReference {
  entries: ReadonlyMap<number, XrefEntry>
  /** The newest trailer. */
  trailer: PdfDictionary
  /** Numbers of the objects that the newest section gives a place in the file. */
  newestInUse: readonly number[]
  /** Numbers of all objects that the newest section names, those it frees and those in object streams included. */
  newestListed: readonly number[]
  /** Numbers that the table of a newest section that is hybrid frees, and the stream beside it gives a place (§7.5.8.4). */
  newestHidden: readonly number[]
  /** Offsets of all sections, the newest first, and of the streams that hybrid ones have beside them. */
  sections: readonly number[]
  /** Revisions of the file; the two sections of a linearised file count as one. */
  revisions: number
  /** A section leads forward to one behind it, as the first of a linearised file does (Annex F). */
  isLinearised: boolean
  /** Offset and style of the newest section, which an update has to continue (§7.5.6, §7.5.8.4). */
  newestSection: { offset: number; style: 'table' | 'stream' }
  /** What makes the file mean two things to two readers, as sentences. */
  errors: readonly string[]
}

interface Section {
  offset: number
  /** Numbers that the table frees, and the stream of a hybrid section gives a place. */
  hidden: number[]
  style: 'table' | 'stream'
  entries: Map<number, XrefEntry>
  trailer: PdfDictionary
  /** A number that the section gives two places; the first one counts. */
  doubled: number | undefined
}

/** The entries of one section while they are read. */
interface Listing {
  entries: Map<number, XrefEntry>
  doubled: number | undefined
}

const same = (a: XrefEntry, b: XrefEntry): boolean => JSON.stringify(a) === JSON.stringify(b)

function enter(listing: Listing, number: number, entry: XrefEntry): void {
  const known = listing.entries.get(number)
  if (known === undefined) listing.entries.set(number, entry)
  else if (!same(known, entry)) listing.doubled ??= number
}

const MAX_SECTIONS = 2_000
const MAX_OBJECTS = 1_000_000
const MAX_XREF_BYTES = 32 * 1024 * 1024
/** Width of one field in a cross-reference stream. The standard names no bound; 8 bytes occur, mostly zeros. */
const MAX_FIELD_BYTES = 8

function integer(dictionary: PdfDictionary, key: string): number | undefined {
  const value = dictionary.entries.get(key)
  return value?.kind === 'number' && value.integer && value.value >= 0 ? value.value : undefined
}

function readSubsection(cursor: Cursor, listing: Listing, start: number, count: number): void {
  let shift = 0
  for (let i = 0; i < count; i++) {
    const [offset, generation] = [takeInteger(cursor), takeInteger(cursor)]
    if (offset === undefined || generation === undefined) throw new PdfSyntaxError('the cross-reference table is damaged')
    const inUse = takeKeyword(cursor, 'n')
    if (!inUse && !takeKeyword(cursor, 'f')) throw new PdfSyntaxError('the cross-reference table is damaged')
    // Some writers number the head of the free list 1 (it is object 0, §7.5.4); every reader sets them right.
    if (i === 0 && start === 1 && !inUse && offset === 0 && generation === 65535) shift = 1
    enter(listing, start + i - shift, inUse && offset > 0 ? { kind: 'offset', offset, generation } : { kind: 'free' })
  }
}

function readTable(cursor: Cursor, offset: number): Section {
  const listing: Listing = { entries: new Map(), doubled: undefined }
  while (!takeKeyword(cursor, 'trailer')) {
    const [start, count] = [takeInteger(cursor), takeInteger(cursor)]
    if (start === undefined || count === undefined) throw new PdfSyntaxError('the cross-reference table is damaged')
    if (listing.entries.size + count > MAX_OBJECTS) throw new PdfSyntaxError('the file has too many objects')
    readSubsection(cursor, listing, start, count)
  }
  const trailer = readValue(cursor)
  if (trailer.kind !== 'dictionary') throw new PdfSyntaxError('the trailer is missing')
  return { offset, style: 'table', ...listing, trailer, hidden: [] }
}

/** One row, most significant byte first (§7.5.8.3). @throws PdfSyntaxError when a field is no safe integer */
function readFields(data: Uint8Array, at: number, widths: readonly number[]): number[] {
  let next = at
  return widths.map(width => {
    let value = 0
    for (let i = 0; i < width; i++) value = value * 256 + (data[next++] ?? 0)
    if (!Number.isSafeInteger(value)) throw new PdfSyntaxError('a cross-reference stream holds a number beyond every file')
    return value
  })
}

function resolveEntry(type: number, second: number, third: number): XrefEntry {
  if (type === 1) return { kind: 'offset', offset: second, generation: third }
  if (type === 2) return { kind: 'compressed', stream: second }
  // §7.5.8.3: an unknown type is a reference to the null object.
  return { kind: 'free' }
}

function integersOf(dictionary: PdfDictionary, key: string): number[] | undefined {
  const value = dictionary.entries.get(key)
  if (value?.kind !== 'array') return undefined
  return value.items.map(item => (item.kind === 'number' && item.integer && item.value >= 0 ? item.value : Number.NaN))
}

function readStreamSection(bytes: Uint8Array, offset: number): Section {
  const head: Cursor = { bytes, at: offset }
  const [number, generation] = [takeInteger(head), takeInteger(head)]
  if (number === undefined || generation === undefined)
    throw new PdfSyntaxError('there is no cross-reference where one must stand')
  const { value: trailer, cursor } = readIndirect(bytes, offset, number, generation)
  const type = trailer.kind === 'dictionary' ? trailer.entries.get('Type') : undefined
  if (trailer.kind !== 'dictionary' || type?.kind !== 'name' || type.value !== 'XRef') {
    throw new PdfSyntaxError('there is no cross-reference where one must stand')
  }
  const data = decodeStream(streamData(cursor, integer(trailer, 'Length')), trailer, MAX_XREF_BYTES)
  const widths = integersOf(trailer, 'W')
  if (widths?.length !== 3 || widths.some(width => !(width <= MAX_FIELD_BYTES)))
    throw new PdfSyntaxError('a cross-reference stream has no valid /W')
  const index = integersOf(trailer, 'Index') ?? [0, integer(trailer, 'Size') ?? 0]
  const size = widths.reduce((sum, width) => sum + width, 0)
  const listing: Listing = { entries: new Map(), doubled: undefined }
  let at = 0
  for (let i = 0; i + 1 < index.length; i += 2) {
    const [start, count] = [index[i] ?? Number.NaN, index[i + 1] ?? Number.NaN]
    if (!(count <= MAX_OBJECTS) || !(start <= Number.MAX_SAFE_INTEGER) || size === 0 || at + count * size > data.length) {
      throw new PdfSyntaxError('a cross-reference stream is shorter than it says')
    }
    for (let n = 0; n < count; n++, at += size) {
      const [type = 0, second = 0, third = 0] = readFields(data, at, widths)
      enter(listing, start + n, resolveEntry(widths[0] === 0 ? 1 : type, second, third))
    }
  }
  return { offset, style: 'stream', ...listing, trailer, hidden: [] }
}

/**
 * §7.5.8.4: objects hidden from older readers stand in the stream and are free in the table. An object that is in use in both, at two places,
 * is one thing to one reader and another to the next.
 */
function mergeHybrid(section: Section, hidden: Section): boolean {
  let honest = true
  for (const [number, entry] of hidden.entries) {
    const shown = section.entries.get(number)
    if (shown?.kind === 'free' && entry.kind !== 'free') section.hidden.push(number)
    if (shown === undefined || shown.kind === 'free') section.entries.set(number, entry)
    else if (entry.kind !== 'free' && !same(shown, entry)) honest = false
  }
  return honest
}

function readSection(bytes: Uint8Array, offset: number, errors: Set<string>): Section {
  const cursor: Cursor = { bytes, at: offset }
  skipSpace(cursor)
  if (!takeKeyword(cursor, 'xref')) return readStreamSection(bytes, cursor.at)
  const section = readTable(cursor, offset)
  const hidden = integer(section.trailer, 'XRefStm')
  if (hidden === undefined && section.trailer.entries.has('XRefStm'))
    throw new PdfSyntaxError('/XRefStm leads to no cross-reference')
  if (hidden !== undefined && !mergeHybrid(section, readStreamSection(bytes, hidden))) {
    errors.add('The hybrid cross-reference (ISO 32000-2 §7.5.8.4) shows different objects to different readers.')
  }
  return section
}

/** The offset that the last startxref of the file names. @throws PdfSyntaxError */
function lastStartxref(bytes: Uint8Array): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).lastIndexOf('startxref')
  const offset = at === -1 ? undefined : takeInteger({ bytes, at: at + 'startxref'.length })
  if (offset === undefined || offset >= bytes.length) throw new PdfSyntaxError('the file has no startxref that leads anywhere')
  return offset
}

/** Where objects stand in the file, by all its sections, those that a later one replaced included. @throws PdfSyntaxError */
export function readAllOffsets(bytes: Uint8Array, { sections }: CrossReference): Set<number> {
  const offsets = new Set(sections)
  for (const section of sections) {
    for (const entry of readSection(bytes, section, new Set()).entries.values())
      if (entry.kind === 'offset') offsets.add(entry.offset)
  }
  return offsets
}

/** The offset of the section below, if there is one. What leads nowhere is a fault: readers then rebuild the file, each in its own way. */
function previousOf({ trailer }: Section, size: number, errors: Set<string>): number | undefined {
  if (!trailer.entries.has('Prev')) return undefined
  const previous = integer(trailer, 'Prev')
  if (previous === undefined || previous === 0) {
    const value = previous === 0 ? '/Prev 0' : 'a /Prev that is no offset'
    errors.add(
      `A trailer has ${value}, where no cross-reference stands: readers that search the file show objects that this reading leaves out.`,
    )
    return undefined
  }
  if (previous >= size) throw new PdfSyntaxError('/Prev leads beyond the end of the file')
  return previous
}

function noteFaults({ trailer, doubled }: Section, errors: Set<string>): void {
  if (trailer.duplicateKeys.length > 0) errors.add('A trailer has one key twice.')
  if (doubled !== undefined)
    errors.add(`The cross-reference gives object ${doubled} two places: readers differ on which they show.`)
}

/** The entries of the sections, newest first, over those of the revision below them. */
function merge(sections: readonly Section[], below: CrossReference | undefined): Map<number, XrefEntry> {
  const entries = new Map(below?.entries)
  for (const section of sections.toReversed()) {
    for (const [number, entry] of section.entries) entries.set(number, entry)
    if (entries.size > MAX_OBJECTS) throw new PdfSyntaxError('the file has too many objects')
  }
  return entries
}

/**
 * Reads all sections from the newest to the oldest, or to one at which `known` has the cross-reference of an earlier revision of the same bytes.
 * @throws PdfSyntaxError
 */
export function readCrossReference(
  bytes: Uint8Array,
  known: (offset: number) => CrossReference | undefined = () => undefined,
): CrossReference {
  const errors = new Set<string>()
  const sections: Section[] = []
  const seen = new Set<number>()
  let below: CrossReference | undefined
  let linearised = 0
  for (let offset: number | undefined = lastStartxref(bytes); offset !== undefined; ) {
    below = known(offset)
    if (below !== undefined) break
    if (seen.has(offset)) throw new PdfSyntaxError('the cross-reference leads in a circle')
    seen.add(offset)
    if (seen.size > MAX_SECTIONS) throw new PdfSyntaxError(`the file has more than ${MAX_SECTIONS} revisions`)
    const section = readSection(bytes, offset, errors)
    sections.push(section)
    noteFaults(section, errors)
    const previous = previousOf(section, bytes.length, errors)
    if (previous !== undefined && previous > offset) linearised++
    offset = previous
  }
  const newest = sections[0]
  if (newest === undefined) {
    if (below === undefined) throw new PdfSyntaxError('the file has no cross-reference')
    return below
  }
  const hidden = sections.flatMap(({ trailer }) => integer(trailer, 'XRefStm') ?? [])
  const all = [...seen, ...hidden, ...(below?.sections ?? [])]
  if (all.length > 2 * MAX_SECTIONS) throw new PdfSyntaxError(`the file has more than ${MAX_SECTIONS} revisions`)
  return {
    entries: merge(sections, below),
    trailer: newest.trailer,
    newestInUse: [...newest.entries].filter(([, entry]) => entry.kind === 'offset').map(([number]) => number),
    newestListed: [...newest.entries.keys()],
    newestHidden: newest.hidden,
    sections: all,
    newestSection: { offset: newest.offset, style: newest.style },
    revisions: seen.size - linearised + (below?.revisions ?? 0),
    isLinearised: linearised > 0 || below?.isLinearised === true,
    errors: [...errors, ...(below?.errors ?? [])],
  }
}
