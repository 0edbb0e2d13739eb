/** Applies an edit to a draft. Pure. Fields are in `edit-fields.ts`. */
import { newRecipient } from './create-document.ts'
import { type Document, isTemplate, type Recipient, type ReminderPlan, type Transition } from './document.ts'
import { changedPaths, isSame } from './draft-changes.ts'
import { type EditDeps, editFields, type FieldEdit, newIdError } from './edit-fields.ts'
import type { DomainEvent } from './event.ts'
import { cleanLabels, labelErrors } from './label.ts'
import { localeError } from './language.ts'
import {
  accessCodeError,
  ErrorList,
  expiryError,
  metadataError,
  redirectError,
  refuseTooMuchText,
  textsIn,
  verifyError,
} from './new-document.ts'
import { inputOf, validateField } from './new-field.ts'
import { errorsIn, Refusal, refuseIfInvalid } from './refusal.ts'
import { roleNameErrors } from './role-names.ts'
import { type Delivery, mustAct, type Role, type SigningOrder } from './routing.ts'
import { cleanLine, cleanText, emailError, lineError, samePerson } from './text.ts'
import type { Verification } from './verification.ts'
import { violation } from './violation.ts'

/** Members left out keep their value. */
export interface RecipientEdit {
  /** Of a recipient of the draft; an unknown one is the id of a new recipient. */
  id?: string
  /** Empty while it is not known. */
  email?: string
  name?: string
  role?: Role
  order?: number
  locale?: string | null
  accessCode?: string | null
  deliverBy?: Delivery
  verify?: Verification | null
}

/** Members left out keep their value; `null` clears. */
export interface DraftEdit {
  title?: string
  message?: string | null
  signingOrder?: SigningOrder
  expiresAt?: string | null
  expiresInDays?: number
  reminders?: ReminderPlan | null
  locale?: string | null
  metadata?: Record<string, string>
  redirectUrl?: string | null
  allowDelegation?: boolean
  /** The only member that documents of every status accept. */
  labels?: string[]
  /** All recipients in order. One that is missing is removed with its fields. */
  recipients?: RecipientEdit[]
  /** Changes of fields; fields that it does not name stay as they are. */
  fields?: FieldEdit[]
}

/** Of a template. Its recipients are roles, whose ids begin with `rol_`. */
export interface TemplateEdit extends Omit<DraftEdit, 'expiresAt'> {
  /** Whether everybody who may send documents may use it. */
  shared?: boolean
}

/** Throws `invalid_state` if the status of the document does not allow this edit. */
export function requireEditable({ status }: Pick<Document, 'status'>, edit: DraftEdit): void {
  const isLabelsOnly = Object.keys(edit).every(member => member === 'labels')
  if (status === 'draft' || status === 'template' || (isLabelsOnly && edit.labels !== undefined)) return
  throw new Refusal('invalid_state', `The document is ${status}: only its labels can be changed.`)
}

/** Returns the same document and no events if the edit changes nothing. */
export function editDraft(document: Document, edit: DraftEdit & TemplateEdit, deps: EditDeps): Transition {
  requireEditable(document, edit)
  const errors = new ErrorList(deps.unprintable)
  errors.addHalfCharacters(textsIn(edit, ''))
  const own = editOwnMembers(document, edit, errors, deps.now)
  const listed = edit.recipients === undefined ? document.recipients : editRecipients(document, edit.recipients, errors, deps)
  const { recipients, senderFields } = editFields(document, listed, edit.fields ?? [], errors, deps)
  requireFittingFields(document, recipients, errors)
  if (isTemplate(document)) addTemplateErrors(edit, recipients, errors)
  refuseIfInvalid(errors.all)
  const isShared = isTemplate(document) ? (edit.shared ?? document.isShared) : document.isShared
  const next: Document = { ...document, ...own, isShared, recipients, senderFields }
  if (changedPaths(document, next).length === 0) return { document, events: [] }
  const { title, message, metadata } = next
  refuseTooMuchText(textsIn({ title, message, metadata, recipients, senderFields }, ''))
  return { document: next, events: updatedEvents(next) }
}

function updatedEvents({ status }: Document): DomainEvent[] {
  if (status === 'template') return [{ type: 'template.updated' }]
  return status === 'draft' ? [{ type: 'document.updated' }] : []
}

/** What a person has, and a role has not. */
function addTemplateErrors(edit: DraftEdit, roles: Recipient[], errors: ErrorList): void {
  if (edit.expiresAt) errors.add('expiresAt', violation('not_for_templates'))
  edit.recipients?.forEach(({ email, accessCode, deliverBy }, i) => {
    if (email) errors.add(`recipients[${i}].email`, NOT_FOR_ROLES)
    if (accessCode) errors.add(`recipients[${i}].accessCode`, NOT_FOR_ROLES)
    if (deliverBy) errors.add(`recipients[${i}].deliverBy`, NOT_FOR_ROLES)
  })
  errors.addAll(roleNameErrors(roles))
}

const NOT_FOR_ROLES = violation('not_for_roles')

const given = <T>(value: T | null | undefined, before: T | undefined): T | undefined =>
  value === undefined ? before : (value ?? undefined)

