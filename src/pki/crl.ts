/** Reads and checks complete revocation lists in strict DER. RFC 5280 §5, §6.3. Fetches nothing. */
import { equalBytes, toHex } from '../lib/bytes.ts'
import {
  DerError,
  type DerNode,
  type Element,
  elementAt,
  elementsIn,
  expectTag,
  readBitOctets,
  readDer,
  readDerPrefix,
  readTime,
  TAG,
} from './der.ts'
import { OID } from './oid.ts'
import { isSignatureBy, signingError } from './signature-value.ts'
import { type Certificate, type Extension, nameText, readExtensions } from './x509.ts'

export interface RevokedCertificate {
  /** In the format of `Certificate.serial`. */
  serial: string
  revokedAt: Date
  /** CRLReason (RFC 5280 §5.3.1); undefined if the entry has none. */
  reason: number | undefined
}

/** Restrictions by issuingDistributionPoint (RFC 5280 §5.2.5). */
interface ListScope {
  onlyUserCertificates: boolean
  onlyAuthorities: boolean
  onlyAttributeCertificates: boolean
  onlySomeReasons: boolean
}

export interface RevocationList {
  der: Uint8Array
  /** What the issuer signed. */
  tbs: Uint8Array
  /** DER. */
  issuer: Uint8Array
  thisUpdate: Date
  nextUpdate: Date | undefined
  revoked: readonly RevokedCertificate[]
  /** cRLNumber, lower-case hex. */
  number: string | undefined
  scope: ListScope
  isDelta: boolean
  isIndirect: boolean
  /** OIDs of unknown critical extensions: the list must not be used (RFC 5280 §5.2). */
  unknownCritical: readonly string[]
  signatureAlgorithm: DerNode
  signature: Uint8Array
}

interface Entries {
  revoked: RevokedCertificate[]
  unknownCritical: Set<string>
  isIndirect: boolean
}

function readEntryExtensions(bytes: Uint8Array, entries: Entries): number | undefined {
  let reason: number | undefined
  for (const { id, critical, value } of readExtensions(readDer(bytes), 'an entry of a revocation list')) {
    if (id === OID.reasonCode) reason = expectTag(readDer(value), TAG.enumerated, 'the reason of a revocation').contents[0]
    else if (id === OID.certificateIssuer) entries.isIndirect = true
    else if (critical && id !== OID.invalidityDate) entries.unknownCritical.add(id)
  }
  return reason
}

/** Reads equal bytes once: many entries share their time and reason. */
function memoize<T>(read: (bytes: Uint8Array) => T): (bytes: Uint8Array) => T {
  const known = new Map<string, { value: T }>()
  return bytes => {
    const key = toHex(bytes)
    const found = known.get(key) ?? { value: read(bytes) }
    known.set(key, found)
    return found.value
  }
}

/** Builds no node tree, because a list can have hundreds of thousands of entries. */
function readEntries(bytes: Uint8Array): Entries {
  const entries: Entries = { revoked: [], unknownCritical: new Set(), isIndirect: false }
  const timeOf = memoize(encoded => readTime(readDer(encoded), 'the time of a revocation'))
  const reasonOf = memoize(encoded => readEntryExtensions(encoded, entries))
  for (let next = 0; next < bytes.length; ) {
    const entry = elementAt(bytes, next, bytes.length)
    next = entry.end
    if (entry.tag !== TAG.sequence) throw new DerError('an entry of a revocation list has the wrong type')
    const serial = elementAt(bytes, entry.start, entry.end)
    if (serial.tag !== TAG.integer || serial.start === serial.end) throw new DerError('a serial number has the wrong type')
    const time = elementAt(bytes, serial.end, entry.end)
    const extensions = time.end === entry.end ? undefined : bytes.subarray(time.end, entry.end)
    entries.revoked.push({
      serial: toHex(bytes.subarray(serial.start, serial.end)),
      revokedAt: timeOf(bytes.subarray(time.from, time.end)),
      reason: extensions && reasonOf(extensions),
    })
  }
  return entries
}

const isFlagSet = (parts: readonly DerNode[], tagNumber: number): boolean => {
  const part = parts.find(node => node.tag === (0x80 | tagNumber))
  return part?.contents.length === 1 && part.contents[0] === 0xff
}

type ListExtensions = Pick<RevocationList, 'number' | 'scope' | 'isDelta' | 'isIndirect'> & { unknownCritical: string[] }

