/** Reads public keys and decides which are accepted. RFC 5280 §4.1.2.7, RFC 4055 §1.2, RFC 5480. */
import { trimZeros } from '../lib/bytes.ts'
import { bitLength, type CurveName, ED25519_KEY_BYTES, isUsableRsaKey, type RsaPublicKey } from '../lib/primitive-input.ts'
import { isEcPoint } from '../lib/primitives.ts'
import { type Remark, remark } from '../locales/remarks.ts'
import { algorithmName, type PssParameters, readPssParameters } from './algorithm.ts'
import { DerError, type DerNode, expectTag, readBitOctets, readDer, readOid, TAG } from './der.ts'
import { OID } from './oid.ts'

/** RFC 5480, RFC 5639. */
export const CURVES = {
  [OID.prime256v1]: 'P-256',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
  '1.3.36.3.3.2.8.1.1.7': 'brainpoolP256r1',
  '1.3.36.3.3.2.8.1.1.11': 'brainpoolP384r1',
  '1.3.36.3.3.2.8.1.1.13': 'brainpoolP512r1',
} as const satisfies Record<string, CurveName>

/** `bits`: subjectPublicKey; of an elliptic curve the point, of EdDSA the key itself. */
export type PublicKey = { bits: Uint8Array } & (
  | { kind: 'rsa'; key: RsaPublicKey; modulusBits: number; pssOnly: PssParameters | 'any' | undefined }
  | { kind: 'ec'; curve: CurveName }
  | { kind: 'ed25519' | 'ed448' }
  | { kind: 'unsupported'; name: string }
)

const ED448_BYTES = 57
const MIN_RSA_BITS = 2048

/** An INTEGER that is not negative. @throws DerError */
function readUnsigned(node: DerNode | undefined, what: string): Uint8Array {
  const { contents } = expectTag(node, TAG.integer, what)
  if (((contents[0] ?? 0x80) & 0x80) !== 0) throw new DerError(`${what} is negative`)
  return trimZeros(contents)
}

/** RSAPublicKey, RFC 8017 §A.1.1. @throws DerError */
function readRsa(bits: Uint8Array, pssOnly: PssParameters | 'any' | undefined): PublicKey {
  const { children } = expectTag(readDer(bits), TAG.sequence, 'the RSA key')
  if (children.length !== 2) throw new DerError('the RSA key has other parts than modulus and exponent')
  const key = { modulus: readUnsigned(children[0], 'the modulus'), exponent: readUnsigned(children[1], 'the exponent') }
  if (!isUsableRsaKey(key)) throw new DerError('the numbers of the RSA key are beyond their bounds')
  return { kind: 'rsa', bits, key, modulusBits: bitLength(key.modulus), pssOnly }
}

/** A point of a NIST curve is checked: a key that is none makes its certificate invalid. */
function readEc(bits: Uint8Array, parameters: DerNode | undefined): PublicKey {
  if (parameters?.tag !== TAG.oid) return { kind: 'unsupported', bits, name: 'a curve that is not named' }
  const id = readOid(parameters, 'the curve')
  const curve: CurveName | undefined = CURVES[id as keyof typeof CURVES]
  if (curve === undefined) return { kind: 'unsupported', bits, name: `the curve ${id}` }
  if (isNistCurve(curve) && !isEcPoint({ curve, point: bits })) throw new DerError('the public key is no point of its curve')
  return { kind: 'ec', bits, curve }
}

export const isNistCurve = (curve: CurveName): boolean => curve.startsWith('P-')

/** RFC 8410 §3. @throws DerError */
function readEd25519(bits: Uint8Array, parameters: DerNode | undefined): PublicKey {
  if (parameters !== undefined || bits.length !== ED25519_KEY_BYTES) throw new DerError('the Ed25519 key has another form')
  return { kind: 'ed25519', bits }
}

/** Reads SubjectPublicKeyInfo. A key type that is not supported is no error. @throws DerError */
export function readPublicKey(info: Uint8Array): PublicKey {
  const [algorithm, value, ...rest] = expectTag(readDer(info), TAG.sequence, 'the public key').children
  const [name, parameters] = expectTag(algorithm, TAG.sequence, 'the algorithm of the public key').children
  const id = readOid(name, 'the algorithm of the public key')
  const bits = readBitOctets(value, 'the public key')
  if (rest.length > 0) throw new DerError('the public key has more than two parts')
  if (id === OID.rsaEncryption) {
    if (parameters?.tag !== TAG.null) throw new DerError('the algorithm of the RSA key has other parameters than NULL')
    return readRsa(bits, undefined)
  }
  if (id === OID.rsassaPss) return readRsa(bits, parameters === undefined ? 'any' : readPssParameters(parameters))
  if (id === OID.ecPublicKey) return readEc(bits, parameters)
  if (id === OID.ed25519) return readEd25519(bits, parameters)
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
