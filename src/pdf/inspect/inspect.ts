/**
 * The judgement on an upload: accepted as it is, accepted rewritten, or refused with what to do.
 * Runs in a child process, for the bytes are anyone's. What is accepted can be sealed: the update
 * of a seal was tried on it. ISO 32000-2 §7.5, §12.7, §12.8.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PageBox } from '../../core/geometry.ts'
import { writeSynced } from '../../lib/disk.ts'
import { checkContentSize } from '../parser/content.ts'
import { PdfLimitError } from '../parser/limits.ts'
import { TooManyPagesError } from '../parser/page.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import { tryIncrement } from '../writer/increment.ts'
import { toWarnings } from './active-content-messages.ts'
import { isSigned, isXfaOnly, revisionWarnings } from './form-state.ts'
import { EncryptedPdfError, type OpenedForUpdate, openForUpdate } from './open-for-update.ts'
import { hasEncryption, type RewrittenPdf, removeProtection, repair } from './repair.ts'
import type { Inspection, InspectRequest, PdfRefusal, PdfWarning } from './report.ts'

/** An upload that is not taken, with its reason. */
class Refusal extends Error {
  override name = 'Refusal'
  constructor(
    readonly code: PdfRefusal,
    message: string,
  ) {
    super(message)
  }
}

/** Readers look for the header a little further in (§7.5.2). */
const HEADER_REACH = 1024
/** Sides of a page, in points. */
const MIN_POINTS = 3
const MAX_POINTS = 14_400

const REPAIRED: PdfWarning = {
  code: 'repaired',
  message: 'The PDF was damaged and has been rewritten; check that every page looks as it should before you send it.',
}
const UNPROTECTED: PdfWarning = {
  code: 'protection_removed',
  message: 'The PDF was protected without a password to open it; it has been rewritten without that protection.',
}

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * True when the header stands at the first byte. Without one the file is still a damaged PDF when
 * it ends like one. @throws Refusal
 */
function hasHeader(bytes: Uint8Array): boolean {
  const view = viewOf(bytes)
  const at = view.subarray(0, HEADER_REACH).indexOf('%PDF-')
  if (at === 0) return true
  if (at > 0 || (view.includes('startxref') && view.includes('endobj'))) return false
  throw new Refusal('invalid_pdf', 'This file is not a PDF; choose a file in the format PDF.')
}

function tooManyPages(count: number, maxPages: number): Refusal {
  return new Refusal(
    'unsupported_pdf',
    `This PDF has ${count} pages and at most ${maxPages} can be sent; split it into smaller documents.`,
  )
}

interface OpenedUpload extends RewrittenPdf {
  warnings: PdfWarning[]
  rewritten: boolean
}

async function openProtected(bytes: Uint8Array, maxPages: number): Promise<OpenedUpload> {
  const result = await removeProtection(bytes, maxPages)
  if (!('refused' in result)) return { ...result, warnings: [UNPROTECTED], rewritten: true }
  const messages = {
    password: 'This PDF can only be opened with a password; remove the password and upload it again.',
    permission: 'This PDF is protected against changes; remove the protection and upload it again.',
    damaged: 'This PDF is encrypted in a way that cannot be read; save it without encryption and upload it again.',
  }
  throw new Refusal('encrypted_pdf', messages[result.refused])
}

async function openRepaired(bytes: Uint8Array, maxPages: number): Promise<OpenedUpload> {
  const result = await repair(bytes, maxPages)
  if (result !== undefined) return { ...result, warnings: [REPAIRED], rewritten: true }
  throw new Refusal(
    'invalid_pdf',
    'This PDF is damaged or incomplete and cannot be repaired; create it anew, or print it to a new PDF.',
  )
}

/** Repairing an encrypted file without its key would rewrite it as nonsense. */
function openDamaged(bytes: Uint8Array, maxPages: number): Promise<OpenedUpload> {
  return hasEncryption(bytes) ? openProtected(bytes, maxPages) : openRepaired(bytes, maxPages)
}