function readListExtensions(extensions: readonly Extension[]): ListExtensions {
  const found: ListExtensions = {
    number: undefined,
    scope: { onlyUserCertificates: false, onlyAuthorities: false, onlyAttributeCertificates: false, onlySomeReasons: false },
    isDelta: false,
    isIndirect: false,
    unknownCritical: [],
  }
  for (const { id, critical, value } of extensions) {
    if (id === OID.cRLNumber) found.number = toHex(expectTag(readDer(value), TAG.integer, 'the CRL number').contents)
    else if (id === OID.deltaCRLIndicator) found.isDelta = true
    else if (id === OID.issuingDistributionPoint) {
      const parts = expectTag(readDer(value), TAG.sequence, 'the issuing distribution point').children
      found.scope = {
        onlyUserCertificates: isFlagSet(parts, 1),
        onlyAuthorities: isFlagSet(parts, 2),
        onlySomeReasons: parts.some(part => part.tag === 0x83),
        onlyAttributeCertificates: isFlagSet(parts, 5),
      }
      found.isIndirect = isFlagSet(parts, 4)
    } else if (critical && id !== OID.authorityKeyIdentifier) found.unknownCritical.push(id)
  }
  return found
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

/** TBSCertList (RFC 5280 §5.1.2), without its entries. */
function readFields(bytes: Uint8Array, tbs: Element): Fields {
  const parts = elementsIn(bytes, tbs.start, tbs.end)
  const encoded = (element: Element) => bytes.subarray(element.from, element.end)
  const takeOptional = (tag: number): Element | undefined => (parts[0]?.tag === tag ? parts.shift() : undefined)
  const take = (what: string, tag: number): DerNode => {
    const part = parts.shift()
    return expectTag(part && readDer(encoded(part)), tag, what)
  }
  const version = takeOptional(TAG.integer)
  if (version !== undefined && bytes[version.start] !== 1) throw new DerError('a revocation list is not version 2')
  const algorithm = take('the signature algorithm', TAG.sequence).encoded
  const issuer = take('the issuer', TAG.sequence).encoded
  nameText(issuer)
  const issueTime = parts.shift()
  const thisUpdate = readTime(issueTime && readDer(encoded(issueTime)), 'the time of issue')
  const nextTime = isTime(parts[0]) ? parts.shift() : undefined
  const entries = takeOptional(TAG.sequence)
  const extensions = takeOptional(0xa0)
  if (parts.length > 0) throw new DerError('a revocation list has an unexpected part')
  if (extensions !== undefined && version === undefined) throw new DerError('a revocation list of version 1 has extensions')
  return {
    algorithm,
    issuer,
    thisUpdate,
    nextUpdate: nextTime && readTime(readDer(encoded(nextTime)), 'the time of the next issue'),
    entries: entries === undefined ? new Uint8Array() : bytes.subarray(entries.start, entries.end),
    extensions: extensions && expectTag(readDer(encoded(extensions)).children[0], TAG.sequence, 'the extensions'),
  }
}

/** Reads one list in strict DER. @throws DerError, also when bytes follow the list */
export function readRevocationList(der: Uint8Array): RevocationList {
  const whole = elementAt(der, 0, der.length)
  if (whole.tag !== TAG.sequence || whole.end !== der.length) throw new DerError('this is not one certificate revocation list')
  const [tbs, outer, signatureValue, ...more] = elementsIn(der, whole.start, whole.end)
  if (tbs?.tag !== TAG.sequence || outer === undefined || signatureValue === undefined || more.length > 0) {
    throw new DerError('a revocation list has the wrong number of parts')
  }
  const fields = readFields(der, tbs)
  const algorithm = expectTag(readDer(der.subarray(outer.from, outer.end)), TAG.sequence, 'the signature algorithm')
  if (!equalBytes(fields.algorithm, algorithm.encoded)) {
    throw new DerError('a revocation list names two different signature algorithms')
  }
  const signature = readBitOctets(readDerPrefix(der.subarray(signatureValue.from)).node, 'the signature')
  const extensions = readListExtensions(readExtensions(fields.extensions, 'a revocation list'))
  const entries = readEntries(fields.entries)
  return {
    der,
    tbs: der.subarray(tbs.from, tbs.end),
    issuer: fields.issuer,
    thisUpdate: fields.thisUpdate,
    nextUpdate: fields.nextUpdate,
    revoked: entries.revoked,
    ...extensions,
    isIndirect: extensions.isIndirect || entries.isIndirect,
    unknownCritical: [...extensions.unknownCritical, ...entries.unknownCritical],
    signatureAlgorithm: algorithm,
    signature,
  }
}

/** Finds the entry of a certificate by its `Certificate.serial`. */
export function findRevocation(list: RevocationList, serial: string): RevokedCertificate | undefined {
  return list.revoked.find(entry => entry.serial === serial)
}

function signatureError(list: RevocationList, issuer: Certificate): string | undefined {
  const error = signingError(list.signatureAlgorithm, issuer.publicKey)
  if (error !== undefined) return `is signed in a way that is not accepted: ${error}`
  return isSignatureBy(issuer.publicKey, list.signatureAlgorithm, list.tbs, list.signature)
    ? undefined
    : 'does not carry the signature of its issuer'
}

function scopeError({ isDelta, isIndirect, unknownCritical, scope }: RevocationList): string | undefined {
  if (isDelta) return 'contains only changes to another list (delta)'
  if (isIndirect) return 'covers certificates of other issuers (indirect)'
  if (unknownCritical.length > 0) return `has a critical extension that is not understood (${unknownCritical.join(', ')})`
  if (scope.onlyAttributeCertificates) return 'covers attribute certificates only'
  if (scope.onlySomeReasons) return 'covers some revocation reasons only'
  return undefined
}

/** Completes "The revocation list …" if the list is not valid at `at`. RFC 5280 §6.3.3. */
export function revocationListError(list: RevocationList, issuer: Certificate, at: Date): string | undefined {
  if (!equalBytes(list.issuer, issuer.subject)) return `was not issued by ${nameText(issuer.subject)}`
  if (issuer.keyUsage !== undefined && !issuer.keyUsage.includes('cRLSign')) {
    return `was issued by ${nameText(issuer.subject)}, whose key usage does not allow it to sign lists (cRLSign)`
  }
  const error = scopeError(list) ?? signatureError(list, issuer)
  if (error !== undefined) return error
  if (at < list.thisUpdate) return `was not yet issued (${list.thisUpdate.toISOString()})`
  if (list.nextUpdate === undefined) return 'does not name the time of the next list (nextUpdate)'
  if (at > list.nextUpdate) return `expired on ${list.nextUpdate.toISOString()}`
  return undefined
}

/** True if the certificate's issuer issued the list and its scope includes the certificate. */
export function listCovers({ issuer, scope }: RevocationList, certificate: Certificate): boolean {
  if (!equalBytes(issuer, certificate.issuer)) return false
  return certificate.isAuthority ? !scope.onlyUserCertificates : !scope.onlyAuthorities
}
