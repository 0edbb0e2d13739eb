/**
 * Reads and judges certificate revocation lists: X.509 v2 CertificateList, strictly DER. RFC 5280 §5 and §6.3.
 * Complete lists by the certificates' own issuer alone; delta and indirect lists are recognised and refused. Fetches nothing.
 */

import { DerError, type DerNode, expectTag, readDer, readDerPrefix, readOid, readTime, TAG } from './der.ts'
import { type Element, elementAt, elementsIn } from './der-walk.ts'
import { isSignatureBy, signingError } from './signature-value.ts'
import { type Certificate, nameText } from './x509.ts'

export const CRL_OID = {
  cRLNumber: '2.5.29.20',
  reasonCode: '2.5.29.21',
  invalidityDate: '2.5.29.24',
  deltaCRLIndicator: '2.5.29.27',
  issuingDistributionPoint: '2.5.29.28',
  certificateIssuer: '2.5.29.29',
  authorityKeyIdentifier: '2.5.29.35',
} as const

export interface RevokedCertificate {
  /** The INTEGER's contents, lower-case hex, as `Certificate.serial`. */
  serial: string
  at: Date
  /** CRLReason (RFC 5280 §5.3.1); undefined where none is named. */
  reason: number | undefined
}

/** What a list speaks of, where its issuingDistributionPoint narrows it (RFC 5280 §5.2.5). */
export interface ListScope {
  onlyUserCertificates: boolean
  onlyAuthorities: boolean
  onlyAttributeCertificates: boolean
  onlySomeReasons: boolean
}

export interface RevocationList {
  der: Uint8Array
  /** What the issuer signed. */
  tbs: Uint8Array
  /** Name in DER. */
  issuer: Uint8Array
  thisUpdate: Date
  nextUpdate: Date | undefined
  revoked: readonly RevokedCertificate[]
  /** cRLNumber as lower-case hex; undefined where it is absent. */
  number: string | undefined
  scope: ListScope
  isDelta: boolean
  isIndirect: boolean
  /** Critical extensions of the list or of an entry that nothing here processes (RFC 5280 §5.2: the list must not be used). */
  unknownCritical: readonly string[]
  signatureAlgorithm: DerNode
  signature: Uint8Array
}

interface Extension {
  name: string
  critical: boolean
  value: Uint8Array
}

function readExtensions(list: DerNode | undefined): Extension[] {
  const seen = new Set<string>()
  return (list?.children ?? []).map(extension => {
    const [id, second, third] = expectTag(extension, TAG.sequence, 'an extension').children
    const name = readOid(id, 'the name of an extension')
    if (seen.has(name)) throw new DerError('a revocation list has one extension twice')
    seen.add(name)
    const isFlag = second?.tag === TAG.boolean
    const critical = isFlag && second.contents[0] === 0xff
    return { name, critical, value: expectTag(isFlag ? third : second, TAG.octetString, 'the value of an extension').contents }
  })
}

