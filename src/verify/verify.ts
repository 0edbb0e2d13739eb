/**
 * The verifier: what may be said of a PDF's signatures, and why not more. Runs in a child process, for the bytes are anyone's.
 * Reads the file itself, only where the cross-reference leads, and keeps integrity and origin apart. ISO 32000-2 §12.8; EN 319 142-1.
 * It knows no record of ours: whether a hash stands in the audit log is asked by the rooms.
 */
import { createHash } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import { findActiveContent } from '../pdf/inspect/active-content.ts'
import { countPages, openPdf, type PdfFile } from '../pdf/parser/file.ts'
import { readPages, TooManyPagesError } from '../pdf/parser/page.ts'
import { findSignatureFields, type SignatureField } from '../pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue } from '../pdf/parser/syntax.ts'
import { type Certificate, certificatesOfPem, readCertificate } from '../pki/x509.ts'
import { readStore } from './changes/dss.ts'
import { dssErrors } from './dss-signers.ts'
import { hiddenReasons, removedCertifications } from './hidden-signatures.ts'
import { damageOf } from './raw-signatures.ts'
import type { UnreadableReport, VerificationReport, VerifyFileRequest } from './report.ts'
import { materialOf } from './revocation-proofs.ts'
import { judgeSignature } from './signature.ts'
import { isDocumentTimestamp } from './signature-dictionary.ts'
import { structureReasons } from './structure.ts'
import { type DocumentTimestamp, type Grounds, type JudgedSignature, verifyDocumentTimestamp } from './timestamp.ts'
import { verdictOf } from './verdict.ts'

const MAX_FILE_BYTES = 256 * 1024 * 1024
const CHUNK_BYTES = 1 << 20
const NO_SIGNATURE = 'The file holds no signature.'

interface Trust {
  signers: readonly Certificate[]
  timestamps: readonly Certificate[]
  /** The time of validation. */
  now: Date
  /** CertificateList, RFC 5280 §5.1: revocations that are known beside those in the file. */
  revocationLists: readonly Uint8Array[]
}

/** True when the file at `path` is exactly the first bytes of `bytes`. */
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

function readable(file: PdfFile, number: number, generation: number): PdfValue | undefined {
  try {
    return file.resolve({ kind: 'reference', number, generation, start: 0, end: 0 }).value
  } catch (error) {
    if (error instanceof PdfSyntaxError) return undefined
    throw error
  }
}

/** Signature dictionaries that the newest revision of `file` brings and no signature field leads to: readers differ on them. */
function strayReasons(file: PdfFile, fields: readonly SignatureField[]): string[] {
  const reachable = new Set(fields.map(field => field.value.start))
  const reasons: string[] = []
  for (const number of file.crossReference.newestInUse) {
    const entry = file.crossReference.entries.get(number)
    if (entry?.kind !== 'offset') continue
    const value = readable(file, number, entry.generation)
    if (value === undefined) reasons.push(`Object ${number} cannot be read, which a signed or the newest revision brings.`)
    else if (value.kind === 'dictionary' && value.entries.has('ByteRange') && !reachable.has(value.start)) {
      reasons.push(`Object ${number} is a signature dictionary that no signature field of the form leads to.`)
    }
  }
  return reasons
}

function doubledReasons(file: PdfFile, catalog: PdfDictionary): string[] {
  const form = file.dictionary(catalog.entries.get('AcroForm'))
  return [
    ...catalog.duplicateKeys.map(key => `The catalog has the key /${key} twice.`),
    ...(form?.duplicateKeys ?? []).map(key => `The AcroForm has the key /${key} twice.`),
  ]
}

/** §12.8.6: what /Perms names must be a signature that the form shows, else readers certify another one than they list. */
function permissionReasons(file: PdfFile, catalog: PdfDictionary, fields: readonly SignatureField[]): string[] {
  const permissions = file.dictionary(catalog.entries.get('Perms'))
  const certification = permissions?.entries.get('DocMDP')
  if (certification === undefined) return []
  const known = certification.kind === 'reference' && fields.some(field => field.number === certification.number)
  return known ? [] : ['/Perms /DocMDP of the catalog names a signature that no signature field leads to.']
}

function sharedReasons(fields: readonly SignatureField[]): string[] {
  const numbers = fields.map(field => field.number).filter(number => number !== undefined)
  return new Set(numbers).size === numbers.length ? [] : ['One signature dictionary is the value of two fields.']
}

/** What a document does by itself can hide what was signed; a seal of our own form leaves nothing of it in. */
function activeReasons(file: PdfFile): string[] {
  const root = file.resolve(file.crossReference.trailer.entries.get('Root'))
  try {
    const { objects, catalog: changes, kinds } = findActiveContent(file, root, readPages(file, root))
    if (objects.size === 0 && changes.size === 0) return []
    const found = [...kinds].join(', ').replaceAll('_', ' ')
    return [`The document can act by itself (${found}), which a seal of this form never leaves in.`]
  } catch (error) {
    if (!(error instanceof PdfSyntaxError) && !(error instanceof TooManyPagesError)) throw error
    return [`The pages cannot be read as a seal of this form has them: ${error.message}.`]
  }
}

/** What speaks against the file as a whole, beside its signatures. */
function fileReasons(
  file: PdfFile,
  catalog: PdfDictionary,
  fields: readonly SignatureField[],
  judged: readonly JudgedSignature[],
): string[] {
  const reasons = structureReasons(file, catalog)
  reasons.push(...doubledReasons(file, catalog), ...permissionReasons(file, catalog, fields), ...sharedReasons(fields))
  const revisions = new Set([file, ...judged.map(({ signed }) => signed ?? file)])
  for (const revision of revisions) reasons.push(...strayReasons(revision, fields))
  if (judged.some(one => one.ownForm)) {
    reasons.push(...activeReasons(file), ...judged.flatMap(({ unverified }) => unverified))
    reasons.push(
      ...dssErrors(
        readStore(file),
        judged.flatMap(({ paths }) => paths),
      ),
    )
  }
  return [...new Set(reasons)]
}