async function openUpload(bytes: Uint8Array, maxPages: number): Promise<OpenedUpload> {
  if (!hasHeader(bytes)) return openDamaged(bytes, maxPages)
  try {
    const readable = openForUpdate(bytes, maxPages)
    refuseWhatNoUpdateMayTouch(readable)
    checkPages(readable.pages.map(page => page.box))
    tryIncrement(readable)
    return { bytes, readable, warnings: [], rewritten: false }
  } catch (error) {
    // No rewriting makes it smaller, and reading it once more costs as much again.
    if (error instanceof PdfLimitError) throw error
    if (error instanceof EncryptedPdfError) return openProtected(bytes, maxPages)
    if (error instanceof PdfSyntaxError) return openDamaged(bytes, maxPages)
    throw error
  }
}

/** An update would break an earlier signature, and cannot reach what an XFA form shows. */
function refuseWhatNoUpdateMayTouch(readable: OpenedForUpdate): void {
  if (isSigned(readable)) {
    throw new Refusal(
      'unsupported_pdf',
      'This PDF already carries a digital signature, which signing it here would break; send a version without signatures.',
    )
  }
  if (isXfaOnly(readable)) {
    throw new Refusal(
      'unsupported_pdf',
      'This PDF is a dynamic XFA form, whose pages only some readers can show; print it to a new PDF and send that one.',
    )
  }
}

/**
 * What stands in another file cannot be taken along, and may be another thing when the sealed file
 * is read.
 */
function refuseForeignContent({ active }: OpenedForUpdate): void {
  if (!active.kinds.has('foreign_content')) return
  throw new Refusal(
    'unsupported_pdf',
    'This PDF takes parts of its pages from other files; save it with everything in it, or print it to a new PDF.',
  )
}

function checkPages(pages: readonly PageBox[]): void {
  if (pages.length === 0) throw new Refusal('invalid_pdf', 'This PDF has no page; choose one that has at least one.')
  const index = pages.findIndex(({ width, height, userUnit }) => {
    const [shorter, longer] = [Math.min(width, height) * userUnit, Math.max(width, height) * userUnit]
    return shorter < MIN_POINTS || longer > MAX_POINTS
  })
  const page = pages[index]
  if (page === undefined) return
  const points = [page.width, page.height].map(length => Math.round(length * page.userUnit * 100) / 100).join(' × ')
  throw new Refusal(
    'unsupported_pdf',
    `Page ${index + 1} measures ${points} points; print the PDF on pages of ${MIN_POINTS} to ${MAX_POINTS} points a side.`,
  )
}

async function judge(order: InspectRequest): Promise<Inspection> {
  const upload = await readFile(order.path)
  const { bytes, readable, warnings, rewritten } = await openUpload(upload, order.maxPages)
  refuseWhatNoUpdateMayTouch(readable)
  refuseForeignContent(readable)
  checkContentSize(readable.file, readable.pages)
  const pages = readable.pages.map(page => page.box)
  checkPages(pages)
  if (rewritten) await writeSynced(order.canonicalPath, bytes)
  return {
    verdict: 'accepted',
    pages,
    rewritten,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    warnings: [...warnings, ...revisionWarnings(readable), ...toWarnings(readable.active.kinds)],
  }
}

/** What an error says about the file; undefined when it is no word about the file. */
function refusalOf(error: unknown, { maxPages }: InspectRequest): { code: PdfRefusal; message: string } | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof TooManyPagesError) return tooManyPages(error.count, maxPages)
  if (error instanceof PdfLimitError) return { code: 'unsupported_pdf', message: error.message }
  if (error instanceof PdfSyntaxError) {
    return {
      code: 'unsupported_pdf',
      message: `This PDF cannot be sealed, for ${error.message}; print it to a new PDF and send that one.`,
    }
  }
  return undefined
}

/**
 * Judges the file of the order; the canonical file is written only when the upload had to be
 * rewritten. Whatever the file holds ends in a verdict.
 * @throws what the file system says when a path cannot be read or written
 */
export async function inspect(order: InspectRequest): Promise<Inspection> {
  try {
    return await judge(order)
  } catch (error) {
    const refusal = refusalOf(error, order)
    if (refusal === undefined) throw error
    return { verdict: 'refused', code: refusal.code, message: refusal.message }
  }
}
