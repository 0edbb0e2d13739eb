/**
 * Signature fields that an update adds to a form, or fills, and what of the form and the pages changes with them. A field that is added must draw
 * nothing: what is laid over a page after it was signed is how certified documents are forged. ISO 32000-2 §12.7.5.5, §12.8.5.
 */
import type { PdfFile } from '../pdf/file.ts'
import { type Page, readPages, TooManyPagesError } from '../pdf/page.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue, textOf } from '../pdf/syntax.ts'
import type { AdditionsPolicy, Step } from './additions.ts'
import { differingKeys, eachReference, readObject, sameValue } from './object-changes.ts'
import { isThere } from './security-store.ts'

const nameOf = (value: PdfValue | undefined): string => (value?.kind === 'name' ? value.value : '')

/** Table 166 and 235, as far as an invisible signature field needs them. */
const FIELD_KEYS = new Set(['Type', 'Subtype', 'Rect', 'F', 'P', 'FT', 'T', 'V', 'Ff', 'Kids'])
const MAX_TREE = 10_000

/** The signature dictionary of a field: new, and leading nowhere. What kind it is, or undefined when it is none. */
function takeSignature(step: Step, held: PdfValue | undefined): 'document time-stamp' | 'signature' | undefined {
  if (held?.kind !== 'reference' || !isThere(step.after, held) || !step.takeNew(held.number)) return undefined
  const value = readObject(step.after, held.number)
  if (value?.kind !== 'dictionary' || !value.entries.has('ByteRange')) return undefined
  let leads = false
  eachReference(value, () => {
    leads = true
  })
  if (leads) return undefined
  const isTimeStamp = nameOf(value.entries.get('SubFilter')) === 'ETSI.RFC3161'
  return isTimeStamp && nameOf(value.entries.get('Type')) === 'DocTimeStamp' && !value.entries.has('Reference')
    ? 'document time-stamp'
    : 'signature'
}

const isZeroRectangle = (value: PdfValue | undefined): boolean =>
  value?.kind === 'array' && value.items.length === 4 && value.items.every(item => item.kind === 'number' && item.value === 0)

/** Names of the fields at the top of the earlier form. */
function namesOf({ before, oldCatalog }: Step): Set<string> {
  const form = before.dictionary(oldCatalog.entries.get('AcroForm'))
  const fields = before.items(form?.entries.get('Fields')).map(field => before.dictionary(field))
  return new Set(fields.map(field => textOf(before.resolve(field?.entries.get('T')).value)))
}

function judgeKind(step: Step, kind: 'document time-stamp' | 'signature', field: PdfDictionary, policy: AdditionsPolicy): void {
  const title = textOf(field.entries.get('T'))
  if (kind === 'signature' && !policy.signatures)
    step.problems.push(`the signature "${title}" was added, which the signature before it does not allow`)
  else step.found.push(`the ${kind} "${title}"`)
}

/** A new field that is nothing but an invisible widget and its signature. */
function takeField(step: Step, raw: PdfValue, policy: AdditionsPolicy): boolean {
  if (raw.kind !== 'reference' || !isThere(step.after, raw) || !step.takeNew(raw.number)) return false
  const field = readObject(step.after, raw.number)
  const problem = (what: string): false => {
    step.problems.push(`the form field of object ${raw.number} was added, and ${what}`)
    return false
  }
  if (field?.kind !== 'dictionary' || field.doubled.length > 0) return problem('is no field')
  const { entries } = field
  const odd = [...entries.keys()].filter(key => !FIELD_KEYS.has(key))
  if (odd.length > 0) return problem(`has ${odd.map(key => `/${key}`).join(', ')}`)
  if (nameOf(entries.get('FT')) !== 'Sig') return problem('is no signature field')
  if (entries.has('Kids')) return problem('has fields below it')
  if (entries.has('Rect') && !isZeroRectangle(entries.get('Rect'))) return problem('has a place on a page (/Rect)')
  if (entries.has('Subtype') && nameOf(entries.get('Subtype')) !== 'Widget') return problem('is an annotation of another kind')
  const page = entries.get('P')
  if (page !== undefined && !(page.kind === 'reference' && step.before.crossReference.entries.has(page.number)))
    return problem('stands on a page that was not there')
  const title = entries.get('T')
  if (title?.kind !== 'string') return problem('has no name')
  if (namesOf(step).has(textOf(title))) return problem('has the name of another')
  const kind = takeSignature(step, entries.get('V'))
  if (kind === undefined) return problem('has no signature of its own as its value')
  judgeKind(step, kind, field, policy)
  return true
}

/** Everything new that an appearance leads to is drawn inside the field's own place. */
function takeTree(step: Step, value: PdfValue): void {
  const waiting = [value]
  for (let count = 0; waiting.length > 0 && count < MAX_TREE; count++) {
    const next = waiting.pop()
    if (next !== undefined)
      eachReference(next, number => {
        if (!step.unexplained.has(number) || !step.takeNew(number)) return
        const object = readObject(step.after, number)
        if (object !== undefined) waiting.push(object)
      })
  }
}

