/**
 * A verifier's report in plain words, for a terminal: `-` stands before what speaks against the file, `+` before what was added to it rightly.
 * Integrity, origin and the record of an installation are three questions; the first two are answered here, the third by whoever keeps the record.
 */
import type { BaselineLevel, SignatureReport, VerifyReport } from '../pdf/order.ts'
import { counted } from './additions.ts'
import { UNCOVERED } from './signature-dictionary.ts'

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

const LEVEL: Record<BaselineLevel, string> = {
  'B-B': 'PAdES B-B: the signature by itself',
  'B-T': 'PAdES B-T: with a time-stamp',
  'B-LT': 'PAdES B-LT: with a time-stamp and all proofs of its certificates',
  'B-LTA': 'PAdES B-LTA: with a time-stamp, all proofs of its certificates, and a document time-stamp over them',
}

const KIND: Record<SignatureReport['kind'], string> = { signature: 'Signature', 'document time-stamp': 'Document time-stamp' }

function timeStampText({ kind, timeStamp }: SignatureReport): string {
  if (timeStamp === undefined) return kind === 'signature' ? 'none of its own' : 'none that can be read'
  const { at, authority, trusted } = timeStamp
  return `${at} by ${plain(authority)}, ${trusted ? 'a trusted authority' : 'an authority that is NOT trusted here: only a claim'}`
}

function claimedText({ claimedAt }: SignatureReport): string {
  return claimedAt === undefined ? 'none' : `${claimedAt} (the signer’s own clock)`
}

function coverage({ coversWholeFile, reasons }: SignatureReport): string {
  if (coversWholeFile) return 'the whole file'
  const isAllowed = !reasons.some(reason => reason.includes(UNCOVERED))
  return isAllowed ? 'its revision; what was added behind it is allowed there' : 'NOT the whole file'
}

function describeSignature(signature: SignatureReport, index: number): string[] {
  const isTimeStamp = signature.kind === 'document time-stamp'
  return [
    `${KIND[signature.kind]} ${index + 1}${signature.field === '' ? '' : ` (field ${plain(signature.field)})`}`,
    `  signed by    ${signature.signer === '' ? 'unknown' : plain(signature.signer)}`,
    ...(isTimeStamp
      ? []
      : [`  level        ${signature.level === undefined ? 'no PAdES baseline signature' : LEVEL[signature.level]}`]),
    ...(isTimeStamp ? [] : [`  claimed time ${claimedText(signature)}`]),
    `  time-stamp   ${timeStampText(signature)}`,
    `  integrity    ${INTEGRITY[signature.integrity]}`,
    `  origin       ${ORIGIN[signature.origin]}`,
    `  covers       ${coverage(signature)}`,
    ...signature.reasons.map(reason => `  - ${plain(reason)}`),
  ]
}

function headline(report: VerifyReport): string {
  if (report.sound && report.additions.length > 0)
    return 'SOUND: every signature is intact and comes from a trusted certificate, and nothing but what is listed was added.'
  if (report.sound) return 'SOUND: every signature is intact, covers the file and comes from a trusted certificate.'
  if (report.signatures.length === 0) return 'NOT SIGNED: nothing shows who made this file or that it is unchanged.'
  return 'NOT SOUND: see the reasons below.'
}

/** The report as lines of text, ending with a line break. */
export function describe(report: VerifyReport | { unreadable: string }): string {
  if ('unreadable' in report) return `NOT READABLE: the file cannot be judged, because ${plain(report.unreadable)}.\n`
  const lines = [
    headline(report),
    `SHA-256 ${report.sha256}, ${report.bytes} bytes, ${counted(report.pageCount, 'page')}, ${counted(report.revisions, 'revision')}`,
    ...report.reasons.map(reason => `- ${plain(reason)}`),
    ...report.additions.map(addition => `+ ${plain(addition)}`),
    ...report.signatures.flatMap(describeSignature),
  ]
  return `${lines.join('\n')}\n`
}
