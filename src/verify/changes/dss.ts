/** Reads the document security store (DSS). ISO 32000-2 §12.8.4.3; EN 319 142-1 §5.4.2. */
import { memoizePerObject } from '../../lib/lru-cache.ts'
import { type Remark, remark } from '../../locales/remarks.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import type { PdfDictionary, PdfValue } from '../../pdf/parser/syntax.ts'
import { readObject, refersTo, streamBytes } from './object-changes.ts'

/** As the codes that count them. */
export type DssObjectKind = 'dss_certificates' | 'dss_responses' | 'dss_lists' | 'dss_timestamps'

export interface DssStructure {
  /** Objects that form the structure: the DSS itself, its lists, its entries per signature. */
  containers: Set<number>
  /** The objects in the lists. */
  leaves: Map<number, DssObjectKind>
  /** Unexpected content; clauses. */
  errors: Remark[]
}

/** A Map, because the file may have the key `constructor`. */
const LISTS = new Map<string, DssObjectKind>([
  ['Certs', 'dss_certificates'],
  ['OCSPs', 'dss_responses'],
  ['CRLs', 'dss_lists'],
  ['Cert', 'dss_certificates'],
  ['OCSP', 'dss_responses'],
  ['CRL', 'dss_lists'],
])
const MAX_LEAF_BYTES = 32 * 1024 * 1024
const MAX_ITEMS = 20_000

/** §7.3.10: a reference with another generation refers to no object. */
export function exists(file: PdfFile, { number, generation }: { number: number; generation: number }): boolean {
  const entry = file.crossReference.entries.get(number)
  if (entry === undefined || entry.kind === 'free') return false
  return (entry.kind === 'offset' ? entry.generation : 0) === generation
}

class DssReader {
  readonly structure: DssStructure = { containers: new Set(), leaves: new Map(), errors: [] }
  readonly #file: PdfFile

  constructor(file: PdfFile) {
    this.#file = file
  }

  /** Follows a reference to a part of the structure; undefined if it was followed before. */
  follow(value: PdfValue | undefined): PdfValue | undefined {
    if (value?.kind !== 'reference') return value
    this.#checkTarget(value)
    if (this.structure.containers.has(value.number)) return undefined
    this.structure.containers.add(value.number)
    return readObject(this.#file, value.number)
  }

  readLists({ duplicateKeys, entries }: PdfDictionary, otherKeys: readonly string[]): void {
    const { errors } = this.structure
    for (const key of duplicateKeys) errors.push(remark('dss_key_twice', { key }))
    for (const [key, value] of entries) {
      const kind = LISTS.get(key)
      if (kind !== undefined) this.#readList(value, kind)
      else if (key === 'TS') this.#addLeaf(value, 'dss_timestamps')
      // An unknown key has no effect unless it refers to objects.
      else if (!otherKeys.includes(key) && refersTo(value, () => true)) errors.push(remark('dss_key_unexpected', { key }))
    }
  }

  #checkTarget(reference: { number: number; generation: number }): void {
    if (!exists(this.#file, reference)) this.structure.errors.push(remark('dss_object_missing', { number: reference.number }))
  }

  #readList(raw: PdfValue, kind: DssObjectKind): void {
    const value = this.follow(raw)
    if (value === undefined) return
    if (value.kind !== 'array') this.structure.errors.push(remark('dss_list_not_an_array'))
    else for (const item of value.items) this.#addLeaf(item, kind)
  }

  #addLeaf(item: PdfValue, kind: DssObjectKind): void {
    const { leaves, errors } = this.structure
    if (item.kind !== 'reference' || leaves.size > MAX_ITEMS) {
      errors.push(remark('dss_item_not_a_stream'))
      return
    }
    this.#checkTarget(item)
    leaves.set(item.number, kind)
  }
}

/** The structure under /DSS of the catalog; empty if there is none. */
export function readDssStructure(file: PdfFile, catalog: PdfDictionary): DssStructure {
  const reader = new DssReader(file)
  const { structure } = reader
  const dss = reader.follow(catalog.entries.get('DSS'))
  if (dss === undefined) return structure
  if (dss.kind !== 'dictionary') return { ...structure, errors: [remark('dss_not_a_dictionary')] }
  reader.readLists(dss, ['Type', 'VRI'])
  const perSignature = reader.follow(dss.entries.get('VRI'))
  if (perSignature?.kind !== 'dictionary') return structure
  for (const [key, raw] of perSignature.entries) {
    const entry = key === 'Type' ? undefined : reader.follow(raw)
    if (entry?.kind === 'dictionary') reader.readLists(entry, ['Type', 'TU'])
  }
  return structure
}

/** By offset, for all revisions of a file: a later DSS contains most of an earlier one. */
const decodedLeaves = memoizePerObject<object, Map<number, Uint8Array | undefined>>(() => new Map())

function readLeaf(file: PdfFile, number: number): Uint8Array | undefined {
  const entry = file.crossReference.entries.get(number)
  if (entry?.kind !== 'offset') return undefined
  const known = decodedLeaves(file.sharedKey)
  if (!known.has(entry.offset)) known.set(entry.offset, streamBytes(file, number, MAX_LEAF_BYTES))
  return known.get(entry.offset)
}

/** The content of the DSS, DER. `unreadable` counts objects that are not readable streams. */
export interface DssContents {
  certificates: Uint8Array[]
  ocspResponses: Uint8Array[]
  revocationLists: Uint8Array[]
  unreadable: number
}

export function readDss(file: PdfFile): DssContents {
  const contents: DssContents = { certificates: [], ocspResponses: [], revocationLists: [], unreadable: 0 }
  const root = file.crossReference.trailer.entries.get('Root')
  const catalog = file.dictionary(root)
  if (root?.kind !== 'reference' || catalog === undefined) return contents
  for (const [number, kind] of readDssStructure(file, catalog).leaves) {
    const bytes = readLeaf(file, number)
    if (bytes === undefined) contents.unreadable++
    else if (kind === 'dss_certificates') contents.certificates.push(bytes)
    else if (kind === 'dss_responses') contents.ocspResponses.push(bytes)
    else if (kind === 'dss_lists') contents.revocationLists.push(bytes)
  }
  return contents
}
