/**
 * The texts of the page that verifies a PDF. Its readers are often outsiders, to whom the audit
 * certificate names its address. Remarks of the verifier are English, or German.
 */

export type VerdictKey =
  /** Exactly this file is in the record. */
  | 'validHere'
  /** The seal is of this service, but its record lacks the file. */
  | 'valid'
  /** A reader can see permitted changes after the signature. */
  | 'validChanged'
  | 'notValid'
  | 'notChecked'
  | 'unreadable'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'notSigned'
  | 'onlyTimestamped'

/** What a verdict speaks of. */
export interface VerdictFacts {
  /** The names in the certificates, in quotation marks. */
  signer: string
  /** The organisation whose seal it is. */
  sealer: string
  /** When this service completed the file; empty if its record lacks the file. */
  time: string
  /** A reader can see permitted changes after a signature. */
  isChanged: boolean
}

export interface VerifyTexts {
  title: string
  lead: string
  /** Label of the place for the file. */
  file: string
  /** Part of it that looks like a button, and the words beside it. */
  choose: string
  drop: string
  notKept(organisation: string): string
  submit: string
  another: string
  /** Names the links to the page in other languages. */
  languages: string
  documentTitle: string
  fileName: string
  sealedBy: string
  people: string
  signedOn(time: string): string
  approvedOn(time: string): string
  fromRecord: string
  /** In place of the advice of a verdict other than `validHere`. */
  isInRecord(facts: VerdictFacts): string
  quoted(name: string): string
  /** The verdict in one sentence, then what it does not mean and what to do: paragraphs. */
  verdicts: Record<VerdictKey, { heading: string; sentence(facts: VerdictFacts): string; advice: readonly string[] }>
  /** What a reader can see changed after a signature. */
  changes: {
    heading: string
    field(name: string, before: string, after: string): string
    /** `type` as the format names it. */
    comment(type: string): string
    signature(name: string): string
    property(name: string, before: string, after: string): string
    empty: string
    page(n: number): string
    noPage: string
  }
  details: {
    heading: string
    sha256: string
    remarks: string
    additions: string
    signature(n: number): string
    timestamp(n: number): string
    name: string
    unknown: string
    content: string
    certificate: string
    time: string
    timeBy(time: string, authority: string): string
    untrustedTimeBy(time: string, authority: string): string
    claimedTime: string
    fingerprint: string
    result: string
    level: string
    noLevel: string
    field: string
    none: string
    integrity: Record<'intact' | 'broken' | 'not-checked', string>
    trust: Record<'trusted' | 'unknown' | 'revoked' | 'expired', string>
    certificates: string
    /** What Firefox and Acrobat show, and why: src/pades/README.md. */
    otherPrograms: string
  }
}
