/** Checks added signature fields and other changes of a form. ISO 32000-2 §12.7.3, §12.8.5. */
import { toLatin1 } from '../../lib/bytes.ts'
import { type Remark, remark } from '../../locales/remarks.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import { makeReference, type PdfDictionary, type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { findFontDoubt, fontsIn, fontsOfReaders, mayBeTrue, missingResources } from './drawn-by-readers.ts'
import { exists } from './dss.ts'
import { findRedrawnFields } from './field-content.ts'
import { areaOf, intersect, onlyHarmlessFlagChanges, pagesOf, readRectangle, visibleRectangle } from './form-fields.ts'
import { acceptArray, findAddedItems } from './list-changes.ts'
import { differingKeys, hasNoStream, nameOf, readObject, refersTo, sameValue, streamBytes } from './object-changes.ts'
import type { UpdateCheck } from './update-check.ts'

/** Tables 166 and 235: the keys of an invisible signature field. */
const INVISIBLE_KEYS = ['Type', 'Subtype', 'Rect', 'F', 'P', 'FT', 'T', 'V', 'Ff', 'Kids']
/** Additional keys in fields by other products: appearance, notes for the author. */
const VISIBLE_KEYS = [
  ...INVISIBLE_KEYS,
  ...['AP', 'MK', 'BS', 'Border', 'H', 'DA', 'DR', 'Q', 'Lock', 'SV', 'NM', 'M', 'TU', 'TM', 'Parent', 'StructParent'],
  'Contents',
]

type SignatureKind = 'timestamp' | 'signature'

/** What is said of an allowed one. */
export const ADDED = { timestamp: 'added_timestamp', signature: 'added_signature' } as const

/** Accepts the signature dictionary of a field. It must be new. */
export function acceptSignature(update: UpdateCheck, value: PdfValue | undefined): SignatureKind | undefined {
  if (value?.kind !== 'reference' || !exists(update.after, value) || !update.acceptNew(value.number)) return undefined
  const signature = readObject(update.after, value.number)
  if (signature?.kind !== 'dictionary' || !signature.entries.has('ByteRange')) return undefined
  const isStrict = update.permission === 1
  if (isStrict && refersTo(signature, () => true)) return undefined
  const hasFilter = nameOf(signature.entries.get('SubFilter')) === 'ETSI.RFC3161'
  const hasType = nameOf(signature.entries.get('Type')) === 'DocTimeStamp'
  // With P=1 it must be complete; otherwise, everything that is verified as one counts.
  const isTimestamp = isStrict ? hasFilter && hasType && !signature.entries.has('Reference') : hasFilter || hasType
  return isTimestamp ? 'timestamp' : 'signature'
}

/** Names of the top-level fields of the earlier form. */
function readFieldNames({ before, oldCatalog }: UpdateCheck): Set<string> {
  const form = before.dictionary(oldCatalog.entries.get('AcroForm'))
  const fields = before.items(form?.entries.get('Fields')).map(field => before.dictionary(field))
  return new Set(fields.map(field => textOf(before.resolve(field?.entries.get('T')).value)))
}

function noteSignature(update: UpdateCheck, kind: SignatureKind, name: string): void {
  const clause = remark('signature_added', { name })
  if (kind === 'signature' && update.permission === 1) update.violations.push(remark('not_allowed_by_signature', { clause }))
  else update.additions.push(remark(ADDED[kind], { name }))
  if (kind === 'signature') update.fieldChanges.push({ name, clause })
}

/** Why the widget of a new field is not allowed; a predicate. */
function findWidgetError(update: UpdateCheck, { entries }: PdfDictionary): Remark | undefined {
  const { permission } = update
  const value = entries.get('Rect')
  const rectangle = value === undefined ? undefined : readRectangle(update.after, value)
  // Certified documents are forged by drawing over their pages after signing.
  const mayBeVisible = permission === 3 || permission === 'approval'
  if (value !== undefined && rectangle === undefined) return remark('field_with_invalid_rectangle')
  if (rectangle !== undefined && areaOf(rectangle) > 0 && !mayBeVisible) return remark('field_with_area', { permission })
  if (entries.has('Subtype') && nameOf(entries.get('Subtype')) !== 'Widget') return remark('field_not_a_widget')
  if (permission !== 1 && !onlyHarmlessFlagChanges(undefined, withoutHidingFlags(entries.get('F'))))
    return remark('field_with_flags')
  const page = entries.get('P')
  if (page !== undefined && !(page.kind === 'reference' && update.before.crossReference.entries.has(page.number)))
    return remark('field_on_new_page')
  return undefined
}

