/**
 * The algorithms a verifier knows, by their object identifiers: hashes, signature schemes and their parameters. Checks no signature.
 * The lists are closed. RFC 5754, RFC 4055, RFC 5758, RFC 8419, RFC 9688; BSI TR-03111 §5.2.1; strength by ETSI TS 119 312.
 */
import { createHash } from 'node:crypto'
import { DerError, type DerNode, expectTag, readOid, TAG } from './der.ts'

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

/** Checked, so that a changed document is told from an old one; never accepted. */
const WEAK_HASHES = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
} as const

export type Hash = (typeof STRONG_HASHES)[keyof typeof STRONG_HASHES] | (typeof WEAK_HASHES)[keyof typeof WEAK_HASHES]

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

/** id-shake256-len names the length of its output in bits, which CMS fixes at 512 (RFC 8419 §2.3). */
const SHAKE256_LENGTH = '2.16.840.1.101.3.4.2.18'
const SHAKE256_BYTES = 64

const isWeakHash = (hash: Hash): boolean => Object.values<string>(WEAK_HASHES).includes(hash)

/** Why a hash is not accepted, as a clause; undefined when it is. */
export const hashError = (hash: Hash): string | undefined =>
  isWeakHash(hash) ? `${HASH_NAMES[hash]} is too weak: another document can be made to match it` : undefined

/** The digest of `parts`, one after another. */
export function digestOf(hash: Hash, ...parts: readonly Uint8Array[]): Uint8Array {
  const running = hash === 'shake256' ? createHash(hash, { outputLength: SHAKE256_BYTES }) : createHash(hash)
  for (const part of parts) running.update(part)
  return running.digest()
}

/** RSASSA-PSS-params, RFC 4055 §3.1; the trailer field is always 1. */
export interface PssParameters {
  hash: Hash
  /** The hash of MGF1. */
  maskHash: Hash
  saltLength: number
}

/**
 * How a signature value is made. EdDSA hashes by itself. The numbers r and s of ECDSA stand in a SEQUENCE (RFC 3279 §2.2.3), or plain, one behind
 * the other (BSI TR-03111 §5.2.1).
 */
export type SignatureScheme =
  | { kind: 'rsa'; hash: Hash }
  | ({ kind: 'rsa-pss' } & PssParameters)
  | { kind: 'ecdsa'; hash: Hash; encoding: 'der' | 'plain' }
  | { kind: 'ed25519' | 'ed448' }

const rsa = (hash: Hash): SignatureScheme => ({ kind: 'rsa', hash })
const ecdsa = (hash: Hash): SignatureScheme => ({ kind: 'ecdsa', hash, encoding: 'der' })
const plainEcdsa = (hash: Hash): SignatureScheme => ({ kind: 'ecdsa', hash, encoding: 'plain' })

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

/** Identifiers of a key in place of a scheme: the digest algorithm beside them decides (CMS). */
const BY_DIGEST: Readonly<Record<string, (hash: Hash) => SignatureScheme>> = {
  '1.2.840.113549.1.1.1': rsa,
  '1.2.840.10045.2.1': ecdsa,
}

export const RSASSA_PSS = '1.2.840.113549.1.1.10'
const MGF1 = '1.2.840.113549.1.1.8'
const MAX_SALT_BYTES = 512

/** Names of algorithms that are known and not supported. */
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

/** An algorithm for people: its name where it is known, its identifier elsewhere. */
export function algorithmName(oid: string): string {
  const hash = HASHES[oid]
  return UNSUPPORTED_NAMES[oid] ?? (hash === undefined ? oid : HASH_NAMES[hash])
}

/** A form or an algorithm that is not supported here; it says nothing about the bytes. The message is a sentence. */
export class UnsupportedError extends DerError {
  override name = 'UnsupportedError'
}

/** Parameters of an algorithm that takes none: absent, or NULL where old writers put it. */
const hasNoParameters = ({ children }: DerNode): boolean =>
  children.length === 1 || (children.length === 2 && children[1]?.tag === TAG.null)

