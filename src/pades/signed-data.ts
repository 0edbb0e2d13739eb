/** Reads CMS SignedData with one signer, of a signature or a time-stamp. RFC 5652 §5, RFC 5035. */
import { compareBytes, equalBytes, toHex } from '../lib/bytes.ts'
import { type Remark, remark } from '../locales/remarks.ts'
import { digestOf, type Hash, readHash, readSignatureScheme, type SignatureScheme, UnsupportedError } from '../pki/algorithm.ts'
import { DerError, type DerNode, der, expectTag, readDer, readOid, TAG } from '../pki/der.ts'
import { CMS_OID, OID } from '../pki/oid.ts'
import { verifySignature } from '../pki/signature-value.ts'
import { type Certificate, findExtension, readCertificate } from '../pki/x509.ts'

export interface SignedData {
  /** False if it was read as BER. */
  isDer: boolean
  certificates: readonly Certificate[]
  /** Why certificates could not be read; clauses. */
  unreadable: readonly string[]
  version: number
  digestAlgorithms: readonly DerNode[]
  contentType: string
  /** eContent; undefined if it is detached. */
  content: Uint8Array | undefined
  hasRevocationLists: boolean
  signer: SignerInfo
}

interface SignerInfo {
  version: number
  identifier: DerNode
  digestAlgorithm: DerNode
  signedAttributes: DerNode | undefined
  signatureAlgorithm: DerNode
  signature: Uint8Array
  unsignedAttributes: readonly DerNode[]
}

/** [0] IMPLICIT SubjectKeyIdentifier of SignerIdentifier. */
const KEY_IDENTIFIER_TAG = 0x80

const readVersion = (node: DerNode | undefined, what: string): number => {
  const { contents } = expectTag(node, TAG.integer, what)
  return contents.length === 1 ? (contents[0] ?? 0) : Number.NaN
}

function readSignerInfo(node: DerNode): SignerInfo {
  const parts = [...expectTag(node, TAG.sequence, 'SignerInfo').children]
  const version = readVersion(parts.shift(), 'the version of SignerInfo')
  const identifier = parts.shift()
  const digestAlgorithm = expectTag(parts.shift(), TAG.sequence, 'digestAlgorithm')
  const signedAttributes = parts[0]?.tag === 0xa0 ? parts.shift() : undefined
  const signatureAlgorithm = expectTag(parts.shift(), TAG.sequence, 'signatureAlgorithm')
  const signature = expectTag(parts.shift(), TAG.octetString, 'the signature value').contents
  const unsigned = parts[0]?.tag === 0xa1 ? parts.shift() : undefined
  if (identifier === undefined || parts.length > 0) throw new DerError('SignerInfo has a wrong structure')
  return {
    version,
    identifier,
    digestAlgorithm,
    signedAttributes,
    signatureAlgorithm,
    signature,
    unsignedAttributes: unsigned?.children ?? [],
  }
}

function readCertificates(nodes: readonly DerNode[]): Pick<SignedData, 'certificates' | 'unreadable'> {
  const certificates: Certificate[] = []
  const unreadable: string[] = []
  for (const node of nodes) {
    try {
      certificates.push(readCertificate(node.encoded))
    } catch (error) {
      if (!(error instanceof DerError)) throw error
      unreadable.push(error.message)
    }
  }
  return { certificates, unreadable }
}

function readContent([, wrapped, more]: readonly DerNode[]): Uint8Array {
  if (wrapped?.tag !== 0xa0 || wrapped.children.length !== 1 || more !== undefined)
    throw new DerError('eContent has a wrong structure')
  return expectTag(wrapped.children[0], TAG.octetString, 'eContent').contents
}

