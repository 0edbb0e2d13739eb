/**
 * Reads CMS SignedData with one signer, strictly DER, whatever it signs: the CMS of a seal and the token of a time-stamp. RFC 5652 §5, RFC 5035.
 * Says what is there; what it must be is the caller's.
 */
import { createHash } from 'node:crypto'
import { algorithmName, HASHES, type Hash, SIGNATURES } from './algorithm.ts'
import { type Certificate, readCertificate } from './certificate.ts'
import { CMS_OID } from './cms.ts'
import { DerError, type DerNode, expectTag, readOid, TAG } from './der.ts'

export interface SignedData {
  certificates: readonly Certificate[]
  /** Certificates that could not be read, with why. */
  unreadable: readonly string[]
  version: number
  digestAlgorithms: readonly DerNode[]
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

/** ContentInfo with SignedData over content of this type. @throws DerError */
export function readSignedData(node: DerNode, contentType: string): SignedData {
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
    ...readCertificates(certificates?.children ?? []),
    version,
    digestAlgorithms,
    content: content.length > 1 ? readContent(content) : undefined,
    hasRevocationLists: lists !== undefined,
    signer: readSignerInfo(signer),
  }
}

function readContent([, wrapped, more]: readonly DerNode[]): Uint8Array {
  if (wrapped?.tag !== 0xa0 || wrapped.children.length !== 1 || more !== undefined)
    throw new DerError('eContent has a wrong structure')
  return expectTag(wrapped.children[0], TAG.octetString, 'eContent').contents
}

/** Values of one attribute type; every type stands once and has one value. @throws DerError */
export function readAttributes(list: DerNode): Map<string, DerNode> {
  const found = new Map<string, DerNode>()
  for (const attribute of list.children) {
    const [type, values] = expectTag(attribute, TAG.sequence, 'a signed attribute').children
    const name = readOid(type, 'the type of a signed attribute')
    const [value] = expectTag(values, TAG.set, 'the values of a signed attribute').children
    if (found.has(name)) throw new DerError('a signed attribute stands there twice')
    if (value === undefined || values?.children.length !== 1 || attribute.children.length !== 2) {
      throw new DerError('a signed attribute has not exactly one value')
    }
    found.set(name, value)
  }
  return found
}

/** RFC 5652 §5.3: by issuer and serial number (version 1), or by subject key identifier (version 3), which few writers use and nothing here reads. */
export function findSigner({ certificates, signer }: SignedData): Certificate | undefined {
  const [issuer, serial] = signer.identifier.tag === TAG.sequence ? signer.identifier.children : []
  if (issuer === undefined || serial?.tag !== TAG.integer || signer.identifier.children.length !== 2) return undefined
  const number = Buffer.from(serial.contents).toString('hex')
  return certificates.find(one => one.serial === number && Buffer.compare(one.issuer, issuer.encoded) === 0)
}

/** Parameters of an algorithm that takes none: absent, or NULL where old writers put it. */
const plain = ({ children }: DerNode): boolean =>
  children.length === 1 || (children.length === 2 && children[1]?.tag === TAG.null)

/** The two algorithms of the signer, or the sentence why not: they are not supported, or contradict one another. */
export function readAlgorithms({
  digestAlgorithms,
  signer,
}: SignedData): { hash: Hash; kind: 'rsa' | 'ec'; signatureOid: string } | { unsupported: string } | { broken: string } {
  const digestOid = readOid(signer.digestAlgorithm.children[0], 'digestAlgorithm')
  const signatureOid = readOid(signer.signatureAlgorithm.children[0], 'signatureAlgorithm')
  const hash = HASHES[digestOid]
  const signature = SIGNATURES[signatureOid]
  if (hash === undefined) return { unsupported: `The digest algorithm is not supported (${algorithmName(digestOid)}).` }
  if (signature === undefined)
    return { unsupported: `The signature algorithm is not supported (${algorithmName(signatureOid)}).` }
  if (signature.hash !== undefined && signature.hash !== hash)
    return { broken: 'The signature algorithm names another hash than the digest algorithm.' }
  const [only] = digestAlgorithms
  if (only === undefined || digestAlgorithms.length !== 1 || Buffer.compare(only.encoded, signer.digestAlgorithm.encoded) !== 0) {
    return { broken: 'digestAlgorithms of the SignedData is not the one digest algorithm of its signer.' }
  }
  if (!plain(signer.digestAlgorithm) || !plain(signer.signatureAlgorithm))
    return { broken: 'An algorithm has parameters where none belong.' }
  return { hash, kind: signature.key, signatureOid }
}

/** RFC 5035 §3 and §5: the first ESSCertIDv2 names the certificate used. */
export function signingCertificateFault(value: DerNode | undefined, signer: Certificate): string | undefined {
  if (value === undefined) return 'The signed attribute signing-certificate-v2 is missing.'
  const first = value.children[0]?.children[0]
  const parts = [...expectTag(first, TAG.sequence, 'ESSCertIDv2').children]
  const algorithm = parts[0]?.tag === TAG.sequence ? parts.shift() : undefined
  const hash = algorithm === undefined ? 'sha256' : HASHES[readOid(algorithm.children[0], 'the hash of ESSCertIDv2')]
  const expected = expectTag(parts[0], TAG.octetString, 'the hash of ESSCertIDv2').contents
  if (hash === undefined) return 'The hash algorithm of signing-certificate-v2 is not accepted.'
  const actual = createHash(hash).update(signer.der).digest()
  return Buffer.compare(actual, expected) === 0
    ? undefined
    : 'signing-certificate-v2 names another certificate than the one used.'
}
