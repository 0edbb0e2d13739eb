/** The report on an evidence pack: a verdict, the people, and everything that was checked. */
import type { UnreadableReport, VerificationReport } from '../../verify/report.ts'

/** As those of `signet verify`, for the pack as a whole. */
export type PackVerdict = 'valid' | 'not-valid' | 'unreadable' | 'signer-unknown' | 'not-checked'

/** Exit codes of `signet evidence verify`. Misuse of the command is 2 as well. */
export const PACK_EXIT_CODES: Readonly<Record<PackVerdict, number>> = {
  valid: 0,
  'not-valid': 1,
  unreadable: 2,
  'signer-unknown': 4,
  'not-checked': 6,
}

/** `note`: what nothing in the pack can show. It does not affect the verdict. */
export type CheckOutcome = 'passed' | 'failed' | 'not-checked' | 'note'

export interface PackCheck {
  outcome: CheckOutcome
  /** A sentence. */
  text: string
}

/** Who signed or approved, as the log says. */
export interface PackPerson {
  recipientId: string
  /** Undefined if the personal data was erased. */
  name: string | undefined
  email: string | undefined
  hasSigned: boolean
  /** RFC 3339, UTC. */
  at: string
  /** Number of the entry. */
  entry: number
  consentVersion: string | undefined
  /** Who was signed in to the web app opened the document there, not from a mailed link. */
  openedFromApp: boolean
  ip: string | undefined
}

export interface PackReport {
  verdict: Exclude<PackVerdict, 'unreadable'>
  documentId: string
  title: string
  people: PackPerson[]
  /** Where the certificates come from by which the seal was verified. */
  trustedBy: 'given' | 'pack'
  /** Of the certificate that sealed, as the log names it: hex SHA-256. */
  sealCertificateSha256: string | undefined
  seal: VerificationReport | UnreadableReport
  /** The newest entry that the seal covers. */
  sealedEntry: { sequence: number; hash: string; page: number } | undefined
  checks: PackCheck[]
}

/** `reason`: a clause that says why the pack cannot be read. */
export interface UnreadablePack {
  verdict: 'unreadable'
  reason: string
}

export interface VerifyPackRequest {
  path: string
  /** Certificates of the organisation, PEM. Empty: those in the pack. */
  trust: string[]
  /** Besides those in the pack. */
  timestampTrust: string[]
  /** The validation time, RFC 3339. Default: now. */
  now?: string
}
