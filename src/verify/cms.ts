/** Verifies the CMS of a PDF signature. RFC 5652 §5, RFC 5035; ISO 32000-2 §12.8.3.3. */
import { equalBytes } from '../lib/bytes.ts'
import { distinctRemarks, type Remark, remark } from '../locales/remarks.ts'
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
import { type Certificate, nameText } from '../pki/x509.ts'
import { newProblems, type Problems } from './signature-dictionary.ts'

export const PADES = 'ETSI.CAdES.detached'
/** A CMS over the document without PAdES baseline levels. ISO 32000-2 §12.8.3.3. */
export const PKCS7 = 'adbe.pkcs7.detached'
/** The only type of signature whose CMS holds content: the SHA-1 digest of the document. */
const PKCS7_SHA1 = 'adbe.pkcs7.sha1'

export interface SignedCms extends SignedData {
  /** Something other than zeros follows the CMS in /Contents. No signature covers these bytes. */
  hasTrailingBytes: boolean
}

/** Reads the CMS at the beginning of /Contents, DER or BER. @throws DerError */
export function readSignedCms(contents: Uint8Array): SignedCms {
  const { node, end, isDer } = readBerPrefix(contents)
  const hasTrailingBytes = contents.subarray(end).some(octet => octet !== 0)
  return { ...readSignedData({ node, isDer }, CMS_OID.data), hasTrailingBytes }
}

export interface CmsRequest {
  cms: SignedCms
  /** The parts of the file that are signed, in order. */
  signed: readonly Uint8Array[]
  subFilter: string
  /** The signature is a certification that allows no change (DocMDP P=1), like seals by Signet. */
  isStrictCertification: boolean
  /** Certificates known in addition to those in the CMS. */
  known: readonly Certificate[]
}

export interface CmsResult extends Problems {
  signer: Certificate | undefined
  /** Why it reaches no PAdES baseline level, without other consequences (EN 319 142-1 §6.3). */
  notBaseline: Remark[]
  /** Weak hashes and keys (CRYPTO_CONSTRAINTS_FAILURE of EN 319 102-1). */
  weak: Remark[]
  /** The check that failed in `broken`, EN 319 102-1 §5.1.3; undefined for errors of form. */
  failure: 'HASH_FAILURE' | 'SIG_CRYPTO_FAILURE' | undefined
  /** The signature has the form that Signet writes, so every part of it must be verified. */
  isOwnForm: boolean
}

/** RFC 6211 §2: the attribute repeats both algorithms of the signature. */
function checkAlgorithmProtection(value: DerNode | undefined, { signer }: SignedData): Remark | undefined {
  if (value === undefined) return undefined
  const [digest, signature] = value.children
  const isSame =
    digest !== undefined &&
    equalBytes(digest.encoded, signer.digestAlgorithm.encoded) &&
    signature?.tag === 0xa1 &&
    equalBytes(signature.contents, signer.signatureAlgorithm.contents)
  return isSame ? undefined : remark('cms_algorithms_differ')
}

/** RFC 3161 appendix A: time-stamp tokens over the signature value, DER. @throws DerError */
export function readSignatureTimestamps({ signer }: SignedData): Uint8Array[] {
  return signer.unsignedAttributes.flatMap(attribute => {
    const [type, values] = expectTag(attribute, TAG.sequence, 'an unsigned attribute').children
    if (readOid(type, 'the type of an unsigned attribute') !== CMS_OID.signatureTimeStamp) return []
    return expectTag(values, TAG.set, 'the values of an unsigned attribute').children.map(value => value.encoded)
  })
}

/** The signed bytes of the file, or their SHA-1 digest in the CMS. */
function readContent({ cms, signed, subFilter }: CmsRequest, result: CmsResult): readonly Uint8Array[] | undefined {
  const { content } = cms
  if (subFilter !== PKCS7_SHA1) {
    if (content === undefined) return signed
    result.broken.push(remark('cms_with_content'))
    return undefined
  }
  if (content === undefined) {
    result.broken.push(remark('cms_without_digest'))
    return undefined
  }
  if (!equalBytes(content, digestOf('sha1', ...signed))) {
    result.broken.push(remark('changed_sha1_digest'))
    result.failure = 'HASH_FAILURE'
  }
  noteWeakness('signature_over_sha1', hashError('sha1'), result)
  return [content]
}

