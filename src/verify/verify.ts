/** Verifies the signatures of a PDF. ISO 32000-2 §12.8; EN 319 142-1. */
import { equalBytes, startsWithBytes, toHex, toLatin1 } from '../lib/bytes.ts'
import { hashOf, lastIndexOfBytes } from '../lib/primitives.ts'
import type { DssKind } from '../locales/en/remarks.ts'
import { distinctRemarks, type Remark, remark } from '../locales/remarks.ts'
import { type ByteRange, GREATER, LESS, rangesOf, readHexContents } from '../pades/byte-range.ts'
import { findActiveContent } from '../pdf/inspect/active-content.ts'
import { countPages, openPdf, type PdfFile } from '../pdf/parser/file.ts'
import { findWrongTypes, readPages, TooManyPagesError } from '../pdf/parser/page.ts'
import {
  findSignatureFields,
  findUsageRights,
  readCertificationLevel,
  type SignatureField,
} from '../pdf/parser/signature-fields.ts'
import { makeReference, type PdfDictionary, PdfSyntaxError, type PdfValue } from '../pdf/parser/syntax.ts'
import { findDuplicateKeys, findUnreachedRevisions, MAX_REASONS } from '../pdf/parser/unreached-revisions.ts'
import { type RevocationList, readRevocationList, revocationListError } from '../pki/crl.ts'
import { DerError } from '../pki/der.ts'
import { findResponder, type OcspResponse, readOcspResponse } from '../pki/ocsp.ts'
import { isSignedBy } from '../pki/trust.ts'
import { type Certificate, nameText, readCertificate } from '../pki/x509.ts'
import { type DssContents, readDss } from './changes/dss.ts'
import { readSignedCms, verifyCms } from './cms.ts'
import type { UnreadableReport, VerificationReport, VisibleChange } from './report.ts'
import { readMaterial } from './revocation-proofs.ts'
import { verifySignatureField } from './signature.ts'
import { isDocumentTimestamp, newProblems, readByteRange } from './signature-dictionary.ts'
import { type DocumentTimestamp, type SignatureResult, type ValidationContext, verifyDocumentTimestamp } from './timestamp.ts'
import { deriveVerdict } from './verdict.ts'

const NO_SIGNATURE = remark('no_signature')

function tryResolve(file: PdfFile, number: number, generation: number): PdfValue | undefined {
  try {
    return file.resolve(makeReference(number, generation)).value
  } catch (error) {
    if (error instanceof PdfSyntaxError) return undefined
    throw error
  }
}

function usageRightsOf(file: PdfFile): PdfDictionary | undefined {
  const catalog = file.dictionary(file.crossReference.trailer.entries.get('Root'))
  return catalog && findUsageRights(file, catalog)
}

/** Signatures without a field: PDF readers disagree on whether these count. */
function checkStraySignatures(file: PdfFile, fields: readonly SignatureField[]): Remark[] {
  const reachable = new Set([...fields.map(field => field.value.start), usageRightsOf(file)?.start])
  const reasons: Remark[] = []
  for (const number of file.crossReference.newestInUse) {
    const entry = file.crossReference.entries.get(number)
    if (entry?.kind !== 'offset') continue
    const value = tryResolve(file, number, entry.generation)
    if (value === undefined) reasons.push(remark('object_unreadable', { number }))
    else if (value.kind === 'dictionary' && value.entries.has('ByteRange') && !reachable.has(value.start)) {
      reasons.push(remark('stray_signature', { number }))
    }
  }
  return reasons
}

/** §12.8.6: otherwise PDF readers apply a certification that they do not list as a signature. */
function checkPermissions(file: PdfFile, catalog: PdfDictionary, fields: readonly SignatureField[]): Remark[] {
  const permissions = file.dictionary(catalog.entries.get('Perms'))
  const certification = permissions?.entries.get('DocMDP')
  if (certification === undefined) return []
  const isKnown = certification.kind === 'reference' && fields.some(field => field.number === certification.number)
  return isKnown ? [] : [remark('stray_permission')]
}

