/**
 * Finds revisions that no /Prev reaches: a reader that searches the file for startxref would show
 * them. ISO 32000-2 §7.5.5, §7.5.6, Annex F. A startxref inside an object, such as an attached PDF,
 * does not count.
 */

import { toLatin1 } from '../../lib/bytes.ts'
import { indexOfBytes } from '../../lib/primitives.ts'
import { type Remark, remark } from '../../locales/remarks.ts'
import { readAllOffsets } from './cross-reference.ts'
import type { PdfFile } from './file.ts'
import { readStreamAt } from './stream.ts'
import {
  type Cursor,
  type PdfDictionary,
  PdfSyntaxError,
  type PdfValue,
  readValue,
  skipSpace,
  takeInteger,
  takeKeyword,
} from './syntax.ts'

const STARTXREF = 'startxref'
const EOF = '%%EOF'
const MAX_ENDS = 10_000

function skipSpaceAt(bytes: Uint8Array, at: number): number {
  const cursor: Cursor = { bytes, at }
  skipSpace(cursor)
  return cursor.at
}

/** The offset after startxref and the end of %%EOF. Undefined if no revision ends here. */
function readEnd(bytes: Uint8Array, at: number): { offset: number; end: number } | undefined {
  const cursor: Cursor = { bytes, at: at + STARTXREF.length }
  const offset = takeInteger(cursor)
  if (offset === undefined) return undefined
  while ([0x20, 0x0d, 0x0a].includes(bytes[cursor.at] ?? 0)) cursor.at++
  const marker = toLatin1(bytes, cursor.at, cursor.at + EOF.length)
  return marker === EOF ? { offset, end: cursor.at + EOF.length } : undefined
}

/** Includes stream data. The offset itself if no object can be read there. */
function findObjectEnd(file: PdfFile, offset: number): number {
  const cursor: Cursor = { bytes: file.bytes, at: offset }
  if (takeInteger(cursor) === undefined || takeInteger(cursor) === undefined || !takeKeyword(cursor, 'obj')) return offset
  try {
    const value = readValue(cursor)
    if (value.kind !== 'dictionary') return cursor.at
    const length = file.resolve(value.entries.get('Length')).value
    const data = readStreamAt(file.bytes, cursor.at, length.kind === 'number' ? length.value : undefined)
    return data === undefined ? cursor.at : data.byteOffset - file.bytes.byteOffset + data.length
  } catch (error) {
    if (error instanceof PdfSyntaxError) return offset
    throw error
  }
}

/** The offsets asked for must ascend, so that each object is parsed once. */
class ObjectRanges {
  readonly #starts: Float64Array
  #next = 0
  #current = { start: -1, end: -1 }

  constructor(private readonly file: PdfFile) {
    this.#starts = Float64Array.from(readAllOffsets(file.bytes, file.crossReference)).sort()
  }

  contains(at: number): boolean {
    while (this.#next < this.#starts.length && (this.#starts[this.#next] ?? 0) <= at) this.#next++
    const start = this.#starts[this.#next - 1]
    if (start === undefined) return false
    if (start !== this.#current.start) this.#current = { start, end: findObjectEnd(this.file, start) }
    return this.#current.end > at
  }
}

/** The ends (after %%EOF) of revisions that /Prev does not reach. @throws PdfSyntaxError */
export function findUnreachedRevisions(file: PdfFile): number[] {
  const { bytes, crossReference } = file
  const reached = new Set(crossReference.sections.map(offset => skipSpaceAt(bytes, offset)))
  const unreached: number[] = []
  let objects: ObjectRanges | undefined
  let isFirst = true
  for (let at = indexOfBytes(bytes, STARTXREF), count = 0; at !== -1; at = indexOfBytes(bytes, STARTXREF, at + 1)) {
    const found = readEnd(bytes, at)
    if (found === undefined) continue
    if (++count > MAX_ENDS) throw new PdfSyntaxError(remark('more_revisions_than', { max: MAX_ENDS }))
    // The first section of a linearised file names offset 0, because the file ends with the other
    // one.
    const isFirstSection = isFirst && found.offset === 0 && crossReference.isLinearised
    isFirst = false
    if (isFirstSection || reached.has(skipSpaceAt(bytes, found.offset))) continue
    objects ??= new ObjectRanges(file)
    if (!objects.contains(at)) unreached.push(found.end)
  }
  return unreached
}

// Finds duplicate keys, which readers treat differently, in pages and form. ISO 32000-2 §7.3.7.

/** Of what is wrong with the structure of a file. */
export const MAX_REASONS = 12
/** References back to objects that were already visited. */
const PARENT_KEYS = new Set(['Parent', 'P'])
/** Readers ignore a wrong /Length and search for the end of the stream. */
const IGNORED_KEYS = new Set(['Length'])

interface Pending {
  value: PdfValue
  owner: Remark
}

function visitValue({ value, owner }: Pending, pending: Pending[], reasons: Remark[]): void {
  if (value.kind === 'array') for (const item of value.items) pending.push({ value: item, owner })
  if (value.kind !== 'dictionary') return
  for (const key of value.duplicateKeys) if (!IGNORED_KEYS.has(key)) reasons.push(remark('key_twice', { owner, key }))
  for (const [key, entry] of value.entries) if (!PARENT_KEYS.has(key)) pending.push({ value: entry, owner })
}

/** Returns sentences. Visits each object of the pages and the form once. */
export function findDuplicateKeys(file: PdfFile, catalog: PdfDictionary): Remark[] {
  const reasons: Remark[] = []
  const seen = new Set<number>()
  const pending: Pending[] = ['AcroForm', 'Pages'].flatMap(key => {
    const value = catalog.entries.get(key)
    return value === undefined ? [] : [{ value, owner: remark('entry_of_catalog', { key }) }]
  })
  for (let next = pending.pop(); next !== undefined && reasons.length < MAX_REASONS; next = pending.pop()) {
    const { value } = next
    if (value.kind !== 'reference') visitValue(next, pending, reasons)
    if (value.kind !== 'reference' || seen.has(value.number)) continue
    seen.add(value.number)
    const owner = remark('object_number', { number: value.number })
    try {
      pending.push({ value: file.resolve(value).value, owner })
    } catch (error) {
      if (!(error instanceof PdfSyntaxError)) throw error
      reasons.push(remark('shown_object_unreadable', { number: value.number, why: error.remark }))
    }
  }
  return reasons
}