type Weakness = 'signature_over_sha1' | 'signature_refused' | 'signer_key_refused'

function noteWeakness(code: Weakness, why: Remark | undefined, result: CmsResult): void {
  if (why !== undefined) result.weak.push(remark(code, { why }))
}

/** RFC 5652 §11.1 and §11.2. */
function checkDigest(attributes: ReadonlyMap<string, DerNode>, digest: Uint8Array, result: CmsResult): void {
  const { broken } = result
  const contentType = attributes.get(CMS_OID.contentType)
  const messageDigest = attributes.get(CMS_OID.messageDigest)
  if (contentType === undefined) broken.push(remark('attribute_missing', { name: 'content-type' }))
  else if (readOid(contentType, 'content-type') !== CMS_OID.data) broken.push(remark('content_type_other'))
  if (messageDigest === undefined) broken.push(remark('attribute_missing', { name: 'message-digest' }))
  else if (!equalBytes(expectTag(messageDigest, TAG.octetString, 'message-digest').contents, digest)) {
    broken.push(remark('changed_message_digest'))
    result.failure = 'HASH_FAILURE'
  }
}

/** Weak algorithms are verified too: a report must distinguish a changed file from an old one. */
function checkSignatureValue(cms: SignedData, content: readonly Uint8Array[], signer: Certificate, result: CmsResult): void {
  const algorithms = runCheck(result, 'cms_invalid', () => readAlgorithms(cms))
  const unsupported = keyUnsupported(signer.publicKey)
  if (unsupported !== undefined) result.unsupported.push(remark('signature_unchecked', { why: unsupported }))
  if (algorithms === undefined || unsupported !== undefined) return
  if (!isSignedByKey(cms, algorithms.scheme, signer, content)) {
    result.broken.push(remark('signature_wrong'))
    result.failure ??= 'SIG_CRYPTO_FAILURE'
  }
  noteWeakness('signature_refused', hashError(algorithms.hash) ?? schemeError(algorithms.scheme), result)
  noteWeakness('signer_key_refused', keyError(signer.publicKey), result)
}

/** EN 319 122-1 §5.2.2: no other certificate for the same key can replace the named one. */
function checkSigningCertificate(
  attributes: ReadonlyMap<string, DerNode>,
  signer: Certificate,
  subFilter: string,
  result: CmsResult,
): void {
  const { errors, notBaseline } = result
  const named = runCheck(result, 'cms_invalid', () => signingCertificate(attributes, signer))
  if (named === 'other') errors.push(remark('signing_certificate_other'))
  if (named !== 'missing') return
  const list = subFilter === PADES ? errors : notBaseline
  list.push(remark('attribute_missing', { name: 'signing-certificate-v2' }))
}

/** No byte of a seal's CMS may remain unsigned and unverified. Does not verify time-stamps. */
function checkOwnForm(cms: SignedCms, list: DerNode): Remark[] {
  const errors: Remark[] = []
  if (!cms.isDer) errors.push(remark('cms_not_der'))
  if (cms.hasTrailingBytes) errors.push(remark('cms_trailing_bytes'))
  if (cms.version !== 1 || cms.signer.version !== 1) errors.push(remark('cms_version_not_one'))
  if (!hasOnlySignerDigest(cms)) errors.push(remark('cms_digest_algorithms'))
  if (!isSorted(list)) errors.push(remark('attributes_unsorted'))
  if (readOid(cms.signer.signatureAlgorithm.children[0], 'signatureAlgorithm') === OID.sha256WithRsa)
    errors.push(remark('cms_algorithm_identifier'))
  const { unsignedAttributes } = cms.signer
  const timestamps = readSignatureTimestamps(cms).length
  if (unsignedAttributes.length > timestamps || unsignedAttributes.some(attribute => attribute.children.length !== 2))
    errors.push(remark('cms_unsigned_attributes'))
  if (timestamps > 1) errors.push(remark('cms_several_timestamps'))
  if (cms.hasRevocationLists) errors.push(remark('cms_revocation_lists'))
  for (const cause of cms.unreadable) errors.push(remark('cms_certificate_unreadable', { cause }))
  return errors
}

