/**
 * What differs between two revisions of a file, object by object, and who refers to whom. ISO 32000-2 §7.3.10, §7.5.6.
 * Two revisions share their bytes, so an object whose cross-reference entry is the same is the same object, but for what these functions look for.
 */
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

/** An object that cannot be read; PdfSyntaxError is the only error of the reader. */
const UNREADABLE = Symbol('unreadable')

function attempt<T>(read: () => T): T | typeof UNREADABLE {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfSyntaxError) return UNREADABLE
    throw error
  }
}

/** True when an object stands at the same place in both. */
export function sameEntry(a: XrefEntry | undefined, b: XrefEntry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b || (a ?? b)?.kind === 'free'
  if (a.kind === 'free' || b.kind === 'free') return a.kind === b.kind
  if (a.kind === 'offset') return b.kind === 'offset' && a.offset === b.offset && a.generation === b.generation
  return b.kind === 'compressed' && a.stream === b.stream
}

/** Which objects stand in which object streams; grows with each update. */
export type Compressed = Map<number, number[]>

function noteCompressed({ entries }: PdfFile['crossReference'], numbers: Iterable<number>, into: Compressed): void {
  for (const number of numbers) {
    const entry = entries.get(number)
    if (entry?.kind !== 'compressed') continue
    const known = into.get(entry.stream)
    if (known === undefined) into.set(entry.stream, [number])
    else known.push(number)
  }
}

/**
 * Numbers of the objects that stand at another place in the later revision, or are new in it, or gone. The later one is the earlier one and a single
 * update, so only what its newest section names can differ, and what stands in an object stream that does.
 */
export function changedNumbers(before: PdfFile, after: PdfFile, compressed: Compressed): Set<number> {
  const [old, now] = [before.crossReference.entries, after.crossReference.entries]
  const { newestListed: touched } = after.crossReference
  const changed = new Set(touched.filter(number => !sameEntry(old.get(number), now.get(number))))
  noteCompressed(after.crossReference, changed, compressed)
  for (const stream of [...changed]) {
    for (const number of compressed.get(stream) ?? []) {
      const entry = now.get(number)
      if (entry?.kind === 'compressed' && entry.stream === stream) changed.add(number)
    }
  }
  return changed
}

export function compressedIn(file: PdfFile): Compressed {
  const compressed: Compressed = new Map()
  noteCompressed(file.crossReference, file.crossReference.entries.keys(), compressed)
  return compressed
}

/** True when two values mean the same; references by number and generation. */
export function sameValue(a: PdfValue | undefined, b: PdfValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  if (a.kind === 'array')
    return b.kind === 'array' && a.items.length === b.items.length && a.items.every((item, i) => sameValue(item, b.items[i]))
  if (a.kind === 'dictionary') return b.kind === 'dictionary' && differingKeys(a, b).length === 0
  if (a.kind === 'string') return b.kind === 'string' && Buffer.compare(a.value, b.value) === 0
  if (a.kind === 'reference') return b.kind === 'reference' && a.number === b.number && a.generation === b.generation
  if (a.kind === 'null') return b.kind === 'null'
  return a.kind === b.kind && 'value' in b && a.value === b.value
}

/** Keys that only one of them has, or whose values differ; keys that stand there twice differ in any case. */
export function differingKeys(before: PdfDictionary, after: PdfDictionary): string[] {
  const keys = new Set([...before.entries.keys(), ...after.entries.keys(), ...after.duplicateKeys])
  return [...keys].filter(key => after.duplicateKeys.includes(key) || !sameValue(before.entries.get(key), after.entries.get(key)))
}

/** The text of a name; empty for what is none. */
export const nameOf = (value: PdfValue | undefined): string => (value?.kind === 'name' ? value.value : '')

/** Calls `found` for every reference inside a value. */
export function eachReference(value: PdfValue, found: (number: number) => void): void {
  if (value.kind === 'reference') found(value.number)
  else if (value.kind === 'array') for (const item of value.items) eachReference(item, found)
  else if (value.kind === 'dictionary') for (const item of value.entries.values()) eachReference(item, found)
}

