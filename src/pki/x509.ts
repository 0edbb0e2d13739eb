/** Reads X.509 certificates from DER. RFC 5280 §4. `trust.ts` decides about trust. */

import { EMPTY_BYTES, equalBytes, fromBase64, toBase64, toHex, toLatin1 } from '../lib/bytes.ts'
import { hashOf } from '../lib/primitives.ts'
import { DerError, type DerNode, expectTag, readBitOctets, readDer, readDerPrefix, readOid, readTime, TAG } from './der.ts'
import { OID } from './oid.ts'
import { keyText, type PublicKey, readPublicKey } from './public-key.ts'

/** RFC 5280 §4.2.1.3, in the order of the bits. */
const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const
export type KeyUsage = (typeof KEY_USAGES)[number]

export interface Extension {
  id: string
  critical: boolean
  value: Uint8Array
}

export interface Certificate {
  der: Uint8Array
  /** What the issuer signed. */
  tbs: Uint8Array
  /** Contents of the INTEGER, lower-case hex. */
  serial: string
  /** DER. Names are compared octet by octet. */
  issuer: Uint8Array
  subject: Uint8Array
  notBefore: Date
  notAfter: Date
  publicKeyInfo: Uint8Array
  publicKey: PublicKey
  signatureAlgorithm: DerNode
  signature: Uint8Array
  extensions: readonly Extension[]
  /** Undefined without the extension: every use is allowed. */
  keyUsage: readonly KeyUsage[] | undefined
  extendedKeyUsage: readonly string[] | undefined
  isAuthority: boolean
  pathLength: number | undefined
  /** Critical extensions that are not understood: the certificate is rejected (RFC 5280 §4.2). */
  unknownCritical: readonly string[]
}

type Constraints = Pick<Certificate, 'keyUsage' | 'extendedKeyUsage' | 'isAuthority' | 'pathLength' | 'unknownCritical'>

/** Interpreted here, or without effect here although they may be critical (RFC 3739 §3.2.6). */
const UNDERSTOOD = new Set<string>([
  OID.keyUsage,
  OID.basicConstraints,
  OID.extendedKeyUsage,
  OID.certificatePolicies,
  OID.policyMappings,
  OID.policyConstraints,
  OID.inhibitAnyPolicy,
  OID.nameConstraints,
  OID.subjectAltName,
  OID.qcStatements,
])

/** Extensions of a certificate, a list or a list's entry, which `what` names. @throws DerError */
export function readExtensions(list: DerNode | undefined, what: string): Extension[] {
  const seen = new Set<string>()
  return (list?.children ?? []).map(extension => {
    const [name, second, third] = expectTag(extension, TAG.sequence, 'an extension').children
    const id = readOid(name, 'the name of an extension')
    if (seen.has(id)) throw new DerError(`${what} has one extension twice`)
    seen.add(id)
    const hasFlag = second?.tag === TAG.boolean
    const { contents: value } = expectTag(hasFlag ? third : second, TAG.octetString, 'the value of an extension')
    return { id, critical: hasFlag && second.contents[0] === 0xff, value }
  })
}

function readKeyUsage(value: DerNode): KeyUsage[] {
  const { contents } = expectTag(value, TAG.bitString, 'the key usage')
  const bits = contents.subarray(1)
  return KEY_USAGES.filter((_, i) => ((bits[i >> 3] ?? 0) & (0x80 >> (i & 7))) !== 0)
}

function readBasicConstraints(value: DerNode): Pick<Certificate, 'isAuthority' | 'pathLength'> {
  const [first, second] = expectTag(value, TAG.sequence, 'basicConstraints').children
  const isAuthority = first?.tag === TAG.boolean && first.contents[0] === 0xff
  const length = first?.tag === TAG.integer ? first : second
  return { isAuthority, pathLength: length?.tag === TAG.integer ? length.contents[0] : undefined }
}

function readConstraints(extensions: readonly Extension[]): Constraints {
  const readValue = (wanted: string): DerNode | undefined => {
    const found = extensions.find(({ id }) => id === wanted)
    return found && readDer(found.value)
  }
  const [usage, basic, extended] = [OID.keyUsage, OID.basicConstraints, OID.extendedKeyUsage].map(readValue)
  return {
    keyUsage: usage && readKeyUsage(usage),
    extendedKeyUsage: extended?.children.map(use => readOid(use, 'an extended key usage')),
    ...(basic ? readBasicConstraints(basic) : { isAuthority: false, pathLength: undefined }),
    unknownCritical: extensions.filter(({ id, critical }) => critical && !UNDERSTOOD.has(id)).map(({ id }) => id),
  }
}

