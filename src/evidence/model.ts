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
  environment: string
  /** A non-production instance: TEST is printed across the pages. */
  test: boolean
  instanceId: string
  software: string
  /** IANA zone, printed beside UTC. */
  timeZone: string

  language: Language
  /** Form of Han characters in texts that do not determine it. */
  han: HanVariant | undefined
  logo: { path: string } | undefined
  document: {
    id: string
    title: string
    fileName: string
    pageCount: number
    signingOrder: SigningOrder
    sentAt: string | undefined
    expiresAt: string | undefined
    /** Length of the file that the signers saw, the start of the sealed file. */
    originalBytes: number
    /** SHA-256 of the file that the signers saw: the first revision of the sealed file. */
    originalSha256: string
    /** SHA-256 of the upload, if it was rewritten. */
    uploadedSha256: string | undefined
  }
  recipients: EvidenceRecipient[]
  events: EvidenceEvent[]
  /** The document's newest entry in the audit log. Its hash covers all earlier ones. */
  audit: { sequence: number; hash: string } | undefined
  sealCertificate: { subject: string; issuer: string; serial: string; sha256: string; algorithm: string }
  /** Page that verifies the file. Printed as text and QR code. */
  verifyUrl: string
  /** Download of the seal certificates with their issuers. */
  certificateUrl: string
}

export interface EvidenceEvent {
  at: string
  what: EvidenceEventKind

  who: { kind: 'recipient'; name: string } | { kind: 'sender' } | { kind: 'service' }
  /** The recipient concerned, if not the actor. */
  about: string | undefined
  /** Quoted reason of a decline, void or failed sealing. */
  detail: string | undefined
  ip: string | undefined
}

export interface EvidenceSignature {
  kind: MarkKind
  /** As typed, or the text that the drawing or picture replaces. */
  text: string
  /** Hex: of the UTF-8 text, the stored strokes or the picture. */
  sha256: string
  drawing: FieldAppearance['content']
}

export interface EvidenceRecipient {
  name: string
  email: string
  role: Role
  status: RecipientStatus
  /** Position in a sequential signing order. Recipients may share one. */
  order: number
  identifiedBy: Identification
  /** By time. */
  authentication: { what: Authentication; at: string }[]
  /** Mails with the mail server's reply, or the reason why there is none. */
  mails: { what: MailOutcome; reply: string | undefined; at: string }[]

  signature: EvidenceSignature | undefined
  times: { label: RecipientMoment; at: string }[]
  ip: string | undefined
  userAgent: string | undefined
  consent: { version: string; sha256: string } | undefined
  intent: string | undefined
  values: ({ label: string } & ({ kind: 'text'; value: string } | { kind: 'check'; value: boolean }))[]
}
