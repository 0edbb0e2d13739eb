/** Applies an edit to a draft. Pure. Fields are in `edit-fields.ts`. */
import { newRecipient } from '../document/create-document.ts'
import { type Document, isTemplate, type Recipient, type Transition } from '../document/document.ts'
import { cleanLabels, labelErrors } from '../document/document-limits.ts'
import { DRAFT_MEMBERS, RECIPIENT_MEMBERS } from '../document/document-members.ts'
import type { DomainEvent } from '../document/event.ts'
import {
  ErrorList,
  expiryError,
  metadataError,
  recipientErrors,
  redirectError,
  refuseTooMuchText,
  sameMailboxError,
  textsIn,
} from '../document/new-document.ts'
import { inputOf, validateField } from '../field/new-field.ts'
import { localeError } from '../language.ts'
import { type Edit, editedValues } from '../members.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../refusal.ts'
import { roleNameErrors } from '../template/template-texts.ts'
import { cleanLine, cleanText, lineError } from '../text.ts'
import { violation } from '../violation.ts'
import { changedPaths, isSame } from './draft-changes.ts'
import { type EditDeps, editFields, type FieldEdit, newIdError } from './edit-fields.ts'

/** Members left out keep their value; `null` clears. */
export interface RecipientEdit extends Edit<typeof RECIPIENT_MEMBERS> {
  /** Of a recipient of the draft; an unknown one is the id of a new recipient. */
  id?: string
  accessCode?: string | null
}

/** As `RecipientEdit`. Of a document that is no draft, only `labels` can be changed. */
export interface DraftEdit extends Edit<typeof DRAFT_MEMBERS> {
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
  throw new Refusal('invalid_state', violation('document_labels_only', { status }))
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

const { expiresAt: _expiresAt, expiresInDays: _expiresInDays, ...OWN_MEMBERS } = DRAFT_MEMBERS

function editOwnMembers(document: Document, edit: DraftEdit, errors: ErrorList, now: Date): Partial<Document> {
  const { title, message, metadata, labels, redirectUrl, locale } = edit
  if (title !== undefined) errors.add('title', lineError(title))
  errors.addUnprintable('title', title)
  errors.add('metadata', metadataError(metadata))
  errors.add('redirectUrl', redirectError(redirectUrl ?? undefined))
  errors.add('locale', localeError(locale))
  errors.addAll(labelErrors(labels ?? []))
  return {
    ...editedValues(OWN_MEMBERS, document, edit),
    ...(title === undefined ? {} : { title: cleanLine(title) }),
    ...(message === undefined ? {} : { message: cleanText(message ?? '') || undefined }),
    ...(labels === undefined ? {} : { labels: cleanLabels(labels) }),
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
  next.forEach((_, i) => {
    errors.add(`recipients[${i}].email`, sameMailboxError(next, i))
  })
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
  const { accessCode } = edit
  const email = edit.email?.trim() ?? before.email
  const name = edit.name === undefined ? before.name : cleanLine(edit.name)
  const next: Recipient = { ...before, ...editedValues(RECIPIENT_MEMBERS, before, edit), email, name }
  if (accessCode !== undefined) {
    next.accessCodeHash = accessCode === null ? undefined : deps.hashAccessCode(before.id, accessCode.trim())
  }
  const given = {
    ...{ name: edit.name, email: edit.email?.trim(), accessCode: accessCode ?? undefined, locale: edit.locale ?? undefined },
    ...{ verify: next.verify, deliverBy: next.deliverBy, hasCode: next.accessCodeHash !== undefined },
  }
  errors.addAll(recipientErrors(path, given, { ...deps, mayBeIncomplete: true }))
  return isSame(before, next) ? before : next
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
