/**
 * Judges the CMS of a PDF signature: its digest, its signature value and its form. RFC 5652 §5, RFC 5035, RFC 6211; ISO 32000-2 §12.8.3.3.
 * Where its certificate comes from is judged by `trust.ts`.
 */

import {
  findSigner,
  hasOnlySignerDigest,
  hasValidVersions,
  isSignedByKey,
  isSorted,
  readAlgorithms,
  readAttributes,
  readSignedData,
  runCheck,
  type SignedData,
  signingCertificate,
} from '../pades/signed-data.ts'
import { digestOf, hashError, readHash, schemeError } from '../pki/algorithm.ts'
import { readBerPrefix } from '../pki/ber.ts'
import { type DerNode, expectTag, readOid, TAG } from '../pki/der.ts'
import { CMS_OID, OID } from '../pki/oid.ts'
import { keyError, keyUnsupported } from '../pki/public-key.ts'
import type { Certificate } from '../pki/x509.ts'

const SIGNATURE_TIME_STAMP = '1.2.840.113549.1.9.16.2.14'
const PADES = 'ETSI.CAdES.detached'
/** The one kind of signature whose CMS holds content: the SHA-1 of the document. */
const PKCS7_SHA1 = 'adbe.pkcs7.sha1'

/** SignedData as it stands in a gap. */
export interface SignedCms extends SignedData {
  /** Something other than zeros follows it in the gap: no signature covers it, and no reader shows it. */
  isFollowed: boolean
}

/** The CMS at the beginning of a gap, in DER or BER. @throws DerError */
export function readSignedCms(gap: Uint8Array): SignedCms {
  const { node, end, isDer } = readBerPrefix(gap)
  const isFollowed = gap.subarray(end).some(octet => octet !== 0)
  return { ...readSignedData({ node, isDer }, CMS_OID.data), isFollowed }
}

export interface CmsQuestion {
  cms: SignedCms
  /** The signed bytes of the file, one part after another. */
  signed: readonly Uint8Array[]
  subFilter: string
  /** The signature certifies that nothing may change (DocMDP P=1), as our own do. */
  certifies: boolean
  /** Certificates at hand beside those in the CMS. */
  known: readonly Certificate[]
}

/** Sentences: `broken` speaks against the document's integrity, `unsupported` cannot be checked here, `errors` speaks against the signature. */
export interface CmsVerdict {
  signer: Certificate | undefined
  broken: string[]
  unsupported: string[]
  errors: string[]
  /** Why it reaches no PAdES baseline level though nothing speaks against it (EN 319 142-1 §6.3). */
  notBaseline: string[]
  /** Hashes and keys that are too weak (CRYPTO_CONSTRAINTS_FAILURE of EN 319 102-1). */
  weak: string[]
  /** What in `broken` is a check that failed, as EN 319 102-1 §5.1.3 calls it; undefined where it is the form. */
  failure: 'HASH_FAILURE' | 'SIG_CRYPTO_FAILURE' | undefined
  /** The signature is in the form this product writes, so that nothing in it may be left unverified. */
  ownForm: boolean
}

/** RFC 6211 §2: where the attribute stands, it repeats both algorithms under the signature. */
function protectionError(value: DerNode | undefined, { signer }: SignedData): string | undefined {
  if (value === undefined) return undefined
  const [digest, signature] = value.children
  const held =
    digest !== undefined &&
    Buffer.compare(digest.encoded, signer.digestAlgorithm.encoded) === 0 &&
    signature?.tag === 0xa1 &&
    Buffer.compare(signature.contents, signer.signatureAlgorithm.contents) === 0
  return held ? undefined : 'The algorithms differ from those under the signature (CMSAlgorithmProtection).'
}

/** RFC 3161 appendix A; EN 319 122-1 §5.3: the time-stamp tokens over the signature value, DER. @throws DerError when an attribute is none */
export function signatureTimestamps({ signer }: SignedData): Uint8Array[] {
  return signer.unsignedAttributes.flatMap(attribute => {
    const [type, values] = expectTag(attribute, TAG.sequence, 'an unsigned attribute').children
    if (readOid(type, 'the type of an unsigned attribute') !== SIGNATURE_TIME_STAMP) return []
    return expectTag(values, TAG.set, 'the values of an unsigned attribute').children.map(value => value.encoded)
  })
}

