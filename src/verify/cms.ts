/** Verifies the CMS of a PDF signature. RFC 5652 §5, RFC 5035; ISO 32000-2 §12.8.3.3. */
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
import { type DerNode, equalBytes, expectTag, readOid, TAG } from '../pki/der.ts'
import { CMS_OID, OID } from '../pki/oid.ts'
import { keyError, keyUnsupported } from '../pki/public-key.ts'
import { type Certificate, nameText } from '../pki/x509.ts'
import { newProblems, type Problems } from './signature-dictionary.ts'

export const PADES = 'ETSI.CAdES.detached'
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
  notBaseline: string[]
  /** Weak hashes and keys (CRYPTO_CONSTRAINTS_FAILURE of EN 319 102-1). */
  weak: string[]
  /** The check that failed in `broken`, EN 319 102-1 §5.1.3; undefined for errors of form. */
  failure: 'HASH_FAILURE' | 'SIG_CRYPTO_FAILURE' | undefined
  /** The signature has the form that Signet writes, so every part of it must be verified. */
  isOwnForm: boolean
}

/** RFC 6211 §2: the attribute repeats both algorithms of the signature. */
function checkAlgorithmProtection(value: DerNode | undefined, { signer }: SignedData): string | undefined {
  if (value === undefined) return undefined
  const [digest, signature] = value.children
  const isSame =
    digest !== undefined &&
    equalBytes(digest.encoded, signer.digestAlgorithm.encoded) &&
    signature?.tag === 0xa1 &&
    equalBytes(signature.contents, signer.signatureAlgorithm.contents)
  return isSame ? undefined : 'The algorithms differ from those of the signature (CMSAlgorithmProtection).'
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
    result.broken.push('The CMS contains content of its own (eContent), but the document must be the content.')
    return undefined
  }
  if (content === undefined) {
    result.broken.push('The CMS does not contain the SHA-1 digest of the document, which adbe.pkcs7.sha1 requires.')
    return undefined
  }
  if (!equalBytes(content, digestOf('sha1', ...signed))) {
    result.broken.push('The document was changed after it was signed: its SHA-1 digest is not the signed one.')
    result.failure = 'HASH_FAILURE'
  }
  noteWeakness('The signature covers the SHA-1 digest of the document (adbe.pkcs7.sha1)', hashError('sha1'), result)
  return [content]
}

function noteWeakness(what: string, error: string | undefined, result: CmsResult): void {
  if (error !== undefined) result.weak.push(`${what}: ${error}.`)
}

/** RFC 5652 §11.1 and §11.2. */
function checkDigest(attributes: ReadonlyMap<string, DerNode>, digest: Uint8Array, result: CmsResult): void {
  const { broken } = result
  const contentType = attributes.get(CMS_OID.contentType)
  const messageDigest = attributes.get(CMS_OID.messageDigest)
  if (contentType === undefined) broken.push('The signed attribute content-type is missing.')
  else if (readOid(contentType, 'content-type') !== CMS_OID.data) broken.push('The signed attribute content-type is not id-data.')
  if (messageDigest === undefined) broken.push('The signed attribute message-digest is missing.')
  else if (!equalBytes(expectTag(messageDigest, TAG.octetString, 'message-digest').contents, digest)) {
    broken.push('The document was changed after it was signed: its digest is not the signed one (message-digest).')
    result.failure = 'HASH_FAILURE'
  }
}

/** Weak algorithms are verified too: a report must distinguish a changed file from an old one. */
function checkSignatureValue(cms: SignedData, content: readonly Uint8Array[], signer: Certificate, result: CmsResult): void {
  const algorithms = runCheck(result, 'The CMS is invalid', () => readAlgorithms(cms))
  const unsupported = keyUnsupported(signer.publicKey)
  if (unsupported !== undefined) result.unsupported.push(`The signature cannot be checked: ${unsupported}.`)
  if (algorithms === undefined || unsupported !== undefined) return
  if (!isSignedByKey(cms, algorithms.scheme, signer, content)) {
    result.broken.push('The signature does not verify with the key of its certificate.')
    result.failure ??= 'SIG_CRYPTO_FAILURE'
  }
  noteWeakness('The signature is not accepted', hashError(algorithms.hash) ?? schemeError(algorithms.scheme), result)
  noteWeakness('The key of the signer is not accepted', keyError(signer.publicKey), result)
}

/** EN 319 122-1 §5.2.2: no other certificate for the same key can replace the named one. */
function checkSigningCertificate(
  attributes: ReadonlyMap<string, DerNode>,
  signer: Certificate,
  subFilter: string,
  result: CmsResult,
): void {
  const { errors, notBaseline } = result
  const named = runCheck(result, 'The CMS is invalid', () => signingCertificate(attributes, signer))
  if (named === 'other') errors.push('The signed attribute signing-certificate names a different certificate from the one used.')
  if (named !== 'missing') return
  const list = subFilter === PADES ? errors : notBaseline
  list.push('The signed attribute signing-certificate-v2 is missing.')
}

