/**
 * Opens a PDF by its cross-reference (ISO 32000-2 §7.5) and resolves objects on demand, only at the
 * offsets the cross-reference gives. It never scans for objects and repairs nothing.
 */
import { remark } from '../../locales/remarks.ts'
import { type CrossReference, readCrossReference } from './cross-reference.ts'
import { type Decryption, openDecryption } from './decrypt.ts'
import { decodeStream, readStream } from './stream.ts'
import { type Cursor, type PdfDictionary, PdfSyntaxError, type PdfValue, readIndirect, readValue, takeInteger } from './syntax.ts'

/** A value and the bytes it was parsed from: the file's, or those of an object stream. */
export interface LocatedValue {
  value: PdfValue
  /** `start` and `end` of `value` are offsets in these bytes. */
  bytes: Uint8Array
  /** False inside an object stream. */
  isInFile: boolean
}

export interface PdfFile {
  bytes: Uint8Array
  crossReference: CrossReference
  /** Undefined if the file is not encrypted or was opened without decryption. */
  decryption: Decryption | undefined
  /** Follows references. `null` for a missing object (§7.3.10). @throws PdfSyntaxError */
  resolve(value: PdfValue | undefined): LocatedValue
  /** Resolves to a dictionary. Undefined for any other object. @throws PdfSyntaxError */
  dictionary(value: PdfValue | undefined): PdfDictionary | undefined
  /** Resolves to the items of an array. Empty for any other object. @throws PdfSyntaxError */
  items(value: PdfValue | undefined): readonly PdfValue[]
  /** Opens the first `end` bytes as a file, each revision once. @throws PdfSyntaxError */
  revisionAt(end: number): PdfFile
  /** The same object for all revisions of a file: a key for caches that they share. */
  sharedKey: object
}

const NULL: LocatedValue = { value: { kind: 'null', start: 0, end: 0 }, bytes: new Uint8Array(), isInFile: true }
const MAX_REFERENCE_CHAIN = 32
/** Pages with 100,000 annotations exist, each read once. */
const MAX_CACHED_OBJECTS = 4096
/** Of all object streams of a file. */
const MAX_INFLATED_BYTES = 256 * 1024 * 1024

interface ObjectStream {
  data: Uint8Array
  /** By object number. Undefined for a duplicate, which readers resolve differently. */
  offsets: ReadonlyMap<number, number | undefined>
}

function readObjectStream(data: Uint8Array, dictionary: PdfDictionary): ObjectStream {
  const readInteger = (key: string): number => {
    const value = dictionary.entries.get(key)
    if (value?.kind !== 'number' || !value.integer || value.value < 0)
      throw new PdfSyntaxError(remark('object_stream_without', { key }))
    return value.value
  }
  const [count, first] = [readInteger('N'), readInteger('First')]
  const cursor: Cursor = { bytes: data, at: 0 }
  const offsets = new Map<number, number | undefined>()
  for (let i = 0; i < count; i++) {
    const [number, offset] = [takeInteger(cursor), takeInteger(cursor)]
    if (number === undefined || offset === undefined) throw new PdfSyntaxError(remark('object_stream_index_cut_off'))
    offsets.set(number, offsets.has(number) ? undefined : first + offset)
  }
  return { data, offsets }
}

class ObjectStreams {
  readonly #opened = new Map<number, ObjectStream>()
  readonly #opening = new Set<number>()
  #inflatedBytes = 0

  constructor(private readonly file: PdfFile) {}

