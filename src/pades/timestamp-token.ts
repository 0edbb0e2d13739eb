/** Reads and verifies time-stamp tokens. RFC 3161 §2.3, §2.4.2, RFC 5816. */
import { equalBytes, toHex } from '../lib/bytes.ts'
import { MINUTE_MS } from '../lib/duration.ts'
import { type Remark, remark } from '../locales/remarks.ts'
import { digestOf, type Hash, hashError, readHash, schemeError } from '../pki/algorithm.ts'
import { readBerPrefix } from '../pki/ber.ts'
import { DerError, type DerNode, expectTag, readDer, readOid, TAG } from '../pki/der.ts'
import { CMS_OID, OID } from '../pki/oid.ts'
import { keyError, keyUnsupported } from '../pki/public-key.ts'
import { allowsSigning, constraintReasons, issuerReasons, pathFrom } from '../pki/trust.ts'
import { type Certificate, findExtension, nameText } from '../pki/x509.ts'
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

export interface TimestampToken {
  der: Uint8Array
  /** genTime, to the millisecond. */
  at: Date
  policy: string
  /** Contents of the INTEGER, lower-case hex. */
  serial: string
  imprint: { algorithm: Hash; digest: Uint8Array }
  accuracyMs: number | undefined
  /** Lower-case hex. */
  nonce: string | undefined
  /** The authority's certificate, if the token contains it. */
  signer: Certificate | undefined
  certificates: readonly Certificate[]
  /** The SignedData around TSTInfo. */
  cms: SignedData
}

/** GeneralizedTime. In DER, a fraction has no trailing zeros (RFC 3161 §2.4.2). */
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

const numberOf = (node: DerNode | undefined): number =>
  node === undefined ? 0 : Number.parseInt(toHex(node.contents) || '0', 16)

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

function readWhole(bytes: Uint8Array, rules: 'DER' | 'BER'): { node: DerNode; isDer: boolean } {
  if (rules === 'DER') return { node: readDer(bytes), isDer: true }
  const { node, end, isDer } = readBerPrefix(bytes)
  if (end !== bytes.length) throw new DerError('bytes follow the end of the token')
  return { node, isDer }
}

/** Reads a token. Tokens in other products' files may be BER. @throws DerError, UnsupportedError */
export function readTimestampToken(bytes: Uint8Array, rules: 'DER' | 'BER' = 'DER'): TimestampToken {
  const cms = readSignedData(readWhole(bytes, rules), CMS_OID.tstInfo)
  if (cms.content === undefined) throw new DerError('the token holds no TSTInfo')
  if (rules === 'DER' && !hasValidVersions(cms)) throw new DerError('the version of SignedData or SignerInfo is wrong')
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
    serial: toHex(expectTag(serial, TAG.integer, 'the serial number').contents),
    imprint: readImprint(imprint),
    accuracyMs: readAccuracy(rest.find(node => node.tag === TAG.sequence)),
    nonce: nonce && toHex(nonce.contents),
    signer: findSigner(cms),
    certificates: cms.certificates,
    cms,
  }
}

export interface TokenVerificationRequest {
  token: TimestampToken
  /** Digest of the time-stamped bytes. */
  digestOf(hash: Hash): Uint8Array
  /** Roots, or certificates of authorities that are trusted themselves. */
  trust: readonly Certificate[]
  companions: readonly Certificate[]
}

export interface TokenVerification {
  /** Why the token is not intact; sentences. */
  broken: Remark[]
  /** The failed check in `broken` (EN 319 102-1 §5.1.3); undefined if only the format is wrong. */
  failure: 'HASH_FAILURE' | 'SIG_CRYPTO_FAILURE' | undefined
  /** Parts that cannot be checked; sentences. */
  unsupported: Remark[]
  /** Why its authority is not trusted; sentences. */
  reasons: Remark[]
  /** The token is intact and its authority is trusted. */
  trusted: boolean
  /** The authority first, then the known issuers. */
  path: Certificate[]
  /** The part of the path up to the trusted certificate; of an unknown authority its own alone. */
  validated: Certificate[]
}

/** How far a token may be ahead of the clock. One beyond it proves no time. */
export const MAX_AHEAD_MS = 5 * MINUTE_MS

function checkAttributes(attributes: ReadonlyMap<string, DerNode>, content: Uint8Array): Remark[] {
  const broken: Remark[] = []
  const contentType = attributes.get(CMS_OID.contentType)
  if (contentType === undefined || readOid(contentType, 'content-type') !== CMS_OID.tstInfo)
    broken.push(remark('token_content_type'))
  const digest = attributes.get(CMS_OID.messageDigest)
  if (digest === undefined || !equalBytes(expectTag(digest, TAG.octetString, 'message-digest').contents, content))
    broken.push(remark('token_content_unsigned'))
  return broken
}