/** No byte of a seal's CMS may remain unsigned and unverified. Does not verify time-stamps. */
function checkOwnForm(cms: SignedCms, list: DerNode): string[] {
  const errors: string[] = []
  if (!cms.isDer) errors.push('The CMS is not encoded in DER, unlike in seals by Signet.')
  if (cms.hasTrailingBytes) errors.push('Something other than zeros follows the CMS in /Contents.')
  if (cms.version !== 1 || cms.signer.version !== 1)
    errors.push('The version of SignedData or SignerInfo is not 1 (RFC 5652 §5.1).')
  if (!hasOnlySignerDigest(cms))
    errors.push('digestAlgorithms of the SignedData does not contain exactly the digest algorithm of its signer.')
  if (!isSorted(list)) errors.push('The signed attributes are not in DER order (X.690 §11.6).')
  if (readOid(cms.signer.signatureAlgorithm.children[0], 'signatureAlgorithm') === OID.sha256WithRsa)
    errors.push('The signature algorithm has a different identifier from that of seals by Signet (RFC 3370 §3.2).')
  const { unsignedAttributes } = cms.signer
  const timestamps = readSignatureTimestamps(cms).length
  if (unsignedAttributes.length > timestamps || unsignedAttributes.some(attribute => attribute.children.length !== 2))
    errors.push('The CMS has unsigned attributes, which are not verified.')
  if (timestamps > 1) errors.push('The CMS has more than one time-stamp of its signature.')
  if (cms.hasRevocationLists) errors.push('The CMS contains revocation lists, which are not verified.')
  for (const why of cms.unreadable) errors.push(`A certificate in the CMS cannot be read: ${why}.`)
  return errors
}

/** Requirements of EN 319 142-1 §6.3 beyond those of RFC 5652. */
function checkBaseline(cms: SignedCms, attributes: ReadonlyMap<string, DerNode>): string[] {
  const errors: string[] = []
  if (attributes.has(CMS_OID.signingTime))
    errors.push('The signed attribute signing-time is present in addition to /M, which EN 319 142-1 does not allow.')
  if (cms.hasTrailingBytes) errors.push('Something other than zeros follows the CMS in /Contents.')
  if (!hasValidVersions(cms))
    errors.push('The version of SignedData or SignerInfo is not the one that RFC 5652 §5.1 and §5.3 require.')
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
  if (!isStrictCertification || subFilter !== PADES || list === undefined || !hasOwnAttributes(attributes)) return
  result.isOwnForm = true
  result.errors.push(...checkOwnForm(cms, list))
}

/** EN 319 142-1 §6.3: the CMS has the signer's certificate, a seal by Signet also its issuer's. */
function missingCertificates({ certificates }: SignedCms, signer: Certificate, isOwnForm: boolean): string[] {
  const consequence = 'whoever does not have it cannot verify the signature'
  if (!certificates.some(({ der }) => equalBytes(der, signer.der))) {
    return [`The CMS lacks the certificate of its signer, which EN 319 142-1 §6.3 requires: ${consequence}.`]
  }
  const hasIssuer = [signer, ...certificates].some(({ subject }) => equalBytes(subject, signer.issuer))
  const name = nameText(signer.issuer)
  return isOwnForm && !hasIssuer ? [`The CMS lacks the certificate of the issuer ${name}: ${consequence}.`] : []
}

function describeMissingSigner({ unreadable }: SignedCms): string {
  const why = unreadable.map(error => ` A certificate in the CMS cannot be read: ${error}.`).join('')
  return `The certificate of the signer is neither in the CMS nor among the known certificates.${why}`
}

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
  if (attributes === undefined && subFilter === PADES) result.errors.push('There are no signed attributes, which PAdES requires.')
  if (attributes !== undefined && content !== undefined) {
    const hash = runCheck(result, 'The CMS is invalid', () => readHash(cms.signer.digestAlgorithm, 'digestAlgorithm'))
    if (hash !== undefined) checkDigest(attributes, digestOf(hash, ...content), result)
  }
  if (signer === undefined) result.unsupported.push(describeMissingSigner(cms))
  else if (content !== undefined) checkSignatureValue(cms, content, signer, result)
  if (attributes !== undefined) {
    if (signer !== undefined) checkSigningCertificate(attributes, signer, subFilter, result)
    checkAttributes(request, attributes, result)
    if (signer !== undefined && subFilter === PADES)
      result.notBaseline.push(...missingCertificates(cms, signer, result.isOwnForm))
  }
  result.unsupported = [...new Set(result.unsupported)]
  return result
}
