/**
 * A PDF as its cross-reference describes it, newest revision first. ISO 32000-2 §7.5. Objects are read when asked for, and only where the
 * cross-reference says they stand: an object number that stands in the bytes a second time is never seen. Nothing is repaired.
 */

import { type CrossReference, readCrossReference } from './cross-reference.ts'
import { type Decryption, openDecryption } from './decrypt.ts'
import { decodeStream, streamData } from './stream.ts'
import { type Cursor, type PdfDictionary, PdfSyntaxError, type PdfValue, readIndirect, readValue, takeInteger } from './syntax.ts'

/** An object with where it was read. `bytes` are the file's, or those of the object stream that holds it. */
export interface LocatedValue {
  value: PdfValue
  /** What the places of `value` are offsets in. */
  bytes: Uint8Array
  /** True when the object stands in the file itself, so that its places are offsets in the file. */
  isInFile: boolean
}

export interface PdfFile {
  bytes: Uint8Array
  crossReference: CrossReference
  /** Undoes the encryption of objects that are read beside `resolve`; undefined where the file has none or was opened as it stands. */
  decryption: Decryption | undefined
  /** Follows references to their end; `null` for what is free or missing (§7.3.10). @throws PdfSyntaxError */
  resolve(value: PdfValue | undefined): LocatedValue
  /** The dictionary a value leads to, or undefined when it is anything else. @throws PdfSyntaxError */
  dictionary(value: PdfValue | undefined): PdfDictionary | undefined
  /** The items of the array a value leads to; none when it is anything else. @throws PdfSyntaxError */
  items(value: PdfValue | undefined): readonly PdfValue[]
  /** The file as its first `end` bytes are by themselves; each such revision is opened once. @throws PdfSyntaxError */
  revisionAt(end: number): PdfFile
  /** The same value for all revisions of the file: a key for what they have in common. */
  sharedKey: object
}

const NULL: LocatedValue = { value: { kind: 'null', start: 0, end: 0 }, bytes: new Uint8Array(), isInFile: true }
const MAX_REFERENCE_CHAIN = 32
/** Parsed objects kept at a time: a page may have a hundred thousand annotations, each looked at once. */
const MAX_KEPT = 4096
/** All object streams of a file together. */
const MAX_INFLATED_BYTES = 256 * 1024 * 1024

interface ObjectStream {
  data: Uint8Array
  /** Places in `data` by object number; undefined for a number that stands in the index twice. */
  places: ReadonlyMap<number, number | undefined>
}

function openObjectStream(data: Uint8Array, dictionary: PdfDictionary): ObjectStream {
  const integer = (key: string): number => {
    const value = dictionary.entries.get(key)
    if (value?.kind !== 'number' || !value.integer || value.value < 0)
      throw new PdfSyntaxError(`an object stream has no valid /${key}`)
    return value.value
  }
  const [count, first] = [integer('N'), integer('First')]
  const cursor: Cursor = { bytes: data, at: 0 }
  const places = new Map<number, number | undefined>()
  for (let i = 0; i < count; i++) {
    const [number, offset] = [takeInteger(cursor), takeInteger(cursor)]
    if (number === undefined || offset === undefined) throw new PdfSyntaxError('the index of an object stream is cut off')
    places.set(number, places.has(number) ? undefined : first + offset)
  }
  return { data, places }
}

