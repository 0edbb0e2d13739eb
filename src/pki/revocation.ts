/**
 * Asks whether a certificate was revoked: its OCSP responders first, then its revocation lists, until one gives a proof that holds. RFC 6960; RFC 5280
 * §6.3. Addresses come from certificates, which anybody may have made: they pass the same guard as webhooks, and answers have bounds.
 */
import { type SendResult, send } from '../lib/fetch-limited.ts'
import type { Network } from '../lib/net-guard.ts'
import { findRevocation, listCovers, readRevocationList, revocationListError } from './crl.ts'
import { DerError, readDer, readOid, TAG } from './der.ts'
import { findOcspStatus, findResponder, hasNoCheckExtension, ocspRequest, readOcspResponse } from './ocsp.ts'
import { CMS_OID } from './oid.ts'
import { isSignedBy } from './trust.ts'
import { type Certificate, certificatesOfPem, nameText, readCertificate } from './x509.ts'
import { issuerUrls, ocspUrls, revocationListUrls } from './x509-extensions.ts'

const TIMEOUT_MS = 10_000
const MAX_OCSP_BYTES = 256 * 1024
const MAX_LIST_BYTES = 10 * 1024 * 1024
const MAX_CERTIFICATE_BYTES = 64 * 1024
/** Clocks differ: an answer from so far ahead is still of now. */
const SKEW_MS = 5 * 60_000
/** An answer that names no end is one made for the asking (RFC 6960 §4.2.2.1), not one somebody has kept. */
const MOST_AGE_MS = 24 * 3_600_000
/** Of the addresses a certificate names for one purpose, so many are called. */
const MAX_ADDRESSES = 4

export interface NetworkOptions {
  /** Networks that may be called although they are refused by default. */
  allow: readonly Network[]
  /** For one request, to its answer's last byte; 10 s where it is not set. */
  timeoutMs?: number
}

/** A proof that was checked: who signed it may speak for the certificate, and it is of now. */
export interface Proof {
  kind: 'ocsp' | 'crl'
  der: Uint8Array
  revokedAt: Date | undefined
  /** Who answered for the issuer, where it was somebody else. */
  responder: Certificate | undefined
  /** The responder has to prove that it was not revoked itself. */
  responderIsAsked: boolean
}

export type ProofResult = { proof: Proof } | { missing: string }

/** What makes a fetch fail, as a clause. */
class NoProofError extends Error {}

function bodyOf(answer: SendResult): Uint8Array {
  if (answer.outcome === 'failed') throw new NoProofError(answer.reason)
  if (answer.status !== 200) throw new NoProofError(`answered ${answer.status}`)
  if (answer.truncated) throw new NoProofError('answered more than is read')
  return answer.body
}

const limits = ({ allow, timeoutMs = TIMEOUT_MS }: NetworkOptions, maxResponseBytes: number) => ({
  connectTimeoutMs: timeoutMs / 2,
  totalTimeoutMs: timeoutMs,
  maxResponseBytes,
  allow,
})

