/** Reads public keys and decides which are accepted. RFC 5280 §4.1.2.7, RFC 4055 §1.2, RFC 5480. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { type Remark, remark } from '../locales/remarks.ts'
import { algorithmName, type PssParameters, readPssParameters } from './algorithm.ts'
import { DerError, type DerNode, derNull, expectTag, oid, readDer, readOid, sequence, TAG } from './der.ts'
import { OID } from './oid.ts'

/** RFC 5480, RFC 5639. */
export const CURVES = {
  [OID.prime256v1]: 'P-256',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
  '1.3.36.3.3.2.8.1.1.7': 'brainpoolP256r1',
  '1.3.36.3.3.2.8.1.1.11': 'brainpoolP384r1',
  '1.3.36.3.3.2.8.1.1.13': 'brainpoolP512r1',
} as const
export type Curve = (typeof CURVES)[keyof typeof CURVES]

/** `bits`: subjectPublicKey. `key`: undefined if Bun's crypto library cannot read it. */
export type PublicKey = { bits: Uint8Array } & (
  | { kind: 'rsa'; key: KeyObject; modulusBits: number; pssOnly: PssParameters | 'any' | undefined }
  | { kind: 'ec'; curve: Curve; key: KeyObject | undefined }
  | { kind: 'ed25519'; key: KeyObject }
  | { kind: 'ed448' }
  | { kind: 'unsupported'; name: string }
)

const ED448_BYTES = 57
const MIN_RSA_BITS = 2048

function importKey(info: Uint8Array): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(info), format: 'der', type: 'spki' })
  } catch (cause) {
    // The library throws no error class of its own.
    throw new DerError(`the public key cannot be read (${cause instanceof Error ? cause.message : String(cause)})`)
  }
}

function readRsa(key: KeyObject, bits: Uint8Array, pssOnly: PssParameters | 'any' | undefined): PublicKey {
  return { kind: 'rsa', bits, key, modulusBits: key.asymmetricKeyDetails?.modulusLength ?? 0, pssOnly }
}

function readEc(info: Uint8Array, bits: Uint8Array, parameters: DerNode | undefined): PublicKey {
  if (parameters?.tag !== TAG.oid) return { kind: 'unsupported', bits, name: 'a curve that is not named' }
  const id = readOid(parameters, 'the curve')
  const curve: Curve | undefined = CURVES[id as keyof typeof CURVES]
  if (curve === undefined) return { kind: 'unsupported', bits, name: `the curve ${id}` }
  return { kind: 'ec', bits, curve, key: curve.startsWith('P-') ? importKey(info) : undefined }
}

/** Reads SubjectPublicKeyInfo. A key type that is not supported is no error. @throws DerError */
export function readPublicKey(info: Uint8Array): PublicKey {
  const [algorithm, value] = expectTag(readDer(info), TAG.sequence, 'the public key').children
  const [name, parameters] = expectTag(algorithm, TAG.sequence, 'the algorithm of the public key').children
  const id = readOid(name, 'the algorithm of the public key')
  const bits = expectTag(value, TAG.bitString, 'the public key').contents.subarray(1)
  if (id === OID.rsaEncryption) return readRsa(importKey(info), bits, undefined)
  if (id === OID.rsassaPss) {
    const plain = sequence(sequence(oid(OID.rsaEncryption), derNull()), value?.encoded ?? new Uint8Array())
    return readRsa(importKey(plain), bits, parameters === undefined ? 'any' : readPssParameters(parameters))
  }
  if (id === OID.ecPublicKey) return readEc(info, bits, parameters)
  if (id === OID.ed25519) return { kind: 'ed25519', bits, key: importKey(info) }
  if (id === OID.ed448 && bits.length === ED448_BYTES) return { kind: 'ed448', bits }
  return { kind: 'unsupported', bits, name: algorithmName(id) }
}

/** Why a key is not supported, as a clause; undefined if it is. */
export const keyUnsupported = (key: PublicKey): Remark | undefined =>
  key.kind === 'unsupported' ? remark('key_unsupported', { name: key.name }) : undefined

/** Why a key is too weak or not supported, as a clause; undefined if it is accepted. */
export function keyError(key: PublicKey): Remark | undefined {
  if (key.kind === 'rsa' && key.modulusBits < MIN_RSA_BITS) return remark('rsa_too_short', { bits: key.modulusBits })
  return keyUnsupported(key)
}

/** For display: RSA-3072, ECDSA P-256. */
export function keyText(key: PublicKey): string {
  if (key.kind === 'rsa') return `RSA-${key.modulusBits}`
  if (key.kind === 'ec') return `ECDSA ${key.curve}`
  if (key.kind === 'unsupported') return key.name
  return key.kind === 'ed25519' ? 'Ed25519' : 'Ed448'
}
