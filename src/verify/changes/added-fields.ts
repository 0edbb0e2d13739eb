/**
 * Signature fields that an update adds to a form, and what of the form changes with them. Where the document is certified, a field that is added must
 * draw nothing: what is laid over a page after it was signed is how certified documents are forged. ISO 32000-2 §12.7.3, §12.7.5.5, §12.8.5.
 */
import { makeReference, type PdfDictionary, type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { drawnByReaders } from './appearance.ts'
import { isThere } from './dss.ts'
import { areaOf, onlyHarmlessFlags, overlap, pagesOf, rectangleOf } from './form-fields.ts'
import { addedItems, explainArray } from './list-changes.ts'
import { differingKeys, eachReference, isWithoutStream, nameOf, readObject, sameValue, streamBytes } from './object-changes.ts'
import type { RevisionStep } from './revision-step.ts'

/** Table 166 and 235, as far as an invisible signature field needs them. */
const INVISIBLE_KEYS = ['Type', 'Subtype', 'Rect', 'F', 'P', 'FT', 'T', 'V', 'Ff', 'Kids']
/** What else the fields of other products have: how they look, in their own place, and notes for their author. */
const VISIBLE_KEYS = [
  ...INVISIBLE_KEYS,
  ...[
    'AP',
    'MK',
    'BS',
    'Border',
    'H',
    'DA',
    'DR',
    'Q',
    'Lock',
    'SV',
    'NM',
    'M',
    'TU',
    'TM',
    'Parent',
    'StructParent',
    'Contents',
  ],
]

type Kind = 'document time-stamp' | 'signature'

/** The signature dictionary of a field, which must be new. What kind it is, or undefined when it is none. */
export function takeSignature(step: RevisionStep, held: PdfValue | undefined): Kind | undefined {
  if (held?.kind !== 'reference' || !isThere(step.after, held) || !step.takeNew(held.number)) return undefined
  const value = readObject(step.after, held.number)
  if (value?.kind !== 'dictionary' || !value.entries.has('ByteRange')) return undefined
  let leads = false
  eachReference(value, () => {
    leads = true
  })
  if (leads && step.permission === 1) return undefined
  const hasFilter = nameOf(value.entries.get('SubFilter')) === 'ETSI.RFC3161'
  const hasType = nameOf(value.entries.get('Type')) === 'DocTimeStamp'
  // Behind a certification that allows nothing else it has to be one in every part; elsewhere whatever is judged as one counts as one.
  const isTimestamp = step.permission === 1 ? hasFilter && hasType && !value.entries.has('Reference') : hasFilter || hasType
  return isTimestamp ? 'document time-stamp' : 'signature'
}

/** Names of the fields at the top of the earlier form. */
function namesOf({ before, oldCatalog }: RevisionStep): Set<string> {
  const form = before.dictionary(oldCatalog.entries.get('AcroForm'))
  const fields = before.items(form?.entries.get('Fields')).map(field => before.dictionary(field))
  return new Set(fields.map(field => textOf(before.resolve(field?.entries.get('T')).value)))
}

function noteSignature(step: RevisionStep, kind: Kind, title: string): void {
  const what = `the ${kind} "${title}"`
  if (kind === 'signature' && step.permission === 1)
    step.problems.push(`${what} was added, which the signature before it does not allow`)
  else step.found.push(`was added: ${what}`)
  if (kind === 'signature') step.fields.push({ name: title, what: `${what} was added` })
}

/** Why the widget of a new field must not be there; undefined when it may. */
function widgetFault(step: RevisionStep, { entries }: PdfDictionary): string | undefined {
  const rectangle = entries.get('Rect')
  const place = rectangle === undefined ? undefined : rectangleOf(step.after, rectangle)
  const mayDraw = step.permission === 3 || step.permission === 'approval'
  if (rectangle !== undefined && place === undefined) return 'has a /Rect that is none'
  if (place !== undefined && areaOf(place) > 0 && !mayDraw)
    return `has a place on a page (/Rect), where the certification (DocMDP /P ${step.permission}) allows no new field to be seen`
  if (entries.has('Subtype') && nameOf(entries.get('Subtype')) !== 'Widget') return 'is an annotation of another kind'
  if (step.permission !== 1 && !onlyHarmlessFlags(undefined, { ...flagsOf(entries.get('F')) })) return 'has unusual flags (/F)'
  const page = entries.get('P')
  if (page !== undefined && !(page.kind === 'reference' && step.before.crossReference.entries.has(page.number)))
    return 'stands on a page that was not there'
  return undefined
}

function noteEmptyField(step: RevisionStep, title: string): void {
  step.found.push(`was added: the empty signature field "${title}"`)
  step.fields.push({ name: title, what: `the signature field "${title}" was added` })
}

const MAX_BLANK_BYTES = 1024

/** No appearance, or one whose streams hold nothing but white space. */
function isBlank(step: RevisionStep, appearance: PdfValue | undefined): boolean {
  return [...(step.after.dictionary(appearance)?.entries.values() ?? [])].every(state => {
    const data = state.kind === 'reference' ? streamBytes(step.after, state.number, MAX_BLANK_BYTES) : undefined
    return data !== undefined && Buffer.from(data).toString('latin1').trim() === ''
  })
}

/** §12.8.5: an authority time-stamps what anybody sends, so nobody answers for what is drawn with it. */
export const DRAWN_BY_ANYBODY = 'is a document time-stamp that shows something on a page, which anybody could have put there'

/** The widget has no look of its own, or no place on any page. */
export function drawsNothing(step: RevisionStep, number: number): boolean {
  const widget = step.after.dictionary(makeReference(number))
  const rectangle = rectangleOf(step.after, widget?.entries.get('Rect'))
  if (widget === undefined || rectangle === undefined) return true
  const hasLook = ['MK', 'BS', 'Border'].some(key => widget.entries.has(key)) || !isBlank(step, widget.entries.get('AP'))
  return (
    !hasLook ||
    !pagesOf(step.before).some(({ box: { left, bottom, width, height } }) => {
      const shown = { left, bottom, right: left + width, top: bottom + height }
      return areaOf(overlap(rectangle, shown)) > 0
    })
  )
}

/** Flags without those that only hide: Invisible, Hidden, NoView. */
function flagsOf(value: PdfValue | undefined): PdfValue {
  const flags = value?.kind === 'number' ? value.value & ~(1 | 2 | 32) : 0
  return { kind: 'number', value: flags, integer: true, start: 0, end: 0 }
}

const oddKeys = (step: RevisionStep, { entries }: PdfDictionary): string[] =>
  [...entries.keys()].filter(key => !(step.permission === 1 ? INVISIBLE_KEYS : VISIBLE_KEYS).includes(key))

/** The widgets of a new field that are objects of their own; undefined when one of them must not be there. */
function takeKids(step: RevisionStep, { entries }: PdfDictionary, problem: (what: string) => void): number[] | undefined {
  const numbers: number[] = []
  for (const raw of step.after.items(entries.get('Kids'))) {
    const widget = raw.kind === 'reference' && step.takeNew(raw.number) ? readObject(step.after, raw.number) : undefined
    const isPlain = widget?.kind === 'dictionary' && widget.duplicateKeys.length === 0 && !widget.entries.has('T')
    if (raw.kind !== 'reference' || widget?.kind !== 'dictionary' || !isPlain || !isWithoutStream(step.after, raw.number)) {
      problem('has fields below it')
      return undefined
    }
    const odd = oddKeys(step, widget)
    const fault = odd.length > 0 ? `has ${odd.map(key => `/${key}`).join(', ')}` : widgetFault(step, widget)
    if (fault !== undefined) {
      problem(fault)
      return undefined
    }
    numbers.push(raw.number)
  }
  return numbers
}

/** A new field that is nothing but its widgets and its signature. Gives the numbers of both. */
function takeField(step: RevisionStep, raw: PdfValue): number[] | undefined {
  if (raw.kind !== 'reference' || !isThere(step.after, raw) || !step.takeNew(raw.number)) return undefined
  const field = readObject(step.after, raw.number)
  const problem = (what: string): undefined => {
    step.problems.push(`the form field of object ${raw.number} was added, and ${what}`)
    return undefined
  }
  if (field?.kind !== 'dictionary' || field.duplicateKeys.length > 0 || !isWithoutStream(step.after, raw.number))
    return problem('is no field')
  const { entries } = field
  const odd = oddKeys(step, field)
  if (odd.length > 0) return problem(`has ${odd.map(key => `/${key}`).join(', ')}`)
  if (nameOf(entries.get('FT')) !== 'Sig') return problem('is no signature field')
  if (entries.has('Kids') && step.permission === 1) return problem('has fields below it')
  if (entries.has('Parent')) return problem('stands below another and in the list of the form')
  const fault = widgetFault(step, field)
  if (fault !== undefined) return problem(fault)
  const kids = takeKids(step, field, problem)
  if (kids === undefined) return undefined
  const title = entries.get('T')
  if (title?.kind !== 'string') return problem('has no name')
  if (namesOf(step).has(textOf(title))) return problem('has the name of another')
  const numbers = [raw.number, ...kids]
  if (!entries.has('V') && step.permission !== 1 && numbers.every(number => drawsNothing(step, number))) {
    noteEmptyField(step, textOf(title))
    return numbers
  }
  const kind = takeSignature(step, entries.get('V'))
  if (kind === undefined) return problem('has no signature of its own as its value')
  if (kind === 'document time-stamp' && !numbers.every(number => drawsNothing(step, number))) return problem(DRAWN_BY_ANYBODY)
  noteSignature(step, kind, textOf(title))
  return numbers
}

/** §12.7.3, table 225: bits that say that signatures exist may be set, never taken away. */
function setsFlags(old: PdfValue | undefined, now: PdfValue | undefined): boolean {
  if (sameValue(old, now)) return true
  const before = old?.kind === 'number' ? old.value : 0
  return now?.kind === 'number' && (now.value & ~(before | 3)) === 0 && (before & ~now.value) === 0
}

/** Resources of the form that no default appearance (/DA) can use (§12.7.4.3). */
const UNUSED_RESOURCES = ['XObject', 'ProcSet', 'Properties']

/**
 * A dictionary that has every entry of before, as `keeps` has it, and maybe more. An object of its own is explained when only `owners` lead to it.
 */
function explainGrowth(
  step: RevisionStep,
  [old, now]: readonly [PdfValue | undefined, PdfValue | undefined],
  owners: readonly number[],
  keeps: (key: string, old: PdfValue, now: PdfValue | undefined, owners: readonly number[]) => boolean,
): boolean {
  const isChanged = now?.kind === 'reference' && step.changed.has(now.number)
  const [was, is] = [step.before.dictionary(old), step.after.dictionary(now)]
  if (is === undefined || is.duplicateKeys.length > 0 || (old !== undefined && was === undefined)) return false
  const within = now?.kind === 'reference' ? [...owners, now.number] : owners
  for (const [key, item] of was?.entries ?? []) if (!keeps(key, item, is.entries.get(key), within)) return false
  if (!isChanged || step.isNew(now.number)) return true
  if (!step.referrers(now.number).every(one => owners.includes(one))) return false
  step.unexplained.delete(now.number)
  return true
}

/** The default resources of the form: fonts and colours may be added, those there are the same objects. */
function explainResources(step: RevisionStep, old: PdfValue | undefined, now: PdfValue | undefined, form: number): boolean {
  return explainGrowth(step, [old, now], [form], (key, kind, newKind, owners) => {
    if (UNUSED_RESOURCES.includes(key)) return true
    return explainGrowth(step, [kind, newKind], owners, (_, item, newItem) => sameValue(item, newItem))
  })
}

const isTrue = (value: PdfValue | undefined): boolean => value?.kind === 'boolean' && value.value

/** Where readers no longer draw the fields anew, every field that is not filled in has to show what they have drawn. */
const keepsShown = ({ before, changed }: RevisionStep): boolean => drawnByReaders(before).every(number => changed.has(number))

/**
 * §12.7.3: entries of the form that say how readers draw fields whose value they change themselves. Resources may grow, what is drawn already is not
 * touched by them. Gives the keys that must not be others.
 */
function wrongFormKeys(step: RevisionStep, old: PdfDictionary, now: PdfDictionary, form: number): string[] {
  const keys = differingKeys(old, now).filter(key => key !== 'Fields' && key !== 'SigFlags')
  if (step.permission === 1) return [...keys, ...now.duplicateKeys]
  const needs = now.entries.get('NeedAppearances')
  const isAllowed = (key: string): boolean => {
    if (key === 'DR') return explainResources(step, old.entries.get('DR'), now.entries.get('DR'), form)
    if (key === 'NeedAppearances') return !isTrue(needs) && (!isTrue(old.entries.get('NeedAppearances')) || keepsShown(step))
    // Where there was none, no field was drawn by it.
    return key === 'DA' && !old.entries.has('DA')
  }
  if (!keys.includes('DR') && now.entries.get('DR')?.kind === 'reference') keys.push('DR')
  return [...keys.filter(key => !isAllowed(key)), ...now.duplicateKeys]
}

/** The form: its list of fields longer by the new ones, /SigFlags set. Gives the new fields and their widgets. */
export function explainFields(step: RevisionStep): number[] {
  const [oldRaw, newRaw] = [step.oldCatalog.entries.get('AcroForm'), step.newCatalog.entries.get('AcroForm')]
  const isObject = newRaw?.kind === 'reference'
  if (!step.changed.size || (sameValue(oldRaw, newRaw) && !isObject)) return []
  const isMoved = isObject && !sameValue(oldRaw, newRaw)
  if (isMoved && (step.permission === 1 || !step.isNew(newRaw.number))) {
    step.problems.push('the catalog has another /AcroForm')
    return []
  }
  const [old, now] = [step.before.dictionary(oldRaw), step.after.dictionary(newRaw)]
  if (old === undefined || now === undefined) {
    if (old !== now) step.problems.push('the catalog has another /AcroForm')
    return []
  }
  const form = isObject ? newRaw.number : step.root
  const others = wrongFormKeys(step, old, now, form)
  if (others.length > 0) {
    step.problems.push(`the form (AcroForm) has another ${others.map(key => `/${key}`).join(', ')}`)
    return []
  }
  if (!setsFlags(old.entries.get('SigFlags'), now.entries.get('SigFlags')))
    step.problems.push('the form (AcroForm) has another /SigFlags')
  const added = explainList(step, old, now, form)
  if (added === undefined) return []
  if (isObject) step.unexplained.delete(newRaw.number)
  const taken = added.map(raw => takeField(step, raw))
  if (taken.includes(undefined) && step.problems.length === 0)
    step.problems.push('a form field was added that is no new signature')
  return taken.flatMap(numbers => numbers ?? [])
}

/** The fields behind those that were in the list; undefined when it is another list. */
function explainList(step: RevisionStep, old: PdfDictionary, now: PdfDictionary, form: number): readonly PdfValue[] | undefined {
  const [oldFields, newFields] = [old.entries.get('Fields'), now.entries.get('Fields')]
  const isStrict = step.permission === 1
  const added = addedItems(step.before.items(oldFields), step.after.items(newFields), { isStrict })
  if (added === undefined) {
    step.problems.push('the list of form fields (/Fields) is another one')
    return undefined
  }
  explainArray(step, oldFields, newFields, form)
  if (added.length > 1 && isStrict) step.problems.push('more than one form field was added at once')
  return added
}
