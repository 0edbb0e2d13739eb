/**
 * Reads CMS SignedData with one signer, whatever it signs: the CMS of a signature and the token of a time-stamp. RFC 5652 §5, RFC 5035.
 * Says what is there; what it must be is judged by the callers.
 */
import { digestOf, type Hash, readHash, readSignatureScheme, type SignatureScheme, UnsupportedError } from '../pki/algorithm.ts'
import { DerError, type DerNode, der, expectTag, readDer, readOid, TAG } from '../pki/der.ts'
import { CMS_OID } from '../pki/oid.ts'
import { verifySignature } from '../pki/signature-value.ts'
import { type Certificate, readCertificate } from '../pki/x509.ts'
import { findExtension } from '../pki/x509-extensions.ts'

export interface SignedData {
  /** False when it was read as BER. */
  isDer: boolean
  certificates: readonly Certificate[]
  /** Certificates that could not be read, with why. */
  unreadable: readonly string[]
  version: number
  digestAlgorithms: readonly DerNode[]
  contentType: string
  /** The octets of eContent; undefined when the content is elsewhere. */
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
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14'

const smallNumber = (node: DerNode | undefined, what: string): number => {
  const { contents } = expectTag(node, TAG.integer, what)
  return contents.length === 1 ? (contents[0] ?? 0) : Number.NaN
}

function readSignerInfo(node: DerNode): SignerInfo {
  const parts = [...expectTag(node, TAG.sequence, 'SignerInfo').children]
  const version = smallNumber(parts.shift(), 'the version of SignerInfo')
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

/** ContentInfo with SignedData over content of this type. @throws DerError */
export function readSignedData({ node, isDer }: { node: DerNode; isDer: boolean }, contentType: string): SignedData {
  const [type, wrapped] = expectTag(node, TAG.sequence, 'ContentInfo').children
  if (readOid(type, 'the content type') !== CMS_OID.signedData) throw new DerError('it is not SignedData')
  if (node.children.length !== 2 || wrapped?.tag !== 0xa0 || wrapped.children.length !== 1)
    throw new DerError('ContentInfo has a wrong structure')
  const parts = [...expectTag(wrapped.children[0], TAG.sequence, 'SignedData').children]
  const version = smallNumber(parts.shift(), 'the version of SignedData')
  const digestAlgorithms = expectTag(parts.shift(), TAG.set, 'digestAlgorithms').children
  const content = expectTag(parts.shift(), TAG.sequence, 'encapContentInfo').children
  if (readOid(content[0], 'eContentType') !== contentType) throw new DerError('its content is of another type')
  const certificates = parts[0]?.tag === 0xa0 ? parts.shift() : undefined
  const lists = parts[0]?.tag === 0xa1 ? parts.shift() : undefined
  const signers = expectTag(parts.shift(), TAG.set, 'signerInfos').children
  const [signer] = signers
  if (parts.length > 0) throw new DerError('SignedData has a wrong structure')
  if (signer === undefined || signers.length !== 1)
    throw new DerError(`it has ${signers.length} SignerInfo where exactly one must stand`)
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

/** RFC 5652 §5.1 and §5.3: the versions that follow from what is in it; version 4 and above need certificates or lists of other kinds. */
export function hasValidVersions({ version, contentType, signer }: SignedData): boolean {
  const byKey = signer.identifier.tag === KEY_IDENTIFIER_TAG
  return signer.version === (byKey ? 3 : 1) && version === (byKey || contentType !== CMS_OID.data ? 3 : 1)
}

/** Attributes that stand in the signed attributes at most once, with one value (RFC 5652 §11, RFC 5035 §5.4.1, RFC 6211 §2). */
const SINGLE_ATTRIBUTES: ReadonlySet<string> = new Set([
  CMS_OID.contentType,
  CMS_OID.messageDigest,
  CMS_OID.signingTime,
  CMS_OID.signingCertificate,
  CMS_OID.signingCertificateV2,
  CMS_OID.algorithmProtection,
])

/** The first value of each attribute type. @throws DerError when one that must have one value stands there twice or has none or several */
export function readAttributes(list: DerNode): Map<string, DerNode> {
  const found = new Map<string, DerNode>()
  for (const attribute of list.children) {
    const [type, values] = expectTag(attribute, TAG.sequence, 'a signed attribute').children
    const name = readOid(type, 'the type of a signed attribute')
    const [value, ...more] = expectTag(values, TAG.set, 'the values of a signed attribute').children
    if (attribute.children.length !== 2) throw new DerError('a signed attribute has a wrong structure')
    if (SINGLE_ATTRIBUTES.has(name)) {
      if (found.has(name)) throw new DerError(`a signed attribute stands there twice (${name})`)
      if (value === undefined || more.length > 0) throw new DerError(`a signed attribute has not exactly one value (${name})`)
    }
    if (value !== undefined && !found.has(name)) found.set(name, value)
  }
  return found
}

function hasKeyIdentifier(certificate: Certificate, identifier: Uint8Array): boolean {
  const extension = findExtension(certificate, SUBJECT_KEY_IDENTIFIER)
  return extension !== undefined && Buffer.compare(readDer(extension.value).contents, identifier) === 0
}

/** RFC 5652 §5.3: by issuer and serial number, or by subject key identifier. `known` are certificates at hand beside those in the CMS. */
export function findSigner({ certificates, signer }: SignedData, known: readonly Certificate[] = []): Certificate | undefined {
  const { identifier } = signer
  const all = [...certificates, ...known]
  if (identifier.tag === KEY_IDENTIFIER_TAG) return all.find(one => hasKeyIdentifier(one, identifier.contents))
  const [issuer, serial] = identifier.tag === TAG.sequence ? identifier.children : []
  if (issuer === undefined || serial?.tag !== TAG.integer || identifier.children.length !== 2) return undefined
  const number = Buffer.from(serial.contents).toString('hex')
  return all.find(one => one.serial === number && Buffer.compare(one.issuer, issuer.encoded) === 0)
}

/** The hash of the content and the scheme of the signature. @throws UnsupportedError by the algorithm's name; DerError when they contradict one another */
export function readAlgorithms({ signer }: SignedData): { hash: Hash; scheme: SignatureScheme } {
  const hash = readHash(signer.digestAlgorithm, 'digestAlgorithm')
  const scheme = readSignatureScheme(signer.signatureAlgorithm, hash)
  if ('hash' in scheme && scheme.hash !== hash)
    throw new DerError('the signature algorithm names another hash than the digest algorithm')
  return { hash, scheme }
}

/** RFC 5652 §5.1: digestAlgorithms names the one of the signer, octet by octet. Others may stand there too or none, which only our own form forbids. */
export const hasOnlySignerDigest = ({ digestAlgorithms: [only, ...more], signer }: SignedData): boolean =>
  only !== undefined && more.length === 0 && Buffer.compare(only.encoded, signer.digestAlgorithm.encoded) === 0

export const isSorted = ({ children }: DerNode): boolean =>
  children.every((child, i) => i === 0 || Buffer.compare(children[i - 1]?.encoded ?? child.encoded, child.encoded) <= 0)

/**
 * True when the signature is the key's: over the signed attributes, or over the content itself where there are none (RFC 5652 §5.4).
 * Signed is the SET OF in DER, not the [0] that stands in the CMS; writers that leave it unsorted have signed what they wrote, or sorted it first.
 */
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
  const sorted = list.children.map(child => child.encoded).sort(Buffer.compare)
  return verifySignature(scheme, publicKey, [der(TAG.set, ...sorted)], signature)
}

/** RFC 5035 §3: the first ESSCertIDv2 names the certificate used; version 1 does so by SHA-1 (RFC 2634 §5.4). */
function certificateHash(value: DerNode, version: 1 | 2): { hash: Hash; expected: Uint8Array } {
  const first = value.children[0]?.children[0]
  const parts = [...expectTag(first, TAG.sequence, 'ESSCertID').children]
  const algorithm = version === 2 && parts[0]?.tag === TAG.sequence ? parts.shift() : undefined
  const otherwise = version === 1 ? 'sha1' : 'sha256'
  return {
    hash: algorithm === undefined ? otherwise : readHash(algorithm, 'the hash of ESSCertIDv2'),
    expected: expectTag(parts[0], TAG.octetString, 'the hash of ESSCertID').contents,
  }
}

/** Whether signing-certificate-v2, or the older signing-certificate, names the certificate used. SHA-1 still tells one certificate from another there. */
export function signingCertificate(
  attributes: ReadonlyMap<string, DerNode>,
  signer: Certificate,
): 'missing' | 'other' | 'version 1' | 'version 2' {
  const newer = attributes.get(CMS_OID.signingCertificateV2)
  const older = attributes.get(CMS_OID.signingCertificate)
  const value = newer ?? older
  if (value === undefined) return 'missing'
  const { hash, expected } = certificateHash(value, newer === undefined ? 1 : 2)
  if (Buffer.compare(digestOf(hash, signer.der), expected) !== 0) return 'other'
  return newer === undefined ? 'version 1' : 'version 2'
}

/** Runs a check; what it throws goes where it belongs: not supported, or broken with this beginning of a sentence. */
export function runCheck<T>(
  { broken, unsupported }: { broken: string[]; unsupported: string[] },
  what: string,
  check: () => T,
): T | undefined {
  try {
    return check()
  } catch (error) {
    if (error instanceof UnsupportedError) unsupported.push(error.message)
    else if (error instanceof DerError) broken.push(`${what}: ${error.message}.`)
    else throw error
    return undefined
  }
}
