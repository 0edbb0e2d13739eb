/** Field types, their limits and the validation of values. Bundled for the browser too. Pure. */
import { flag, given, line, list, number, object, oneOf, optional, someOf, text, type Values, whole } from '../members.ts'
import { type LocalizedMessage, localized } from '../signing/message.ts'
import { cleanLine, cleanText, emailError } from '../text.ts'
import type { PageArea } from './geometry.ts'
import { choicesOf, numberOf, readEntered, readJsonNumber } from './number.ts'

export const FIELD_TYPES = [
  'signature',
  'initials',
  'date',
  'name',
  'email',
  'text',
  'paragraph',
  'number',
  'checkbox',
  'dropdown',
  'radio',
  'image',
  'attachment',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** Media types of the files that a recipient may add. */
export const MEDIA_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

export const MEGABYTE = 1_000_000
export const MAX_ATTACHMENT_BYTES = 20_000_000

/** A file that a recipient added. */
export interface FieldFile {
  fileName: string
  mediaType: MediaType
  bytes: number
  /** Lower-case hex. */
  sha256: string
}

/** The field is shown while the field of this name has this value. */
export interface Condition {
  field: string
  is: string
}

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
/** A narrower page gets smaller text and fields, in proportion to a page of A4. pt. */
const NARROW_PAGE = 400
export const A4_WIDTH = 595

export const pageFactor = (pageWidth: number): number => (pageWidth < NARROW_PAGE ? pageWidth / A4_WIDTH : 1)

/** The size of printed text without a size of its own, on a page of this displayed width. pt. */
export const defaultFontSize = (pageWidth: number): number => DEFAULT_FONT_SIZE * pageFactor(pageWidth)

export const MAX_FIELD_NAME = 100
/** Of a value, in characters. */
export const MAX_VALUE_LENGTH = 5000
export const MAX_OPTIONS = 100
export const MAX_OPTION_LENGTH = 200

/**
 * Every member of a field beside its id and kind, in the order of a response. Deferred, so that the
 * scripts that do not use it are without it.
 */
export const FIELD_MEMBERS = /* @__PURE__ */ (() => ({
  /** In conditions and data; unique in the document, without regard to case. */
  name: optional(line(MAX_FIELD_NAME)),
  showIf: optional(object<Condition>()),
  /** 1 is the first page. */
  page: given(whole({ min: 1 })),
  x: given(number()),
  y: given(number()),
  width: given(number()),
  height: given(number()),
  required: given(flag()),
  readOnly: given(flag()),
  label: optional(line(MAX_FIELD_NAME)),
  placeholder: optional(line(MAX_FIELD_NAME)),
  /**
   * The sender's, or after signing the recipient's. A checkbox has 'true' or 'false', a date is
   * ISO 8601. A hidden field has none.
   */
  value: optional(text(MAX_VALUE_LENGTH)),
  /** The values to choose from. */
  options: given(list<string>()),
  /** Of a radio field, one for each option. Its own place is that of the first. */
  boxes: given(list<PageArea>()),
  /** Of a number. */
  min: optional(number()),
  max: optional(number()),
  /** Media types of an attachment. Empty: all. */
  accept: given(someOf(MEDIA_TYPES)),
  maxBytes: optional(whole({ min: 1, max: MAX_ATTACHMENT_BYTES })),
  /** What the recipient added; the value is its name. */
  file: optional(object<FieldFile>()),
  /** A thin line under a mark. Undefined: of another kind of field. */
  rule: optional(flag()),
  maxLength: optional(whole({ min: 1, max: MAX_VALUE_LENGTH })),
  /** pt. Undefined: the size that the service chooses. */
  fontSize: optional(number({ min: MIN_FONT_SIZE, max: MAX_FONT_SIZE })),
  /** Undefined: as the document's language writes a date. */
  dateFormat: optional(oneOf(DATE_FORMATS)),
  /** Undefined: where the text's direction begins. */
  align: optional(oneOf(ALIGNMENTS)),
  /** Painted white: the text of the tag in the PDF that the field was made from. */
  covers: optional(list<PageArea>()),
}))()

export interface FieldValues extends Values<typeof FIELD_MEMBERS> {}

export interface Field extends FieldValues {
  id: string
  type: FieldType
}

/** The members that only some kinds of field have. */
const KIND_MEMBERS = [
  'options',
  'maxLength',
  'fontSize',
  'align',
  'dateFormat',
  'rule',
  'min',
  'max',
  'accept',
  'maxBytes',
] as const satisfies (keyof FieldValues)[]

type KindMember = (typeof KIND_MEMBERS)[number]

/** What the kinds of field have in common, and in what they differ. */
interface KindRules {
  /** Who gives the value: the recipient in the form, with the mark, as a file, or the service. */
  filledBy: 'entry' | 'mark' | 'file' | 'service'
  /** What the stamp draws. */
  draws: 'mark' | 'text' | 'check' | 'choice' | 'picture'
  members: readonly KindMember[]
  /** Whether a condition may name it. */
  mayControl: boolean
  /** Whether the sender may have one to fill in before sending. */
  isForSender: boolean
  /** Characters, unless the field says another length. */
  maxLength: number
}

export const DEFAULT_MAX_LENGTH = 500

/** Deferred, so that scripts that need none of it leave it out. */
const KINDS: Record<FieldType, KindRules> = /* @__PURE__ */ (() => {
  const PRINTED = ['fontSize', 'align'] as const
  const LINE: KindRules = {
    filledBy: 'entry',
    draws: 'text',
    members: [...PRINTED, 'maxLength'],
    mayControl: false,
    isForSender: true,
    maxLength: DEFAULT_MAX_LENGTH,
  }
  /** A typed mark must fit on one line of its field. */
  const MARK: KindRules = { ...LINE, filledBy: 'mark', draws: 'mark', members: ['rule'], isForSender: false, maxLength: 100 }
  const FILE: KindRules = { ...LINE, filledBy: 'file', isForSender: false }
  const CHOICE: KindRules = { ...LINE, mayControl: true }

  return {
    signature: MARK,
    initials: { ...MARK, maxLength: 10 },
    date: { ...LINE, filledBy: 'service', members: [...PRINTED, 'dateFormat'] },
    name: LINE,
    email: LINE,
    text: { ...LINE, mayControl: true },
    paragraph: { ...LINE, maxLength: 2000 },
    number: { ...LINE, members: [...LINE.members, 'min', 'max'], mayControl: true },
    checkbox: { ...CHOICE, draws: 'check', members: [] },
    dropdown: { ...CHOICE, members: [...PRINTED, 'options'] },
    radio: { ...CHOICE, draws: 'choice', members: ['options'] },
    image: { ...FILE, draws: 'picture', members: [] },
    attachment: { ...FILE, members: [...PRINTED, 'accept', 'maxBytes'] },
  }
})()

/** By whom or what a field of this type gets its value. */
export const filledBy = (type: FieldType): KindRules['filledBy'] => KINDS[type].filledBy

/** Fields that the service fills in itself. */
export function isFilledByService(type: FieldType): boolean {
  return filledBy(type) === 'service'
}

/** Fields that show the person's signature or initials. */
export function isMark(type: FieldType): type is 'signature' | 'initials' {
  return filledBy(type) === 'mark'
}

/** Fields for which the recipient adds a file. */
export function isFile(type: FieldType): boolean {
  return filledBy(type) === 'file'
}

/** Fields whose file is drawn into the document. */
export function isDrawnFile(type: FieldType): boolean {
  return KINDS[type].draws === 'picture'
}

/** Fields whose value is one of their options. */
export function hasOptions(type: FieldType): boolean {
  return KINDS[type].members.includes('options')
}

/** Fields with one box per option. */
export function hasBoxes(type: FieldType): boolean {
  return KINDS[type].draws === 'choice'
}

/** Read-only fields need a value at the sending; optional and conditional ones may be empty. */
export function needsValue({ readOnly, required, showIf }: Pick<Field, 'readOnly' | 'required' | 'showIf'>): boolean {
  return readOnly && required && showIf === undefined
}

/** Where a field is: the boxes of its options, or its own. */
export function areasOfField({ type, boxes, page, x, y, width, height }: Field): PageArea[] {
  return hasBoxes(type) ? boxes : [{ page, x, y, width, height }]
}

/** Fields that show their value as text. */
export function isPrinted(type: FieldType): boolean {
  return KINDS[type].draws === 'text'
}

export function isDate(type: FieldType): boolean {
  return type === 'date'
}

/** Fields whose entry may have several lines. */
export function hasLines(type: FieldType): boolean {
  return type === 'text' || type === 'paragraph'
}

/** Fields that a condition may name. */
export function mayControl(type: FieldType): boolean {
  return KINDS[type].mayControl
}

/** Fields that the sender may have to fill in before sending. */
export function isForSender(type: FieldType): boolean {
  return KINDS[type].isForSender
}

/** Fields whose value the sender may enter for a recipient. */
export function isPrefillable(type: FieldType): boolean {
  return filledBy(type) === 'entry'
}

export function hasMember(type: FieldType, member: KindMember): boolean {
  return KINDS[type].members.includes(member)
}

/** The members that only other kinds of field have. */
export function membersNotOf(type: FieldType): KindMember[] {
  return KIND_MEMBERS.filter(member => !hasMember(type, member))
}

/** The members that a field has and its type does not allow. */
export function excessMembers(field: { type: FieldType } & { [member in KindMember]?: unknown }): KindMember[] {
  return membersNotOf(field.type).filter(member => field[member] !== undefined)
}

export function maxLengthOf(field: { type: FieldType; maxLength?: number | undefined }): number {
  return field.maxLength ?? KINDS[field.type].maxLength
}

/** The media types that a field takes: an image must be one that the stamp can draw. */
export function acceptedTypes({ type, accept }: Pick<Field, 'type' | 'accept'>): readonly MediaType[] {
  if (type === 'image') return ['image/png', 'image/jpeg']
  return accept.length > 0 ? accept : MEDIA_TYPES
}

/** The largest file that a field takes. */
export function maxBytesOf({ maxBytes = MAX_ATTACHMENT_BYTES }: Pick<Field, 'maxBytes'>): number {
  return maxBytes
}

export type FieldValueResult = { value: string | undefined } | { error: LocalizedMessage }

/**
 * How a number is read: as a person enters it on a page of a language, or as programs write it
 * (`json`). `stored` is kept as it is, since an earlier release may have stored it.
 */
export type NumberReading = { language: string } | 'json' | 'stored'

/** Returns the value to store (`undefined` for none) or an error. Not for marks and files. */
export function validateFieldValue(field: Field, entered: string | undefined, numbers: NumberReading = 'json'): FieldValueResult {
  if (field.type === 'checkbox') return validateCheckbox(field, entered ?? 'false')
  const text = cleanValue(field, entered)
  if (text === '' && !field.required) return { value: undefined }
  const error = textError(field, text)
  if (error) return { error }
  return field.type === 'number' ? readNumber(field, text, numbers) : { value: text }
}

export function cleanValue({ type }: Pick<Field, 'type'>, entered = ''): string {
  return hasLines(type) ? cleanText(entered) : cleanLine(entered)
}

function textError(field: Field, text: string): LocalizedMessage | undefined {
  const { label, type, options } = field
  const named = { label, type }
  const limit = maxLengthOf(field)
  if (text === '' && !hasOptions(type)) return localized('required', named)
  if ([...text].length > limit) return localized('tooLong', named, limit)
  if (hasOptions(type) && !options.includes(text)) return localized('notAChoice', named, options)
  if (type === 'email' && emailError(text)) return localized('notAnEmail', named)
  if (type === 'date' && !isIsoDate(text)) return localized('notADate', named)
  return undefined
}

function readNumber({ label, type, min, max }: Field, text: string, numbers: NumberReading): FieldValueResult {
  const named = { label, type }
  const parsed = parsedNumber(text, numbers)
  if ('unclear' in parsed) {
    const [larger, smaller] = choicesOf(parsed, typeof numbers === 'object' ? numbers.language : 'en')
    return { error: localized('numberUnclear', named, larger?.entered ?? '', smaller?.entered ?? '') }
  }
  const number = 'number' in parsed ? numberOf(parsed.number) : Number.NaN
  if (!('number' in parsed) || Number.isNaN(number)) return { error: localized('notANumber', named) }
  if (min !== undefined && number < min) return { error: localized('tooSmall', named, min) }
  if (max !== undefined && number > max) return { error: localized('tooLarge', named, max) }
  return { value: parsed.number }
}

function parsedNumber(text: string, numbers: NumberReading) {
  if (typeof numbers === 'object') return readEntered(text, numbers.language)
  return numbers === 'json' ? readJsonNumber(text) : { number: text }
}

/** What a form has entered, with numbers as they are stored; what cannot be read stays as it is. */
export function readEntry({ type }: Pick<Field, 'type'>, entered: string, language: string): string {
  if (type !== 'number') return entered
  const parsed = readEntered(cleanLine(entered), language)
  return 'number' in parsed ? parsed.number : entered
}

function isIsoDate(text: string): boolean {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Accepts no other words: a wrong guess would print the opposite of what the person meant. */
function validateCheckbox({ label, type, required }: Field, entered: string): FieldValueResult {
  if (entered !== 'true' && entered !== 'false') return { error: localized('notTrueOrFalse', { label, type }) }
  if (required && entered === 'false') return { error: localized('tickRequired', { label, type }) }
  return { value: entered }
}
