/**
 * Issues the two certificates of an instance, a root and a leaf that seals (RFC 5280 §4), and the
 * revocation list of an authority.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { cleanLine } from '../core/text.ts'
import type { Violation } from '../core/violation.ts'
import type { Random } from '../lib/machine.ts'
import { CodedError } from '../locales/violations.ts'
import type { RevokedCertificate } from './crl.ts'
import {
  bitString,
  der,
  derNull,
  derTrue,
  octetString,
  oid,
  readDer,
  sequence,
  setOf,
  smallInteger,
  TAG,
  tagged,
  taggedPrimitive,
  time,
  unsignedInteger,
  utf8String,
} from './der.ts'
import type { KeyAndCertificate } from './key.ts'
import { OID } from './oid.ts'
import { readCertificate } from './x509.ts'

/** ub-common-name and ub-organization-name, in characters (RFC 5280 appendix A.1). */
const MAX_NAME_LENGTH = 64

/** A distinguished name of organisation and common name, in UTF-8 for every script. */
export function distinguishedName(organisation: string, common: string): Uint8Array {
  const part = (type: string, text: string) => setOf(sequence(oid(type), utf8String(text)))
  return sequence(part(OID.organizationName, shortenName(organisation, '')), part(OID.commonName, common))
}

/** Truncates `text` to fit with `suffix` into 64 characters, without control characters. */
export function shortenName(text: string, suffix: string): string {
  const clean = cleanLine(text.replace(/[\s\0]+/g, ' '))
  return `${[...clean]
    .slice(0, MAX_NAME_LENGTH - [...suffix].length)
    .join('')
    .trim()}${suffix}`
}

/** The hash is as strong as the curve (RFC 5480 §4). RSA uses SHA-256. */
function algorithmOf(key: KeyObject): { identifier: Uint8Array; hash: 'sha256' | 'sha384' } {
  if (key.asymmetricKeyType === 'rsa') return { identifier: sequence(oid(OID.sha256WithRsa), derNull()), hash: 'sha256' }
  return ['secp384r1', 'P-384'].includes(key.asymmetricKeyDetails?.namedCurve ?? '')
    ? { identifier: sequence(oid(OID.ecdsaWithSha384)), hash: 'sha384' }
    : { identifier: sequence(oid(OID.ecdsaWithSha256)), hash: 'sha256' }
}

/** SEQUENCE { tbs, signatureAlgorithm, signature }, as in certificates and revocation lists. */
export function signStructure(key: KeyObject, makeTbs: (algorithm: Uint8Array) => Uint8Array): Uint8Array {
  const { identifier, hash } = algorithmOf(key)
  const tbs = makeTbs(identifier)
  return sequence(tbs, identifier, bitString(sign(hash, tbs, key)))
}

/** The leftmost 160 bits of the SHA-256 of the public key's bits (RFC 7093 §2, method 1). */
function keyIdentifier(publicKeyInfo: Uint8Array): Uint8Array {
  const bits = readDer(publicKeyInfo).children[1]?.contents.subarray(1) ?? new Uint8Array()
  return createHash('sha256').update(bits).digest().subarray(0, 20)
}