/** Empty signature fields of the signed revision that were filled: the author gave them their place. */
function explainFilled(step: Step, policy: AdditionsPolicy): void {
  if (!policy.signatures) return
  for (const number of [...step.unexplained]) {
    const [was, is] = [readObject(step.before, number), readObject(step.after, number)]
    if (was?.kind !== 'dictionary' || is?.kind !== 'dictionary') continue
    if (nameOf(was.entries.get('FT')) !== 'Sig' || was.entries.has('V')) continue
    if (is.doubled.length > 0 || differingKeys(was, is).some(key => !['V', 'AP', 'M'].includes(key))) continue
    const kind = takeSignature(step, is.entries.get('V'))
    if (kind === undefined) continue
    const appearance = is.entries.get('AP')
    if (appearance !== undefined) takeTree(step, appearance)
    step.unexplained.delete(number)
    judgeKind(step, kind, is, policy)
  }
}

/** The items behind those of the earlier array, when it begins with exactly those. */
function addedItems(before: readonly PdfValue[], after: readonly PdfValue[]): readonly PdfValue[] | undefined {
  return before.every((item, i) => sameValue(item, after[i])) ? after.slice(before.length) : undefined
}

/** An array that is an object of its own may be a new one, or grow in its place when only one other leads to it. */
function explainArray(step: Step, old: PdfValue | undefined, now: PdfValue | undefined): void {
  if (now?.kind !== 'reference') return
  if (old?.kind !== 'reference' || old.number !== now.number) step.takeNew(now.number)
  else if (step.referredTo(now.number) === 1) step.unexplained.delete(now.number)
}

/** §12.7.3, table 225: bits that say that signatures exist may be set, never taken away. */
function setsFlags(old: PdfValue | undefined, now: PdfValue | undefined): boolean {
  if (sameValue(old, now)) return true
  const before = old?.kind === 'number' ? old.value : 0
  return now?.kind === 'number' && (now.value & ~(before | 3)) === 0 && (before & ~now.value) === 0
}

/** The form: its list of fields longer by the new ones, /SigFlags set. Gives the new fields. */
function explainFields(step: Step, policy: AdditionsPolicy): Set<number> {
  const none = new Set<number>()
  const [oldRaw, newRaw] = [step.oldCatalog.entries.get('AcroForm'), step.newCatalog.entries.get('AcroForm')]
  const isObject = newRaw?.kind === 'reference'
  if (!step.changed.size || (sameValue(oldRaw, newRaw) && !isObject)) return none
  if (isObject && !sameValue(oldRaw, newRaw)) {
    step.problems.push('the catalog has another /AcroForm')
    return none
  }
  const [old, now] = [step.before.dictionary(oldRaw), step.after.dictionary(newRaw)]
  if (old === undefined || now === undefined) {
    if (old !== now) step.problems.push('the catalog has another /AcroForm')
    return none
  }
  const others = [...differingKeys(old, now).filter(key => key !== 'Fields' && key !== 'SigFlags'), ...now.doubled]
  if (others.length > 0) {
    step.problems.push(`the form (AcroForm) has another ${others.map(key => `/${key}`).join(', ')}`)
    return none
  }
  if (!setsFlags(old.entries.get('SigFlags'), now.entries.get('SigFlags')))
    step.problems.push('the form (AcroForm) has another /SigFlags')
  const [oldFields, newFields] = [old.entries.get('Fields'), now.entries.get('Fields')]
  const added = addedItems(step.before.items(oldFields), step.after.items(newFields))
  if (added === undefined) {
    step.problems.push('the list of form fields (/Fields) is another one')
    return none
  }
  if (isObject) step.unexplained.delete(newRaw.number)
  explainArray(step, oldFields, newFields)
  if (added.length > 1) step.problems.push('more than one form field was added at once')
  const taken = added.filter(raw => takeField(step, raw, policy))
  if (taken.length < added.length && step.problems.length === 0)
    step.problems.push('a form field was added that is no new signature')
  return new Set(taken.flatMap(raw => (raw.kind === 'reference' ? [raw.number] : [])))
}

/** Pages whose list of annotations is longer by the new widgets and which are otherwise the same. */
function explainPages(step: Step, widgets: ReadonlySet<number>): void {
  if (widgets.size === 0 || step.unexplained.size === 0) return
  const isWidget = (item: PdfValue) => item.kind === 'reference' && widgets.has(item.number)
  for (const { number, dictionary } of pagesOf(step.before)) {
    const old = dictionary.value
    const now = step.changed.has(number) ? readObject(step.after, number) : old
    if (old.kind !== 'dictionary' || now?.kind !== 'dictionary') continue
    const [oldList, newList] = [old.entries.get('Annots'), now.entries.get('Annots')]
    const isTouched = now !== old || (newList?.kind === 'reference' && step.changed.has(newList.number))
    if (!isTouched || now.doubled.length > 0 || differingKeys(old, now).some(key => key !== 'Annots')) continue
    const added = addedItems(step.before.items(oldList), step.after.items(newList))
    if (added === undefined || !added.every(isWidget)) continue
    step.unexplained.delete(number)
    explainArray(step, oldList, newList)
  }
}

function pagesOf(file: PdfFile): Pick<Page, 'number' | 'dictionary'>[] {
  try {
    return readPages(file, file.resolve(file.crossReference.trailer.entries.get('Root')))
  } catch (error) {
    // Then no page is explained, and its change stays one.
    if (error instanceof PdfSyntaxError || error instanceof TooManyPagesError) return []
    throw error
  }
}

/** Takes out of `unexplained` what belongs to signatures that were added rightly, and notes what was added wrongly. */
export function explainForm(step: Step, policy: AdditionsPolicy): void {
  explainFilled(step, policy)
  const widgets = explainFields(step, policy)
  explainPages(step, widgets)
}