function isShakeOf512({ children }: DerNode): boolean {
  const [, length] = children
  return length?.tag === TAG.integer && Buffer.from(length.contents).toString('hex') === '0200'
}

/** The hash of an AlgorithmIdentifier. @throws UnsupportedError by the algorithm's name; DerError when it is no such thing */
export function readHash(algorithm: DerNode | undefined, what: string): Hash {
  const node = expectTag(algorithm, TAG.sequence, what)
  const id = readOid(node.children[0], what)
  const hash = HASHES[id]
  if (hash === undefined) throw new UnsupportedError(`The digest algorithm is not supported (${algorithmName(id)}).`)
  if (id === SHAKE256_LENGTH ? !isShakeOf512(node) : !hasNoParameters(node))
    throw new UnsupportedError(`The digest algorithm has parameters that are not supported (${algorithmName(id)}).`)
  return hash
}

function smallNumber(node: DerNode | undefined, otherwise: number): number {
  if (node === undefined) return otherwise
  const { contents } = expectTag(node, TAG.integer, 'a number of RSASSA-PSS')
  if (contents.length > 2 || ((contents[0] ?? 0x80) & 0x80) !== 0)
    throw new DerError('a number of RSASSA-PSS is beyond its bounds')
  return contents.reduce((sum, octet) => sum * 256 + octet, 0)
}

/** RFC 4055 §3.1; what is absent has its default, SHA-1 and 20 bytes. @throws DerError, UnsupportedError */
export function readPssParameters(parameters: DerNode | undefined): PssParameters {
  const fields = parameters === undefined ? [] : expectTag(parameters, TAG.sequence, 'RSASSA-PSS-params').children
  const field = (n: number): DerNode | undefined => fields.find(({ tag }) => tag === (0xa0 | n))?.children[0]
  const [hash, mask] = [field(0), field(1)]
  if (mask !== undefined && readOid(mask.children[0], 'the mask generation of RSASSA-PSS') !== MGF1)
    throw new UnsupportedError('The mask generation function of RSASSA-PSS is not MGF1, which alone is supported.')
  if (smallNumber(field(3), 1) !== 1)
    throw new UnsupportedError('The trailer field of RSASSA-PSS is not 1, which alone is supported.')
  const saltLength = smallNumber(field(2), 20)
  if (saltLength > MAX_SALT_BYTES) throw new DerError('the salt of RSASSA-PSS is longer than any key')
  return {
    hash: hash === undefined ? 'sha1' : readHash(hash, 'the hash of RSASSA-PSS'),
    maskHash: mask === undefined ? 'sha1' : readHash(mask.children[1], 'the hash of MGF1'),
    saltLength,
  }
}

/**
 * The scheme of an AlgorithmIdentifier. `digest` is the hash beside it in CMS; without it an identifier that names none is not supported.
 * @throws UnsupportedError by the algorithm's name; DerError when it is no such thing
 */
export function readSignatureScheme(algorithm: DerNode | undefined, digest?: Hash): SignatureScheme {
  const node = expectTag(algorithm, TAG.sequence, 'the signature algorithm')
  const id = readOid(node.children[0], 'the signature algorithm')
  if (id === RSASSA_PSS) return { kind: 'rsa-pss', ...readPssParameters(node.children[1]) }
  const scheme = SCHEMES[id] ?? (digest === undefined ? undefined : BY_DIGEST[id]?.(digest))
  if (scheme === undefined) throw new UnsupportedError(`The signature algorithm is not supported (${algorithmName(id)}).`)
  // Early writers of plain ECDSA name the curve there, which the key names too.
  const isCurve = scheme.kind === 'ecdsa' && scheme.encoding === 'plain' && node.children[1]?.tag === TAG.oid
  if (!hasNoParameters(node) && !isCurve)
    throw new UnsupportedError(`The signature algorithm has parameters that are not supported (${id}).`)
  return scheme
}

/** Why a scheme is not accepted, as a clause; undefined when it is. */
export function schemeError(scheme: SignatureScheme): string | undefined {
  // The hash of MGF1 need not resist collisions.
  return 'hash' in scheme ? hashError(scheme.hash) : undefined
}
