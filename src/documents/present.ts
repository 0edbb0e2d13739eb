/** A document as the API, the webhooks and the audit answer show it. The one home of the outward shape. */
import type { AuditEvent } from '../audit/log.ts'
import type { Document, Recipient } from '../core/document.ts'
import type { Field } from '../core/field.ts'

const time = (moment: Date | undefined) => moment?.toISOString() ?? null

function presentField(field: Field) {
  return {
    id: field.id,
    type: field.type,
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
    ...(field.type === 'dropdown' ? { options: field.options } : {}),
    maxLength: field.maxLength ?? null,
  }
}

/** Without fields: as webhooks and lists carry it. */
export function presentRecipient(recipient: Recipient) {
  return {
    id: recipient.id,
    email: recipient.email,
    name: recipient.name,
    role: recipient.role,
    status: recipient.status,
    order: recipient.order,
    sentAt: time(recipient.sentAt),
    viewedAt: time(recipient.viewedAt),
    signedAt: time(recipient.signedAt),
    declinedAt: time(recipient.declinedAt),
    declineReason: recipient.declineReason ?? null,
    emailStatus: recipient.emailStatus,
  }
}

/** Values are shown once they are the recipient's word, and before that what the sender prefilled. */
function presentWhole(recipient: Recipient) {
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
    sentAt: time(document.sentAt),
    completedAt: time(document.completedAt),
    expiresAt: time(document.expiresAt),
    sealingError: document.sealingError ?? null,
    metadata: document.metadata,
    sha256: { original: document.sha256Original, sealed: document.sha256Sealed ?? null },
    sealLevel: document.sealLevel ?? null,
  }
}

export function presentDocument(document: Document) {
  return { ...presentHead(document), recipients: document.recipients.map(presentWhole) }
}

export function presentSummary(document: Document) {
  return { ...presentHead(document), recipients: document.recipients.map(presentRecipient) }
}

/** With all that its hash is computed from. Address and browser stand in `personal`. */
export function presentEvent({ ip: _ip, userAgent: _userAgent, ...event }: AuditEvent) {
  return event
}
