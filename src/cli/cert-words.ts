/** How the verbs of `signet cert` print a certificate. */
import type { SealCertificate } from '../settings/seal-certificate.ts'

const day = (at: Date): string => at.toISOString().slice(0, 10)

function stateOf({ isActive, revokedAt }: SealCertificate): string {
  if (isActive) return 'seals now'
  return revokedAt ? `revoked on ${day(revokedAt)}` : 'sealed before, kept for the documents it sealed'
}

/** A block of lines, `label  value`. */
export function certificateLines(certificate: SealCertificate): string {
  const { subject, issuer, serial, notBefore, notAfter, algorithm, sha256, source } = certificate
  const lines: [string, string][] = [
    ['Subject', subject],
    ['Issuer', issuer],
    ['Serial', serial],
    ['Valid', `${day(notBefore)} to ${day(notAfter)}`],
    ['Algorithm', algorithm],
    ['SHA-256', sha256],
    ['Source', source],
    ['State', stateOf(certificate)],
  ]
  return lines.map(([label, value]) => `${label.padEnd(11)}${value}`).join('\n')
}
