/** The fields of the signing page: those that may be shown, with their values and conditions. */
import type { FixedData } from '../../../../views/signing/browser/data.ts'
import type { FieldView } from '../../../../views/signing/signing.tsx'
import type { Document, Recipient } from '../../../core/document/document.ts'
import { type DateLanguage, printedValue } from '../../../core/field/date-format.ts'
import { areasOfField, type Field, type FieldFile, isFile, isFilledByService } from '../../../core/field/field.ts'
import type { PageArea } from '../../../core/field/geometry.ts'
import { enteredNumber } from '../../../core/field/number.ts'
import { placedFields } from '../../../core/field/placed-fields.ts'
import { inReadingOrder } from '../../../core/field/reading-order.ts'
import { hiddenFields, hiddenForGood, nameKey } from '../../../core/field/visibility.ts'
import type { Language } from '../../../core/language.ts'
import { proposedValue } from '../../../core/signing/signing.ts'
import type { SignerTexts } from '../../../locales/catalogue.ts'

/** By the name of the form's member. */
export type Entries = Record<string, string>

/** The whole form was sent: a checkbox that is missing in it is not ticked. */
export const isWhole = (form: Entries) => 'sha256' in form

interface Context {
  document: Document
  recipient: Recipient
  /** The saved form values. */
  saved: Entries
  /** The form that was just sent, if one was. */
  form: Entries
  files: Record<string, FieldFile>
  /** The day of signing, YYYY-MM-DD. */
  day: string
  /** Of printed dates. */
  dateLanguage: DateLanguage
  /** Of the page. */
  language: Language
  /** Of the text of the document. */
  direction: 'ltr' | 'rtl'
  texts: SignerTexts
}

interface PageFields {
  fields: FieldView[]
  senderFields: FieldView[]
  fixed: FixedData[]
}

export function pageFields(context: Context): PageFields {
  const { document, recipient, direction } = context
  const sorted = (fields: readonly Field[]) => inReadingOrder(fields, firstArea, direction)
  const all = placedFields(document).map(({ field }) => field)
  const isOpen = (field: Field) => recipient.fields.includes(field) && !isFixed(field)
  const hidden = hiddenForGood(all, isOpen, ({ value }) => value)
  const own = sorted(recipient.fields.filter(({ id }) => !hidden.has(id)))
  const senderHidden = hiddenFields(document.senderFields, ({ value }) => value)
  return {
    fields: own.map(field => ({ ...withValue(field, context), condition: conditionOf(field, own, context.texts) })),
    senderFields: sorted(document.senderFields)
      .filter(({ id, value }) => !senderHidden.has(id) && value !== undefined)
      .map(field => ({ ...field, value: printedValue(field, field.value ?? '', context.dateLanguage), condition: undefined })),
    fixed: fixedData(own),
  }
}

/** A choice is where its first box is. */
function firstArea(field: Field): PageArea {
  const [first = field] = inReadingOrder(areasOfField(field), area => area)
  return first
}

/** Its value does not change on this page. */
const isFixed = ({ type, readOnly }: Field) => readOnly || isFilledByService(type)

/** Undefined where all conditions are met by what others have entered. */
function conditionOf({ showIf }: Field, own: readonly Field[], texts: SignerTexts): FieldView['condition'] {
  if (!showIf) return undefined
  const controlling = own.find(({ name }) => name !== undefined && nameKey(name) === nameKey(showIf.field))
  if (!controlling || (isFixed(controlling) && !controlling.showIf)) return undefined
  const { label, type } = controlling
  return { label: label ?? texts.fieldNames[type], type, is: showIf.is }
}

/** Conditions on others are decided: the browser takes a field it does not know as met. */
function fixedData(own: readonly Field[]): FixedData[] {
  return own.filter(isFixed).map(field => {
    const { id, type, name, showIf, value, boxes } = field
    return { id, type, name, showIf, value, pages: [field, ...boxes].map(({ page }) => page) }
  })
}

function withValue(field: Field, context: Context): Omit<FieldView, 'condition'> {
  const { recipient, saved, form, files, day, dateLanguage } = context
  const { id, type, readOnly } = field
  const name = `fields.${id}`
  const entered = isWhole(form) ? form[name] : saved[name]
  const own = proposedValue(field, recipient) ?? ''
  if (isFile(type)) return { ...field, file: files[id], value: files[id]?.fileName ?? '' }
  if (type === 'number') return { ...field, value: numberValue(field, own, entered, context) }
  if (isFilledByService(type)) return { ...field, value: printedValue(field, own || day, dateLanguage) }
  const box = () =>
    isWhole(form) ? entered === 'on' : entered === undefined ? own === 'true' : entered === 'on' || entered === 'true'
  const value = type === 'checkbox' ? String(readOnly ? own === 'true' : box()) : readOnly ? own : (entered ?? own)
  return { ...field, value }
}

/** What was just sent stays as it was typed. */
function numberValue({ readOnly, ...field }: Field, own: string, entered: string | undefined, context: Context): string {
  if (readOnly) return printedValue(field, own, context.dateLanguage)
  return isWhole(context.form) ? (entered ?? '') : enteredNumber(entered ?? own, context.language)
}
