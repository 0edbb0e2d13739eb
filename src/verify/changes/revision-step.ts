/**
 * One incremental update while it is judged: what changed, who referred to it before, and what is still unexplained. ISO 32000-2 §7.5.6, §12.8.2.2.
 * The rules stand in the modules that explain changes.
 */
import type { PdfFile } from '../../pdf/parser/file.ts'
import type { Permission } from '../../pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError } from '../../pdf/parser/syntax.ts'
import { type Compressed, changedNumbers, type References, referrersOf, TRAILER } from './object-changes.ts'

/** A change of a form field, to be held against the fields that a signature locks (§12.8.2.4). */
export interface FieldChange {
  name: string
  /** The change as a clause: `the signature "A" was added`. */
  what: string
}

/** Functions that find a change allowed take its numbers out of `unexplained`. */
export interface RevisionStep {
  before: PdfFile
  after: PdfFile
  oldCatalog: PdfDictionary
  newCatalog: PdfDictionary
  /** Object number of the catalog. */
  root: number
  /** That of the catalog before, too. */
  roots: readonly number[]
  permission: Permission
  changed: ReadonlySet<number>
  unexplained: Set<number>
  /** True when the number is new in this update and nothing outside of the store has led to it. */
  isNew(number: number): boolean
  /** True, and the object explained, when it is new. A number that something led to already is a problem. */
  takeNew(number: number): boolean
  /** The objects that referred to an object in the earlier revisions; those of the security store do not count. */
  referrers(number: number): readonly number[]
  /** Sentences without their end. */
  problems: string[]
  /** What was found and is allowed, in words. */
  found: string[]
  fields: FieldChange[]
  /** Area that the update lays over each page, by the page's object number. */
  covered: Map<number, number>
}

/** Grows with each update: references once there stay counted, for an object that was taken away may come back. */
export interface Known {
  references: References
  /** Objects that hold the structure of the security store. */
  store: Set<number>
  compressed: Compressed
}

export function rootOf(file: PdfFile): { number: number; catalog: PdfDictionary } {
  const root = file.crossReference.trailer.entries.get('Root')
  const catalog = file.dictionary(root)
  if (root?.kind !== 'reference' || catalog === undefined) throw new PdfSyntaxError('it has no catalog')
  return { number: root.number, catalog }
}

/** Those that refer to an object and are not merely a part of the store. */
function outsideReferrers({ references, store }: Known, number: number): number[] {
  const isStoreAlone = (one: number) => store.has(one) && referrersOf(references, one).every(holder => store.has(holder))
  return referrersOf(references, number).filter(one => !isStoreAlone(one))
}

/** What is the same for every permission, found once for each update. */
export interface Change {
  before: PdfFile
  after: PdfFile
  changed: ReadonlySet<number>
}

export const newChange = (before: PdfFile, after: PdfFile, known: Known): Change => ({
  before,
  after,
  changed: changedNumbers(before, after, known.compressed),
})

export function newRevisionStep({ before, after, changed }: Change, known: Known, permission: Permission): RevisionStep {
  const unexplained = new Set(changed)
  const problems: string[] = []
  // What a trailer leads to beside the catalog, no page shows.
  const referrers = (number: number) => outsideReferrers(known, number).filter(one => permission === 1 || one !== TRAILER)
  const isUnused = (number: number) => changed.has(number) && !before.crossReference.entries.has(number)
  return {
    before,
    after,
    oldCatalog: rootOf(before).catalog,
    newCatalog: rootOf(after).catalog,
    root: rootOf(after).number,
    roots: [rootOf(before).number, rootOf(after).number],
    permission,
    changed,
    unexplained,
    problems,
    found: [],
    fields: [],
    covered: new Map(),
    referrers,
    isNew: number => isUnused(number) && referrers(number).length === 0,
    takeNew(number) {
      if (!isUnused(number)) return false
      if (referrers(number).length > 0) {
        problems.push(`object ${number}, to which the signed revision led already though it was not there, was given a content`)
        return false
      }
      unexplained.delete(number)
      return true
    },
  }
}