/** Opens object streams, each once. `resolve` follows the reference that a /Length may be. */
function objectStreamsOf(
  bytes: Uint8Array,
  { entries }: CrossReference,
  resolve: PdfFile['resolve'],
  decryption: () => Decryption | undefined,
): (number: number) => ObjectStream {
  const streams = new Map<number, ObjectStream>()
  const opening = new Set<number>()
  let inflated = 0
  return number => {
    const known = streams.get(number)
    if (known !== undefined) return known
    const entry = entries.get(number)
    if (entry?.kind !== 'offset') throw new PdfSyntaxError(`object stream ${number} does not stand in the file itself`)
    // Its /Length may be a reference, and that one may lead back into it.
    if (opening.has(number)) throw new PdfSyntaxError(`object stream ${number} leads back to itself`)
    opening.add(number)
    const { value, cursor } = readIndirect(bytes, entry.offset, number, entry.generation)
    if (value.kind !== 'dictionary') throw new PdfSyntaxError(`object ${number} is no object stream`)
    const length = resolve(value.entries.get('Length')).value
    const raw = streamData(cursor, length.kind === 'number' ? length.value : undefined)
    const plain = decryption()?.stream(raw, number, entry.generation) ?? raw
    const data = decodeStream(plain, value, MAX_INFLATED_BYTES - inflated)
    inflated += data.length
    const opened = openObjectStream(data, value)
    streams.set(number, opened)
    return opened
  }
}

/** The decryption that the trailer asks for, with the empty user password. @throws PdfSyntaxError */
function decryptionOf(crossReference: CrossReference, resolve: PdfFile['resolve']): Decryption | undefined {
  const { entries } = crossReference.trailer
  if (!entries.has('Encrypt')) return undefined
  const dictionary = resolve(entries.get('Encrypt')).value
  if (dictionary.kind !== 'dictionary') throw new PdfSyntaxError('its /Encrypt leads to no encryption dictionary')
  const id = resolve(entries.get('ID')).value
  const first = id.kind === 'array' ? id.items[0] : undefined
  const decryption = openDecryption(dictionary, first?.kind === 'string' ? first.value : new Uint8Array())
  // §7.6.2: the encryption dictionary itself stands in the open.
  const own = entries.get('Encrypt')
  const isOwn = (number: number): boolean => own?.kind === 'reference' && own.number === number
  return { ...decryption, value: (value, number, ...rest) => (isOwn(number) ? value : decryption.value(value, number, ...rest)) }
}

/** What the revisions of one file share while they are opened one by one. */
interface Revisions {
  /** By the length of the revision. */
  files: Map<number, PdfFile>
  /** By the offset of its newest section, the shortest revision that has it. */
  newest: Map<number, PdfFile>
  /** Objects by their offset, as they stand: most of them are the same in all revisions. */
  objects: Map<number, { number: number; generation: number; value: PdfValue }>
  decrypts: boolean
}

/**
 * Opens the file by its last cross-reference. With `decrypts`, the encryption of a file that opens without a password is undone; without it,
 * strings and streams are as they stand. @throws PdfSyntaxError
 */
export function openPdf(bytes: Uint8Array, { decrypts = false } = {}): PdfFile {
  return openRevision(bytes, { files: new Map(), newest: new Map(), objects: new Map(), decrypts })
}

