/**
 * Reads a PDF that is kept as evidence beside a document. It is never updated: signed, damaged and
 * protected files are accepted if programs can open them without a password.
 */
import { PdfLimitError } from '../parser/limits.ts'
import { TooManyPagesError } from '../parser/page.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import type { ActiveContentKind } from './active-content-messages.ts'
import { EncryptedPdfError, type OpenedForUpdate, openForUpdate } from './open-for-update.ts'
import { hasEncryption, removeProtection, repair } from './repair.ts'

export interface AttachedPdf {
  /** Undefined where the file forbids to take it apart. */
  pages: number | undefined
  /** Scripts, attached files, or actions other than web links; true if that is not known. */
  hasActiveContent: boolean
}

const HARMLESS: ReadonlySet<ActiveContentKind> = new Set<ActiveContentKind>(['external_link', 'rich_text', 'foreign_content'])

const MAX_PAGES = 10_000

export async function readAttachment(bytes: Uint8Array): Promise<AttachedPdf | 'unreadable' | 'needs_password'> {
  try {
    return await readInAnyState(bytes)
  } catch (error) {
    if (error instanceof PdfLimitError || error instanceof TooManyPagesError) return 'unreadable'
    throw error
  }
}

async function readInAnyState(bytes: Uint8Array): Promise<AttachedPdf | 'unreadable' | 'needs_password'> {
  try {
    return factsOf(openForUpdate(bytes, MAX_PAGES))
  } catch (error) {
    if (error instanceof PdfLimitError) throw error
    if (error instanceof EncryptedPdfError) return readProtected(bytes)
    if (error instanceof PdfSyntaxError) return hasEncryption(bytes) ? readProtected(bytes) : readDamaged(bytes)
    throw error
  }
}

function factsOf({ pages, activeContentEdits }: OpenedForUpdate): AttachedPdf | 'unreadable' {
  if (pages.length === 0) return 'unreadable'
  return { pages: pages.length, hasActiveContent: [...activeContentEdits.kinds].some(kind => !HARMLESS.has(kind)) }
}

async function readProtected(bytes: Uint8Array): Promise<AttachedPdf | 'unreadable' | 'needs_password'> {
  const result = await removeProtection(bytes, MAX_PAGES)
  if (!('refused' in result)) return factsOf(result.pdf)
  // It opens without a password, but it may not be rewritten, and so its content is not examined.
  if (result.refused === 'permission') return { pages: undefined, hasActiveContent: true }
  return result.refused === 'password' ? 'needs_password' : 'unreadable'
}

/** Repaired only to see whether it can be read. */
async function readDamaged(bytes: Uint8Array): Promise<AttachedPdf | 'unreadable'> {
  const result = await repair(bytes, MAX_PAGES)
  return result === undefined ? 'unreadable' : factsOf(result.pdf)
}
