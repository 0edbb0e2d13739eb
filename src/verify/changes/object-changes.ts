/** Compares the objects of two revisions and their references. ISO 32000-2 §7.3.10, §7.5.6. */

import { equalBytes } from '../../lib/bytes.ts'
import { memoizePerObject } from '../../lib/lru-cache.ts'
import { indexOfBytes } from '../../lib/primitives.ts'
import { remark } from '../../locales/remarks.ts'
import type { XrefEntry } from '../../pdf/parser/cross-reference.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import { decodeStream, readStreamAt } from '../../pdf/parser/stream.ts'
import {
  type Cursor,
  type PdfDictionary,
  PdfSyntaxError,
  type PdfValue,
  readIndirect,
  readValue,
  takeInteger,
  takeKeyword,
} from '../../pdf/parser/syntax.ts'

const MAX_OBJECT_STREAM_BYTES = 256 * 1024 * 1024

const UNREADABLE = Symbol('unreadable')

function attempt<T>(read: () => T): T | typeof UNREADABLE {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfSyntaxError) return UNREADABLE
    throw error
  }
}

/** Entries with the same place mean the same object, because revisions share their bytes. */
export function sameEntry(a: XrefEntry | undefined, b: XrefEntry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b || (a ?? b)?.kind === 'free'
  if (a.kind === 'free' || b.kind === 'free') return a.kind === b.kind
  if (a.kind === 'offset') return b.kind === 'offset' && a.offset === b.offset && a.generation === b.generation
  return b.kind === 'compressed' && a.stream === b.stream
}

/** The object numbers by the number of their object stream. Each update adds to them. */
export type CompressedObjects = Map<number, number[]>

function addCompressed({ entries }: PdfFile['crossReference'], numbers: Iterable<number>, into: CompressedObjects): void {
  for (const number of numbers) {
    const entry = entries.get(number)
    if (entry?.kind !== 'compressed') continue
    const known = into.get(entry.stream)
    if (known === undefined) into.set(entry.stream, [number])
    else known.push(number)
  }
}

/** `after` adds one update: only objects of its newest section or in changed streams can differ. */
export function findChangedNumbers(before: PdfFile, after: PdfFile, compressed: CompressedObjects): Set<number> {
  const [old, now] = [before.crossReference.entries, after.crossReference.entries]
  const { newestListed } = after.crossReference
  const changed = new Set(newestListed.filter(number => !sameEntry(old.get(number), now.get(number))))
  addCompressed(after.crossReference, changed, compressed)
  for (const stream of [...changed]) {
    for (const number of compressed.get(stream) ?? []) {
      const entry = now.get(number)
      if (entry?.kind === 'compressed' && entry.stream === stream) changed.add(number)
    }
  }
  return changed
}

export function findCompressed(file: PdfFile): CompressedObjects {
  const compressed: CompressedObjects = new Map()
  addCompressed(file.crossReference, file.crossReference.entries.keys(), compressed)
  return compressed
}

/** True if two values mean the same. Compares references by number and generation. */
export function sameValue(a: PdfValue | undefined, b: PdfValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  if (a.kind === 'array')
    return b.kind === 'array' && a.items.length === b.items.length && a.items.every((item, i) => sameValue(item, b.items[i]))
  if (a.kind === 'dictionary') return b.kind === 'dictionary' && differingKeys(a, b).length === 0
  if (a.kind === 'string') return b.kind === 'string' && equalBytes(a.value, b.value)
  if (a.kind === 'reference') return b.kind === 'reference' && a.number === b.number && a.generation === b.generation
  if (a.kind === 'null') return b.kind === 'null'
  return a.kind === b.kind && 'value' in b && a.value === b.value
}

/** The keys with different values. A duplicate key of `after` always counts as different. */
export function differingKeys(before: PdfDictionary, after: PdfDictionary): string[] {
  const keys = new Set([...before.entries.keys(), ...after.entries.keys(), ...after.duplicateKeys])
  return [...keys].filter(key => after.duplicateKeys.includes(key) || !sameValue(before.entries.get(key), after.entries.get(key)))
}

/** The text of a name; empty for other values. */
export const nameOf = (value: PdfValue | undefined): string => (value?.kind === 'name' ? value.value : '')

/** Calls `visit` for every reference inside a value. */
export function eachReference(value: PdfValue, visit: (number: number) => void): void {
  if (value.kind === 'reference') visit(value.number)
  else if (value.kind === 'array') for (const item of value.items) eachReference(item, visit)
  else if (value.kind === 'dictionary') for (const item of value.entries.values()) eachReference(item, visit)
}

export function refersTo(value: PdfValue, matches: (number: number) => boolean): boolean {
  let isFound = false
  eachReference(value, number => {
    isFound ||= matches(number)
  })
  return isFound
}

