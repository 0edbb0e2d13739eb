/**
 * Where a signature comes from: the certification path from a signing certificate up to one that is trusted. RFC 5280 §6, without revocation,
 * which `levels.ts` judges. Judges origin alone; whether the document is intact is not asked here.
 */
import { keyFault, SIGNATURES, verifySignature } from './algorithm.ts'
import { type Certificate, nameText } from './certificate.ts'

export interface Origin {
  trusted: boolean
  reasons: string[]
  /** The signer first, then issuers as far as they are at hand. */
  path: readonly Certificate[]
}

export interface OriginQuestion {
  signer: Certificate
  /** The other certificates the signature came with. */
  companions: readonly Certificate[]
  /** Certificates that are trusted as they are: roots, or a signing certificate itself. */
  trust: readonly Certificate[]
  /** The time at which the path is judged; without it validity cannot be. */
  at: Date | undefined
  /** Who says so: the signer, or a trusted time-stamp authority. */
  timeIs: 'claimed' | 'time-stamped'
  /** Certificates at hand beside those the signature came with, such as those of the security store. */
  known?: readonly Certificate[]
  /** Every companion must belong to the path, as in a seal of our own form. */
  strict: boolean
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
  const algorithm = SIGNATURES[certificate.signatureAlgorithm]
  if (algorithm?.hash === undefined || keyFault(issuer.publicKey) !== undefined) return false
  return verifySignature(algorithm.key, algorithm.hash, issuer.publicKey, certificate.tbs, certificate.signature)
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

/** A time and who vouches for it. */
type Moment = Pick<OriginQuestion, 'at' | 'timeIs'>

function validityReason({ notBefore, notAfter, subject }: Certificate, { at, timeIs }: Moment): string | undefined {
  if (at !== undefined && at < notBefore)
    return `The certificate ${nameText(subject)} was not yet valid at the ${timeIs} time of signing.`
  if (at !== undefined && at > notAfter)
    return `The certificate ${nameText(subject)} had expired at the ${timeIs} time of signing.`
  return undefined
}

/** RFC 5280 §6.1.4: what an issuer at `depth` above the signer must be allowed. */
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

function signerReasons(signer: Certificate): string[] {
  const reasons: string[] = []
  const { keyUsage, extendedKeyUsage } = signer
  if (keyUsage !== undefined && !keyUsage.includes('digitalSignature') && !keyUsage.includes('nonRepudiation')) {
    reasons.push('The key usage of the signing certificate allows neither digitalSignature nor nonRepudiation.')
  }
  if (extendedKeyUsage !== undefined && !extendedKeyUsage.some(use => SIGNING_PURPOSES.has(use))) {
    reasons.push('The extended key usage of the signing certificate does not allow signing documents.')
  }
  return reasons
}

function certificateReasons(certificate: Certificate, moment: Moment): string[] {
  const reasons = certificate.unknownCritical.map(
    id => `The certificate ${nameText(certificate.subject)} has a critical extension that is not understood (${id}).`,
  )
  const validity = validityReason(certificate, moment)
  if (validity !== undefined) reasons.push(validity)
  const weak = keyFault(certificate.publicKey)
  if (weak !== undefined) reasons.push(`The key of ${nameText(certificate.subject)} is not accepted: ${weak}.`)
  return reasons
}

/** Every certificate that came along must belong to the path: unsigned bytes that nobody checks have no place in a seal. */
function companionReasons(companions: readonly Certificate[], path: readonly Certificate[]): string[] {
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

/** Judges the origin. Not trusted whenever there is a reason against it. */
export function judgeOrigin(question: OriginQuestion): Origin {
  const { signer, companions, trust, at, known = [], strict } = question
  const path = pathFrom(signer, [...trust, ...companions, ...known])
  const anchor = path.findIndex(certificate => trust.some(trusted => same(trusted.der, certificate.der)))
  const reasons = signerReasons(signer)
  if (at === undefined) reasons.push('The signature claims no time (/M), so the validity of its certificate cannot be judged.')
  if (anchor === -1) {
    reasons.push(...certificateReasons(signer, question))
    reasons.unshift(`The origin is not trusted: no path leads from ${nameText(signer.subject)} to a trusted certificate.`)
    return { trusted: false, reasons, path }
  }
  path.slice(0, anchor + 1).forEach((certificate, depth) => {
    reasons.push(...certificateReasons(certificate, question))
    if (depth > 0) reasons.push(...issuerReasons(certificate, depth))
  })
  if (strict) reasons.push(...companionReasons(companions, path))
  return { trusted: reasons.length === 0, reasons, path }
}
