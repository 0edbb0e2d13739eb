/** The report on a receipt for the command line: as JSON, and as lines for a terminal. */
import { toSafeText } from '../lib/safe-text.ts'
import { englishOfRemark, type Remark } from '../locales/remarks.ts'
import { type CheckOutcome, PACK_EXIT_CODES, type WrittenPackCheck } from './pack/report.ts'
import type { ReceiptReport, ReceiptSigner, RefusedReceipt } from './verify-receipt.ts'

export interface VerifyReceiptRequest {
  path: string
  /** Certificates of the organisation, PEM. Empty: those in the pack. */
  trust: string[]
  /** Besides those in the pack. */
  timestampTrust: string[]
  packPath?: string | undefined
  sealedPath?: string | undefined
}

/** Exit codes of `signet verify` for a receipt. */
export const RECEIPT_EXIT_CODES = PACK_EXIT_CODES

type WrittenReason = { text: string } & Remark

type ReadReceipt = ReceiptReport<WrittenPackCheck, WrittenReason>

export type WrittenReceiptReport = ReadReceipt | ({ verdict: RefusedReceipt['verdict']; reason: string } & Remark)

export function writeReceiptReport(report: ReceiptReport | RefusedReceipt): WrittenReceiptReport {
  if ('reason' in report) return { ...report, reason: englishOfRemark(report.reason), ...report.reason }
  const written = (reasons: readonly Remark[]) => reasons.map(one => ({ text: englishOfRemark(one), ...one }))
  const { signer, timestamp } = report
  return {
    ...report,
    signer: { ...signer, reasons: written(signer.reasons) },
    timestamp: timestamp && { ...timestamp, reasons: written(timestamp.reasons) },
    checks: report.checks.map(({ outcome, remark }) => ({ outcome, text: englishOfRemark(remark), ...remark })),
  }
}

const SIGN: Record<CheckOutcome, string> = { passed: '+', failed: '-', 'not-checked': '*', note: '*' }

/** Lines of text, each with a line break. */
export function describeReceipt(report: WrittenReceiptReport): string {
  if ('reason' in report) {
    const verdict = report.verdict === 'unreadable' ? 'CANNOT BE READ' : 'NOT VALID'
    return `${verdict}: ${toSafeText(report.reason)}.\n`
  }
  const { receipt, signer, checks } = report
  const lines = [
    firstLine(report),
    // Nothing is said of a person whom a false receipt names.
    ...(report.verdict === 'not-valid' ? [] : [personLine(receipt)]),
    trustLine(signer),
    ...signer.reasons.map(({ text }) => `  ${toSafeText(text)}`),
    '',
    'What was checked:',
    ...checks.map(({ outcome, text }) => `${SIGN[outcome]} ${toSafeText(text)}`),
  ]
  return `${lines.join('\n')}\n`
}

function firstLine({ verdict, receipt, checks }: ReadReceipt): string {
  const { title, id } = receipt.document
  const of = `the receipt for “${toSafeText(title)}” (${toSafeText(id)})`
  const first = (outcome: CheckOutcome) => toSafeText(checks.find(check => check.outcome === outcome)?.text ?? '')
  switch (verdict) {
    case 'valid':
      return `VALID: ${of} is unchanged, and agrees with all that was given.`
    case 'signer-unknown':
      return `UNCHANGED, SIGNER NOT KNOWN: ${of} is unchanged, but the certificate of its seal is not trusted.`
    case 'not-checked':
      return `NOT CHECKED: ${first('not-checked')}`
    case 'not-valid':
      return `NOT VALID: ${first('failed')}`
  }
}

function personLine({ signer, signedAt, intent, instance, entry }: ReadReceipt['receipt']): string {
  const who = toSafeText(`${signer.name}: “${intent}”`)
  const where = toSafeText(`${instance.organisation}, ${instance.environment}, ${instance.id}`)
  return `${who} at ${toSafeText(signedAt)} by the clock of the service (${where}; entry ${entry.sequence}).`
}

function trustLine({ trustedBy, certificateSha256 }: ReceiptSigner<WrittenReason>): string {
  if (trustedBy === 'given') return 'The signature was verified with the certificates that were given.'
  if (trustedBy === 'pack')
    return `The signature was verified with the certificate in the evidence pack. Compare its fingerprint: SHA-256 ${certificateSha256}.`
  return `No certificate was given: compare the fingerprint, SHA-256 ${certificateSha256}, or give its certificate with --trust FILE.`
}
