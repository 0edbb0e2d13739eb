/**
 * The texts of the audit certificate. Every claim must be true of every sealed file. Hashes,
 * commands and names of standards are the same in every language.
 */
import type { RecipientStatus } from '../core/document.ts'
import type { EventType } from '../core/event.ts'
import type { Role, SigningOrder } from '../core/routing.ts'
import type { MarkKind } from '../core/signature-mark.ts'

export interface DateFormat {
  /** BCP 47. */
  locale: string
  /** A date and the time of that day. */
  dateTime(date: string, time: string): string
}

/** Event types of the audit log; an approval differs from a signature. */
export type EvidenceEventKind = EventType | 'recipient.approved'

/** How a recipient was identified. */
export type Identification = 'email_link' | 'email_link_and_access_code'

/** An authentication and its result. */
export type Authentication = 'email_link.accepted' | 'access_code.accepted' | 'access_code.refused'

export type RecipientMoment = 'sent' | 'viewed' | 'consented' | 'signed' | 'approved' | 'declined'

/** An actor that is no recipient. */
export type ActorKey = 'sender' | 'service'
/** Value of a checkbox. */
export type TickKey = 'ticked' | 'not ticked'

export type SectionKey = 'document' | 'recipients' | 'events' | 'seal' | 'check'

export type LabelKey =
  | 'title'
  | 'documentId'
  | 'fileName'
  | 'pages'
  | 'signingOrder'
  | 'sentAt'
  | 'expiresAt'
  | 'size'
  | 'originalSha256'
  | 'uploadedSha256'
  | 'sentBy'
  | 'contact'
  | 'environment'
  | 'instance'
  | 'software'
  | 'times'
  | 'email'
  | 'role'
  | 'status'
  | 'order'
  | 'identified'
  | 'mailReply'
  | 'signature'
  | 'typedName'
  | 'signatureSha256'
  | 'ip'
  | 'browser'
  | 'consentText'
  | 'intent'
  | 'subject'
  | 'issuer'
  | 'serial'
  | 'fingerprint'
  | 'algorithm'
  | 'auditLog'
  | 'auditHash'

/** One way to check the file. */
interface StepTexts {
  title: string
  text: string
}

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
  uploadedIs: string
  signingOrders: Record<SigningOrder, string>
  /** What the hash of a signature is computed from. */
  signatureIs: Record<MarkKind, string>
  timesIn(zone: string): string
  /** Beside an IP address. */
  asSeenByServer: string
  consentVersion(version: string): string
  quoted(text: string): string
  /**
   * Heading of the person's own values: the labels are the sender's words and must not look like
   * entries of the record.
   */
  fieldsOf: string
  unnamedField: string
  emptyField: string
  columns: { time(zone: string): string; event: string; by: string; ip: string }
  auditEntry(sequence: number): string
  auditChain: string
  /** What the seal is, and what it is not. */
  aboutSeal(organisation: string): readonly string[]
  /** Before the commands. */
  aboutCommands: string
  check: {
    web(url: string): StepTexts
    certificate(url: string, organisation: string): StepTexts
    signet: StepTexts
    poppler: StepTexts
    original(bytes: number, sha256: string): StepTexts
    openssl: StepTexts
  }
  events: Record<EvidenceEventKind, string>
  roles: Record<Role, string>
  statuses: Record<RecipientStatus, string>
  identified: Record<Identification, string>
  authentications: Record<Authentication, string>
  moments: Record<RecipientMoment, string>
  actors: Record<ActorKey, string>
  ticks: Record<TickKey, string>
}

/** Groups the digits as the language does. */
export function figures(value: number, locale: string): string {
  return new Intl.NumberFormat(`${locale}-u-nu-latn`).format(value).replaceAll('\u202f', '\u00a0')
}
