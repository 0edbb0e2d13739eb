/** ECDSA over a digest, points and Ed448 in plain JavaScript. It has no secrets to keep. */
import { concatBytes } from './bytes.ts'
import type { CurveName, EcdsaEncoding, EcPublicKey } from './primitive-input.ts'

type Curve = typeof import('@noble/curves/nist.js')['p256']

// Loaded at first use, which takes 20 ms.
const nist = (): typeof import('@noble/curves/nist.js') => require('@noble/curves/nist.js')
const brainpool = (): typeof import('@noble/curves/misc.js') => require('@noble/curves/misc.js')

const CURVES: Readonly<Record<CurveName, () => Curve>> = {
  'P-256': () => nist().p256,
  'P-384': () => nist().p384,
  'P-521': () => nist().p521,
  brainpoolP256r1: () => brainpool().brainpoolP256r1,
  brainpoolP384r1: () => brainpool().brainpoolP384r1,
  brainpoolP512r1: () => brainpool().brainpoolP512r1,
}

/** ECDSA over a digest, FIPS 186-5 §6.4.2. */
export function isEcdsaOfDigest(
  { curve, point }: EcPublicKey,
  digest: Uint8Array,
  signature: Uint8Array,
  encoding: EcdsaEncoding,
): boolean {
  const arithmetic = CURVES[curve]()
  try {
    const format = encoding === 'der' ? 'der' : 'compact'
    return arithmetic.verify(signature, digest, point, { prehash: false, lowS: false, format })
  } catch {
    // The library has no error class for a point off the curve or a number out of range.
    return false
  }
}

/** SEC 1 §2.3.4, and not the point at infinity. */
export function isPointOn({ curve, point }: EcPublicKey): boolean {
  const arithmetic = CURVES[curve]()
  try {
    arithmetic.Point.fromBytes(point).assertValidity()
    return true
  } catch {
    // As above.
    return false
  }
}

/** Ed448 over the message, RFC 8032 §5.2. */
export function isEd448By(point: Uint8Array, parts: readonly Uint8Array[], signature: Uint8Array): boolean {
  const { ed448 }: typeof import('@noble/curves/ed448.js') = require('@noble/curves/ed448.js')
  try {
    return ed448.verify(signature, concatBytes(...parts), point, { zip215: false })
  } catch {
    // As above: the octets are not a point.
    return false
  }
}
