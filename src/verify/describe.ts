/** Formats a report for a terminal: `-` marks a problem, `!` a visible change, `+` an addition. */
import { counted } from '../lib/counted.ts'
import { toSafeText } from '../lib/safe-text.ts'
import type { SignerTrust } from '../pki/finding.ts'
import type { BaselineLevel, Integrity, SignatureReport, VerificationReport, VisibleChange, WrittenReport } from './report.ts'
import { isUnchecked } from './verdict.ts'

type Report = VerificationReport<string>
type Signature = SignatureReport<string>

const INTEGRITY: Record<Integrity, string> = {
  intact: 'intact: the signed bytes are unchanged',
  broken: 'broken: the file is not as it was signed',
  'not-checked': 'not checked: it uses something that Signet does not support',
}

const TRUST: Record<SignerTrust, string> = {
  trusted: 'trusted: a certification path leads to a trusted certificate',
  unknown: 'unknown: no certification path leads to a trusted certificate',
  revoked: 'revoked: its issuer revoked the certificate',
  expired: 'expired: the validity period of the certificate had ended',
}

const LEVEL: Record<BaselineLevel, string> = {
  'B-B': 'PAdES B-B: the signature alone',
  'B-T': 'PAdES B-T: with a time-stamp',
  'B-LT': 'PAdES B-LT: with a time-stamp and the validation data of its certificates',
  'B-LTA': 'PAdES B-LTA: with a time-stamp, validation data, and a document time-stamp over both',
}

const KIND: Record<SignatureReport['kind'], string> = { signature: 'Signature', 'document-timestamp': 'Document time-stamp' }

function formatTimestamp({ kind, time: { timestamp } }: Signature): string {
  if (timestamp === undefined) return kind === 'signature' ? 'none of its own' : 'none that can be read'
  const { at, authority, trusted } = timestamp
  return `${at} by ${toSafeText(authority)}, ${trusted ? 'a trusted authority' : 'an authority that is NOT trusted: only a claim'}`
}

function formatCoverage({ coversWholeFile, integrity }: Signature): string {
  if (coversWholeFile) return 'the whole file'
  return integrity === 'intact' ? 'its revision; the later changes are allowed' : 'NOT the whole file'
}

function formatSignature(signature: Signature, index: number): string[] {
  const { kind, indication, subIndication, level, time } = signature
  const claimed = time.claimedAt === undefined ? 'none' : `${time.claimedAt} (the signer’s own clock)`
  return [
    `${KIND[kind]} ${index + 1}${signature.field === '' ? '' : ` (field ${toSafeText(signature.field)})`}`,
    `  signed by    ${signature.signer === '' ? 'unknown' : toSafeText(signature.signer)}`,
    `  integrity    ${INTEGRITY[signature.integrity]}`,
    `  trust        ${TRUST[signature.trust]}`,
    `  indication   ${indication}${subIndication === undefined ? '' : ` / ${subIndication}`} (EN 319 102-1)`,
    ...(kind === 'signature'
      ? [`  level        ${level === undefined ? 'no PAdES baseline signature' : LEVEL[level]}`, `  claimed time ${claimed}`]
      : []),
    `  time-stamp   ${formatTimestamp(signature)}`,
    `  covers       ${formatCoverage(signature)}`,
    ...signature.reasons.map(reason => `  - ${toSafeText(reason)}`),
    ...signature.levelNotes.map(note => `  * ${toSafeText(note)}`),
  ]
}

function listSigners({ signatures }: Report): string {
  const names = signatures
    .filter(({ kind }) => kind === 'signature')
    .map(({ signer }) => (signer === '' ? 'unknown' : toSafeText(signer)))
  return [...new Set(names)].join(', ')
}

const hasUntrustedTimestamp = ({ time: { timestamp } }: Signature): boolean => timestamp?.trusted === false
const TRUST_TIME = 'To have its time-stamps count, give the certificates of their authorities with --trust-time FILE.'

/** The certificates to give for another verdict; a sentence. */
function suggestTrust({ signatures }: Report): string {
  const open = signatures.find(({ kind, trust }) => kind === 'signature' && trust !== 'trusted')
  if (open?.trust === 'unknown') return 'Give the certificate of the signer, or its root, with --trust FILE.'
  return signatures.some(hasUntrustedTimestamp) ? TRUST_TIME : ''
}

/** The name of the field that a seal of Signet fills; a number follows if the form had one. */
const SEAL_FIELD = /^Seal\d*$/

/** For those who hold a file that an instance of Signet sealed, and know no certificate. */
const WHERE_CERTIFICATES_ARE = [
  'If Signet sealed this file, the audit certificate at its end names the address of the service. Its certificates are',
  '  at that address, under /seal-certificate.pem;',
  '  in the evidence pack of the document, as seal.pem;',
  '  printed by: signet cert show --pem',
  'Take them only from where you know that it is the organisation: a forged file names the address of its forger.',
  'Save them as seal.pem, then run: signet verify FILE.pdf --trust seal.pem',
  'Beside the data folder of the service, signet verify FILE.pdf --data DIR needs no certificates.',
]

