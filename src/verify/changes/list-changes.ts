/** Compares lists that an update may extend. ISO 32000-2 §12.5.2, §12.7.3. */
import type { PdfValue } from '../../pdf/parser/syntax.ts'
import { sameValue } from './object-changes.ts'
import type { UpdateCheck } from './update-check.ts'

/** Undefined unless the earlier items keep their order; with `isStrict`, they must come first. */
export function findAddedItems(
  before: readonly PdfValue[],
  after: readonly PdfValue[],
  { isStrict }: { isStrict: boolean },
): readonly PdfValue[] | undefined {
  if (isStrict) return before.every((item, i) => sameValue(item, after[i])) ? after.slice(before.length) : undefined
  let kept = 0
  const added = after.filter(item => {
    if (kept === before.length || !sameValue(before[kept], item)) return true
    kept++
    return false
  })
  return kept === before.length ? added : undefined
}

/** Accepts an array object if it is new or only its owner refers to it. */
export function acceptArray(update: UpdateCheck, old: PdfValue | undefined, now: PdfValue | undefined, owner: number): void {
  if (now?.kind !== 'reference') return
  if (old?.kind !== 'reference' || old.number !== now.number) update.acceptNew(now.number)
  else if (update.referrers(now.number).every(one => one === owner)) update.accept(now.number)
}

// What the report says of a change that a reader of the document can see or hear.

/** A permitted change after a signature that a reader of the document can see. */
export interface VisibleChange {
  kind: 'field' | 'comment' | 'signature' | 'property'
  /** The revision that made it, from 1. */
  revision: number
  /** The name of the field, the type of the comment (ISO 32000-2 table 171), or the property. */
  name: string
  /** The text of a field or property before and after; null for others. */
  before: string | null
  after: string | null
  /** From 1; null if no page shows it. */
  page: number | null
}
