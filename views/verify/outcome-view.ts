/** Puts what the page found out about a file into words of its reader. Pure. */
import { toSafeText } from '../../src/lib/safe-text.ts'
import type { FileProblem, LocalVerifyTexts } from '../../src/locales/local-verify.ts'
import type { RemarkCode } from '../../src/locales/remarks.ts'
import type { UnreadableReport, Verdict, VerificationReport } from '../../src/verify/report.ts'
import type { Answer } from './browser/order.ts'
import { type PackView, packView } from './pack-view.ts'
import { receiptView } from './receipt-view.ts'
import { inWords, type VerificationView, verificationView, type Wording } from './report-view.ts'

/** By what the seal was verified, beside what the files bring along. */
export interface TrustSource {
  /** Of the files with certificates that the reader has given. */
  given: readonly string[]
  /** The organisation whose page it is. */
  instance: string | undefined
}

export interface ProblemView {
  heading: string
  sentence: string
  fileName: string
  /** In the language of remarks. */
  remarks: string[]
}

export type OutcomeView =
  | { kind: 'problem'; view: ProblemView }
  | { kind: 'file'; view: VerificationView | PackView; trust: string[]; fingerprint: string | undefined }

const LOCKED: ReadonlySet<RemarkCode> = new Set(['encrypted', 'password_needed', 'encryption_unsupported'])

/** What the words of a result depend on, beside what was found out. */
interface Words {
  fileName: string
  wording: Wording
  local: LocalVerifyTexts
  source: TrustSource
}

export function outcomeView(
  answer: Exclude<Answer, { kind: 'certificates' }>,
  name: string,
  wording: Wording,
  local: LocalVerifyTexts,
  source: TrustSource,
): OutcomeView {
  const words = { fileName: toSafeText(name), wording, local, source }
  switch (answer.kind) {
    case 'problem':
      return problemView(answer.problem, answer.detail === undefined ? [] : [toSafeText(answer.detail)], words)
    case 'pack':
      return packOutcome(answer, words)
    case 'receipt':
      return receiptOutcome(answer, words)
    case 'pdf':
      return pdfOutcome(answer.report, words)
  }
}

function problemView(problem: FileProblem, remarks: string[], { local, fileName }: Words): OutcomeView {
  return { kind: 'problem', view: { ...local.problems[problem], fileName, remarks } }
}

function packOutcome({ report }: Extract<Answer, { kind: 'pack' }>, words: Words): OutcomeView {
  const { fileName, wording, local, source } = words
  if (report.verdict === 'unreadable') return problemView('damagedPack', inWords([report.reason], wording), words)
  const isTrusted = report.verdict === 'valid' && report.trustedBy === 'given'
  return {
    kind: 'file',
    view: packView(report, fileName, wording, local),
    trust: report.trustedBy === 'pack' ? [local.trust.pack] : sentencesOf(source, local),
    fingerprint: isTrusted || report.verdict === 'not-valid' ? undefined : report.sealCertificateSha256,
  }
}

/** Signed statements, but no receipts that are known here. */
const OTHER_STATEMENTS: ReadonlySet<RemarkCode> = new Set(['receipt_of_other_kind', 'receipt_of_later_release'])

function receiptOutcome({ report, sha256 }: Extract<Answer, { kind: 'receipt' }>, words: Words): OutcomeView {
  const { fileName, wording, local, source } = words
  if ('reason' in report && OTHER_STATEMENTS.has(report.reason.code))
    return problemView('unknownKind', inWords([report.reason], wording), words)
  const view = receiptView({ report, sha256 }, fileName, wording, local)
  if ('reason' in report) return { kind: 'file', view, trust: [], fingerprint: undefined }
  const { trustedBy, certificateSha256 } = report.signer
  const isTrusted = report.verdict === 'valid' && trustedBy === 'given'
  return {
    kind: 'file',
    view,
    trust: trustedBy === 'pack' ? [local.trust.pack] : sentencesOf(source, local),
    fingerprint: isTrusted || report.verdict === 'not-valid' ? undefined : certificateSha256,
  }
}

function pdfOutcome(report: VerificationReport | UnreadableReport, words: Words): OutcomeView {
  const { fileName, wording, local, source } = words
  if (report.verdict === 'unreadable' && LOCKED.has(report.reason.code))
    return problemView('locked', inWords([report.reason], wording), words)
  const view = verificationView({ report, record: { known: false }, sealer: undefined }, fileName, wording)
  return {
    kind: 'file',
    view: report.verdict === 'valid' ? { ...view, advice: [local.validAdvice] } : view,
    trust: BY_TRUST.has(report.verdict) ? sentencesOf(source, local) : [],
    fingerprint: report.verdict === 'signer-unknown' ? unknownSigner(report) : undefined,
  }
}

/** Verdicts that depend on whom the reader trusts. */
const BY_TRUST: ReadonlySet<Verdict> = new Set(['valid', 'valid-changed', 'signer-unknown'])

/** The certificate that a reader has to compare; undefined for several. */
function unknownSigner({ signatures }: VerificationReport): string | undefined {
  const unknown = signatures.filter(({ kind, trust }) => kind === 'signature' && trust === 'unknown')
  const [sha256, another] = new Set(unknown.map(({ certificateSha256 }) => certificateSha256))
  return another === undefined ? sha256 : undefined
}

function sentencesOf({ given, instance }: TrustSource, { trust }: LocalVerifyTexts): string[] {
  const sentences = [
    ...(given.length > 0 ? [trust.given(given.map(toSafeText).join(', '))] : []),
    ...(instance === undefined ? [] : [trust.instance(instance)]),
  ]
  return sentences.length > 0 ? sentences : [trust.none]
}
