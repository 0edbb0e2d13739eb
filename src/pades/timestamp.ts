/** Requests time-stamp tokens over HTTP and verifies them. RFC 3161 §2.4, §3.4. */
import { MINUTE_MS } from '../lib/duration.ts'
import type { Machine } from '../lib/machine.ts'
import type { Network } from '../lib/net-guard.ts'
import { type Diagnosis, diagnosis, englishOfDiagnosis } from '../locales/diagnoses.ts'
import { englishOfRemark } from '../locales/remarks.ts'
import {
  DerError,
  derTrue,
  expectTag,
  octetString,
  oid,
  readDer,
  sequence,
  smallInteger,
  TAG,
  unsignedInteger,
} from '../pki/der.ts'
import { CMS_OID } from '../pki/oid.ts'
import { pathFrom } from '../pki/trust.ts'
import { type Certificate, certificatesOfPem, readCertificate } from '../pki/x509.ts'
import { MAX_AHEAD_MS, readTimestampToken, type TimestampToken, verifyTimestampToken } from './timestamp-token.ts'

/** No authority gave a valid token. */
export class TimestampError extends Error {
  override name = 'TimestampError'
  /** Of the only authority that was asked. */
  readonly found: Diagnosis | undefined

  /** `found`: what several authorities answered, in English. */
  constructor(found: Diagnosis | string) {
    super(typeof found === 'string' ? found : englishOfDiagnosis(found))
    this.found = typeof found === 'string' ? undefined : found
  }
}

export interface TimestampAuthority {
  url: string
  /** For HTTP basic authentication (RFC 7617). */
  user?: string | undefined
  password?: string | undefined
  /** PEM certificates under which its tokens are trusted. Without them trust is not checked. */
  ca?: string | undefined
  /** PEM certificates under which its TLS certificate is trusted, instead of the built-in ones. */
  tlsCa?: string | undefined
}

export interface Timestamp {
  token: Uint8Array
  at: Date
  /** The authority first, then the issuers in the token and in `ca`. */
  path: Certificate[]
}

const TIMEOUT_MS = 10_000
const MAX_RESPONSE_BYTES = 256 * 1024
/** How far an authority may be behind our clock. */
const MAX_BEHIND_MS = 10 * MINUTE_MS

/** TimeStampReq, version 1, with certReq. @throws RangeError unless the digest has 32 bytes */
function timestampRequest(digest: Uint8Array, nonce: Uint8Array): Uint8Array {
  if (digest.length !== 32) throw new RangeError('a SHA-256 digest has 32 bytes')
  const imprint = sequence(sequence(oid(CMS_OID.sha256)), octetString(digest))
  return sequence(smallInteger(1), imprint, unsignedInteger(nonce), derTrue())
}

const STATUS_NAMES = ['granted', 'granted with changes', 'rejection', 'waiting', 'revocation warning', 'revocation notification']
/** PKIFailureInfo, RFC 3161 §2.4.2, by bit. */
const FAILURES: Readonly<Record<number, string>> = {
  0: 'the algorithm is not supported',
  2: 'the request is not permitted',
  5: 'the request is malformed',
  14: 'its time source is not available',
  15: 'the policy is not accepted',
  16: 'an extension is not accepted',
  17: 'further information is not available',
  25: 'it could not handle the request',
}

/** The token of a TimeStampResp. @throws TimestampError with the status, DerError */
function readTimestampResponse(der: Uint8Array, authority: string): Uint8Array {
  const [info, token] = expectTag(readDer(der), TAG.sequence, 'TimeStampResp').children
  const [status, ...more] = expectTag(info, TAG.sequence, 'PKIStatusInfo').children
  const { contents } = expectTag(status, TAG.integer, 'PKIStatus')
  const code = Number.parseInt(Buffer.from(contents).toString('hex'), 16)
  if (code <= 1 && token !== undefined) return token.encoded
  const texts = more.find(node => node.tag === TAG.sequence)?.children ?? []
  const message = texts.map(text => new TextDecoder().decode(text.contents)).join(' ')
  const bits = more.find(node => node.tag === TAG.bitString)?.contents.subarray(1) ?? new Uint8Array()
  const failures = Object.entries(FAILURES).filter(([bit]) => ((bits[Number(bit) >> 3] ?? 0) & (0x80 >> (Number(bit) & 7))) !== 0)
  const why = [...failures.map(([, text]) => text), ...(message ? [`its message: ${plainText(message)}`] : [])].join('; ')
  const answer = `${STATUS_NAMES[code] ?? `status ${code}`}${why ? `: ${why}` : ''}`
  throw new TimestampError(diagnosis('authority_without_token', { authority, answer }))
}

/** Removes control characters from untrusted text. */
const plainText = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 300)

