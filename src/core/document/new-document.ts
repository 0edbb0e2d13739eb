/** The request for a new document, and the rules it must meet before the file is read. Pure. */
import { CONDITION_VIOLATIONS, conditionErrors } from '../field/conditions.ts'
import { type NewField, optionValues, validateField } from '../field/new-field.ts'
import { SENDER } from '../field/visibility.ts'
import { localeError } from '../language.ts'
import type { Given } from '../members.ts'
import { errorAt, errorsIn, type Found, Refusal, refuseIfInvalid, type ValidationError, validationRefusal } from '../refusal.ts'
import { mustAct, type Role } from '../signing/routing.ts'
import type { Verification } from '../signing/verification.ts'
import { roleNameErrors } from '../template/template-texts.ts'
import { cleanLine, emailError, lineError, samePerson, unprintableError } from '../text.ts'
import { type Violation, violation } from '../violation.ts'
import { type Document, daysAfter, type Recipient, type ReminderPlan } from './document.ts'
import {
  labelErrors,
  MAX_EXPIRY_DAYS,
  MAX_FILE_NAME_BYTES,
  MAX_METADATA_NAME,
  MIN_ACCESS_CODE_LENGTH,
} from './document-limits.ts'
import type { DRAFT_MEMBERS, RECIPIENT_MEMBERS } from './document-members.ts'

/** Sources of fields in a PDF. Signature lines are only proposed, since they may be wrong. */
export const FIELDS_FROM = ['form', 'tags'] as const
export type FieldsFrom = (typeof FIELDS_FROM)[number]

export interface NewRecipient extends Omit<Given<typeof RECIPIENT_MEMBERS>, 'verify'> {
  email: string
  name: string
  accessCode?: string
  verify?: Verification | null
  fields?: NewField[]
}

export interface NewDocument extends Omit<Given<typeof DRAFT_MEMBERS>, 'reminders'> {
  fileName?: string
  /** In place of `fileName` where several files are joined. */
  files?: { fileName: string }[]
  recipients: NewRecipient[]
  /** The sender fills them in before sending. */
  senderFields?: NewField[]
  /** What the PDF itself contains becomes fields, too. */
  fieldsFrom?: FieldsFrom[]
  reminders?: ReminderPlan | null
}

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
  const errors = ownErrors(input, deps)
  input.recipients.forEach((_, i) => {
    validateRecipient(input.recipients, i, errors, deps)
  })
  input.senderFields?.forEach((field, i) => {
    validateField(`senderFields[${i}]`, field, SENDER, errors)
  })
  addConditionErrors(input, errors)
  refuseIfInvalid(errors.all)
}

/** As `validateNewDocument`, of roles. What a draft may lack, a template may lack. */
export function validateNewRoles(input: NewDocument, deps: ValidationDeps): void {
  const errors = ownErrors(input, deps)
  errors.addAll(roleNameErrors(input.recipients))
  input.recipients.forEach((role, i) => {
    errors.addUnprintable(`recipients[${i}].name`, role.name)
    errors.add(`recipients[${i}].locale`, localeError(role.locale))
    role.fields?.forEach((field, j) => {
      validateField(`recipients[${i}].fields[${j}]`, field, roleOf(role), errors, true)
    })
  })
  input.senderFields?.forEach((field, i) => {
    validateField(`senderFields[${i}]`, field, SENDER, errors, true)
  })
  refuseIfInvalid(errors.all)
}

/** Of all but recipients and fields. Throws the one error of a request that is too large. */
function ownErrors(input: NewDocument, deps: ValidationDeps): ErrorList {
  refuseTooMany(input, deps.limits)
  const texts = textsIn(input, '')
  refuseTooMuchText(texts)
  const errors = new ErrorList(deps.unprintable)
  errors.addHalfCharacters(texts)
  for (const { path, fileName } of fileNamesIn(input)) {
    errors.add(path, lineError(fileName))
    if (bytesOf(fileName) > MAX_FILE_NAME_BYTES) errors.add(path, violation('too_many_bytes', { max: MAX_FILE_NAME_BYTES }))
    errors.addUnprintable(path, fileName)
  }
  if (input.title !== undefined) errors.add('title', lineError(input.title))
  errors.addUnprintable('title', input.title)
  errors.add('expiresAt', expiryError(input, deps.now))
  errors.add('redirectUrl', redirectError(input.redirectUrl))
  errors.add('locale', localeError(input.locale))
  errors.add('metadata', metadataError(input.metadata))
  errors.addAll(labelErrors(input.labels ?? []))
  return errors
}

