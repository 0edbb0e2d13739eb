/**
 * Reads and judges the CMS of a PDF signature: strictly DER, detached, one signer, signed attributes. RFC 5652 §5, RFC 5035, RFC 6211.
 * Judges the signature and the digest; where its certificate comes from is `trust.ts`.
 */
import { createHash } from 'node:crypto'
import { algorithmName, HASHES, type Hash, keyFault, SIGNATURES, verifySignature } from './algorithm.ts'
import { type Certificate, OID, readCertificate } from './certificate.ts'
import { CMS_OID } from './cms.ts'
import { DerError, type DerNode, der, expectTag, readDerPrefix, readOid, TAG } from './der.ts'

export interface SignedCms {
  certificates: readonly Certificate[]
  /** Certificates that could not be read, with why. */
  unreadable: readonly string[]
  version: number
  digestAlgorithms: readonly DerNode[]
  encapsulated: boolean
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

function readCertificates(nodes: readonly DerNode[]): Pick<SignedCms, 'certificates' | 'unreadable'> {
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

/** The CMS at the beginning of a gap; only zeros may follow it. @throws DerError */
export function readSignedCms(gap: Uint8Array): SignedCms {
  const { node, end } = readDerPrefix(gap)
  if (gap.subarray(end).some(octet => octet !== 0)) throw new DerError('something other than zeros follows its end in /Contents')
  const [type, wrapped] = expectTag(node, TAG.sequence, 'ContentInfo').children
  if (readOid(type, 'the content type') !== CMS_OID.signedData) throw new DerError('it is not SignedData')
  if (node.children.length !== 2 || wrapped?.tag !== 0xa0 || wrapped.children.length !== 1)
    throw new DerError('ContentInfo has a wrong structure')
  const parts = [...expectTag(wrapped.children[0], TAG.sequence, 'SignedData').children]
  const version = smallNumber(parts.shift(), 'the version of SignedData')
  const digestAlgorithms = expectTag(parts.shift(), TAG.set, 'digestAlgorithms').children
  const content = expectTag(parts.shift(), TAG.sequence, 'encapContentInfo').children
  if (readOid(content[0], 'eContentType') !== CMS_OID.data) throw new DerError('its content is not of type id-data')
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
    encapsulated: content.length > 1,
    hasRevocationLists: lists !== undefined,
    signer: readSignerInfo(signer),
  }
}

export interface CmsQuestion {
  cms: SignedCms
  /** Digest over the document's ranges. */
  digest(hash: Hash): Uint8Array
  subFilter: string
  /** The signature certifies that nothing may change (DocMDP P=1), as our own do. */
  certifies: boolean
}

/** `broken` speaks against the document's integrity, `faults` against the form; sentences. */
export interface CmsVerdict {
  signer: Certificate | undefined
  broken: string[]
  faults: string[]
  /** The signature is in the form this product writes, so that nothing in it may be left unverified. */
  ownForm: boolean
}

/** Values of one attribute type; every type stands once and has one value. @throws DerError */
function readAttributes(list: DerNode): Map<string, DerNode> {
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
function findSigner({ certificates, signer }: SignedCms): Certificate | undefined {
  const [issuer, serial] = signer.identifier.tag === TAG.sequence ? signer.identifier.children : []
  if (issuer === undefined || serial?.tag !== TAG.integer || signer.identifier.children.length !== 2) return undefined
  const number = Buffer.from(serial.contents).toString('hex')
  return certificates.find(one => one.serial === number && Buffer.compare(one.issuer, issuer.encoded) === 0)
}

/** Parameters of an algorithm that takes none: absent, or NULL where old writers put it. */
const plain = ({ children }: DerNode): boolean =>
  children.length === 1 || (children.length === 2 && children[1]?.tag === TAG.null)

/** The two algorithms of the signer, or the sentence why not. */
function readAlgorithms({
  digestAlgorithms,
  signer,
}: SignedCms): { hash: Hash; kind: 'rsa' | 'ec'; signatureOid: string } | string {
  const digestOid = readOid(signer.digestAlgorithm.children[0], 'digestAlgorithm')
  const signatureOid = readOid(signer.signatureAlgorithm.children[0], 'signatureAlgorithm')
  const hash = HASHES[digestOid]
  const signature = SIGNATURES[signatureOid]
  if (hash === undefined) return `The digest algorithm is not accepted (${algorithmName(digestOid)}).`
  if (signature === undefined) return `The signature algorithm is not accepted (${algorithmName(signatureOid)}).`
  if (signature.hash !== undefined && signature.hash !== hash)
    return 'The signature algorithm names another hash than the digest algorithm.'
  const [only] = digestAlgorithms
  if (only === undefined || digestAlgorithms.length !== 1 || Buffer.compare(only.encoded, signer.digestAlgorithm.encoded) !== 0) {
    return 'digestAlgorithms of the SignedData is not the one digest algorithm of its signer.'
  }
  if (!plain(signer.digestAlgorithm) || !plain(signer.signatureAlgorithm)) return 'An algorithm has parameters where none belong.'
  return { hash, kind: signature.key, signatureOid }
}

/** RFC 5035 §3 and §5: the first ESSCertIDv2 names the certificate used. */
function signingCertificateFault(value: DerNode | undefined, signer: Certificate): string | undefined {
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

/** RFC 6211 §2: where the attribute stands, it repeats both algorithms under the signature. */
function protectionFault(value: DerNode | undefined, { signer }: SignedCms): string | undefined {
  if (value === undefined) return undefined
  const [digest, signature] = value.children
  const held =
    digest !== undefined &&
    Buffer.compare(digest.encoded, signer.digestAlgorithm.encoded) === 0 &&
    signature?.tag === 0xa1 &&
    Buffer.compare(signature.contents, signer.signatureAlgorithm.contents) === 0
  return held ? undefined : 'The algorithms differ from those under the signature (CMSAlgorithmProtection).'
}

const isSorted = ({ children }: DerNode): boolean =>
  children.every((child, i) => i === 0 || Buffer.compare(children[i - 1]?.encoded ?? child.encoded, child.encoded) <= 0)

function digestBreaks(attributes: Map<string, DerNode>, digest: Uint8Array): string[] {
  const broken: string[] = []
  const contentType = attributes.get(CMS_OID.contentType)
  const messageDigest = attributes.get(CMS_OID.messageDigest)
  if (contentType === undefined) broken.push('The signed attribute content-type is missing.')
  else if (readOid(contentType, 'content-type') !== CMS_OID.data) broken.push('The signed attribute content-type is not id-data.')
  if (messageDigest === undefined) broken.push('The signed attribute message-digest is missing.')
  else if (Buffer.compare(expectTag(messageDigest, TAG.octetString, 'message-digest').contents, digest) !== 0) {
    broken.push('The document was changed after it was signed: its digest is not the signed one (message-digest).')
  }
  return broken
}

/** What a seal in our own form must be beyond a sound signature: everything beside the signature is fixed, so that no unsigned octet is free. */
function ownFormFaults(cms: SignedCms, signatureOid: string): string[] {
  const faults: string[] = []
  if (signatureOid === OID.sha256WithRsa)
    faults.push('The signature algorithm is not written as a seal of this form has it (RFC 3370 §3.2).')
  if (cms.signer.unsignedAttributes.length > 0) faults.push('The CMS has unsigned attributes, which are not verified.')
  if (cms.hasRevocationLists) faults.push('The CMS holds revocation lists, which are not verified.')
  return faults
}

function formFaults(cms: SignedCms, attributes: Map<string, DerNode>, list: DerNode, subFilter: string): string[] {
  const faults: string[] = []
  if (cms.version !== 1 || cms.signer.version !== 1)
    faults.push('The version of SignedData or SignerInfo is not 1 (RFC 5652 §5.1).')
  if (!isSorted(list)) faults.push('The signed attributes are not in DER order (X.690 §11.6).')
  if (subFilter === 'ETSI.CAdES.detached' && attributes.has(CMS_OID.signingTime)) {
    faults.push('The signed attribute signing-time stands beside /M, which EN 319 142-1 does not allow.')
  }
  for (const why of cms.unreadable) faults.push(`A certificate in the CMS cannot be read: ${why}.`)
  return faults
}

/** Judges digest, signature and form. @throws DerError when a part is not what its place asks for */
export function judgeCms({ cms, digest, subFilter, certifies }: CmsQuestion): CmsVerdict {
  const signer = findSigner(cms)
  const verdict: CmsVerdict = { signer, broken: [], faults: [], ownForm: false }
  const { broken, faults } = verdict
  if (cms.encapsulated) broken.push('The CMS encapsulates content of its own (eContent) where the document must be the content.')
  const algorithms = readAlgorithms(cms)
  if (typeof algorithms === 'string') broken.push(algorithms)
  if (signer === undefined)
    broken.push('The certificate of the signer is not in the CMS, or not named by issuer and serial number.')
  const list = cms.signer.signedAttributes
  if (list === undefined)
    broken.push('There are no signed attributes, so the signature binds neither content type nor certificate.')
  if (typeof algorithms === 'string' || signer === undefined || list === undefined) return verdict

  const attributes = readAttributes(list)
  const { hash, kind, signatureOid } = algorithms
  broken.push(...digestBreaks(attributes, digest(hash)))
  const weak = keyFault(signer.publicKey)
  if (weak !== undefined) broken.push(`The key of the signer is not accepted: ${weak}.`)
  // RFC 5652 §5.4: signed is the SET OF, not the [0] that stands in the CMS.
  else if (!verifySignature(kind, hash, signer.publicKey, der(TAG.set, list.contents), cms.signer.signature)) {
    broken.push('The signature does not verify with the key of its certificate.')
  }
  for (const fault of [
    signingCertificateFault(attributes.get(CMS_OID.signingCertificateV2), signer),
    protectionFault(attributes.get(CMS_OID.algorithmProtection), cms),
  ]) {
    if (fault !== undefined) faults.push(fault)
  }
  faults.push(...formFaults(cms, attributes, list, subFilter))
  verdict.ownForm =
    certifies && subFilter === 'ETSI.CAdES.detached' && attributes.size === 3 && attributes.has(CMS_OID.signingCertificateV2)
  if (verdict.ownForm) faults.push(...ownFormFaults(cms, signatureOid))
  return verdict
}
