/** Puts a report on a receipt into words of the reader. Pure. */
import type { ReceiptReport, RefusedReceipt } from '../../src/evidence/verify-receipt.ts'
import { toSafeText } from '../../src/lib/safe-text.ts'
import type { LocalVerifyTexts, ReceiptVerdictKey } from '../../src/locales/local-verify.ts'
import { checkViews, type PackView } from './pack-view.ts'
import { inWords, type SignatureView, type TextFact, type Tone, type Wording } from './report-view.ts'

const TONES: Record<ReceiptVerdictKey, Tone> = {
  valid: 'good',
  validWithLog: 'good',
  notValid: 'bad',
  unknown: 'caution',
  notChecked: 'caution',
}

function verdictKeyOf(report: ReceiptReport): ReceiptVerdictKey {
  const isInLog = report.checks.some(({ outcome, remark }) => outcome === 'passed' && remark.code === 'receipt_entry_in_log')
  switch (report.verdict) {
    case 'valid':
      // Whoever makes a pack chooses the certificate in it.
      if (report.signer.trustedBy !== 'given') return 'unknown'
      return isInLog ? 'validWithLog' : 'valid'
    case 'not-valid':
      return 'notValid'
    case 'signer-unknown':
      return 'unknown'
    case 'not-checked':
      return 'notChecked'
  }
}

/** `sha256`: of the receipt, hex. */
export function receiptView(
  { report, sha256 }: { report: ReceiptReport | RefusedReceipt; sha256: string },
  fileName: string,
  wording: Wording,
  local: LocalVerifyTexts,
): PackView {
  const { receipt: words } = local
  const empty = {
    title: undefined,
    sealer: undefined,
    people: [],
    remarks: [],
    additions: [],
    changes: [],
    checks: [],
    signatures: [],
  }
  const shared = { ...empty, fileName, sha256, peopleSource: words.source, checksOf: words.itself }
  if ('reason' in report) {
    const { heading, sentence, advice } = words.verdicts.notValid
    const facts = { organisation: '', name: '', title: '', time: '' }
    return { ...shared, tone: 'bad', heading, sentence: sentence(facts), advice, remarks: inWords([report.reason], wording) }
  }
  const key = verdictKeyOf(report)
  const { heading, sentence, advice } = words.verdicts[key]
  const { instance, document, signer, signedAt } = report.receipt
  const { texts } = wording
  const [organisation, name, title] = [instance.organisation, signer.name, document.title].map(toSafeText) as [
    string,
    string,
    string,
  ]
  const time = wording.time(new Date(signedAt))
  return {
    ...shared,
    tone: TONES[key],
    heading,
    sentence: sentence({ organisation, name, title: texts.quoted(title), time }),
    advice,
    title,
    // Nothing is said of a person whom a false receipt names.
    people: key === 'notValid' ? [] : [[name, texts.signedOn(time)]],
    checks: checkViews(report.checks, wording, local.pack),
    signatures: [signatureView(report, wording)],
  }
}

function signatureView({ signer, timestamp }: ReceiptReport, wording: Wording): SignatureView {
  const { details } = wording.texts
  const at = timestamp?.at
  const by = timestamp?.verdict === 'trusted' ? details.timeBy : details.untrustedTimeBy
  const stamp: TextFact[] =
    at === undefined ? [] : [[details.time, by(wording.time(new Date(at)), toSafeText(timestamp?.authority ?? ''))]]
  return {
    heading: details.signature(1),
    facts: [
      [details.name, toSafeText(signer.name) || details.unknown],
      [details.certificate, details.trust[signer.isTrusted && signer.trustedBy === 'given' ? 'trusted' : 'unknown']],
      [details.fingerprint, signer.certificateSha256],
      ...stamp,
    ],
    remarks: inWords([...signer.reasons, ...(timestamp?.reasons ?? [])], wording),
  }
}
