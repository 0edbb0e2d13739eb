/** The contents of the audit certificate. Times are RFC 3339 UTC. */
import type { FieldAppearance } from '../appearance/field-appearance.ts'
import type { MailOutcome, RecipientStatus } from '../core/document.ts'
import type { Language } from '../core/language.ts'
import type { Role, SigningOrder } from '../core/routing.ts'
import type { MarkKind } from '../core/signature-mark.ts'
import type { Authentication, EvidenceEventKind, Identification, RecipientMoment } from '../locales/evidence.ts'
import type { HanVariant } from '../text/itemize.ts'

export interface Evidence {
  organisation: string
  contact: string | undefined
  /** Name of the instance's environment, such as `production`. */
  environment: string
  /** Of a non-production instance: TEST is printed across the pages. */
  isTest: boolean
  instanceId: string
  /** Product and version. */
  software: string
  /** IANA zone, printed beside UTC. */
  timeZone: string
  language: Language
  /** Regional glyph variant for Han text whose language does not settle it. */
  han: HanVariant | undefined
  /** A stored file. */
  logo: { path: string } | undefined
  document: {
    id: string
    title: string
    fileName: string
    pageCount: number
    signingOrder: SigningOrder
    sentAt: string | undefined
    expiresAt: string | undefined
    /** Of the file that the recipients saw, not the upload. The sealed file starts with it. */
    originalByteLength: number
    originalSha256: string
    /** Of the upload, if Signet had to unprotect or repair it to get the original. */
    uploadedSha256: string | undefined
    /** The uploads, if several were joined. */
    files?: readonly { fileName: string; sha256: string; pageCount: number }[]
  }
  recipients: EvidenceRecipient[]
  events: EvidenceEvent[]
  /** The document's newest entry in the audit log. Its hash covers all earlier ones. */
  audit: { sequence: number; hash: string } | undefined
  sealCertificate: { subject: string; issuer: string; serial: string; sha256: string; algorithm: string }
  /** Page that verifies the file. Printed as text and QR code. */
  verifyUrl: string
  /** Download of the seal certificates with their issuers. */
  sealCertificatesUrl: string
}

export interface EvidenceEvent {
  at: string
  kind: EvidenceEventKind
  /** The actor. */
  who: { kind: 'recipient'; name: string } | { kind: 'sender' } | { kind: 'service' }
  /** Undefined if the recipient concerned is the actor. */
  concernedRecipientName: string | undefined
  /** Quoted reason of a decline, void or failed sealing. */
  detail: string | undefined
  ip: string | undefined
}

export interface EvidenceSignature {
  kind: MarkKind
  /** As typed, or the text that the drawing or picture replaces. */
  text: string
  /** Hex SHA-256 of the UTF-8 text, the stored strokes or the picture. */
  sha256: string
  appearance: FieldAppearance['content']
}

export interface EvidenceRecipient {
  name: string
  email: string
  role: Role
  status: RecipientStatus
  /** Position in a sequential signing order. Recipients may share one. */
  order: number
  identifiedBy: Identification
  /** Sorted by time. */
  authentication: { result: Authentication; at: string }[]
  /** E-mails with the mail server's reply, or the reason why there is none. */
  mails: { outcome: MailOutcome; reply: string | undefined; at: string }[]
  signature: EvidenceSignature | undefined
  times: { moment: RecipientMoment; at: string }[]
  ip: string | undefined
  userAgent: string | undefined
  consent: { version: string; sha256: string } | undefined
  intent: string | undefined
  values: ({ label: string } & ({ kind: 'text'; value: string } | { kind: 'check'; value: boolean }))[]
}