/** Reads ContentInfo with SignedData of this content type. @throws DerError */
export function readSignedData({ node, isDer }: { node: DerNode; isDer: boolean }, contentType: string): SignedData {
  const [type, wrapped] = expectTag(node, TAG.sequence, 'ContentInfo').children
  if (readOid(type, 'the content type') !== CMS_OID.signedData) throw new DerError('it is not SignedData')
  if (node.children.length !== 2 || wrapped?.tag !== 0xa0 || wrapped.children.length !== 1)
    throw new DerError('ContentInfo has a wrong structure')
  const parts = [...expectTag(wrapped.children[0], TAG.sequence, 'SignedData').children]
  const version = readVersion(parts.shift(), 'the version of SignedData')
  const digestAlgorithms = expectTag(parts.shift(), TAG.set, 'digestAlgorithms').children
  const content = expectTag(parts.shift(), TAG.sequence, 'encapContentInfo').children
  if (readOid(content[0], 'eContentType') !== contentType) throw new DerError('its content is of another type')
  const certificates = parts[0]?.tag === 0xa0 ? parts.shift() : undefined
  const lists = parts[0]?.tag === 0xa1 ? parts.shift() : undefined
  const signers = expectTag(parts.shift(), TAG.set, 'signerInfos').children
  const [signer] = signers
  if (parts.length > 0) throw new DerError('SignedData has a wrong structure')
  if (signer === undefined || signers.length !== 1)
    throw new DerError(`it has ${signers.length} SignerInfo instead of exactly one`)
  return {
    isDer,
    ...readCertificates(certificates?.children ?? []),
    version,
    digestAlgorithms,
    contentType,
    content: content.length > 1 ? readContent(content) : undefined,
    hasRevocationLists: lists !== undefined,
    signer: readSignerInfo(signer),
  }
}

/** RFC 5652 §5.1, §5.3. Versions above 3 need certificates or lists that are not supported. */
export function hasValidVersions({ version, contentType, signer }: SignedData): boolean {
  const byKey = signer.identifier.tag === KEY_IDENTIFIER_TAG
  return signer.version === (byKey ? 3 : 1) && version === (byKey || contentType !== CMS_OID.data ? 3 : 1)
}

/** Occur at most once, with one value (RFC 5652 §11, RFC 5035 §5.4.1, RFC 6211 §2). */
const SINGLE_ATTRIBUTES: ReadonlySet<string> = new Set([
  CMS_OID.contentType,
  CMS_OID.messageDigest,
  CMS_OID.signingTime,
  CMS_OID.signingCertificate,
  CMS_OID.signingCertificateV2,
  CMS_OID.algorithmProtection,
])

/** The first value of each type. @throws DerError, also if a single attribute is repeated */
export function readAttributes(list: DerNode): Map<string, DerNode> {
  const found = new Map<string, DerNode>()
  for (const attribute of list.children) {
    const [type, values] = expectTag(attribute, TAG.sequence, 'a signed attribute').children
    const name = readOid(type, 'the type of a signed attribute')
    const [value, ...more] = expectTag(values, TAG.set, 'the values of a signed attribute').children
    if (attribute.children.length !== 2) throw new DerError('a signed attribute has a wrong structure')
    if (SINGLE_ATTRIBUTES.has(name)) {
      if (found.has(name)) throw new DerError(`a signed attribute occurs twice (${name})`)
      if (value === undefined || more.length > 0) throw new DerError(`a signed attribute has not exactly one value (${name})`)
    }
    if (value !== undefined && !found.has(name)) found.set(name, value)
  }
  return found
}

function hasKeyIdentifier(certificate: Certificate, identifier: Uint8Array): boolean {
  const extension = findExtension(certificate, OID.subjectKeyIdentifier)
  return extension !== undefined && equalBytes(readDer(extension.value).contents, identifier)
}

/** RFC 5652 §5.3: by issuer and serial number, or by subject key identifier. */
export function findSigner({ certificates, signer }: SignedData, known: readonly Certificate[] = []): Certificate | undefined {
  const { identifier } = signer
  const all = [...certificates, ...known]
  if (identifier.tag === KEY_IDENTIFIER_TAG) return all.find(one => hasKeyIdentifier(one, identifier.contents))
  const [issuer, serial] = identifier.tag === TAG.sequence ? identifier.children : []
  if (issuer === undefined || serial?.tag !== TAG.integer || identifier.children.length !== 2) return undefined
  const number = toHex(serial.contents)
  return all.find(one => one.serial === number && equalBytes(one.issuer, issuer.encoded))
}

