/**
 * Asks time-stamp authorities for tokens and believes nothing they answer that was not checked: status, nonce, imprint, signature, time.
 * RFC 3161 §2.4 and §3.4 (over HTTP). Addresses are the administrator's; redirects are not followed.
 */
import { randomBytes } from 'node:crypto'
import { send } from '../lib/fetch-limited.ts'
import type { Network } from '../lib/net-guard.ts'
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
import { TimestampError } from './timestamp-error.ts'
import { readTimestampToken, type TimestampToken, verifyTimestampToken } from './timestamp-token.ts'

export interface TimestampAuthority {
  url: string
  /** For HTTP basic authentication (RFC 7617). */
  user?: string | undefined
  password?: string | undefined
  /** PEM certificates under which its tokens are trusted; without them a token is checked, but nobody vouches for the authority. */
  ca?: string | undefined
  /** PEM certificates under which its web server is trusted, in place of those built in. */
  tlsCa?: string | undefined
}

export interface Timestamp {
  token: Uint8Array
  at: Date
  /** The authority first, as far up as the token and the trusted certificates lead. */
  path: Certificate[]
}

const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 256 * 1024
/** Clocks differ; a token from another hour is another token. */
const MOST_SKEW_MS = 10 * 60_000

/** TimeStampReq, version 1, SHA-256, asking for the authority's certificate. @throws RangeError when the digest is not 32 bytes */
export function timestampRequest(digest: Uint8Array, nonce: Uint8Array): Uint8Array {
  if (digest.length !== 32) throw new RangeError('a SHA-256 digest has 32 bytes')
  const imprint = sequence(sequence(oid(CMS_OID.sha256)), octetString(digest))
  return sequence(smallInteger(1), imprint, unsignedInteger(nonce), derTrue())
}

const STATUS_WORDS = ['granted', 'granted with changes', 'rejection', 'waiting', 'revocation warning', 'revocation notification']
/** PKIFailureInfo, RFC 3161 §2.4.2, by bit. */
const FAILURES: Readonly<Record<number, string>> = {
  0: 'the algorithm is not supported',
  2: 'the request is not permitted',
  5: 'the request has a wrong form',
  14: 'its time source is not available',
  15: 'the policy is not accepted',
  16: 'an extension is not accepted',
  17: 'further information is not available',
  25: 'it could not handle the request',
}

/** The token of a TimeStampResp. @throws TimestampError with the status in words; DerError when it is none */
export function readTimestampResponse(der: Uint8Array): Uint8Array {
  const [info, token] = expectTag(readDer(der), TAG.sequence, 'TimeStampResp').children
  const [status, ...more] = expectTag(info, TAG.sequence, 'PKIStatusInfo').children
  const { contents } = expectTag(status, TAG.integer, 'PKIStatus')
  const code = Number.parseInt(Buffer.from(contents).toString('hex'), 16)
  if (code <= 1 && token !== undefined) return token.encoded
  const texts = more.find(node => node.tag === TAG.sequence)?.children ?? []
  const said = texts.map(text => new TextDecoder().decode(text.contents)).join(' ')
  const bits = more.find(node => node.tag === TAG.bitString)?.contents.subarray(1) ?? new Uint8Array()
  const failures = Object.entries(FAILURES).filter(([bit]) => ((bits[Number(bit) >> 3] ?? 0) & (0x80 >> (Number(bit) & 7))) !== 0)
  const why = [...failures.map(([, words]) => words), ...(said ? [`it said: ${plain(said)}`] : [])].join('; ')
  throw new TimestampError(`gave no token (${STATUS_WORDS[code] ?? `status ${code}`}${why ? `: ${why}` : ''})`)
}

/** Words of somebody else, safe to be shown. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 300)

export interface TimestampOptions {
  /** SHA-256 of what is to be stamped. */
  digest: Uint8Array
  authority: TimestampAuthority
  /** Networks that may be called although they are refused by default. */
  allow: readonly Network[]
  now(): Date
  /** To the answer's last byte; 10 s where it is not set. */
  timeoutMs?: number
}

