/** Arrays that an update makes longer: the fields of a form, the annotations of a page. ISO 32000-2 §12.5.2, §12.7.3. */
import type { PdfValue } from '../../pdf/parser/syntax.ts'
import { sameValue } from './object-changes.ts'
import type { RevisionStep } from './revision-step.ts'

/** The new items of an array that has all of before in their order; undefined when it has not. In the strict case they stand behind them. */
export function addedItems(
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

/** An array that is an object of its own may be a new one, or grow in its place when only its owner leads to it. */
export function explainArray(step: RevisionStep, old: PdfValue | undefined, now: PdfValue | undefined, owner: number): void {
  if (now?.kind !== 'reference') return
  if (old?.kind !== 'reference' || old.number !== now.number) step.takeNew(now.number)
  else if (step.referrers(now.number).every(one => one === owner)) step.unexplained.delete(now.number)
}
