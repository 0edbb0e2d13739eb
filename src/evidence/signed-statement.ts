/**
 * Reads signed statements: JSON in S/MIME multipart/signed (RFC 8551 §3.5.3), with an RFC 3161
 * token over the signature. What the JSON says, and whether its signer is trusted, callers decide.
 */

import { isJsonObject, type JsonObject } from '../core/document/logged-facts.ts'
import { equalBytes } from '../lib/bytes.ts'
import { type Remark, RemarkError, remark } from '../locales/remarks.ts'
import {
  findSigner,
  isSignedByKey,
  readAlgorithms,
  readAttributes,
  readSignedData,
  type SignedData,
  signingCertificate,
} from '../pades/signed-data.ts'
import { digestOf, hashError, schemeError, UnsupportedError } from '../pki/algorithm.ts'
import { DerError, expectTag, readDer, readOid, TAG } from '../pki/der.ts'
import { CMS_OID } from '../pki/oid.ts'
import { keyError } from '../pki/public-key.ts'
import type { Certificate } from '../pki/x509.ts'
import { readSignatureTimestamps } from '../verify/cms.ts'
import { reasonsOf, verifyToken } from '../verify/timestamp.ts'

/** The statement cannot be read, or its signature is not valid. The remark is a clause. */
export class StatementError extends RemarkError {
  override name = 'StatementError'
}

export interface SignedStatement {
  content: JsonObject
  signer: Certificate
  /** In the signature, that of the signer among them. */
  certificates: readonly Certificate[]
  timestamp: StatementTimestamp | undefined
}

export interface StatementTimestamp {
  /** ISO 8601; undefined if the token cannot be read. */
  at: string | undefined
  authority: string | undefined
  /** `untrusted`: its authority is not known, or no longer counts. `false`: it is not intact. */
  verdict: 'trusted' | 'untrusted' | 'false'
  /** Why it is not trusted; sentences. */
  reasons: Remark[]
}

export interface StatementContext {
  /** Authorities of time-stamps, or their roots. */
  timestampTrust: readonly Certificate[]
  /** The validation time. */
  now: Date
}

/** The headers of the signed part. The second is there if the JSON is not ASCII alone. */
export const STATEMENT_HEADERS = ['Content-Type: application/json; charset=utf-8', 'Content-Transfer-Encoding: 8bit'] as const

export const MAX_STATEMENT_BYTES = 256 * 1024

/** Lines may end with LF alone. @throws StatementError */
export function readStatement(bytes: Uint8Array, context: StatementContext): SignedStatement {
  const { signed, cms } = partsOf(textOf(bytes))
  const content = contentOf(signed)
  try {
    const data = readSignedData({ node: readDer(cms), isDer: true }, CMS_OID.data)
    const signer = verifySigner(data, new TextEncoder().encode(signed))
    const { certificates } = data
    return { content, signer, certificates, timestamp: timestampOf(data, context) }
  } catch (error) {
    if (error instanceof DerError || error instanceof UnsupportedError)
      throw new StatementError(remark('statement_unreadable', { cause: error.message }))
    throw error
  }
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length > MAX_STATEMENT_BYTES) throw new StatementError(remark('statement_malformed'))
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.replaceAll(/\r?\n/g, '\r\n')
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new StatementError(remark('statement_malformed'))
  }
}

/** Both parts as they are between the boundaries. RFC 2046 §5.1.1 */
function partsOf(text: string): { signed: string; cms: Uint8Array } {
  const [headers = ''] = text.split('\r\n\r\n', 1)
  const boundary = /;\s*boundary="?([\w.-]{1,70})"?/i.exec(headers)?.[1]
  const parts = boundary === undefined ? [] : text.split(`\r\n--${boundary}`)
  const [, signed, signature, end, ...more] = parts
  const isWhole = signed?.startsWith('\r\n') && signature?.startsWith('\r\n') && end?.trimEnd() === '--' && more.length === 0
  const encoded = signature?.split('\r\n\r\n')[1]
  const cms = isWhole && encoded !== undefined ? fromBase64(encoded) : undefined
  if (signed === undefined || cms === undefined) throw new StatementError(remark('statement_malformed'))
  return { signed: signed.slice(2), cms }
}

function fromBase64(text: string): Uint8Array | undefined {
  const packed = text.replaceAll(/\s/g, '')
  if (!/^[\w+/]+={0,2}$/.test(packed) || packed.length % 4 !== 0) return undefined
  return Uint8Array.from(atob(packed), character => character.charCodeAt(0))
}

/** Other forms of the same JSON, such as a member twice, other programs read differently. */
function contentOf(signed: string): JsonObject {
  const [headers = '', ...body] = signed.split('\r\n\r\n')
  const isKnown = STATEMENT_HEADERS.some((_, i) => headers === STATEMENT_HEADERS.slice(0, i + 1).join('\r\n'))
  const text = body.join('\r\n\r\n').replaceAll('\r\n', '\n')
  try {
    const content: unknown = isKnown ? JSON.parse(text) : undefined
    if (isJsonObject(content) && JSON.stringify(content, null, 2) === text) return content
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new StatementError(remark('statement_malformed'))
}

function verifySigner(data: SignedData, content: Uint8Array): Certificate {
  const signer = findSigner(data)
  const list = data.signer.signedAttributes
  if (!signer || !list) throw new StatementError(remark('statement_without_signer'))
  const attributes = readAttributes(list)
  const digest = attributes.get(CMS_OID.messageDigest)
  const { hash, scheme } = readAlgorithms(data)
  const isUnchanged =
    digest !== undefined && equalBytes(expectTag(digest, TAG.octetString, 'message-digest').contents, digestOf(hash, content))
  if (!isUnchanged) throw new StatementError(remark('statement_changed'))
  const type = attributes.get(CMS_OID.contentType)
  const isSigned =
    data.content === undefined &&
    type !== undefined &&
    readOid(type, 'content-type') === CMS_OID.data &&
    isSignedByKey(data, scheme, signer, [content]) &&
    signingCertificate(attributes, signer) === 'version 2'
  if (!isSigned) throw new StatementError(remark('statement_signature_wrong'))
  const weak = hashError(hash) ?? schemeError(scheme) ?? keyError(signer.publicKey)
  if (weak !== undefined) throw new StatementError(remark('statement_weak', { why: weak }))
  return signer
}

/** The token covers the signature value. RFC 3161 appendix A */
function timestampOf(data: SignedData, { timestampTrust, now }: StatementContext): StatementTimestamp | undefined {
  const [token] = readSignatureTimestamps(data)
  if (token === undefined) return undefined
  const material = { isPresent: false, certificates: data.certificates, proofsOf: () => [] }
  const context = { trust: [], timestampTrust, now, knownProofs: () => [], material, materialAt: () => material }
  const result = verifyToken(token, hash => digestOf(hash, data.signer.signature), context, [])
  const { report, isTrusted, isIntact, broken, unsupported } = result
  return {
    at: report?.at,
    authority: report?.authority,
    verdict: isTrusted ? 'trusted' : isIntact ? 'untrusted' : 'false',
    reasons: [...broken, ...unsupported, ...reasonsOf(result)],
  }
}
