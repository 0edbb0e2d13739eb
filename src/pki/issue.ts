/**
 * Writes and signs the two certificates an installation makes for itself: a root, and under it the leaf that seals. RFC 5280 §4.
 * Keeps nothing; keys come in and certificates go out as DER.
 */
import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { cleanLine } from '../core/text.ts'
import {
  bitString,
  derNull,
  derTrue,
  octetString,
  oid,
  readDer,
  sequence,
  setOf,
  smallInteger,
  tagged,
  taggedPrimitive,
  time,
  unsignedInteger,
  utf8String,
} from './der.ts'
import { OID } from './oid.ts'

/** X.520 upper bound of the name parts used here, in characters (RFC 5280 appendix A.1, ub-common-name, ub-organization-name). */
const NAME_CHARACTERS = 64

/** A distinguished name of organisation and common name, in UTF-8, so any script can stand in it. */
export function distinguishedName(organisation: string, common: string): Uint8Array {
  const part = (type: string, text: string) => setOf(sequence(oid(type), utf8String(text)))
  return sequence(part(OID.organizationName, shorten(organisation, '')), part(OID.commonName, common))
}

/** `text` with `suffix`, in at most 64 characters; the text gives way. Line breaks become blanks, invisible characters go. */
export function shorten(text: string, suffix: string): string {
  const clean = cleanLine(text.replace(/[\s\0]+/g, ' '))
  return `${[...clean]
    .slice(0, NAME_CHARACTERS - [...suffix].length)
    .join('')
    .trim()}${suffix}`
}

/** How an authority's key signs certificates and lists: the hash is as strong as the curve (RFC 5480 §4), SHA-256 for RSA. */
function algorithmOf(key: KeyObject): { identifier: Uint8Array; hash: 'sha256' | 'sha384' } {
  if (key.asymmetricKeyType === 'rsa') return { identifier: sequence(oid(OID.sha256WithRsa), derNull()), hash: 'sha256' }
  return ['secp384r1', 'P-384'].includes(key.asymmetricKeyDetails?.namedCurve ?? '')
    ? { identifier: sequence(oid(OID.ecdsaWithSha384)), hash: 'sha384' }
    : { identifier: sequence(oid(OID.ecdsaWithSha256)), hash: 'sha256' }
}

/** SEQUENCE of what is signed, the algorithm and the signature, as certificates and revocation lists are. `fields` gets the algorithm to name inside. */
export function signStructure(key: KeyObject, fields: (algorithm: Uint8Array) => Uint8Array): Uint8Array {
  const { identifier, hash } = algorithmOf(key)
  const tbs = fields(identifier)
  return sequence(tbs, identifier, bitString(sign(hash, tbs, key)))
}

/** The leftmost 160 bits of the SHA-256 of the public key's bits (RFC 7093 §2, method 1). */
function keyIdentifier(publicKeyInfo: Uint8Array): Uint8Array {
  const bits = readDer(publicKeyInfo).children[1]?.contents.subarray(1) ?? new Uint8Array()
  return createHash('sha256').update(bits).digest().subarray(0, 20)
}

/** 128 bits, the top two fixed so that it is positive and never shorter, the others random (RFC 5280 §4.1.2.2: at most 20 octets). */
function randomSerial(): Uint8Array {
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  return unsignedInteger(serial)
}

/** Names the key of the issuer, whose SubjectPublicKeyInfo this is (RFC 5280 §4.2.1.1). */
export function authorityKeyIdentifier(issuerKeyInfo: Uint8Array): Uint8Array {
  return extension(OID.authorityKeyIdentifier, false, sequence(taggedPrimitive(0, keyIdentifier(issuerKeyInfo))))
}

/** One distribution point with one address, which speaks for the certificate's own issuer and all reasons (RFC 5280 §4.2.1.13). */
function crlDistributionPoint(url: string): Uint8Array {
  const fullName = tagged(0, taggedPrimitive(6, new TextEncoder().encode(url)))
  return extension(OID.cRLDistributionPoints, false, sequence(sequence(tagged(0, fullName))))
}

/** An Extension (RFC 5280 §4.1). */
export function extension(name: string, critical: boolean, value: Uint8Array): Uint8Array {
  return critical ? sequence(oid(name), derTrue(), octetString(value)) : sequence(oid(name), octetString(value))
}

/** Bits of KeyUsage as DER wants a named bit list: no trailing zero bits (X.690 §11.2.2). */
const ROOT_USAGE = bitString(Uint8Array.of(0b0000_0110), 1) // keyCertSign, cRLSign
const LEAF_USAGE = bitString(Uint8Array.of(0b1100_0000), 6) // digitalSignature, nonRepudiation

export interface CertificateOptions {
  kind: 'root' | 'leaf'
  subject: Uint8Array
  issuer: Uint8Array
  publicKey: KeyObject
  /** The private key that signs: the root's own for both kinds. */
  issuerKey: KeyObject
  notBefore: Date
  notAfter: Date
  /** Where the issuer's revocation list can be fetched, in ASCII. */
  crlUrl?: string | undefined
}

/** A signed certificate, DER. */
export function issueCertificate(order: CertificateOptions): Uint8Array {
  const publicKeyInfo = order.publicKey.export({ format: 'der', type: 'spki' })
  const issuerKeyInfo = createPublicKey(order.issuerKey).export({ format: 'der', type: 'spki' })
  const root = order.kind === 'root'
  const extensions = sequence(
    extension(OID.basicConstraints, true, root ? sequence(derTrue(), smallInteger(0)) : sequence()),
    extension(OID.keyUsage, true, root ? ROOT_USAGE : LEAF_USAGE),
    ...(root ? [] : [extension(OID.extendedKeyUsage, false, sequence(oid(OID.documentSigning), oid(OID.emailProtection)))]),
    extension(OID.subjectKeyIdentifier, false, octetString(keyIdentifier(publicKeyInfo))),
    authorityKeyIdentifier(issuerKeyInfo),
    ...(order.crlUrl === undefined ? [] : [crlDistributionPoint(order.crlUrl)]),
  )
  return signStructure(order.issuerKey, algorithm =>
    sequence(
      tagged(0, smallInteger(2)),
      randomSerial(),
      algorithm,
      order.issuer,
      sequence(time(order.notBefore), time(order.notAfter)),
      order.subject,
      new Uint8Array(publicKeyInfo),
      tagged(3, extensions),
    ),
  )
}
