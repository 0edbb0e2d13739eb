/** Makes the draft of a document from a request that met the rules of `new-document.ts`. Pure. */
import type { Field } from '../field/field.ts'
import { areasOf, fieldOf, type NewField, validatePrefill } from '../field/new-field.ts'
import { blankOf, editedValues } from '../members.ts'
import { errorAt, refuseIfInvalid, type ValidationError } from '../refusal.ts'
import { cleanLine, cleanText } from '../text.ts'
import { violation } from '../violation.ts'
import type { Document, DocumentFile, Recipient, ReminderPlan, Transition } from './document.ts'
import { cleanLabels } from './document-limits.ts'
import { DOCUMENT_STATE, DRAFT_MEMBERS, RECIPIENT_MEMBERS, RECIPIENT_STATE } from './document-members.ts'
import type { DomainEvent } from './event.ts'
import { fileNamesIn, type NewDocument, type NewRecipient } from './new-document.ts'

export const DEFAULT_REMINDERS: ReminderPlan = { firstAfterDays: 3, everyDays: 3, max: 5 }
export const DEFAULT_EXPIRY_DAYS = 30

/** For what a request does not say. */
export interface DocumentDefaults {
  expiresInDays: number
  reminders: ReminderPlan | undefined
}

export const STANDARD_DEFAULTS: DocumentDefaults = { expiresInDays: DEFAULT_EXPIRY_DAYS, reminders: DEFAULT_REMINDERS }

export interface FileFacts {
  pageCount: number
  sha256Original: string
  sha256Uploaded: string | undefined
  files?: readonly DocumentFile[] | undefined
}

export interface CreateDeps {
  newId(prefix: 'doc' | 'rcp' | 'fld'): string
  hashAccessCode(recipientId: string, code: string): string
  /** The organisation's, if it has its own. */
  defaults?: DocumentDefaults
  now: Date
}

const BLANK_DRAFT = { ...blankOf(DRAFT_MEMBERS), allowDelegation: true, metadata: {} }
const BLANK_STATE = blankOf(DOCUMENT_STATE)
const BLANK_RECIPIENT = blankOf(RECIPIENT_MEMBERS)
const BLANK_PROGRESS = blankOf(RECIPIENT_STATE)

/** Creates the draft. Checks only what depends on the file: whether each field's page exists. */
export function createDraft(input: NewDocument, ownerId: string | undefined, file: FileFacts, deps: CreateDeps): Transition {
  refuseIfInvalid(pageErrors(input, file))
  const { defaults = STANDARD_DEFAULTS } = deps
  const fileName = cleanLine(fileNamesIn(input)[0]?.fileName ?? '')
  const files = file.files?.map(part => ({ ...part, fileName: cleanLine(part.fileName) }))
  const document: Document = {
    id: deps.newId('doc'),
    ownerId,
    status: 'draft',
    ...BLANK_STATE,
    ...editedValues(DRAFT_MEMBERS, BLANK_DRAFT, input),
    title: cleanLine(input.title ?? fileName.replace(/\.pdf$/i, '')) || fileName,
    fileName,
    pageCount: file.pageCount,
    message: input.message === undefined ? undefined : cleanText(input.message) || undefined,
    labels: cleanLabels(input.labels ?? []),
    reminders: input.reminders === null ? undefined : (input.reminders ?? defaults.reminders),
    expiresInDays: input.expiresInDays ?? defaults.expiresInDays,
    expiresAt: input.expiresAt === undefined ? undefined : new Date(input.expiresAt),
    createdAt: deps.now,
    updatedAt: deps.now,
    endedAt: undefined,
    heldAt: undefined,
    holdReason: undefined,
    sha256Original: file.sha256Original,
    sha256Uploaded: file.sha256Uploaded,
    files,
    sha256Sealed: undefined,
    senderFields: (input.senderFields ?? []).map(field => newSenderField(deps.newId('fld'), field)),
    isShared: false,
    recipients: input.recipients.map((r, i) => newRecipient(r, i, deps)),
  }
  return { document, events: [createdEvent(document)] }
}

function createdEvent(document: Document): DomainEvent {
  const { files } = document
  return {
    type: 'document.created',
    data: {
      pageCount: document.pageCount,
      originalSha256: document.sha256Original,
      ...(files
        ? { files: files.map(({ sha256, pageCount }) => ({ sha256, pageCount })) }
        : { uploadedSha256: document.sha256Uploaded ?? document.sha256Original }),
      recipientIds: document.recipients.map(r => r.id),
    },
    personal: {
      title: document.title,
      fileName: document.fileName,
      ...(files ? { fileNames: files.map(({ fileName }) => fileName) } : {}),
      recipients: document.recipients.map(r => ({ id: r.id, name: r.name, email: r.email, role: r.role })),
    },
  }
}

function pageErrors(input: NewDocument, { pageCount }: FileFacts): ValidationError[] {
  const errorsOf = (fields: NewField[] = [], path: string) =>
    fields.flatMap((field, i) => pageErrorsOf(`${path}[${i}]`, field, pageCount))
  return [
    ...errorsOf(input.senderFields, 'senderFields'),
    ...input.recipients.flatMap(({ fields }, i) => errorsOf(fields, `recipients[${i}].fields`)),
  ]
}

/** Of the boxes that lie on pages which the document does not have. */
export function pageErrorsOf(path: string, field: NewField, pageCount: number): ValidationError[] {
  return areasOf(path, field).flatMap(({ path: at, area }) =>
    area && area.page > pageCount ? [errorAt(`${at}.page`, violation('beyond_last_page', { pages: pageCount }))] : [],
  )
}

export function newRecipient(
  input: NewRecipient,
  index: number,
  deps: Pick<CreateDeps, 'hashAccessCode'> & { newId(prefix: 'rcp' | 'fld'): string },
): Recipient {
  const id = deps.newId('rcp')
  return {
    id,
    ...BLANK_PROGRESS,
    ...editedValues(RECIPIENT_MEMBERS, { ...BLANK_RECIPIENT, order: index + 1 }, input),
    name: cleanLine(input.name),
    accessCodeHash: input.accessCode === undefined ? undefined : deps.hashAccessCode(id, input.accessCode.trim()),
    accessCodeAttempts: 0,
    accessCodeWaitUntil: undefined,
    pendingLink: undefined,
    linkVersion: 1,
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

/** Nobody can change it once the document is sent. */
export function newSenderField(id: string, input: NewField): Field {
  return newField(id, { ...input, readOnly: true })
}

export function newField(id: string, input: NewField): Field {
  const field = fieldOf(id, input)
  if (input.value === undefined) return field
  const result = validatePrefill(field, input.value)
  // Invalid values were refused before. The stored value is the cleaned one that will be printed.
  return { ...field, value: 'error' in result ? undefined : result.value }
}