const MAX_BLANK_BYTES = 1024

/** True without an appearance, or if its streams contain only white space. */
function isBlank(update: UpdateCheck, appearance: PdfValue | undefined): boolean {
  return [...(update.after.dictionary(appearance)?.entries.values() ?? [])].every(state => {
    const data = state.kind === 'reference' ? streamBytes(update.after, state.number, MAX_BLANK_BYTES) : undefined
    return data !== undefined && toLatin1(data).trim() === ''
  })
}

/** §12.8.5: an authority time-stamps any file, so nobody answers for what is drawn with it. */
export const VISIBLE_TIMESTAMP = remark('timestamp_shows_something')

/** True if a part of the widget is on the visible area of a page, as it was before the update. */
export function isOnPage({ before }: UpdateCheck, file: PdfFile, widget: PdfDictionary): boolean {
  const rectangle = readRectangle(file, widget.entries.get('Rect'))
  return rectangle !== undefined && pagesOf(before).some(page => areaOf(intersect(rectangle, visibleRectangle(page))) > 0)
}

/** True if the widget has no appearance or is not on the visible area of any page. */
export function drawsNothing(update: UpdateCheck, number: number): boolean {
  const widget = update.after.dictionary(makeReference(number))
  if (widget === undefined) return true
  const isDrawn = ['MK', 'BS', 'Border'].some(key => widget.entries.has(key)) || !isBlank(update, widget.entries.get('AP'))
  return !isDrawn || !isOnPage(update, update.after, widget)
}

/** The flags without Invisible, Hidden and NoView. */
const withoutHidingFlags = (value: PdfValue | undefined): PdfValue | undefined =>
  value?.kind === 'number' ? { ...value, value: value.value & ~(1 | 2 | 32) } : value

function findKeyError({ permission }: UpdateCheck, { entries }: PdfDictionary): Remark | undefined {
  const allowed = permission === 1 ? INVISIBLE_KEYS : VISIBLE_KEYS
  const others = [...entries.keys()].filter(key => !allowed.includes(key))
  return others.length === 0 ? undefined : remark('field_with_keys', { keys: others.map(key => `/${key}`) })
}

/** Accepts the widget objects of a new field. Returns a predicate if one is not allowed. */
function acceptKids(update: UpdateCheck, { entries }: PdfDictionary): readonly number[] | Remark {
  const numbers: number[] = []
  for (const raw of update.after.items(entries.get('Kids'))) {
    const widget = raw.kind === 'reference' && update.acceptNew(raw.number) ? readObject(update.after, raw.number) : undefined
    const isPlain = widget?.kind === 'dictionary' && widget.duplicateKeys.length === 0 && !widget.entries.has('T')
    if (raw.kind !== 'reference' || widget?.kind !== 'dictionary' || !isPlain || !hasNoStream(update.after, raw.number))
      return remark('field_with_children')
    const error = findKeyError(update, widget) ?? findWidgetError(update, widget)
    if (error !== undefined) return error
    numbers.push(raw.number)
  }
  return numbers
}

/** Why a new field is not allowed; a predicate. */
function findFieldError(update: UpdateCheck, field: PdfDictionary): Remark | undefined {
  const { entries } = field
  const error = findKeyError(update, field)
  if (error !== undefined) return error
  if (nameOf(entries.get('FT')) !== 'Sig') return remark('field_of_other_kind')
  if (entries.has('Kids') && update.permission === 1) return remark('field_with_children')
  if (entries.has('Parent')) return remark('field_with_parent')
  return findWidgetError(update, field)
}

/**
 * Tables 166 and 226: screen readers read it aloud, also where the field shows nothing. One that
 * repeats the field's name says nothing more.
 */
function hasDescription({ after }: UpdateCheck, name: string, numbers: readonly number[]): boolean {
  const texts = numbers.flatMap(number =>
    ['TU', 'Contents'].map(key => after.resolve(after.dictionary(makeReference(number))?.entries.get(key)).value),
  )
  return texts.some(text => !name.includes(textOf(text)))
}

