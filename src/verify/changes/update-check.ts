/** The state of the check of one update: rules accept objects or note violations. */
import { type Remark, remark } from '../../locales/remarks.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import type { Page } from '../../pdf/parser/page.ts'
import type { Permission } from '../../pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError } from '../../pdf/parser/syntax.ts'
import type { Rectangle } from './form-fields.ts'
import type { VisibleChange } from './list-changes.ts'
import { type CompressedObjects, type References, readObject, referrersOf, TRAILER } from './object-changes.ts'
import { MarkIndex, type Surface } from './painted/page-surface.ts'

/** A change of a form field, to be compared with the fields that a signature locks (§12.8.2.4). */
export interface FieldChange {
  name: string
  /** The change as a clause: `the signature "A" was added`. */
  clause: Remark
}

/** What the check of a chain of updates knows. Grows with each update. */
export interface ChainState {
  /** References are never removed: an update may restore an object that an earlier one freed. */
  references: References
  /** Objects that form the structure of the DSS. */
  dss: Set<number>
  compressed: CompressedObjects
  /** The first signed revision of the chain. */
  signed: PdfFile
  /** What accepted updates added to pages under one permission. */
  painted: Map<Permission, PaintedPages>
}

/** What all updates together have added to each page, by the page's object number. */
export interface PaintedPages {
  /** In square points. */
  areas: Map<number, number>
  comments: Map<number, PaintedComment[]>
}

/** A comment that is drawn over the text of a page. */
export interface PaintedComment {
  area: Rectangle
  /** Of a highlight: the part of the light that it leaves, from 0 to 1. */
  luminance: number
}

export function readCatalog(file: PdfFile): { number: number; catalog: PdfDictionary } {
  const root = file.crossReference.trailer.entries.get('Root')
  const catalog = file.dictionary(root)
  if (root?.kind !== 'reference' || catalog === undefined) throw new PdfSyntaxError(remark('catalog_missing'))
  return { number: root.number, catalog }
}

/** Two successive revisions and the objects that differ. */
export interface RevisionPair {
  before: PdfFile
  after: PdfFile
  changed: ReadonlySet<number>
}

export class UpdateCheck {
  readonly before: PdfFile
  readonly after: PdfFile
  readonly oldCatalog: PdfDictionary
  readonly newCatalog: PdfDictionary
  /** Object number of the catalog. */
  readonly root: number
  /** With the object number of the earlier catalog. */
  readonly roots: readonly number[]
  readonly permission: Permission
  readonly changed: ReadonlySet<number>
  /** Changed objects that no rule has accepted yet. */
  readonly pending: Set<number>
  /** Changes that are not allowed; clauses. */
  readonly violations: Remark[] = []
  /** Allowed changes, as predicates of the revision: `added the signature "A"`. */
  readonly additions: Remark[] = []
  /** Those of them that a reader of the document can see. */
  readonly changes: VisibleChange[] = []
  readonly fieldChanges: FieldChange[] = []
  readonly #added = new Map<number, MarkIndex>()
  readonly #state: ChainState

  /** @throws PdfSyntaxError if a revision has no catalog */
  constructor({ before, after, changed }: RevisionPair, state: ChainState, permission: Permission) {
    const [old, now] = [readCatalog(before), readCatalog(after)]
    this.before = before
    this.after = after
    this.oldCatalog = old.catalog
    this.newCatalog = now.catalog
    this.root = now.number
    this.roots = [old.number, now.number]
    this.permission = permission
    this.changed = changed
    this.pending = new Set(changed)
    this.#state = state
  }

  get painted(): PaintedPages {
    const found = this.#state.painted.get(this.permission) ?? { areas: new Map(), comments: new Map() }
    this.#state.painted.set(this.permission, found)
    return found
  }

  get signed(): PdfFile {
    return this.#state.signed
  }

  /** What the page shows before the update, and what the update has added so far. */
  surface(page: Page): Surface {
    const added = this.#added.get(page.number) ?? new MarkIndex()
    this.#added.set(page.number, added)
    return { signed: this.#state.signed, before: this.before, page, added }
  }

  /** The objects that refer to an object in the earlier revisions, without those of the DSS. */
  referrers(number: number): readonly number[] {
    const { references, dss } = this.#state
    const isDssAlone = (one: number) => dss.has(one) && referrersOf(references, one).every(holder => dss.has(holder))
    // No page shows what a trailer refers to, except through the catalog.
    const counts = (one: number) => !isDssAlone(one) && (this.permission === 1 || one !== TRAILER)
    return referrersOf(references, number).filter(counts)
  }

  accept(number: number): void {
    this.pending.delete(number)
  }

  #isNewNumber(number: number): boolean {
    return this.changed.has(number) && !this.before.crossReference.entries.has(number)
  }

  /** True if the number is new in this update and no earlier object refers to it. */
  isNew(number: number): boolean {
    return this.#isNewNumber(number) && this.referrers(number).length === 0
  }

  /** An earlier reference to the new object is a violation. */
  acceptNew(number: number): boolean {
    if (!this.#isNewNumber(number)) return false
    if (this.referrers(number).length > 0) {
      this.violations.push(remark('object_added_to_reference', { number }))
      return false
    }
    this.accept(number)
    return true
  }

  /** Undefined unless the object is a dictionary before and after the update. */
  dictionaries(number: number): { was: PdfDictionary; is: PdfDictionary } | undefined {
    const [was, is] = [readObject(this.before, number), readObject(this.after, number)]
    return was?.kind === 'dictionary' && is?.kind === 'dictionary' ? { was, is } : undefined
  }
}
