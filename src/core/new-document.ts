/** The request for a new document, and the rules it must meet before the file is read. Pure. */
import type { ReminderPlan } from './document.ts'
import { daysAfter } from './document.ts'
import {
  type Alignment,
  type DateFormat,
  excessMembers,
  FIELD_TYPES,
  type Field,
  type FieldType,
  type FieldValueResult,
  hasOptions,
  isFilledByService,
  isMark,
  isPrefillable,
  validateFieldValue,
} from './field.ts'
import { boxError, type PageArea } from './geometry.ts'
import { labelErrors } from './label.ts'
import { refuseIfInvalid, type ValidationError } from './refusal.ts'
import { maySign, mustAct, type Role, type SigningOrder } from './routing.ts'
import { cleanLine, emailError, lineError, sameMailbox, unprintableError } from './text.ts'

/** Sources of fields in a PDF. Signature lines are only proposed, since they may be wrong. */
export const FIELDS_FROM = ['form', 'tags'] as const
export type FieldsFrom = (typeof FIELDS_FROM)[number]

/** The schema has checked the members' types. */
export interface NewField {
  type: FieldType
  page: number
  x: number
  y: number
  width: number
  height: number
  required?: boolean
  label?: string
  value?: string
  readOnly?: boolean
  options?: string[]
  placeholder?: string
  maxLength?: number
  fontSize?: number
  dateFormat?: DateFormat
  align?: Alignment
  /** Not for clients: the service takes it from the tags of the PDF. */
  covers?: PageArea[]
}

export interface NewRecipient {
  email: string
  name: string
  role?: Role
  order?: number
  locale?: string
  accessCode?: string
  fields?: NewField[]
}

export interface NewDocument {
  title?: string
  fileName?: string
  /** In place of `fileName` where several files are joined. */
  files?: { fileName: string }[]
  recipients: NewRecipient[]
  /** What the PDF itself contains becomes fields, too. */
  fieldsFrom?: FieldsFrom[]
  message?: string
  signingOrder?: SigningOrder
  expiresAt?: string
  expiresInDays?: number
  reminders?: ReminderPlan | null
  locale?: string
  metadata?: Record<string, string>
  labels?: string[]
  redirectUrl?: string
  allowDelegation?: boolean
}

const MAX_EXPIRY_DAYS = 365
const MIN_ACCESS_CODE_LENGTH = 6
const MAX_FILE_NAME_BYTES = 255
const MAX_METADATA_NAME = 100
const MAX_TEXT_BYTES = 1_000_000

export interface ValidationDeps {
  /** The characters of a text that no embedded font can print. */
  unprintable(text: string): string[]
  limits: { recipients: number; fields: number }
  now: Date
}

/** The names of the files in order, with their paths. */
export function fileNamesIn({
  fileName = '',
  files,
}: Pick<NewDocument, 'fileName' | 'files'>): { path: string; fileName: string }[] {
  return files ? files.map((file, i) => ({ path: `files[${i}].fileName`, ...file })) : [{ path: 'fileName', fileName }]
}

/** Throws `validation_failed` with all errors, or with the one of a request that is too large. */
export function validateNewDocument(input: NewDocument, deps: ValidationDeps): void {
  refuseTooMany(input.recipients, deps.limits)
  const texts = textsIn(input, '')
  refuseTooMuchText(texts)
  const errors = new ErrorList(deps.unprintable)
  errors.addHalfCharacters(texts)
  for (const { path, fileName } of fileNamesIn(input)) {
    errors.add(path, lineError(fileName))
    if (bytesOf(fileName) > MAX_FILE_NAME_BYTES)
      errors.add(path, `must have at most ${MAX_FILE_NAME_BYTES} bytes in UTF-8: please shorten it`)
    errors.addUnprintable(path, fileName)
  }
  if (input.title !== undefined) errors.add('title', lineError(input.title))
  errors.addUnprintable('title', input.title)
  errors.add('expiresAt', expiryError(input, deps.now))
  errors.add('redirectUrl', redirectError(input.redirectUrl))
  errors.add('metadata', metadataError(input.metadata))
  for (const { path, message } of labelErrors(input.labels ?? [])) errors.add(path, message)
  input.recipients.forEach((_, i) => {
    validateRecipient(input.recipients, i, errors)
  })
  refuseIfInvalid(errors.all)
}

