/** The birth of a document: what was asked for, judged by the rules with every error at once, becomes a draft. Pure. */
import { type Document, daysAfter, type Recipient, type ReminderPlan, type Transition } from './document.ts'
import {
  FIELD_TYPES,
  type Field,
  type FieldType,
  type FieldValueResult,
  isFilledByService,
  isMark,
  isPrefillable,
  validateFieldValue,
} from './field.ts'
import { boxError } from './geometry.ts'
import { refuseIfInvalid, type ValidationError } from './refusal.ts'
import { maySign, mustAct, type Role, type SigningOrder } from './routing.ts'
import { cleanLine, cleanText, emailError, lineError, sameMailbox } from './text.ts'

/** A field as it is asked for; its members' types were checked at the door. */
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
  fileName: string
  recipients: NewRecipient[]
  message?: string
  signingOrder?: SigningOrder
  expiresAt?: string
  expiresInDays?: number
  reminders?: ReminderPlan | null
  locale?: string
  metadata?: Record<string, string>
  redirectUrl?: string
  allowDelegation?: boolean
}

export const DEFAULT_REMINDERS: ReminderPlan = { firstAfterDays: 3, everyDays: 3, max: 5 }
export const DEFAULT_EXPIRY_DAYS = 30
const LATEST_EXPIRY_DAYS = 365
const LEAST_CODE_LENGTH = 6
const LONGEST_FILE_NAME_BYTES = 255
const MOST_TEXT_BYTES = 1_000_000

/** What the file turned out to be. */
export interface FileFacts {
  pageCount: number
  sha256Original: string
  sha256Uploaded: string | undefined
}

export interface Deps {
  newId(prefix: 'doc' | 'rcp' | 'fld'): string
  hashAccessCode(recipientId: string, code: string): string
  /** Characters of a text that could not be printed on the certificate pages. */
  unprintable(text: string): string[]
  limits: { recipients: number; fields: number }
  now: Date
}

/** Judges everything that can be judged without the file. Throws `validation_failed` with all errors; of too much text that one alone. */
export function validateNewDocument(input: NewDocument, deps: Pick<Deps, 'unprintable' | 'limits' | 'now'>): void {
  const errors: ValidationError[] = []
  const say = (path: string, message: string | undefined) => message && errors.push({ path, message })
  const printable = (path: string, text: string | undefined) => say(path, unprintableError(text, deps))
  refuseTooMany(input.recipients, deps.limits)
  const texts = textsIn(input, '')
  refuseTooMuchText(texts)
  for (const [path, text] of texts)
    if (!text.isWellFormed()) say(path, 'holds half a character (a lone surrogate): send it whole')
  say('fileName', lineError(input.fileName))
  if (bytesOf(input.fileName) > LONGEST_FILE_NAME_BYTES)
    say('fileName', `must have at most ${LONGEST_FILE_NAME_BYTES} bytes in UTF-8: please shorten it`)
  if (input.title !== undefined) say('title', lineError(input.title))
  printable('fileName', input.fileName)
  printable('title', input.title)
  say('expiresAt', expiryFault(input, deps.now))
  say('redirectUrl', redirectFault(input.redirectUrl))
  say('metadata', metadataFault(input.metadata))
  judgeRecipients(input, say, printable)
  refuseIfInvalid(errors)
}

const MAX_METADATA_NAME = 100

/** The schema bounds the values; a schema of names is not enforced. */
function metadataFault(metadata: NewDocument['metadata'] = {}): string | undefined {
  const isTooLong = Object.keys(metadata).some(name => name === '' || name.length > MAX_METADATA_NAME)
  return isTooLong ? `must have names of 1 to ${MAX_METADATA_NAME} characters` : undefined
}