/** Active content can hide what was signed. Signet removes it before it seals. */
function checkActiveContent(file: PdfFile): Remark[] {
  const root = file.resolve(file.crossReference.trailer.entries.get('Root'))
  try {
    const { objects, catalog: changes, kinds } = findActiveContent(file, root, readPages(file, root))
    if (objects.size === 0 && changes.size === 0) return []
    return [remark('active_content', { kinds: [...kinds].map(kind => kind.replaceAll('_', ' ')) })]
  } catch (error) {
    if (!(error instanceof PdfSyntaxError) && !(error instanceof TooManyPagesError)) throw error
    return [remark('own_pages_unreadable', { why: error.remark })]
  }
}

/** Problems with the file as a whole, not with one signature. */
function checkFile(
  file: PdfFile,
  catalog: PdfDictionary,
  fields: readonly SignatureField[],
  results: readonly SignatureResult[],
): Remark[] {
  const form = file.dictionary(catalog.entries.get('AcroForm'))
  const numbers = fields.map(field => field.number).filter(number => number !== undefined)
  const reasons = [
    ...checkStructure(file, catalog),
    ...catalog.duplicateKeys.map(key => remark('catalog_key_twice', { key })),
    ...(form?.duplicateKeys ?? []).map(key => remark('form_key_twice', { key })),
    ...checkPermissions(file, catalog, fields),
  ]
  if (new Set(numbers).size < numbers.length) reasons.push(remark('shared_signature'))
  const revisions = new Set([file, ...results.map(({ signed }) => signed ?? file)])
  for (const revision of revisions) reasons.push(...checkStraySignatures(revision, fields))
  if (results.some(({ isOwnForm }) => isOwnForm)) {
    const paths = results.flatMap(one => one.paths)
    reasons.push(
      ...checkActiveContent(file),
      ...results.flatMap(({ unverified }) => unverified),
      ...checkDss(readDss(file), paths),
    )
  }
  return distinctRemarks(reasons)
}

/** Document time-stamps come first: they prove the time of the signatures they cover. */
function verifyFields(file: PdfFile, fields: readonly SignatureField[], context: ValidationContext): SignatureResult[] {
  const results = new Map<SignatureField, SignatureResult>()
  const timestamps: DocumentTimestamp[] = []
  const endOf = ({ value }: SignatureField): number => {
    const [, , second = 0, length = 0] = readByteRange(value, file.bytes.length, newProblems()) ?? []
    return second + length
  }
  // The newest first: each is proven by those over it.
  for (const field of fields.filter(isDocumentTimestamp).toSorted((a, b) => endOf(b) - endOf(a))) {
    const over = timestamps.filter(({ covers }) => covers > endOf(field))
    const result = verifyDocumentTimestamp(file, field, context, over)
    results.set(field, result)
    if (result.timestamp !== undefined) timestamps.push(result.timestamp)
  }
  return fields.map(field => results.get(field) ?? verifySignatureField(file, field, context, timestamps))
}

type ValidationOptions = Pick<ValidationContext, 'trust' | 'timestampTrust' | 'now'> & {
  revocationLists: readonly Uint8Array[]
}

function verifyPdf(bytes: Uint8Array, { revocationLists, ...options }: ValidationOptions): VerificationReport {
  // §7.5.2. PDF readers disagree on the meaning of offsets if other bytes precede the header.
  if (!startsWithBytes(bytes, '%PDF-')) throw new PdfSyntaxError(remark('header_missing'))
  const file = openPdf(bytes, { decrypts: true })
  const catalog = file.dictionary(file.crossReference.trailer.entries.get('Root'))
  if (catalog === undefined) throw new PdfSyntaxError(remark('catalog_missing'))
  const fields = findSignatureFields(file, catalog)
  const results = verifyFields(file, fields, {
    ...options,
    knownProofs: readMaterial({ ...EMPTY_DSS, revocationLists: [...revocationLists] }).proofsOf,
    material: readMaterial(readDss(file)),
    materialAt: end => readMaterial(readDss(file.revisionAt(end))),
  })
  const signatures = results.map(({ report }) => report)
  const changes = listChanges(results)
  const isSigned = signatures.some(({ kind }) => kind === 'signature')
  const hidden = isSigned
    ? checkRemovedCertifications(file, fields)
    : checkHiddenSignatures(file, fields, findUsageRights(file, catalog))
  const reasons = [...(isSigned ? [] : [NO_SIGNATURE]), ...hidden, ...checkFile(file, catalog, fields, results)]
  return {
    verdict: isSigned || hidden.length > 0 ? deriveVerdict(reasons, signatures, changes) : 'not-signed',
    sha256: toHex(hashOf('sha256', bytes)),
    bytes: bytes.length,
    pageCount: countPages(file, catalog),
    revisions: file.crossReference.revisions,
    signatures,
    additions: distinctRemarks(results.flatMap(({ additions }) => additions)),
    changes,
    reasons,
  }
}

