/** Collects the evidence of a document from its rows and audit log, for the audit certificate. */
import { type AuditEvent, auditEventsOf } from '../audit/log.ts'
import type * as core from '../core/document.ts'
import type { EventType, Json } from '../core/event.ts'
import { isFilledByService, labelOf } from '../core/field.ts'
import { languageOf } from '../core/language.ts'
import { maySign } from '../core/routing.ts'
import { chooseHanVariant } from '../evidence/han-variant.ts'
import type { Evidence, EvidenceEvent, EvidenceRecipient } from '../evidence/model.ts'
import { fileBytes } from '../files/queries.ts'
import { sha256Hex } from '../lib/token.ts'
import type { Authentication, RecipientMoment } from '../locales/evidence.ts'
import { type App, SYSTEM } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { describeSealCertificate } from '../settings/seal-certificate.ts'
import { delegateOf, isReplacement, recipientNameAt } from './delegation.ts'
import type { Drawings } from './marks.ts'

type InstanceEvidence = Omit<Evidence, 'document' | 'recipients' | 'events' | 'audit'>

/** The part that does not depend on the document, except for its language. */
export async function instanceEvidence(
  app: App,
  sealCertificate: Evidence['sealCertificate'],
  locale?: string,
): Promise<InstanceEvidence> {
  const { name, contact, timeZone, language, logoSha256 } = await readOrganisation(app.db)
  return {
    organisation: name,
    contact,
    environment: app.instance.environment,
    isTest: !app.instance.isProduction,
    instanceId: app.instance.id,
    software: `Signet ${app.instance.version}`,
    timeZone,
    language: languageOf(locale, language),
    han: chooseHanVariant(locale),
    logo: logoSha256 === undefined ? undefined : { path: await app.storage.localPath(logoSha256) },
    sealCertificate,
    verifyUrl: `${app.config.baseUrl}/verify`,
    sealCertificatesUrl: `${app.config.baseUrl}/seal-certificate.pem`,
  }
}

export async function evidenceOf(app: App, document: core.Document, drawings: Drawings): Promise<Evidence> {
  const events = await auditEventsOf(app.db, document.id)
  return {
    ...(await instanceEvidence(app, await describeSealCertificate(app.db), document.locale)),
    document: {
      id: document.id,
      title: document.title,
      fileName: document.fileName,
      pageCount: document.pageCount,
      signingOrder: document.signingOrder,
      sentAt: document.sentAt?.toISOString(),
      expiresAt: document.expiresAt?.toISOString(),
      originalByteLength: (await fileBytes(app.db, document.sha256Original)) ?? 0,
      originalSha256: document.sha256Original,
      uploadedSha256: document.sha256Uploaded,
      files: document.files ?? [],
    },
    recipients: document.recipients.map(r => recipientEvidence(r, events, drawings)),
    events: events.filter(({ type }) => !INTERNAL.has(type)).map(event => eventEvidence(document, events, event)),
    audit: newestOf(events),
  }
}

/**
 * Edits come before the sending, and a hold is the organisation's own business: they prove nothing
 * about a signature. The audit trail has them.
 */
const INTERNAL: ReadonlySet<EventType> = new Set(['document.updated', 'document.legal_hold_set', 'document.legal_hold_lifted'])

function newestOf(events: AuditEvent[]): Evidence['audit'] {
  const newest = events.at(-1)
  return newest && { sequence: newest.sequence, hash: newest.hash }
}

function eventEvidence(document: core.Document, events: AuditEvent[], event: AuditEvent): EvidenceEvent {
  const recipients = document.recipients.map(r => ({ ...r, name: recipientNameAt(r, events, event) }))
  const actor = recipients.find(r => event.actor === actorOf(r))
  const concerned = recipients.find(r => r.id === event.recipientId)
  const approved = event.type === 'recipient.signed' && actor !== undefined && !maySign(actor.role)
  return {
    at: event.at,
    kind: approved ? 'recipient.approved' : event.type,
    who: actor ? { kind: 'recipient', name: actor.name } : { kind: event.actor === SYSTEM.actor.label ? 'service' : 'sender' },
    concernedRecipientName: concerned === actor ? undefined : concerned?.name,
    detail: textOf(event.personal?.reason) ?? textOf(event.data.cause) ?? delegateOf(event),
    ip: event.ip,
  }
}

function actorOf(recipient: core.Recipient): string {
  return `recipient:${recipient.id}`
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Events that prove a means of authentication. Only the personal link opens a document. */
const PROOFS: Partial<Record<EventType, Authentication>> = {
  'document.viewed': 'email_link.accepted',
  'recipient.access_code_accepted': 'access_code.accepted',
  'recipient.access_code_failed': 'access_code.refused',
}

function recipientEvidence(recipient: core.Recipient, events: AuditEvent[], drawings: Drawings): EvidenceRecipient {
  // Acts of the person before prove nothing about this person.
  const since = events.findLast(e => isReplacement(e, recipient))?.sequence ?? 0
  const concerning = events.filter(e => e.recipientId === recipient.id && e.sequence > since)
  const own = concerning.filter(e => e.actor === actorOf(recipient))
  const signed = own.find(e => e.type === 'recipient.signed')
  const seen = signed ?? own.at(-1)
  const { signature, consentVersion, consentSha256 } = recipient
  return {
    name: recipient.name,
    email: recipient.email,
    role: recipient.role,
    status: recipient.status,
    order: recipient.order,
    identifiedBy: recipient.accessCodeHash ? 'email_link_and_access_code' : 'email_link',
    authentication: own.flatMap(({ type, at }) => {
      const result = PROOFS[type]
      return result ? [{ result, at }] : []
    }),
    mails: concerning.flatMap(({ type, personal, at }) => {
      if (!isMailOutcome(type)) return []
      // Only a mail server replies.
      return [{ outcome: type, reply: type === 'recipient.email_written' ? undefined : textOf(personal?.reply), at }]
    }),
    signature: signature && {
      kind: signature.kind,
      text: signature.text,
      sha256: signature.kind === 'typed' ? sha256Hex(signature.text) : signature.sha256,
      appearance: drawings(recipient, signature),
    },
    times: timesOf(recipient),
    ip: seen?.ip,
    userAgent: seen?.userAgent,
    consent: consentVersion && consentSha256 ? { version: consentVersion, sha256: consentSha256 } : undefined,
    intent: textOf(signed?.data.intent),
    values: valuesOf(recipient),
  }
}

function isMailOutcome(type: EventType): type is core.MailOutcome {
  return type === 'recipient.email_accepted' || type === 'recipient.email_written' || type === 'recipient.email_failed'
}

/** Consent is given when signing: both have the same time. */
function timesOf(recipient: core.Recipient): EvidenceRecipient['times'] {
  const moments: [RecipientMoment, Date | undefined][] = [
    ['sent', recipient.sentAt],
    ['viewed', recipient.viewedAt],
    ['consented', recipient.signedAt],
    [maySign(recipient.role) ? 'signed' : 'approved', recipient.signedAt],
    ['declined', recipient.declinedAt],
  ]
  return moments.flatMap(([moment, at]) => (at ? [{ moment, at: at.toISOString() }] : []))
}

function valuesOf({ fields, signedAt }: core.Recipient): EvidenceRecipient['values'] {
  return fields
    .filter(f => f.type !== 'signature' && f.value !== undefined && !(isFilledByService(f.type) && !signedAt))
    .map(field => {
      const label = labelOf(field)
      if (field.type === 'checkbox') return { label, kind: 'check', value: field.value === 'true' }
      return { label, kind: 'text', value: field.value ?? '' }
    })
}
