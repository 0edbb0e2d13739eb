/**
 * Reads and judges RFC 3161 time-stamp tokens: what was stamped, when, and by whom. RFC 3161 §2.3 and §2.4.2, RFC 5816.
 * A token vouches for a time only as far as its authority is trusted; that is told apart from whether it holds.
 */
import { digestOf, type Hash, hashError, readHash, schemeError } from '../pki/algorithm.ts'
import { readBerPrefix } from '../pki/ber.ts'
import { DerError, type DerNode, expectTag, readDer, readOid, TAG } from '../pki/der.ts'
import { CMS_OID } from '../pki/oid.ts'
import { keyError, keyUnsupported } from '../pki/public-key.ts'
import { pathFrom } from '../pki/trust.ts'
import { type Certificate, nameText } from '../pki/x509.ts'
import { findExtension } from '../pki/x509-extensions.ts'
import {
  findSigner,
  hasOnlySignerDigest,
  hasValidVersions,
  isSignedByKey,
  readAlgorithms,
  readAttributes,
  readSignedData,
  runCheck,
  type SignedData,
  signingCertificate,
} from './signed-data.ts'

const TST_INFO = '1.2.840.113549.1.9.16.1.4'
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const EXTENDED_KEY_USAGE = '2.5.29.37'

export interface TimestampToken {
  der: Uint8Array
  /** genTime, to the millisecond. */
  at: Date
  policy: string
  /** The INTEGER's contents, lower-case hex. */
  serial: string
  imprint: { algorithm: Hash; digest: Uint8Array }
  accuracyMs: number | undefined
  /** Lower-case hex. */
  nonce: string | undefined
  /** The authority's certificate, where the token brings it along. */
  signer: Certificate | undefined
  certificates: readonly Certificate[]
  /** The SignedData around TSTInfo. */
  cms: SignedData
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** GeneralizedTime with or without a fraction, which DER writes without trailing zeros (RFC 3161 §2.4.2). */
function readGenTime(node: DerNode | undefined, rules: 'DER' | 'BER'): Date {
  const { contents } = expectTag(node, TAG.generalizedTime, 'genTime')
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*))?Z$/.exec(new TextDecoder('latin1').decode(contents))
  const isDer = match?.[7] === undefined || /[1-9]$/.test(match[7])
  if (match === null || (rules === 'DER' && !isDer)) throw new DerError('genTime is not a time in DER')
  const [, year, month, day, hour, minute, second, fraction = ''] = match
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  if (Number.isNaN(at.getTime())) throw new DerError('genTime is not a time in DER')
  return at
}

const numberOf = (node: DerNode | undefined): number => (node === undefined ? 0 : Number.parseInt(hex(node.contents) || '0', 16))

function readAccuracy(node: DerNode | undefined): number | undefined {
  if (node === undefined) return undefined
  const part = (tag: number) => numberOf(node.children.find(child => child.tag === tag))
  return part(TAG.integer) * 1000 + part(0x80) + part(0x81) / 1000
}

function readImprint(node: DerNode | undefined): TimestampToken['imprint'] {
  const [algorithm, digest] = expectTag(node, TAG.sequence, 'messageImprint').children
  return {
    algorithm: readHash(algorithm, 'the hash of messageImprint'),
    digest: expectTag(digest, TAG.octetString, 'messageImprint').contents,
  }
}

/** One element and nothing after it. */
function readWhole(bytes: Uint8Array, rules: 'DER' | 'BER'): { node: DerNode; isDer: boolean } {
  if (rules === 'DER') return { node: readDer(bytes), isDer: true }
  const { node, end, isDer } = readBerPrefix(bytes)
  if (end !== bytes.length) throw new DerError('bytes follow the end of the token')
  return { node, isDer }
}