/** What the CMS signs as its content: the signed bytes of the file, or the SHA-1 of them that it holds. */
function contentOf({ cms, signed, subFilter }: CmsQuestion, verdict: CmsVerdict): readonly Uint8Array[] | undefined {
  const { content } = cms
  if (subFilter !== PKCS7_SHA1) {
    if (content === undefined) return signed
    verdict.broken.push('The CMS encapsulates content of its own (eContent) where the document must be the content.')
    return undefined
  }
  if (content === undefined) {
    verdict.broken.push('The CMS does not hold the SHA-1 of the document, which adbe.pkcs7.sha1 asks for.')
    return undefined
  }
  if (Buffer.compare(content, digestOf('sha1', ...signed)) !== 0) {
    verdict.broken.push('The document was changed after it was signed: its SHA-1 is not the signed one.')
    verdict.failure = 'HASH_FAILURE'
  }
  noteWeakness('The signature is over the SHA-1 of the document (adbe.pkcs7.sha1)', hashError('sha1'), verdict)
  return [content]
}

function noteWeakness(what: string, fault: string | undefined, verdict: CmsVerdict): void {
  if (fault !== undefined) verdict.weak.push(`${what}: ${fault}.`)
}

/** RFC 5652 §11.1 and §11.2. */
function checkDigest(attributes: ReadonlyMap<string, DerNode>, digest: Uint8Array, verdict: CmsVerdict): void {
  const { broken } = verdict
  const contentType = attributes.get(CMS_OID.contentType)
  const messageDigest = attributes.get(CMS_OID.messageDigest)
  if (contentType === undefined) broken.push('The signed attribute content-type is missing.')
  else if (readOid(contentType, 'content-type') !== CMS_OID.data) broken.push('The signed attribute content-type is not id-data.')
  if (messageDigest === undefined) broken.push('The signed attribute message-digest is missing.')
  else if (Buffer.compare(expectTag(messageDigest, TAG.octetString, 'message-digest').contents, digest) !== 0) {
    broken.push('The document was changed after it was signed: its digest is not the signed one (message-digest).')
    verdict.failure = 'HASH_FAILURE'
  }
}

/** The signature value, with the key of the signer. What is too weak is checked all the same, so that a change is told from old age. */
function checkSignature(cms: SignedData, content: readonly Uint8Array[], signer: Certificate, verdict: CmsVerdict): void {
  const algorithms = runCheck(verdict, 'The CMS is refused', () => readAlgorithms(cms))
  const unknown = keyUnsupported(signer.publicKey)
  if (unknown !== undefined) verdict.unsupported.push(`The signature cannot be checked: ${unknown}.`)
  if (algorithms === undefined || unknown !== undefined) return
  if (!isSignedByKey(cms, algorithms.scheme, signer, content)) {
    verdict.broken.push('The signature does not verify with the key of its certificate.')
    verdict.failure ??= 'SIG_CRYPTO_FAILURE'
  }
  noteWeakness('The signature is not accepted', hashError(algorithms.hash) ?? schemeError(algorithms.scheme), verdict)
  noteWeakness('The key of the signer is not accepted', keyError(signer.publicKey), verdict)
}

/** What names the certificate under the signature, so that no other one of the same key can take its place. EN 319 122-1 §5.2.2. */
function checkSigningCertificate(
  attributes: ReadonlyMap<string, DerNode>,
  signer: Certificate,
  subFilter: string,
  verdict: CmsVerdict,
): void {
  const { errors, notBaseline } = verdict
  const named = runCheck(verdict, 'The CMS is refused', () => signingCertificate(attributes, signer))
  if (named === 'other') errors.push('The signed attribute signing-certificate names another certificate than the one used.')
  if (named !== 'missing') return
  const list = subFilter === PADES ? errors : notBaseline
  list.push('The signed attribute signing-certificate-v2 is missing.')
}

/**
 * What a seal in our own form must be beyond a valid signature: everything beside the signature is fixed, so that no unsigned octet is free.
 * One time-stamp over the signature value may stand there; it is verified by the caller.
 */