/** The objects of an object stream as they stand in it, none of their references followed. */
function readObjectStream(file: PdfFile, stream: number): Map<number, PdfValue> {
  const entry = file.crossReference.entries.get(stream)
  if (entry?.kind !== 'offset') throw new PdfSyntaxError(`object stream ${stream} does not stand in the file itself`)
  const { value, cursor } = readIndirect(file.bytes, entry.offset, stream, entry.generation)
  if (value.kind !== 'dictionary') throw new PdfSyntaxError(`object ${stream} is no object stream`)
  const integer = (key: string): number => {
    const found = file.resolve(value.entries.get(key)).value
    if (found.kind !== 'number') throw new PdfSyntaxError(`an object stream has no valid /${key}`)
    return found.value
  }
  const raw = readStreamAt(file.bytes, cursor.at, integer('Length'))
  if (raw === undefined) throw new PdfSyntaxError(`object ${stream} is no object stream`)
  const plain = file.decryption?.stream(raw, stream, entry.generation) ?? raw
  const bytes = decodeStream(plain, value, MAX_OBJECT_STREAM_BYTES)
  const [count, first, index] = [integer('N'), integer('First'), { bytes, at: 0 } satisfies Cursor]
  const objects = new Map<number, PdfValue>()
  for (let i = 0; i < count; i++) {
    const [number, offset] = [takeInteger(index), takeInteger(index)]
    if (number === undefined || offset === undefined) throw new PdfSyntaxError('the index of an object stream is cut off')
    objects.set(number, readValue({ bytes, at: first + offset }))
  }
  return objects
}

/** Object streams as they were read, for the two revisions that are compared, by what all revisions of a file share. */
const readStreams = new WeakMap<object, { file: PdfFile; streams: Map<number, ReadonlyMap<number, PdfValue>> }[]>()

/** The same, read once while its revision is compared: an update may change every object of a large one. @throws PdfSyntaxError */
function objectsOfStream(file: PdfFile, stream: number): ReadonlyMap<number, PdfValue> {
  const kept = readStreams.get(file.sharedKey) ?? []
  const known = kept.find(one => one.file === file) ?? { file, streams: new Map() }
  if (!kept.includes(known)) readStreams.set(file.sharedKey, [...kept.slice(-1), known])
  const objects = known.streams.get(stream) ?? readObjectStream(file, stream)
  known.streams.set(stream, objects)
  return objects
}

/** How the stream behind a dictionary ends: where its /Length says, otherwise, or not at all before the end of the file. */
function streamEnd(file: PdfFile, value: PdfValue): 'none' | 'sound' | 'damaged' | 'missing' {
  if (value.kind !== 'dictionary' || !takeKeyword({ bytes: file.bytes, at: value.end }, 'stream')) return 'none'
  const length = attempt(() => file.resolve(value.entries.get('Length')).value)
  const given = length !== UNREADABLE && length.kind === 'number' ? length.value : undefined
  if (attempt(() => readStreamAt(file.bytes, value.end, given)) !== UNREADABLE) return 'sound'
  const view = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength)
  return view.indexOf('endstream', value.end) === -1 ? 'missing' : 'damaged'
}

/** True when the object stands in the file itself and can be read to its end, the data of a stream included. */
export function isReadable(file: PdfFile, number: number): boolean {
  const value = readObject(file, number)
  if (value === undefined || file.crossReference.entries.get(number)?.kind !== 'offset') return value !== undefined
  return ['none', 'sound'].includes(streamEnd(file, value))
}

/** True for a stream that stands in the file and ends where it says. */
export function isStream(file: PdfFile, number: number): boolean {
  const value = readObject(file, number)
  return value !== undefined && file.crossReference.entries.get(number)?.kind === 'offset' && streamEnd(file, value) === 'sound'
}

/** Who refers to whom, in a revision and those that were added to it. */
export interface References {
  /** The objects that refer to an object, by its number, whether it is there or not: one, or several. What the catalog's /DSS holds does not count. */
  referrers: Map<number, number | Set<number>>
  /** Objects that cannot be read to their end in this revision. */
  unreadable: Set<number>
  /** Streams that have no end before the end of this revision. */
  endless: Set<number>
}

/** Stands for the trailer among those that refer to an object. */
export const TRAILER = 0

function noteReference({ referrers }: References, to: number, from: number): void {
  const known = referrers.get(to)
  if (known === undefined) referrers.set(to, from)
  else if (typeof known !== 'number') known.add(from)
  else if (known !== from) referrers.set(to, new Set([known, from]))
}

/** The objects that refer to an object. */
export function referrersOf({ referrers }: References, number: number): readonly number[] {
  const known = referrers.get(number)
  return known === undefined ? [] : typeof known === 'number' ? [known] : [...known]
}