/** Entries are read one after another without a tree of the whole list: some hold hundreds of thousands. */
interface Entries {
  revoked: RevokedCertificate[]
  unknownCritical: Set<string>
  isIndirect: boolean
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')

function readEntryExtensions(bytes: Uint8Array, into: Entries): number | undefined {
  let reason: number | undefined
  for (const { name, critical, value } of readExtensions(readDer(bytes))) {
    if (name === CRL_OID.reasonCode) reason = expectTag(readDer(value), 0x0a, 'the reason of a revocation').contents[0]
    else if (name === CRL_OID.certificateIssuer) into.isIndirect = true
    else if (critical && name !== CRL_OID.invalidityDate) into.unknownCritical.add(name)
  }
  return reason
}

/** Many entries share their time and their reason: each distinct one is read once. */
function once<T>(read: (bytes: Uint8Array) => T): (bytes: Uint8Array) => T {
  const known = new Map<string, { value: T }>()
  return bytes => {
    const id = hex(bytes)
    const found = known.get(id) ?? { value: read(bytes) }
    known.set(id, found)
    return found.value
  }
}

function readEntries(bytes: Uint8Array): Entries {
  const entries: Entries = { revoked: [], unknownCritical: new Set(), isIndirect: false }
  const timeOf = once(encoded => readTime(readDer(encoded), 'the time of a revocation'))
  const reasonOf = once(encoded => readEntryExtensions(encoded, entries))
  for (let next = 0; next < bytes.length; ) {
    const entry = elementAt(bytes, next, bytes.length)
    next = entry.end
    if (entry.tag !== TAG.sequence) throw new DerError('an entry of a revocation list is of a wrong type')
    const serial = elementAt(bytes, entry.start, entry.end)
    if (serial.tag !== TAG.integer || serial.start === serial.end) throw new DerError('a serial number is of a wrong type')
    const at = elementAt(bytes, serial.end, entry.end)
    const extensions = at.end === entry.end ? undefined : bytes.subarray(at.end, entry.end)
    entries.revoked.push({
      serial: hex(bytes.subarray(serial.start, serial.end)),
      at: timeOf(bytes.subarray(at.from, at.end)),
      reason: extensions && reasonOf(extensions),
    })
  }
  return entries
}

const flag = (parts: readonly DerNode[], n: number): boolean => {
  const part = parts.find(node => node.tag === (0x80 | n))
  return part?.contents.length === 1 && part.contents[0] === 0xff
}

type Bounds = Pick<RevocationList, 'number' | 'scope' | 'isDelta' | 'isIndirect'> & { unknown: string[] }

function readBounds(extensions: readonly Extension[]): Bounds {
  const bounds: Bounds = {
    number: undefined,
    scope: { onlyUserCertificates: false, onlyAuthorities: false, onlyAttributeCertificates: false, onlySomeReasons: false },
    isDelta: false,
    isIndirect: false,
    unknown: [],
  }
  for (const { name, critical, value } of extensions) {
    if (name === CRL_OID.cRLNumber) bounds.number = hex(expectTag(readDer(value), TAG.integer, 'the CRL number').contents)
    else if (name === CRL_OID.deltaCRLIndicator) bounds.isDelta = true
    else if (name === CRL_OID.issuingDistributionPoint) {
      const parts = expectTag(readDer(value), TAG.sequence, 'the issuing distribution point').children
      bounds.scope = {
        onlyUserCertificates: flag(parts, 1),
        onlyAuthorities: flag(parts, 2),
        onlySomeReasons: parts.some(part => part.tag === 0x83),
        onlyAttributeCertificates: flag(parts, 5),
      }
      bounds.isIndirect = flag(parts, 4)
    } else if (critical && name !== CRL_OID.authorityKeyIdentifier) bounds.unknown.push(name)
  }
  return bounds
}

interface Fields {
  algorithm: Uint8Array
  issuer: Uint8Array
  thisUpdate: Date
  nextUpdate: Date | undefined
  /** The contents of revokedCertificates. */
  entries: Uint8Array
  extensions: DerNode | undefined
}

const isTime = (element: Element | undefined): boolean => element?.tag === TAG.utcTime || element?.tag === TAG.generalizedTime

/** TBSCertList (RFC 5280 §5.1.2), its entries left as they stand. */
function readFields(bytes: Uint8Array, tbs: Element): Fields {
  const parts = elementsIn(bytes, tbs.start, tbs.end)
  const encoded = (element: Element) => bytes.subarray(element.from, element.end)
  const next = (tag: number): Element | undefined => (parts[0]?.tag === tag ? parts.shift() : undefined)
  const demand = (what: string, tag: number): DerNode => {
    const part = parts.shift()
    return expectTag(part && readDer(encoded(part)), tag, what)
  }
  const version = next(TAG.integer)
  if (version !== undefined && bytes[version.start] !== 1) throw new DerError('a revocation list is not of version 2')
  const algorithm = demand('the signature algorithm', TAG.sequence).encoded
  const issuer = demand('the issuer', TAG.sequence).encoded
  nameText(issuer)
  const [update] = parts
  const thisUpdate = readTime(update && readDer(encoded(update)), 'the time of issue')
  parts.shift()
  const following = isTime(parts[0]) ? parts.shift() : undefined
  const entries = next(TAG.sequence)
  const extensions = next(0xa0)
  if (parts.length > 0) throw new DerError('a revocation list has a part that does not belong there')
  if (extensions !== undefined && version === undefined) throw new DerError('a revocation list of version 1 has extensions')
  return {
    algorithm,
    issuer,
    thisUpdate,
    nextUpdate: following && readTime(readDer(encoded(following)), 'the time of the next issue'),
    entries: entries === undefined ? new Uint8Array() : bytes.subarray(entries.start, entries.end),
    extensions: extensions && expectTag(readDer(encoded(extensions)).children[0], TAG.sequence, 'the extensions'),
  }
}

/** One list, strictly DER and nothing after it. Hundreds of thousands of entries take a fraction of a second. @throws DerError */
export function readRevocationList(der: Uint8Array): RevocationList {
  const whole = elementAt(der, 0, der.length)
  if (whole.tag !== TAG.sequence || whole.end !== der.length) throw new DerError('this is not one certificate revocation list')
  const [tbs, outer, value, ...more] = elementsIn(der, whole.start, whole.end)
  if (tbs?.tag !== TAG.sequence || outer === undefined || value === undefined || more.length > 0) {
    throw new DerError('a revocation list has a wrong number of parts')
  }
  const fields = readFields(der, tbs)
  const algorithm = expectTag(readDer(der.subarray(outer.from, outer.end)), TAG.sequence, 'the signature algorithm')
  if (Buffer.compare(fields.algorithm, algorithm.encoded) !== 0) {
    throw new DerError('a revocation list names two different signature algorithms')
  }
  const signature = expectTag(readDerPrefix(der.subarray(value.from)).node, TAG.bitString, 'the signature').contents
  if (signature[0] !== 0) throw new DerError('a signature does not end with a whole octet')
  const { unknown, ...bounds } = readBounds(readExtensions(fields.extensions))
  const entries = readEntries(fields.entries)
  return {
    der,
    tbs: der.subarray(tbs.from, tbs.end),
    issuer: fields.issuer,
    thisUpdate: fields.thisUpdate,
    nextUpdate: fields.nextUpdate,
    revoked: entries.revoked,
    ...bounds,
    isIndirect: bounds.isIndirect || entries.isIndirect,
    unknownCritical: [...unknown, ...entries.unknownCritical],
    signatureAlgorithm: algorithm,
    signature: signature.subarray(1),
  }
}

/** The entry of a serial number (lower-case hex of the INTEGER's contents), where the list has one. */
export function findRevocation(list: RevocationList, serial: string): RevokedCertificate | undefined {
  return list.revoked.find(entry => entry.serial === serial)
}

export const isRevoked = (list: RevocationList, serial: string): boolean => findRevocation(list, serial) !== undefined

function signatureFault(list: RevocationList, issuer: Certificate): string | undefined {
  const fault = signingError(list.signatureAlgorithm, issuer.publicKey)
  if (fault !== undefined) return `is signed in a way that is not accepted: ${fault}`
  return isSignatureBy(issuer.publicKey, list.signatureAlgorithm, list.tbs, list.signature)
    ? undefined
    : 'does not carry the signature of its issuer'
}

function kindFault({ isDelta, isIndirect, unknownCritical, scope }: RevocationList): string | undefined {
  if (isDelta) return 'holds changes to another list only (delta)'
  if (isIndirect) return 'speaks for other issuers (indirect)'
  if (unknownCritical.length > 0) return `has a critical extension that is not understood (${unknownCritical.join(', ')})`
  if (scope.onlyAttributeCertificates) return 'speaks of attribute certificates only'
  if (scope.onlySomeReasons) return 'speaks of some reasons for revocation only'
  return undefined
}

/**
 * Why a list by `issuer` cannot be relied on at `at`, as the end of a sentence that begins "The revocation list"; undefined when it can.
 * RFC 5280 §6.3.3. Whether it speaks of a certain certificate is asked of `listCovers`.
 */
export function revocationListError(list: RevocationList, issuer: Certificate, at: Date): string | undefined {
  if (Buffer.compare(list.issuer, issuer.subject) !== 0) return `is not by ${nameText(issuer.subject)}`
  if (issuer.keyUsage !== undefined && !issuer.keyUsage.includes('cRLSign')) {
    return `is by ${nameText(issuer.subject)}, whose key usage does not allow it (cRLSign)`
  }
  const kind = kindFault(list) ?? signatureFault(list, issuer)
  if (kind !== undefined) return kind
  if (at < list.thisUpdate) return `was not yet issued (${list.thisUpdate.toISOString()})`
  if (list.nextUpdate === undefined) return 'does not say when the next one is issued (nextUpdate)'
  if (at > list.nextUpdate) return `is out of date since ${list.nextUpdate.toISOString()}`
  return undefined
}

/** Whether the list speaks of such a certificate: its issuer's, and of its kind where the list is narrowed to one. */
export function listCovers({ issuer, scope }: RevocationList, certificate: Certificate): boolean {
  if (Buffer.compare(issuer, certificate.issuer) !== 0) return false
  return certificate.isAuthority ? !scope.onlyUserCertificates : !scope.onlyAuthorities
}