const NAME_LABELS: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.42': 'GN',
  '2.5.4.97': 'organizationIdentifier',
  '1.2.840.113549.1.9.1': 'emailAddress',
}

function readText(node: DerNode | undefined): string {
  if (node === undefined) return ''
  if (node.tag === TAG.bmpString) return new TextDecoder('utf-16be').decode(node.contents)
  return new TextDecoder(node.tag === TAG.utf8String ? 'utf-8' : 'latin1').decode(node.contents)
}

function nameParts(name: Uint8Array): { label: string; text: string }[] {
  return readDer(name).children.flatMap(set =>
    expectTag(set, TAG.set, 'a part of a name').children.map(part => {
      const type = readOid(part.children[0], 'the type of a name part')
      return { label: NAME_LABELS[type] ?? type, text: readText(part.children[1]) }
    }),
  )
}

/** Checks every part of the name, so that `nameText` cannot fail later. */
function readName(node: DerNode | undefined, what: string): Uint8Array {
  const { encoded } = expectTag(node, TAG.sequence, what)
  nameParts(encoded)
  return encoded
}

/** Reads one certificate in strict DER. @throws DerError, also when bytes follow it */
export function readCertificate(der: Uint8Array): Certificate {
  const [tbs, algorithm, signature] = expectTag(readDer(der), TAG.sequence, 'a certificate').children
  const all = expectTag(tbs, TAG.sequence, 'the certificate to be signed').children
  const fields = all[0]?.tag === 0xa0 ? all.slice(1) : all
  const [serial, inner, issuer, validity, subject, publicKeyInfo, ...optional] = fields
  const outer = expectTag(algorithm, TAG.sequence, 'the signature algorithm')
  if (inner === undefined || !equalBytes(inner.encoded, outer.encoded)) {
    throw new DerError('a certificate names two different signature algorithms')
  }
  const [notBefore, notAfter] = expectTag(validity, TAG.sequence, 'the validity').children
  const info = expectTag(publicKeyInfo, TAG.sequence, 'the public key').encoded
  const extensions = readExtensions(optional.find(node => node.tag === 0xa3)?.children[0], 'a certificate')
  return {
    der,
    tbs: tbs?.encoded ?? new Uint8Array(),
    serial: toHex(expectTag(serial, TAG.integer, 'the serial number').contents),
    issuer: readName(issuer, 'the issuer'),
    subject: readName(subject, 'the subject'),
    notBefore: readTime(notBefore, 'the start of validity'),
    notAfter: readTime(notAfter, 'the end of validity'),
    publicKeyInfo: info,
    publicKey: readPublicKey(info),
    signatureAlgorithm: outer,
    signature: readBitOctets(signature, 'the signature'),
    extensions,
    ...readConstraints(extensions),
  }
}

/** `CN=…, O=…`, the most specific part first, with special characters escaped (RFC 4514 §2.4). */
export function nameText(name: Uint8Array): string {
  return nameParts(name)
    .reverse()
    .map(({ label, text }) => `${label}=${text.replace(/[\\,+"<>;]/g, '\\$&')}`)
    .join(', ')
}

/** The common name, or the whole name if it has none. */
export function commonName(name: Uint8Array): string {
  return nameParts(name).findLast(part => part.label === 'CN')?.text ?? nameText(name)
}

/** The organisation, or the common name if it names none. */
export function organisationName(name: Uint8Array): string {
  return nameParts(name).findLast(part => part.label === 'O')?.text ?? commonName(name)
}

/** SHA-256 of a certificate's DER, lower-case hex. */
export const fingerprint = (der: Uint8Array): string => toHex(hashOf('sha256', der))

/** A certificate for display. @throws DerError */
export function certificateSummary(der: Uint8Array) {
  const { subject, issuer, serial, publicKey, notBefore, notAfter } = readCertificate(der)
  return {
    subject: nameText(subject),
    issuer: nameText(issuer),
    serial,
    sha256: fingerprint(der),
    algorithm: `${keyText(publicKey)}, SHA-256`,
    notBefore,
    notAfter,
  }
}

