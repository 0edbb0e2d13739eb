/** Fetches OCSP responses and CRLs from untrusted addresses, bounded. RFC 6960, RFC 5280 §6.3. */
import { equalBytes } from '../lib/bytes.ts'
import { DAY_MS, MINUTE_MS } from '../lib/duration.ts'
import type { SendResult } from '../lib/fetch-limited.ts'
import type { Machine } from '../lib/machine.ts'
import type { Network } from '../lib/net-guard.ts'
import { findRevocation, listCovers, readRevocationList, revocationListError } from './crl.ts'
import { DerError, readDer, readOid, TAG } from './der.ts'
import { findOcspStatus, findResponder, hasNoCheckExtension, ocspRequest, readOcspResponse } from './ocsp.ts'
import { CMS_OID } from './oid.ts'
import { isSignedBy } from './trust.ts'
import {
  type Certificate,
  certificatesOfPem,
  issuerUrls,
  nameText,
  ocspUrls,
  readCertificate,
  revocationListUrls,
} from './x509.ts'

const TIMEOUT_MS = 10_000
const MAX_OCSP_BYTES = 256 * 1024
const MAX_LIST_BYTES = 10 * 1024 * 1024
const MAX_CERTIFICATE_BYTES = 64 * 1024
/** Allowed difference of clocks. */
const SKEW_MS = 5 * MINUTE_MS
/** Of a response without nextUpdate, which is made for the request (RFC 6960 §4.2.2.1). */
const MAX_AGE_MS = DAY_MS
/** Of one certificate, for one purpose. */
const MAX_ADDRESSES = 4

export interface NetworkOptions extends Pick<Machine, 'send'> {
  /** Networks that are allowed although they are refused by default. */
  allow: readonly Network[]
  /** For one request with its response; 10 s by default. */
  timeoutMs?: number
}

/** A verified proof: its signer is authorised for the certificate, and it is current. */
export interface Proof {
  kind: 'ocsp' | 'crl'
  der: Uint8Array
  revokedAt: Date | undefined
  /** The signer of an OCSP response, if it is not the issuer. */
  responder: Certificate | undefined
  /** A proof is needed that the responder was not revoked. */
  responderNeedsProof: boolean
}

export type ProofResult = { proof: Proof } | { missing: string }

/** One source gave no proof. The message is a clause. */
class NoProofError extends Error {}

function bodyOf(answer: SendResult): Uint8Array {
  if (answer.outcome === 'failed') throw new NoProofError(answer.reason)
  if (answer.status !== 200) throw new NoProofError(`answered ${answer.status}`)
  if (answer.truncated) throw new NoProofError('the response is too large')
  return answer.body
}

const limits = ({ allow, timeoutMs = TIMEOUT_MS }: NetworkOptions, maxResponseBytes: number) => ({
  connectTimeoutMs: timeoutMs / 2,
  totalTimeoutMs: timeoutMs,
  maxResponseBytes,
  allow,
})

