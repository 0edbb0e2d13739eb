/**
 * What the rooms ask of the PDF and seal tools, and what they get back: plain values that cross the pipe to a child process.
 * Types only. Paths and hashes cross, never a file's bytes.
 */
import type { PageBox, PercentBox } from '../core/geometry.ts'

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
  document: {
    id: string
    title: string
    fileName: string
    pageCount: number
    /** SHA-256 of the bytes the signers saw: the sealed file's first revision. */
    originalSha256: string
    /** SHA-256 of the upload, where it had to be rewritten. */
    uploadedSha256: string | undefined
  }
  recipients: EvidenceRecipient[]
  events: { at: string; what: string; who: string; ip: string | undefined }[]
  audit: { sequence: number; hash: string }
  sealCertificate: { subject: string; issuer: string; serial: string; sha256: string; algorithm: string }
  verifyUrl: string
}

export interface EvidenceRecipient {
  name: string
  email: string
  role: string
  status: string
  /** How the person was identified, as a sentence. */
  identifiedBy: string
  /** The typed signature, shown as it was stamped. */
  signature: string | undefined
  times: { label: string; at: string }[]
  ip: string | undefined
  userAgent: string | undefined
  consent: { version: string; sha256: string } | undefined
  intent: string | undefined
  values: { label: string; value: string }[]
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
  pageCount: number
}

export interface VerifyOrder {
  path: string
  /** Certificates trusted as origin, PEM. */
  trust: string[]
  /** When given, the file's first bytes must be exactly this file (R: the seal covers what was sent). */
  originalPath: string | undefined
}

/** One signature as it was judged. `reasons` are sentences in the standard's words; empty when sound. */
export interface SignatureReport {
  field: string
  subFilter: string
  signer: string
  /** /M of the signature dictionary: the signer's own claim. */
  claimedAt: string | undefined
  certificateSha256: string
  coversWholeFile: boolean
  integrity: 'sound' | 'broken'
  origin: 'trusted' | 'untrusted'
  reasons: string[]
}

/** The verifier's answer on a file. Integrity and origin are told apart; `sound` only when both hold for every signature and nothing follows the last. */
export interface VerifyReport {
  sha256: string
  bytes: number
  pageCount: number
  signatures: SignatureReport[]
  revisions: number
  sound: boolean
  reasons: string[]
}

/** The watched child processes that alone read uploaded bytes. A child that is killed for time or memory gives a `PdfChildFailure`. */
export interface PdfTools {
  inspect(order: InspectOrder): Promise<Inspection>
  prepare(order: PrepareOrder): Promise<Prepared>
  verify(order: VerifyOrder): Promise<VerifyReport | { unreadable: string }>
  /** Ends all children; nothing is accepted afterwards. */
  close(): Promise<void>
}