function ownFormFaults(cms: SignedCms, list: DerNode): string[] {
  const errors: string[] = []
  if (!cms.isDer) errors.push('The CMS is not written in DER, as a seal of this form is.')
  if (cms.isFollowed) errors.push('Something other than zeros follows the CMS in /Contents.')
  if (cms.version !== 1 || cms.signer.version !== 1)
    errors.push('The version of SignedData or SignerInfo is not 1 (RFC 5652 §5.1).')
  if (!hasOnlySignerDigest(cms)) errors.push('digestAlgorithms of the SignedData is not the one digest algorithm of its signer.')
  if (!isSorted(list)) errors.push('The signed attributes are not in DER order (X.690 §11.6).')
  if (readOid(cms.signer.signatureAlgorithm.children[0], 'signatureAlgorithm') === OID.sha256WithRsa)
    errors.push('The signature algorithm is not written as a seal of this form has it (RFC 3370 §3.2).')
  const { unsignedAttributes } = cms.signer
  const stamps = signatureTimestamps(cms).length
  if (unsignedAttributes.length > stamps || unsignedAttributes.some(attribute => attribute.children.length !== 2))
    errors.push('The CMS has unsigned attributes, which are not verified.')
  if (stamps > 1) errors.push('The CMS has more than one time-stamp of its signature, where one belongs.')
  if (cms.hasRevocationLists) errors.push('The CMS holds revocation lists, which are not verified.')
  for (const why of cms.unreadable) errors.push(`A certificate in the CMS cannot be read: ${why}.`)
  return errors
}

/** EN 319 142-1 §6.3 asks more of a baseline signature than RFC 5652 of a CMS. */
function baselineFaults(cms: SignedCms, attributes: ReadonlyMap<string, DerNode>): string[] {
  const errors: string[] = []
  if (attributes.has(CMS_OID.signingTime))
    errors.push('The signed attribute signing-time stands beside /M, which EN 319 142-1 does not allow.')
  if (cms.isFollowed) errors.push('Something other than zeros follows the CMS in /Contents.')
  if (!hasValidVersions(cms))
    errors.push('The version of SignedData or SignerInfo is not the one RFC 5652 §5.1 and §5.3 ask for.')
  return errors
}

/** The signed attributes are those that this product writes: these three, and signing-certificate-v2 names one certificate by its SHA-256 alone. */
function hasOwnAttributes(attributes: ReadonlyMap<string, DerNode>): boolean {
  const certificates = attributes.get(CMS_OID.signingCertificateV2)?.children ?? []
  const [only, ...more] = certificates[0]?.children ?? []
  return attributes.size === 3 && certificates.length === 1 && more.length === 0 && only?.children.length === 1
}

function checkAttributes(question: CmsQuestion, attributes: ReadonlyMap<string, DerNode>, verdict: CmsVerdict): void {
  const { cms, subFilter, certifies } = question
  const protection = protectionError(attributes.get(CMS_OID.algorithmProtection), cms)
  if (protection !== undefined) verdict.errors.push(protection)
  verdict.notBaseline.push(...(subFilter === PADES ? baselineFaults(cms, attributes) : []))
  const list = cms.signer.signedAttributes
  if (!certifies || subFilter !== PADES || list === undefined || !hasOwnAttributes(attributes)) return
  verdict.ownForm = true
  verdict.errors.push(...ownFormFaults(cms, list))
}

function missingSigner({ unreadable }: SignedCms): string {
  const why = unreadable.map(fault => ` A certificate in it cannot be read: ${fault}.`).join('')
  return `The certificate of the signer is not in the CMS, and none at hand has the name that the CMS gives.${why}`
}

/** Judges digest, signature and form. @throws DerError when a part is not what its place asks for */
export function judgeCms(question: CmsQuestion): CmsVerdict {
  const { cms, subFilter, known } = question
  const signer = findSigner(cms, known)
  const verdict: CmsVerdict = {
    signer,
    broken: [],
    unsupported: [],
    errors: [],
    notBaseline: [],
    weak: [],
    failure: undefined,
    ownForm: false,
  }
  const list = cms.signer.signedAttributes
  const attributes = list === undefined ? undefined : readAttributes(list)
  const content = contentOf(question, verdict)
  if (attributes === undefined && subFilter === PADES)
    verdict.errors.push('There are no signed attributes, which PAdES asks for.')
  if (attributes !== undefined && content !== undefined) {
    const hash = runCheck(verdict, 'The CMS is refused', () => readHash(cms.signer.digestAlgorithm, 'digestAlgorithm'))
    if (hash !== undefined) checkDigest(attributes, digestOf(hash, ...content), verdict)
  }
  if (signer === undefined) verdict.unsupported.push(missingSigner(cms))
  else if (content !== undefined) checkSignature(cms, content, signer, verdict)
  if (attributes !== undefined) {
    if (signer !== undefined) checkSigningCertificate(attributes, signer, subFilter, verdict)
    checkAttributes(question, attributes, verdict)
  }
  verdict.unsupported = [...new Set(verdict.unsupported)]
  return verdict
}
