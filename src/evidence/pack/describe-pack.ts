/** Formats the report on an evidence pack for a terminal: `+` passed, `-` failed, `*` not known. */
import { toSafeText } from '../../lib/safe-text.ts'
import { describeReport } from '../../verify/describe.ts'
import type { CheckOutcome, PackPerson, PackReport, UnreadablePack } from './report.ts'

const SIGN: Record<CheckOutcome, string> = { passed: '+', failed: '-', 'not-checked': '*', note: '*' }

/** Lines of text, each with a line break. */
export function describePack(report: PackReport | UnreadablePack): string {
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

function firstLine(report: PackReport): string {
  const of = `“${toSafeText(report.title)}” (${toSafeText(report.documentId)})`
  const problem = (outcome: CheckOutcome) => report.checks.find(check => check.outcome === outcome)?.text
  switch (report.verdict) {
    case 'valid':
      return `VALID: the evidence of ${of} is complete and unchanged.`
    case 'signer-unknown':
      return `UNCHANGED, SIGNER NOT KNOWN: the evidence of ${of} agrees, but the certificate of the seal is not known.`
    case 'not-checked':
      return `NOT CHECKED: ${toSafeText(problem('not-checked') ?? 'The seal could not be checked.')}`
    case 'not-valid':
      return `NOT VALID: ${toSafeText(problem('failed') ?? 'The seal is not valid: see below.')}`
  }
}

function describePerson(
  { name, email, hasSigned, at, entry, consentVersion, openedFromApp, ip }: PackPerson,
  { sealedEntry }: PackReport,
): string {
  const who = toSafeText(`${name ?? 'A person whose name was erased'}${email ? ` <${email}>` : ''}`)
  const how = [
    ...(consentVersion === undefined ? [] : [`consent ${consentVersion}`]),
    ...(openedFromApp ? ['opened from the web app by the signed-in person, not from a mailed link'] : []),
    ...(ip === undefined ? [] : [`from ${ip}`]),
    `entry ${entry}${sealedEntry !== undefined && entry <= sealedEntry.sequence ? ', which the seal covers' : ''}`,
  ]
  return `${who} ${hasSigned ? 'signed' : 'approved'} it at ${at} by the clock of the service (${toSafeText(how.join('; '))}).`
}

function trustLine({ trustedBy, sealCertificateSha256 }: PackReport): string {
  if (trustedBy === 'given') return 'The seal was verified with the certificates that you gave.'
  return [
    'The seal was verified with the certificate in the pack itself. Compare its fingerprint with one that you got from the',
    `organisation: SHA-256 ${sealCertificateSha256 ?? 'unknown'}. Or give its certificate with --trust FILE.`,
  ].join('\n')
}
