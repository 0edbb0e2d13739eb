/** Verifies what Bun's crypto library cannot. Curves are loaded at first use, which takes 20 ms. */
import type { Curve } from './public-key.ts'

type EcdsaCurve = typeof import('@noble/curves/nist.js')['p256']

const nist = (): typeof import('@noble/curves/nist.js') => require('@noble/curves/nist.js')
const brainpool = (): typeof import('@noble/curves/misc.js') => require('@noble/curves/misc.js')

const CURVES: Readonly<Record<Curve, () => EcdsaCurve>> = {
  'P-256': () => nist().p256,
  'P-384': () => nist().p384,
  'P-521': () => nist().p521,
  brainpoolP256r1: () => brainpool().brainpoolP256r1,
  brainpoolP384r1: () => brainpool().brainpoolP384r1,
  brainpoolP512r1: () => brainpool().brainpoolP512r1,
}

/** ECDSA over a digest. `point`: octets of the public key; `plain`: r and s concatenated. */
export function isEcdsaOver(
  curve: Curve,
  point: Uint8Array,
  digest: Uint8Array,
  signature: Uint8Array,
  encoding: 'der' | 'plain',
): boolean {
  const format = encoding === 'der' ? 'der' : 'compact'
  const arithmetic = CURVES[curve]()
  try {
    return arithmetic.verify(signature, digest, point, { prehash: false, lowS: false, format })
  } catch {
    // The library has no error class for a point off the curve or a number out of range.
    return false
  }
}

/** Ed448 over the message, RFC 8032 §5.2. */
export function isEd448Over(point: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  const { ed448 }: typeof import('@noble/curves/ed448.js') = require('@noble/curves/ed448.js')
  try {
    return ed448.verify(signature, data, point, { zip215: false })
  } catch {
    // As above: the octets are not a point.
    return false
  }
}