/** Collects the errors of a request. */
export class ErrorList {
  readonly all: ValidationError[] = []
  readonly #unprintable: ValidationDeps['unprintable']

  constructor(unprintable: ValidationDeps['unprintable']) {
    this.#unprintable = unprintable
  }

  add(path: string, message: string | undefined): void {
    if (message) this.all.push({ path, message })
  }

  addUnprintable(path: string, text: string | undefined): void {
    this.add(path, unprintableError(text, { unprintable: this.#unprintable }))
  }

  addHalfCharacters(texts: [path: string, text: string][]): void {
    for (const [path, text] of texts)
      if (!text.isWellFormed()) this.add(path, 'holds half a character (a lone surrogate): send it whole')
  }
}

/** Checked here because the validator does not enforce a schema of member names. */
export function metadataError(metadata: NewDocument['metadata'] = {}): string | undefined {
  const isTooLong = Object.keys(metadata).some(name => name === '' || name.length > MAX_METADATA_NAME)
  return isTooLong ? `must have names of 1 to ${MAX_METADATA_NAME} characters` : undefined
}

/** All texts with their paths. In `metadata` the member names are the client's texts too. */
export function textsIn(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (Array.isArray(value)) return value.flatMap((item, i) => textsIn(item, `${path}[${i}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => {
    const inner = path === '' ? name : `${path}.${name.toWellFormed()}`
    return path === 'metadata' ? [[inner, name], ...textsIn(item, inner)] : textsIn(item, inner)
  })
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** A document is always read whole. Only recipients and fields can have that much text. */
export function refuseTooMuchText(texts: [path: string, text: string][]): void {
  const total = texts.reduce((sum, [, text]) => sum + bytesOf(text), 0)
  if (total <= MAX_TEXT_BYTES) return
  const max = MAX_TEXT_BYTES.toLocaleString('en')
  const message = `must hold less text: all texts of a document together may have ${max} bytes in UTF-8, these have ${total.toLocaleString('en')}. Please put long texts into the PDF`
  refuseIfInvalid([{ path: 'recipients', message }])
}

/** Thrown alone: nothing else of a request that is too large is checked. */
function refuseTooMany(recipients: NewRecipient[], limits: ValidationDeps['limits']): void {
  if (recipients.length > limits.recipients)
    refuseIfInvalid([{ path: 'recipients', message: `must be at most ${limits.recipients}` }])
  const fieldCount = recipients.reduce((sum, r) => sum + (r.fields?.length ?? 0), 0)
  const message = `must hold at most ${limits.fields} fields in all, there are ${fieldCount}`
  if (fieldCount > limits.fields) refuseIfInvalid([{ path: 'recipients', message }])
}

function validateRecipient(recipients: NewRecipient[], i: number, errors: ErrorList): void {
  const recipient = recipients[i]!
  const role = roleOf(recipient)
  const path = `recipients[${i}]`
  errors.add(`${path}.name`, lineError(recipient.name))
  errors.add(`${path}.email`, emailError(recipient.email))
  errors.addUnprintable(`${path}.name`, recipient.name)
  errors.addUnprintable(`${path}.email`, recipient.email)
  errors.add(`${path}.accessCode`, accessCodeError(recipient.accessCode))
  const first = recipients.findIndex(other => mustAct({ role: roleOf(other) }) && sameMailbox(other.email, recipient.email))
  if (mustAct({ role }) && first >= 0 && first < i)
    errors.add(`${path}.email`, `is already used by recipients[${first}]: each signer needs an address of their own`)
  recipient.fields?.forEach((field, j) => {
    validateField(`${path}.fields[${j}]`, field, role, errors)
  })
}

export function accessCodeError(code: string | undefined): string | undefined {
  if (code === undefined || code.trim().length >= MIN_ACCESS_CODE_LENGTH) return undefined
  return `must have at least ${MIN_ACCESS_CODE_LENGTH} characters, outer blanks not counted`
}

export function roleOf(recipient: Pick<NewRecipient, 'role'>): Role {
  return recipient.role ?? 'signer'
}

/** A draft may lack the choices of a dropdown and the value of a read-only field. */
export function validateField(path: string, field: NewField, role: Role, errors: ErrorList, isDraft = false): void {
  const outside = boxError(field)
  if (outside) errors.add(`${path}.${outside.member}`, outside.message)
  if (!mustAct({ role })) errors.add(path, 'a recipient who only reads cannot have fields')
  else if (isMark(field.type) && !maySign(role))
    errors.add(`${path}.type`, `${field.type} fields are for signers; an approver places no signature`)
  if (hasOptions(field.type) && !field.options?.length && !isDraft)
    errors.add(`${path}.options`, 'must list the choices of the dropdown')
  for (const member of excessMembers(field)) errors.add(`${path}.${member}`, `is not for ${field.type} fields`)
  validateFieldTexts(path, field, errors)
  if (field.value !== undefined) {
    errors.addUnprintable(`${path}.value`, field.value)
    errors.add(`${path}.value`, prefillError(field, field.value))
  } else if (field.readOnly && !isFilledByService(field.type) && !isDraft) {
    errors.add(`${path}.value`, 'must be given when the field is readOnly')
  }
}

function validateFieldTexts(path: string, field: NewField, errors: ErrorList): void {
  for (const member of ['label', 'placeholder'] as const) {
    if (field[member] === undefined) continue
    errors.add(`${path}.${member}`, lineError(field[member]))
    errors.addUnprintable(`${path}.${member}`, field[member])
  }
  field.options?.forEach((option, k) => {
    errors.add(`${path}.options[${k}]`, lineError(option))
    errors.addUnprintable(`${path}.options[${k}]`, option)
  })
}

function prefillError(field: NewField, value: string): string | undefined {
  if (!isPrefillable(field.type)) {
    const others = FIELD_TYPES.filter(isPrefillable).join(', ')
    return `cannot be prefilled in a field of type ${field.type}, only in one of these types: ${others}`
  }
  const result = validatePrefill(fieldOf('', field), value)
  return 'error' in result ? result.error.message : undefined
}

/** A value is required here only if the recipient cannot enter one later. */
export function validatePrefill(field: Field, value: string): FieldValueResult {
  return validateFieldValue({ ...field, required: field.required && field.readOnly }, value)
}

/** The field as it is stored, before its value is cleaned. */
export function fieldOf(id: string, input: NewField): Field {
  return {
    id,
    type: input.type,
    page: input.page,
    x: input.x,
    y: input.y,
    width: input.width,
    height: input.height,
    required: input.required ?? input.type !== 'checkbox',
    readOnly: input.readOnly ?? false,
    label: input.label === undefined ? undefined : cleanLine(input.label) || undefined,
    placeholder: input.placeholder === undefined ? undefined : cleanLine(input.placeholder) || undefined,
    value: input.value,
    options: input.options?.map(cleanLine) ?? [],
    maxLength: input.maxLength,
    fontSize: input.fontSize,
    dateFormat: input.dateFormat,
    align: input.align,
    covers: input.covers,
  }
}

export function expiryError(
  { expiresAt, expiresInDays }: Pick<NewDocument, 'expiresAt' | 'expiresInDays'>,
  now: Date,
): string | undefined {
  if (expiresAt === undefined) return undefined
  if (expiresInDays !== undefined) return 'cannot be combined with expiresInDays: give one of the two'
  const expiry = new Date(expiresAt)
  if (Number.isNaN(expiry.getTime())) return 'must be a time such as 2030-01-31T12:00:00Z'
  if (expiry <= now) return 'must lie in the future'
  if (expiry > daysAfter(now, MAX_EXPIRY_DAYS)) return `must lie at most ${MAX_EXPIRY_DAYS} days ahead`
  return undefined
}

export function redirectError(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:'))
    return 'must be an address that begins with https:// or http://'
  if (parsed.username || parsed.password) return 'must not carry a user name or password'
  return undefined
}
