/** The verification report. Indications as in ETSI EN 319 102-1 §5.1.3. */
import { englishOfRemark, type Remark } from '../locales/remarks.ts'
import type { Indication, SignerTrust, SubIndication } from '../pki/finding.ts'
import type { VisibleChange } from './changes/list-changes.ts'

export type { VisibleChange }

export interface VerifyFileRequest {
  path: string
  /** Certificates trusted as signers or as their roots, PEM. Not used for time-stamps. */
  trust: string[]
  /** Certificates trusted as time-stamp authorities or their roots, PEM. Not for signers. */
  timestampTrust?: string[]
  /** Additional revocation lists: CertificateList, RFC 5280 §5.1; DER, base64. */
  revocationLists?: string[]
  /** The validation time, RFC 3339. Default: now. */
  now?: string
  /** From the public page: must not use the last free child process. */
  isPublic?: boolean
  /** The document that was sent. If given, the file must begin with its bytes. */
  originalPath: string | undefined
}

/** EN 319 142-1 §6.2. */
export type BaselineLevel = 'B-B' | 'B-T' | 'B-LT' | 'B-LTA'

/** `not-checked`: this product does not support its form or algorithm. */
export type Integrity = 'intact' | 'broken' | 'not-checked'

export type Verdict = 'valid' | 'valid-changed' | 'not-valid' | 'unreadable' | 'signer-unknown' | 'not-signed' | 'not-checked'

/** Report on one signature or document time-stamp, EN 319 102-1 §5. */
export interface SignatureReport<Text = Remark> {
  kind: 'signature' | 'document-timestamp'
  field: string
  subFilter: string
  /** Common name; empty if no certificate was found. */
  signer: string
  /** Hex; empty if no certificate was found. */
  certificateSha256: string
  integrity: Integrity
  trust: SignerTrust
  indication: Indication
  /** Undefined with TOTAL-PASSED. */
  subIndication: SubIndication | undefined
  /** The highest validated level; undefined if it is not a PAdES baseline signature. */
  level: BaselineLevel | undefined
  /**
   * The level whose parts (time-stamps, validation data) are there and validated, whatever the form
   * of the signature; undefined unless it is intact.
   */
  partsOf: BaselineLevel | undefined
  /** Why the level is not higher. Does not affect the indication. */
  levelNotes: Text[]
  time: {
    /** /M of the signature dictionary: the time of the signer's own clock. */
    claimedAt: string | undefined
    /** The earliest time at which a trusted time-stamp shows that the signature existed. */
    provenAt: string | undefined
    /** The time-stamp token of this signature, RFC 3161. */
    timestamp: { at: string; authority: string; trusted: boolean } | undefined
  }
  coversWholeFile: boolean
  /** Problems with this signature; sentences. */
  reasons: Text[]
}

/** The report on a file that could be read. */
export interface VerificationReport<Text = Remark> {
  verdict: Exclude<Verdict, 'unreadable'>
  sha256: string
  bytes: number
  pageCount: number
  revisions: number
  signatures: SignatureReport<Text>[]
  /** Allowed changes after the signed revision; sentences. */
  additions: Text[]
  /** Those of them that a reader can see; not empty with `valid-changed`. */
  changes: VisibleChange[]
  /** Problems with the file as a whole; sentences. */
  reasons: Text[]
}

/** `reason`: a clause that says why the file cannot be read. */
export interface UnreadableReport<Text = Remark> {
  verdict: 'unreadable'
  reason: Text
}

/** With its remarks in words, as the API and the command line show it. */
export type WrittenReport = VerificationReport<string> | UnreadableReport<string>

export function writeReport(report: VerificationReport | UnreadableReport): WrittenReport {
  if (report.verdict === 'unreadable') return { ...report, reason: englishOfRemark(report.reason) }
  const inWords = (list: readonly Remark[]) => list.map(englishOfRemark)
  return {
    ...report,
    signatures: report.signatures.map(one => ({ ...one, levelNotes: inWords(one.levelNotes), reasons: inWords(one.reasons) })),
    additions: inWords(report.additions),
    reasons: inWords(report.reasons),
  }
}