/** Document time-stamps first, the newest first: they vouch for what they cover. The order of the answer is that of the form. */
function judgeFields(file: PdfFile, fields: readonly SignatureField[], grounds: Grounds): JudgedSignature[] {
  const judged = new Map<SignatureField, JudgedSignature>()
  const stamps: DocumentTimestamp[] = []
  for (const field of fields.filter(isDocumentTimestamp)) {
    const verdict = verifyDocumentTimestamp(file, field, grounds)
    judged.set(field, verdict)
    if (verdict.stamp !== undefined) stamps.push(verdict.stamp)
  }
  return fields.map(field => judged.get(field) ?? judgeSignature(file, field, grounds, stamps))
}

function judge(bytes: Uint8Array, trust: Trust): VerificationReport {
  // §7.5.2; readers disagree on what offsets mean when something stands before the header.
  if (Buffer.from(bytes.subarray(0, 5)).toString('latin1') !== '%PDF-')
    throw new PdfSyntaxError('it does not begin with “%PDF-”, as every PDF does')
  const file = openPdf(bytes, { decrypts: true })
  const catalog = file.dictionary(file.crossReference.trailer.entries.get('Root'))
  if (catalog === undefined) throw new PdfSyntaxError('it has no catalog')
  const fields = findSignatureFields(file, catalog)
  const judged = judgeFields(file, fields, {
    trust: trust.signers,
    timestampTrust: trust.timestamps,
    now: trust.now,
    knownProofs: materialOf({ ...NOTHING_STORED, revocationLists: [...trust.revocationLists] }).proofsOf,
    material: materialOf(readStore(file)),
    materialAt: end => materialOf(readStore(file.revisionAt(end))),
  })
  const signatures = judged.map(({ report }) => report)
  const isSigned = signatures.some(({ kind }) => kind === 'signature')
  const hidden = isSigned ? removedCertifications(file, fields) : hiddenReasons(file, fields)
  const reasons = [...(isSigned ? [] : [NO_SIGNATURE]), ...hidden, ...fileReasons(file, catalog, fields, judged)]
  return {
    verdict: isSigned || hidden.length > 0 ? verdictOf(reasons, signatures) : 'not-signed',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    pageCount: countPages(file, catalog),
    revisions: file.crossReference.revisions,
    signatures,
    additions: [...new Set(judged.flatMap(({ additions }) => additions))],
    reasons,
  }
}

const NOTHING_STORED = { certificates: [], ocspResponses: [], revocationLists: [], unreadable: 0 }

/**
 * Verifies bytes in memory. `trust` holds signers or their roots, `timestampTrust` time-stamp authorities or theirs; neither serves for the other.
 * `now` is the time of validation, the present by default; `revocationLists` (DER) are known beside those in the file.
 */
export function verifyBytes(
  bytes: Uint8Array,
  trust: readonly Certificate[],
  timestampTrust: readonly Certificate[] = [],
  { now = new Date(), revocationLists = [] }: Partial<Pick<Trust, 'now' | 'revocationLists'>> = {},
): VerificationReport | UnreadableReport {
  const judged = { signers: trust, timestamps: timestampTrust, now, revocationLists }
  try {
    return judge(bytes, judged)
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error
    const damage = damageOf(bytes, end => canBeRead(bytes.subarray(0, end)))
    return damage === undefined ? { verdict: 'unreadable', reason: error.message } : damagedReport(bytes, damage, error.message)
  }
}

function canBeRead(bytes: Uint8Array): boolean {
  try {
    const file = openPdf(bytes, { decrypts: true })
    return file.dictionary(file.crossReference.trailer.entries.get('Root')) !== undefined
  } catch (error) {
    if (error instanceof PdfSyntaxError) return false
    throw error
  }
}

/** A signed file was changed so that it cannot be read any more: neither its pages nor its signatures can be listed. */
function damagedReport(bytes: Uint8Array, damage: string, reason: string): VerificationReport {
  return {
    verdict: 'not-valid',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    pageCount: 0,
    revisions: 0,
    signatures: [],
    additions: [],
    reasons: [damage, `The file cannot be read: ${reason}.`],
  }
}

/**
 * Verifies a file as the order asks.
 * @throws what the file system says when a path of the order cannot be read; DerError when a certificate of `trust` is none
 */
export async function verifyFile(order: VerifyFileRequest): Promise<VerificationReport | UnreadableReport> {
  const [trust, timestampTrust] = [order.trust, order.timestampTrust ?? []].map(list =>
    list.flatMap(certificatesOfPem).map(readCertificate),
  ) as [Certificate[], Certificate[]]
  const { size } = await stat(order.path)
  if (size > MAX_FILE_BYTES) return { verdict: 'unreadable', reason: `it is larger than ${MAX_FILE_BYTES} bytes` }
  const bytes = await readFile(order.path)
  const revocationLists = (order.revocationLists ?? []).map(list => Buffer.from(list, 'base64'))
  const now = order.now === undefined ? new Date() : new Date(order.now)
  const report = verifyBytes(bytes, trust, timestampTrust, { now, revocationLists })
  const { originalPath } = order
  if (report.verdict === 'unreadable' || originalPath === undefined || (await isPrefix(originalPath, bytes))) return report
  const reasons = [...report.reasons, 'The file does not begin with the document that was sent.']
  return { ...report, verdict: 'not-valid', reasons }
}
