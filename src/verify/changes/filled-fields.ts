/**
 * Form fields that were empty when the document was signed and are filled in by an update, signature fields among them: the author gave them their place.
 * A value that was there is never replaced rightly, nor is what a field shows without its value. ISO 32000-2 §12.7, §12.8.2.2, table 257.
 */
import { type PdfDictionary, type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { DRAWN_BY_ANYBODY, drawsNothing, takeSignature } from './added-fields.ts'
import { shownBy, showsAnother } from './appearance.ts'
import { fieldKind, fieldName, fieldsOf, inherited, isEmpty, onlyHarmlessFlags, onlyLocks } from './form-fields.ts'
import { differingKeys, eachReference, isWithoutStream, nameOf, readObject, sameValue } from './object-changes.ts'
import type { RevisionStep } from './revision-step.ts'

/** What filling in a field may change: its value, how it looks, when it was changed. */
const FILLED_KEYS = new Set(['V', 'AP', 'AS', 'I', 'RV', 'M', 'MK', 'DR', 'F', 'Ff'])
const WIDGET_KEYS = new Set(['AP', 'AS', 'M', 'MK', 'F'])
const MAX_TREE = 10_000

interface Changed {
  number: number
  was: PdfDictionary
  is: PdfDictionary
  keys: readonly string[]
}

/** Fields and widgets that were changed. */
function changedFields(step: RevisionStep): Changed[] {
  return [...step.unexplained].flatMap(number => {
    const [was, is] = [readObject(step.before, number), readObject(step.after, number)]
    if (was?.kind !== 'dictionary' || is?.kind !== 'dictionary' || is.duplicateKeys.length > 0) return []
    // What is said to be a field and stands in no form is something else to readers.
    if (!fieldsOf(step.before).has(number) || !isWithoutStream(step.after, number)) return []
    return [{ number, was, is, keys: differingKeys(was, is) }]
  })
}

function hasOddFlags({ was, is }: Changed): boolean {
  return !onlyHarmlessFlags(was.entries.get('F'), is.entries.get('F')) || !onlyLocks(was.entries.get('Ff'), is.entries.get('Ff'))
}

/** The appearance streams of a filled field that were there already, empty, and are written anew; only its widgets may lead to them. */
function explainAppearances(step: RevisionStep, value: PdfValue | undefined, widgets: ReadonlySet<number>): void {
  const waiting = value === undefined ? [] : [value]
  for (let count = 0; waiting.length > 0 && count < MAX_TREE; count++) {
    const next = waiting.pop()
    if (next === undefined) continue
    eachReference(next, number => {
      if (!step.unexplained.has(number)) return
      const object = readObject(step.after, number)
      if (object === undefined) return
      const isOwn = step.referrers(number).every(one => widgets.has(one))
      if (step.isNew(number)) step.takeNew(number)
      else if (isOwn && object.kind === 'dictionary' && nameOf(object.entries.get('Subtype')) === 'Form')
        step.unexplained.delete(number)
      else return
      waiting.push(object)
    })
  }
}

function explainSignature(step: RevisionStep, field: Changed): boolean {
  if (inherited(step.before, field.was, 'V') !== undefined || !field.keys.includes('V')) return false
  const kind = takeSignature(step, field.is.entries.get('V'))
  if (kind === undefined) return false
  const name = fieldName(step.after, field.is)
  const widgets = step.after.items(field.is.entries.get('Kids')).flatMap(kid => (kid.kind === 'reference' ? [kid.number] : []))
  if (kind === 'document time-stamp' && ![field.number, ...widgets].every(number => drawsNothing(step, number)))
    step.problems.push(`the form field "${name}" ${DRAWN_BY_ANYBODY}`)
  step.found.push(`was added: the ${kind} "${name}"`)
  step.fields.push({ name, what: `the ${kind} "${name}" was added` })
  return true
}

/** What the field showed without a value was shown to who signed. A list shows its options, whatever is chosen. */
function replacesShown({ before, after }: RevisionStep, { was, is: filled }: Changed): boolean {
  const widgets = before.items(was.entries.get('Kids')).map(kid => [before.dictionary(kid), after.dictionary(kid)] as const)
  return [[was, filled] as const, ...widgets].some(([old, now]) => {
    if (old === undefined || !showsAnother(before, old)) return false
    const [shown, is] = [shownBy(before, old), now === undefined ? undefined : shownBy(after, now)]
    return fieldKind(before, was) !== 'Ch' || shown.text !== is?.text || shown.isPicture !== is.isPicture
  })
}

function explainValue(step: RevisionStep, field: Changed): boolean {
  if (!field.keys.includes('V') || !isEmpty(step.before, field.was) || replacesShown(step, field)) return false
  const name = fieldName(step.after, field.is)
  const before = textOf(step.before.resolve(inherited(step.before, field.was, 'V')).value)
  const words = before === '' ? '' : `, which was "${before}" by default`
  step.found.push(`was filled in: the form field "${name}"${words}`)
  step.fields.push({ name, what: `the form field "${name}" was filled in` })
  return true
}

/** Nothing but flags that forbid more than before. */
const isLockedOnly = ({ keys }: Changed): boolean => keys.every(key => ['F', 'Ff', 'M'].includes(key))

/** Fields that were filled in. Gives the numbers of those that are signature fields: their pages may list them anew. */
export function explainFilled(step: RevisionStep): number[] {
  if (step.permission === 1) return []
  const changed = changedFields(step).filter(one => !hasOddFlags(one))
  const filled = new Set<number>()
  const signed: number[] = []
  for (const field of changed) {
    const kind = fieldKind(step.before, field.was)
    if (kind === '' || field.keys.some(key => !FILLED_KEYS.has(key))) continue
    const isExplained = isLockedOnly(field) || (kind === 'Sig' ? explainSignature(step, field) : explainValue(step, field))
    if (!isExplained) continue
    step.unexplained.delete(field.number)
    if (isLockedOnly(field)) continue
    filled.add(field.number)
    if (kind === 'Sig') signed.push(field.number)
  }
  const widgets = changed.filter(({ was, is, keys, number }) => {
    const parent = was.entries.get('Parent')
    const isKid = parent?.kind === 'reference' && filled.has(parent.number) && sameValue(parent, is.entries.get('Parent'))
    return filled.has(number) || (isKid && !was.entries.has('T') && keys.every(key => WIDGET_KEYS.has(key)))
  })
  const owners = new Set(widgets.map(({ number }) => number))
  for (const { number, is } of widgets) {
    step.unexplained.delete(number)
    for (const key of ['AP', 'MK', 'DR']) explainAppearances(step, is.entries.get(key), owners)
  }
  return signed
}
