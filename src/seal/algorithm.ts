/**
 * The algorithms a verifier accepts, by their object identifiers, and the one place that checks a signature value.
 * The lists are closed: MD5, SHA-1 and what is not named here is refused by name. RFC 5754, RFC 3370; ETSI TS 119 312.
 */
import { type KeyObject, verify } from 'node:crypto'
import { DerError, readDer, TAG } from './der.ts'

export type Hash = 'sha256' | 'sha384' | 'sha512'

export const HASHES: Readonly<Record<string, Hash>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** `hash` is undefined where the identifier names none, and the digest algorithm beside it decides (rsaEncryption in CMS). */
export const SIGNATURES: Readonly<Record<string, { key: 'rsa' | 'ec'; hash: Hash | undefined }>> = {
  '1.2.840.113549.1.1.1': { key: 'rsa', hash: undefined },
  '1.2.840.113549.1.1.11': { key: 'rsa', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'rsa', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'rsa', hash: 'sha512' },
  '1.2.840.10045.4.3.2': { key: 'ec', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'ec', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'ec', hash: 'sha512' },
}

const REFUSED: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.5': 'MD5',
  '1.3.14.3.2.26': 'SHA-1',
  '2.16.840.1.101.3.4.2.4': 'SHA-224',
  '1.2.840.113549.1.1.4': 'MD5 with RSA',
  '1.2.840.113549.1.1.5': 'SHA-1 with RSA',
  '1.2.840.113549.1.1.10': 'RSASSA-PSS',
  '1.2.840.10045.4.1': 'ECDSA with SHA-1',
  '1.2.840.10040.4.3': 'DSA with SHA-1',
  '1.3.101.112': 'Ed25519',
}

/** An algorithm for people: its name where it is known, its identifier elsewhere. */
export const algorithmName = (oid: string): string => REFUSED[oid] ?? HASHES[oid] ?? oid

const CURVES = new Set(['prime256v1', 'secp384r1', 'secp521r1', 'P-256', 'P-384', 'P-521'])
const MIN_RSA_BITS = 2048

/** Why a public key is too weak or of a kind not accepted; undefined when it is fine. */
export function keyFault(key: KeyObject): string | undefined {
  const { modulusLength = 0, namedCurve = 'unknown' } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'rsa')
    return modulusLength < MIN_RSA_BITS ? `RSA of ${modulusLength} bits is too short` : undefined
  if (key.asymmetricKeyType === 'ec') return CURVES.has(namedCurve) ? undefined : `the curve ${namedCurve} is not accepted`
  return `a key of type ${key.asymmetricKeyType ?? 'unknown'} is not accepted`
}

/** RFC 3279 §2.2.3: SEQUENCE of two INTEGERs and nothing else. */
function isEcdsaValue(signature: Uint8Array): boolean {
  try {
    const node = readDer(signature)
    return node.tag === TAG.sequence && node.children.length === 2 && node.children.every(child => child.tag === TAG.integer)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

/** True when `signature` is this key's over `data`. RSA is RSASSA-PKCS1-v1_5, ECDSA is in DER. A key of another kind gives false. */
export function verifySignature(
  kind: 'rsa' | 'ec',
  hash: Hash,
  key: KeyObject,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (key.asymmetricKeyType !== kind) return false
  if (kind === 'ec' && !isEcdsaValue(signature)) return false
  return verify(hash, data, { key, dsaEncoding: 'der' }, signature)
}