/** What an object refers to. The store under the catalog's /DSS is judged by its shape. */
function noteObject(number: number, value: PdfValue, root: number, into: References): void {
  const note = (to: number) => noteReference(into, to, number)
  if (number !== root || value.kind !== 'dictionary') eachReference(value, note)
  else for (const [key, item] of value.entries) if (key !== 'DSS') eachReference(item, note)
}

/** Reads the objects of a revision, all or those of `only`, and adds what they refer to. */
export function collectReferences(file: PdfFile, into: References, only?: ReadonlySet<number>): void {
  const { entries, trailer } = file.crossReference
  const root = trailer.entries.get('Root')
  const rootNumber = root?.kind === 'reference' ? root.number : TRAILER
  const streams = new Set<number>()
  const sections = new Set(file.crossReference.sections)
  eachReference(trailer, to => noteReference(into, to, TRAILER))
  for (const number of only ?? entries.keys()) {
    const entry = entries.get(number)
    if (entry === undefined || entry.kind === 'free') continue
    if (entry.kind === 'compressed') {
      streams.add(entry.stream)
      continue
    }
    const read = attempt(() => readIndirect(file.bytes, entry.offset, number, entry.generation).value)
    if (read === UNREADABLE) {
      into.unreadable.add(number)
      continue
    }
    // A cross-reference stream is a trailer, too.
    noteObject(sections.has(entry.offset) ? TRAILER : number, read, rootNumber, into)
    const end = streamEnd(file, read)
    if (end === 'damaged') into.unreadable.add(number)
    else if (end === 'missing') into.endless.add(number)
  }
  for (const stream of streams) {
    const objects = attempt(() => objectsOfStream(file, stream))
    if (objects === UNREADABLE) into.unreadable.add(stream)
    else for (const [number, value] of objects) noteObject(number, value, rootNumber, into)
  }
}

export const noReferences = (): References => ({ referrers: new Map(), unreadable: new Set(), endless: new Set() })

/** The object as it stands in the file, its references not followed; undefined when it is free, missing or cannot be read. */
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

/** The data of a stream that stands in the file; undefined when there is none that can be decoded within `maxBytes`. */
export function streamBytes(file: PdfFile, number: number, maxBytes: number): Uint8Array | undefined {
  const value = readObject(file, number)
  if (value?.kind !== 'dictionary' || !isStream(file, number)) return undefined
  const length = file.resolve(value.entries.get('Length')).value
  const read = attempt(() => {
    const raw = readStreamAt(file.bytes, value.end, length.kind === 'number' ? length.value : undefined)
    const plain = raw && (file.decryption?.stream(raw, number, generationOf(file, number)) ?? raw)
    return plain && decodeStream(plain, value, maxBytes)
  })
  return read === UNREADABLE ? undefined : read
}

/** The bytes of a stream as they stand, its filters not undone; undefined for what is no stream. */
function rawData(file: PdfFile, number: number, value: PdfValue): Uint8Array | undefined {
  if (value.kind !== 'dictionary' || file.crossReference.entries.get(number)?.kind !== 'offset') return undefined
  const read = attempt(() => {
    const length = file.resolve(value.entries.get('Length')).value
    return readStreamAt(file.bytes, value.end, length.kind === 'number' ? length.value : undefined)
  })
  return read === UNREADABLE ? undefined : read
}

/** True when an object was written anew and is what it was, the data of a stream included. */
export function sameObject(before: PdfFile, after: PdfFile, number: number): boolean {
  const [old, now] = [readObject(before, number), readObject(after, number)]
  if (old === undefined || now === undefined || !sameValue(old, now)) return false
  if (generationOf(before, number) !== generationOf(after, number)) return false
  if (!hasStream(before, number, old) && !hasStream(after, number, now)) return true
  const [was, is] = [rawData(before, number, old), rawData(after, number, now)]
  return was !== undefined && is !== undefined && Buffer.compare(was, is) === 0
}

function generationOf({ crossReference }: PdfFile, number: number): number {
  const entry = crossReference.entries.get(number)
  return entry?.kind === 'offset' ? entry.generation : 0
}

const hasStream = (file: PdfFile, number: number, value: PdfValue): boolean =>
  file.crossReference.entries.get(number)?.kind === 'offset' && streamEnd(file, value) !== 'none'

/** True for an object that is there and no stream: what follows its dictionary is not read. */
export function isWithoutStream(file: PdfFile, number: number): boolean {
  const value = readObject(file, number)
  return value !== undefined && !hasStream(file, number, value)
}