/** 126 random bits; the top two bits make it positive and of constant length. RFC 5280 §4.1.2.2. */
function randomSerial(random: Random): Uint8Array {
  const serial = random(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  return unsignedInteger(serial)
}

/** From the SubjectPublicKeyInfo of the issuer (RFC 5280 §4.2.1.1). */
export function authorityKeyIdentifier(issuerKeyInfo: Uint8Array): Uint8Array {
  return extension(OID.authorityKeyIdentifier, false, sequence(taggedPrimitive(0, keyIdentifier(issuerKeyInfo))))
}

/** One distribution point with one address, for all reasons (RFC 5280 §4.2.1.13). */
export function crlDistributionPoint(url: string): Uint8Array {
  const fullName = tagged(0, taggedPrimitive(6, new TextEncoder().encode(url)))
  return extension(OID.cRLDistributionPoints, false, sequence(sequence(tagged(0, fullName))))
}

export function extension(name: string, critical: boolean, value: Uint8Array): Uint8Array {
  return critical ? sequence(oid(name), derTrue(), octetString(value)) : sequence(oid(name), octetString(value))
}

/** KeyUsage, a named bit list without trailing zero bits (X.690 §11.2.2). */
const ROOT_USAGE = bitString(Uint8Array.of(0b0000_0110), 1) // keyCertSign, cRLSign
const LEAF_USAGE = bitString(Uint8Array.of(0b1100_0000), 6) // digitalSignature, nonRepudiation

export interface CertificateOptions {
  kind: 'root' | 'leaf'
  subject: Uint8Array
  issuer: Uint8Array
  publicKey: KeyObject
  /** The private key of the root. It signs both kinds. */
  issuerKey: KeyObject
  notBefore: Date
  notAfter: Date
  /** Address of the issuer's revocation list, in ASCII. */
  crlUrl?: string | undefined
  /** For the serial number. */
  random: Random
}

export function issueCertificate(options: CertificateOptions): Uint8Array {
  const publicKeyInfo = options.publicKey.export({ format: 'der', type: 'spki' })
  const issuerKeyInfo = createPublicKey(options.issuerKey).export({ format: 'der', type: 'spki' })
  const isRoot = options.kind === 'root'
  const extensions = sequence(
    extension(OID.basicConstraints, true, isRoot ? sequence(derTrue(), smallInteger(0)) : sequence()),
    extension(OID.keyUsage, true, isRoot ? ROOT_USAGE : LEAF_USAGE),
    ...(isRoot ? [] : [extension(OID.extendedKeyUsage, false, sequence(oid(OID.documentSigning), oid(OID.emailProtection)))]),
    extension(OID.subjectKeyIdentifier, false, octetString(keyIdentifier(publicKeyInfo))),
    authorityKeyIdentifier(issuerKeyInfo),
    ...(options.crlUrl === undefined ? [] : [crlDistributionPoint(options.crlUrl)]),
  )
  return signStructure(options.issuerKey, algorithm =>
    sequence(
      tagged(0, smallInteger(2)),
      randomSerial(options.random),
      algorithm,
      options.issuer,
      sequence(time(options.notBefore), time(options.notAfter)),
      options.subject,
      new Uint8Array(publicKeyInfo),
      tagged(3, extensions),
    ),
  )
}

// Issues the revocation list of an authority of this instance: complete, X.509 v2. RFC 5280 §5.

/** CRLReason (RFC 5280 §5.3.1): the reasons that apply to a seal certificate. */
export const REVOCATION_REASONS = { unspecified: 0, keyCompromise: 1, superseded: 4, cessationOfOperation: 5 } as const
export type RevocationReason = keyof typeof REVOCATION_REASONS

export interface RevocationListOptions {
  root: KeyAndCertificate
  thisUpdate: Date
  nextUpdate: Date
  /** cRLNumber, which increases with each list of the root. */
  number: number
  revoked: readonly RevokedCertificate[]
}

/** The reason `unspecified` is omitted (RFC 5280 §5.3.1). */
function encodeEntry({ serial, revokedAt, reason }: RevokedCertificate): Uint8Array {
  const parts = [der(TAG.integer, Buffer.from(serial, 'hex')), time(revokedAt)]
  if (reason) parts.push(sequence(extension(OID.reasonCode, false, der(TAG.enumerated, Uint8Array.of(reason)))))
  return sequence(...parts)
}

function encodeNumber(number: number): Uint8Array {
  const octets = Buffer.alloc(8)
  octets.writeBigUInt64BE(BigInt(number))
  return unsignedInteger(octets)
}

/** DER. revokedCertificates is omitted if it would be empty (RFC 5280 §5.1.2.6). */
export function issueRevocationList({ root, thisUpdate, nextUpdate, number, revoked }: RevocationListOptions): Uint8Array {
  const key = createPrivateKey({ key: Buffer.from(root.privateKeyPkcs8Der), format: 'der', type: 'pkcs8' })
  const issuerKeyInfo = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const extensions = sequence(authorityKeyIdentifier(issuerKeyInfo), extension(OID.cRLNumber, false, encodeNumber(number)))
  return signStructure(key, algorithm =>
    sequence(
      smallInteger(1),
      algorithm,
      readCertificate(root.certificateDer).subject,
      time(thisUpdate),
      time(nextUpdate),
      ...(revoked.length === 0 ? [] : [sequence(...revoked.map(encodeEntry))]),
      tagged(0, extensions),
    ),
  )
}

/** A key cannot seal. */
export class SealKeyError extends CodedError {
  override name = 'SealKeyError'
  /** What has to be entered anew. */
  readonly part: 'file' | 'passphrase'
  constructor(violation: Violation, { part = 'file', ...options }: ErrorOptions & { part?: 'file' | 'passphrase' } = {}) {
    super(violation, options)
    this.part = part
  }
}