async function askOcsp(
  url: string,
  certificate: Certificate,
  issuer: Certificate,
  at: Date,
  net: NetworkOptions,
): Promise<Proof> {
  const headers = { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' }
  const body = ocspRequest(certificate, issuer)
  const sent = await net.send({ url, method: 'POST', headers, body, ...limits(net, MAX_OCSP_BYTES) })
  const response = readOcspResponse(bodyOf(sent))
  const answer = findOcspStatus(response, certificate, issuer)
  if (answer === undefined) throw new NoProofError('the response is about another certificate')
  const responder = findResponder(response, issuer)
  if (responder === undefined) throw new NoProofError('the response is not signed by an authorised responder')
  if (answer.status === 'unknown') throw new NoProofError('the responder does not know the certificate')
  if (answer.thisUpdate.getTime() > at.getTime() + SKEW_MS) throw new NoProofError('the response is dated in the future')
  const end = answer.nextUpdate ?? new Date(answer.thisUpdate.getTime() + MAX_AGE_MS)
  if (end < at) throw new NoProofError('the response has expired')
  const isDelegate = responder !== issuer
  return {
    kind: 'ocsp',
    der: response.der,
    revokedAt: answer.revokedAt,
    responder: isDelegate ? responder : undefined,
    responderNeedsProof: isDelegate && !hasNoCheckExtension(responder),
  }
}

async function fetchList(
  url: string,
  certificate: Certificate,
  issuer: Certificate,
  at: Date,
  net: NetworkOptions,
): Promise<Proof> {
  const headers = { accept: 'application/pkix-crl' }
  const answer = await net.send({ url, method: 'GET', headers, ...limits(net, MAX_LIST_BYTES) })
  return proofOfList(bodyOf(answer), certificate, issuer, at)
}

/** @throws DerError and NoProofError */
function proofOfList(der: Uint8Array, certificate: Certificate, issuer: Certificate, at: Date): Proof {
  const list = readRevocationList(der)
  const aheadMs = list.thisUpdate.getTime() - at.getTime()
  const error = revocationListError(list, issuer, aheadMs > 0 && aheadMs <= SKEW_MS ? list.thisUpdate : at)
  if (error !== undefined) throw new NoProofError(`the revocation list ${error}`)
  if (!listCovers(list, certificate)) throw new NoProofError('the revocation list does not cover such certificates')
  const revokedAt = findRevocation(list, certificate.serial)?.revokedAt
  return { kind: 'crl', der, revokedAt, responder: undefined, responderNeedsProof: false }
}

/** A proof from a list that is already here. */
export function proofFromList(der: Uint8Array, certificate: Certificate, issuer: Certificate, at: Date): ProofResult {
  try {
    return { proof: proofOfList(der, certificate, issuer, at) }
  } catch (error) {
    return { missing: unproven(certificate, failureOf(error)) }
  }
}

/** The clause for a failure of the source. @throws any other error */
function failureOf(error: unknown): string {
  if (error instanceof NoProofError || error instanceof DerError) return error.message
  throw error
}

const unproven = ({ subject }: Certificate, why: string): string => `no proof that ${nameText(subject)} was not revoked (${why})`

/** The first valid proof, or why there is none. */
export async function fetchRevocationProof(
  certificate: Certificate,
  issuer: Certificate,
  at: Date,
  net: NetworkOptions,
): Promise<ProofResult> {
  const failures: string[] = []
  const sources = [
    ...addresses(() => ocspUrls(certificate)).map(url => ({ url, ask: askOcsp })),
    ...addresses(() => revocationListUrls(certificate)).map(url => ({ url, ask: fetchList })),
  ]
  for (const { url, ask } of sources) {
    try {
      return { proof: await ask(url, certificate, issuer, at, net) }
    } catch (error) {
      failures.push(`${hostOf(url)}: ${failureOf(error)}`)
    }
  }
  return {
    missing: unproven(certificate, failures.length > 0 ? failures.join('; ') : 'it names no responder and no revocation list'),
  }
}

/** Undefined if no address of the certificate has it. */
export async function fetchIssuer(certificate: Certificate, net: NetworkOptions): Promise<Certificate | undefined> {
  for (const url of addresses(() => issuerUrls(certificate))) {
    try {
      const body = bodyOf(await net.send({ url, method: 'GET', headers: {}, ...limits(net, MAX_CERTIFICATE_BYTES) }))
      const issuer = readCertificateFile(body)
        .map(readCertificate)
        .find(one => equalBytes(one.subject, certificate.issuer) && isSignedBy(certificate, one))
      if (issuer !== undefined) return issuer
    } catch (error) {
      // The next address is tried. Any other error is thrown.
      failureOf(error)
    }
  }
  return undefined
}

/** A certificate or a certs-only CMS (RFC 5280 §4.2.2.1); some servers send PEM. */
function readCertificateFile(body: Uint8Array): Uint8Array[] {
  const text = Buffer.from(body).toString('latin1')
  if (text.startsWith('-----BEGIN ')) return certificatesOfPem(text)
  const [type, wrapped] = readDer(body).children
  if (type?.tag !== TAG.oid || readOid(type, 'the content type') !== CMS_OID.signedData) return [body]
  const list = wrapped?.children[0]?.children.find(node => node.tag === 0xa0)
  return (list?.children ?? []).map(node => node.encoded)
}

/** The first addresses; none if the extension is unreadable. */
function addresses(read: () => string[]): string[] {
  try {
    return read().slice(0, MAX_ADDRESSES)
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'an invalid address')
