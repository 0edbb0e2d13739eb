/** Accepts unfilled form fields that are filled in, also with signatures. ISO 32000-2 §12.7. */
import { type Remark, remark } from '../../locales/remarks.ts'
import { makeReference, type PdfDictionary, type PdfValue } from '../../pdf/parser/syntax.ts'
import { ADDED, acceptSignature, drawsNothing, isOnPage, VISIBLE_TIMESTAMP } from './added-fields.ts'
import { findDrawnDoubt } from './drawn-by-readers.ts'
import { findFalseContent, findShown, findShownInSignatureField } from './field-content.ts'
import { hasNoValue, isRichTextOf, shownValue, valuesByName, widgetsOf } from './field-values.ts'
import { addsAtMostReadOnly, fieldName, fieldType, findFields, inherited, onlyHarmlessFlagChanges } from './form-fields.ts'
import { differingKeys, eachReference, hasNoStream, nameOf, readObject, sameValue } from './object-changes.ts'
import { sameAppearance, stateOf } from './painted/appearance.ts'
import type { UpdateCheck } from './update-check.ts'
import { type Covered, checkCovered, noteSignatureWidget, pagesShowing, rectangleOn } from './visible-additions.ts'

/** The entries that filling in a field may change: value, appearance, time of the change. */
const FIELD_KEYS = new Set(['V', 'AP', 'AS', 'I', 'RV', 'M', 'DR', 'F', 'Ff'])
const WIDGET_KEYS = new Set(['AP', 'AS', 'M', 'F'])
/** What the author of the form drew for each state of a button stays. */
const BUTTON_KEYS = new Set(['V', 'AS', 'M', 'F', 'Ff'])
/** A signature field gets an appearance, and products add what they drew it from. */
const SIGNATURE_KEYS = new Set([...FIELD_KEYS, 'MK'])
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

const NOBODY: ReadonlySet<number> = new Set()

/**
 * Accepts what a changed /AP names (§12.5.5). Only the normal appearance may be rewritten: nobody
 * compares the others, which show while the mouse is over the widget, with the value.
 */
function acceptOwnAppearances(update: UpdateCheck, value: PdfValue | undefined, widgets: ReadonlySet<number>): void {
  const number = value?.kind === 'reference' ? value.number : undefined
  const isKept = number === undefined || !update.changed.has(number)
  const dictionary = isKept ? update.after.dictionary(value) : undefined
  if (dictionary === undefined) {
    acceptAppearances(update, value, widgets)
    return
  }
  // An object of its own holds them for the widgets alone, or for somebody else too.
  const isOwn = number === undefined || update.referrers(number).every(one => widgets.has(one))
  const holders = number === undefined ? widgets : isOwn ? new Set([...widgets, number]) : NOBODY
  for (const [key, item] of dictionary.entries) acceptAppearances(update, item, key === 'N' ? holders : NOBODY)
}

/** Its widgets as they are now. */
const widgetsNow = ({ after }: UpdateCheck, { number }: ChangedField) => widgetsOf(after, number)

/** A signature field that showed something keeps it. */
function replacesShownContent(update: UpdateCheck, { number }: ChangedField): boolean {
  const { before, after } = update
  return widgetsOf(before, number).some(([widget, was]) => {
    const now = after.dictionary(makeReference(widget))
    const isKept = now !== undefined && sameAppearance(before, after, was, now)
    return !isKept && isOnPage(update, before, was) && findShownInSignatureField(before, was) !== undefined
  })
}

function isSigned(update: UpdateCheck, field: ChangedField): boolean {
  if (inherited(update.before, field.was, 'V') !== undefined || !field.keys.includes('V')) return false
  const kind = acceptSignature(update, field.is.entries.get('V'))
  if (kind === undefined) return false
  const name = fieldName(update.after, field.is)
  const widgets = widgetsNow(update, field)
  const shown = widgets.filter(([number]) => !drawsNothing(update, number))
  if (kind === 'timestamp' && shown.length > 0) update.violations.push(remark('field_refused', { name, why: VISIBLE_TIMESTAMP }))
  if (replacesShownContent(update, field)) update.violations.push(remark('signature_field_replaced', { name }))
  update.additions.push(remark(ADDED[kind], { name }))
  update.fieldChanges.push({ name, clause: remark(kind === 'timestamp' ? 'timestamp_added' : 'signature_added', { name }) })
  for (const [number, widget] of shown) {
    for (const place of pagesShowing(update, number))
      noteSignatureWidget(update, place, { number, widget, name, own: numbersOf(widgets) })
  }
  return true
}

const numbersOf = (widgets: readonly (readonly [number, unknown])[]): ReadonlySet<number> =>
  new Set(widgets.map(([number]) => number))