/** @throws UnsupportedError, DerError if the two algorithms differ in the hash */
export function readAlgorithms({ signer }: SignedData): { hash: Hash; scheme: SignatureScheme } {
  const hash = readHash(signer.digestAlgorithm, 'digestAlgorithm')
  const scheme = readSignatureScheme(signer.signatureAlgorithm, hash)
  if ('hash' in scheme && scheme.hash !== hash)
    throw new DerError('the signature algorithm names another hash than the digest algorithm')
  return { hash, scheme }
}

/** RFC 5652 §5.1 allows other digest algorithms. Seals made here have exactly the signer's. */
export const hasOnlySignerDigest = ({ digestAlgorithms: [only, ...more], signer }: SignedData): boolean =>
  only !== undefined && more.length === 0 && equalBytes(only.encoded, signer.digestAlgorithm.encoded)

export const isSorted = ({ children }: DerNode): boolean =>
  children.every((child, i) => i === 0 || compareBytes(children[i - 1]?.encoded ?? child.encoded, child.encoded) <= 0)

/** Attributes are signed as SET OF in DER (RFC 5652 §5.4), by some writers as they are. */
export function isSignedByKey(
  { signer }: SignedData,
  scheme: SignatureScheme,
  { publicKey }: Certificate,
  content: readonly Uint8Array[],
): boolean {
  const { signedAttributes: list, signature } = signer
  if (list === undefined) return verifySignature(scheme, publicKey, content, signature)
  if (verifySignature(scheme, publicKey, [der(TAG.set, list.contents)], signature)) return true
  if (isSorted(list)) return false
  const sorted = list.children.map(child => child.encoded).sort(compareBytes)
  return verifySignature(scheme, publicKey, [der(TAG.set, ...sorted)], signature)
}

/** ESSCertIDv2 (RFC 5035 §3), or ESSCertID with SHA-1 (RFC 2634 §5.4). */
function certificateHash(value: DerNode, version: 1 | 2): { hash: Hash; expected: Uint8Array } {
  const first = value.children[0]?.children[0]
  const parts = [...expectTag(first, TAG.sequence, 'ESSCertID').children]
  const algorithm = version === 2 && parts[0]?.tag === TAG.sequence ? parts.shift() : undefined
  const implied = version === 1 ? 'sha1' : 'sha256'
  return {
    hash: algorithm === undefined ? implied : readHash(algorithm, 'the hash of ESSCertIDv2'),
    expected: expectTag(parts[0], TAG.octetString, 'the hash of ESSCertID').contents,
  }
}

/** The attribute that names the signer. SHA-1 is sufficient here. */
export function signingCertificate(
  attributes: ReadonlyMap<string, DerNode>,
  signer: Certificate,
): 'missing' | 'other' | 'version 1' | 'version 2' {
  const newer = attributes.get(CMS_OID.signingCertificateV2)
  const older = attributes.get(CMS_OID.signingCertificate)
  const value = newer ?? older
  if (value === undefined) return 'missing'
  const { hash, expected } = certificateHash(value, newer === undefined ? 1 : 2)
  if (!equalBytes(digestOf(hash, signer.der), expected)) return 'other'
  return newer === undefined ? 'version 1' : 'version 2'
}

/** Runs a check and adds its error to `unsupported` or, after `what`, to `broken`. */
export function runCheck<T>(
  { broken, unsupported }: { broken: Remark[]; unsupported: Remark[] },
  code: 'cms_invalid' | 'token_refused',
  check: () => T,
): T | undefined {
  try {
    return check()
  } catch (error) {
    if (error instanceof UnsupportedError) unsupported.push(error.remark)
    else if (error instanceof DerError) broken.push(remark(code, { cause: error.message }))
    else throw error
    return undefined
  }
}