/** What readers see changed since one of the signatures. A time-stamp alone signs nothing. */
function listChanges(results: readonly SignatureResult[]): VisibleChange[] {
  const all = results.flatMap(({ changes = [] }) => changes)
  const distinct = new Map(all.map(change => [JSON.stringify(change), change]))
  return [...distinct.values()].sort((a, b) => a.revision - b.revision)
}

const EMPTY_DSS = { certificates: [], ocspResponses: [], revocationLists: [], unreadable: 0 }

/** `trust` is for signers, `timestampTrust` for time-stamp authorities; each may hold roots. */
export function verifyBytes(
  bytes: Uint8Array,
  trust: readonly Certificate[],
  timestampTrust: readonly Certificate[] = [],
  { now = new Date(), revocationLists = [] }: { now?: Date; revocationLists?: readonly Uint8Array[] } = {},
): VerificationReport | UnreadableReport {
  try {
    return verifyPdf(bytes, { trust, timestampTrust, now, revocationLists })
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error
    const damage = describeDamage(bytes, end => isReadablePdf(bytes.subarray(0, end)))
    return damage === undefined ? { verdict: 'unreadable', reason: error.remark } : reportDamage(bytes, damage, error.remark)
  }
}

function isReadablePdf(bytes: Uint8Array): boolean {
  try {
    const file = openPdf(bytes, { decrypts: true })
    return file.dictionary(file.crossReference.trailer.entries.get('Root')) !== undefined
  } catch (error) {
    if (error instanceof PdfSyntaxError) return false
    throw error
  }
}

/** A signed file that can no longer be read: its pages and signatures are unknown. */
function reportDamage(bytes: Uint8Array, damage: Remark, why: Remark): VerificationReport {
  return {
    verdict: 'not-valid',
    sha256: toHex(hashOf('sha256', bytes)),
    bytes: bytes.length,
    pageCount: 0,
    revisions: 0,
    signatures: [],
    additions: [],
    changes: [],
    reasons: [damage, remark('file_unreadable', { why })],
  }
}

// Checks signatures in a file whose structure cannot be followed. ISO 32000-2 §12.8.1.

const TRUNCATED_FILE = remark('file_cut_off')