/** Every text the client wrote, with its path. Names of members are the client's words in `metadata` alone. */
function textsIn(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (Array.isArray(value)) return value.flatMap((item, i) => textsIn(item, `${path}[${i}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => {
    const inner = path === '' ? name : `${path}.${name.toWellFormed()}`
    return path === 'metadata' ? [[inner, name], ...textsIn(item, inner)] : textsIn(item, inner)
  })
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** A document is read whole wherever it is shown, so all its texts together have a bound; beyond it none is read any further. Only recipients and their fields can be many. */
function refuseTooMuchText(texts: [path: string, text: string][]): void {
  const total = texts.reduce((sum, [, text]) => sum + bytesOf(text), 0)
  if (total <= MOST_TEXT_BYTES) return
  const most = MOST_TEXT_BYTES.toLocaleString('en')
  const message = `must hold less text: all texts of a document together may have ${most} bytes in UTF-8, these have ${total.toLocaleString('en')}. Please put long texts into the PDF`
  refuseIfInvalid([{ path: 'recipients', message }])
}

type Say = (path: string, message: string | undefined) => void
type Printable = (path: string, text: string | undefined) => void

/** Told alone: of what is too much nothing else is looked at. */
function refuseTooMany(recipients: NewRecipient[], limits: Deps['limits']): void {
  if (recipients.length > limits.recipients)
    refuseIfInvalid([{ path: 'recipients', message: `must be at most ${limits.recipients}` }])
  const fieldCount = recipients.reduce((sum, r) => sum + (r.fields?.length ?? 0), 0)
  const message = `must hold at most ${limits.fields} fields in all, there are ${fieldCount}`
  if (fieldCount > limits.fields) refuseIfInvalid([{ path: 'recipients', message }])
}

function judgeRecipients(input: NewDocument, say: Say, printable: Printable): void {
  input.recipients.forEach((recipient, i) => {
    const path = `recipients[${i}]`
    say(`${path}.name`, lineError(recipient.name))
    say(`${path}.email`, emailError(recipient.email))
    printable(`${path}.name`, recipient.name)
    printable(`${path}.email`, recipient.email)
    if (recipient.accessCode !== undefined && recipient.accessCode.trim().length < LEAST_CODE_LENGTH) {
      say(`${path}.accessCode`, `must have at least ${LEAST_CODE_LENGTH} characters, outer blanks not counted`)
    }
    const twin = input.recipients.findIndex(other => mustAct(roled(other)) && sameMailbox(other.email, recipient.email))
    if (mustAct(roled(recipient)) && twin < i && twin >= 0) {
      say(`${path}.email`, `is already used by recipients[${twin}]: each signer needs an address of their own`)
    }
    recipient.fields?.forEach((field, j) => {
      judgeField(`${path}.fields[${j}]`, field, roled(recipient).role, say, printable)
    })
  })
}

function roled(recipient: NewRecipient): { role: Role } {
  return { role: recipient.role ?? 'signer' }
}

function judgeField(path: string, field: NewField, role: Role, say: Say, printable: Printable): void {
  const misplaced = boxError(field)
  if (misplaced) say(`${path}.${misplaced.member}`, misplaced.message)
  if (!mustAct({ role })) say(path, 'a recipient who only reads cannot have fields')
  else if (isMark(field.type) && !maySign(role))
    say(`${path}.type`, `${field.type} fields are for signers; an approver places no signature`)
  if (field.type === 'dropdown' && !field.options?.length) say(`${path}.options`, 'must list the choices of the dropdown')
  if (field.type !== 'dropdown' && field.options) say(`${path}.options`, 'is for dropdown fields only')
  judgeWords(path, field, say, printable)
  if (field.value === undefined) {
    if (field.readOnly && !isFilledByService(field.type)) say(`${path}.value`, 'must be given when the field is readOnly')
    return
  }
  printable(`${path}.value`, field.value)
  say(`${path}.value`, prefillFault(field, field.value))
}

function prefillFault(field: NewField, value: string): string | undefined {
  if (!isPrefillable(field.type)) {
    const others = FIELD_TYPES.filter(isPrefillable).join(', ')
    return `cannot be prefilled in a field of type ${field.type}, only in one of these types: ${others}`
  }
  const judged = judgePrefill(fieldOf('', field), value)
  return 'error' in judged ? judged.error.message : undefined
}

/** By the rule for entries; but only where nobody can fill it in later must it be there already. */
function judgePrefill(field: Field, value: string): FieldValueResult {
  return validateFieldValue({ ...field, required: field.required && field.readOnly }, value)
}

const BOUNDED: ReadonlySet<FieldType> = new Set(['name', 'email', 'text', 'number'])

/** The words of a field, and what would leave the recipient one that cannot be completed. */
function judgeWords(path: string, field: NewField, say: Say, printable: Printable): void {
  if (field.maxLength !== undefined && !BOUNDED.has(field.type)) say(`${path}.maxLength`, `is not for ${field.type} fields`)
  for (const member of ['label', 'placeholder'] as const) {
    if (field[member] === undefined) continue
    say(`${path}.${member}`, lineError(field[member]))
    printable(`${path}.${member}`, field[member])
  }
  field.options?.forEach((option, k) => {
    say(`${path}.options[${k}]`, lineError(option))
    printable(`${path}.options[${k}]`, option)
  })
}

export function unprintableError(text: string | undefined, { unprintable }: Pick<Deps, 'unprintable'>): string | undefined {
  const missing = unprintable(cleanText(text ?? ''))
  if (missing.length === 0) return undefined
  return `holds characters this service has no letters for: ${missing.slice(0, 10).join(' ')}. Please write it without them`
}

function expiryFault({ expiresAt, expiresInDays }: NewDocument, now: Date): string | undefined {
  if (expiresAt === undefined) return undefined
  if (expiresInDays !== undefined) return 'stands beside expiresInDays: give one of the two'
  const moment = new Date(expiresAt)
  if (Number.isNaN(moment.getTime())) return 'must be a time such as 2030-01-31T12:00:00Z'
  if (moment <= now) return 'must lie in the future'
  if (moment > daysAfter(now, LATEST_EXPIRY_DAYS)) return `must lie at most ${LATEST_EXPIRY_DAYS} days ahead`
  return undefined
}

function redirectFault(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:'))
    return 'must be an address that begins with https:// or http://'
  if (parsed.username || parsed.password) return 'must not carry a user name or password'
  return undefined
}

/** The draft. `input` passed `validateNewDocument`; what only the file can tell (does the page exist?) is judged here. */
export function draft(input: NewDocument, ownerId: string | undefined, file: FileFacts, deps: Deps): Transition {
  const errors: ValidationError[] = []
  input.recipients.forEach((recipient, i) => {
    recipient.fields?.forEach((field, j) => {
      if (field.page <= file.pageCount) return
      const pages = file.pageCount === 1 ? 'has 1 page' : `has ${file.pageCount} pages`
      errors.push({ path: `recipients[${i}].fields[${j}].page`, message: `must be within the document: it ${pages}` })
    })
  })
  refuseIfInvalid(errors)
  const fileName = cleanLine(input.fileName)
  const document: Document = {
    id: deps.newId('doc'),
    ownerId,
    title: cleanLine(input.title ?? fileName.replace(/\.pdf$/i, '')) || fileName,
    fileName,
    status: 'draft',
    pageCount: file.pageCount,
    message: input.message === undefined ? undefined : cleanText(input.message) || undefined,
    signingOrder: input.signingOrder ?? 'parallel',
    locale: input.locale,
    redirectUrl: input.redirectUrl,
    allowDelegation: input.allowDelegation ?? true,
    metadata: input.metadata ?? {},
    reminders: input.reminders === null ? undefined : (input.reminders ?? DEFAULT_REMINDERS),
    expiresInDays: input.expiresInDays ?? DEFAULT_EXPIRY_DAYS,
    createdAt: deps.now,
    sentAt: undefined,
    completedAt: undefined,
    expiresAt: input.expiresAt === undefined ? undefined : new Date(input.expiresAt),
    sealingError: undefined,
    sha256Original: file.sha256Original,
    sha256Uploaded: file.sha256Uploaded,
    sha256Sealed: undefined,
    sealLevel: undefined,
    recipients: input.recipients.map((r, i) => recipient(r, i, deps)),
  }
  return {
    document,
    events: [
      {
        type: 'document.created',
        data: {
          pageCount: document.pageCount,
          originalSha256: document.sha256Original,
          uploadedSha256: document.sha256Uploaded ?? document.sha256Original,
          recipientIds: document.recipients.map(r => r.id),
        },
        personal: {
          title: document.title,
          fileName: document.fileName,
          recipients: document.recipients.map(r => ({ id: r.id, name: r.name, email: r.email, role: r.role })),
        },
      },
    ],
  }
}

function recipient(input: NewRecipient, index: number, deps: Deps): Recipient {
  const id = deps.newId('rcp')
  return {
    id,
    email: input.email,
    name: cleanLine(input.name),
    role: input.role ?? 'signer',
    status: 'created',
    order: input.order ?? index + 1,
    locale: input.locale,
    accessCodeHash: input.accessCode === undefined ? undefined : deps.hashAccessCode(id, input.accessCode.trim()),
    accessCodeTries: 0,
    accessCodeWaitUntil: undefined,
    emailStatus: 'none',
    linkVersion: 1,
    sentAt: undefined,
    viewedAt: undefined,
    signedAt: undefined,
    declinedAt: undefined,
    declineReason: undefined,
    signature: undefined,
    initials: undefined,
    consentVersion: undefined,
    consentSha256: undefined,
    remindersSent: 0,
    lastMailedAt: undefined,
    nextReminderAt: undefined,
    fields: (input.fields ?? []).map(f => newField(deps.newId('fld'), f)),
  }
}

function newField(id: string, input: NewField): Field {
  const field = fieldOf(id, input)
  if (input.value === undefined) return field
  const judged = judgePrefill(field, input.value)
  // What has a error was refused before; what is stored is what will stand on the page, cleaned.
  return { ...field, value: 'error' in judged ? undefined : judged.value }
}

function fieldOf(id: string, input: NewField): Field {
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
  }
}