/** §12.5.5: what readers show while the mouse is over the widget, or pressed. */
function changesOtherAppearances(was: PdfDictionary | undefined, is: PdfDictionary): boolean {
  const [old, now] = [was, is].map(one => one?.entries.get('AP'))
  if (now?.kind !== 'dictionary') return now?.kind === 'reference' && !sameValue(old, now)
  const others = [...now.entries].filter(([key]) => key !== 'N')
  return others.some(([key, value]) => old?.kind !== 'dictionary' || !sameValue(old.entries.get(key), value))
}

/** Why an unfilled field shows something, or a filled-in one not its value; a clause. */
function findFillError({ before, after }: UpdateCheck, { number, was, is, keys }: ChangedField): Remark | undefined {
  if (before.items(was.entries.get('Kids')).some(kid => before.dictionary(kid)?.entries.has('T'))) return remark('not_one_field')
  const value = shownValue(after, is)
  if (value === undefined) return remark('shown_value_unknown')
  for (const [, widget] of widgetsOf(before, number)) {
    const shown = findShown(before, was, widget, shownValue(before, was))
    if (shown !== undefined) return remark('shown_before', { clause: shown })
  }
  for (const [one, widget] of widgetsOf(after, number)) {
    const wrong = findFalseContent(after, is, widget, value) ?? findDrawnDoubt(after, widget)
    if (wrong !== undefined) return wrong
    if (changesOtherAppearances(before.dictionary(makeReference(one)), widget)) return remark('appearance_for_mouse')
  }
  const rich = is.entries.get('RV')
  const isOtherText = keys.includes('RV') && rich !== undefined && !isRichTextOf(after, rich, value.text)
  return isOtherText ? remark('formatted_text_differs') : undefined
}

function isFilled(update: UpdateCheck, field: ChangedField): boolean {
  const { before, after } = update
  if (!field.keys.includes('V') || !hasNoValue(before, field.number, field.was)) return false
  const name = fieldName(after, field.is)
  const error = valuesByName(before).has(name) ? remark('field_name_with_value') : findFillError(update, field)
  if (error !== undefined) {
    update.violations.push(remark('field_filled_unsurely', { name, why: error }))
    return false
  }
  update.additions.push(remark('filled_field', { name }))
  update.fieldChanges.push({ name, clause: remark('field_filled', { name }) })
  noteFilled(update, field, name)
  return true
}

/** Notes what was filled in, and on which page. */
function noteFilled(update: UpdateCheck, field: ChangedField, name: string): void {
  const after = shownValue(update.after, field.is)?.text ?? ''
  if (after === '' || after === 'Off') return
  const widgets = widgetsNow(update, field)
  const own = numbersOf(widgets)
  let shownOn: number | null = null
  for (const [number, widget] of widgets) {
    for (const place of pagesShowing(update, number)) {
      const rectangle = rectangleOn(update, place.page, widget)
      if (rectangle === undefined || stateOf(update.after, widget) === 'Off') continue
      shownOn ??= place.index + 1
      const covers = (covered: Covered) => remark('field_covers', { name, ...covered })
      checkCovered(update, place, { rectangle, number, own, covers })
    }
  }
  update.changes.push({ kind: 'field', revision: 0, name, before: '', after, page: shownOn })
}

/** Only flags changed, and they forbid more than before. */
const isOnlyLocked = ({ keys }: ChangedField): boolean => keys.every(key => LOCK_KEYS.includes(key))

/** Accepts the field if it was filled in, signed or locked. Returns which. */
function acceptField(update: UpdateCheck, field: ChangedField): 'filled' | 'signed' | 'locked' | undefined {
  const type = fieldType(update.before, field.was)
  const isSignature = type === 'Sig'
  const allowed = isSignature ? SIGNATURE_KEYS : type === 'Btn' ? BUTTON_KEYS : FIELD_KEYS
  if (type === '' || field.keys.some(key => !allowed.has(key))) return undefined
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
  const isButton = ({ was }: ChangedField): boolean => fieldType(update.before, was) === 'Btn'
  const isSignature = ({ was }: ChangedField): boolean => fieldType(update.before, was) === 'Sig'
  const isWidgetOfFilled = (field: ChangedField): boolean => {
    const { was, is, keys } = field
    const parent = was.entries.get('Parent')
    const isKid = parent?.kind === 'reference' && filled.has(parent.number) && sameValue(parent, is.entries.get('Parent'))
    const allowed = isButton(field) ? BUTTON_KEYS : isSignature(field) ? SIGNATURE_KEYS : WIDGET_KEYS
    return isKid && !was.entries.has('T') && keys.every(key => key !== 'V' && allowed.has(key))
  }
  const widgets = changed.filter(field => filled.has(field.number) || isWidgetOfFilled(field))
  const owners = new Set(widgets.map(({ number }) => number))
  for (const field of widgets) {
    update.accept(field.number)
    if (isButton(field)) continue
    acceptOwnAppearances(update, field.is.entries.get('AP'), owners)
    for (const key of ['MK', 'DR']) acceptAppearances(update, field.is.entries.get(key), owners)
  }
  return signed
}
