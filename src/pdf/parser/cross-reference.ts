/**
 * Reads the cross-reference of a PDF: the location of each object, newest revision first. ISO
 * 32000-2 §7.5.4 to §7.5.8. It follows startxref and /Prev only and never scans the file for
 * objects.
 */

import { lastIndexOfBytes } from '../../lib/primitives.ts'
import { distinctRemarks, type Remark, remark } from '../../locales/remarks.ts'
import { decodeStream, readStream } from './stream.ts'
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
  /** Numbers of the objects to which the newest section assigns an offset. */
  newestInUse: readonly number[]
  /** Numbers of all objects in the newest section, also free ones and those in object streams. */
  newestListed: readonly number[]
  /** Objects free in the table and in use in the stream of a hybrid newest section (§7.5.8.4). */
  newestHidden: readonly number[]
  /** Offsets of all sections, the newest first, then of the streams of hybrid sections. */
  sections: readonly number[]
  /** Number of revisions. The two sections of a linearised file count as one. */
  revisions: number
  /** A /Prev points forward in the file, as in the first section of a linearised file (Annex F). */
  isLinearised: boolean
  /** Offset and style of the newest section, which an update has to continue (§7.5.6, §7.5.8.4). */
  newestSection: { offset: number; style: 'table' | 'stream' }
  /** Sentences: ambiguities because of which two readers may show different objects. */
  errors: readonly Remark[]
}

interface SectionEntries {
  entries: Map<number, XrefEntry>
  /** The first number that has two different entries. The first entry counts. */
  duplicate: number | undefined
}

interface Section extends SectionEntries {
  offset: number
  style: 'table' | 'stream'
  trailer: PdfDictionary
  hidden: number[]
}

const MAX_SECTIONS = 2_000
const MAX_OBJECTS = 1_000_000
const MAX_XREF_BYTES = 32 * 1024 * 1024
/** The standard has no limit. 8 bytes occur, mostly zeros. */
const MAX_FIELD_BYTES = 8

const isSame = (a: XrefEntry, b: XrefEntry): boolean => JSON.stringify(a) === JSON.stringify(b)

function addEntry(section: SectionEntries, number: number, entry: XrefEntry): void {
  const known = section.entries.get(number)
  if (known === undefined) section.entries.set(number, entry)
  else if (!isSame(known, entry)) section.duplicate ??= number
}

function readInteger(dictionary: PdfDictionary, key: string): number | undefined {
  const value = dictionary.entries.get(key)
  return value?.kind === 'number' && value.integer && value.value >= 0 ? value.value : undefined
}

function readSubsection(cursor: Cursor, section: SectionEntries, start: number, count: number): void {
  let shift = 0
  for (let i = 0; i < count; i++) {
    const [offset, generation] = [takeInteger(cursor), takeInteger(cursor)]
    if (offset === undefined || generation === undefined) throw new PdfSyntaxError(remark('cross_reference_damaged'))
    const inUse = takeKeyword(cursor, 'n')
    if (!inUse && !takeKeyword(cursor, 'f')) throw new PdfSyntaxError(remark('cross_reference_damaged'))
    // Some writers number the first entry of the free list 1 (it is object 0, §7.5.4). Every reader
    // corrects this.
    if (i === 0 && start === 1 && !inUse && offset === 0 && generation === 65535) shift = 1
    addEntry(section, start + i - shift, inUse && offset > 0 ? { kind: 'offset', offset, generation } : { kind: 'free' })
  }
}

function readTable(cursor: Cursor, offset: number): Section {
  const section: SectionEntries = { entries: new Map(), duplicate: undefined }
  while (!takeKeyword(cursor, 'trailer')) {
    const [start, count] = [takeInteger(cursor), takeInteger(cursor)]
    if (start === undefined || count === undefined) throw new PdfSyntaxError(remark('cross_reference_damaged'))
    if (section.entries.size + count > MAX_OBJECTS) throw new PdfSyntaxError(remark('too_many_objects'))
    readSubsection(cursor, section, start, count)
  }
  const trailer = readValue(cursor)
  if (trailer.kind !== 'dictionary') throw new PdfSyntaxError(remark('trailer_missing'))
  return { offset, style: 'table', ...section, trailer, hidden: [] }
}

/** Reads a field of a cross-reference stream, most significant byte first (§7.5.8.3). */
function readField(data: Uint8Array, at: number, width: number): number {
  let value = 0
  for (let i = 0; i < width; i++) value = value * 256 + (data[at + i] ?? 0)
  if (!Number.isSafeInteger(value)) throw new PdfSyntaxError(remark('xref_number_too_large'))
  return value
}

