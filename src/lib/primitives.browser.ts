/** The exports of `primitives.ts` for browsers, by audited libraries in plain JavaScript. */
import { cbc } from '@noble/ciphers/aes.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512, sha512_256 } from '@noble/hashes/sha2.js'
import { sha3_256, sha3_384, sha3_512, shake256 } from '@noble/hashes/sha3.js'
import { equalBytes, fromHex, toHex } from './bytes.ts'
import { isEcdsaOfDigest, isPointOn } from './elliptic-curves.ts'
import { inflateBytes } from './inflate.ts'
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

export { indexOfBytes, lastIndexOfBytes } from './bytes.ts'
export { isEd448By, isPointOn as isEcPoint } from './elliptic-curves.ts'

interface HashState {
  update(part: Uint8Array): unknown
  digest(): Uint8Array
}

const HASHES: Readonly<Record<HashName, () => HashState>> = {
  md5: () => md5.create(),
  sha1: () => sha1.create(),
  sha224: () => sha224.create(),
  sha256: () => sha256.create(),
  sha384: () => sha384.create(),
  sha512: () => sha512.create(),
  'sha512-256': () => sha512_256.create(),
  'sha3-256': () => sha3_256.create(),
  'sha3-384': () => sha3_384.create(),
  'sha3-512': () => sha3_512.create(),
  shake256: () => shake256.create({ dkLen: SHAKE256_BYTES }),
}

/** Of the concatenated parts. */
export function hashOf(name: HashName, ...parts: readonly Uint8Array[]): Uint8Array {
  const state = HASHES[name]()
  for (const part of parts) state.update(part)
  return state.digest()
}

const numberOf = (octets: Uint8Array): bigint => BigInt(`0x0${toHex(octets)}`)

/** RSAVP1, as in `primitives.ts`. */
export function openRsa(key: RsaPublicKey, value: Uint8Array): Uint8Array | undefined {
  if (!isUsableRsaKey(key) || value.length !== key.modulus.length) return undefined
  const modulus = numberOf(key.modulus)
  const base = numberOf(value)
  if (base >= modulus) return undefined
  let power = 1n
  for (const bit of numberOf(key.exponent).toString(2)) {
    power = (power * power) % modulus
    if (bit === '1') power = (power * base) % modulus
  }
  return fromHex(power.toString(16).padStart(2 * value.length, '0'))
}

/** ECDSA over the concatenated parts, as in `primitives.ts`. */
export function isEcdsaBy(
  key: EcPublicKey,
  hash: HashName,
  parts: readonly Uint8Array[],
  signature: Uint8Array,
  encoding: EcdsaEncoding,
): boolean {
  return isPointOn(key) && isEcdsaOfDigest(key, hashOf(hash, ...parts), signature, encoding)
}

const littleEndian = (octets: Uint8Array): bigint => numberOf(octets.toReversed())

/** Ed25519, as in `primitives.ts`: the library's own function multiplies by the cofactor. */
export function isEd25519By(key: Uint8Array, parts: readonly Uint8Array[], signature: Uint8Array): boolean {
  if (!isCanonicalEd25519Key(key) || signature.length !== ED25519_SIGNATURE_BYTES) return false
  const { Point } = ed25519
  const order = Point.Fn.ORDER
  const [commitment, s] = [signature.subarray(0, 32), littleEndian(signature.subarray(32))]
  if (s >= order) return false
  try {
    const challenge = littleEndian(hashOf('sha512', commitment, key, ...parts)) % order
    const expected = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(key).multiplyUnsafe(challenge))
    return equalBytes(expected.toBytes(), commitment)
  } catch {
    // The library has no error class for octets that are not a point.
    return false
  }
}

/** The ZLIB format, as in `primitives.ts`. @throws InflateError */
export function inflate(raw: Uint8Array, maxBytes: number, allowsCut = false): Uint8Array {
  return inflateBytes(raw, maxBytes, allowsCut)
}

/** AES-CBC of whole blocks, without padding. @throws RangeError */
export function encryptAesCbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  checkAesInput(key, iv, data)
  return cbc(key, iv, { disablePadding: true }).encrypt(data)
}

/** AES-CBC of whole blocks, without padding. @throws RangeError */
export function decryptAesCbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  checkAesInput(key, iv, data)
  return cbc(key, iv, { disablePadding: true }).decrypt(data)
}

/** Milliseconds of work since a moment of the past: a page can only tell the time that passed. */
export const workMs = (): number => performance.now()
