/**
 * Reads and judges RFC 3161 time-stamp tokens: what was stamped, when, and by whom. RFC 3161 §2.3 and §2.4.2, RFC 5816.
 * A token vouches for a time only as far as its authority is trusted; that is told apart from whether it holds.
 */
import { createHash } from 'node:crypto'
import { HASHES, type Hash, keyFault, verifySignature } from './algorithm.ts'
import { type Certificate, nameText } from './certificate.ts'
import { extensionOf } from './certificate-extensions.ts'
import { CMS_OID } from './cms.ts'
import { DerError, type DerNode, der, expectTag, readDer, readOid, TAG } from './der.ts'
import {
  findSigner,
  readAlgorithms,
  readAttributes,
  readSignedData,
  type SignedData,
  signingCertificateFault,
} from './signed-data.ts'
import { pathFrom } from './trust.ts'

const TST_INFO = '1.2.840.113549.1.9.16.1.4'
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const EXTENDED_KEY_USAGE = '2.5.29.37'

export interface TimeStampToken {
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
function readGenTime(node: DerNode | undefined): Date {
  const { contents } = expectTag(node, TAG.generalizedTime, 'genTime')
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z$/.exec(new TextDecoder('latin1').decode(contents))
  if (match === null) throw new DerError('genTime is not a time in DER')
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

function readImprint(node: DerNode | undefined): TimeStampToken['imprint'] {
  const [algorithm, digest] = expectTag(node, TAG.sequence, 'messageImprint').children
  const name = readOid(expectTag(algorithm, TAG.sequence, 'the hash of messageImprint').children[0], 'the hash of messageImprint')
  const hash = HASHES[name]
  if (hash === undefined) throw new DerError(`the hash of messageImprint is not accepted (${name})`)
  return { algorithm: hash, digest: expectTag(digest, TAG.octetString, 'messageImprint').contents }
}

/** A token, strictly DER and nothing after it. @throws DerError */
export function readTimeStampToken(bytes: Uint8Array): TimeStampToken {
  const cms = readSignedData(readDer(bytes), TST_INFO)
  if (cms.content === undefined) throw new DerError('the token holds no TSTInfo')
  // RFC 5652 §5.1: content that is not id-data makes it version 3; the signer is named by issuer and serial number, which is version 1.
  if (cms.version !== 3 || cms.signer.version !== 1) throw new DerError('the version of SignedData or SignerInfo is a wrong one')
  const [version, policy, imprint, serial, genTime, ...rest] = expectTag(readDer(cms.content), TAG.sequence, 'TSTInfo').children
  if (numberOf(expectTag(version, TAG.integer, 'the version of TSTInfo')) !== 1)
    throw new DerError('the version of TSTInfo is not 1')
  const nonce = rest.find(node => node.tag === TAG.integer)
  return {
    der: bytes,
    at: readGenTime(genTime),
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

export interface TokenQuestion {
  token: TimeStampToken
  /** Digest of what was stamped. */
  digestOf(hash: Hash): Uint8Array
  /** Certificates trusted as they are: roots, or authorities themselves. */
  trust: readonly Certificate[]
  /** Further certificates at hand. */
  companions: readonly Certificate[]
}

export interface TokenJudgement {
  /** Against the token itself; sentences. */
  broken: string[]
  /** What in it cannot be checked here; sentences. */
  unsupported: string[]
  /** Why its authority is not trusted; sentences. */
  reasons: string[]
  /** The token holds and its authority is trusted. */
  trusted: boolean
  /** The authority first, as far up as issuers are at hand. */
  path: Certificate[]
}

/** Where the token names no certificate of its own, those at hand are tried. */
function signerOf({ token, companions, trust }: TokenQuestion): Certificate | undefined {
  return token.signer ?? findSigner({ ...token.cms, certificates: [...companions, ...trust] })
}

function judgeSignatureOf(token: TimeStampToken, signer: Certificate, { broken, unsupported }: TokenJudgement): void {
  const { cms } = token
  const algorithms = readAlgorithms(cms)
  if ('broken' in algorithms) broken.push(algorithms.broken)
  if ('unsupported' in algorithms) unsupported.push(algorithms.unsupported)
  if (!('hash' in algorithms)) return
  const list = cms.signer.signedAttributes
  // RFC 5652 §5.3: content that is not id-data needs them.
  if (list === undefined) {
    broken.push('The token has no signed attributes.')
    return
  }
  const attributes = readAttributes(list)
  const contentType = attributes.get(CMS_OID.contentType)
  if (contentType === undefined || readOid(contentType, 'content-type') !== TST_INFO)
    broken.push('The signed attribute content-type of the token is not id-ct-TSTInfo.')
  const digest = createHash(algorithms.hash)
    .update(cms.content ?? new Uint8Array())
    .digest()
  const messageDigest = attributes.get(CMS_OID.messageDigest)
  if (
    messageDigest === undefined ||
    Buffer.compare(expectTag(messageDigest, TAG.octetString, 'message-digest').contents, digest) !== 0
  )
    broken.push('The token does not sign the TSTInfo it holds (message-digest).')
  const weak = keyFault(signer.publicKey)
  if (weak !== undefined) broken.push(`The key of the time-stamp authority is not accepted: ${weak}.`)
  else if (
    !verifySignature(algorithms.kind, algorithms.hash, signer.publicKey, der(TAG.set, list.contents), cms.signer.signature)
  )
    broken.push('The signature of the token does not verify with the key of its authority.')
  const named = namingFault(attributes, signer)
  if (named !== undefined) broken.push(named)
}

/** RFC 5816 §2.2.1: signing-certificate-v2, or the older one with SHA-1, which still tells one certificate from another. */
function namingFault(attributes: Map<string, DerNode>, signer: Certificate): string | undefined {
  const newer = attributes.get(CMS_OID.signingCertificateV2)
  if (newer !== undefined) return signingCertificateFault(newer, signer)
  const older = attributes.get(CMS_OID.signingCertificate)?.children[0]?.children[0]?.children[0]
  if (older === undefined) return 'The token does not name the certificate of its authority (signing-certificate).'
  const actual = createHash('sha1').update(signer.der).digest()
  return Buffer.compare(expectTag(older, TAG.octetString, 'the hash of ESSCertID').contents, actual) === 0
    ? undefined
    : 'The token names another certificate than the one of its authority (signing-certificate).'
}

/** RFC 3161 §2.3: the one purpose, and critical; RFC 5280 §4.2.1.12: a key usage beside it has to agree with it. */
function purposeReasons(signer: Certificate): string[] {
  const reasons: string[] = []
  const isOnly = signer.extendedKeyUsage?.length === 1 && signer.extendedKeyUsage[0] === TIME_STAMPING
  if (!isOnly || !extensionOf(signer, EXTENDED_KEY_USAGE)?.critical)
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
    const weak = keyFault(certificate.publicKey)
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
export function judgeTimeStampToken(question: TokenQuestion): TokenJudgement {
  const { token, digestOf, trust, companions } = question
  const signer = signerOf(question)
  const judgement: TokenJudgement = { broken: [], unsupported: [], reasons: [], trusted: false, path: [] }
  const { broken, unsupported } = judgement
  if (Buffer.compare(token.imprint.digest, digestOf(token.imprint.algorithm)) !== 0)
    broken.push('The token stands for other bytes than these (messageImprint).')
  if (signer === undefined) {
    broken.push('The certificate of the time-stamp authority is not at hand.')
    return judgement
  }
  judgeSignatureOf(token, signer, judgement)
  broken.push(...purposeReasons(signer))
  const path = pathFrom(signer, [...trust, ...token.certificates, ...companions])
  const anchor = path.findIndex(certificate => trust.some(one => Buffer.compare(one.der, certificate.der) === 0))
  const reasons = pathReasons(anchor === -1 ? path.slice(0, 1) : path.slice(0, anchor + 1), token.at)
  if (anchor === -1)
    reasons.unshift(
      `The time-stamp authority is not trusted: no path leads from ${nameText(signer.subject)} to a trusted certificate.`,
    )
  return { broken, unsupported, reasons, trusted: broken.length + unsupported.length + reasons.length === 0, path }
}