function toEntry(type: number, second: number, third: number): XrefEntry {
  if (type === 1) return { kind: 'offset', offset: second, generation: third }
  if (type === 2) return { kind: 'compressed', stream: second }
  // §7.5.8.3: an unknown type is a reference to the null object.
  return { kind: 'free' }
}

function readIntegers(dictionary: PdfDictionary, key: string): number[] | undefined {
  const value = dictionary.entries.get(key)
  if (value?.kind !== 'array') return undefined
  return value.items.map(item => (item.kind === 'number' && item.integer && item.value >= 0 ? item.value : Number.NaN))
}

function readXrefObject(bytes: Uint8Array, offset: number): { dictionary: PdfDictionary; cursor: Cursor } {
  const start: Cursor = { bytes, at: offset }
  const [number, generation] = [takeInteger(start), takeInteger(start)]
  if (number !== undefined && generation !== undefined) {
    const { value, cursor } = readIndirect(bytes, offset, number, generation)
    const type = value.kind === 'dictionary' ? value.entries.get('Type') : undefined
    if (value.kind === 'dictionary' && type?.kind === 'name' && type.value === 'XRef') return { dictionary: value, cursor }
  }
  throw new PdfSyntaxError(remark('cross_reference_misplaced'))
}

/** Adds the entries of a cross-reference stream (§7.5.8.2, §7.5.8.3). */
function readRows(data: Uint8Array, dictionary: PdfDictionary, section: SectionEntries): void {
  const widths = readIntegers(dictionary, 'W')
  if (widths?.length !== 3 || widths.some(width => !(width <= MAX_FIELD_BYTES)))
    throw new PdfSyntaxError(remark('xref_widths_invalid'))
  const [w1 = 0, w2 = 0, w3 = 0] = widths
  const size = w1 + w2 + w3
  const index = readIntegers(dictionary, 'Index') ?? [0, readInteger(dictionary, 'Size') ?? 0]
  let at = 0
  for (let i = 0; i + 1 < index.length; i += 2) {
    const [start, count] = [index[i] ?? Number.NaN, index[i + 1] ?? Number.NaN]
    if (!(count <= MAX_OBJECTS) || !(start <= Number.MAX_SAFE_INTEGER) || size === 0 || at + count * size > data.length) {
      throw new PdfSyntaxError(remark('xref_too_short'))
    }
    for (let n = 0; n < count; n++, at += size) {
      const type = readField(data, at, w1)
      const entry = toEntry(w1 === 0 ? 1 : type, readField(data, at + w1, w2), readField(data, at + w1 + w2, w3))
      addEntry(section, start + n, entry)
    }
  }
}

function readStreamSection(bytes: Uint8Array, offset: number): Section {
  const { dictionary, cursor } = readXrefObject(bytes, offset)
  const data = decodeStream(readStream(cursor, readInteger(dictionary, 'Length')), dictionary, MAX_XREF_BYTES)
  const section: SectionEntries = { entries: new Map(), duplicate: undefined }
  readRows(data, dictionary, section)
  return { offset, style: 'stream', ...section, trailer: dictionary, hidden: [] }
}

/** §7.5.8.4. Returns false if an object is in use in both, so that readers show different ones. */
function mergeHybrid(section: Section, stream: Section): boolean {
  let isConsistent = true
  for (const [number, entry] of stream.entries) {
    const known = section.entries.get(number)
    if (known?.kind === 'free' && entry.kind !== 'free') section.hidden.push(number)
    if (known === undefined || known.kind === 'free') section.entries.set(number, entry)
    else if (entry.kind !== 'free' && !isSame(known, entry)) isConsistent = false
  }
  return isConsistent
}

function readSection(bytes: Uint8Array, offset: number, errors: Set<Remark>): Section {
  const cursor: Cursor = { bytes, at: offset }
  skipSpace(cursor)
  if (!takeKeyword(cursor, 'xref')) return readStreamSection(bytes, cursor.at)
  const section = readTable(cursor, offset)
  const stream = readInteger(section.trailer, 'XRefStm')
  if (stream === undefined && section.trailer.entries.has('XRefStm')) throw new PdfSyntaxError(remark('xref_stream_misplaced'))
  if (stream !== undefined && !mergeHybrid(section, readStreamSection(bytes, stream))) {
    errors.add(remark('hybrid_ambiguous'))
  }
  return section
}

/** The offset after the last startxref of the file. @throws PdfSyntaxError */
export function readStartxref(bytes: Uint8Array): number {
  const at = lastIndexOfBytes(bytes, 'startxref')
  const offset = at === -1 ? undefined : takeInteger({ bytes, at: at + 'startxref'.length })
  if (offset === undefined || offset >= bytes.length) throw new PdfSyntaxError(remark('startxref_invalid'))
  return offset
}

