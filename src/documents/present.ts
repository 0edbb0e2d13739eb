/** The JSON of documents, recipients and events in the API and in webhooks. */
import type { AuditEvent } from '../audit/log.ts'
import { type Document, isCodeLocked, type Recipient } from '../core/document.ts'
import { acceptedTypes, FIELD_MEMBERS, type Field, type FieldValues, hasMember, isFile, maxBytesOf } from '../core/field.ts'
import { namesOf } from '../core/members.ts'
import { optionsOf } from '../core/new-field.ts'
import type { PdfWarning } from '../pdf/inspect/report.ts'

/** The message has the names of the files. */
export const presentWarning = ({ code, message }: PdfWarning) => ({ code, message })

const time = (moment: Date | undefined) => moment?.toISOString() ?? null

type Shown = (field: Field) => unknown

const onlyWith =
  (member: Parameters<typeof hasMember>[1], shown: Shown): Shown =>
  field =>
    hasMember(field.type, member) ? shown(field) : undefined

/** What other kinds of field leave out, and what is shown in another form. */
const SHOWN: { [M in keyof FieldValues]?: Shown } = {
  options: onlyWith('options', optionsOf),
  boxes: () => undefined,
  min: onlyWith('min', ({ min = null }) => min),
  max: onlyWith('max', ({ max = null }) => max),
  accept: onlyWith('accept', acceptedTypes),
  maxBytes: onlyWith('maxBytes', maxBytesOf),
  file: ({ type, file = null }) => (isFile(type) ? file : undefined),
  rule: onlyWith('rule', ({ rule = false }) => rule),
  covers: ({ covers = [] }) => covers,
}

const FIELD_PARTS = namesOf(FIELD_MEMBERS).map(name => {
  const shown: Shown = SHOWN[name] ?? (field => field[name] ?? null)
  return { name, shown }
})

export function presentField(field: Field) {
  const presented: Record<string, unknown> = { id: field.id, type: field.type }
  for (const { name, shown } of FIELD_PARTS) {
    const value = shown(field)
    if (value !== undefined) presented[name] = value
  }
  return presented
}

/** Without fields: for webhooks and lists. */
export function presentRecipient(recipient: Recipient) {
  return {
    id: recipient.id,
    email: recipient.email,
    name: recipient.name,
    role: recipient.role,
    status: recipient.status,
    order: recipient.order,
    locale: recipient.locale ?? null,
    hasAccessCode: recipient.accessCodeHash !== undefined,
    codeLocked: isCodeLocked(recipient),
    verify: recipient.verify ?? null,
    deliverBy: recipient.deliverBy,
    sentAt: time(recipient.sentAt),
    viewedAt: time(recipient.viewedAt),
    signedAt: time(recipient.signedAt),
    declinedAt: time(recipient.declinedAt),
    declineReason: recipient.declineReason ?? null,
    emailStatus: recipient.emailStatus,
  }
}

/** A field shows the prefilled value until the recipient has signed. */
export function presentRecipientWithFields(recipient: Recipient) {
  return { ...presentRecipient(recipient), fields: recipient.fields.map(presentField) }
}

function presentHead(document: Document) {
  return {
    id: document.id,
    title: document.title,
    fileName: document.fileName,
    status: document.status,
    pageCount: document.pageCount,
    message: document.message ?? null,
    signingOrder: document.signingOrder,
    locale: document.locale ?? null,
    redirectUrl: document.redirectUrl ?? null,
    allowDelegation: document.allowDelegation,
    reminders: document.reminders ?? null,
    createdAt: document.createdAt.toISOString(),
    updatedAt: document.updatedAt.toISOString(),
    sentAt: time(document.sentAt),
    completedAt: time(document.completedAt),
    expiresAt: time(document.expiresAt),
    expiresInDays: document.expiresInDays,
    sealingError: document.sealingError ?? null,
    metadata: document.metadata,
    labels: document.labels,
    sha256: { original: document.sha256Original, sealed: document.sha256Sealed ?? null },
    sealLevel: document.sealLevel ?? null,
    heldSince: time(document.heldAt),
  }
}

export function presentDocument(document: Document) {
  return {
    ...presentHead(document),
    files: filesOf(document),
    senderFields: document.senderFields.map(presentField),
    recipients: document.recipients.map(presentRecipientWithFields),
  }
}

/** The uploads in order, of which the PDF was made. */
export function filesOf({ files, fileName, sha256Uploaded, sha256Original, pageCount }: Document) {
  return files ?? [{ fileName, sha256: sha256Uploaded ?? sha256Original, pageCount }]
}

export function presentSummary(document: Document) {
  return { ...presentHead(document), recipients: document.recipients.map(presentRecipient) }
}

/** Includes everything the hash is computed from. IP address and browser are in `personal`. */
export function presentEvent({ ip: _ip, userAgent: _userAgent, ...event }: AuditEvent) {
  return event
}