async function byOcsp(url: string, certificate: Certificate, issuer: Certificate, at: Date, net: NetworkOptions): Promise<Proof> {
  const headers = { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' }
  const body = ocspRequest(certificate, issuer)
  const response = readOcspResponse(bodyOf(await send({ url, method: 'POST', headers, body, ...limits(net, MAX_OCSP_BYTES) })))
  const answer = findOcspStatus(response, certificate, issuer)
  if (answer === undefined) throw new NoProofError('answered about another certificate')
  const responder = findResponder(response, issuer)
  if (responder === undefined) throw new NoProofError('its answer is not signed by anybody who may give it')
  if (answer.status === 'unknown') throw new NoProofError('does not know the certificate')
  if (answer.thisUpdate.getTime() > at.getTime() + SKEW_MS) throw new NoProofError('its answer is not of this time yet')
  const end = answer.nextUpdate ?? new Date(answer.thisUpdate.getTime() + MOST_AGE_MS)
  if (end < at) throw new NoProofError('its answer is out of date')
  const isDelegate = responder !== issuer
  return {
    kind: 'ocsp',
    der: response.der,
    revokedAt: answer.revokedAt,
    responder: isDelegate ? responder : undefined,
    responderIsAsked: isDelegate && !hasNoCheckExtension(responder),
  }
}

async function byList(url: string, certificate: Certificate, issuer: Certificate, at: Date, net: NetworkOptions): Promise<Proof> {
  const answer = await send({ url, method: 'GET', headers: { accept: 'application/pkix-crl' }, ...limits(net, MAX_LIST_BYTES) })
  return proofOfList(bodyOf(answer), certificate, issuer, at)
}

/** @throws DerError and NoProofError */
function proofOfList(der: Uint8Array, certificate: Certificate, issuer: Certificate, at: Date): Proof {
  const list = readRevocationList(der)
  const aheadMs = list.thisUpdate.getTime() - at.getTime()
  const fault = revocationListError(list, issuer, aheadMs > 0 && aheadMs <= SKEW_MS ? list.thisUpdate : at)
  if (fault !== undefined) throw new NoProofError(`the revocation list ${fault}`)
  if (!listCovers(list, certificate)) throw new NoProofError('the revocation list does not speak of such certificates')
  const revokedAt = findRevocation(list, certificate.serial)?.at
  return { kind: 'crl', der, revokedAt, responder: undefined, responderIsAsked: false }
}

/** A list at hand as a proof, or what is wrong with it. */
export function proofFromList(der: Uint8Array, certificate: Certificate, issuer: Certificate, at: Date): ProofResult {
  try {
    return { proof: proofOfList(der, certificate, issuer, at) }
  } catch (error) {
    return { missing: unproven(certificate, clauseOf(error)) }
  }
}

/** What others did as a clause. @throws what is none of their doing */
function clauseOf(error: unknown): string {
  if (error instanceof NoProofError || error instanceof DerError) return error.message
  throw error
}

const unproven = ({ subject }: Certificate, why: string): string => `no proof that ${nameText(subject)} was not revoked (${why})`

/** The first proof that holds. Never throws for what others do: then it says what is missing and why. */
export async function fetchRevocationProof(
  certificate: Certificate,
  issuer: Certificate,
  at: Date,
  net: NetworkOptions,
): Promise<ProofResult> {
  const why: string[] = []
  const ways = [
    ...addresses(() => ocspUrls(certificate)).map(url => ({ url, ask: byOcsp })),
    ...addresses(() => revocationListUrls(certificate)).map(url => ({ url, ask: byList })),
  ]
  for (const { url, ask } of ways) {
    try {
      return { proof: await ask(url, certificate, issuer, at, net) }
    } catch (error) {
      why.push(`${hostOf(url)}: ${clauseOf(error)}`)
    }
  }
  return { missing: unproven(certificate, why.length > 0 ? why.join('; ') : 'it names no responder and no revocation list') }
}

/** The issuer's certificate from where the certificate says; `undefined` when it is not to be had. */
export async function fetchIssuer(certificate: Certificate, net: NetworkOptions): Promise<Certificate | undefined> {
  for (const url of addresses(() => issuerUrls(certificate))) {
    try {
      const body = bodyOf(await send({ url, method: 'GET', headers: {}, ...limits(net, MAX_CERTIFICATE_BYTES) }))
      const issuer = certificatesIn(body)
        .map(readCertificate)
        .find(one => Buffer.compare(one.subject, certificate.issuer) === 0 && isSignedBy(certificate, one))
      if (issuer !== undefined) return issuer
    } catch (error) {
      clauseOf(error)
    }
  }
  return undefined
}

/** RFC 5280 §4.2.2.1: one certificate, or a SignedData that only carries certificates; PEM too, which some serve. @throws DerError */
function certificatesIn(body: Uint8Array): Uint8Array[] {
  const text = Buffer.from(body).toString('latin1')
  if (text.startsWith('-----BEGIN ')) return certificatesOfPem(text)
  const [type, wrapped] = readDer(body).children
  if (type?.tag !== TAG.oid || readOid(type, 'the content type') !== CMS_OID.signedData) return [body]
  const list = wrapped?.children[0]?.children.find(node => node.tag === 0xa0)
  return (list?.children ?? []).map(node => node.encoded)
}

/** What a certificate names in a form nobody can read, it does not name; of a long list, the first few. */
function addresses(read: () => string[]): string[] {
  try {
    return read().slice(0, MAX_ADDRESSES)
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'an address that is none')