/** Includes objects that a later section replaced. @throws PdfSyntaxError */
export function readAllOffsets(bytes: Uint8Array, { sections }: CrossReference): Set<number> {
  const offsets = new Set(sections)
  for (const section of sections) {
    for (const entry of readSection(bytes, section, new Set()).entries.values())
      if (entry.kind === 'offset') offsets.add(entry.offset)
  }
  return offsets
}

/** An invalid /Prev is an error: readers then rebuild the file in different ways. */
function readPrevious({ trailer }: Section, size: number, errors: Set<Remark>): number | undefined {
  if (!trailer.entries.has('Prev')) return undefined
  const previous = readInteger(trailer, 'Prev')
  if (previous === undefined || previous === 0) {
    errors.add(remark('prev_without_section', { isZero: previous === 0 }))
    return undefined
  }
  if (previous >= size) throw new PdfSyntaxError(remark('prev_beyond_end'))
  return previous
}

function collectErrors({ trailer, duplicate }: Section, errors: Set<Remark>): void {
  if (trailer.duplicateKeys.length > 0) errors.add(remark('trailer_key_twice'))
  if (duplicate !== undefined) errors.add(remark('object_at_two_places', { number: duplicate }))
}

function mergeEntries(sections: readonly Section[], before: CrossReference | undefined): Map<number, XrefEntry> {
  const entries = new Map(before?.entries)
  for (const section of sections.toReversed()) {
    for (const [number, entry] of section.entries) entries.set(number, entry)
    if (entries.size > MAX_OBJECTS) throw new PdfSyntaxError(remark('too_many_objects'))
  }
  return entries
}

interface SectionChain {
  sections: Section[]
  /** As startxref and /Prev give them: white space may precede the section itself. */
  offsets: ReadonlySet<number>
  /** The known cross-reference at which reading stopped. */
  before: CrossReference | undefined
  /** Number of /Prev that point forward. */
  forward: number
}

function readChain(
  bytes: Uint8Array,
  findKnown: (offset: number) => CrossReference | undefined,
  errors: Set<Remark>,
): SectionChain {
  const sections: Section[] = []
  const offsets = new Set<number>()
  let forward = 0
  for (let offset: number | undefined = readStartxref(bytes); offset !== undefined; ) {
    const before = findKnown(offset)
    if (before !== undefined) return { sections, offsets, before, forward }
    if (offsets.has(offset)) throw new PdfSyntaxError(remark('cross_reference_loop'))
    offsets.add(offset)
    if (offsets.size > MAX_SECTIONS) throw new PdfSyntaxError(remark('more_revisions_than', { max: MAX_SECTIONS }))
    const section = readSection(bytes, offset, errors)
    sections.push(section)
    collectErrors(section, errors)
    const previous = readPrevious(section, bytes.length, errors)
    if (previous !== undefined && previous > offset) forward++
    offset = previous
  }
  return { sections, offsets, before: undefined, forward }
}

/** `findKnown`: the cross-reference of an earlier revision whose newest section is at an offset. */
export function readCrossReference(
  bytes: Uint8Array,
  findKnown: (offset: number) => CrossReference | undefined = () => undefined,
): CrossReference {
  const errors = new Set<Remark>()
  const { sections, offsets, before, forward } = readChain(bytes, findKnown, errors)
  const newest = sections[0]
  if (newest === undefined) {
    if (before === undefined) throw new PdfSyntaxError(remark('cross_reference_missing'))
    return before
  }
  const hybrid = sections.flatMap(({ trailer }) => readInteger(trailer, 'XRefStm') ?? [])
  const all = [...offsets, ...hybrid, ...(before?.sections ?? [])]
  if (all.length > 2 * MAX_SECTIONS) throw new PdfSyntaxError(remark('more_revisions_than', { max: MAX_SECTIONS }))
  return {
    entries: mergeEntries(sections, before),
    trailer: newest.trailer,
    newestInUse: [...newest.entries].filter(([, entry]) => entry.kind === 'offset').map(([number]) => number),
    newestListed: [...newest.entries.keys()],
    newestHidden: newest.hidden,
    sections: all,
    newestSection: { offset: newest.offset, style: newest.style },
    revisions: sections.length - forward + (before?.revisions ?? 0),
    isLinearised: forward > 0 || before?.isLinearised === true,
    errors: distinctRemarks([...errors, ...(before?.errors ?? [])]),
  }
}
