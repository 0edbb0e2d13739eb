/** The verifier's report. Verdicts, indications and sub-indications as ETSI EN 319 102-1 §5.1.3 names them. */
import type { Indication, SignerTrust, SubIndication } from '../pki/finding.ts'

export interface VerifyFileRequest {
  path: string
  /** Certificates trusted as signers or as their roots, PEM. They never serve for time-stamps. */
  trust: string[]
  /** Certificates trusted as time-stamp authorities or as their roots, PEM. They never serve for signers. */
  timestampTrust?: string[]
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

export type Verdict = 'valid' | 'not-valid' | 'unreadable' | 'signer-unknown' | 'not-signed' | 'not-checked'

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
export interface VerificationReport {
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
export interface UnreadableReport {
  verdict: 'unreadable'
  reason: string
}
