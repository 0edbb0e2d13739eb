/**
 * Inspects an upload: accepted, accepted after rewriting, or refused with advice. An accepted file
 * can be sealed. ISO 32000-2 §7.5, §12.7, §12.8. Run it in a child process only, because uploads
 * are untrusted.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PageBox } from '../../core/field/geometry.ts'
import { type Violation, violation } from '../../core/violation.ts'
import { writeSynced } from '../../lib/disk.ts'
import { THIS_FILE_SYSTEM } from '../../lib/this-file-system.ts'
import { checkContentSize } from '../parser/content.ts'
import { PdfLimitError } from '../parser/limits.ts'
import { TooManyPagesError } from '../parser/page.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import { tryIncrement } from '../writer/increment.ts'
import { toWarnings } from './active-content-messages.ts'
import { isSigned, isXfaOnly, revisionWarnings } from './form-state.ts'
import { EncryptedPdfError, type OpenedForUpdate, openForUpdate } from './open-for-update.ts'
import { hasEncryption, type RewrittenPdf, removeProtection, repair } from './repair.ts'
import type { Inspection, InspectRequest, PdfRefusal, PdfWarning, RefusedPdf } from './report.ts'

class Refusal extends Error {
  override name = 'Refusal'
  constructor(
    readonly code: PdfRefusal,
    readonly violation: Violation,
  ) {
    super(violation.code)
  }
}

/** Readers accept a header in the first bytes of a file (§7.5.2). */
const MAX_HEADER_OFFSET = 1024
const MIN_POINTS = 3
/** Of a side in units of the page, and of its unit in points. ISO 32000-2 §C.2. */
const MAX_UNITS = 14_400
const MAX_USER_UNIT = 75_000

const REPAIRED: PdfWarning = {
  code: 'repaired',
  message: 'The PDF was damaged and has been repaired; check that every page looks right before you send it.',
}
const UNPROTECTED: PdfWarning = {
  code: 'protection_removed',
  message: 'The PDF was protected, but not by a password to open it; the protection has been removed.',
}

/** False for a damaged PDF. @throws Refusal if it is not a PDF */
function startsWithHeader(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = view.subarray(0, MAX_HEADER_OFFSET).indexOf('%PDF-')
  if (at === 0) return true
  if (at > 0 || (view.includes('startxref') && view.includes('endobj'))) return false
  throw new Refusal('invalid_pdf', violation('pdf_expected'))
}

interface OpenedUpload extends RewrittenPdf {
  warnings: PdfWarning[]
  rewritten: boolean
}

const PROTECTIONS = {
  password: violation('pdf_with_password'),
  permission: violation('pdf_protected'),
  damaged: violation('pdf_encrypted_otherwise'),
}

async function openProtected(bytes: Uint8Array, maxPages: number): Promise<OpenedUpload> {
  const result = await removeProtection(bytes, maxPages)
  if (!('refused' in result)) return { ...result, warnings: [UNPROTECTED], rewritten: true }
  throw new Refusal('encrypted_pdf', PROTECTIONS[result.refused])
}

async function openDamaged(bytes: Uint8Array, maxPages: number): Promise<OpenedUpload> {
  // Without its key, an encrypted file would be rewritten as nonsense.
  if (hasEncryption(bytes)) return openProtected(bytes, maxPages)
  const result = await repair(bytes, maxPages)
  if (result !== undefined) return { ...result, warnings: [REPAIRED], rewritten: true }
  throw new Refusal('invalid_pdf', violation('pdf_damaged'))
}

async function openUpload(bytes: Uint8Array, maxPages: number): Promise<OpenedUpload> {
  if (!startsWithHeader(bytes)) return openDamaged(bytes, maxPages)
  try {
    const pdf = openForUpdate(bytes, maxPages)
    refuseUnsupportedForms(pdf)
    checkPages(pdf.pages.map(page => page.box))
    tryIncrement(pdf)
    return { bytes, pdf, warnings: [], rewritten: false }
  } catch (error) {
    // Rewriting does not make the file smaller, and parsing it again costs as much again.
    if (error instanceof PdfLimitError) throw error
    if (error instanceof EncryptedPdfError) return openProtected(bytes, maxPages)
    if (error instanceof PdfSyntaxError) return openDamaged(bytes, maxPages)
    throw error
  }
}

/** An update would invalidate an earlier signature, and does not change what an XFA form shows. */
function refuseUnsupportedForms(pdf: OpenedForUpdate): void {
  if (isSigned(pdf)) throw new Refusal('unsupported_pdf', violation('pdf_signed'))
  if (isXfaOnly(pdf)) throw new Refusal('unsupported_pdf', violation('pdf_dynamic_form'))
}

/** Content of other files is not in the sealed file, and may change after sealing. */
function refuseForeignContent({ activeContentEdits }: OpenedForUpdate): void {
  if (!activeContentEdits.kinds.has('foreign_content')) return
  throw new Refusal('unsupported_pdf', violation('pdf_of_other_files'))
}

function checkPages(pages: readonly PageBox[]): void {
  if (pages.length === 0) throw new Refusal('invalid_pdf', violation('pdf_without_pages'))
  const index = pages.findIndex(({ width, height, userUnit }) => {
    const isTooLarge = Math.max(width, height) > MAX_UNITS || userUnit > MAX_USER_UNIT
    return isTooLarge || Math.min(width, height) * userUnit < MIN_POINTS
  })
  const page = pages[index]
  if (page === undefined) return
  const points = [page.width, page.height].map(length => Math.round(length * page.userUnit * 100) / 100).join(' × ')
  const sides = { points, min: MIN_POINTS, max: MAX_UNITS }
  throw new Refusal('unsupported_pdf', violation('pdf_page_size', { page: index + 1, ...sides }))
}

async function inspectUpload({ path, canonicalPath, maxPages }: InspectRequest): Promise<Inspection> {
  const { bytes, pdf, warnings, rewritten } = await openUpload(await readFile(path), maxPages)
  refuseUnsupportedForms(pdf)
  refuseForeignContent(pdf)
  checkContentSize(pdf.file, pdf.pages)
  const pages = pdf.pages.map(page => page.box)
  checkPages(pages)
  if (rewritten) await writeSynced(THIS_FILE_SYSTEM, canonicalPath, bytes)
  return {
    verdict: 'accepted',
    pages,
    rewritten,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    warnings: [...warnings, ...revisionWarnings(pdf), ...toWarnings(pdf.activeContentEdits.kinds)],
  }
}

function toRefusal(error: unknown, { maxPages }: InspectRequest): RefusedPdf | undefined {
  if (error instanceof Refusal) return { code: error.code, violation: error.violation }
  const found = limitOf(error, maxPages)
  return found && { code: 'unsupported_pdf', violation: found }
}

function limitOf(error: unknown, max: number): Violation | undefined {
  if (error instanceof TooManyPagesError) return violation('pdf_too_many_pages', { count: error.count, max })
  if (error instanceof PdfLimitError) return violation('pdf_beyond_limits', { words: error.message })
  return error instanceof PdfSyntaxError ? violation('pdf_not_sealable', { cause: error.message }) : undefined
}

/** Writes the canonical file only if the upload had to be rewritten. @throws file system errors */
export async function inspect(request: InspectRequest): Promise<Inspection> {
  try {
    return await inspectUpload(request)
  } catch (error) {
    const refusal = toRefusal(error, request)
    if (refusal === undefined) throw error
    return { verdict: 'refused', ...refusal }
  }
}
