/**
 * What verifying needs of cryptography and compression, by the libraries of the executable. Bundles
 * for browsers have `primitives.browser.ts` in its place, which gives the same answers.
 */
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  createPublicKey,
  createVerify,
  type KeyObject,
  publicEncrypt,
  verify,
} from 'node:crypto'
import { inflateSync, constants as zlibConstants } from 'node:zlib'
import { concatBytes, toBase64Url } from './bytes.ts'
import { isEcdsaOfDigest, isPointOn } from './elliptic-curves.ts'
import { InflateError } from './inflate.ts'
import {
  checkAesInput,
  type EcdsaEncoding,
  type EcPublicKey,
  ED25519_SIGNATURE_BYTES,
  type HashName,
  isCanonicalEd25519Key,
  isUsableRsaKey,
  type RsaPublicKey,
  SHAKE256_BYTES,
} from './primitive-input.ts'

export { isEd448By } from './elliptic-curves.ts'

/** Of the concatenated parts. */
export function hashOf(name: HashName, ...parts: readonly Uint8Array[]): Uint8Array {
  const state = name === 'shake256' ? createHash(name, { outputLength: SHAKE256_BYTES }) : createHash(name)
  for (const part of parts) state.update(part)
  return state.digest()
}

/** By the octets of the key: a certificate's key is asked more than once. */
const imported = new WeakMap<Uint8Array, KeyObject>()

function importOnce(octets: Uint8Array, makeKey: () => JsonWebKey): KeyObject {
  let key = imported.get(octets)
  if (key === undefined) {
    key = createPublicKey({ key: makeKey(), format: 'jwk' })
    imported.set(octets, key)
  }
  return key
}

/**
 * RSAVP1, RFC 8017 §5.2.2. Undefined if the value has another length than the modulus or is not
 * below it, or the key is not usable.
 */
export function openRsa(key: RsaPublicKey, value: Uint8Array): Uint8Array | undefined {
  if (!isUsableRsaKey(key) || value.length !== key.modulus.length) return undefined
  try {
    const native = importOnce(key.modulus, () => ({ kty: 'RSA', n: toBase64Url(key.modulus), e: toBase64Url(key.exponent) }))
    return publicEncrypt({ key: native, padding: constants.RSA_NO_PADDING }, value)
  } catch {
    // The library has no error class for this. A value of the right length can only be too large.
    return undefined
  }
}

/** Hashes with which Bun's crypto library verifies ECDSA. */
const NATIVE_HASHES: ReadonlySet<HashName> = new Set(['sha1', 'sha224', 'sha256', 'sha384', 'sha512'])
const UNCOMPRESSED = 4

/** Undefined if the library does not know the curve or the form. @throws if it is no point */
function importPoint({ curve, point }: EcPublicKey): KeyObject | undefined {
  if (!curve.startsWith('P-') || point[0] !== UNCOMPRESSED || point.length % 2 === 0) return undefined
  const half = (point.length + 1) / 2
  return importOnce(point, () => ({
    kty: 'EC',
    crv: curve,
    x: toBase64Url(point.subarray(1, half)),
    y: toBase64Url(point.subarray(half)),
  }))
}

/** SEC 1 §2.3.4, and not the point at infinity. */
export function isEcPoint(key: EcPublicKey): boolean {
  try {
    return importPoint(key) !== undefined || isPointOn(key)
  } catch {
    // The library has no error class for a point off the curve.
    return false
  }
}

/** ECDSA, FIPS 186-5 §6.4.2, over the concatenated parts. False also if the key is no point. */
export function isEcdsaBy(
  key: EcPublicKey,
  hash: HashName,
  parts: readonly Uint8Array[],
  signature: Uint8Array,
  encoding: EcdsaEncoding,
): boolean {
  if (!isEcPoint(key)) return false
  const native = NATIVE_HASHES.has(hash) ? importPoint(key) : undefined
  if (native === undefined) return isEcdsaOfDigest(key, hashOf(hash, ...parts), signature, encoding)
  const verifier = createVerify(hash)
  for (const part of parts) verifier.update(part)
  return verifier.verify({ key: native, dsaEncoding: encoding === 'der' ? 'der' : 'ieee-p1363' }, signature)
}

/** Ed25519 over the concatenated parts, RFC 8032 §5.1.7, without the cofactor. */
export function isEd25519By(key: Uint8Array, parts: readonly Uint8Array[], signature: Uint8Array): boolean {
  if (!isCanonicalEd25519Key(key) || signature.length !== ED25519_SIGNATURE_BYTES) return false
  try {
    const native = importOnce(key, () => ({ kty: 'OKP', crv: 'Ed25519', x: toBase64Url(key) }))
    return verify(null, concatBytes(...parts), native, signature)
  } catch {
    // As above.
    return false
  }
}

/**
 * The ZLIB format (RFC 1950). What follows the checksum is ignored. `allowsCut`: data that end too
 * early give what comes before their end.
 * @throws InflateError
 */
export function inflate(raw: Uint8Array, maxBytes: number, allowsCut = false): Uint8Array {
  try {
    const finishFlush = allowsCut ? zlibConstants.Z_SYNC_FLUSH : zlibConstants.Z_FINISH
    return inflateSync(raw, { maxOutputLength: maxBytes, finishFlush })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new InflateError('too_large')
    if (code === 'Z_BUF_ERROR') throw new InflateError('cut')
    if (code.startsWith('Z_')) throw new InflateError('damaged')
    throw error
  }
}

/** AES-CBC of whole blocks, without padding. @throws RangeError */
export function encryptAesCbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  checkAesInput(key, iv, data)
  return createCipheriv(`aes-${key.length * 8}-cbc`, key, iv)
    .setAutoPadding(false)
    .update(data)
}

/** AES-CBC of whole blocks, without padding. @throws RangeError */
export function decryptAesCbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  checkAesInput(key, iv, data)
  return createDecipheriv(`aes-${key.length * 8}-cbc`, key, iv)
    .setAutoPadding(false)
    .update(data)
}

/** As in `bytes.ts`: the library searches files of 100 MB in a third of the time. */
export const indexOfBytes = (bytes: Uint8Array, sought: string, from = 0): number => viewOf(bytes).indexOf(sought, from, 'latin1')

export const lastIndexOfBytes = (bytes: Uint8Array, sought: string, from = bytes.length - 1): number =>
  from < 0 ? -1 : viewOf(bytes).lastIndexOf(sought, from, 'latin1')

const viewOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length)

/** Milliseconds of work since a moment of the past: processor time, where a process can tell. */
export function workMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