/** RFC 5816 §2.2.1: signing-certificate-v2 or signing-certificate names the authority. */
function checkNaming(attributes: ReadonlyMap<string, DerNode>, signer: Certificate, result: TokenVerification): void {
  const { broken, reasons } = result
  const named = runCheck(result, 'token_refused', () => signingCertificate(attributes, signer))
  if (named === 'other') broken.push(remark('token_names_other'))
  if (named === 'missing') reasons.push(remark('token_names_none'))
}

function checkSignature({ cms }: TimestampToken, signer: Certificate, result: TokenVerification): void {
  const { broken, unsupported, reasons } = result
  const list = cms.signer.signedAttributes
  // RFC 5652 §5.3: required for content other than id-data.
  if (list === undefined) {
    broken.push(remark('token_without_attributes'))
    return
  }
  const content = cms.content ?? new Uint8Array()
  const attributes = readAttributes(list)
  checkNaming(attributes, signer, result)
  const algorithms = runCheck(result, 'token_refused', () => readAlgorithms(cms))
  const unknown = keyUnsupported(signer.publicKey)
  if (unknown !== undefined) unsupported.push(remark('token_unchecked', { why: unknown }))
  if (algorithms === undefined) return
  broken.push(...checkAttributes(attributes, digestOf(algorithms.hash, content)))
  if (unknown !== undefined) return
  if (!isSignedByKey(cms, algorithms.scheme, signer, [content])) {
    broken.push(remark('token_signature_wrong'))
    result.failure ??= 'SIG_CRYPTO_FAILURE'
  }
  const weak = hashError(algorithms.hash) ?? schemeError(algorithms.scheme) ?? keyError(signer.publicKey)
  if (weak !== undefined) reasons.push(remark('token_not_accepted', { why: weak }))
}

/** RFC 3161 §2.3; the key usage must agree (RFC 5280 §4.2.1.12). */
function purposeReasons(signer: Certificate): Remark[] {
  const reasons: Remark[] = []
  const isOnly = signer.extendedKeyUsage?.length === 1 && signer.extendedKeyUsage[0] === OID.timeStamping
  if (!isOnly || !findExtension(signer, OID.extendedKeyUsage)?.critical) reasons.push(remark('authority_purpose'))
  if (!allowsSigning(signer)) reasons.push(remark('authority_key_usage'))
  return reasons
}

function pathReasons(path: readonly Certificate[], at: Date): Remark[] {
  return path.flatMap((certificate, depth) => {
    const name = nameText(certificate.subject)
    const reasons = certificate.unknownCritical.map(id => remark('extension_unknown', { name, id }))
    if (at < certificate.notBefore || at > certificate.notAfter)
      reasons.push(remark('token_certificate_invalid', { name, at: at.toISOString() }))
    const weak = keyError(certificate.publicKey)
    if (weak !== undefined) reasons.push(remark('key_refused', { name, why: weak }))
    return depth === 0 ? reasons : [...reasons, ...issuerReasons(certificate, depth)]
  })
}

/** @throws DerError */
export function verifyTimestampToken({
  token,
  digestOf: imprintOf,
  trust,
  companions,
}: TokenVerificationRequest): TokenVerification {
  const result: TokenVerification = {
    broken: [],
    failure: undefined,
    unsupported: [],
    reasons: [],
    trusted: false,
    path: [],
    validated: [],
  }
  const { broken, unsupported, reasons } = result
  if (!equalBytes(token.imprint.digest, imprintOf(token.imprint.algorithm))) {
    broken.push(remark('token_of_other_bytes'))
    result.failure = 'HASH_FAILURE'
  }
  const weak = hashError(token.imprint.algorithm)
  if (weak !== undefined) reasons.push(remark('token_imprint_refused', { why: weak }))
  // The token need not contain the authority's certificate.
  const signer = findSigner(token.cms, [...companions, ...trust])
  if (signer === undefined) {
    unsupported.push(remark('authority_certificate_missing'))
    return result
  }
  checkSignature(token, signer, result)
  reasons.push(...purposeReasons(signer))
  const path = pathFrom(signer, [...trust, ...token.certificates, ...companions])
  const anchor = path.findIndex(certificate => trust.some(one => equalBytes(one.der, certificate.der)))
  const validated = path.slice(0, Math.max(anchor, 0) + 1)
  reasons.push(...pathReasons(validated, token.at), ...constraintReasons(validated))
  if (anchor === -1) reasons.unshift(remark('authority_untrusted', { name: nameText(signer.subject) }))
  return { ...result, trusted: broken.length + unsupported.length + reasons.length === 0, path, validated }
}
