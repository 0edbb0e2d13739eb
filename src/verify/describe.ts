/**
 * A verifier's report in plain words, for a terminal: `-` stands before what speaks against the file, `+` before what was added to it rightly.
 * Answers nothing of the record of an installation.
 */

import type { SignerTrust } from '../pki/finding.ts'
import { counted } from './changes/document-changes.ts'
import type { BaselineLevel, Integrity, SignatureReport, UnreadableReport, VerificationReport } from './report.ts'
import { isUnchecked } from './verdict.ts'

/** Words from a foreign file, safe for a terminal: control characters and bidi overrides would let a name rewrite what stands around it. */
const plain = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '?')

const INTEGRITY: Record<Integrity, string> = {
  intact: 'intact: the signed bytes are unchanged',
  broken: 'broken: the signature does not belong to these bytes',
  'not-checked': 'not checked: it uses something that is not supported here',
}

const TRUST: Record<SignerTrust, string> = {
  trusted: 'trusted: the certificate leads to one that was given as trusted',
  unknown: 'unknown: nothing shows who is behind the certificate',
  revoked: 'revoked: the certificate was withdrawn',
  expired: 'expired: the certificate had ended',
}

const LEVEL: Record<BaselineLevel, string> = {
  'B-B': 'PAdES B-B: the signature by itself',
  'B-T': 'PAdES B-T: with a time-stamp',
  'B-LT': 'PAdES B-LT: with a time-stamp and all proofs of its certificates',
  'B-LTA': 'PAdES B-LTA: with a time-stamp, all proofs of its certificates, and a document time-stamp over them',
}

const KIND: Record<SignatureReport['kind'], string> = { signature: 'Signature', 'document-timestamp': 'Document time-stamp' }

function timestampText({ kind, time: { timestamp } }: SignatureReport): string {
  if (timestamp === undefined) return kind === 'signature' ? 'none of its own' : 'none that can be read'
  const { at, authority, trusted } = timestamp
  return `${at} by ${plain(authority)}, ${trusted ? 'a trusted authority' : 'an authority that is NOT trusted here: only a claim'}`
}

function claimedText({ time: { claimedAt } }: SignatureReport): string {
  return claimedAt === undefined ? 'none' : `${claimedAt} (the signer’s own clock)`
}

function coverage({ coversWholeFile, integrity }: SignatureReport): string {
  if (coversWholeFile) return 'the whole file'
  return integrity === 'intact' ? 'its revision; what was added behind it is allowed there' : 'NOT the whole file'
}

function indicationText({ indication, subIndication }: SignatureReport): string {
  return subIndication === undefined ? indication : `${indication} / ${subIndication}`
}

function describeSignature(signature: SignatureReport, index: number): string[] {
  const isTimestamp = signature.kind === 'document-timestamp'
  return [
    `${KIND[signature.kind]} ${index + 1}${signature.field === '' ? '' : ` (field ${plain(signature.field)})`}`,
    `  signed by    ${signature.signer === '' ? 'unknown' : plain(signature.signer)}`,
    `  integrity    ${INTEGRITY[signature.integrity]}`,
    `  trust        ${TRUST[signature.trust]}`,
    `  indication   ${indicationText(signature)} (EN 319 102-1)`,
    ...(isTimestamp
      ? []
      : [
          `  level        ${signature.level === undefined ? 'no PAdES baseline signature' : LEVEL[signature.level]}`,
          `  claimed time ${claimedText(signature)}`,
        ]),
    `  time-stamp   ${timestampText(signature)}`,
    `  covers       ${coverage(signature)}`,
    ...signature.reasons.map(reason => `  - ${plain(reason)}`),
    ...signature.levelNotes.map(note => `  * ${plain(note)}`),
  ]
}

function signersOf({ signatures }: VerificationReport): string {
  const names = signatures
    .filter(({ kind }) => kind === 'signature')
    .map(({ signer }) => (signer === '' ? 'unknown' : plain(signer)))
  return [...new Set(names)].join(', ')
}

const isUntrustedStamp = ({ time: { timestamp } }: SignatureReport): boolean => timestamp?.trusted === false
const TRUST_TIME = 'To count its time-stamps, give the certificates of their authorities with --trust-time FILE.'

/** What is to be given so that the verdict can become another one; a sentence. */
function remedy({ signatures }: VerificationReport): string {
  const open = signatures.find(({ kind, trust }) => kind === 'signature' && trust !== 'trusted')
  if (open?.trust === 'unknown') return 'Give the certificate of the signer, or the root above it, with --trust FILE.'
  return signatures.some(isUntrustedStamp) ? TRUST_TIME : ''
}

/** The reason that comes first, without its full stop. */
function firstReason({ reasons, signatures }: VerificationReport, wanted: (signature: SignatureReport) => boolean): string {
  const [first = 'see below'] = [...reasons, ...signatures.filter(wanted).flatMap(signature => signature.reasons)]
  return plain(first).replace(/\.$/, '')
}

function headline(report: VerificationReport): string {
  const hasFailed = ({ indication }: SignatureReport) => indication === 'TOTAL-FAILED'
  switch (report.verdict) {
    case 'valid':
      return `VALID: signed by ${signersOf(report)}, unchanged since.`
    case 'not-valid':
      return `NOT VALID: ${firstReason(report, hasFailed)}.`
    case 'signer-unknown': {
      const isOpen = ({ kind, trust }: SignatureReport) => kind === 'signature' && trust !== 'trusted'
      return `UNCHANGED, SIGNER NOT KNOWN: ${firstReason(report, isOpen)}. ${remedy(report)}`.trim()
    }
    case 'not-signed':
      return report.signatures.length === 0
        ? 'NOT SIGNED: nothing shows who made this file or that it is unchanged.'
        : 'NOT SIGNED: only time-stamped. Nothing shows who made this file.'
    case 'not-checked':
      return `NOT CHECKED: ${firstReason(report, isUnchecked)}.`
  }
}

/** The report as lines of text, ending with a line break. */
export function describe(report: VerificationReport | UnreadableReport): string {
  if (report.verdict === 'unreadable') return `CANNOT BE READ: ${plain(report.reason)}.\n`
  const lines = [
    headline(report),
    `SHA-256 ${report.sha256}, ${report.bytes} bytes, ${counted(report.pageCount, 'page')}, ${counted(report.revisions, 'revision')}`,
    ...report.reasons.map(reason => `- ${plain(reason)}`),
    ...report.additions.map(addition => `+ ${plain(addition)}`),
    ...report.signatures.flatMap(describeSignature),
    ...(report.signatures.some(isUntrustedStamp) ? [TRUST_TIME] : []),
  ]
  return `${lines.join('\n')}\n`
}
