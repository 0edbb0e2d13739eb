/**
 * The public page that verifies a PDF and explains the result in the reader's language. The file is
 * not kept.
 */
import { type SignatureView, type VerificationView, VerifyPage } from '../../../../views/verify/verify.tsx'
import { type AppLanguage, chooseAppLanguage, LANGUAGES } from '../../../core/language.ts'
import { VERIFY_PATH } from '../../../core/page-paths.ts'
import { busyRefusal, errorsOfRefusal, Refusal } from '../../../core/refusal.ts'
import { localized } from '../../../core/signing/message.ts'
import { type Verification, verifiableBytes, verifyUpload } from '../../../documents/evidence/verification.ts'
import { readableTime } from '../../../lib/clock-format.ts'
import { toSafeText } from '../../../lib/safe-text.ts'
import { appTextsOf } from '../../../locales/app.ts'
import { catalogueOf } from '../../../locales/index.ts'
import { type Remark, remarkText } from '../../../locales/remarks.ts'
import type { VerdictFacts, VerdictKey, VerifyTexts } from '../../../locales/verify.ts'
import type { SignatureReport, UnreadableReport, Verdict, VerificationReport, VisibleChange } from '../../../verify/report.ts'
import { errorHeaders, toProblem } from '../../errors.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { SignerVisit } from '../signing/signer-visit.tsx'

/** The language in the link. It does not count for whoever is signed in, and has one already. */
function chosenTag({ session, query }: Visit): string | undefined {
  return session ? undefined : query.lang
}

/** In the language of the web app, else in that of the link, else in that of the browser. */
export function readerOf(visit: Visit): SignerVisit {
  return new SignerVisit(visit, [visit.session ? visit.language : chosenTag(visit)])
}

const VERDICTS: Record<Exclude<Verdict, 'signer-unknown' | 'not-signed'>, VerdictKey> = {
  valid: 'valid',
  'valid-changed': 'validChanged',
  'not-valid': 'notValid',
  'not-checked': 'notChecked',
  unreadable: 'unreadable',
}

const TONES: Partial<Record<VerdictKey, VerificationView['tone']>> = { valid: 'good', validHere: 'good', notValid: 'bad' }

function verdictKeyOf({ report, record }: Verification): VerdictKey {
  if (report.verdict === 'valid' && record.known) return 'validHere'
  if (report.verdict === 'not-signed') return report.signatures.length === 0 ? 'notSigned' : 'onlyTimestamped'
  if (report.verdict !== 'signer-unknown') return VERDICTS[report.verdict]
  const untrusted = report.signatures.find(({ kind, trust }) => kind === 'signature' && trust !== 'trusted')
  return untrusted === undefined || untrusted.trust === 'trusted' ? 'unknown' : untrusted.trust
}

type Facts = SignatureView['facts']

/** The words of the page, and how it writes times. */
interface Wording {
  language: string
  texts: VerifyTexts
  time(moment: Date): string
}

/** The verifier has words in the languages of the web app. */
const remarkLanguageOf = (language: string): AppLanguage => chooseAppLanguage(language, null)

function inWords(remarks: readonly Remark[], { language }: Wording): string[] {
  const texts = appTextsOf(remarkLanguageOf(language)).remarks
  return remarks.map(one => toSafeText(remarkText(texts, one)))
}

function timeFacts({ kind, time }: SignatureReport, { texts: { details }, time: readable }: Wording): Facts {
  const { timestamp, claimedAt } = time
  const facts: Facts = []
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
      ...(integrity === 'broken' ? [] : ([[details.certificate, details.trust[trust]]] satisfies Facts)),
      [details.fingerprint, certificateSha256 || details.none],
      ...timeFacts(signature, wording),
      [details.result, subIndication ? `${indication}, ${subIndication}` : indication],
      ...(isSignature ? ([[details.level, level ? `PAdES ${level}` : details.noLevel]] satisfies Facts) : []),
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

function verificationView(verification: Verification, fileName: string, wording: Wording): VerificationView {
  const { report, record, sealer } = verification
  const { texts, time } = wording
  const key = verdictKeyOf(verification)
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

interface Shown {
  refusal?: Refusal
  verification?: VerificationView
}

export async function page(reader: SignerVisit, { refusal, verification }: Shown = {}): Promise<PageResponse> {
  const { visit, language, catalogue } = reader
  const texts = catalogue.verify
  const query = chosenTag(visit) === undefined ? '' : `?lang=${language}`
  const problem = refusal && toProblem(refusal, visit.app, '')
  return {
    ...(problem ? { status: problem.status, headers: errorHeaders(problem) } : {}),
    html: (
      <VerifyPage
        reader={reader.context(texts.title, refusal && errorsOfRefusal(refusal, 'file'))}
        texts={texts}
        address={VERIFY_PATH + query}
        languages={LANGUAGES.map(tag => ({ tag, name: catalogueOf(tag).name, address: `${VERIFY_PATH}?lang=${tag}` }))}
        organisation={visit.organisation.name}
        verification={verification}
        remarkLanguage={remarkLanguageOf(language)}
      />
    ),
  }
}

/** The input for the file, as messages name it. */
const fileField = ({ catalogue }: SignerVisit) => ({ label: catalogue.verify.file, type: 'attachment' }) as const

export async function verify(visit: Visit): Promise<PageResponse> {
  const { app, file } = visit
  const reader = readerOf(visit)
  const texts = reader.catalogue.verify
  const field = fileField(reader)
  if (!file) throw new Refusal('validation_failed', localized('fileMissing', field))
  if (!file.onDisk || file.onDisk.bytes === 0) throw new Refusal('validation_failed', localized('fileEmpty', field))
  const verification = await verifyUpload(app, file.onDisk, undefined)
  const { timeZone } = visit.organisation
  const { language } = reader
  const time = (moment: Date) => readableTime(moment, timeZone, language)
  return page(reader, { verification: verificationView(verification, file.name, { language, texts, time }) })
}

/** Shows beside the form what the reader can mend by another file or another try. */
export async function refused(visit: Visit, refusal: Refusal): Promise<PageResponse> {
  const reader = readerOf(visit)
  switch (refusal.reason) {
    case 'payload_too_large': {
      const message = localized('fileTooLarge', fileField(reader), verifiableBytes(visit.app))
      return page(reader, { refusal: new Refusal('validation_failed', message) })
    }
    case 'validation_failed':
    case 'rate_limited':
      return page(reader, { refusal })
    case 'overloaded':
      return page(reader, { refusal: busyRefusal() })
    default:
      return reader.refusalPage(refusal)
  }
}
