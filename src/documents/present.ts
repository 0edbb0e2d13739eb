/** The JSON of documents, recipients and events in the API and in webhooks. */
import type { AuditEvent } from '../audit/log.ts'
import { type Document, isCodeLocked, type Recipient } from '../core/document.ts'
import { acceptedTypes, type Field, hasMember, hasOptions, isFile, MAX_ATTACHMENT_BYTES } from '../core/field.ts'
import { optionsOf } from '../core/new-field.ts'
import type { PdfWarning } from '../pdf/inspect/report.ts'

/** The message has the names of the files. */
export const presentWarning = ({ code, message }: PdfWarning) => ({ code, message })

const time = (moment: Date | undefined) => moment?.toISOString() ?? null

/** The members that only some kinds of field have. */
function presentKind(field: Field) {
  const { type, min = null, max = null, file = null, maxBytes = MAX_ATTACHMENT_BYTES, rule = false } = field
  return {
    ...(hasOptions(type) ? { options: optionsOf(field) } : {}),
    ...(hasMember(type, 'min') ? { min, max } : {}),
    ...(hasMember(type, 'accept') ? { accept: acceptedTypes(field), maxBytes } : {}),
    ...(isFile(type) ? { file } : {}),
    ...(hasMember(type, 'rule') ? { rule } : {}),
  }
}

export function presentField(field: Field) {
  return {
    id: field.id,
    type: field.type,
    name: field.name ?? null,
    showIf: field.showIf ?? null,
    page: field.page,
    x: field.x,
    y: field.y,
    width: field.width,
    height: field.height,
    required: field.required,
    readOnly: field.readOnly,
    label: field.label ?? null,
    placeholder: field.placeholder ?? null,
    value: field.value ?? null,
    ...presentKind(field),
    maxLength: field.maxLength ?? null,
    fontSize: field.fontSize ?? null,
    dateFormat: field.dateFormat ?? null,
    align: field.align ?? null,
    covers: field.covers ?? [],
  }
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
