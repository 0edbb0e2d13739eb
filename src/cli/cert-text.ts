/** A seal certificate as the verbs of `signet cert` print it, as text and as JSON. */
import { keyTypeText } from '../pki/key.ts'
import type { SealCertificate } from '../settings/seal-certificate.ts'

/** Scripts read these member names, so they do not follow changes of the type. */
export const certificateJson = ({ isActive, chain, ...rest }: SealCertificate) => ({ ...rest, active: isActive, chainPem: chain })

const day = (at: Date): string => at.toISOString().slice(0, 10)

function stateOf({ isActive, revokedAt }: SealCertificate): string {
  if (isActive) return 'active'
  return revokedAt ? `revoked on ${day(revokedAt)}` : 'former, kept for the documents it sealed'
}

export function certificateLines(certificate: SealCertificate): string {
  const { subject, issuer, serial, notBefore, notAfter, algorithm, sha256, source } = certificate
  const lines: [string, string][] = [
    ['Subject', subject],
    ['Issuer', issuer],
    ['Serial', serial],
    ['Valid', `${day(notBefore)} to ${day(notAfter)}`],
    ['Algorithm', keyTypeText(algorithm)],
    ['SHA-256', sha256],
    ['Source', source],
    ['State', stateOf(certificate)],
  ]
  return lines.map(([label, value]) => `${label.padEnd(11)}${value}`).join('\n')
}
