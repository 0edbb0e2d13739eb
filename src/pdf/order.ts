/**
 * What the rooms ask of the PDF and seal tools, and what they get back: plain values that cross the pipe to a child process.
 * Types only. Paths and hashes cross, never a file's bytes.
 */
import type { MailOutcome, RecipientStatus } from '../core/document.ts'
import type { EventType } from '../core/event.ts'
import type { PageBox, PercentBox } from '../core/geometry.ts'
import type { Ink } from '../core/ink.ts'
import type { Language } from '../core/language.ts'
import type { MarkKind } from '../core/mark.ts'
import type { Role, SigningOrder } from '../core/routing.ts'
import type { Han } from './itemise.ts'

/** Something found in an upload that its sender should know. */
export interface PdfWarning {
  code: string
  message: string
}

export type PdfRefusal = 'invalid_pdf' | 'encrypted_pdf' | 'unsupported_pdf'

/** The judgement on an upload. `rewritten`: the canonical bytes were written to `canonicalPath` because the upload cannot carry an incremental update. */
export type Inspection =
  | { verdict: 'accepted'; pages: PageBox[]; rewritten: boolean; sha256: string; bytes: number; warnings: PdfWarning[] }
  | { verdict: 'refused'; code: PdfRefusal; message: string }

export interface InspectOrder {
  path: string
  /** Written only when the upload has to be repaired; the caller owns it then. */
  canonicalPath: string
  maxPages: number
}

/** One finished field, as it is drawn inside its box. */
export interface Mark {
  /** 1 is the first page. */
  page: number
  box: PercentBox
  content:
    | { kind: 'text'; text: string }
    | { kind: 'check' }
    /** A typed signature or initials, in the script face. */
    | { kind: 'signature'; text: string }
    /** A signature or initials drawn by hand. */
    | { kind: 'ink'; ink: Ink }
    /** A signature or initials from a picture: a PNG that `cleanSignature` wrote. */
    | { kind: 'picture'; path: string }
}

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
  han: Han | undefined
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
    /** Size of the bytes the signers saw: so many bytes at the beginning of the sealed file are the document. */
    originalBytes: number
    /** SHA-256 of the bytes the signers saw: the sealed file's first revision. */
    originalSha256: string
    /** SHA-256 of the upload, where it had to be rewritten. */
    uploadedSha256: string | undefined
  }
  recipients: EvidenceRecipient[]
  events: EvidenceEvent[]
  /** The document's newest entry of the audit log: its hash stands for all entries of the document up to it. */
  audit: { sequence: number; hash: string } | undefined
  sealCertificate: { subject: string; issuer: string; serial: string; sha256: string; algorithm: string }
  /** Where a browser verifies the file; printed, and as QR code. */
  verifyUrl: string
  /** Where the certificates of the seals are had, each with its issuers. */
  certificateUrl: string
}

/** What can stand in the list of events: the kinds of the audit log, with an approval told apart from a signature. */
export type EvidenceEventKind = EventType | 'recipient.approved'

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

/** Whoever opened the personal link mailed to the address, or knew an access code besides. */
export type Identification = 'email_link' | 'email_link_and_access_code'
/** One proof that was asked of a person, and what became of it. */
export type Authentication = 'email_link.accepted' | 'access_code.accepted' | 'access_code.refused'
export type RecipientMoment = 'sent' | 'viewed' | 'consented' | 'signed' | 'approved' | 'declined'