/** Requirements of EN 319 142-1 §6.3 beyond those of RFC 5652. */
function checkBaseline(cms: SignedCms, attributes: ReadonlyMap<string, DerNode>): Remark[] {
  const errors: Remark[] = []
  if (attributes.has(CMS_OID.signingTime)) errors.push(remark('signing_time_beside_m'))
  if (cms.hasTrailingBytes) errors.push(remark('cms_trailing_bytes'))
  if (!hasValidVersions(cms)) errors.push(remark('cms_version_other'))
  return errors
}

/** Three attributes; signing-certificate-v2 names one certificate by SHA-256 alone. */
function hasOwnAttributes(attributes: ReadonlyMap<string, DerNode>): boolean {
  const certificates = attributes.get(CMS_OID.signingCertificateV2)?.children ?? []
  const [only, ...more] = certificates[0]?.children ?? []
  return attributes.size === 3 && certificates.length === 1 && more.length === 0 && only?.children.length === 1
}

function checkAttributes(request: CmsRequest, attributes: ReadonlyMap<string, DerNode>, result: CmsResult): void {
  const { cms, subFilter, isStrictCertification } = request
  const protectionError = checkAlgorithmProtection(attributes.get(CMS_OID.algorithmProtection), cms)
  if (protectionError !== undefined) result.errors.push(protectionError)
  result.notBaseline.push(...(subFilter === PADES ? checkBaseline(cms, attributes) : []))
  const list = cms.signer.signedAttributes
  const isSealForm = subFilter === PADES || subFilter === PKCS7
  if (!isStrictCertification || !isSealForm || list === undefined || !hasOwnAttributes(attributes)) return
  result.isOwnForm = true
  result.errors.push(...checkOwnForm(cms, list))
}

/** EN 319 142-1 §6.3: the CMS has the signer's certificate, a seal by Signet also its issuer's. */
function missingCertificates(
  { cms: { certificates }, subFilter }: CmsRequest,
  signer: Certificate,
  isOwnForm: boolean,
): Remark[] {
  if (subFilter !== PADES && !isOwnForm) return []
  if (!certificates.some(({ der }) => equalBytes(der, signer.der))) {
    return [remark('cms_without_own_certificate')]
  }
  const hasIssuer = [signer, ...certificates].some(({ subject }) => equalBytes(subject, signer.issuer))
  return isOwnForm && !hasIssuer ? [remark('cms_without_issuer', { name: nameText(signer.issuer) })] : []
}

const missingSigner = ({ unreadable }: SignedCms): Remark =>
  remark('signer_certificate_missing', { unreadable: unreadable.map(cause => remark('cms_certificate_unreadable', { cause })) })

/** @throws DerError if a part of the CMS has a wrong structure */
export function verifyCms(request: CmsRequest): CmsResult {
  const { cms, subFilter, known } = request
  const signer = findSigner(cms, known)
  const result: CmsResult = {
    signer,
    ...newProblems(),
    notBaseline: [],
    weak: [],
    failure: undefined,
    isOwnForm: false,
  }
  const list = cms.signer.signedAttributes
  const attributes = list === undefined ? undefined : readAttributes(list)
  const content = readContent(request, result)
  if (attributes === undefined && subFilter === PADES) result.errors.push(remark('attributes_missing'))
  if (attributes !== undefined && content !== undefined) {
    const hash = runCheck(result, 'cms_invalid', () => readHash(cms.signer.digestAlgorithm, 'digestAlgorithm'))
    if (hash !== undefined) checkDigest(attributes, digestOf(hash, ...content), result)
  }
  if (signer === undefined) result.unsupported.push(missingSigner(cms))
  else if (content !== undefined) checkSignatureValue(cms, content, signer, result)
  if (attributes !== undefined) {
    if (signer !== undefined) checkSigningCertificate(attributes, signer, subFilter, result)
    checkAttributes(request, attributes, result)
    if (signer !== undefined) result.notBaseline.push(...missingCertificates(request, signer, result.isOwnForm))
  }
  result.unsupported = distinctRemarks(result.unsupported)
  return result
}