/** A token and nothing after it. Our own are strictly DER, those of other programs may be BER. @throws DerError, UnsupportedError */
export function readTimestampToken(bytes: Uint8Array, rules: 'DER' | 'BER' = 'DER'): TimestampToken {
  const cms = readSignedData(readWhole(bytes, rules), TST_INFO)
  if (cms.content === undefined) throw new DerError('the token holds no TSTInfo')
  if (rules === 'DER' && !hasValidVersions(cms)) throw new DerError('the version of SignedData or SignerInfo is a wrong one')
  if (rules === 'DER' && !hasOnlySignerDigest(cms))
    throw new DerError('digestAlgorithms is not the one digest algorithm of its signer')
  const info = expectTag(readWhole(cms.content, rules).node, TAG.sequence, 'TSTInfo')
  const [version, policy, imprint, serial, genTime, ...rest] = info.children
  if (numberOf(expectTag(version, TAG.integer, 'the version of TSTInfo')) !== 1)
    throw new DerError('the version of TSTInfo is not 1')
  const nonce = rest.find(node => node.tag === TAG.integer)
  return {
    der: bytes,
    at: readGenTime(genTime, rules),
    policy: readOid(policy, 'the policy'),
    serial: hex(expectTag(serial, TAG.integer, 'the serial number').contents),
    imprint: readImprint(imprint),
    accuracyMs: readAccuracy(rest.find(node => node.tag === TAG.sequence)),
    nonce: nonce && hex(nonce.contents),
    signer: findSigner(cms),
    certificates: cms.certificates,
    cms,
  }
}

export interface TokenVerificationRequest {
  token: TimestampToken
  /** Digest of what was stamped. */
  digestOf(hash: Hash): Uint8Array
  /** Certificates trusted as they are: roots, or authorities themselves. */
  trust: readonly Certificate[]
  /** Further certificates at hand. */
  companions: readonly Certificate[]
}

export interface TokenVerification {
  /** Against the token itself; sentences. */
  broken: string[]
  /** What in `broken` is a check that failed, as EN 319 102-1 §5.1.3 calls it; undefined where it is the form. */
  failure: 'HASH_FAILURE' | 'SIG_CRYPTO_FAILURE' | undefined
  /** What in it cannot be checked here; sentences. */
  unsupported: string[]
  /** Why its authority is not trusted; sentences. */
  reasons: string[]
  /** The token holds and its authority is trusted. */
  trusted: boolean
  /** The authority first, as far up as issuers are at hand. */
  path: Certificate[]
}

/** What the token signs is the TSTInfo that it holds. */
function checkAttributes(attributes: ReadonlyMap<string, DerNode>, content: Uint8Array): string[] {
  const broken: string[] = []
  const contentType = attributes.get(CMS_OID.contentType)
  if (contentType === undefined || readOid(contentType, 'content-type') !== TST_INFO)
    broken.push('The signed attribute content-type of the token is not id-ct-TSTInfo.')
  const digest = attributes.get(CMS_OID.messageDigest)
  if (digest === undefined || Buffer.compare(expectTag(digest, TAG.octetString, 'message-digest').contents, content) !== 0)
    broken.push('The token does not sign the TSTInfo it holds (message-digest).')
  return broken
}

/** RFC 5816 §2.2.1: signing-certificate-v2, or the older one with SHA-1, names the authority. */
function checkNaming(attributes: ReadonlyMap<string, DerNode>, signer: Certificate, judgement: TokenVerification): void {
  const { broken, reasons } = judgement
  const named = runCheck(judgement, 'The token is refused', () => signingCertificate(attributes, signer))
  if (named === 'other') broken.push('The token names another certificate than the one of its authority (signing-certificate).')
  if (named === 'missing') reasons.push('The token does not name the certificate of its authority (signing-certificate).')
}

function checkSignature({ cms }: TimestampToken, signer: Certificate, judgement: TokenVerification): void {
  const { broken, unsupported, reasons } = judgement
  const list = cms.signer.signedAttributes
  // RFC 5652 §5.3: content that is not id-data needs them.
  if (list === undefined) {
    broken.push('The token has no signed attributes.')
    return
  }
  const content = cms.content ?? new Uint8Array()
  const attributes = readAttributes(list)
  checkNaming(attributes, signer, judgement)
  const algorithms = runCheck(judgement, 'The token is refused', () => readAlgorithms(cms))
  const unknown = keyUnsupported(signer.publicKey)
  if (unknown !== undefined) unsupported.push(`The token cannot be checked: ${unknown}.`)
  if (algorithms === undefined) return
  broken.push(...checkAttributes(attributes, digestOf(algorithms.hash, content)))
  if (unknown !== undefined) return
  if (!isSignedByKey(cms, algorithms.scheme, signer, [content])) {
    broken.push('The signature of the token does not verify with the key of its authority.')
    judgement.failure ??= 'SIG_CRYPTO_FAILURE'
  }
  const weak = hashError(algorithms.hash) ?? schemeError(algorithms.scheme) ?? keyError(signer.publicKey)
  if (weak !== undefined) reasons.push(`The token is not accepted: ${weak}.`)
}

