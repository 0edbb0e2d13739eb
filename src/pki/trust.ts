/**
 * Where a signature comes from: the certification path from a signing certificate up to one that is trusted. RFC 5280 §6, without revocation,
 * which `levels.ts` judges. Judges origin alone; whether the document is intact is not asked here.
 */

import { type Finding, newFailure, newTrustFinding } from './finding.ts'
import { keyError } from './public-key.ts'
import { isSignatureBy } from './signature-value.ts'
import { type Certificate, nameText } from './x509.ts'

export interface Origin {
  /** What speaks against trusting the signer; empty when the signer is trusted. */
  findings: Finding[]
  /** The signer first, then issuers as far as they are at hand. */
  path: readonly Certificate[]
  /** Certificates of the CMS that are not part of the path, which a seal of our own form must not hold; sentences. */
  unverified: string[]
}

export interface OriginRequest {
  signer: Certificate
  /** The other certificates the signature came with. */
  companions: readonly Certificate[]
  /** Certificates that are trusted as they are: roots, or a signing certificate itself. */
  trust: readonly Certificate[]
  /** The earliest time at which a trusted time-stamp authority has seen the signature. */
  provenAt: Date | undefined
  /** The time the signer claims. */
  claimedAt: Date | undefined
  /** The time of validation. */
  now: Date
  /** Certificates at hand beside those the signature came with, such as those of the security store. */
  known?: readonly Certificate[]
}

const MAX_PATH = 8

/** Extended key usages under which a document may be signed; TLS or code signing alone is not one of them. */
const SIGNING_PURPOSES = new Set([
  '2.5.29.37.0', // any
  '1.3.6.1.5.5.7.3.36', // documentSigning, RFC 9336
  '1.3.6.1.5.5.7.3.4', // emailProtection
  '1.2.840.113583.1.1.5', // Adobe authentic documents
  '1.3.6.1.4.1.311.10.3.12', // Microsoft document signing
])

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** True when the issuer's key made the certificate's signature, by algorithms that are accepted. */
export function isSignedBy(certificate: Certificate, issuer: Certificate): boolean {
  return isSignatureBy(issuer.publicKey, certificate.signatureAlgorithm, certificate.tbs, certificate.signature)
}

/** The path upwards as far as issuers are at hand, each link's signature checked. The last one is self-issued or its issuer is unknown. */
export function pathFrom(signer: Certificate, known: readonly Certificate[]): Certificate[] {
  const path = [signer]
  for (let last = signer; path.length < MAX_PATH && !same(last.subject, last.issuer); ) {
    const issuer = known.find(
      candidate => same(candidate.subject, last.issuer) && !path.includes(candidate) && isSignedBy(last, candidate),
    )
    if (issuer === undefined) break
    path.push(issuer)
    last = issuer
  }
  return path
}

/** The times at which a certificate must be valid. */
type Times = Pick<OriginRequest, 'provenAt' | 'claimedAt' | 'now'>

/**
 * EN 319 102-1 §5.2.6 and §5.5.4: valid at the proven time, or else now. A claimed time proves nothing, but it must not contradict the certificate.
 */
function findValidityProblem({ notBefore, notAfter, subject }: Certificate, times: Times): Finding | undefined {
  const { provenAt, claimedAt, now } = times
  const name = nameText(subject)
  if (provenAt !== undefined) {
    if (provenAt < notBefore)
      return newFailure('NOT_YET_VALID', `The certificate ${name} was not yet valid at the time-stamped time of signing.`)
    return provenAt > notAfter
      ? newTrustFinding(
          'OUT_OF_BOUNDS_NO_POE',
          `The certificate ${name} had expired at the time-stamped time of signing.`,
          'expired',
        )
      : undefined
  }
  if (claimedAt !== undefined && claimedAt < notBefore)
    return newTrustFinding('OUT_OF_BOUNDS_NO_POE', `The certificate ${name} was not yet valid at the claimed time of signing.`)
  if (claimedAt !== undefined && claimedAt > notAfter)
    return newTrustFinding(
      'OUT_OF_BOUNDS_NO_POE',
      `The certificate ${name} had expired at the claimed time of signing.`,
      'expired',
    )
  if (now <= notAfter) return undefined
  const words = `The certificate ${name} expired on ${notAfter.toISOString()}`
  return newTrustFinding(
    'OUT_OF_BOUNDS_NO_POE',
    `${words}, and no trusted time-stamp shows that the signature was made before.`,
    'expired',
  )
}