export function certificatePem(der: Uint8Array): string {
  const lines = toBase64(der).replace(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

/** All certificates of a PEM text in order. Text between the blocks is ignored. */
export function certificatesOfPem(pem: string): Uint8Array[] {
  return [...pem.matchAll(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END/g)].map(
    match => fromBase64(match[1] ?? '') ?? EMPTY_BYTES,
  )
}

// Reads the certificates of a file, in PEM (RFC 7468 §5) or DER.

/** @throws DerError */
function splitDer(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const { node, end } = readDerPrefix(bytes.subarray(at))
    found.push(node.encoded)
    at += end
  }
  return found
}

export interface TrustFile {
  /** PEM. All of them, or the end-entity certificates alone if the file has both kinds. */
  pem: string
  /** Authorities in a file with end-entity certificates: they certify strangers too. */
  leftAside: number
}

/** The certificates to trust as signers, or why there is none, as a clause. */
export function readSignerTrustFile(bytes: Uint8Array): TrustFile | { error: string } {
  const found = readCertificates(bytes)
  if ('error' in found) return found
  const own = found.filter(({ isAuthority }) => !isAuthority)
  const trusted = own.length === 0 ? found : own
  return { pem: pemOf(trusted), leftAside: found.length - trusted.length }
}

/** All certificates as one PEM text, or why there is none, as a clause. */
export function readTrustFile(bytes: Uint8Array): { pem: string } | { error: string } {
  const found = readCertificates(bytes)
  return 'error' in found ? found : { pem: pemOf(found) }
}

const pemOf = (certificates: readonly Certificate[]): string => certificates.map(({ der }) => certificatePem(der)).join('')

function readCertificates(bytes: Uint8Array): Certificate[] | { error: string } {
  const text = toLatin1(bytes)
  const certificates: Certificate[] = []
  let count = 0
  try {
    for (const der of text.includes('-----BEGIN ') ? certificatesOfPem(text) : splitDer(bytes)) {
      count++
      certificates.push(readCertificate(der))
    }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    if (count > 0) return { error: `certificate ${count} in it cannot be read: ${error.message}` }
  }
  if (certificates.length === 0) return { error: 'it holds no certificate in PEM or DER' }
  return certificates
}

// Addresses of OCSP responders, CRLs and issuers. RFC 5280 §4.2.1.13, §4.2.2.1.

/** GeneralName, uniformResourceIdentifier [6] IMPLICIT IA5String. */
const URI_TAG = 0x86

export const findExtension = ({ extensions }: Certificate, id: string): Extension | undefined =>
  extensions.find(extension => extension.id === id)

const isHttp = (url: string): boolean => /^https?:\/\//i.test(url)
const urlOf = (node: DerNode | undefined): string[] =>
  node?.tag === URI_TAG ? [new TextDecoder('latin1').decode(node.contents)].filter(isHttp) : []

function accessUrls(certificate: Certificate, method: string): string[] {
  const extension = findExtension(certificate, OID.authorityInfoAccess)
  if (extension === undefined) return []
  return expectTag(readDer(extension.value), TAG.sequence, 'authorityInfoAccess').children.flatMap(description =>
    readOid(description.children[0], 'an access method') === method ? urlOf(description.children[1]) : [],
  )
}

/** HTTP addresses of OCSP responders. @throws DerError */
export const ocspUrls = (certificate: Certificate): string[] => accessUrls(certificate, OID.ocsp)

/** HTTP addresses of the issuer's certificate. @throws DerError */
export const issuerUrls = (certificate: Certificate): string[] => accessUrls(certificate, OID.caIssuers)

/** HTTP addresses of complete revocation lists by the certificate's issuer. @throws DerError */
export function revocationListUrls(certificate: Certificate): string[] {
  const extension = findExtension(certificate, OID.cRLDistributionPoints)
  if (extension === undefined) return []
  return expectTag(readDer(extension.value), TAG.sequence, 'cRLDistributionPoints').children.flatMap(point => {
    const name = point.children.find(node => node.tag === 0xa0)?.children.find(node => node.tag === 0xa0)
    // A point for some reasons only, or of another issuer, is not sufficient for the certificate.
    const isComplete = !point.children.some(node => node.tag === 0x81 || node.tag === 0xa2)
    return isComplete ? (name?.children ?? []).flatMap(urlOf) : []
  })
}
