/** Reads name trees and number trees as lists. ISO 32000-2 §7.9.6, §7.9.7. */
import { createHash, type Hash } from 'node:crypto'
import { remark } from '../../locales/remarks.ts'
import { type LocatedValue, type PdfFile, resolveEntry, resolveWithin } from '../parser/file.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue } from '../parser/syntax.ts'
import { readStreamData } from '../writer/import-objects.ts'
import { formatName, verbatim } from '../writer/object-changes.ts'

/** Entries and nodes of one tree. */
const MAX_NODES = 200_000

/** Larger numbers cannot be written as PDF integers (annex C.2), and no file needs them. */
const MAX_INTEGER = 1_000_000_000

/** Undefined unless it is an integer from 0 that can be written again. */
export function naturalNumber(value: PdfValue): number | undefined {
  const isNatural = value.kind === 'number' && value.integer && value.value >= 0 && value.value <= MAX_INTEGER
  return isNatural ? value.value : undefined
}

export interface TreeEntry {
  key: PdfValue
  /** May be a reference. */
  value: LocatedValue
}

/** In order. @throws PdfSyntaxError for a tree that is too large */
export function readTree(file: PdfFile, root: LocatedValue, leaf: 'Names' | 'Nums'): TreeEntry[] {
  const seen = new Set<number>()
  const found: TreeEntry[] = []
  const pending = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const raw of resolveEntries(file, node, 'Kids').items.toReversed()) {
      if (raw.kind !== 'reference' || seen.has(raw.number)) continue
      seen.add(raw.number)
      pending.push(file.resolve(raw))
    }
    found.push(...entriesOf(file, node, leaf))
    if (found.length + seen.size > MAX_NODES) throw new PdfSyntaxError(remark('too_many_tree_entries'))
  }
  return found
}

function resolveEntries(file: PdfFile, node: LocatedValue, key: string): { array: LocatedValue; items: readonly PdfValue[] } {
  const array = resolveEntry(file, node, key)
  return { array, items: array.value.kind === 'array' ? array.value.items : [] }
}

function entriesOf(file: PdfFile, node: LocatedValue, leaf: 'Names' | 'Nums'): TreeEntry[] {
  const { array, items } = resolveEntries(file, node, leaf)
  const found: TreeEntry[] = []
  for (let i = 0; i + 1 < items.length; i += 2) {
    const value = items[i + 1]
    if (value !== undefined) found.push({ key: resolveWithin(file, array, items[i]).value, value: { ...array, value } })
  }
  return found
}

// Compares values of several PDFs by their content.

/** Equal for resources of equal content, whatever their object numbers. */
export function fingerprint(file: PdfFile, located: LocatedValue): string {
  return new Fingerprint(file).of(located)
}

/** Each object is read once and later named by its place, so that loops of references end. */
class Fingerprint {
  readonly #file: PdfFile
  readonly #hash: Hash = createHash('sha256')
  readonly #places = new Map<string, number>()
  readonly #pending: LocatedValue[] = []

  constructor(file: PdfFile) {
    this.#file = file
  }

  of(located: LocatedValue): string {
    this.#pending.push(located)
    // The array grows while it is read: what an object refers to comes after it.
    for (const next of this.#pending) this.#add(next)
    return this.#hash.digest('hex')
  }

  #add(located: LocatedValue): void {
    const { value, bytes } = located
    this.#text(value.kind)
    if (value.kind === 'reference') this.#addReference(value)
    else if (value.kind === 'array') {
      this.#text(String(value.items.length))
      for (const item of value.items) this.#add({ ...located, value: item })
    } else if (value.kind === 'dictionary') this.#addDictionary(located, value)
    else this.#bytes(bytes.subarray(value.start, value.end))
  }

  #addReference(reference: Extract<LocatedValue['value'], { kind: 'reference' }>): void {
    const key = `${reference.number} ${reference.generation}`
    const place = this.#places.get(key) ?? this.#places.size
    this.#text(String(place))
    if (this.#places.has(key)) return
    this.#places.set(key, place)
    this.#pending.push(this.#file.resolve(reference))
  }

  #addDictionary(located: LocatedValue, { entries }: PdfDictionary): void {
    this.#text(String(entries.size))
    for (const [key, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
      this.#text(formatName(key))
      this.#add({ ...located, value })
    }
    this.#bytes(readStreamData(this.#file, located) ?? new Uint8Array())
  }

  #text(text: string): void {
    this.#hash.update(`${text} `)
  }

  /** With their number, so that two texts in a row differ from one. */
  #bytes(bytes: Uint8Array): void {
    this.#text(String(bytes.length))
    this.#hash.update(bytes)
  }
}

// The names in a structure tree that mean something in one file only. ISO 32000-2 §14.7.

/** How the structure of a file differs in the joined one. */
export interface StructureNames {
  /** Added to the keys of structure parents. */
  offset: number
  /** Put before the identifiers of elements. */
  idPrefix: string
  /** New names by old ones. */
  roles: ReadonlyMap<string, string>
  classes: ReadonlyMap<string, string>
}

export const formatBytes = (bytes: Uint8Array): string => `<${Buffer.from(bytes).toString('hex')}>`
export const prefixed = (bytes: Uint8Array, prefix: string): Buffer => Buffer.concat([Buffer.from(prefix), bytes])

/** The new text of an entry of an element, or of the header cells of a table (§14.8.5.7). */
export function formatStructureEntry(
  file: PdfFile,
  key: string,
  value: LocatedValue,
  owner: PdfDictionary,
  { idPrefix, roles, classes }: StructureNames,
): string | undefined {
  const located = resolveWithin(file, value, value.value)
  const formatId = (id: PdfValue) => (id.kind === 'string' ? formatBytes(prefixed(id.value, idPrefix)) : 'null')
  if (key === 'Headers' && idPrefix !== '' && located.value.kind === 'array')
    return `[${located.value.items.map(item => formatId(file.resolve(item).value)).join(' ')}]`
  const isElement = owner.entries.has('S') && owner.entries.has('P')
  if (!isElement) return undefined
  if (key === 'ID' && idPrefix !== '' && located.value.kind === 'string') return formatId(located.value)
  if (key === 'S') return renamed(located.value, roles)
  return key === 'C' && classes.size > 0 ? formatClasses(file, located, classes) : undefined
}

function renamed(value: PdfValue, names: ReadonlyMap<string, string>): string | undefined {
  const name = value.kind === 'name' ? names.get(value.value) : undefined
  return name === undefined ? undefined : formatName(name)
}

/** A class, or an array of classes and revision numbers (§14.7.6.2). */
function formatClasses(file: PdfFile, located: LocatedValue, classes: ReadonlyMap<string, string>): string | undefined {
  if (located.value.kind !== 'array') return renamed(located.value, classes)
  const items = located.value.items.map(item => resolveWithin(file, located, item))
  return `[${items.map(item => renamed(item.value, classes) ?? verbatim(item)).join(' ')}]`
}