/** Accepts a new field, its widgets and signature. Returns their numbers, or a predicate. */
function acceptFieldObject(update: UpdateCheck, number: number): readonly number[] | Remark {
  const field = readObject(update.after, number)
  if (field?.kind !== 'dictionary' || field.duplicateKeys.length > 0 || !hasNoStream(update.after, number))
    return remark('not_a_field')
  const error = findFieldError(update, field)
  if (error !== undefined) return error
  const kids = acceptKids(update, field)
  if ('code' in kids) return kids
  const title = field.entries.get('T')
  if (title?.kind !== 'string') return remark('field_without_name')
  const name = textOf(title)
  if (readFieldNames(update).has(name)) return remark('field_name_taken')
  const numbers = [number, ...kids]
  const isInvisible = () => numbers.every(one => drawsNothing(update, one))
  const isHeardAlone = hasDescription(update, name, numbers) && isInvisible()
  if (isHeardAlone) update.changes.push({ kind: 'signature', revision: 0, name, before: null, after: null, page: null })
  if (!field.entries.has('V') && update.permission !== 1 && isInvisible()) {
    update.additions.push(remark('added_empty_field', { name }))
    update.fieldChanges.push({ name, clause: remark('signature_field_added', { name }) })
    return numbers
  }
  const kind = acceptSignature(update, field.entries.get('V'))
  if (kind === undefined) return remark('field_without_signature')
  if (kind === 'timestamp' && (isHeardAlone || !isInvisible())) return VISIBLE_TIMESTAMP
  noteSignature(update, kind, name)
  return numbers
}

function acceptField(update: UpdateCheck, raw: PdfValue): readonly number[] | undefined {
  if (raw.kind !== 'reference' || !exists(update.after, raw) || !update.acceptNew(raw.number)) return undefined
  const result = acceptFieldObject(update, raw.number)
  if (!('code' in result)) return result
  update.violations.push(remark('field_object_refused', { number: raw.number, why: result }))
  return undefined
}

/** §12.7.3, table 225: the bits that signatures exist may be set, never cleared. */
function onlySetsSignatureFlags(old: PdfValue | undefined, now: PdfValue | undefined): boolean {
  if (sameValue(old, now)) return true
  const before = old?.kind === 'number' ? old.value : 0
  return now?.kind === 'number' && (now.value & ~(before | 3)) === 0 && (before & ~now.value) === 0
}

/** Resources of the form that no default appearance (/DA) can use (§12.7.4.3). */
const UNUSED_RESOURCES = ['XObject', 'ProcSet', 'Properties']

/** Accepts a dictionary with more entries. An object must be new or used by `owners` alone. */
function acceptGrowth(
  update: UpdateCheck,
  [old, now]: readonly [PdfValue | undefined, PdfValue | undefined],
  owners: readonly number[],
  isKept: (key: string, old: PdfValue, now: PdfValue | undefined, owners: readonly number[]) => boolean,
): boolean {
  const isChanged = now?.kind === 'reference' && update.changed.has(now.number)
  const [was, is] = [update.before.dictionary(old), update.after.dictionary(now)]
  if (is === undefined || is.duplicateKeys.length > 0 || (old !== undefined && was === undefined)) return false
  const within = now?.kind === 'reference' ? [...owners, now.number] : owners
  for (const [key, item] of was?.entries ?? []) if (!isKept(key, item, is.entries.get(key), within)) return false
  if (!isChanged || update.isNew(now.number)) return true
  if (!update.referrers(now.number).every(one => owners.includes(one))) return false
  update.accept(now.number)
  return true
}

/** Fonts and colours may be added; existing ones must be the same objects. */
function acceptResources(update: UpdateCheck, old: PdfValue | undefined, now: PdfValue | undefined, form: number): boolean {
  return acceptGrowth(update, [old, now], [form], (key, kind, newKind, owners) => {
    if (UNUSED_RESOURCES.includes(key)) return true
    return acceptGrowth(update, [kind, newKind], owners, (_, item, newItem) => sameValue(item, newItem))
  })
}

/** No font may be added with which readers would draw a value otherwise (§12.7.4.3). */
function keepsFonts({ before, after }: UpdateCheck, old: PdfValue | undefined, now: PdfValue | undefined): boolean {
  const [known, drawn] = [fontsIn(before, old), fontsOfReaders(before).names]
  return [...fontsIn(after, now)].every(
    ([name, font]) => known.has(name) || !drawn.has(name) || findFontDoubt(after, font) === undefined,
  )
}

/** The resources that differ, as `Font/F1`. */
function changedResources({ before, after }: UpdateCheck, old: PdfValue | undefined, now: PdfValue | undefined): string[] {
  const [was, is] = [before.dictionary(old)?.entries, after.dictionary(now)?.entries]
  return [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].flatMap(kind => {
    const [known, found] = [before.dictionary(was?.get(kind))?.entries, after.dictionary(is?.get(kind))?.entries]
    const names = [...new Set([...(known?.keys() ?? []), ...(found?.keys() ?? [])])]
    return names.filter(name => !sameValue(known?.get(name), found?.get(name))).map(name => `${kind}/${name}`)
  })
}