/** A token over the digest, checked. @throws TimestampError; RangeError when the digest is not 32 bytes */
export async function requestTimestamp(order: TimestampOptions): Promise<Timestamp> {
  const { digest, authority, allow, now, timeoutMs = TIMEOUT_MS } = order
  const trust = trustedFor(authority)
  const nonce = randomBytes(16)
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
    maxResponseBytes: MAX_ANSWER_BYTES,
    allow,
    ...(authority.tlsCa === undefined ? {} : { ca: authority.tlsCa }),
  })
  if (answer.outcome === 'failed') throw new TimestampError(`could not be asked: ${answer.reason}`)
  if (answer.status !== 200) throw new TimestampError(`answered ${answer.status}`)
  if (answer.truncated) throw new TimestampError(`answered more than ${MAX_ANSWER_BYTES} bytes`)
  try {
    return checked(readTimestampToken(readTimestampResponse(answer.body)), digest, nonce, trust, now())
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    // The type is told, not judged: some servers name none or a wrong one beside a token that holds.
    const type = answer.headers['content-type']
    throw new TimestampError(`answered what is no time-stamp: ${error.message}${type ? ` (content-type ${plain(type)})` : ''}`)
  }
}

const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

function checked(
  token: TimestampToken,
  digest: Uint8Array,
  nonce: Uint8Array,
  trust: Certificate[] | undefined,
  now: Date,
): Timestamp {
  if (token.nonce !== Buffer.from(nonce).toString('hex'))
    throw new TimestampError('answered with a token for another request (nonce)')
  if (token.imprint.algorithm !== 'sha256') throw new TimestampError('answered with a token over another hash')
  const skewMs = token.at.getTime() - now.getTime()
  if (Math.abs(skewMs) > MOST_SKEW_MS) {
    const minutes = Math.round(Math.abs(skewMs) / 60_000)
    throw new TimestampError(
      `tells a time ${minutes} minutes ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's clock: set the clock right`,
    )
  }
  const { broken, unsupported, reasons, trusted, path } = verifyTimestampToken({
    token,
    digestOf: () => digest,
    trust: trust ?? topOf(token),
    companions: [],
  })
  const against = [...broken, ...unsupported, ...reasons].join(' ')
  if (!trusted) throw new TimestampError(`answered with a token that does not hold: ${against}`)
  return { token: token.der, at: token.at, path }
}

/** Where no certificate is set, the one on top of the token's own path stands for the authority: whether to trust it is asked when the seal is judged. */
const topOf = ({ signer, certificates }: TimestampToken): Certificate[] =>
  signer === undefined ? [] : pathFrom(signer, certificates).slice(-1)

function trustedFor({ ca }: TimestampAuthority): Certificate[] | undefined {
  try {
    const trust = ca === undefined ? undefined : certificatesOfPem(ca).map(readCertificate)
    if (trust?.length !== 0) return trust
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw new TimestampError(`is not asked: a certificate set for it cannot be read (${error.message})`)
  }
  throw new TimestampError('is not asked: the certificates set for it are none in PEM')
}

/** The first authority that gives a token that holds. @throws TimestampError that names what each one did */
export async function firstTimestamp(
  authorities: readonly TimestampAuthority[],
  order: Omit<TimestampOptions, 'authority'>,
): Promise<Timestamp> {
  if (authorities.length === 0) throw new TimestampError('no time-stamp authority is set')
  const failures: string[] = []
  for (const authority of authorities) {
    try {
      return await requestTimestamp({ ...order, authority })
    } catch (error) {
      if (!(error instanceof TimestampError)) throw error
      failures.push(
        `${URL.canParse(authority.url) ? new URL(authority.url).host : 'an authority without an address'} ${error.message}`,
      )
    }
  }
  throw new TimestampError(failures.join('; '))
}