function editOwnMembers(document: Document, edit: DraftEdit, errors: ErrorList, now: Date): Partial<Document> {
  const { title, message, metadata, redirectUrl, signingOrder, reminders, locale, allowDelegation } = edit
  if (title !== undefined) errors.add('title', lineError(title))
  errors.addUnprintable('title', title)
  errors.add('metadata', metadataError(metadata))
  errors.add('redirectUrl', redirectError(redirectUrl ?? undefined))
  errors.add('locale', localeError(locale))
  errors.addAll(labelErrors(edit.labels ?? []))
  return {
    title: title === undefined ? document.title : cleanLine(title),
    message: message === undefined ? document.message : cleanText(message ?? '') || undefined,
    metadata: metadata ?? document.metadata,
    labels: edit.labels === undefined ? document.labels : cleanLabels(edit.labels),
    redirectUrl: given(redirectUrl, document.redirectUrl),
    signingOrder: signingOrder ?? document.signingOrder,
    reminders: given(reminders, document.reminders),
    locale: given(locale, document.locale),
    allowDelegation: allowDelegation ?? document.allowDelegation,
    ...editExpiry(document, edit, errors, now),
  }
}

/** A number of days takes the place of a time, and `null` as the time that of both. */
function editExpiry(
  document: Document,
  { expiresAt, expiresInDays }: DraftEdit,
  errors: ErrorList,
  now: Date,
): Pick<Document, 'expiresAt' | 'expiresInDays'> {
  const { expiresAt: time, expiresInDays: days } = document
  if (expiresAt === undefined && expiresInDays === undefined) return { expiresAt: time, expiresInDays: days }
  if (typeof expiresAt !== 'string') return { expiresAt: undefined, expiresInDays: expiresInDays ?? days }
  const error = expiryError({ expiresAt, ...(expiresInDays === undefined ? {} : { expiresInDays }) }, now)
  errors.add('expiresAt', error)
  return { expiresAt: error ? time : new Date(expiresAt), expiresInDays: days }
}

function editRecipients(document: Document, edits: RecipientEdit[], errors: ErrorList, deps: EditDeps): Recipient[] {
  const { recipients: max } = deps.limits
  if (edits.length > max) refuseIfInvalid(errorsIn([['recipients', violation('too_many', { max })]]))
  const known = new Map(document.recipients.map(r => [r.id, r]))
  const seen = new Set<string>()
  const next = edits.map((edit, i) => {
    const path = `recipients[${i}]`
    const before = edit.id === undefined ? undefined : known.get(edit.id)
    if (edit.id !== undefined) {
      if (seen.has(edit.id)) errors.add(`${path}.id`, violation('given_twice'))
      if (before === undefined) errors.add(`${path}.id`, newIdError(isTemplate(document) ? 'rol' : 'rcp', edit.id, deps))
      seen.add(edit.id)
    }
    return editRecipient(path, before ?? addedRecipient(edit, i, deps), edit, errors, deps)
  })
  refuseSamePerson(next, errors)
  return next
}

/**
 * Links are derived from the id and the link version. With a version of its own, no link that was
 * mailed to an earlier recipient with this id opens the document.
 */
function addedRecipient({ id = '' }: RecipientEdit, index: number, deps: EditDeps): Recipient {
  const recipient = newRecipient({ email: '', name: '' }, index, id === '' ? deps : { ...deps, newId: () => id })
  return { ...recipient, linkVersion: deps.newLinkVersion() }
}

function editRecipient(path: string, before: Recipient, edit: RecipientEdit, errors: ErrorList, deps: EditDeps): Recipient {
  const email = edit.email?.trim() ?? before.email
  const name = edit.name === undefined ? before.name : cleanLine(edit.name)
  if (edit.email !== undefined && email !== '') errors.add(`${path}.email`, emailError(email))
  if (name !== '') errors.add(`${path}.name`, lineError(edit.name ?? name))
  errors.addUnprintable(`${path}.name`, edit.name)
  errors.addUnprintable(`${path}.email`, edit.email)
  errors.add(`${path}.accessCode`, accessCodeError(edit.accessCode ?? undefined))
  errors.add(`${path}.locale`, localeError(edit.locale))
  const next: Recipient = {
    ...before,
    email,
    name,
    role: edit.role ?? before.role,
    order: edit.order ?? before.order,
    locale: given(edit.locale, before.locale),
    deliverBy: edit.deliverBy ?? before.deliverBy,
    verify: given(edit.verify, before.verify),
  }
  if (edit.accessCode !== undefined) {
    next.accessCodeHash = edit.accessCode === null ? undefined : deps.hashAccessCode(before.id, edit.accessCode.trim())
  }
  errors.add(`${path}.verify`, verifyError({ ...next, hasCode: next.accessCodeHash !== undefined }))
  return isSame(before, next) ? before : next
}

function refuseSamePerson(recipients: Recipient[], errors: ErrorList): void {
  recipients.forEach((recipient, i) => {
    if (recipient.email === '' || !mustAct(recipient)) return
    const first = recipients.findIndex(other => mustAct(other) && samePerson(other, recipient))
    if (first < i) errors.add(`recipients[${i}].email`, violation('mailbox_of_recipient', { index: first }))
  })
}

/** After a change of role the fields that the recipient keeps must be allowed for it. */
function requireFittingFields(before: Document, recipients: Recipient[], errors: ErrorList): void {
  recipients.forEach((recipient, i) => {
    const known = before.recipients.find(r => r.id === recipient.id)
    if (known === undefined || known.role === recipient.role || recipient.fields.length === 0) return
    const unfit = new ErrorList(() => [])
    for (const field of recipient.fields) validateField('', inputOf(field), recipient.role, unfit, true)
    if (unfit.all.length > 0) errors.add(`recipients[${i}].role`, violation('fields_unfit_for_role'))
  })
}
