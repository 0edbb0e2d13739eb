/** The contents of the audit certificate. Times are RFC 3339 UTC. */
import type { FieldAppearance } from '../appearance/field-appearance.ts'
import type { SealSubFilter } from '../core/document/document.ts'
import { type Language, primaryTag } from '../core/language.ts'
import type { Role, SigningOrder } from '../core/signing/routing.ts'
import type { MarkKind } from '../core/signing/signature-mark.ts'
import type { EvidenceEventKind, Identification } from '../locales/evidence.ts'
import type { HanVariant } from '../text/itemize.ts'

export interface Evidence {
  organisation: string
  /** The person who sent, or whose program did. Undefined for a program of the instance itself. */
  person?: string | undefined
  /** The name of the API token by which a program sent. */
  program?: string | undefined
  contact: string | undefined
  /** Name of the instance's environment, such as `production`. */
  environment: string
  /** Of a non-production instance: TEST is printed across the pages. */
  isTest: boolean
  instanceId: string
  /** Product and version. */
  software: string
  /** IANA zone of the printed times. */
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
    /** Of the file that the recipients saw, not the upload. The sealed file starts with it. */
    originalByteLength: number
    originalSha256: string
    /** Whether the recipients saw it with active content disabled. Set by `prepare`. */
    hasActiveContent?: boolean
    /** Of the upload, if Signet had to unprotect or repair it to get the original. */
    uploadedSha256: string | undefined
    /** The uploads, if several were joined. */
    files?: readonly { fileName: string; sha256: string; pageCount: number }[]
    /** Of the fields that the sender completed before sending. */
    senderValues: readonly EvidenceValue[]
  }
  /** The time of the seal, also in its signature dictionary. */
  sealedAt: string
  /** Hosts of the time-stamp authorities that are asked for the seal, in order. */
  timestampAuthorities?: readonly string[]
  recipients: EvidenceRecipient[]
  /** In time order. */
  events: EvidenceEvent[]
  /** Each text once. */
  consents: readonly EvidenceConsent[]
  /** The document's newest entry in the audit log. Its hash covers all earlier ones. */
  audit: { sequence: number; hash: string } | undefined
  /** Absent: a PAdES signature. */
  sealSubFilter?: SealSubFilter
  sealCertificate: { subject: string; issuer: string; serial: string; sha256: string; algorithm: string }
  /** Of verify.html, which the evidence pack contains. */
  verifyPageSha256?: string | undefined
  /** Page that verifies the file: printed as text and QR code. */
  verifyUrl: string
  /** Download of the seal certificates with their issuers. */
  sealCertificatesUrl: string
}

export interface EvidenceEvent {
  at: string
  kind: EvidenceEventKind
  /** Undefined for what no person did. */
  who:
    | { kind: 'recipient'; name: string }
    | { kind: 'sender'; name?: string | undefined; program?: string | undefined }
    | undefined
  /** Undefined if the recipient concerned is the actor. */
  concernedRecipientName: string | undefined
  /** The person delegated to, or the corrected one. */
  newPerson: string | undefined
  /** Of a decline or void. */
  reason: string | undefined
  /** Of a consent. */
  consentVersion?: string | undefined
  ip: string | undefined
}

/** Signature or initials. */
export interface EvidenceMark {
  kind: MarkKind
  /** As typed, or the text that the drawing or picture replaces. */
  text: string
  /** Hex SHA-256 of the UTF-8 text, the stored strokes or the picture. */
  sha256: string
  /** Ascending. Empty if the mark is not in the document, as an approver's name. */
  pages: readonly number[]
  appearance: FieldAppearance['content']
}

/** `text`: undefined if the audit log does not have it. */
export interface EvidenceConsent {
  version: string
  sha256: string
  text: string | undefined
}

export interface EvidenceDeviceKey {
  /** Of the SubjectPublicKeyInfo, hex. */
  sha256: string
  isUserVerified: boolean
  /** When the same person signed with it first, in another document. */
  firstUsedAt: string | undefined
}

export interface EvidenceRecipient {
  name: string
  email: string
  role: Role
  /** In the order of printing. */
  identifiedBy: readonly Identification[]
  /** When the person signed or approved. */
  actedAt: string | undefined
  signature: EvidenceMark | undefined
  initials: EvidenceMark | undefined
  ip: string | undefined
  userAgent: string | undefined
  /** Into `consents`. */
  consentSha256: string | undefined
  consentVersion?: string | undefined
  /** Entries of a release before have no time of their own. */
  consentedAt?: string | undefined
  /** Those who handed the place over, in order: the last one named this person. */
  namedBy?: readonly HandOver[]
  /** The act came less than so many after the first opening, if they were close together. */
  secondsToAct?: number | undefined
  /** Pages that the signing page displayed, ascending. Undefined if it did not say. */
  pagesShown?: readonly number[] | undefined
  intent: string | undefined
  /** The signature of the person's own device, if there is one. */
  deviceKey?: EvidenceDeviceKey | undefined
  values: EvidenceValue[]
}

export interface HandOver {
  name: string
  email: string
  at: string
  /** The name of the person who got the place. */
  to: string
}

/** The value of a field that was shown and asked. */
export type EvidenceValue = {
  label: string
  /** 1 is the first page. */
  page: number
  /** The sender had set it, and the recipient could not change it. */
  isFixed?: boolean
} & (
  | { kind: 'text'; value: string }
  | { kind: 'check'; value: boolean }
  /** A picture or an attachment. */
  | { kind: 'file'; fileName: string; mediaType: string; bytes: number; sha256: string }
)

// Chooses the form of Han characters by a BCP 47 tag.

/** Undefined if the language does not determine it. */
export function chooseHanVariant(tag: string | undefined): HanVariant | undefined {
  const primary = primaryTag(tag ?? '')
  if (primary === 'ja') return 'Jpan'
  if (primary === 'ko') return 'Kore'
  return primary === 'zh' ? 'Hans' : undefined
}
