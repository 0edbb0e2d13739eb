/** What both implementations of the cryptographic primitives take, and what they refuse alike. */

export type HashName =
  | 'md5'
  | 'sha1'
  | 'sha224'
  | 'sha256'
  | 'sha384'
  | 'sha512'
  | 'sha512-256'
  | 'sha3-256'
  | 'sha3-384'
  | 'sha3-512'
  | 'shake256'

/** The octets of a digest by SHAKE256, as RFC 8419 §2.3 requires of CMS. */
export const SHAKE256_BYTES = 64

/** RFC 8017 §3.1. Unsigned, without zeros in front. */
export interface RsaPublicKey {
  modulus: Uint8Array
  exponent: Uint8Array
}

/** FIPS 186-5, RFC 5639. */
export type CurveName = 'P-256' | 'P-384' | 'P-521' | 'brainpoolP256r1' | 'brainpoolP384r1' | 'brainpoolP512r1'

/** `point`: compressed or not, SEC 1 §2.3.3. */
export interface EcPublicKey {
  curve: CurveName
  point: Uint8Array
}

/** `der`: a SEQUENCE of r and s, RFC 3279 §2.2.3; `plain`: both joined, TR-03111 §5.2.1. */
export type EcdsaEncoding = 'der' | 'plain'

const MIN_RSA_BITS = 512
const MAX_RSA_BITS = 16_384
const MAX_EXPONENT_BITS = 33

export const bitLength = (number: Uint8Array): number =>
  number.length === 0 ? 0 : number.length * 8 - Math.clz32((number[0] ?? 0) << 24)

const isOdd = (number: Uint8Array): boolean => ((number.at(-1) ?? 0) & 1) === 1

/** The public operation is bounded: a signature costs little whatever its key is. */
export function isUsableRsaKey({ modulus, exponent }: RsaPublicKey): boolean {
  const [modulusBits, exponentBits] = [bitLength(modulus), bitLength(exponent)]
  const isBounded = modulusBits >= MIN_RSA_BITS && modulusBits <= MAX_RSA_BITS && exponentBits <= MAX_EXPONENT_BITS
  return isBounded && exponentBits > 1 && isOdd(modulus) && isOdd(exponent)
}

export const ED25519_KEY_BYTES = 32
export const ED25519_SIGNATURE_BYTES = 64

/** The prime of the field is 2^255 − 19. */
const LOWEST_OF_PRIME = 0xed

/**
 * RFC 8032 §5.1.3: y is below the prime, and x is not both 0 and odd. Libraries differ on keys that
 * break this, and only those who made such a key gain by it.
 */
export function isCanonicalEd25519Key(key: Uint8Array): boolean {
  if (key.length !== ED25519_KEY_BYTES) return false
  const [lowest = 0, highest = 0] = [key[0], key[31]]
  const middle = key.subarray(1, 31)
  const isHigh = (highest & 0x7f) === 0x7f && middle.every(octet => octet === 0xff)
  if (isHigh && lowest >= LOWEST_OF_PRIME) return false
  const isOne = (highest & 0x7f) === 0 && lowest === 1 && middle.every(octet => octet === 0)
  const isMinusOne = isHigh && lowest === LOWEST_OF_PRIME - 1
  return highest < 0x80 || !(isOne || isMinusOne)
}

const AES_BLOCK_BYTES = 16
const AES_KEY_BYTES = [16, 24, 32]

/** @throws RangeError, which no input of a caller that keeps the contract causes */
export function checkAesInput(key: Uint8Array, iv: Uint8Array, data: Uint8Array): void {
  if (!AES_KEY_BYTES.includes(key.length) || iv.length !== AES_BLOCK_BYTES || data.length % AES_BLOCK_BYTES !== 0)
    throw new RangeError('AES takes a key of 16, 24 or 32 octets and whole blocks of 16')
}