/** Reads the objects of an object stream without following their references. */
function readObjectStream(file: PdfFile, stream: number): Map<number, PdfValue> {
  const entry = file.crossReference.entries.get(stream)
  if (entry?.kind !== 'offset') throw new PdfSyntaxError(remark('object_stream_nested', { number: stream }))
  const { value, cursor } = readIndirect(file.bytes, entry.offset, stream, entry.generation)
  if (value.kind !== 'dictionary') throw new PdfSyntaxError(remark('not_an_object_stream', { number: stream }))
  const integer = (key: string): number => {
    const found = file.resolve(value.entries.get(key)).value
    if (found.kind !== 'number') throw new PdfSyntaxError(remark('object_stream_without', { key }))
    return found.value
  }
  const raw = readStreamAt(file.bytes, cursor.at, integer('Length'))
  if (raw === undefined) throw new PdfSyntaxError(remark('not_an_object_stream', { number: stream }))
  const decrypted = file.decryption?.stream(raw, stream, entry.generation) ?? raw
  const bytes = decodeStream(decrypted, value, MAX_OBJECT_STREAM_BYTES)
  const [count, first, index] = [integer('N'), integer('First'), { bytes, at: 0 } satisfies Cursor]
  const objects = new Map<number, PdfValue>()
  for (let i = 0; i < count; i++) {
    const [number, offset] = [takeInteger(index), takeInteger(index)]
    if (number === undefined || offset === undefined) throw new PdfSyntaxError(remark('object_stream_index_truncated'))
    // The cross-reference chooses one of them by its index, which an update may change.
    if (objects.has(number)) throw new PdfSyntaxError(remark('object_stream_with_twice', { number }))
    objects.set(number, readValue({ bytes, at: first + offset }))
  }
  return objects
}

/** For each PDF, the object streams of the two revisions that are being compared. */
const keptStreams = memoizePerObject<object, { file: PdfFile; streams: Map<number, ReadonlyMap<number, PdfValue>> }[]>(() => [])

/** Reads each stream once: an update may change all its objects. @throws PdfSyntaxError */
function objectsOfStream(file: PdfFile, stream: number): ReadonlyMap<number, PdfValue> {
  const kept = keptStreams(file.sharedKey)
  const known = kept.find(one => one.file === file) ?? { file, streams: new Map() }
  if (!kept.includes(known)) kept.splice(0, kept.length, ...kept.slice(-1), known)
  const objects = known.streams.get(stream) ?? readObjectStream(file, stream)
  known.streams.set(stream, objects)
  return objects
}

/** @throws PdfSyntaxError */
function readLength(file: PdfFile, { entries }: PdfDictionary): number | undefined {
  const { value } = file.resolve(entries.get('Length'))
  return value.kind === 'number' ? value.value : undefined
}

/** `valid`: ends where its /Length says. `damaged`: ends elsewhere. `missing`: never ends. */
function checkStreamEnd(file: PdfFile, value: PdfValue): 'none' | 'valid' | 'damaged' | 'missing' {
  if (value.kind !== 'dictionary' || !takeKeyword({ bytes: file.bytes, at: value.end }, 'stream')) return 'none'
  const length = attempt(() => readLength(file, value))
  const knownLength = length === UNREADABLE ? undefined : length
  if (attempt(() => readStreamAt(file.bytes, value.end, knownLength)) !== UNREADABLE) return 'valid'
  return indexOfBytes(file.bytes, 'endstream', value.end) === -1 ? 'missing' : 'damaged'
}

const isUncompressed = (file: PdfFile, number: number): boolean => file.crossReference.entries.get(number)?.kind === 'offset'

/** True if the object can be read to its end, including the data of a stream. */
export function isReadable(file: PdfFile, number: number): boolean {
  const value = readObject(file, number)
  if (value === undefined || !isUncompressed(file, number)) return value !== undefined
  return ['none', 'valid'].includes(checkStreamEnd(file, value))
}

/** True for a stream that ends where its /Length says. */
export function isStream(file: PdfFile, number: number): boolean {
  const value = readObject(file, number)
  return value !== undefined && isUncompressed(file, number) && checkStreamEnd(file, value) === 'valid'
}

const hasStream = (file: PdfFile, number: number, value: PdfValue): boolean =>
  isUncompressed(file, number) && checkStreamEnd(file, value) !== 'none'

/** True for an existing object without stream data. */
export function hasNoStream(file: PdfFile, number: number): boolean {
  const value = readObject(file, number)
  return value !== undefined && !hasStream(file, number, value)
}

/** The references between the objects of a revision and of the updates after it. */
export interface References {
  /** One or several referrers by target number. The target may be missing. Excludes the /DSS. */
  referrers: Map<number, number | Set<number>>
  /** Objects that cannot be read to their end in this revision. */
  unreadable: Set<number>
  /** Streams that do not end before the end of this revision. */
  unterminated: Set<number>
}

/** The number that represents the trailer among the referrers. */
export const TRAILER = 0

export const emptyReferences = (): References => ({ referrers: new Map(), unreadable: new Set(), unterminated: new Set() })

function addReference({ referrers }: References, to: number, from: number): void {
  const known = referrers.get(to)
  if (known === undefined) referrers.set(to, from)
  else if (typeof known !== 'number') known.add(from)
  else if (known !== from) referrers.set(to, new Set([known, from]))
}

