/** OCSP requests and responses, and who may sign a response. RFC 6960, RFC 5019 §2.1. */

import { EMPTY_BYTES, equalBytes, fromHex } from '../lib/bytes.ts'
import { hashOf } from '../lib/primitives.ts'
import {
  DerError,
  type DerNode,
  der,
  derNull,
  expectTag,
  octetString,
  oid,
  readBitOctets,
  readDer,
  readOid,
  readTime,
  sequence,
  TAG,
} from './der.ts'
import { OID } from './oid.ts'
import { isSignatureBy } from './signature-value.ts'
import { isSignedBy } from './trust.ts'
import { type Certificate, findExtension, readCertificate } from './x509.ts'

/** OCSPResponseStatus other than successful. */
const RESPONSE_ERRORS: Readonly<Record<number, string>> = {
  1: 'the request was malformed',
  2: 'the responder has an internal error',
  3: 'the responder is busy (tryLater)',
  5: 'the responder requires signed requests',
  6: 'the responder is not authorised for this certificate',
}

/** In CertID, SHA-1 only identifies the issuer. All responders support it. */
const sha1 = (bytes: Uint8Array): Uint8Array => hashOf('sha1', bytes)
const sha256 = (bytes: Uint8Array): Uint8Array => hashOf('sha256', bytes)
const serialOf = ({ serial }: Certificate): Uint8Array => fromHex(serial) ?? EMPTY_BYTES
const keyBits = ({ publicKeyInfo }: Certificate): Uint8Array =>
  expectTag(readDer(publicKeyInfo).children[1], TAG.bitString, 'the public key').contents.subarray(1)

/** CertID, RFC 6960 §4.1.1. */
function certificateId(certificate: Certificate, issuer: Certificate): Uint8Array {
  const serial = der(TAG.integer, serialOf(certificate))
  return sequence(
    sequence(oid(OID.sha1), derNull()),
    octetString(sha1(issuer.subject)),
    octetString(sha1(keyBits(issuer))),
    serial,
  )
}

/** Without a nonce, so that responders can send a cached response. */
export function ocspRequest(certificate: Certificate, issuer: Certificate): Uint8Array {
  return sequence(sequence(sequence(sequence(certificateId(certificate, issuer)))))
}

export interface OcspStatus {
  /** CertID. */
  certificateId: DerNode
  status: 'good' | 'revoked' | 'unknown'
  revokedAt: Date | undefined
  /** CRLReason; undefined if the response names none. */
  reason: number | undefined
  thisUpdate: Date
  nextUpdate: Date | undefined
}

export interface OcspResponse {
  der: Uint8Array
  tbs: Uint8Array
  producedAt: Date
  statuses: OcspStatus[]
  certificates: Certificate[]
  signatureAlgorithm: DerNode
  signature: Uint8Array
}

/** RevokedInfo: the time, then `[0]` the reason. */
const readReason = (status: DerNode | undefined): number | undefined =>
  status?.children.find(node => node.tag === 0xa0)?.children[0]?.contents[0]

function readSingleResponse(node: DerNode): OcspStatus {
  const [id, status, thisUpdate, ...rest] = expectTag(node, TAG.sequence, 'SingleResponse').children
  readOid(expectTag(id, TAG.sequence, 'CertID').children[0]?.children[0], 'the hash of CertID')
  const next = rest.find(part => part.tag === 0xa0)?.children[0]
  const statuses: Readonly<Record<number, OcspStatus['status']>> = { 128: 'good', 161: 'revoked', 130: 'unknown' }
  const known = status && statuses[status.tag]
  if (known === undefined) throw new DerError('the status of a certificate has the wrong type')
  return {
    certificateId: expectTag(id, TAG.sequence, 'CertID'),
    status: known,
    revokedAt: known === 'revoked' ? readTime(status?.children[0], 'the time of a revocation') : undefined,
    reason: known === 'revoked' ? readReason(status) : undefined,
    thisUpdate: readTime(thisUpdate, 'thisUpdate'),
    nextUpdate: next && readTime(next, 'nextUpdate'),
  }
}

/** Reads a successful basic response. @throws DerError, also for another status */
export function readOcspResponse(bytes: Uint8Array): OcspResponse {
  const [status, wrapped] = expectTag(readDer(bytes), TAG.sequence, 'OCSPResponse').children
  const code = expectTag(status, TAG.enumerated, 'the status of the response').contents[0] ?? -1
  if (code !== 0) throw new DerError(RESPONSE_ERRORS[code] ?? `the responder sent the status ${code}`)
  const [type, body] = wrapped?.children[0]?.children ?? []
  if (readOid(type, 'the type of the response') !== OID.basicOcspResponse)
    throw new DerError('the response is not of the basic type')
  const basic = readDer(expectTag(body, TAG.octetString, 'the response').contents)
  const [tbs, algorithm, signature, more] = expectTag(basic, TAG.sequence, 'BasicOCSPResponse').children
  const fields = expectTag(tbs, TAG.sequence, 'ResponseData').children.filter(node => node.tag !== 0xa0)
  const [, producedAt, responses] = fields
  return {
    der: bytes,
    tbs: tbs?.encoded ?? new Uint8Array(),
    producedAt: readTime(producedAt, 'producedAt'),
    statuses: expectTag(responses, TAG.sequence, 'responses').children.map(readSingleResponse),
    certificates: (more?.children[0]?.children ?? []).map(node => readCertificate(node.encoded)),
    signatureAlgorithm: expectTag(algorithm, TAG.sequence, 'the signature algorithm'),
    signature: readBitOctets(signature, 'the signature'),
  }
}

export function findOcspStatus(response: OcspResponse, certificate: Certificate, issuer: Certificate): OcspStatus | undefined {
  return response.statuses.find(({ certificateId: id }) => {
    const [algorithm, name, key, serial] = id.children
    const digest = readOid(algorithm?.children[0], 'the hash of CertID') === OID.sha1 ? sha1 : sha256
    const isSame = (node: DerNode | undefined, bytes: Uint8Array) => node !== undefined && equalBytes(node.contents, bytes)
    return isSame(name, digest(issuer.subject)) && isSame(key, digest(keyBits(issuer))) && isSame(serial, serialOf(certificate))
  })
}

/** The signer, if it is the issuer or its delegate (RFC 6960 §4.2.2.2); undefined otherwise. */
export function findResponder(response: OcspResponse, issuer: Certificate): Certificate | undefined {
  const { certificates, producedAt, signatureAlgorithm, tbs, signature } = response
  const delegates = certificates.filter(
    one =>
      one.extendedKeyUsage?.includes(OID.ocspSigning) &&
      one.unknownCritical.length === 0 &&
      equalBytes(one.issuer, issuer.subject) &&
      isSignedBy(one, issuer) &&
      producedAt >= one.notBefore &&
      producedAt <= one.notAfter,
  )
  return [issuer, ...delegates].find(one => isSignatureBy(one.publicKey, signatureAlgorithm, tbs, signature))
}

/** True if the responder's own revocation need not be checked (RFC 6960 §4.2.2.2.1). */
export const hasNoCheckExtension = (responder: Certificate): boolean => findExtension(responder, OID.ocspNoCheck) !== undefined
