/** The report on an evidence pack: a verdict, the people, and everything that was checked. */
import { toSafeText } from '../../lib/safe-text.ts'
import { englishOfRemark, type Remark, remark } from '../../locales/remarks.ts'
import { describeReport } from '../../verify/describe.ts'
import { type UnreadableReport, type VerificationReport, type WrittenReport, writeReport } from '../../verify/report.ts'
import type { VerifiedDeviceKey } from '../device-key.ts'

/** As those of `signet verify`, for the pack as a whole. */
export type PackVerdict = 'valid' | 'not-valid' | 'unreadable' | 'signer-unknown' | 'not-checked'

/** Exit codes of `signet evidence verify`. Misuse of the command is 2 as well. */
export const PACK_EXIT_CODES: Readonly<Record<PackVerdict, number>> = {
  valid: 0,
  'not-valid': 1,
  unreadable: 2,
  'signer-unknown': 4,
  'not-checked': 6,
}

/** `note`: what nothing in the pack can show. It does not affect the verdict. */
export type CheckOutcome = 'passed' | 'failed' | 'not-checked' | 'note'

export interface PackCheck {
  outcome: CheckOutcome
  /** A sentence. */
  remark: Remark
}

/** As the command line shows it: in English, and as the code that other programs read. */
export type WrittenPackCheck = { outcome: CheckOutcome; text: string } & Remark

/** Who signed or approved, as the log says. */
export interface PackPerson {
  recipientId: string
  /** Undefined if the personal data was erased. */
  name: string | undefined
  email: string | undefined
  hasSigned: boolean
  /** RFC 3339, UTC. */
  at: string
  /** Number of the entry. */
  entry: number
  consentVersion: string | undefined
  /** Who was signed in to the web app opened the document there, not from a mailed link. */
  openedFromApp: boolean
  ip: string | undefined
  /** The signature of the person's own device, if there is one and it is right. */
  deviceKey: VerifiedDeviceKey | undefined
}

export interface PackReport<Seal = VerificationReport | UnreadableReport, Check = PackCheck> {
  verdict: Exclude<PackVerdict, 'unreadable'>
  documentId: string
  title: string
  people: PackPerson[]
  /** Where the certificates come from by which the seal was verified. */
  trustedBy: 'given' | 'pack'
  /** Of the certificate that sealed, as the log names it: hex SHA-256. */
  sealCertificateSha256: string | undefined
  seal: Seal
  /** The newest entry that the seal covers. */
  sealedEntry: { sequence: number; hash: string; page: number } | undefined
  checks: Check[]
}

/** `reason`: a clause that says why the pack cannot be read. */
export interface UnreadablePack {
  verdict: 'unreadable'
  reason: Remark
}

export type WrittenPackReport = PackReport<WrittenReport, WrittenPackCheck> | ({ verdict: 'unreadable'; reason: string } & Remark)

export function writePackReport(report: PackReport | UnreadablePack): WrittenPackReport {
  if (report.verdict === 'unreadable') return { ...report, reason: englishOfRemark(report.reason), ...report.reason }
  const checks = report.checks.map(({ outcome, remark }) => ({ outcome, text: englishOfRemark(remark), ...remark }))
  return { ...report, seal: writeReport(report.seal), checks }
}

export interface VerifyPackRequest {
  path: string
  /** Certificates of the organisation, PEM. Empty: those in the pack. */
  trust: string[]
  /** Besides those in the pack. */
  timestampTrust: string[]
  /** The validation time, RFC 3339. Default: now. */
  now?: string
}

// Formats the report on an evidence pack for a terminal: `+` passed, `-` failed, `*` not known.

type ReadPack = Exclude<WrittenPackReport, { verdict: 'unreadable' }>

const SIGN: Record<CheckOutcome, string> = { passed: '+', failed: '-', 'not-checked': '*', note: '*' }

/** Lines of text, each with a line break. */
export function describePack(report: WrittenPackReport): string {
  if (report.verdict === 'unreadable') return `CANNOT BE READ: ${toSafeText(report.reason)}.\n`
  const lines = [
    firstLine(report),
    // Nothing is said of people whom a false pack names.
    ...(report.verdict === 'not-valid' ? [] : report.people.map(person => describePerson(person, report))),
    trustLine(report),
    '',
    'What was checked:',
    ...report.checks.map(({ outcome, text }) => `${SIGN[outcome]} ${toSafeText(text)}`),
    '',
    'sealed.pdf:',
  ]
  return `${lines.join('\n')}\n${describeReport(report.seal)}`
}

function firstLine(report: ReadPack): string {
  const of = `“${toSafeText(report.title)}” (${toSafeText(report.documentId)})`
  const problem = (outcome: CheckOutcome) => report.checks.find(check => check.outcome === outcome)?.text
  switch (report.verdict) {
    case 'valid':
      return `VALID: the evidence of ${of} is complete and unchanged.`
    case 'signer-unknown':
      return `UNCHANGED, SIGNER NOT KNOWN: the evidence of ${of} agrees, but the certificate of the seal is not known.`
    case 'not-checked':
      return `NOT CHECKED: ${toSafeText(problem('not-checked') ?? englishOfRemark(remark('seal_unchecked')))}`
    case 'not-valid':
      return `NOT VALID: ${toSafeText(problem('failed') ?? englishOfRemark(remark('seal_not_valid')))}`
  }
}

function describePerson(
  { name, email, hasSigned, at, entry, consentVersion, openedFromApp, ip, deviceKey }: PackPerson,
  { sealedEntry }: ReadPack,
): string {
  const who = toSafeText(`${name ?? 'A person whose name was erased'}${email ? ` <${email}>` : ''}`)
  const how = [
    ...(consentVersion === undefined ? [] : [`consent ${consentVersion}`]),
    ...(openedFromApp ? ['opened from the web app by the signed-in person, not from a mailed link'] : []),
    ...(ip === undefined ? [] : [`from ${ip}`]),
    ...(deviceKey === undefined ? [] : [deviceKeyText(deviceKey)]),
    `entry ${entry}${sealedEntry !== undefined && entry <= sealedEntry.sequence ? ', which the seal covers' : ''}`,
  ]
  return `${who} ${hasSigned ? 'signed' : 'approved'} it at ${at} by the clock of the service (${toSafeText(how.join('; '))}).`
}

const deviceKeyText = ({ sha256, isUserVerified }: VerifiedDeviceKey): string =>
  `in addition with a key of their own device, SHA-256 ${sha256}, ${isUserVerified ? 'after a finger, a face or a PIN' : 'whose user it did not verify'}`

function trustLine({ trustedBy, sealCertificateSha256 }: ReadPack): string {
  if (trustedBy === 'given') return 'The seal was verified with the certificates that you gave.'
  return [
    'The seal was verified with the certificate in the pack itself. Compare its fingerprint with one that you got from the',
    `organisation: SHA-256 ${sealCertificateSha256 ?? 'unknown'}. Or give its certificate with --trust FILE.`,
  ].join('\n')
}
