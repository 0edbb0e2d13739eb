/** What the audit certificate prints, as plain values. Times are RFC 3339 UTC. */
import type { FieldAppearance } from '../appearance/field-appearance.ts'
import type { MailOutcome, RecipientStatus } from '../core/document.ts'
import type { Language } from '../core/language.ts'
import type { Role, SigningOrder } from '../core/routing.ts'
import type { MarkKind } from '../core/signature-mark.ts'
import type { Authentication, EvidenceEventKind, Identification, RecipientMoment } from '../locales/evidence.ts'
import type { HanVariant } from '../text/itemize.ts'

/** Everything the certificate pages print; times are RFC 3339 UTC. */
export interface Evidence {
  organisation: string
  contact: string | undefined
  environment: string
  /** A non-production instance: the pages say TEST. */
  test: boolean
  instanceId: string
  software: string
  /** IANA zone printed beside UTC. */
  timeZone: string
  /** What the pages speak. */
  language: Language
  /** Whose Han characters they are where a text holds no others. */
  han: HanVariant | undefined
  /** PNG or JPEG of the organisation, where it has one. */
  logo: { path: string } | undefined
  document: {
    id: string
    title: string
    fileName: string
    pageCount: number
    signingOrder: SigningOrder
    sentAt: string | undefined
    expiresAt: string | undefined
    /**
     * Size of the bytes the signers saw: so many bytes at the beginning of the sealed file are the
     * document.
     */
    originalBytes: number
    /** SHA-256 of the bytes the signers saw: the sealed file's first revision. */
    originalSha256: string
    /** SHA-256 of the upload, where it had to be rewritten. */
    uploadedSha256: string | undefined
  }
  recipients: EvidenceRecipient[]
  events: EvidenceEvent[]
  /**
   * The document's newest entry of the audit log: its hash stands for all entries of the document
   * up to it.
   */
  audit: { sequence: number; hash: string } | undefined
  sealCertificate: { subject: string; issuer: string; serial: string; sha256: string; algorithm: string }
  /** Where a browser verifies the file; printed, and as QR code. */
  verifyUrl: string
  /** Where the certificates of the seals are had, each with its issuers. */
  certificateUrl: string
}

export interface EvidenceEvent {
  at: string
  what: EvidenceEventKind
  /** Who did it. */
  who: { kind: 'recipient'; name: string } | { kind: 'sender' } | { kind: 'service' }
  /** Name of the recipient it was done about, where it was not that recipient who did it. */
  about: string | undefined
  /** In the words of whoever gave them: why it was declined or voided, why sealing failed. */
  detail: string | undefined
  ip: string | undefined
}

export interface EvidenceSignature {
  kind: MarkKind
  /** As typed; or what the drawing or picture stands for. */
  text: string
  /** Hex; of the text in UTF-8, of the drawing's strokes as they are kept, or of the picture. */
  sha256: string
  drawing: FieldAppearance['content']
}

export interface EvidenceRecipient {
  name: string
  email: string
  role: Role
  status: RecipientStatus
  /** Place in a sequential signing order; several can share one. */
  order: number
  identifiedBy: Identification
  /** In the order of their times. */
  authentication: { what: Authentication; at: string }[]
  /** Mails with what became of them: the mail server's reply, or why none was had. */
  mails: { what: MailOutcome; reply: string | undefined; at: string }[]
  /** What the person signed with: with signers shown as it was stamped. */
  signature: EvidenceSignature | undefined
  times: { label: RecipientMoment; at: string }[]
  ip: string | undefined
  userAgent: string | undefined
  consent: { version: string; sha256: string } | undefined
  intent: string | undefined
  values: ({ label: string } & ({ kind: 'text'; value: string } | { kind: 'check'; value: boolean }))[]
}
