/**
 * Writes and signs the two certificates an installation makes for itself: a root, and under it the leaf that seals. RFC 5280 §4.
 * Keeps nothing; keys come in and certificates go out as DER.
 */
import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { cleanLine } from '../core/text.ts'
import { OID } from './certificate.ts'
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

/** X.509 signature algorithm of a signing key, SHA-256. */
function algorithmOf(key: KeyObject): Uint8Array {
  return key.asymmetricKeyType === 'rsa' ? sequence(oid(OID.sha256WithRsa), derNull()) : sequence(oid(OID.ecdsaWithSha256))
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

function extension(name: string, critical: boolean, value: Uint8Array): Uint8Array {
  return critical ? sequence(oid(name), derTrue(), octetString(value)) : sequence(oid(name), octetString(value))
}

/** Bits of KeyUsage as DER wants a named bit list: no trailing zero bits (X.690 §11.2.2). */
const ROOT_USAGE = bitString(Uint8Array.of(0b0000_0110), 1) // keyCertSign, cRLSign
const LEAF_USAGE = bitString(Uint8Array.of(0b1100_0000), 6) // digitalSignature, nonRepudiation

export interface CertificateOrder {
  kind: 'root' | 'leaf'
  subject: Uint8Array
  issuer: Uint8Array
  publicKey: KeyObject
  /** The private key that signs: the root's own for both kinds. */
  issuerKey: KeyObject
  notBefore: Date
  notAfter: Date
}

/** A signed certificate, DER. */
export function issueCertificate(order: CertificateOrder): Uint8Array {
  const publicKeyInfo = order.publicKey.export({ format: 'der', type: 'spki' })
  const issuerKeyInfo = createPublicKey(order.issuerKey).export({ format: 'der', type: 'spki' })
  const root = order.kind === 'root'
  const extensions = sequence(
    extension(OID.basicConstraints, true, root ? sequence(derTrue(), smallInteger(0)) : sequence()),
    extension(OID.keyUsage, true, root ? ROOT_USAGE : LEAF_USAGE),
    ...(root ? [] : [extension(OID.extendedKeyUsage, false, sequence(oid(OID.documentSigning), oid(OID.emailProtection)))]),
    extension(OID.subjectKeyIdentifier, false, octetString(keyIdentifier(publicKeyInfo))),
    extension(OID.authorityKeyIdentifier, false, sequence(taggedPrimitive(0, keyIdentifier(issuerKeyInfo)))),
  )
  const algorithm = algorithmOf(order.issuerKey)
  const tbs = sequence(
    tagged(0, smallInteger(2)),
    randomSerial(),
    algorithm,
    order.issuer,
    sequence(time(order.notBefore), time(order.notAfter)),
    order.subject,
    new Uint8Array(publicKeyInfo),
    tagged(3, extensions),
  )
  return der(TAG.sequence, tbs, algorithm, bitString(sign('sha256', tbs, order.issuerKey)))
}
