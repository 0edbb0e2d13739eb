/** Puts a report of the verifier into words of the reader, for every form of the page. Pure. */

import { toSafeText } from '../../src/lib/safe-text.ts'
import { type Remark, type RemarkTexts, remarkText } from '../../src/locales/remarks.ts'
import type { VerdictFacts, VerdictKey, VerifyTexts } from '../../src/locales/verify.ts'
import type { SignatureReport, UnreadableReport, Verdict, VerificationReport, VisibleChange } from '../../src/verify/report.ts'

/** A label and what it names. */
export type TextFact = [label: string, value: string]

export interface SignatureView {
  heading: string
  facts: TextFact[]
  /** In the language of remarks. */
  remarks: string[]
}

export type Tone = 'good' | 'caution' | 'bad'

export interface VerificationView {
  tone: Tone
  heading: string
  sentence: string
  /** What the verdict does not mean, and what to do: paragraphs. */
  advice: readonly string[]
  fileName: string
  /** Of the document, if this instance sealed the file. */
  title: string | undefined
  /** The organisation whose seal by this instance is intact. */
  sealer: string | undefined
  /** Who signed or approved it, and when, in order. */
  people: [name: string, act: string][]
  /** Who says so. */
  peopleSource: string
  /** Undefined if the file cannot be read. */
  sha256: string | undefined
  /** In the language of remarks, as the next. */
  remarks: string[]
  additions: string[]
  /** What a reader can see changed after a signature, and where: translated. */
  changes: [what: string, where: string][]
  signatures: SignatureView[]
}

/** What an instance knows of the file. */
export type KnownRecord =
  | { known: true; completedAt: Date; title: string; people: readonly { name: string; hasSigned: boolean; at: Date }[] }
  | { known: false }

/** What was found out about a file. */
export interface Verified {
  report: VerificationReport | UnreadableReport
  record: KnownRecord
  /** The organisation in the certificate of this instance that made an intact seal of the file. */
  sealer: string | undefined
}

/** The words of a page, and how it writes times. */
export interface Wording {
  /** BCP 47. */
  language: string
  texts: VerifyTexts
  /** The verifier has words in the languages of the web app. */
  remarkTexts: RemarkTexts
  time(moment: Date): string
}

const VERDICTS: Record<Exclude<Verdict, 'signer-unknown' | 'not-signed'>, VerdictKey> = {
  valid: 'valid',
  'valid-changed': 'validChanged',
  'not-valid': 'notValid',
  'not-checked': 'notChecked',
  unreadable: 'unreadable',
}

const TONES: Partial<Record<VerdictKey, Tone>> = { valid: 'good', validHere: 'good', notValid: 'bad' }

function verdictKeyOf({ report, record }: Verified): VerdictKey {
  if (report.verdict === 'valid' && record.known) return 'validHere'
  if (report.verdict === 'not-signed') return report.signatures.length === 0 ? 'notSigned' : 'onlyTimestamped'
  if (report.verdict !== 'signer-unknown') return VERDICTS[report.verdict]
  const untrusted = report.signatures.find(({ kind, trust }) => kind === 'signature' && trust !== 'trusted')
  return untrusted === undefined || untrusted.trust === 'trusted' ? 'unknown' : untrusted.trust
}

export function inWords(remarks: readonly Remark[], { remarkTexts }: Wording): string[] {
  return remarks.map(one => toSafeText(remarkText(remarkTexts, one)))
}

function timeFacts({ kind, time }: SignatureReport, { texts: { details }, time: readable }: Wording): TextFact[] {
  const { timestamp, claimedAt } = time
  const facts: TextFact[] = []
  if (timestamp) {
    const by = timestamp.trusted ? details.timeBy : details.untrustedTimeBy
    facts.push([details.time, by(readable(new Date(timestamp.at)), toSafeText(timestamp.authority))])
  }
  if (claimedAt && kind === 'signature') facts.push([details.claimedTime, readable(new Date(claimedAt))])
  return facts
}

function signatureView(signature: SignatureReport, index: number, wording: Wording): SignatureView {
  const { details } = wording.texts
  const { kind, signer, level, indication, subIndication, certificateSha256, integrity, trust, field } = signature
  const isSignature = kind === 'signature'
  return {
    heading: (isSignature ? details.signature : details.timestamp)(index + 1),
    facts: [
      [details.name, toSafeText(signer) || details.unknown],
      [details.content, details.integrity[integrity]],
      // A broken signature does not show that it was made with this certificate.
      ...(integrity === 'broken' ? [] : ([[details.certificate, details.trust[trust]]] satisfies TextFact[])),
      [details.fingerprint, certificateSha256 || details.none],
      ...timeFacts(signature, wording),
      [details.result, subIndication ? `${indication}, ${subIndication}` : indication],
      ...(isSignature ? ([[details.level, level ? `PAdES ${level}` : details.noLevel]] satisfies TextFact[]) : []),
      [details.field, toSafeText(field) || details.none],
    ],
    remarks: inWords([...signature.reasons, ...signature.levelNotes], wording),
  }
}

/** The names in the certificates of all signatures. */
function signersOf(report: VerificationReport | UnreadableReport, { language, texts }: Wording): string {
  if (report.verdict === 'unreadable') return ''
  const names = report.signatures
    .filter(({ kind }) => kind === 'signature')
    .map(({ signer }) => texts.quoted(toSafeText(signer) || texts.details.unknown))
  return new Intl.ListFormat(language).format(new Set(names))
}

export function verificationView(verified: Verified, fileName: string, wording: Wording): VerificationView {
  const { report, record, sealer } = verified
  const { texts, time } = wording
  const key = verdictKeyOf(verified)
  const signer = signersOf(report, wording)
  const isReadable = report.verdict !== 'unreadable'
  const isChanged = isReadable && report.changes.length > 0
  const facts: VerdictFacts = { signer, sealer: sealer ?? signer, time: record.known ? time(record.completedAt) : '', isChanged }
  const { heading, sentence, advice } = texts.verdicts[key]
  return {
    tone: TONES[key] ?? 'caution',
    heading,
    sentence: sentence(facts),
    advice: record.known && key !== 'validHere' ? [texts.isInRecord(facts)] : advice,
    fileName,
    title: record.known ? record.title : undefined,
    sealer,
    people: record.known
      ? record.people.map(({ name, hasSigned, at }) => [name, (hasSigned ? texts.signedOn : texts.approvedOn)(time(at))])
      : [],
    peopleSource: texts.fromRecord,
    sha256: isReadable ? report.sha256 : undefined,
    remarks: inWords(isReadable ? report.reasons : [report.reason], wording),
    additions: inWords(isReadable ? report.additions : [], wording),
    changes: isReadable ? report.changes.map(change => changeView(change, texts)) : [],
    signatures: isReadable ? report.signatures.map((signature, i) => signatureView(signature, i, wording)) : [],
  }
}

/** One change as a sentence, and its page. */
function changeView({ kind, name, before, after, page }: VisibleChange, texts: VerifyTexts): [what: string, where: string] {
  const { changes, quoted } = texts
  const value = (text: string | null) => (text ? quoted(toSafeText(text)) : changes.empty)
  const title = toSafeText(name)
  const words = {
    field: () => changes.field(quoted(title), value(before), value(after)),
    comment: () => changes.comment(title),
    signature: () => changes.signature(quoted(title)),
    property: () => changes.property(title, value(before), value(after)),
  }
  return [words[kind](), page === null ? changes.noPage : changes.page(page)]
}
