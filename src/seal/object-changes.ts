/**
 * What differs between two revisions of a file, object by object, and who refers to whom. ISO 32000-2 §7.3.10, §7.5.6.
 * Two revisions share their bytes, so an object whose cross-reference entry is the same is the same object, but for what these functions look for.
 */
import type { XrefEntry } from '../pdf/cross-reference.ts'
import type { PdfFile } from '../pdf/file.ts'
import { decodeStream, rawStream } from '../pdf/stream.ts'
import {
  type Cursor,
  type PdfDictionary,
  PdfSyntaxError,
  type PdfValue,
  readIndirect,
  readValue,
  takeInteger,
  takeKeyword,
} from '../pdf/syntax.ts'

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

function sameEntry(a: XrefEntry | undefined, b: XrefEntry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b || (a ?? b)?.kind === 'free'
  if (a.kind === 'free' || b.kind === 'free') return a.kind === b.kind
  if (a.kind === 'offset') return b.kind === 'offset' && a.offset === b.offset && a.generation === b.generation
  return b.kind === 'compressed' && a.stream === b.stream
}

/** Numbers of the objects that stand at another place in the later revision, or are new in it, or gone. */
export function changedNumbers(before: PdfFile, after: PdfFile): Set<number> {
  const [old, now] = [before.crossReference.entries, after.crossReference.entries]
  const changed = new Set<number>()
  for (const [number, entry] of now) if (!sameEntry(old.get(number), entry)) changed.add(number)
  for (const [number, entry] of old) if (!sameEntry(entry, now.get(number))) changed.add(number)
  for (const [number, entry] of now) if (entry.kind === 'compressed' && changed.has(entry.stream)) changed.add(number)
  return changed
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
  const keys = new Set([...before.entries.keys(), ...after.entries.keys(), ...after.doubled])
  return [...keys].filter(key => after.doubled.includes(key) || !sameValue(before.entries.get(key), after.entries.get(key)))
}

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
  const raw = rawStream(file.bytes, cursor.at, integer('Length'))
  if (raw === undefined) throw new PdfSyntaxError(`object ${stream} is no object stream`)
  const bytes = decodeStream(raw, value, MAX_OBJECT_STREAM_BYTES)
  const [count, first, index] = [integer('N'), integer('First'), { bytes, at: 0 } satisfies Cursor]
  const objects = new Map<number, PdfValue>()
  for (let i = 0; i < count; i++) {
    const [number, offset] = [takeInteger(index), takeInteger(index)]
    if (number === undefined || offset === undefined) throw new PdfSyntaxError('the index of an object stream is cut off')
    objects.set(number, readValue({ bytes, at: first + offset }))
  }
  return objects
}

/** How the stream behind a dictionary ends: where its /Length says, otherwise, or not at all before the end of the file. */
function streamEnd(file: PdfFile, value: PdfValue): 'none' | 'sound' | 'damaged' | 'missing' {
  if (value.kind !== 'dictionary' || !takeKeyword({ bytes: file.bytes, at: value.end }, 'stream')) return 'none'
  const length = attempt(() => file.resolve(value.entries.get('Length')).value)
  const given = length !== UNREADABLE && length.kind === 'number' ? length.value : undefined
  if (attempt(() => rawStream(file.bytes, value.end, given)) !== UNREADABLE) return 'sound'
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

/** Who refers to whom in a revision. */
export interface References {
  /** How many references lead to an object, whether it is there or not. */
  counts: Map<number, number>
  /** Objects that cannot be read to their end in this revision. */
  unreadable: Set<number>
  /** Streams that have no end before the end of this revision. */
  endless: Set<number>
}

/** Reads the objects of a revision, all or those of `only`, and adds what they refer to. */
export function collectReferences(file: PdfFile, into: References, only?: ReadonlySet<number>): void {
  const count = (number: number) => into.counts.set(number, (into.counts.get(number) ?? 0) + 1)
  const streams = new Set<number>()
  eachReference(file.crossReference.trailer, count)
  for (const [number, entry] of file.crossReference.entries) {
    if (entry.kind === 'free' || (only !== undefined && !only.has(number))) continue
    if (entry.kind === 'compressed') {
      streams.add(entry.stream)
      continue
    }
    const read = attempt(() => readIndirect(file.bytes, entry.offset, number, entry.generation).value)
    if (read === UNREADABLE) {
      into.unreadable.add(number)
      continue
    }
    eachReference(read, count)
    const end = streamEnd(file, read)
    if (end === 'damaged') into.unreadable.add(number)
    else if (end === 'missing') into.endless.add(number)
  }
  for (const stream of streams) {
    const objects = attempt(() => readObjectStream(file, stream))
    if (objects === UNREADABLE) into.unreadable.add(stream)
    else for (const value of objects.values()) eachReference(value, count)
  }
}

export const noReferences = (): References => ({ counts: new Map(), unreadable: new Set(), endless: new Set() })

/** The object as it stands in the file, its references not followed; undefined when it is free, missing or cannot be read. */
export function readObject(file: PdfFile, number: number): PdfValue | undefined {
  const entry = file.crossReference.entries.get(number)
  if (entry === undefined || entry.kind === 'free') return undefined
  const read = attempt(() =>
    entry.kind === 'offset'
      ? readIndirect(file.bytes, entry.offset, number, entry.generation).value
      : readObjectStream(file, entry.stream).get(number),
  )
  return read === UNREADABLE ? undefined : read
}
