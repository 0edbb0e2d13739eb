/** The kinds of fields, what each may hold and how a value is judged. Bundled for the browser too. Pure. */
import type { PercentBox } from './geometry.ts'
import { FIELD_NAMES, type LocalizedMessage, localized } from './message.ts'
import { cleanLine, cleanText, emailError } from './text.ts'

export const FIELD_TYPES = ['signature', 'initials', 'date', 'name', 'email', 'text', 'checkbox', 'dropdown', 'number'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export interface Field extends PercentBox {
  id: string
  type: FieldType
  /** 1 is the first page. */
  page: number
  required: boolean
  readOnly: boolean
  label: string | undefined
  placeholder: string | undefined
  /** Prefilled by the sender, or filled by the recipient once signed. A checkbox holds 'true' or 'false'. */
  value: string | undefined
  options: string[]
  maxLength: number | undefined
}

/** Fields the service fills itself, from what it knows of the recipient and the moment. */
export function isFilledByService(type: FieldType): boolean {
  return type === 'date'
}

/** Fields that carry the person's mark. */
export function isMark(type: FieldType): boolean {
  return type === 'signature' || type === 'initials'
}

/** Fields whose value the sender may write beforehand. */
export function isPrefillable(type: FieldType): boolean {
  return !isMark(type) && !isFilledByService(type)
}

export const DEFAULT_MAX_LENGTH = 500
/** A typed mark stands on one line of its field. */
const MARK_LENGTH: Partial<Record<FieldType, number>> = { signature: 100, initials: 10 }

/** The most characters a field may hold. */
export function maxLengthOf(field: { type: FieldType; maxLength?: number | undefined }): number {
  return MARK_LENGTH[field.type] ?? field.maxLength ?? DEFAULT_MAX_LENGTH
}

/** The label a person reads; a field without one is called by its kind. */
export function labelOf(field: Pick<Field, 'label' | 'type'>): string {
  return field.label ?? FIELD_NAMES[field.type]
}

export type FieldValueResult = { value: string | undefined } | { error: LocalizedMessage }

/** Judges what was entered for a field, by the recipient or beforehand by the sender: the value as it is stored (`undefined` for none), or what is wrong in one sentence. */
export function validateFieldValue(field: Field, entered: string | undefined): FieldValueResult {
  if (field.type === 'checkbox') return judgeCheckbox(field, entered ?? 'false')
  const { label, type } = field
  const named = { label, type }
  const text = type === 'text' ? cleanText(entered ?? '') : cleanLine(entered ?? '')
  if (text === '' && !field.required) return { value: undefined }
  if (text === '' && type !== 'dropdown') return { error: localized('required', named) }
  const limit = maxLengthOf(field)
  if ([...text].length > limit) return { error: localized('tooLong', named, limit) }
  if (type === 'dropdown' && !field.options.includes(text)) return { error: localized('notAChoice', named, field.options) }
  if (type === 'number' && !/^[-+]?\d{1,15}([.,]\d{1,10})?$/.test(text)) return { error: localized('notANumber', named) }
  if (type === 'email' && emailError(text)) return { error: localized('notAnEmail', named) }
  return { value: text }
}

/** Two words and no other: what is neither could be stamped as the opposite of what was meant. */
function judgeCheckbox({ label, type, required }: Field, entered: string): FieldValueResult {
  if (entered !== 'true' && entered !== 'false') return { error: localized('notTrueOrFalse', { label, type }) }
  if (required && entered === 'false') return { error: localized('tickRequired', { label, type }) }
  return { value: entered }
}
