/**
 * Arrays that an update extends: the fields of a form, the annotations of a page. ISO 32000-2
 * §12.5.2, §12.7.3.
 */
import type { PdfValue } from '../../pdf/parser/syntax.ts'
import { sameValue } from './object-changes.ts'
import type { UpdateCheck } from './update-check.ts'

/**
 * Returns the new items of an array that keeps all earlier items in their order; undefined if it
 * does not. With `isStrict`, new items may only follow the earlier ones.
 */
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

/**
 * Accepts an array that is an object of its own: a new one, or the same one if only its owner
 * refers to it.
 */
export function acceptArray(update: UpdateCheck, old: PdfValue | undefined, now: PdfValue | undefined, owner: number): void {
  if (now?.kind !== 'reference') return
  if (old?.kind !== 'reference' || old.number !== now.number) update.acceptNew(now.number)
  else if (update.referrers(now.number).every(one => one === owner)) update.accept(now.number)
}
