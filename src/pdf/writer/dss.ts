/**
 * The incremental update that adds validation material to a signed file: the document security
 * store. ISO 32000-2 §12.8.4.3; EN 319 142-1 §5.4.2. What the store holds already is neither
 * written again nor dropped. Judges nothing: which material belongs to which signature is the
 * caller's.
 */
import { createHash } from 'node:crypto'
import type { LocatedValue, PdfFile } from '../parser/file.ts'
import { resolveEntry, resolveWithin } from '../parser/file.ts'
import { decodeStream, readStreamAt } from '../parser/stream.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue } from '../parser/syntax.ts'
import type { UpdatablePdf } from './object-changes.ts'
import { newEdits } from './object-changes.ts'
import { changedDictionary, reference, verbatim } from './serialize.ts'
import { newUpdate, type Update } from './update.ts'

/** DER, each as it stands in a stream of its own. */
export interface Material {
  certificates: readonly Uint8Array[]
  ocspResponses: readonly Uint8Array[]
  revocationLists: readonly Uint8Array[]
}

/** Tables 261 and 262: the key in the store, and the one in the entry of a signature. */
const KINDS = [
  { material: 'certificates', store: 'Certs', entry: 'Cert' },
  { material: 'ocspResponses', store: 'OCSPs', entry: 'OCSP' },
  { material: 'revocationLists', store: 'CRLs', entry: 'CRL' },
] as const

/** One object of the store may be a revocation list of some megabytes. */
const MAX_OBJECT_BYTES = 32 * 1024 * 1024
const EMPTY: PdfDictionary = { kind: 'dictionary', entries: new Map(), duplicateKeys: [], start: 0, end: 0 }

/**
 * The key of a signature in /VRI: SHA-1 of its /Contents as it is stored, the zeros behind the CMS
 * or token included (table 261).
 */
export function computeVriKey(contents: Uint8Array): string {
  return createHash('sha1').update(contents).digest('hex').toUpperCase()
}

/**
 * The bytes of one object of the store. @throws PdfSyntaxError when it is no stream that can be
 * read
 */
function streamBytes(file: PdfFile, value: PdfValue): Uint8Array {
  const located = file.resolve(value)
  if (located.value.kind !== 'dictionary' || !located.isInFile)
    throw new PdfSyntaxError('the /DSS leads to something that is no stream')
  const length = resolveEntry(file, located, 'Length').value
  const raw = readStreamAt(file.bytes, located.value.end, length.kind === 'number' ? length.value : undefined)
  if (raw === undefined) throw new PdfSyntaxError('the /DSS leads to something that is no stream')
  return decodeStream(raw, located.value, MAX_OBJECT_BYTES)
}

/**
 * What the store of a file holds of one kind, by the SHA-256 of each object; the value is its
 * reference as text.
 */
function known(file: PdfFile, store: LocatedValue, key: string): Map<string, string> {
  const array = resolveEntry(file, store, key)
  const found = new Map<string, string>()
  if (array.value.kind !== 'array') return found
  for (const item of array.value.items) found.set(sha256(streamBytes(file, item)), verbatim({ bytes: array.bytes, value: item }))
  return found
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const dictionaryOf = ({ value }: LocatedValue): PdfDictionary => (value.kind === 'dictionary' ? value : EMPTY)

const arrayText = (references: Iterable<string>): string => `[${[...references].join(' ')}]`

/** The texts of an array's items that are not among the given references. */
function otherTexts(file: PdfFile, container: LocatedValue, key: string, references: readonly string[]): string[] {
  const { value, bytes } = resolveEntry(file, container, key)
  const texts = value.kind === 'array' ? value.items.map(item => verbatim({ bytes, value: item })) : []
  return texts.filter(text => !references.includes(text))
}

/**
 * One kind in the store: all references in it as text, those of the order's material, and how many
 * were not there yet.
 */
interface Kept {
  kind: (typeof KINDS)[number]
  all: string[]
  ofOrder: string[]
  added: number
}

function keep(file: PdfFile, update: Update, store: LocatedValue, kind: Kept['kind'], material: Material): Kept {
  const held = known(file, store, kind.store)
  const before = held.size
  const ofOrder = material[kind.material].map(bytes => {
    const hash = sha256(bytes)
    const there = held.get(hash)
    if (there !== undefined) return there
    const number = update.allocate()
    // Without a filter: whoever looks for the certificates in decades needs nothing to unpack them.
    update.put(number, `<< /Length ${bytes.length} >>`, bytes)
    held.set(hash, reference(number))
    return reference(number)
  })
  return { kind, all: [...held.values()], ofOrder: [...new Set(ofOrder)], added: held.size - before }
}

/**
 * The entry of one signature, holding the order's material beside what it held; undefined when it
 * holds all of that.
 */
function entryText(file: PdfFile, entry: LocatedValue, kept: readonly Kept[]): string | undefined {
  const changes = new Map<string, string>()
  for (const { kind, ofOrder } of kept) {
    const others = otherTexts(file, entry, kind.entry, ofOrder)
    const { value } = resolveEntry(file, entry, kind.entry)
    const count = value.kind === 'array' ? value.items.length : 0
    if (others.length + ofOrder.length > count) changes.set(kind.entry, arrayText([...others, ...ofOrder]))
  }
  return changes.size === 0 ? undefined : changedDictionary(entry.bytes, dictionaryOf(entry), changes)
}

/** /VRI with an entry for each signature; undefined when nothing in it changes. */
function entriesText(file: PdfFile, store: LocatedValue, keys: readonly string[], kept: readonly Kept[]): string | undefined {
  const entries = resolveEntry(file, store, 'VRI')
  const dictionary = dictionaryOf(entries)
  const changes = new Map<string, string>()
  for (const key of keys) {
    const text = entryText(file, resolveWithin(file, entries, dictionary.entries.get(key)), kept)
    if (text !== undefined) changes.set(key, text)
  }
  return changes.size === 0 ? undefined : changedDictionary(entries.bytes, dictionary, changes)
}

/**
 * The update: new streams, a new store that holds them and all that was held before, and the
 * catalog, of which /DSS alone changes. Undefined when the store has it all already. `signatures`
 * are keys of /VRI, see `computeVriKey`.
 * @throws PdfSyntaxError when the store of the file cannot be read, or the catalog cannot be
 * written anew
 */
export function makeDssUpdate(
  { file, catalog }: UpdatablePdf,
  material: Material,
  signatures: readonly string[],
): Uint8Array | undefined {
  const update = newUpdate(file)
  const edits = newEdits()
  const store = resolveEntry(file, catalog.dictionary, 'DSS')
  const kept = KINDS.map(kind => keep(file, update, store, kind, material))
  const entries = entriesText(file, store, signatures, kept)
  if (entries === undefined && kept.every(({ added }) => added === 0)) return undefined
  const changes = new Map([['Type', '/DSS']])
  if (entries !== undefined) changes.set('VRI', entries)
  for (const { kind, all, added } of kept) if (added > 0) changes.set(kind.store, arrayText(all))
  const number = update.allocate()
  update.put(number, changedDictionary(store.bytes, dictionaryOf(store), changes))
  edits.change(catalog, new Map([['DSS', reference(number)]]))
  edits.writeTo(update)
  return update.finish()
}