/** RFC 3161 §2.3: the one purpose, and critical; RFC 5280 §4.2.1.12: a key usage beside it has to agree with it. */
function purposeReasons(signer: Certificate): string[] {
  const reasons: string[] = []
  const isOnly = signer.extendedKeyUsage?.length === 1 && signer.extendedKeyUsage[0] === TIME_STAMPING
  if (!isOnly || !findExtension(signer, EXTENDED_KEY_USAGE)?.critical)
    reasons.push('The extended key usage of the time-stamp authority is not timeStamping alone and critical (RFC 3161 §2.3).')
  const { keyUsage } = signer
  if (keyUsage !== undefined && !keyUsage.includes('digitalSignature') && !keyUsage.includes('nonRepudiation'))
    reasons.push('The key usage of the time-stamp authority allows neither digitalSignature nor nonRepudiation.')
  return reasons
}

function pathReasons(path: readonly Certificate[], at: Date): string[] {
  return path.flatMap((certificate, depth) => {
    const name = nameText(certificate.subject)
    const reasons = certificate.unknownCritical.map(
      id => `The certificate ${name} has a critical extension that is not understood (${id}).`,
    )
    if (at < certificate.notBefore || at > certificate.notAfter)
      reasons.push(`The certificate ${name} was not valid at the time of the token, ${at.toISOString()}.`)
    const weak = keyError(certificate.publicKey)
    if (weak !== undefined) reasons.push(`The key of ${name} is not accepted: ${weak}.`)
    const mayIssue = certificate.isAuthority && (certificate.keyUsage?.includes('keyCertSign') ?? true)
    if (depth > 0 && !mayIssue)
      reasons.push(`The certificate ${name} is no certification authority that may issue (basicConstraints, keyCertSign).`)
    if (certificate.pathLength !== undefined && depth - 1 > certificate.pathLength)
      reasons.push(`The path below ${name} is longer than it allows.`)
    return reasons
  })
}

/** @throws DerError when a part of the token is not what its place asks for */
export function verifyTimestampToken({
  token,
  digestOf: imprintOf,
  trust,
  companions,
}: TokenVerificationRequest): TokenVerification {
  const judgement: TokenVerification = {
    broken: [],
    failure: undefined,
    unsupported: [],
    reasons: [],
    trusted: false,
    path: [],
  }
  const { broken, unsupported, reasons } = judgement
  if (Buffer.compare(token.imprint.digest, imprintOf(token.imprint.algorithm)) !== 0) {
    broken.push('The token stands for other bytes than these (messageImprint).')
    judgement.failure = 'HASH_FAILURE'
  }
  const weak = hashError(token.imprint.algorithm)
  if (weak !== undefined) reasons.push(`The imprint of the token is not accepted: ${weak}.`)
  // Where the token brings no certificate along, those at hand are tried.
  const signer = findSigner(token.cms, [...companions, ...trust])
  if (signer === undefined) {
    unsupported.push('The certificate of the time-stamp authority is not at hand.')
    return judgement
  }
  checkSignature(token, signer, judgement)
  reasons.push(...purposeReasons(signer))
  const path = pathFrom(signer, [...trust, ...token.certificates, ...companions])
  const anchor = path.findIndex(certificate => trust.some(one => Buffer.compare(one.der, certificate.der) === 0))
  reasons.push(...pathReasons(anchor === -1 ? path.slice(0, 1) : path.slice(0, anchor + 1), token.at))
  if (anchor === -1)
    reasons.unshift(
      `The time-stamp authority is not trusted: no path leads from ${nameText(signer.subject)} to a trusted certificate.`,
    )
  return { ...judgement, trusted: broken.length + unsupported.length + reasons.length === 0, path }
}
