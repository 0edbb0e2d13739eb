/** Verifies RSA (RFC 8017 §8), ECDSA (FIPS 186-5 §6.4), EdDSA (RFC 8032). Not in constant time. */
import { constants, createVerify, publicEncrypt, verify } from 'node:crypto'
import { englishOfRemark } from '../locales/remarks.ts'
import {
  digestOf,
  HASHES,
  type Hash,
  type PssParameters,
  readSignatureScheme,
  type SignatureScheme,
  schemeError,
} from './algorithm.ts'
import { DerError, type DerNode, derNull, equalBytes, octetString, oid, readDer, sequence, TAG } from './der.ts'
import { type Curve, keyError, type PublicKey } from './public-key.ts'

type RsaKey = Extract<PublicKey, { kind: 'rsa' }>
type EcKey = Extract<PublicKey, { kind: 'ec' }>
type Parts = readonly Uint8Array[]

/** Hashes with which Bun's crypto library verifies ECDSA. `curves.ts` does the others. */
const NATIVE_HASHES: ReadonlySet<Hash> = new Set(['sha1', 'sha224', 'sha256', 'sha384', 'sha512'])

/** RSAVP1: the encoded message; undefined if the value is not below the modulus. */
function openRsa({ key, modulusBits }: RsaKey, signature: Uint8Array): Uint8Array | undefined {
  if (signature.length !== Math.ceil(modulusBits / 8)) return undefined
  try {
    return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, signature)
  } catch {
    // The library has no error class for this. A value of the right length can only be too large.
    return undefined
  }
}

/** EMSA-PKCS1-v1_5, RFC 8017 §9.2. Comparing the whole encoding leaves no octet unchecked. */
function isPkcs1(key: RsaKey, hash: Hash, data: Parts, signature: Uint8Array): boolean {
  const opened = openRsa(key, signature)
  const [id] = Object.entries(HASHES).find(([, name]) => name === hash) ?? []
  if (opened === undefined || id === undefined) return false
  const info = sequence(sequence(oid(id), derNull()), octetString(digestOf(hash, ...data)))
  const padding = opened.length - info.length - 3
  if (padding < 8) return false
  const expected = Buffer.concat([Uint8Array.of(0, 1), Buffer.alloc(padding, 0xff), Uint8Array.of(0), info])
  return equalBytes(opened, expected)
}

/** MGF1, RFC 8017 §B.2.1. */
function maskOf(hash: Hash, seed: Uint8Array, length: number): Uint8Array {
  const blocks: Uint8Array[] = []
  for (let counter = 0, made = 0; made < length; counter++) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(counter)
    const block = digestOf(hash, seed, number)
    blocks.push(block)
    made += block.length
  }
  return Buffer.concat(blocks).subarray(0, length)
}

/** EMSA-PSS-VERIFY, RFC 8017 §9.1.2, with exactly the named salt length. */
function isPss(key: RsaKey, { hash, maskHash, saltLength }: PssParameters, data: Parts, signature: Uint8Array): boolean {
  const opened = openRsa(key, signature)
  if (opened === undefined) return false
  const bits = key.modulusBits - 1
  const length = Math.ceil(bits / 8)
  // The encoded message can be one octet shorter than the modulus. The first octet is then zero.
  if (opened.subarray(0, opened.length - length).some(octet => octet !== 0)) return false
  const encoded = opened.subarray(opened.length - length)
  const digest = digestOf(hash, ...data)
  const split = length - digest.length - 1
  const padding = split - saltLength - 1
  if (padding < 0 || encoded.at(-1) !== 0xbc) return false
  const check = encoded.subarray(split, -1)
  const block = Buffer.from(encoded.subarray(0, split))
  const unused = 8 * length - bits
  if ((block[0] ?? 0) >> (8 - unused) !== 0) return false
  const mask = maskOf(maskHash, check, split)
  for (let i = 0; i < split; i++) block[i] = (block[i] ?? 0) ^ (mask[i] ?? 0)
  block[0] = (block[0] ?? 0) & (0xff >> unused)
  if (block.subarray(0, padding).some(octet => octet !== 0) || block[padding] !== 1) return false
  return equalBytes(digestOf(hash, Buffer.alloc(8), digest, block.subarray(padding + 1)), check)
}

/** RFC 4055 §1.2: a key may be restricted to RSASSA-PSS with a hash and a minimum salt length. */
function allowsPss({ pssOnly }: RsaKey, { hash, maskHash, saltLength }: PssParameters): boolean {
  if (pssOnly === undefined || pssOnly === 'any') return true
  return pssOnly.hash === hash && pssOnly.maskHash === maskHash && saltLength >= pssOnly.saltLength
}

/** RFC 3279 §2.2.3: a SEQUENCE of exactly two INTEGERs. */
function isEcdsaValue(signature: Uint8Array): boolean {
  try {
    const node = readDer(signature)
    return node.tag === TAG.sequence && node.children.length === 2 && node.children.every(child => child.tag === TAG.integer)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

function isEcdsa(key: EcKey, scheme: { hash: Hash; encoding: 'der' | 'plain' }, data: Parts, signature: Uint8Array): boolean {
  const { hash, encoding } = scheme
  if (encoding === 'der' && !isEcdsaValue(signature)) return false
  if (key.key !== undefined && NATIVE_HASHES.has(hash)) {
    const verifier = createVerify(hash)
    for (const part of data) verifier.update(part)
    return verifier.verify({ key: key.key, dsaEncoding: encoding === 'der' ? 'der' : 'ieee-p1363' }, signature)
  }
  return isEcdsaOver(key.curve, key.bits, digestOf(hash, ...data), signature, encoding)
}

const concatenate = (parts: Parts): Uint8Array => (parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts))

/** True if the key made the signature over the concatenated data. False for another key type. */
export function verifySignature(scheme: SignatureScheme, key: PublicKey, data: Parts, signature: Uint8Array): boolean {
  if (scheme.kind === 'rsa') return key.kind === 'rsa' && key.pssOnly === undefined && isPkcs1(key, scheme.hash, data, signature)
  if (scheme.kind === 'rsa-pss') return key.kind === 'rsa' && allowsPss(key, scheme) && isPss(key, scheme, data, signature)
  if (scheme.kind === 'ecdsa') return key.kind === 'ec' && isEcdsa(key, scheme, data, signature)
  if (scheme.kind === 'ed25519') return key.kind === 'ed25519' && verify(null, concatenate(data), key.key, signature)
  return key.kind === 'ed448' && isEd448Over(key.bits, concatenate(data), signature)
}

/** Why an algorithm or a key is not accepted, as a clause; undefined if both are. */
export function signingError(algorithm: DerNode, key: PublicKey): string | undefined {
  try {
    const error = schemeError(readSignatureScheme(algorithm)) ?? keyError(key)
    return error && englishOfRemark(error)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    return error.message
  }
}

/** True if the key made the signature, and key and algorithm are accepted. */
export function isSignatureBy(key: PublicKey, algorithm: DerNode, data: Uint8Array, signature: Uint8Array): boolean {
  return signingError(algorithm, key) === undefined && verifySignature(readSignatureScheme(algorithm), key, [data], signature)
}

// Verifies what Bun's crypto library cannot. Curves are loaded at first use, which takes 20 ms.

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
function isEcdsaOver(
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
function isEd448Over(point: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  const { ed448 }: typeof import('@noble/curves/ed448.js') = require('@noble/curves/ed448.js')
  try {
    return ed448.verify(signature, data, point, { zip215: false })
  } catch {
    // As above: the octets are not a point.
    return false
  }
}