/** Nothing may be added or replaced that some readers use for an appearance that lacks it. */
function keepsMissing(update: UpdateCheck, old: PdfValue | undefined, now: PdfValue | undefined): boolean {
  const changed = changedResources(update, old, now)
  return changed.length === 0 || changed.every(name => !missingResources(update.before).has(name))
}

/** Unless PDF readers redraw the fields, each unfilled field must show what they drew. */
const keepsShownContent = ({ before, changed }: UpdateCheck): boolean =>
  findRedrawnFields(before).every(number => changed.has(number))

/** Finds changes in entries of the form that must stay the same (§12.7.3). */
function findFormKeyErrors(update: UpdateCheck, old: PdfDictionary, now: PdfDictionary, form: number): string[] {
  const keys = differingKeys(old, now).filter(key => key !== 'Fields' && key !== 'SigFlags')
  if (update.permission === 1) return [...keys, ...now.duplicateKeys]
  const isAllowed = (key: string): boolean => {
    const [was, is] = [old.entries.get(key), now.entries.get(key)]
    if (key === 'DR')
      return keepsFonts(update, was, is) && keepsMissing(update, was, is) && acceptResources(update, was, is, form)
    if (key === 'NeedAppearances') return !mayBeTrue(is) && (!mayBeTrue(was) || keepsShownContent(update))
    // A default appearance may be added where readers have drawn nothing without it.
    return key === 'DA' && was === undefined && !fontsOfReaders(update.before).usesDefault
  }
  if (!keys.includes('DR') && now.entries.get('DR')?.kind === 'reference') keys.push('DR')
  return [...keys.filter(key => !isAllowed(key)), ...now.duplicateKeys]
}

/** Reads the form before and after the update; undefined if there is none, or a different one. */
function readForms(
  update: UpdateCheck,
  oldRaw: PdfValue | undefined,
  newRaw: PdfValue | undefined,
): { old: PdfDictionary; now: PdfDictionary } | undefined {
  const isMoved = newRaw?.kind === 'reference' && !sameValue(oldRaw, newRaw)
  const isReplaced = isMoved && (update.permission === 1 || !update.isNew(newRaw.number))
  const [old, now] = [update.before.dictionary(oldRaw), update.after.dictionary(newRaw)]
  if (!isReplaced && old !== undefined && now !== undefined) return { old, now }
  if (isReplaced || old !== now) update.violations.push(remark('catalog_differs', { keys: ['/AcroForm'] }))
  return undefined
}

/** Accepts new signature fields and a set /SigFlags. Returns the new fields and widgets. */
export function checkAddedFields(update: UpdateCheck): number[] {
  const [oldRaw, newRaw] = [update.oldCatalog.entries.get('AcroForm'), update.newCatalog.entries.get('AcroForm')]
  const number = newRaw?.kind === 'reference' ? newRaw.number : undefined
  if (update.changed.size === 0 || (sameValue(oldRaw, newRaw) && number === undefined)) return []
  const forms = readForms(update, oldRaw, newRaw)
  if (forms === undefined) return []
  const { old, now } = forms
  const form = number ?? update.root
  const others = findFormKeyErrors(update, old, now, form)
  if (others.length > 0) {
    update.violations.push(remark('form_differs', { keys: others.map(key => `/${key}`) }))
    return []
  }
  if (!onlySetsSignatureFlags(old.entries.get('SigFlags'), now.entries.get('SigFlags')))
    update.violations.push(remark('form_differs', { keys: ['/SigFlags'] }))
  const added = acceptFieldList(update, old, now, form)
  if (added === undefined) return []
  if (number !== undefined) update.accept(number)
  const fields = added.map(raw => acceptField(update, raw))
  if (fields.includes(undefined) && update.violations.length === 0) update.violations.push(remark('field_not_a_signature'))
  return fields.flatMap(numbers => numbers ?? [])
}

/** Returns the new items of the list of fields; undefined if earlier ones were removed or moved. */
function acceptFieldList(
  update: UpdateCheck,
  old: PdfDictionary,
  now: PdfDictionary,
  form: number,
): readonly PdfValue[] | undefined {
  const [oldFields, newFields] = [old.entries.get('Fields'), now.entries.get('Fields')]
  const isStrict = update.permission === 1
  const added = findAddedItems(update.before.items(oldFields), update.after.items(newFields), { isStrict })
  if (added === undefined) {
    update.violations.push(remark('fields_removed'))
    return undefined
  }
  acceptArray(update, oldFields, newFields, form)
  if (added.length > 1 && isStrict) update.violations.push(remark('several_fields_added'))
  return added
}