function openRevision(bytes: Uint8Array, revisions: Revisions): PdfFile {
  const crossReference = readCrossReference(bytes, offset => {
    const below = revisions.newest.get(offset)
    // What a longer revision read may need bytes that this one does not have.
    return below !== undefined && below.bytes.length <= bytes.length ? below.crossReference : undefined
  })
  const read = new Map<string, LocatedValue>()
  let decryption: Decryption | undefined
  const objectStream = objectStreamsOf(bytes, crossReference, resolve, () => decryption)

  function readAt(offset: number, number: number, generation: number): PdfValue {
    const known = revisions.objects.get(offset)
    // What a longer revision read may end behind the end of this one.
    const isSame = known?.number === number && known.generation === generation && known.value.end <= bytes.length
    if (known !== undefined && isSame) return known.value
    const { value } = readIndirect(bytes, offset, number, generation)
    if (revisions.objects.size >= MAX_KEPT) revisions.objects.clear()
    revisions.objects.set(offset, { number, generation, value })
    return value
  }

  function load(number: number, generation: number): LocatedValue {
    const entry = crossReference.entries.get(number)
    if (entry === undefined || entry.kind === 'free') return NULL
    if (entry.kind === 'offset') {
      if (entry.generation !== generation) return NULL
      const value = readAt(entry.offset, number, generation)
      return { value: decryption?.value(value, number, generation) ?? value, bytes, isInFile: true }
    }
    if (generation !== 0) return NULL
    const stream = objectStream(entry.stream)
    // By number, not by the index beside it: writers let that overflow. A number that stands there twice would be two things to two readers.
    const place = stream.places.get(number)
    if (place === undefined) throw new PdfSyntaxError(`the cross-reference does not lead to object ${number}`)
    return { value: readValue({ bytes: stream.data, at: place }), bytes: stream.data, isInFile: false }
  }

  function resolve(value: PdfValue | undefined): LocatedValue {
    if (value === undefined) return NULL
    let located: LocatedValue = { value, bytes, isInFile: true }
    for (let step = 0; located.value.kind === 'reference'; step++) {
      if (step > MAX_REFERENCE_CHAIN) throw new PdfSyntaxError('references lead in a circle')
      const { number, generation } = located.value
      const key = `${number} ${generation}`
      const known = read.get(key) ?? load(number, generation)
      if (read.size >= MAX_KEPT) read.clear()
      read.set(key, known)
      located = known
    }
    return located
  }

  if (revisions.decrypts) decryption = decryptionOf(crossReference, resolve)
  // What was read on the way there was read as it stands.
  read.clear()
  const file: PdfFile = {
    bytes,
    crossReference,
    decryption,
    sharedKey: revisions,
    resolve,
    dictionary(value) {
      const found = resolve(value).value
      return found.kind === 'dictionary' ? found : undefined
    },
    items(value) {
      const found = resolve(value).value
      return found.kind === 'array' ? found.items : []
    },
    revisionAt(end) {
      return revisions.files.get(end) ?? openRevision(bytes.subarray(0, end), revisions)
    },
  }
  revisions.files.set(bytes.length, file)
  const { offset } = crossReference.newestSection
  if (bytes.length < (revisions.newest.get(offset)?.bytes.length ?? Number.POSITIVE_INFINITY)) revisions.newest.set(offset, file)
  return file
}

/** The number of pages, by walking the page tree (§7.7.3). @throws PdfSyntaxError when it is too deep, loops, or holds too many */
export function countPages(file: PdfFile, catalog: PdfDictionary, limit = 100_000): number {
  const seen = new Set<number>()
  let nodes = 0
  const walk = (node: PdfValue, depth: number): number => {
    if (depth > 50) throw new PdfSyntaxError('the page tree is more than 50 deep')
    if (++nodes > limit) throw new PdfSyntaxError('the page tree has too many nodes')
    if (node.kind === 'reference') {
      if (seen.has(node.number)) throw new PdfSyntaxError('a page stands in the page tree twice')
      seen.add(node.number)
    }
    const dictionary = file.dictionary(node)
    if (dictionary === undefined) return 0
    const kids = dictionary.entries.get('Kids')
    if (kids === undefined) return 1
    return file.items(kids).reduce((sum, kid) => sum + walk(kid, depth + 1), 0)
  }
  const pages = catalog.entries.get('Pages')
  if (pages === undefined) throw new PdfSyntaxError('the catalog has no pages')
  return walk(pages, 0)
}

/** A value and what its places are offsets in: what stands in a dictionary stands in the bytes of that dictionary. */
export function resolveWithin(file: PdfFile, container: LocatedValue, value: PdfValue | undefined): LocatedValue {
  if (value !== undefined && value.kind !== 'reference') return { value, bytes: container.bytes, isInFile: container.isInFile }
  return file.resolve(value)
}

/** The entry of a dictionary, followed to its end; `null` when the container is no dictionary or has no such key. */
export function resolveEntry(file: PdfFile, container: LocatedValue, key: string): LocatedValue {
  return resolveWithin(file, container, container.value.kind === 'dictionary' ? container.value.entries.get(key) : undefined)
}

/** What stands in an array, each as it is and followed; nothing where there is none. */
export function resolveItems(file: PdfFile, array: LocatedValue): { raw: PdfValue; located: LocatedValue }[] {
  if (array.value.kind !== 'array') return []
  return array.value.items.map(raw => ({ raw, located: resolveWithin(file, array, raw) }))
}
