/**
 * Judges the CMS of a PDF signature: detached, one signer, signed attributes. RFC 5652 §5, RFC 5035, RFC 6211.
 * Judges the signature and the digest; where its certificate comes from is `trust.ts`.
 */
import { type Hash, keyFault, verifySignature } from './algorithm.ts'
import { type Certificate, OID } from './certificate.ts'
import { CMS_OID } from './cms.ts'
import { DerError, type DerNode, der, expectTag, readDerPrefix, readOid, TAG } from './der.ts'
import {
  findSigner,
  readAlgorithms,
  readAttributes,
  readSignedData,
  type SignedData,
  signingCertificateFault,
} from './signed-data.ts'

const SIGNATURE_TIME_STAMP = '1.2.840.113549.1.9.16.2.14'

/** The CMS at the beginning of a gap; only zeros may follow it. @throws DerError */
export function readSignedCms(gap: Uint8Array): SignedData {
  const { node, end } = readDerPrefix(gap)
  if (gap.subarray(end).some(octet => octet !== 0)) throw new DerError('something other than zeros follows its end in /Contents')
  return readSignedData(node, CMS_OID.data)
}

export interface CmsQuestion {
  cms: SignedData
  /** Digest over the document's ranges. */
  digest(hash: Hash): Uint8Array
  subFilter: string
  /** The signature certifies that nothing may change (DocMDP P=1), as our own do. */
  certifies: boolean
}

/** `broken` speaks against the document's integrity, `unsupported` cannot be checked here, `faults` speaks against the form; sentences. */
export interface CmsVerdict {
  signer: Certificate | undefined
  broken: string[]
  unsupported: string[]
  faults: string[]
  /** The signature is in the form this product writes, so that nothing in it may be left unverified. */
  ownForm: boolean
}

/** RFC 6211 §2: where the attribute stands, it repeats both algorithms under the signature. */
function protectionFault(value: DerNode | undefined, { signer }: SignedData): string | undefined {
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

/** RFC 3161 appendix A; EN 319 122-1 §5.3: the time-stamp tokens over the signature value, DER. @throws DerError when an attribute is none */
export function signatureTimeStamps({ signer }: SignedData): Uint8Array[] {
  return signer.unsignedAttributes.flatMap(attribute => {
    const [type, values] = expectTag(attribute, TAG.sequence, 'an unsigned attribute').children
    if (readOid(type, 'the type of an unsigned attribute') !== SIGNATURE_TIME_STAMP) return []
    return expectTag(values, TAG.set, 'the values of an unsigned attribute').children.map(value => value.encoded)
  })
}

/**
 * What a seal in our own form must be beyond a sound signature: everything beside the signature is fixed, so that no unsigned octet is free.
 * One time-stamp over the signature value may stand there; it is verified by whoever judges the signature.
 */
function ownFormFaults(cms: SignedData, signatureOid: string): string[] {
  const faults: string[] = []
  if (signatureOid === OID.sha256WithRsa)
    faults.push('The signature algorithm is not written as a seal of this form has it (RFC 3370 §3.2).')
  const { unsignedAttributes } = cms.signer
  const stamps = signatureTimeStamps(cms).length
  if (unsignedAttributes.length > stamps || unsignedAttributes.some(attribute => attribute.children.length !== 2))
    faults.push('The CMS has unsigned attributes, which are not verified.')
  if (stamps > 1) faults.push('The CMS has more than one time-stamp of its signature, where one belongs.')
  if (cms.hasRevocationLists) faults.push('The CMS holds revocation lists, which are not verified.')
  return faults
}

function formFaults(cms: SignedData, attributes: Map<string, DerNode>, list: DerNode, subFilter: string): string[] {
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
  const verdict: CmsVerdict = { signer, broken: [], unsupported: [], faults: [], ownForm: false }
  const { broken, unsupported, faults } = verdict
  if (cms.content !== undefined)
    broken.push('The CMS encapsulates content of its own (eContent) where the document must be the content.')
  const algorithms = readAlgorithms(cms)
  if ('broken' in algorithms) broken.push(algorithms.broken)
  if ('unsupported' in algorithms) unsupported.push(algorithms.unsupported)
  if (signer === undefined)
    broken.push('The certificate of the signer is not in the CMS, or not named by issuer and serial number.')
  const list = cms.signer.signedAttributes
  if (list === undefined)
    unsupported.push('There are no signed attributes, so the signature binds neither content type nor certificate.')
  if (!('hash' in algorithms) || signer === undefined || list === undefined) return verdict

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
