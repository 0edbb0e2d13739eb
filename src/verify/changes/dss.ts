/**
 * The document security store of a file: which objects it is made of, and the certificates and revocation proofs that stand in it.
 * ISO 32000-2 §12.8.4.3; EN 319 142-1 §5.4.2. Reads, judges nothing.
 */
import type { PdfFile } from '../../pdf/parser/file.ts'
import type { PdfDictionary, PdfValue } from '../../pdf/parser/syntax.ts'
import { eachReference, readObject, streamBytes } from './object-changes.ts'

export type Leaf = 'certificate' | 'OCSP response' | 'revocation list' | 'time-stamp'

export interface StoreShape {
  /** Objects that hold the structure: the store itself, its lists, its entries per signature. */
  containers: Set<number>
  /** The objects the lists lead to. */
  leaves: Map<number, Leaf>
  /** Every reference of the structure: the object it stands in, and the one it leads to. */
  edges: { from: number; to: number }[]
  /** What does not belong into a store; sentences without their end. */
  errors: string[]
}

const LISTS: Readonly<Record<string, Leaf>> = {
  Certs: 'certificate',
  OCSPs: 'OCSP response',
  CRLs: 'revocation list',
  Cert: 'certificate',
  OCSP: 'OCSP response',
  CRL: 'revocation list',
}
const MAX_LEAF_BYTES = 32 * 1024 * 1024
const MAX_ITEMS = 20_000

/** §7.3.10: a reference of another generation is one to nothing. */
export function isThere(file: PdfFile, { number, generation }: { number: number; generation: number }): boolean {
  const entry = file.crossReference.entries.get(number)
  if (entry === undefined || entry.kind === 'free') return false
  return (entry.kind === 'offset' ? entry.generation : 0) === generation
}

/** The shape of the store under /DSS of the catalog, which is object `root`; empty where there is none. */
export function readStoreShape(file: PdfFile, catalog: PdfDictionary, root: number): StoreShape {
  const shape: StoreShape = { containers: new Set(), leaves: new Map(), edges: [], errors: [] }

  /** A value of the structure, followed at most once, and the object it stands in. Nothing when it was looked at before. */
  function follow(value: PdfValue | undefined, owner: number): { value: PdfValue | undefined; owner: number } {
    if (value?.kind !== 'reference') return { value, owner }
    shape.edges.push({ from: owner, to: value.number })
    if (!isThere(file, value)) shape.errors.push(`the /DSS leads to object ${value.number}, which is not there`)
    if (shape.containers.has(value.number)) return { value: undefined, owner }
    shape.containers.add(value.number)
    return { value: readObject(file, value.number), owner: value.number }
  }

  function list(raw: PdfValue, holder: number, leaf: Leaf): void {
    const { value, owner } = follow(raw, holder)
    if (value === undefined) return
    if (value.kind !== 'array') shape.errors.push('the /DSS has a list that is no array')
    else for (const item of value.items) addLeaf(item, owner, leaf)
  }

  function addLeaf(item: PdfValue, owner: number, leaf: Leaf): void {
    if (item.kind !== 'reference' || shape.leaves.size > MAX_ITEMS) {
      shape.errors.push('the /DSS holds something that is no stream')
      return
    }
    shape.edges.push({ from: owner, to: item.number })
    if (!isThere(file, item)) shape.errors.push(`the /DSS leads to object ${item.number}, which is not there`)
    shape.leaves.set(item.number, leaf)
  }

  function lists(dictionary: PdfDictionary, owner: number, others: readonly string[]): void {
    for (const key of dictionary.duplicateKeys) shape.errors.push(`the /DSS has the key /${key} twice`)
    for (const [key, value] of dictionary.entries) {
      const leaf = LISTS[key]
      if (leaf !== undefined) list(value, owner, leaf)
      else if (key === 'TS') addLeaf(value, owner, 'time-stamp')
      else if (!others.includes(key)) {
        // A word of some other hand changes nothing, as long as it leads nowhere.
        eachReference(value, () => shape.errors.push(`the /DSS has the key /${key}, which leads to what does not belong there`))
      }
    }
  }

  const store = follow(catalog.entries.get('DSS'), root)
  if (store.value === undefined) return shape
  if (store.value.kind !== 'dictionary') return { ...shape, errors: ['the /DSS is no dictionary'] }
  lists(store.value, store.owner, ['Type', 'VRI'])
  const entries = follow(store.value.entries.get('VRI'), store.owner)
  if (entries.value?.kind !== 'dictionary') return shape
  for (const [key, raw] of entries.value.entries) {
    const entry = key === 'Type' ? undefined : follow(raw, entries.owner)
    if (entry?.value?.kind === 'dictionary') lists(entry.value, entry.owner, ['Type', 'TU'])
  }
  return shape
}

/** Decoded objects of stores by their places, for all revisions of a file: a later store holds most of an earlier one. */
const leavesOf = new WeakMap<object, Map<number, Uint8Array | undefined>>()

/** The bytes of an object of the store, the very same for each revision; undefined when it is no stream that can be read. */
function leafBytes(file: PdfFile, number: number): Uint8Array | undefined {
  const entry = file.crossReference.entries.get(number)
  if (entry?.kind !== 'offset') return undefined
  const known = leavesOf.get(file.sharedKey) ?? new Map<number, Uint8Array | undefined>()
  leavesOf.set(file.sharedKey, known)
  if (!known.has(entry.offset)) known.set(entry.offset, streamBytes(file, number, MAX_LEAF_BYTES))
  return known.get(entry.offset)
}

/** What the store holds, DER, by kind. `unreadable` counts objects that are no streams. */
export interface StoreContents {
  certificates: Uint8Array[]
  ocspResponses: Uint8Array[]
  revocationLists: Uint8Array[]
  unreadable: number
}

export function readStore(file: PdfFile): StoreContents {
  const contents: StoreContents = { certificates: [], ocspResponses: [], revocationLists: [], unreadable: 0 }
  const root = file.crossReference.trailer.entries.get('Root')
  const catalog = file.dictionary(root)
  if (root?.kind !== 'reference' || catalog === undefined) return contents
  for (const [number, leaf] of readStoreShape(file, catalog, root.number).leaves) {
    const bytes = leafBytes(file, number)
    if (bytes === undefined) contents.unreadable++
    else if (leaf === 'certificate') contents.certificates.push(bytes)
    else if (leaf === 'OCSP response') contents.ocspResponses.push(bytes)
    else if (leaf === 'revocation list') contents.revocationLists.push(bytes)
  }
  return contents
}
