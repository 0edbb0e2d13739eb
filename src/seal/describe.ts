/**
 * A verifier's report in plain words, for a terminal. Integrity, origin and the record of an installation are three questions;
 * the first two are answered here, the third by whoever keeps the record.
 */
import type { SignatureReport, VerifyReport } from '../pdf/order.ts'

/** Words from a foreign file, safe for a terminal: control characters and bidi overrides would let a name rewrite what stands around it. */
const plain = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '?')

const INTEGRITY: Record<SignatureReport['integrity'], string> = {
  sound: 'sound: the signed bytes are unchanged',
  broken: 'broken: the signature does not stand for these bytes',
}

const ORIGIN: Record<SignatureReport['origin'], string> = {
  trusted: 'trusted: the certificate leads to a trusted one',
  untrusted: 'not trusted: nothing shows who is behind the certificate',
}

function describeSignature(signature: SignatureReport, index: number): string[] {
  return [
    `Signature ${index + 1}${signature.field === '' ? '' : ` (field ${plain(signature.field)})`}`,
    `  signed by    ${signature.signer === '' ? 'unknown' : plain(signature.signer)}`,
    `  claimed time ${signature.claimedAt ?? 'none'}${signature.claimedAt === undefined ? '' : ' (the signer’s own clock)'}`,
    `  integrity    ${INTEGRITY[signature.integrity]}`,
    `  origin       ${ORIGIN[signature.origin]}`,
    `  covers       ${signature.coversWholeFile ? 'the whole file' : 'NOT the whole file'}`,
    ...signature.reasons.map(reason => `  - ${plain(reason)}`),
  ]
}

function headline(report: VerifyReport): string {
  if (report.sound) return 'SOUND: every signature is intact, covers the file and comes from a trusted certificate.'
  if (report.signatures.length === 0) return 'NOT SIGNED: nothing shows who made this file or that it is unchanged.'
  return 'NOT SOUND: see the reasons below.'
}

/** The report as lines of text, ending with a line break. */
export function describe(report: VerifyReport | { unreadable: string }): string {
  if ('unreadable' in report) return `NOT READABLE: the file cannot be judged, because ${plain(report.unreadable)}.\n`
  const lines = [
    headline(report),
    `SHA-256 ${report.sha256}, ${report.bytes} bytes, ${report.pageCount} pages, ${report.revisions} revisions`,
    ...report.reasons.map(reason => `- ${plain(reason)}`),
    ...report.signatures.flatMap(describeSignature),
  ]
  return `${lines.join('\n')}\n`
}