/** Collects the errors of a request. */
export class ErrorList {
  readonly all: ValidationError[] = []
  readonly #unprintable: ValidationDeps['unprintable']

  constructor(unprintable: ValidationDeps['unprintable']) {
    this.#unprintable = unprintable
  }

  add(path: string, found: Found | undefined): void {
    if (found) this.all.push(errorAt(path, found))
  }

  addAll(errors: readonly ValidationError[]): void {
    this.all.push(...errors)
  }

  addUnprintable(path: string, text: string | undefined): void {
    this.add(path, unprintableError(text, { unprintable: this.#unprintable }))
  }

  addHalfCharacters(texts: [path: string, text: string][]): void {
    for (const [path, text] of texts) if (!text.isWellFormed()) this.add(path, violation('half_character'))
  }
}

/** Checked here because the validator does not enforce a schema of member names. */
export function metadataError(metadata: NewDocument['metadata'] = {}): Violation | undefined {
  const isTooLong = Object.keys(metadata).some(name => name === '' || name.length > MAX_METADATA_NAME)
  return isTooLong ? violation('metadata_names', { max: MAX_METADATA_NAME }) : undefined
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
  refuseIfInvalid(errorsIn([['recipients', violation('too_much_text', { maxBytes: MAX_TEXT_BYTES, bytes: total })]]))
}

/** Thrown alone: nothing else of a request that is too large is checked. */
function refuseTooMany({ recipients, senderFields = [] }: NewDocument, limits: ValidationDeps['limits']): void {
  if (recipients.length > limits.recipients)
    refuseIfInvalid(errorsIn([['recipients', violation('too_many', { max: limits.recipients })]]))
  const count = recipients.reduce((sum, r) => sum + (r.fields?.length ?? 0), senderFields.length)
  if (count > limits.fields)
    refuseIfInvalid(errorsIn([['recipients', violation('too_many_fields', { max: limits.fields, count })]]))
}

/** A recipient of a request. `undefined`: an edit leaves it as it is. */
export interface GivenRecipient extends Pick<Recipient, 'verify' | 'deliverBy'> {
  name: string | undefined
  email: string | undefined
  accessCode: string | undefined
  locale: string | undefined
  hasCode: boolean
}

/** A draft may lack a name and an address. */
export function recipientErrors(
  path: string,
  { name, email, accessCode, locale, ...proof }: GivenRecipient,
  { unprintable, mayBeIncomplete }: Pick<ValidationDeps, 'unprintable'> & { mayBeIncomplete: boolean },
): ValidationError[] {
  const unless = (isMissing: boolean, found: Violation | undefined) => (mayBeIncomplete && isMissing ? undefined : found)
  return errorsIn([
    [`${path}.name`, name === undefined ? undefined : unless(cleanLine(name) === '', lineError(name))],
    [`${path}.email`, email === undefined ? undefined : unless(email === '', emailError(email))],
    [`${path}.name`, unprintableError(name, { unprintable })],
    [`${path}.email`, unprintableError(email, { unprintable })],
    [`${path}.accessCode`, accessCodeError(accessCode)],
    [`${path}.locale`, localeError(locale)],
    [`${path}.verify`, verifyError(proof)],
  ])
}

/** Two who must act are never the same person. The error is that of the second one. */
export function sameMailboxError(recipients: readonly Pick<NewRecipient, 'name' | 'email' | 'role'>[], i: number) {
  const acts = (each: Pick<NewRecipient, 'role'>) => mustAct({ role: roleOf(each) })
  const recipient = recipients[i]
  if (!recipient || recipient.email === '' || !acts(recipient)) return undefined
  const first = recipients.findIndex(other => acts(other) && samePerson(other, recipient))
  return first < i ? violation('mailbox_of_recipient', { index: first }) : undefined
}

function validateRecipient(recipients: NewRecipient[], i: number, errors: ErrorList, deps: ValidationDeps): void {
  const recipient = recipients[i]!
  const path = `recipients[${i}]`
  const { name, email, accessCode, locale, verify, deliverBy = 'email', fields } = recipient
  const facts = { name, email, accessCode, locale, verify: verify ?? undefined, deliverBy, hasCode: accessCode !== undefined }
  errors.addAll(recipientErrors(path, facts, { ...deps, mayBeIncomplete: false }))
  errors.add(`${path}.email`, sameMailboxError(recipients, i))
  fields?.forEach((field, j) => {
    validateField(`${path}.fields[${j}]`, field, roleOf(recipient), errors)
  })
}

function addConditionErrors({ recipients, senderFields = [], signingOrder = 'parallel' }: NewDocument, errors: ErrorList): void {
  const conditional = (fields: readonly NewField[]) =>
    fields.map(({ type, name, showIf, options, readOnly = false }) => {
      return { type, name, showIf, options: optionValues(options), readOnly }
    })
  const owners = [
    { order: undefined, fields: conditional(senderFields) },
    ...recipients.map(({ order, fields = [] }, i) => ({ order: order ?? i + 1, fields: conditional(fields) })),
  ]
  for (const { owner, field, member, code } of conditionErrors(owners, signingOrder)) {
    const path = owner === 0 ? `senderFields[${field}]` : `recipients[${owner - 1}].fields[${field}]`
    errors.add(`${path}.${member}`, CONDITION_VIOLATIONS[code])
  }
}

function accessCodeError(code: string | undefined): Violation | undefined {
  if (code === undefined || code.trim().length >= MIN_ACCESS_CODE_LENGTH) return undefined
  return violation('access_code_too_short', { min: MIN_ACCESS_CODE_LENGTH })
}

/** One way to prove who they are at a time. A link that a program hands out is proof by itself. */
function verifyError(recipient: Pick<GivenRecipient, 'verify' | 'hasCode' | 'deliverBy'>): Violation | undefined {
  if (!recipient.verify) return undefined
  if (recipient.hasCode) return violation('verify_beside_access_code')
  return recipient.deliverBy === 'link' ? violation('verify_beside_link') : undefined
}

export function roleOf(recipient: Pick<NewRecipient, 'role'>): Role {
  return recipient.role ?? 'signer'
}

export function expiryError(
  { expiresAt, expiresInDays }: Pick<NewDocument, 'expiresAt' | 'expiresInDays'>,
  now: Date,
): Violation | undefined {
  if (expiresAt === undefined) return undefined
  if (expiresInDays !== undefined) return violation('expiry_given_twice')
  const expiry = new Date(expiresAt)
  if (Number.isNaN(expiry.getTime())) return violation('not_a_time')
  if (expiry <= now) return violation('not_in_the_future')
  if (expiry > daysAfter(now, MAX_EXPIRY_DAYS)) return violation('too_far_ahead', { days: MAX_EXPIRY_DAYS })
  return undefined
}

export function redirectError(url: string | undefined): Violation | undefined {
  if (url === undefined) return undefined
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return violation('not_a_web_address')
  if (parsed.username || parsed.password) return violation('with_credentials')
  return undefined
}

// Paths of a document that is being made, as its request has them.

/**
 * `recipients/rcp_…/email` as `recipients[0].email`, `fields/fld_…/value` as
 * `senderFields[1].value`: who makes the request does not know these ids.
 */
export function pathInRequest({ recipients, senderFields }: Document, path: string): string {
  const [kind, id, ...rest] = path.split('/')
  const at = (place: string) => [place, ...rest].join('.')
  const person = recipients.findIndex(each => each.id === id)
  if (kind === 'recipients' && person >= 0) return at(`recipients[${person}]`)
  if (kind !== 'fields') return path
  const indexIn = (fields: Document['senderFields']) => fields.findIndex(field => field.id === id)
  const owner = recipients.findIndex(({ fields }) => indexIn(fields) >= 0)
  if (owner >= 0) return at(`recipients[${owner}].fields[${indexIn(recipients[owner]?.fields ?? [])}]`)
  return indexIn(senderFields) >= 0 ? at(`senderFields[${indexIn(senderFields)}]`) : path
}

/** Does the work, and throws its refusals with the paths that `pathOf` makes. */
export function withPaths<T>(pathOf: (path: string) => string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'validation_failed') throw error
    const [first, ...others] = error.details.map(detail => ({ ...detail, path: pathOf(detail.path) }))
    throw first ? validationRefusal([first, ...others]) : error
  }
}
