/**
 * The texts of the audit certificate. Every claim must be true of every sealed file. Hashes,
 * commands and names of standards are the same in every language.
 */
import type { DocumentEvent } from '../core/document/event.ts'
import type { Role, SigningOrder } from '../core/signing/routing.ts'
import type { MarkKind } from '../core/signing/signature-mark.ts'
import type { Verification } from '../core/signing/verification.ts'

export interface DateFormat {
  /** BCP 47. */
  locale: string
  /** A date and the time of that day. */
  dateTime(date: string, time: string): string
}

/** Event types of the audit log; an approval and the kinds of mails have names of their own. */
export type EvidenceEventKind = DocumentEvent | 'recipient.approved' | 'recipient.invitation_mailed' | 'recipient.reminder_mailed'

/** How a recipient was identified: see `evidence/identification.ts`. */
export type Identification =
  | 'email_link'
  | 'written_link'
  | 'access_code'
  | 'handed_out_link'
  | 'app_account'
  | 'written_code'
  | Verification

/** Value of a checkbox. */
export type TickKey = 'ticked' | 'not ticked'

/** A file that the service makes of a document. */
export type FileKind = 'signed' | 'unsealed' | 'evidence' | 'receipt'

export type SectionKey = 'document' | 'recipients' | 'details' | 'events' | 'seal' | 'record'

export type LabelKey =
  | 'documentId'
  | 'fileName'
  | 'pages'
  | 'signingOrder'
  | 'originalSha256'
  | 'uploadedSha256'
  | 'sentBy'
  | 'sealedBy'
  | 'timeStamp'
  | 'identified'
  | 'consent'
  | 'pagesShown'
  | 'deviceKey'
  | 'inPlaceOf'
  | 'check'
  | 'software'
  | 'times'
  | 'signature'
  | 'initials'
  | 'typedName'
  | 'ip'
  | 'browser'
  | 'consentText'
  | 'intent'
  | 'subject'
  | 'issuer'
  | 'serial'
  | 'fingerprint'
  | 'auditLog'
  | 'verifyPage'

export interface EvidenceTexts extends DateFormat {
  direction: 'ltr' | 'rtl'
  heading: string
  introduction(organisation: string): string
  testNotice(environment: string): string
  /** Below the QR code. */
  scan: string
  pageOf(page: number, count: number): string
  /** After a name whose entry began on the previous page. */
  continued: string
  sections: Record<SectionKey, string>
  labels: Record<LabelKey, string>
  pageCount(pages: number): string
  /** Digits are grouped. */
  originalSize(bytes: string): string
  originalIs: string
  /** In its place, if the original has active content. */
  originalSeenDisabled: string
  uploadedIs: string
  /** Before the hashes of several uploads. */
  joinedFrom: string
  signingOrders: Record<SigningOrder, string>
  /** What the hash of a signature is computed from. */
  signatureIs: Record<MarkKind, string>
  /** `zone`: with its offset, if that is the same for all times. */
  timesIn(zone: string): string
  /** `pages`: such as `1–3, 5`. */
  onPages(pages: string): string
  /** Beside an IP address. */
  asSeenByServer: string
  consentVersion(version: string): string
  quoted(text: string): string
  /**
   * Heading of the person's own values: the labels are the sender's words and must not look like
   * entries of the record.
   */
  fieldsOf: string
  /** Heading of the sender's values. */
  fieldsOfSender: string
  /** Below a value that the person could read but not change. */
  setBySender: string
  unnamedField: string
  emptyField: string
  columns: { time: string; event: string; by: string }
  auditEntry(sequence: number): string
  /** Below the hash of verify.html. */
  verifyPageIs: string
  /** What the seal is, and what it is not. */
  /** `format`: its name with the standard. */
  aboutSeal(organisation: string, format: string): readonly string[]
  /** `offline`: before the command. */
  check: { web(url: string): string; page: string; offline: string }
  aboutEvidencePack(organisation: string): string
  events: Record<EvidenceEventKind, string>
  /** What an approver did. */
  approvedWith: string
  /** How a mark was made. */
  madeAs: Record<MarkKind, string>
  /** `pages`: such as `1–3, 5`. What was read elsewhere, as in a download, is not known. */
  /** Whether the device verified its user. */
  deviceKey: Record<'verified' | 'unverified', string>
  /** `time`: of an earlier document of the same person. */
  sameKey(time: string): string
  neverShown(pages: string): string
  /** `seconds`: more than it took. */
  afterOpening(seconds: number): string
  /** After the name of who handed over: whom that person named, and when. */
  named(name: string, time: string): string
  byProgram(name: string): string
  /** Of a time-stamp that the certificate cannot know: it is made of the finished file. */
  timestampAsked(authority: string): string
  roles: Record<Role, string>
  identified: Record<Identification, string>
  /** The actor of what the sender did. */
  sender: string
  /** Added to the names of downloads, in parentheses: the sealed file's, for example. */
  fileNames: Record<FileKind, string>
  ticks: Record<TickKey, string>
}

/** Groups the digits as the language does. */
export function figures(value: number, locale: string): string {
  return new Intl.NumberFormat(`${locale}-u-nu-latn`).format(value).replaceAll('\u202f', '\u00a0')
}
