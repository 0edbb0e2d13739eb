/** Verifies the signatures of a PDF. ISO 32000-2 §12.8; EN 319 142-1. */
import { createHash } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import { findActiveContent } from '../pdf/inspect/active-content.ts'
import { countPages, openPdf, type PdfFile } from '../pdf/parser/file.ts'
import { readPages, TooManyPagesError } from '../pdf/parser/page.ts'
import { findSignatureFields, findUsageRights, type SignatureField } from '../pdf/parser/signature-fields.ts'
import { makeReference, type PdfDictionary, PdfSyntaxError, type PdfValue } from '../pdf/parser/syntax.ts'
import { type Certificate, certificatesOfPem, readCertificate } from '../pki/x509.ts'
import { readDss } from './changes/dss.ts'
import { checkDss } from './dss-signers.ts'
import { checkHiddenSignatures, checkRemovedCertifications } from './hidden-signatures.ts'
import { describeDamage } from './raw-signatures.ts'
import type { UnreadableReport, VerificationReport, VerifyFileRequest, VisibleChange } from './report.ts'
import { readMaterial } from './revocation-proofs.ts'
import { verifySignatureField } from './signature.ts'
import { isDocumentTimestamp, newProblems, readByteRange } from './signature-dictionary.ts'
import { checkStructure } from './structure.ts'
import { type DocumentTimestamp, type SignatureResult, type ValidationContext, verifyDocumentTimestamp } from './timestamp.ts'
import { deriveVerdict } from './verdict.ts'

const MAX_FILE_BYTES = 256 * 1024 * 1024
const CHUNK_BYTES = 1 << 20
const NO_SIGNATURE = 'The file holds no signature.'

/** True if `bytes` begin with exactly the content of the file at `path`. */
async function isPrefix(path: string, bytes: Uint8Array): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size > bytes.length) return false
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(chunk, 0, Math.min(CHUNK_BYTES, size - at), at)
      if (bytesRead === 0 || Buffer.compare(chunk.subarray(0, bytesRead), bytes.subarray(at, at + bytesRead)) !== 0) return false
      at += bytesRead
    }
    return true
  } finally {
    await file.close()
  }
}

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
function checkStraySignatures(file: PdfFile, fields: readonly SignatureField[]): string[] {
  const reachable = new Set([...fields.map(field => field.value.start), usageRightsOf(file)?.start])
  const reasons: string[] = []
  for (const number of file.crossReference.newestInUse) {
    const entry = file.crossReference.entries.get(number)
    if (entry?.kind !== 'offset') continue
    const value = tryResolve(file, number, entry.generation)
    if (value === undefined) reasons.push(`Object ${number} of a signed revision or of the newest one cannot be read.`)
    else if (value.kind === 'dictionary' && value.entries.has('ByteRange') && !reachable.has(value.start)) {
      reasons.push(`Object ${number} is a signature dictionary that no signature field of the form refers to.`)
    }
  }
  return reasons
}

/** §12.8.6: otherwise PDF readers apply a certification that they do not list as a signature. */
function checkPermissions(file: PdfFile, catalog: PdfDictionary, fields: readonly SignatureField[]): string[] {
  const permissions = file.dictionary(catalog.entries.get('Perms'))
  const certification = permissions?.entries.get('DocMDP')
  if (certification === undefined) return []
  const isKnown = certification.kind === 'reference' && fields.some(field => field.number === certification.number)
  return isKnown ? [] : ['/Perms /DocMDP of the catalog names a signature that no signature field refers to.']
}

/** Active content can hide what was signed. Signet removes it before it seals. */
function checkActiveContent(file: PdfFile): string[] {
  const root = file.resolve(file.crossReference.trailer.entries.get('Root'))
  try {
    const { objects, catalog: changes, kinds } = findActiveContent(file, root, readPages(file, root))
    if (objects.size === 0 && changes.size === 0) return []
    const found = [...kinds].join(', ').replaceAll('_', ' ')
    return [`The document contains active content (${found}), which no file sealed by Signet has.`]
  } catch (error) {
    if (!(error instanceof PdfSyntaxError) && !(error instanceof TooManyPagesError)) throw error
    return [`The pages cannot be read, unlike those of a file sealed by Signet: ${error.message}.`]
  }
}

/** Problems with the file as a whole, not with one signature. */
function checkFile(
  file: PdfFile,
  catalog: PdfDictionary,
  fields: readonly SignatureField[],
  results: readonly SignatureResult[],
): string[] {
  const form = file.dictionary(catalog.entries.get('AcroForm'))
  const numbers = fields.map(field => field.number).filter(number => number !== undefined)
  const reasons = [
    ...checkStructure(file, catalog),
    ...catalog.duplicateKeys.map(key => `The catalog has the key /${key} twice.`),
    ...(form?.duplicateKeys ?? []).map(key => `The AcroForm has the key /${key} twice.`),
    ...checkPermissions(file, catalog, fields),
  ]
  if (new Set(numbers).size < numbers.length)
    reasons.push('Two signature fields have the same signature dictionary as their value.')
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
  return [...new Set(reasons)]
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
  if (Buffer.from(bytes.subarray(0, 5)).toString('latin1') !== '%PDF-')
    throw new PdfSyntaxError('it does not begin with “%PDF-”, as every PDF does')
  const file = openPdf(bytes, { decrypts: true })
  const catalog = file.dictionary(file.crossReference.trailer.entries.get('Root'))
  if (catalog === undefined) throw new PdfSyntaxError('it has no catalog')
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
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    pageCount: countPages(file, catalog),
    revisions: file.crossReference.revisions,
    signatures,
    additions: [...new Set(results.flatMap(({ additions }) => additions))],
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
    return damage === undefined ? { verdict: 'unreadable', reason: error.message } : reportDamage(bytes, damage, error.message)
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
function reportDamage(bytes: Uint8Array, damage: string, reason: string): VerificationReport {
  return {
    verdict: 'not-valid',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    pageCount: 0,
    revisions: 0,
    signatures: [],
    additions: [],
    changes: [],
    reasons: [damage, `The file cannot be read: ${reason}.`],
  }
}

/** @throws DerError if `trust` holds anything but certificates; file system errors */
export async function verifyFile(request: VerifyFileRequest): Promise<VerificationReport | UnreadableReport> {
  const [trust, timestampTrust] = [request.trust, request.timestampTrust ?? []].map(list =>
    list.flatMap(certificatesOfPem).map(readCertificate),
  ) as [Certificate[], Certificate[]]
  const { size } = await stat(request.path)
  if (size > MAX_FILE_BYTES) return { verdict: 'unreadable', reason: `it is larger than ${MAX_FILE_BYTES} bytes` }
  const bytes = await readFile(request.path)
  const revocationLists = (request.revocationLists ?? []).map(list => Buffer.from(list, 'base64'))
  const now = request.now === undefined ? new Date() : new Date(request.now)
  const report = verifyBytes(bytes, trust, timestampTrust, { now, revocationLists })
  const { originalPath } = request
  if (report.verdict === 'unreadable' || originalPath === undefined || (await isPrefix(originalPath, bytes))) return report
  const reasons = [...report.reasons, 'The file does not begin with the document that was sent.']
  return { ...report, verdict: 'not-valid', reasons }
}
