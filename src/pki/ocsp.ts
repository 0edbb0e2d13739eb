/**
 * The Online Certificate Status Protocol: requests, responses, and what a response is worth. RFC 6960; RFC 5019 §2.1 for the request's form.
 * Judges who may answer for whom; fetching is `revocation.ts`.
 */
import { createHash } from 'node:crypto'
import {
  DerError,
  type DerNode,
  der,
  derNull,
  expectTag,
  octetString,
  oid,
  readDer,
  readOid,
  readTime,
  sequence,
  TAG,
} from './der.ts'
import { isSignatureBy } from './signature-value.ts'
import { isSignedBy } from './trust.ts'
import { type Certificate, readCertificate } from './x509.ts'
import { extensionOf } from './x509-extensions.ts'

const SHA1 = '1.3.14.3.2.26'
const BASIC_RESPONSE = '1.3.6.1.5.5.7.48.1.1'
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'
/** RFC 6960 §4.2.2.2.1: nobody asks whether the responder itself was revoked. */
export const OCSP_NO_CHECK = '1.3.6.1.5.5.7.48.1.5'

const STATUS: Readonly<Record<number, string>> = {
  1: 'the request was malformed',
  2: 'the responder has an internal error',
  3: 'the responder asks to try later',
  5: 'the responder wants signed requests',
  6: 'the responder is not authorised for this certificate',
}

/** SHA-1 names issuer and key here, as every responder expects; nothing rests on it. */
const sha1 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha1').update(bytes).digest())
const keyBits = ({ publicKeyInfo }: Certificate): Uint8Array =>
  expectTag(readDer(publicKeyInfo).children[1], TAG.bitString, 'the public key').contents.subarray(1)

/** CertID, RFC 6960 §4.1.1. */
function certificateId(certificate: Certificate, issuer: Certificate): Uint8Array {
  const serial = der(TAG.integer, Buffer.from(certificate.serial, 'hex'))
  return sequence(sequence(oid(SHA1), derNull()), octetString(sha1(issuer.subject)), octetString(sha1(keyBits(issuer))), serial)
}

/** OCSPRequest for one certificate, without a nonce, so that responders may answer with what they have signed before. */
export function ocspRequest(certificate: Certificate, issuer: Certificate): Uint8Array {
  return sequence(sequence(sequence(sequence(certificateId(certificate, issuer)))))
}

export interface OcspStatus {
  /** Who the answer is about, as it names it. */
  certificateId: DerNode
  status: 'good' | 'revoked' | 'unknown'
  revokedAt: Date | undefined
  thisUpdate: Date
  nextUpdate: Date | undefined
}

export interface OcspResponse {
  der: Uint8Array
  tbs: Uint8Array
  producedAt: Date
  answers: OcspStatus[]
  certificates: Certificate[]
  signatureAlgorithm: DerNode
  signature: Uint8Array
}

function readAnswer(node: DerNode): OcspStatus {
  const [id, status, thisUpdate, ...rest] = expectTag(node, TAG.sequence, 'SingleResponse').children
  readOid(expectTag(id, TAG.sequence, 'CertID').children[0]?.children[0], 'the hash of CertID')
  const next = rest.find(part => part.tag === 0xa0)?.children[0]
  const words: Readonly<Record<number, OcspStatus['status']>> = { 128: 'good', 161: 'revoked', 130: 'unknown' }
  const known = status === undefined ? undefined : words[status.tag]
  if (known === undefined) throw new DerError('the status of a certificate is of a wrong type')
  return {
    certificateId: expectTag(id, TAG.sequence, 'CertID'),
    status: known,
    revokedAt: known === 'revoked' ? readTime(status?.children[0], 'the time of a revocation') : undefined,
    thisUpdate: readTime(thisUpdate, 'thisUpdate'),
    nextUpdate: next && readTime(next, 'nextUpdate'),
  }
}

/** An OCSPResponse that is successful and basic. @throws DerError, also with the status in words */
export function readOcspResponse(bytes: Uint8Array): OcspResponse {
  const [status, wrapped] = expectTag(readDer(bytes), TAG.sequence, 'OCSPResponse').children
  const code = expectTag(status, 0x0a, 'the status of the response').contents[0] ?? -1
  if (code !== 0) throw new DerError(STATUS[code] ?? `the responder says ${code}`)
  const [type, body] = wrapped?.children[0]?.children ?? []
  if (readOid(type, 'the type of the response') !== BASIC_RESPONSE) throw new DerError('the response is not of the basic type')
  const basic = readDer(expectTag(body, TAG.octetString, 'the response').contents)
  const [tbs, algorithm, signature, more] = expectTag(basic, TAG.sequence, 'BasicOCSPResponse').children
  const fields = expectTag(tbs, TAG.sequence, 'ResponseData').children.filter(node => node.tag !== 0xa0)
  const [, producedAt, answers] = fields
  const bits = expectTag(signature, TAG.bitString, 'the signature').contents
  if (bits[0] !== 0) throw new DerError('a signature does not end with a whole octet')
  return {
    der: bytes,
    tbs: tbs?.encoded ?? new Uint8Array(),
    producedAt: readTime(producedAt, 'producedAt'),
    answers: expectTag(answers, TAG.sequence, 'responses').children.map(readAnswer),
    certificates: (more?.children[0]?.children ?? []).map(node => readCertificate(node.encoded)),
    signatureAlgorithm: expectTag(algorithm, TAG.sequence, 'the signature algorithm'),
    signature: bits.subarray(1),
  }
}

/** The answer about one certificate; `undefined` when the response has none. */
export function findOcspStatus(response: OcspResponse, certificate: Certificate, issuer: Certificate): OcspStatus | undefined {
  return response.answers.find(({ certificateId: id }) => {
    const [algorithm, name, key, serial] = id.children
    const hashOf = readOid(algorithm?.children[0], 'the hash of CertID') === SHA1 ? sha1 : sha256
    const isSame = (node: DerNode | undefined, bytes: Uint8Array) =>
      node !== undefined && Buffer.compare(node.contents, bytes) === 0
    return (
      isSame(name, hashOf(issuer.subject)) &&
      isSame(key, hashOf(keyBits(issuer))) &&
      isSame(serial, Buffer.from(certificate.serial, 'hex'))
    )
  })
}

const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())

/** Who signed the response: the issuer itself, or one it named for that (RFC 6960 §4.2.2.2). `undefined` when nobody who may. */
export function findResponder(response: OcspResponse, issuer: Certificate): Certificate | undefined {
  const delegates = response.certificates.filter(
    one =>
      one.extendedKeyUsage?.includes(OCSP_SIGNING) &&
      one.unknownCritical.length === 0 &&
      Buffer.compare(one.issuer, issuer.subject) === 0 &&
      isSignedBy(one, issuer) &&
      isWithin(one, response.producedAt),
  )
  return [issuer, ...delegates].find(one => isSigner(response, one))
}

const isWithin = ({ notBefore, notAfter }: Certificate, at: Date): boolean => at >= notBefore && at <= notAfter

function isSigner({ signatureAlgorithm, tbs, signature }: OcspResponse, { publicKey }: Certificate): boolean {
  return isSignatureBy(publicKey, signatureAlgorithm, tbs, signature)
}

/** Whether somebody may ask for the responder's own revocation. */
export const hasNoCheckExtension = (responder: Certificate): boolean => extensionOf(responder, OCSP_NO_CHECK) !== undefined
