/** Hashes and signature schemes by object identifier. RFC 5754, RFC 4055; ETSI TS 119 312. */

import { toHex } from '../lib/bytes.ts'
import type { EcdsaEncoding, HashName } from '../lib/primitive-input.ts'
import { hashOf } from '../lib/primitives.ts'
import { englishOfRemark, type Remark, remark } from '../locales/remarks.ts'
import { DerError, type DerNode, expectTag, readOid, TAG } from './der.ts'
import { OID } from './oid.ts'

const STRONG_HASHES = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.6': 'sha512-256',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
  '2.16.840.1.101.3.4.2.12': 'shake256',
  '2.16.840.1.101.3.4.2.18': 'shake256',
} as const

/** Verified, to tell a changed document from an old one, but never accepted. */
const WEAK_HASHES = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
} as const

export type Hash = HashName

export const HASHES: Readonly<Record<string, Hash>> = { ...STRONG_HASHES, ...WEAK_HASHES }

const HASH_NAMES: Readonly<Record<Hash, string>> = {
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
  'sha512-256': 'SHA-512/256',
  'sha3-256': 'SHA3-256',
  'sha3-384': 'SHA3-384',
  'sha3-512': 'SHA3-512',
  shake256: 'SHAKE256',
  md5: 'MD5',
  sha1: 'SHA-1',
  sha224: 'SHA-224',
}

/** id-shake256-len has its output length in bits as parameter. CMS requires 512 (RFC 8419 §2.3). */
const SHAKE256_LENGTH = '2.16.840.1.101.3.4.2.18'

const isWeakHash = (hash: Hash): boolean => Object.values<string>(WEAK_HASHES).includes(hash)

/** Why a hash is not accepted, as a clause; undefined if it is. */
export const hashError = (hash: Hash): Remark | undefined =>
  isWeakHash(hash) ? remark('hash_weak', { name: HASH_NAMES[hash] }) : undefined

/** Of the concatenated parts. */
export const digestOf = (hash: Hash, ...parts: readonly Uint8Array[]): Uint8Array => hashOf(hash, ...parts)

/** RSASSA-PSS-params, RFC 4055 §3.1. The trailer field is always 1. */
export interface PssParameters {
  hash: Hash
  maskHash: Hash
  saltLength: number
}

/** An ECDSA value is a SEQUENCE (RFC 3279 §2.2.3) or r and s concatenated (BSI TR-03111 §5.2.1). */
export type SignatureScheme =
  | { kind: 'rsa'; hash: Hash }
  | ({ kind: 'rsa-pss' } & PssParameters)
  | { kind: 'ecdsa'; hash: Hash; encoding: EcdsaEncoding }
  | { kind: 'ed25519' | 'ed448' }

const rsa = (hash: Hash): SignatureScheme => ({ kind: 'rsa', hash })
const ecdsa = (hash: Hash): SignatureScheme => ({ kind: 'ecdsa', hash, encoding: 'der' })
const plainEcdsa = (hash: Hash): SignatureScheme => ({ kind: 'ecdsa', hash, encoding: 'plain' })

/** RFC 5754, RFC 5758, RFC 8419, RFC 9688; BSI TR-03111 §5.2.1. */
const SCHEMES: Readonly<Record<string, SignatureScheme>> = {
  '1.2.840.113549.1.1.4': rsa('md5'),
  '1.2.840.113549.1.1.5': rsa('sha1'),
  '1.2.840.113549.1.1.14': rsa('sha224'),
  '1.2.840.113549.1.1.11': rsa('sha256'),
  '1.2.840.113549.1.1.12': rsa('sha384'),
  '1.2.840.113549.1.1.13': rsa('sha512'),
  '1.2.840.113549.1.1.16': rsa('sha512-256'),
  '2.16.840.1.101.3.4.3.14': rsa('sha3-256'),
  '2.16.840.1.101.3.4.3.15': rsa('sha3-384'),
  '2.16.840.1.101.3.4.3.16': rsa('sha3-512'),
  '1.2.840.10045.4.1': ecdsa('sha1'),
  '1.2.840.10045.4.3.1': ecdsa('sha224'),
  '1.2.840.10045.4.3.2': ecdsa('sha256'),
  '1.2.840.10045.4.3.3': ecdsa('sha384'),
  '1.2.840.10045.4.3.4': ecdsa('sha512'),
  '2.16.840.1.101.3.4.3.10': ecdsa('sha3-256'),
  '2.16.840.1.101.3.4.3.11': ecdsa('sha3-384'),
  '2.16.840.1.101.3.4.3.12': ecdsa('sha3-512'),
  '0.4.0.127.0.7.1.1.4.1.1': plainEcdsa('sha1'),
  '0.4.0.127.0.7.1.1.4.1.2': plainEcdsa('sha224'),
  '0.4.0.127.0.7.1.1.4.1.3': plainEcdsa('sha256'),
  '0.4.0.127.0.7.1.1.4.1.4': plainEcdsa('sha384'),
  '0.4.0.127.0.7.1.1.4.1.5': plainEcdsa('sha512'),
  '0.4.0.127.0.7.1.1.4.1.9': plainEcdsa('sha3-256'),
  '0.4.0.127.0.7.1.1.4.1.10': plainEcdsa('sha3-384'),
  '0.4.0.127.0.7.1.1.4.1.11': plainEcdsa('sha3-512'),
  '1.3.101.112': { kind: 'ed25519' },
  '1.3.101.113': { kind: 'ed448' },
}