export interface EvidenceSignature {
  kind: MarkKind
  /** As typed; or what the drawing or picture stands for. */
  text: string
  /** Hex; of the text in UTF-8, of the drawing's strokes as they are kept, or of the picture. */
  sha256: string
  drawing: Mark['content']
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

export interface PrepareOrder {
  /** Canonical bytes; they become the sealed file's first revision, byte for byte. */
  sourcePath: string
  /** Where the prepared update (source + marks + certificate pages + signature with an empty gap) is written. */
  outPath: string
  marks: Mark[]
  evidence: Evidence
  signature: { name: string; reason: string; location: string | undefined; at: string; contentsBytes: number }
}

/** A frozen stage: the file as it will be sealed, but for the CMS in its gap. */
export interface Prepared {
  path: string
  /** ISO 32000-2 §12.8.1: [0, offset of the gap, offset after the gap, bytes to the end]. */
  byteRange: readonly [number, number, number, number]
  /** SHA-256 over the byte range, hex. */
  digest: string
  /** SHA-256 of the source as it was read, hex: whoever knows what it must be compares before signing. */
  sourceSha256: string
  pageCount: number
}

/** What lets a signature be judged when its authorities are gone. DER, base64. ISO 32000-2 §12.8.4.3; EN 319 142-1 §5.4.2. */
export interface ValidationMaterial {
  certificates: string[]
  /** OCSPResponse, RFC 6960 §4.2.1. */
  ocspResponses: string[]
  /** CertificateList, RFC 5280 §5.1. */
  revocationLists: string[]
}

export interface ArchiveOrder {
  /** A sealed file; its bytes stay as they are. */
  sourcePath: string
  /** Source and one incremental update with the DSS. */
  outPath: string
  material: ValidationMaterial
}

export interface TimeStampOrder {
  sourcePath: string
  /** Source and one incremental update with a DocTimeStamp whose gap is empty. EN 319 142-1 §5.4.3. */
  outPath: string
  contentsBytes: number
}

export interface BoxesOrder {
  /** A document of the house. */
  path: string
}

/** Marks drawn alone, as the seal will draw them, to be laid over the document on a screen. */
export interface OverlayOrder {
  pages: { page: number; box: PageBox; marks: Mark[] }[]
  outPath: string
}

/** A picture of a signature, of anyone: PNG or JPEG. */
export interface SignatureOrder {
  path: string
  /** Where the ink alone is written, as PNG. */
  outPath: string
}

/** Why a picture is not taken: the code of the error. Its message says what to do. */
export type SignatureRefusal = 'not_a_picture' | 'too_large' | 'no_ink'

/** The ink of a picture: a PNG of 8 bits, red, green, blue and alpha, and nothing else of what the picture held. */
export interface CleanSignature {
  path: string
  sha256: string
  bytes: number
  /** pixels */
  width: number
  height: number
}

export interface LogoOrder {
  path: string
}

/** Whether a picture can be the organisation's logo. */
export interface LogoVerdict {
  verdict: 'accepted' | 'no picture' | 'too many pixels' | 'unreadable'
}

export interface VerifyOrder {
  path: string
  /** Certificates trusted as signers or as their roots, PEM. They never serve for time-stamps. */
  trust: string[]
  /** Certificates trusted as time-stamp authorities or as their roots, PEM. They never serve for signers. */
  timeStampTrust?: string[]
  /** CertificateLists (RFC 5280 §5.1) that are known beside those in the file; DER, base64. */
  revocationLists?: string[]
  /** The time of validation, RFC 3339; the present when absent. */
  now?: string
  /** Asked by anybody: never takes the last child. */
  isPublic?: boolean
  /** When given, the file's first bytes must be exactly this file (R: the seal covers what was sent). */
  originalPath: string | undefined
}

/** What the parts of a signature reach, EN 319 142-1 §6.2. */
export type BaselineLevel = 'B-B' | 'B-T' | 'B-LT' | 'B-LTA'

/** `not-checked`: a form or an algorithm that is not supported here, so that nothing is known. */
export type Integrity = 'intact' | 'broken' | 'not-checked'
/** Whether a path leads to a certificate that was given as trusted, and why not. */
export type SignerTrust = 'trusted' | 'unknown' | 'revoked' | 'expired'
export type Verdict = 'valid' | 'not-valid' | 'unreadable' | 'signer-unknown' | 'not-signed' | 'not-checked'
/** EN 319 102-1 §5.1.3, table 5. */
export type Indication = 'TOTAL-PASSED' | 'TOTAL-FAILED' | 'INDETERMINATE'
/** EN 319 102-1 §5.1.3, table 6: those that occur here. */
export type SubIndication =
  | 'FORMAT_FAILURE'
  | 'HASH_FAILURE'
  | 'SIG_CRYPTO_FAILURE'
  | 'NOT_YET_VALID'
  | 'SIG_CONSTRAINTS_FAILURE'
  | 'CHAIN_CONSTRAINTS_FAILURE'
  | 'CERTIFICATE_CHAIN_GENERAL_FAILURE'
  | 'CRYPTO_CONSTRAINTS_FAILURE'
  | 'NO_SIGNING_CERTIFICATE_FOUND'
  | 'NO_CERTIFICATE_CHAIN_FOUND'
  | 'REVOKED_NO_POE'
  | 'REVOKED_CA_NO_POE'
  | 'OUT_OF_BOUNDS_NO_POE'
  /** A reason that the standard does not name: what is used is not supported here. */
  | 'CUSTOM'

/** One signature or document time-stamp, as EN 319 102-1 §5 reports it. */
export interface SignatureReport {
  kind: 'signature' | 'document-timestamp'
  field: string
  subFilter: string
  /** Common name; empty where no certificate was found. */
  signer: string
  /** Hex; empty where no certificate was found. */
  certificateSha256: string
  integrity: Integrity
  trust: SignerTrust
  indication: Indication
  /** Undefined with TOTAL-PASSED. */
  subIndication: SubIndication | undefined
  /** The highest level whose parts are present and checked with what is trusted; undefined for what is no PAdES baseline signature. */
  level: BaselineLevel | undefined
  /** Why the level is not higher: an authority that is not known, a missing proof. Never against the signature. */
  levelNotes: string[]
  time: {
    /** /M of the signature dictionary: the signer's own clock. */
    claimedAt: string | undefined
    /** The earliest time that a trusted time-stamp authority has seen the signature. */
    provenAt: string | undefined
    /** The time-stamp token of this signature, RFC 3161. */
    timestamp: { at: string; authority: string; trusted: boolean } | undefined
  }
  coversWholeFile: boolean
  /** What speaks against it; sentences. */
  reasons: string[]
}

/** The verifier's answer on a file that could be read. */
export interface VerifyReport {
  verdict: Exclude<Verdict, 'unreadable'>
  sha256: string
  bytes: number
  pageCount: number
  revisions: number
  signatures: SignatureReport[]
  /** What was added after the signed revision and is allowed there, in words. */
  additions: string[]
  /** What speaks against the file as a whole; sentences. */
  reasons: string[]
}

/** `reason`: a clause that says why the file cannot be read. */
export interface Unreadable {
  verdict: 'unreadable'
  reason: string
}

/** What keeps a child process from doing harm, each as a noun phrase. */
export interface Confinement {
  inForce: string[]
  missing: { what: string; why: string }[]
}

/** The watched child processes that alone read uploaded bytes. A child that is killed for time or memory gives a `PdfChildFailure`. */
export interface PdfTools {
  inspect(order: InspectOrder): Promise<Inspection>
  prepare(order: PrepareOrder): Promise<Prepared>
  verify(order: VerifyOrder): Promise<VerifyReport | Unreadable>
  /** Adds validation material to a sealed file, in one incremental update. */
  addValidationMaterial(order: ArchiveOrder): Promise<{ path: string; sha256: string; bytes: number }>
  /** Prepares a document time-stamp over a sealed file. */
  prepareTimeStamp(order: TimeStampOrder): Promise<Prepared>
  /** The box of each page, in its own user space. */
  boxes(order: BoxesOrder): Promise<PageBox[]>
  /** A PDF with one page per entry. */
  overlay(order: OverlayOrder): Promise<{ bytes: number }>
  /** The ink of a picture, without its paper. A picture that is not taken gives a `PdfTaskError` whose code is a `SignatureRefusal`. */
  cleanSignature(order: SignatureOrder): Promise<CleanSignature>
  /** Judges an uploaded picture. */
  judgeLogo(order: LogoOrder): Promise<LogoVerdict>
  /** How a child is confined on this machine. */
  confinement(): Promise<Confinement>
  /** Ends all children; nothing is accepted afterwards. */
  close(): Promise<void>
}
