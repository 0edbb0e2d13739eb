/** Accepts unfilled form fields that are filled in, also with signatures. ISO 32000-2 §12.7. */
import { type PdfDictionary, type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { acceptSignature, drawsNothing, VISIBLE_TIMESTAMP } from './added-fields.ts'
import { differsFromValue, shownBy } from './appearance.ts'
import {
  addsAtMostReadOnly,
  fieldName,
  fieldType,
  findFields,
  inherited,
  isUnfilled,
  onlyHarmlessFlagChanges,
} from './form-fields.ts'
import { differingKeys, eachReference, hasNoStream, nameOf, readObject, sameValue } from './object-changes.ts'
import type { UpdateCheck } from './update-check.ts'

/** The entries that filling in a field may change: value, appearance, time of the change. */
const FIELD_KEYS = new Set(['V', 'AP', 'AS', 'I', 'RV', 'M', 'MK', 'DR', 'F', 'Ff'])
const WIDGET_KEYS = new Set(['AP', 'AS', 'M', 'MK', 'F'])
const LOCK_KEYS = ['F', 'Ff', 'M']
const MAX_TREE = 10_000

interface ChangedField {
  number: number
  was: PdfDictionary
  is: PdfDictionary
  keys: readonly string[]
}

/** Finds changed fields and widgets whose flags may be as they are now. */
function findChangedFields(update: UpdateCheck): ChangedField[] {
  return [...update.pending].flatMap(number => {
    const pair = update.dictionaries(number)
    if (pair === undefined || pair.is.duplicateKeys.length > 0) return []
    // Outside the form, PDF readers treat an object with a field's entries as something else.
    if (!findFields(update.before).has(number) || !hasNoStream(update.after, number)) return []
    const { was, is } = pair
    const hasAllowedFlags =
      onlyHarmlessFlagChanges(was.entries.get('F'), is.entries.get('F')) &&
      addsAtMostReadOnly(was.entries.get('Ff'), is.entries.get('Ff'))
    return hasAllowedFlags ? [{ number, was, is, keys: differingKeys(was, is) }] : []
  })
}

/** Accepts new appearances, and rewritten ones if only `widgets` refer to them. */
function acceptAppearances(update: UpdateCheck, value: PdfValue | undefined, widgets: ReadonlySet<number>): void {
  const waiting = value === undefined ? [] : [value]
  const acceptAppearance = (number: number): void => {
    if (!update.pending.has(number)) return
    const object = readObject(update.after, number)
    if (object === undefined) return
    const isForm = object.kind === 'dictionary' && nameOf(object.entries.get('Subtype')) === 'Form'
    const isOwn = isForm && update.referrers(number).every(one => widgets.has(one))
    if (!update.isNew(number) && !isOwn) return
    update.accept(number)
    waiting.push(object)
  }
  for (let count = 0; waiting.length > 0 && count < MAX_TREE; count++) {
    const next = waiting.pop()
    if (next !== undefined) eachReference(next, acceptAppearance)
  }
}

function isSigned(update: UpdateCheck, field: ChangedField): boolean {
  if (inherited(update.before, field.was, 'V') !== undefined || !field.keys.includes('V')) return false
  const kind = acceptSignature(update, field.is.entries.get('V'))
  if (kind === undefined) return false
  const name = fieldName(update.after, field.is)
  const widgets = update.after.items(field.is.entries.get('Kids')).flatMap(kid => (kid.kind === 'reference' ? [kid.number] : []))
  if (kind === 'document time-stamp' && ![field.number, ...widgets].every(number => drawsNothing(update, number)))
    update.violations.push(`the form field "${name}" ${VISIBLE_TIMESTAMP}`)
  update.additions.push(`added the ${kind} "${name}"`)
  update.fieldChanges.push({ name, text: `the ${kind} "${name}" was added` })
  return true
}

/** Content that an unfilled field shows was signed. A list always shows its options. */
function replacesShownContent({ before, after }: UpdateCheck, { was, is }: ChangedField): boolean {
  const widgets = before.items(was.entries.get('Kids')).map(kid => [before.dictionary(kid), after.dictionary(kid)] as const)
  return [[was, is] as const, ...widgets].some(([old, now]) => {
    if (old === undefined || !differsFromValue(before, old)) return false
    const [oldContent, newContent] = [shownBy(before, old), now === undefined ? undefined : shownBy(after, now)]
    const isSame = oldContent.text === newContent?.text && oldContent.hasImage === newContent.hasImage
    return fieldType(before, was) !== 'Ch' || !isSame
  })
}

function isFilled(update: UpdateCheck, field: ChangedField): boolean {
  if (!field.keys.includes('V') || !isUnfilled(update.before, field.was) || replacesShownContent(update, field)) return false
  const name = fieldName(update.after, field.is)
  const before = textOf(update.before.resolve(inherited(update.before, field.was, 'V')).value)
  update.additions.push(`filled in the form field "${name}"${before === '' ? '' : `, whose default value was "${before}"`}`)
  update.fieldChanges.push({ name, text: `the form field "${name}" was filled in` })
  return true
}

/** Only flags changed, and they forbid more than before. */
const isOnlyLocked = ({ keys }: ChangedField): boolean => keys.every(key => LOCK_KEYS.includes(key))

/** Accepts the field if it was filled in, signed or locked. Returns which. */
function acceptField(update: UpdateCheck, field: ChangedField): 'filled' | 'signed' | 'locked' | undefined {
  const type = fieldType(update.before, field.was)
  if (type === '' || field.keys.some(key => !FIELD_KEYS.has(key))) return undefined
  const isSignature = type === 'Sig'
  const isLocked = isOnlyLocked(field)
  if (!isLocked && !(isSignature ? isSigned(update, field) : isFilled(update, field))) return undefined
  update.accept(field.number)
  if (isLocked) return 'locked'
  return isSignature ? 'signed' : 'filled'
}

/** Returns the signature fields, which their pages may add to their annotations. */
export function acceptFilledFields(update: UpdateCheck): number[] {
  if (update.permission === 1) return []
  const changed = findChangedFields(update)
  const filled = new Set<number>()
  const signed: number[] = []
  for (const field of changed) {
    const result = acceptField(update, field)
    if (result === 'filled' || result === 'signed') filled.add(field.number)
    if (result === 'signed') signed.push(field.number)
  }
  const isWidgetOfFilled = ({ was, is, keys }: ChangedField): boolean => {
    const parent = was.entries.get('Parent')
    const isKid = parent?.kind === 'reference' && filled.has(parent.number) && sameValue(parent, is.entries.get('Parent'))
    return isKid && !was.entries.has('T') && keys.every(key => WIDGET_KEYS.has(key))
  }
  const widgets = changed.filter(field => filled.has(field.number) || isWidgetOfFilled(field))
  const owners = new Set(widgets.map(({ number }) => number))
  for (const { number, is } of widgets) {
    update.accept(number)
    for (const key of ['AP', 'MK', 'DR']) acceptAppearances(update, is.entries.get(key), owners)
  }
  return signed
}
