/** Verifies RSA (RFC 8017 §8), ECDSA (FIPS 186-5 §6.4), EdDSA (RFC 8032). Not in constant time. */
import { concatBytes, equalBytes, uint32Bytes } from '../lib/bytes.ts'
import type { EcdsaEncoding } from '../lib/primitive-input.ts'
import { isEcdsaBy, isEd448By, isEd25519By, openRsa } from '../lib/primitives.ts'
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
import { DerError, type DerNode, derNull, octetString, oid, readDer, sequence, TAG } from './der.ts'
import { keyError, type PublicKey } from './public-key.ts'

type RsaKey = Extract<PublicKey, { kind: 'rsa' }>
type EcKey = Extract<PublicKey, { kind: 'ec' }>
type Parts = readonly Uint8Array[]

/** EMSA-PKCS1-v1_5, RFC 8017 §9.2. Comparing the whole encoding leaves no octet unchecked. */
function isPkcs1(key: RsaKey, hash: Hash, data: Parts, signature: Uint8Array): boolean {
  const opened = openRsa(key.key, signature)
  const [id] = Object.entries(HASHES).find(([, name]) => name === hash) ?? []
  if (opened === undefined || id === undefined) return false
  const info = sequence(sequence(oid(id), derNull()), octetString(digestOf(hash, ...data)))
  const padding = opened.length - info.length - 3
  if (padding < 8) return false
  const expected = concatBytes(Uint8Array.of(0, 1), new Uint8Array(padding).fill(0xff), Uint8Array.of(0), info)
  return equalBytes(opened, expected)
}

/** MGF1, RFC 8017 §B.2.1. */
function maskOf(hash: Hash, seed: Uint8Array, length: number): Uint8Array {
  const blocks: Uint8Array[] = []
  for (let counter = 0, made = 0; made < length; counter++) {
    const block = digestOf(hash, seed, uint32Bytes(counter))
    blocks.push(block)
    made += block.length
  }
  return concatBytes(...blocks).subarray(0, length)
}

/** EMSA-PSS-VERIFY, RFC 8017 §9.1.2, with exactly the named salt length. */
function isPss(key: RsaKey, { hash, maskHash, saltLength }: PssParameters, data: Parts, signature: Uint8Array): boolean {
  const opened = openRsa(key.key, signature)
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
  const block = Uint8Array.from(encoded.subarray(0, split))
  const unused = 8 * length - bits
  if ((block[0] ?? 0) >> (8 - unused) !== 0) return false
  const mask = maskOf(maskHash, check, split)
  for (let i = 0; i < split; i++) block[i] = (block[i] ?? 0) ^ (mask[i] ?? 0)
  block[0] = (block[0] ?? 0) & (0xff >> unused)
  if (block.subarray(0, padding).some(octet => octet !== 0) || block[padding] !== 1) return false
  return equalBytes(digestOf(hash, new Uint8Array(8), digest, block.subarray(padding + 1)), check)
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

function isEcdsa(
  key: EcKey,
  { hash, encoding }: { hash: Hash; encoding: EcdsaEncoding },
  data: Parts,
  signature: Uint8Array,
): boolean {
  if (encoding === 'der' && !isEcdsaValue(signature)) return false
  return isEcdsaBy({ curve: key.curve, point: key.bits }, hash, data, signature, encoding)
}

/** True if the key made the signature over the concatenated data. False for another key type. */
export function verifySignature(scheme: SignatureScheme, key: PublicKey, data: Parts, signature: Uint8Array): boolean {
  if (scheme.kind === 'rsa') return key.kind === 'rsa' && key.pssOnly === undefined && isPkcs1(key, scheme.hash, data, signature)
  if (scheme.kind === 'rsa-pss') return key.kind === 'rsa' && allowsPss(key, scheme) && isPss(key, scheme, data, signature)
  if (scheme.kind === 'ecdsa') return key.kind === 'ec' && isEcdsa(key, scheme, data, signature)
  if (scheme.kind === 'ed25519') return key.kind === 'ed25519' && isEd25519By(key.bits, data, signature)
  return key.kind === 'ed448' && isEd448By(key.bits, data, signature)
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