  open(number: number): ObjectStream {
    const known = this.#opened.get(number)
    if (known !== undefined) return known
    const { bytes, crossReference, decryption } = this.file
    const entry = crossReference.entries.get(number)
    if (entry?.kind !== 'offset') throw new PdfSyntaxError(remark('object_stream_elsewhere', { number }))
    // Its /Length may be a reference to an object inside it.
    if (this.#opening.has(number)) throw new PdfSyntaxError(remark('object_stream_of_itself', { number }))
    this.#opening.add(number)
    const { value, cursor } = readIndirect(bytes, entry.offset, number, entry.generation)
    if (value.kind !== 'dictionary') throw new PdfSyntaxError(remark('not_an_object_stream', { number }))
    const length = this.file.resolve(value.entries.get('Length')).value
    const raw = readStream(cursor, length.kind === 'number' ? length.value : undefined)
    const plain = decryption?.stream(raw, number, entry.generation) ?? raw
    const data = decodeStream(plain, value, MAX_INFLATED_BYTES - this.#inflatedBytes)
    this.#inflatedBytes += data.length
    const opened = readObjectStream(data, value)
    this.#opened.set(number, opened)
    return opened
  }
}

/** Uses the empty user password. @throws PdfSyntaxError */
function openFileDecryption({ crossReference, resolve }: PdfFile): Decryption | undefined {
  const { entries } = crossReference.trailer
  const own = entries.get('Encrypt')
  if (own === undefined) return undefined
  const dictionary = resolve(own).value
  if (dictionary.kind !== 'dictionary') throw new PdfSyntaxError(remark('encryption_not_a_dictionary'))
  const id = resolve(entries.get('ID')).value
  const first = id.kind === 'array' ? id.items[0] : undefined
  const decryption = openDecryption(dictionary, first?.kind === 'string' ? first.value : new Uint8Array())
  // §7.6.2: the encryption dictionary itself is not encrypted.
  const isOwn = (number: number): boolean => own.kind === 'reference' && own.number === number
  return { ...decryption, value: (value, number, ...rest) => (isOwn(number) ? value : decryption.value(value, number, ...rest)) }
}

interface SharedRevisions {
  files: Map<number, PdfFile>
  /** By the offset of the newest section: the shortest revision that has it. */
  newest: Map<number, PdfFile>
  /** Parsed objects by offset, before decryption. Most are the same in all revisions. */
  objects: Map<number, { number: number; generation: number; value: PdfValue }>
  decrypts: boolean
}

class Revision implements PdfFile {
  readonly crossReference: CrossReference
  readonly decryption: Decryption | undefined
  readonly #resolved = new Map<string, LocatedValue>()
  readonly #objectStreams: ObjectStreams

  constructor(
    readonly bytes: Uint8Array,
    readonly sharedKey: SharedRevisions,
  ) {
    this.crossReference = readCrossReference(bytes, offset => {
      const before = sharedKey.newest.get(offset)
      // A longer revision may have read bytes that this one does not have.
      return before !== undefined && before.bytes.length <= bytes.length ? before.crossReference : undefined
    })
    this.#objectStreams = new ObjectStreams(this)
    if (sharedKey.decrypts) this.decryption = openFileDecryption(this)
    // Objects read so far were not decrypted.
    this.#resolved.clear()
    sharedKey.files.set(bytes.length, this)
    const { offset } = this.crossReference.newestSection
    const known = sharedKey.newest.get(offset)
    if (known === undefined || bytes.length < known.bytes.length) sharedKey.newest.set(offset, this)
  }

  // Bound, since callers pass it on as a function.
  readonly resolve = (value: PdfValue | undefined): LocatedValue => {
    if (value === undefined) return NULL
    let located: LocatedValue = { value, bytes: this.bytes, isInFile: true }
    for (let step = 0; located.value.kind === 'reference'; step++) {
      if (step > MAX_REFERENCE_CHAIN) throw new PdfSyntaxError(remark('reference_loop'))
      const { number, generation } = located.value
      const key = `${number} ${generation}`
      const known = this.#resolved.get(key) ?? this.#load(number, generation)
      if (this.#resolved.size >= MAX_CACHED_OBJECTS) this.#resolved.clear()
      this.#resolved.set(key, known)
      located = known
    }
    return located
  }

  dictionary(value: PdfValue | undefined): PdfDictionary | undefined {
    const found = this.resolve(value).value
    return found.kind === 'dictionary' ? found : undefined
  }

  items(value: PdfValue | undefined): readonly PdfValue[] {
    const found = this.resolve(value).value
    return found.kind === 'array' ? found.items : []
  }

  revisionAt(end: number): PdfFile {
    return this.sharedKey.files.get(end) ?? new Revision(this.bytes.subarray(0, end), this.sharedKey)
  }

  #load(number: number, generation: number): LocatedValue {
    const entry = this.crossReference.entries.get(number)
    if (entry === undefined || entry.kind === 'free') return NULL
    if (entry.kind === 'offset') {
      if (entry.generation !== generation) return NULL
      const value = this.#readAt(entry.offset, number, generation)
      return { value: this.decryption?.value(value, number, generation) ?? value, bytes: this.bytes, isInFile: true }
    }
    if (generation !== 0) return NULL
    const stream = this.#objectStreams.open(entry.stream)
    // By number, not by the index beside it, which some writers let overflow.
    const offset = stream.offsets.get(number)
    if (offset === undefined) throw new PdfSyntaxError(remark('object_misplaced', { number }))
    return { value: readValue({ bytes: stream.data, at: offset }), bytes: stream.data, isInFile: false }
  }

  #readAt(offset: number, number: number, generation: number): PdfValue {
    const { objects } = this.sharedKey
    const known = objects.get(offset)
    // An object that a longer revision read may end after the end of this one.
    const isSame = known?.number === number && known.generation === generation && known.value.end <= this.bytes.length
    if (known !== undefined && isSame) return known.value
    const { value } = readIndirect(this.bytes, offset, number, generation)
    if (objects.size >= MAX_CACHED_OBJECTS) objects.clear()
    objects.set(offset, { number, generation, value })
    return value
  }
}

/** `decrypts`: also decrypt, if the file opens without a password. @throws PdfSyntaxError */
export function openPdf(bytes: Uint8Array, { decrypts = false } = {}): PdfFile {
  return new Revision(bytes, { files: new Map(), newest: new Map(), objects: new Map(), decrypts })
}

/** §7.7.3. @throws PdfSyntaxError if the tree is too deep, loops or has too many nodes */
export function countPages(file: PdfFile, catalog: PdfDictionary, limit = 100_000): number {
  const seen = new Set<number>()
  let nodes = 0
  const walk = (node: PdfValue, depth: number): number => {
    if (depth > 50) throw new PdfSyntaxError(remark('page_tree_too_deep', { max: 50 }))
    if (++nodes > limit) throw new PdfSyntaxError(remark('page_tree_too_large'))
    if (node.kind === 'reference') {
      if (seen.has(node.number)) throw new PdfSyntaxError(remark('page_twice'))
      seen.add(node.number)
    }
    const dictionary = file.dictionary(node)
    if (dictionary === undefined) return 0
    const kids = dictionary.entries.get('Kids')
    if (kids === undefined) return 1
    return file.items(kids).reduce((sum, kid) => sum + walk(kid, depth + 1), 0)
  }
  const pages = catalog.entries.get('Pages')
  if (pages === undefined) throw new PdfSyntaxError(remark('pages_missing'))
  return walk(pages, 0)
}

/** Resolves a value of a container. A direct value is in the bytes of its container. */
export function resolveWithin(file: PdfFile, container: LocatedValue, value: PdfValue | undefined): LocatedValue {
  if (value !== undefined && value.kind !== 'reference') return { value, bytes: container.bytes, isInFile: container.isInFile }
  return file.resolve(value)
}

/** `null` if the container is not a dictionary or has no such key. */
export function resolveEntry(file: PdfFile, container: LocatedValue, key: string): LocatedValue {
  return resolveWithin(file, container, container.value.kind === 'dictionary' ? container.value.entries.get(key) : undefined)
}

export function resolveItems(file: PdfFile, array: LocatedValue): { raw: PdfValue; located: LocatedValue }[] {
  if (array.value.kind !== 'array') return []
  return array.value.items.map(raw => ({ raw, located: resolveWithin(file, array, raw) }))
}