/** RFC 5280 §6.1.4: what an issuer at `depth` above the signer must be allowed; sentences. */
function issuerReasons(issuer: Certificate, depth: number): string[] {
  const reasons: string[] = []
  const name = nameText(issuer.subject)
  if (!issuer.isAuthority)
    reasons.push(`The certificate ${name} issued another one, but is no certification authority (basicConstraints).`)
  if (issuer.keyUsage !== undefined && !issuer.keyUsage.includes('keyCertSign')) {
    reasons.push(`The key usage of ${name} does not allow signing certificates (keyCertSign).`)
  }
  if (issuer.pathLength !== undefined && depth - 1 > issuer.pathLength)
    reasons.push(`The path below ${name} is longer than it allows.`)
  return reasons
}

function signerReasons({ keyUsage, extendedKeyUsage }: Certificate): string[] {
  const reasons: string[] = []
  if (keyUsage !== undefined && !keyUsage.includes('digitalSignature') && !keyUsage.includes('nonRepudiation')) {
    reasons.push('The key usage of the signing certificate allows neither digitalSignature nor nonRepudiation.')
  }
  if (extendedKeyUsage !== undefined && !extendedKeyUsage.some(use => SIGNING_PURPOSES.has(use))) {
    reasons.push('The extended key usage of the signing certificate does not allow signing documents.')
  }
  return reasons
}

function checkCertificate(certificate: Certificate, times: Times): Finding[] {
  const name = nameText(certificate.subject)
  const findings = certificate.unknownCritical.map(id =>
    newTrustFinding(
      'CERTIFICATE_CHAIN_GENERAL_FAILURE',
      `The certificate ${name} has a critical extension that is not understood (${id}).`,
    ),
  )
  const validity = findValidityProblem(certificate, times)
  if (validity !== undefined) findings.push(validity)
  const weak = keyError(certificate.publicKey)
  if (weak !== undefined)
    findings.push(newTrustFinding('CERTIFICATE_CHAIN_GENERAL_FAILURE', `The key of ${name} is not accepted: ${weak}.`))
  return findings
}

/** Every certificate that came along must belong to the path: unsigned bytes that nobody checks have no place in a seal. */
function unverifiedCompanions(companions: readonly Certificate[], path: readonly Certificate[]): string[] {
  const reasons: string[] = []
  for (const companion of companions) {
    if (!path.some(certificate => same(certificate.der, companion.der))) {
      reasons.push(`The CMS holds a certificate that is not part of the verified path (${nameText(companion.subject)}).`)
    }
  }
  const top = path.at(-1)
  if (top !== undefined && same(top.subject, top.issuer) && !isSignedBy(top, top)) {
    reasons.push(`The self-issued certificate ${nameText(top.subject)} does not carry its own signature.`)
  }
  return reasons
}

/** The signer is trusted when there is no finding. */
export function verifyOrigin(question: OriginRequest): Origin {
  const { signer, companions, trust, known = [] } = question
  const path = pathFrom(signer, [...trust, ...companions, ...known])
  const anchor = path.findIndex(certificate => trust.some(trusted => same(trusted.der, certificate.der)))
  const findings: Finding[] = []
  if (anchor === -1) {
    const words = `no path leads from ${nameText(signer.subject)} to a trusted certificate`
    findings.push(newTrustFinding('NO_CERTIFICATE_CHAIN_FOUND', `The signer is not known: ${words}.`))
  }
  const constraints = signerReasons(signer)
  path.slice(0, Math.max(anchor, 0) + 1).forEach((certificate, depth) => {
    findings.push(...checkCertificate(certificate, question))
    if (depth > 0) constraints.push(...issuerReasons(certificate, depth))
  })
  findings.push(...constraints.map(text => newTrustFinding('CHAIN_CONSTRAINTS_FAILURE', text)))
  return { findings, path, unverified: unverifiedCompanions(companions, path) }
}