/** Each range costs a digest over the file. */
const MAX_RANGES = 10
const MAX_TRIES = 10_000
const BYTE_RANGE_KEY = '/ByteRange'
const BYTE_RANGE_ARRAY = /^\/ByteRange\s*\[\s*0\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/

/** Those that leave out a hexadecimal string or exceed the file, newest first. */
export function findByteRanges(bytes: Uint8Array): ByteRange[] {
  const found: ByteRange[] = []
  let at = bytes.length
  for (let tries = 0; tries < MAX_TRIES && found.length < MAX_RANGES; tries++) {
    at = at === 0 ? -1 : lastIndexOfBytes(bytes, BYTE_RANGE_KEY, at - 1)
    if (at === -1) break
    const [, first, second, length] = (BYTE_RANGE_ARRAY.exec(toLatin1(bytes, at, at + 200)) ?? []).map(Number)
    if (first === undefined || second === undefined || length === undefined) continue
    const isHexString = bytes[first] === LESS && (second > bytes.length || bytes[second - 1] === GREATER)
    if (isHexString) found.push([0, first, second, length])
  }
  return found
}

function isChanged(bytes: Uint8Array, range: ByteRange): boolean {
  const contents = readHexContents(bytes.subarray(range[1], range[2]))
  if (contents === undefined) return true
  try {
    const cms = readSignedCms(contents.bytes)
    if (cms.content !== undefined) return false
    const request = { cms, signed: rangesOf(bytes, range), subFilter: '', isStrictCertification: false, known: [] }
    return verifyCms(request).broken.length > 0
  } catch (error) {
    // A time-stamp or an unsupported form cannot be checked here.
    if (error instanceof DerError) return false
    throw error
  }
}

/** A sentence; undefined if no signature shows a change of the file. */
function describeDamage(bytes: Uint8Array, isReadable: (end: number) => boolean): Remark | undefined {
  for (const range of findByteRanges(bytes)) {
    const end = range[2] + range[3]
    if (end > bytes.length) return TRUNCATED_FILE
    if (isChanged(bytes, range)) return remark('document_changed')
    if (end < bytes.length && isReadable(end)) return remark('later_bytes_unreadable', { bytes: bytes.length - end })
  }
  return undefined
}

// Finds structures that PDF readers interpret differently. ISO 32000-2 §7.5.6, §7.7.3.

/** Undefined if the revision cannot be read. */
function countPagesAt(file: PdfFile, end: number): number | undefined {
  try {
    const revision = file.revisionAt(end)
    const catalog = revision.dictionary(revision.crossReference.trailer.entries.get('Root'))
    return catalog && countPages(revision, catalog)
  } catch (error) {
    if (error instanceof PdfSyntaxError) return undefined
    throw error
  }
}

function describeHiddenRevision(file: PdfFile, end: number): Remark {
  const count = countPagesAt(file, end)
  return count === undefined ? remark('hidden_revision', { end }) : remark('hidden_revision_with_pages', { count, end })
}

function checkPageTree(file: PdfFile): Remark[] {
  try {
    return findWrongTypes(file, readPages(file, file.resolve(file.crossReference.trailer.entries.get('Root'))))
  } catch (error) {
    if (!(error instanceof PdfSyntaxError) && !(error instanceof TooManyPagesError)) throw error
    return [remark('pages_unreadable', { why: error.remark })]
  }
}

/** @throws PdfSyntaxError if the file cannot be read */
function checkStructure(file: PdfFile, catalog: PdfDictionary): Remark[] {
  const unreached = findUnreachedRevisions(file)
    .slice(0, MAX_REASONS)
    .map(end => describeHiddenRevision(file, end))
  const isEmpty = countPages(file, catalog) === 0
  return [
    ...file.crossReference.errors,
    ...unreached,
    ...(isEmpty ? [remark('file_without_page')] : checkPageTree(file)),
    ...findDuplicateKeys(file, catalog),
  ].slice(0, MAX_REASONS)
}

// Finds signatures that the form does not refer to. ISO 32000-2 §12.7.5.5, §12.8.2.2.

/** Byte ranges of signatures that are not in the form: a later revision removed them from it. */
function findHiddenRanges(file: PdfFile, fields: readonly SignatureField[]): ByteRange[] {
  const shown = new Set(fields.map(({ value }) => readContentsOffset(file, value)))
  return findByteRanges(file.bytes).filter(([, first]) => !shown.has(first))
}

/** The offset of /Contents according to /ByteRange. */
function readContentsOffset(file: PdfFile, signature: PdfDictionary): number | undefined {
  const first = file.items(signature.entries.get('ByteRange'))[1]
  return first?.kind === 'number' ? first.value : undefined
}

function isCertification(file: PdfFile, [, first, second, length]: ByteRange): boolean {
  try {
    const revision = file.revisionAt(second + length)
    const catalog = revision.dictionary(revision.crossReference.trailer.entries.get('Root'))
    const known = catalog === undefined ? [] : findSignatureFields(revision, catalog)
    const own = known.find(({ value }) => readContentsOffset(revision, value) === first)
    return own !== undefined && readCertificationLevel(revision, own.value) !== undefined
  } catch (error) {
    if (error instanceof PdfSyntaxError) return false
    throw error
  }
}

/** §12.8.2.2: no later signature may remove a certification from the form. */
function checkRemovedCertifications(file: PdfFile, fields: readonly SignatureField[]): Remark[] {
  const isRemoved = findHiddenRanges(file, fields).some(range => isCertification(file, range))
  return isRemoved ? [remark('certification_removed')] : []
}

/** Returns sentences; none if the form refers to every signature in the bytes. */
function checkHiddenSignatures(
  file: PdfFile,
  fields: readonly SignatureField[],
  usageRights: PdfDictionary | undefined,
): Remark[] {
  const isRights = ([, first]: ByteRange) => usageRights !== undefined && usageRights.start < first && first < usageRights.end
  const hidden = findHiddenRanges(file, fields).filter(range => !isRights(range))
  if (hidden.length === 0) return []
  const isTruncated = hidden.some(([, , second, length]) => second + length > file.bytes.length)
  return [isTruncated ? TRUNCATED_FILE : remark('hidden_signature')]
}

// Checks that known certificates signed all of the DSS: no seal covers it. EN 319 142-1 §5.4.2.

/** Reads the objects and notes those of another kind. */
function readAll<T>(objects: readonly Uint8Array[], read: (der: Uint8Array) => T, kind: DssKind, errors: Remark[]): T[] {
  return objects.flatMap(der => {
    try {
      return [read(der)]
    } catch (error) {
      if (!(error instanceof DerError)) throw error
      errors.push(remark('dss_object_invalid', { kind, cause: error.message }))
      return []
    }
  })
}

const isSignedByAny = (certificate: Certificate, issuers: readonly Certificate[]): boolean =>
  issuers.some(issuer => equalBytes(issuer.subject, certificate.issuer) && isSignedBy(certificate, issuer))

/** Checked at its own time of issue: its form and its signature, not its age. */
const isListBy = (list: RevocationList, issuer: Certificate): boolean =>
  equalBytes(list.issuer, issuer.subject) && revocationListError(list, issuer, list.thisUpdate) === undefined

function checkResponse(response: OcspResponse, known: readonly Certificate[]): Remark[] {
  const isAuthorised = known.some(issuer => issuer.isAuthority && findResponder(response, issuer) !== undefined)
  const unsigned = response.certificates.filter(one => !isSignedByAny(one, [...known, ...response.certificates]))
  return [
    ...(isAuthorised ? [] : [remark('dss_response_unauthorised', { at: response.producedAt.toISOString() })]),
    ...unsigned.map(({ subject }) => remark('dss_response_certificate', { name: nameText(subject) })),
  ]
}

/** `paths` are the certification paths of signatures and time-stamps, already validated. */
function checkDss(dss: DssContents, paths: readonly Certificate[]): Remark[] {
  const errors: Remark[] = []
  if (dss.unreadable > 0) errors.push(remark('dss_objects_unreadable', { count: dss.unreadable }))
  const certificates = readAll(dss.certificates, readCertificate, 'certificate', errors)
  const known = [...paths, ...certificates]
  for (const certificate of certificates) {
    const isSelfIssued = equalBytes(certificate.subject, certificate.issuer)
    const isOnPath = !isSelfIssued && paths.some(one => equalBytes(one.der, certificate.der))
    if (!isOnPath && !isSignedByAny(certificate, known))
      errors.push(remark('dss_certificate', { name: nameText(certificate.subject) }))
  }
  for (const list of readAll(dss.revocationLists, readRevocationList, 'revocation list', errors)) {
    if (!known.some(issuer => isListBy(list, issuer))) errors.push(remark('dss_list', { name: nameText(list.issuer) }))
  }
  const responses = readAll(dss.ocspResponses, readOcspResponse, 'OCSP response', errors)
  return [...errors, ...responses.flatMap(response => checkResponse(response, known))]
}