function whereCertificatesAre({ verdict, signatures }: Report): string[] {
  const isSeal = ({ kind, field, trust }: Signature) => kind === 'signature' && trust === 'unknown' && SEAL_FIELD.test(field)
  return verdict === 'signer-unknown' && signatures.some(isSeal) ? WHERE_CERTIFICATES_ARE : []
}

/** What an instance that was asked says about exactly these bytes. */
export interface InstanceRecord {
  /** Where its database is: its certificates were trusted. */
  source: string
  /** The organisation in the certificate of the instance that made an intact seal of the file. */
  sealer: string | undefined
  sealed: { completedAt: Date; documentId: string; people: { name: string; hasSigned: boolean; at: Date }[] } | undefined
}

const NOT_IN_RECORD = 'but its record lacks the file: a record is deleted when its retention period ends.'

function describeRecord({ source, sealer, sealed }: InstanceRecord): string[] {
  const whose = `RECORD of ${source}, whose certificates are trusted here:`
  if (!sealed && sealer !== undefined) return [`${whose} this instance sealed it for ${toSafeText(sealer)}, ${NOT_IN_RECORD}`]
  if (!sealed) return [`${whose} this instance has not sealed exactly this file.`]
  const { documentId, completedAt, people } = sealed
  return [
    `${whose} sealed as ${documentId}, completed ${completedAt.toISOString()}.`,
    ...people.map(
      ({ name, hasSigned, at }) => `  ${hasSigned ? 'signed' : 'approved'} by ${toSafeText(name)}, ${at.toISOString()}`,
    ),
  ]
}

/** Without its full stop. */
function firstReason({ reasons, signatures }: Report, filter: (signature: Signature) => boolean): string {
  const [first = 'see below'] = [...reasons, ...signatures.filter(filter).flatMap(signature => signature.reasons)]
  return toSafeText(first).replace(/\.$/, '')
}

const countChanges = ({ changes }: Report): string => counted(changes.length, 'change')

/** Control characters and line breaks in a value must not look like a line of the report. */
const quoted = (text: string | null): string => (text ? `"${toSafeText(text)}"` : 'empty')

/** Each change that a reader of the document can see, in one line. */
function formatChange({ kind, revision, name, before, after, page }: VisibleChange): string {
  const place = `${page === null ? 'no page' : `page ${page}`}, revision ${revision}`
  const title = toSafeText(name)
  switch (kind) {
    case 'field':
      return `! field "${title}": before ${quoted(before)}, now ${quoted(after)} (${place})`
    case 'comment':
      return `! comment ${title} (${place})`
    case 'signature':
      return `! visible signature "${title}" (${place})`
    case 'property':
      return `! document property ${title}: before ${quoted(before)}, now ${quoted(after)} (revision ${revision})`
  }
}

function formatVerdict(report: Report): string {
  const hasFailed = ({ indication }: Signature) => indication === 'TOTAL-FAILED'
  switch (report.verdict) {
    case 'valid':
      return `VALID: signed by ${listSigners(report)}, unchanged since.`
    case 'valid-changed':
      return `VALID WHEN SIGNED, THEN CHANGED AS ITS AUTHOR PERMITTED: ${countChanges(report)} since it was signed by ${listSigners(report)}.`
    case 'not-valid':
      return `NOT VALID: ${firstReason(report, hasFailed)}.`
    case 'signer-unknown': {
      const isOpen = ({ kind, trust }: Signature) => kind === 'signature' && trust !== 'trusted'
      const unchanged = report.changes.length === 0 ? 'UNCHANGED' : `CHANGED AS ITS AUTHOR PERMITTED (${countChanges(report)})`
      return `${unchanged}, SIGNER NOT KNOWN: ${firstReason(report, isOpen)}. ${suggestTrust(report)}`.trim()
    }
    case 'not-signed':
      return report.signatures.length === 0
        ? 'NOT SIGNED: nothing shows who made this file or that it is unchanged.'
        : 'NOT SIGNED: only time-stamped. Nothing shows who made this file.'
    case 'not-checked':
      return `NOT CHECKED: ${firstReason(report, isUnchecked)}.`
  }
}

/** Returns lines of text, each with a line break. `record`: of the instance that was asked. */
export function describeReport(report: WrittenReport, record?: InstanceRecord): string {
  if (report.verdict === 'unreadable') return `CANNOT BE READ: ${toSafeText(report.reason)}.\n`
  const lines = [
    formatVerdict(report),
    ...(record ? describeRecord(record) : []),
    ...whereCertificatesAre(report),
    `SHA-256 ${report.sha256}, ${report.bytes} bytes, ${counted(report.pageCount, 'page')}, ${counted(report.revisions, 'revision')}`,
    ...report.reasons.map(reason => `- ${toSafeText(reason)}`),
    ...report.changes.map(formatChange),
    ...report.additions.map(addition => `+ ${toSafeText(addition)}`),
    ...report.signatures.flatMap(formatSignature),
    ...(report.signatures.some(hasUntrustedTimestamp) ? [TRUST_TIME] : []),
  ]
  return `${lines.join('\n')}\n`
}