export function referrersOf({ referrers }: References, number: number): readonly number[] {
  const known = referrers.get(number)
  return known === undefined ? [] : typeof known === 'number' ? [known] : [...known]
}

/** Skips the /DSS of the catalog: its structure is checked separately. */
function addReferencesOf(number: number, value: PdfValue, root: number, into: References): void {
  const add = (to: number) => addReference(into, to, number)
  if (number !== root || value.kind !== 'dictionary') eachReference(value, add)
  else for (const [key, item] of value.entries) if (key !== 'DSS') eachReference(item, add)
}

/** Adds the references of all objects of a revision, or of those in `only`. */
export function collectReferences(file: PdfFile, into: References, only?: ReadonlySet<number>): void {
  const { entries, trailer } = file.crossReference
  const rootValue = trailer.entries.get('Root')
  const root = rootValue?.kind === 'reference' ? rootValue.number : TRAILER
  const sections = new Set(file.crossReference.sections)
  eachReference(trailer, to => addReference(into, to, TRAILER))

  function collectUncompressed(number: number, { offset, generation }: { offset: number; generation: number }): void {
    const value = attempt(() => readIndirect(file.bytes, offset, number, generation).value)
    if (value === UNREADABLE) return void into.unreadable.add(number)
    // A cross-reference stream counts as a trailer.
    addReferencesOf(sections.has(offset) ? TRAILER : number, value, root, into)
    const end = checkStreamEnd(file, value)
    if (end === 'damaged') into.unreadable.add(number)
    else if (end === 'missing') into.unterminated.add(number)
  }

  const streams = new Set<number>()
  for (const number of only ?? entries.keys()) {
    const entry = entries.get(number)
    if (entry?.kind === 'compressed') streams.add(entry.stream)
    else if (entry?.kind === 'offset') collectUncompressed(number, entry)
  }
  for (const stream of streams) {
    const objects = attempt(() => objectsOfStream(file, stream))
    if (objects === UNREADABLE) into.unreadable.add(stream)
    else for (const [number, value] of objects) addReferencesOf(number, value, root, into)
  }
}

/** Does not follow references. Undefined if the object is free, missing or unreadable. */
export function readObject(file: PdfFile, number: number): PdfValue | undefined {
  const entry = file.crossReference.entries.get(number)
  if (entry === undefined || entry.kind === 'free') return undefined
  const read = attempt(() => {
    if (entry.kind === 'compressed') return objectsOfStream(file, entry.stream).get(number)
    const { value } = readIndirect(file.bytes, entry.offset, number, entry.generation)
    return file.decryption?.value(value, number, entry.generation) ?? value
  })
  return read === UNREADABLE ? undefined : read
}

function generationOf({ crossReference }: PdfFile, number: number): number {
  const entry = crossReference.entries.get(number)
  return entry?.kind === 'offset' ? entry.generation : 0
}

/** The decrypted data of a stream, still encoded. Undefined if there is none that can be read. */
export function rawStreamOf(file: PdfFile, number: number): Uint8Array | undefined {
  const value = readObject(file, number)
  if (value?.kind !== 'dictionary' || !isStream(file, number)) return undefined
  const read = attempt(() => {
    const raw = readStreamAt(file.bytes, value.end, readLength(file, value))
    return raw && (file.decryption?.stream(raw, number, generationOf(file, number)) ?? raw)
  })
  return read === UNREADABLE ? undefined : read
}

/** Undefined if there is no stream that can be decoded within `maxBytes`. */
export function streamBytes(file: PdfFile, number: number, maxBytes: number): Uint8Array | undefined {
  const [value, raw] = [readObject(file, number), rawStreamOf(file, number)]
  if (value?.kind !== 'dictionary' || raw === undefined) return undefined
  const read = attempt(() => decodeStream(raw, value, maxBytes))
  return read === UNREADABLE ? undefined : read
}

/** The encoded data of a stream; undefined for other objects. */
function rawStreamBytes(file: PdfFile, number: number, value: PdfValue): Uint8Array | undefined {
  if (value.kind !== 'dictionary' || !isUncompressed(file, number)) return undefined
  const read = attempt(() => readStreamAt(file.bytes, value.end, readLength(file, value)))
  return read === UNREADABLE ? undefined : read
}

/** True if an object is the same in both revisions, including the data of a stream. */
export function sameObject(before: PdfFile, after: PdfFile, number: number): boolean {
  const [old, now] = [readObject(before, number), readObject(after, number)]
  if (old === undefined || now === undefined || !sameValue(old, now)) return false
  if (generationOf(before, number) !== generationOf(after, number)) return false
  if (!hasStream(before, number, old) && !hasStream(after, number, now)) return true
  const [oldData, newData] = [rawStreamBytes(before, number, old), rawStreamBytes(after, number, now)]
  return oldData !== undefined && newData !== undefined && equalBytes(oldData, newData)
}
