/** Field types, their limits and the validation of values. Bundled for the browser too. Pure. */
import type { PageArea, PercentBox } from './geometry.ts'
import { FIELD_NAMES, type LocalizedMessage, localized } from './message.ts'
import { cleanLine, cleanText, emailError } from './text.ts'

export const FIELD_TYPES = ['signature', 'initials', 'date', 'name', 'email', 'text', 'checkbox', 'dropdown', 'number'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** How a date is printed: day and month names are the document's language. */
export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD-MM-YYYY',
  'D MMM YYYY',
  'D MMMM YYYY',
  'MMMM D, YYYY',
] as const
export type DateFormat = (typeof DATE_FORMATS)[number]

export const ALIGNMENTS = ['left', 'center', 'right'] as const
export type Alignment = (typeof ALIGNMENTS)[number]

/** pt on paper. */
export const MIN_FONT_SIZE = 6
export const MAX_FONT_SIZE = 24

const DEFAULT_FONT_SIZE = 11
/** A page narrower than this gets smaller text, in proportion to a page of A4. pt. */
const NARROW_PAGE = 400
const A4_WIDTH = 595

/** The size of printed text without a size of its own, on a page of this displayed width. pt. */
export function defaultFontSize(pageWidth: number): number {
  return pageWidth < NARROW_PAGE ? (DEFAULT_FONT_SIZE * pageWidth) / A4_WIDTH : DEFAULT_FONT_SIZE
}

export interface Field extends PercentBox {
  id: string
  type: FieldType
  /** 1 is the first page. */
  page: number
  required: boolean
  readOnly: boolean
  label: string | undefined
  placeholder: string | undefined
  /** The sender's, or after signing the recipient's. A checkbox has 'true' or 'false'. */
  value: string | undefined
  options: string[]
  maxLength: number | undefined
  /** pt. Undefined: the size that the service chooses. */
  fontSize: number | undefined
  /** Undefined: as the document's language writes a date. */
  dateFormat: DateFormat | undefined
  /** Undefined: where the text's direction begins. */
  align: Alignment | undefined
  /** Painted white: the text of the tag in the PDF that the field was made from. */
  covers?: PageArea[] | undefined
}

/** Fields that the service fills in itself. */
export function isFilledByService(type: FieldType): boolean {
  return type === 'date'
}

/** Fields that show the person's signature or initials. */
export function isMark(type: FieldType): boolean {
  return type === 'signature' || type === 'initials'
}

export function hasOptions(type: FieldType): boolean {
  return type === 'dropdown'
}

/** Fields that show their value as text. */
export function isPrinted(type: FieldType): boolean {
  return !isMark(type) && type !== 'checkbox'
}

export function isDate(type: FieldType): boolean {
  return type === 'date'
}

const HAS_MAX_LENGTH: ReadonlySet<FieldType> = new Set(['name', 'email', 'text', 'number'])

/** Whether fields of a type may have a member that not all fields have. */
const MEMBERS = {
  options: hasOptions,
  maxLength: type => HAS_MAX_LENGTH.has(type),
  fontSize: isPrinted,
  align: isPrinted,
  dateFormat: isDate,
} satisfies Record<string, (type: FieldType) => boolean>

/** The members that a field has and its type does not allow. */
export function excessMembers(
  field: { type: FieldType } & { [member in keyof typeof MEMBERS]?: unknown },
): (keyof typeof MEMBERS)[] {
  const members = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[]
  return members.filter(member => field[member] !== undefined && !MEMBERS[member](field.type))
}

/** Fields whose value the sender may enter. */
export function isPrefillable(type: FieldType): boolean {
  return !isMark(type) && !isFilledByService(type)
}

export const DEFAULT_MAX_LENGTH = 500
/** A typed mark must fit on one line of its field. */
const MARK_LENGTH: Partial<Record<FieldType, number>> = { signature: 100, initials: 10 }

export function maxLengthOf(field: { type: FieldType; maxLength?: number | undefined }): number {
  return MARK_LENGTH[field.type] ?? field.maxLength ?? DEFAULT_MAX_LENGTH
}

export function labelOf(field: Pick<Field, 'label' | 'type'>): string {
  return field.label ?? FIELD_NAMES[field.type]
}

export type FieldValueResult = { value: string | undefined } | { error: LocalizedMessage }

/** Returns the value to store (`undefined` for none) or an error. */
export function validateFieldValue(field: Field, entered: string | undefined): FieldValueResult {
  if (field.type === 'checkbox') return validateCheckbox(field, entered ?? 'false')
  const text = field.type === 'text' ? cleanText(entered ?? '') : cleanLine(entered ?? '')
  if (text === '' && !field.required) return { value: undefined }
  const error = textError(field, text)
  return error ? { error } : { value: text }
}

function textError(field: Field, text: string): LocalizedMessage | undefined {
  const { label, type, options } = field
  const named = { label, type }
  const limit = maxLengthOf(field)
  if (text === '' && !hasOptions(type)) return localized('required', named)
  if ([...text].length > limit) return localized('tooLong', named, limit)
  if (hasOptions(type) && !options.includes(text)) return localized('notAChoice', named, options)
  if (type === 'number' && !/^[-+]?\d{1,15}([.,]\d{1,10})?$/.test(text)) return localized('notANumber', named)
  if (type === 'email' && emailError(text)) return localized('notAnEmail', named)
  return undefined
}

/** Accepts no other words: a wrong guess would print the opposite of what the person meant. */
function validateCheckbox({ label, type, required }: Field, entered: string): FieldValueResult {
  if (entered !== 'true' && entered !== 'false') return { error: localized('notTrueOrFalse', { label, type }) }
  if (required && entered === 'false') return { error: localized('tickRequired', { label, type }) }
  return { value: entered }
}
