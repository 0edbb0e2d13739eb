/** What the certificate pages tell of a document and what is drawn in its fields: from the rows to the plain values a child draws. */
import { type AuditEvent, auditHead, auditOf } from '../audit/log.ts'
import type * as core from '../core/document.ts'
import { isFilledByService, labelOf } from '../core/field.ts'
import { maySign } from '../core/routing.ts'
import type { Evidence, EvidenceRecipient, Mark } from '../pdf/order.ts'
import type { App } from '../ports.ts'
import { organisation } from '../settings/organisation.ts'
import { describeSealCertificate } from '../settings/seal-certificate.ts'
import { fileBytes } from './queries.ts'

export function marksOf(document: core.Document): Mark[] {
  return document.recipients.flatMap(recipient =>
    recipient.fields.flatMap((field): Mark[] => {
      const { page, x, y, width, height, value } = field
      const box = { x, y, width, height }
      if (value === undefined || value === '') return []
      if (field.type === 'signature' || field.type === 'initials')
        return [{ page, box, content: { kind: 'signature', text: value } }]
      if (field.type === 'checkbox') return value === 'true' ? [{ page, box, content: { kind: 'check' } }] : []
      return [{ page, box, content: { kind: 'text', text: value } }]
    }),
  )
}

export async function evidenceOf(app: App, document: core.Document): Promise<Evidence> {
  const events = await auditOf(app.db, document.id)
  const { name, contact, timeZone } = await organisation(app.db)
  const certificate = await describeSealCertificate(app.db)
  return {
    organisation: name,
    contact,
    environment: app.instance.environment,
    test: !app.instance.isProduction,
    instanceId: app.instance.id,
    software: `Signet ${app.instance.version}`,
    timeZone,
    language: document.locale ?? 'en',
    logo: undefined,
    document: {
      id: document.id,
      title: document.title,
      fileName: document.fileName,
      pageCount: document.pageCount,
      originalBytes: (await fileBytes(app.db, document.sha256Original)) ?? 0,
      originalSha256: document.sha256Original,
      uploadedSha256: document.sha256Uploaded,
    },
    recipients: document.recipients.map(r => recipientEvidence(r, events)),
    events: events.map(event => ({
      at: event.at,
      what: eventCode(document, event),
      who: nameOf(document, event),
      ip: event.ip,
    })),
    audit: await auditHead(app.db),
    sealCertificate: certificate,
    verifyUrl: `${app.config.baseUrl}/verify`,
    certificateUrl: `${app.config.baseUrl}/seal-certificate.pem`,
  }
}

function recipientOf(document: core.Document, event: AuditEvent): core.Recipient | undefined {
  return document.recipients.find(r => r.id === event.recipientId || event.actor === `recipient:${r.id}`)
}

/** As the certificate pages name it, in their language: approvers approve where signers sign. */
function eventCode(document: core.Document, event: AuditEvent): string {
  const recipient = recipientOf(document, event)
  return event.type === 'recipient.signed' && recipient && !maySign(recipient.role) ? 'recipient.approved' : event.type
}

function nameOf(document: core.Document, event: AuditEvent): string {
  const recipient = recipientOf(document, event)
  return recipient ? recipient.name : event.actor === 'system' ? 'the service' : 'the sender'
}

function recipientEvidence(recipient: core.Recipient, events: AuditEvent[]): EvidenceRecipient {
  const own = events.filter(e => e.recipientId === recipient.id && e.actor === `recipient:${recipient.id}`)
  const signed = own.find(e => e.type === 'recipient.signed')
  const seen = signed ?? own.at(-1)
  const intent = signed?.data.intent
  const times: [string, Date | undefined][] = [
    ['sent', recipient.sentAt],
    ['viewed', recipient.viewedAt],
    ['consented', recipient.signedAt],
    [maySign(recipient.role) ? 'signed' : 'approved', recipient.signedAt],
    ['declined', recipient.declinedAt],
  ]
  return {
    name: recipient.name,
    email: recipient.email,
    role: recipient.role,
    status: recipient.status,
    identifiedBy: recipient.accessCodeHash ? 'email_link_and_access_code' : 'email_link',
    signature: recipient.signature,
    times: times.flatMap(([label, at]) => (at ? [{ label, at: at.toISOString() }] : [])),
    ip: seen?.ip,
    userAgent: seen?.userAgent,
    consent:
      recipient.consentVersion && recipient.consentSha256
        ? { version: recipient.consentVersion, sha256: recipient.consentSha256 }
        : undefined,
    intent: typeof intent === 'string' ? intent : undefined,
    values: recipient.fields
      .filter(f => f.type !== 'signature' && f.value !== undefined && !(isFilledByService(f.type) && !recipient.signedAt))
      .map(f => ({
        label: labelOf(f),
        value: f.type === 'checkbox' ? (f.value === 'true' ? 'ticked' : 'not ticked') : (f.value ?? ''),
      })),
  }
}