/** CMS allows a key's identifier here; the digest algorithm then determines the scheme. */
const BY_DIGEST: Readonly<Record<string, (hash: Hash) => SignatureScheme>> = {
  [OID.rsaEncryption]: rsa,
  [OID.ecPublicKey]: ecdsa,
}

const MGF1 = '1.2.840.113549.1.1.8'
const MAX_SALT_BYTES = 512

const UNSUPPORTED_NAMES: Readonly<Record<string, string>> = {
  '1.3.36.3.2.1': 'RIPEMD-160',
  '1.2.840.113549.1.1.2': 'MD2 with RSA',
  '1.2.840.113549.1.1.7': 'RSAES-OAEP',
  '1.2.840.10040.4.1': 'DSA',
  '1.2.840.10040.4.3': 'DSA with SHA-1',
  '2.16.840.1.101.3.4.3.2': 'DSA with SHA-256',
  '1.2.643.7.1.1.3.2': 'GOST R 34.10-2012',
  '1.2.156.10197.1.501': 'SM2 with SM3',
}

export function algorithmName(oid: string): string {
  const hash = HASHES[oid]
  return UNSUPPORTED_NAMES[oid] ?? (hash === undefined ? oid : HASH_NAMES[hash])
}

/** A form or algorithm is not supported: the bytes may be valid. The remark is a sentence. */
export class UnsupportedError extends DerError {
  override name = 'UnsupportedError'

  constructor(readonly remark: Remark) {
    super(englishOfRemark(remark))
  }
}

/** For algorithms without parameters. Some old programs write NULL. */
const hasNoParameters = ({ children }: DerNode): boolean =>
  children.length === 1 || (children.length === 2 && children[1]?.tag === TAG.null)

function isShakeOf512({ children }: DerNode): boolean {
  const [, length] = children
  return length?.tag === TAG.integer && toHex(length.contents) === '0200'
}

/** Reads the hash of an AlgorithmIdentifier. @throws UnsupportedError, DerError */
export function readHash(algorithm: DerNode | undefined, what: string): Hash {
  const node = expectTag(algorithm, TAG.sequence, what)
  const id = readOid(node.children[0], what)
  const hash = HASHES[id]
  if (hash === undefined) throw new UnsupportedError(remark('digest_unsupported', { name: algorithmName(id) }))
  if (id === SHAKE256_LENGTH ? !isShakeOf512(node) : !hasNoParameters(node))
    throw new UnsupportedError(remark('digest_parameters', { name: algorithmName(id) }))
  return hash
}

function readSmallInteger(node: DerNode | undefined, fallback: number): number {
  if (node === undefined) return fallback
  const { contents } = expectTag(node, TAG.integer, 'a number of RSASSA-PSS')
  if (contents.length > 2 || ((contents[0] ?? 0x80) & 0x80) !== 0)
    throw new DerError('a number of RSASSA-PSS is beyond its bounds')
  return contents.reduce((sum, octet) => sum * 256 + octet, 0)
}

/** RFC 4055 §3.1; by default SHA-1 and 20 bytes of salt. @throws DerError, UnsupportedError */
export function readPssParameters(parameters: DerNode | undefined): PssParameters {
  const fields = parameters === undefined ? [] : expectTag(parameters, TAG.sequence, 'RSASSA-PSS-params').children
  const field = (n: number): DerNode | undefined => fields.find(({ tag }) => tag === (0xa0 | n))?.children[0]
  const [hash, mask] = [field(0), field(1)]
  if (mask !== undefined && readOid(mask.children[0], 'the mask generation of RSASSA-PSS') !== MGF1)
    throw new UnsupportedError(remark('mask_unsupported'))
  if (readSmallInteger(field(3), 1) !== 1) throw new UnsupportedError(remark('trailer_field_unsupported'))
  const saltLength = readSmallInteger(field(2), 20)
  if (saltLength > MAX_SALT_BYTES) throw new DerError('the salt of RSASSA-PSS is longer than any key')
  return {
    hash: hash === undefined ? 'sha1' : readHash(hash, 'the hash of RSASSA-PSS'),
    maskHash: mask === undefined ? 'sha1' : readHash(mask.children[1], 'the hash of MGF1'),
    saltLength,
  }
}

/** `digest`: of a CMS, for identifiers that only name a key. @throws UnsupportedError, DerError */
export function readSignatureScheme(algorithm: DerNode | undefined, digest?: Hash): SignatureScheme {
  const node = expectTag(algorithm, TAG.sequence, 'the signature algorithm')
  const id = readOid(node.children[0], 'the signature algorithm')
  if (id === OID.rsassaPss) return { kind: 'rsa-pss', ...readPssParameters(node.children[1]) }
  const scheme = SCHEMES[id] ?? (digest === undefined ? undefined : BY_DIGEST[id]?.(digest))
  if (scheme === undefined) throw new UnsupportedError(remark('algorithm_unsupported', { name: algorithmName(id) }))
  // Early writers of plain ECDSA repeat the key's curve here.
  const isCurve = scheme.kind === 'ecdsa' && scheme.encoding === 'plain' && node.children[1]?.tag === TAG.oid
  if (!hasNoParameters(node) && !isCurve) throw new UnsupportedError(remark('algorithm_parameters', { name: id }))
  return scheme
}

/** Why a scheme is not accepted, as a clause; undefined if it is. */
export function schemeError(scheme: SignatureScheme): Remark | undefined {
  // MGF1 needs no collision resistance, so its hash may be weak.
  return 'hash' in scheme ? hashError(scheme.hash) : undefined
}