export interface TimestampOptions extends Pick<Machine, 'random' | 'send'> {
  /** SHA-256 of the bytes to time-stamp. */
  digest: Uint8Array
  authority: TimestampAuthority
  /** Networks that are allowed although they are refused by default. */
  allow: readonly Network[]
  now(): Date
  /** For the whole request; 10 s by default. */
  timeoutMs?: number
}

/** Requests a token and verifies it. @throws TimestampError, RangeError */
export async function requestTimestamp(options: TimestampOptions): Promise<Timestamp> {
  const { digest, authority, allow, send, now, random, timeoutMs = TIMEOUT_MS } = options
  const name = nameOf(authority)
  const trust = readTrust(authority, name)
  const nonce = random(16)
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40
  const answer = await send({
    url: authority.url,
    method: 'POST',
    headers: {
      'content-type': 'application/timestamp-query',
      accept: 'application/timestamp-reply',
      ...(authority.user === undefined ? {} : { authorization: basic(authority.user, authority.password ?? '') }),
    },
    body: timestampRequest(digest, nonce),
    connectTimeoutMs: timeoutMs / 2,
    totalTimeoutMs: timeoutMs,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    allow,
    ...(authority.tlsCa === undefined ? {} : { ca: authority.tlsCa }),
  })
  if (answer.outcome === 'failed') {
    throw new TimestampError(diagnosis('authority_unreachable', { authority: name, reason: answer.reason }))
  }
  const { status } = answer
  if (status !== 200) throw new TimestampError(diagnosis('authority_answered', { authority: name, status }))
  if (answer.truncated) {
    throw new TimestampError(diagnosis('authority_too_long', { authority: name, bytes: MAX_RESPONSE_BYTES }))
  }
  try {
    const token = readTimestampToken(readTimestampResponse(answer.body, name))
    return verifyResponse(token, { digest, nonce, trust, now: now(), authority: name })
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    // The content type is only reported: some servers send a wrong one with a valid token.
    const type = answer.headers['content-type']
    const problem = `${error.message}${type ? ` (content-type ${plainText(type)})` : ''}`
    throw new TimestampError(diagnosis('authority_invalid', { authority: name, problem }))
  }
}

const nameOf = ({ url }: TimestampAuthority) => (URL.canParse(url) ? new URL(url).host : 'an authority with an invalid address')

const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

interface Expected {
  authority: string
  digest: Uint8Array
  nonce: Uint8Array
  trust: Certificate[] | undefined
  now: Date
}

function verifyResponse(token: TimestampToken, { authority, digest, nonce, trust, now }: Expected): Timestamp {
  if (token.nonce !== Buffer.from(nonce).toString('hex')) {
    throw new TimestampError(diagnosis('authority_other_request', { authority }))
  }
  if (token.imprint.algorithm !== 'sha256') throw new TimestampError(diagnosis('authority_other_hash', { authority }))
  const skewMs = token.at.getTime() - now.getTime()
  if (skewMs > MAX_AHEAD_MS || skewMs < -MAX_BEHIND_MS) {
    const minutes = Math.round(Math.abs(skewMs) / MINUTE_MS)
    throw new TimestampError(diagnosis(skewMs > 0 ? 'authority_ahead' : 'authority_behind', { authority, minutes }))
  }
  const { broken, unsupported, reasons, trusted, path } = verifyTimestampToken({
    token,
    digestOf: () => digest,
    trust: trust ?? topCertificate(token),
    companions: [],
  })
  const reason = [...broken, ...unsupported, ...reasons].map(englishOfRemark).join(' ')
  if (!trusted) throw new TimestampError(diagnosis('authority_token_invalid', { authority, reason }))
  return { token: token.der, at: token.at, path }
}

/** Without `ca` the token's own root is accepted. The verifier decides about trust. */
const topCertificate = ({ signer, certificates }: TimestampToken): Certificate[] =>
  signer === undefined ? [] : pathFrom(signer, certificates).slice(-1)

function readTrust({ ca }: TimestampAuthority, authority: string): Certificate[] | undefined {
  try {
    const trust = ca === undefined ? undefined : certificatesOfPem(ca).map(readCertificate)
    if (trust?.length !== 0) return trust
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw new TimestampError(diagnosis('authority_trust_unreadable', { authority, problem: error.message }))
  }
  throw new TimestampError(diagnosis('authority_trust_not_pem', { authority }))
}

/** Asks in order until one gives a valid token. @throws TimestampError with all failures */
export async function firstTimestamp(
  authorities: readonly TimestampAuthority[],
  options: Omit<TimestampOptions, 'authority'>,
): Promise<Timestamp> {
  if (authorities.length === 0) throw new TimestampError(diagnosis('authority_missing'))
  const failures: string[] = []
  for (const authority of authorities) {
    try {
      return await requestTimestamp({ ...options, authority })
    } catch (error) {
      if (!(error instanceof TimestampError)) throw error
      failures.push(error.message)
    }
  }
  throw new TimestampError(failures.join('; '))
}
