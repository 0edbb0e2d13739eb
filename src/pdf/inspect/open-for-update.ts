/**
 * Opens bytes as a PDF that an incremental update can follow: everything the update touches was
 * read where the cross-reference says it stands. Repairs nothing: what is thrown here is for the
 * repair to mend or for the sender to hear. ISO 32000-2 §7.5.
 */

import { findDuplicateKeys } from '../parser/duplicate-keys.ts'
import { openPdf } from '../parser/file.ts'
import { readPages } from '../parser/page.ts'
import { PdfSyntaxError, type PdfValue } from '../parser/syntax.ts'
import { findUnreachedRevisions } from '../parser/unreached-revisions.ts'
import type { UpdatablePdf } from '../writer/object-changes.ts'
import { type ActiveContent, findActiveContent } from './active-content.ts'

/** A file that was read and can be updated, with the active content found in it. */
export interface OpenedForUpdate extends UpdatablePdf {
  active: ActiveContent
}

/** Below what the reader takes: the seal and what keeps it valid for years are revisions too. */
const MAX_REVISIONS = 1_000

/** The file is encrypted: its strings and streams cannot be read as they stand. */
export class EncryptedPdfError extends Error {
  override name = 'EncryptedPdfError'
}

/** §7.6.2, table 20: /Filter is required, and without it no reader decrypts anything. */
export const isEncryptionDictionary = (value: PdfValue): boolean =>
  value.kind === 'dictionary' && value.entries.get('Filter')?.kind === 'name'

/** @throws PdfSyntaxError, EncryptedPdfError, TooManyPagesError */
export function openForUpdate(bytes: Uint8Array, maxPages?: number): OpenedForUpdate {
  const file = openPdf(bytes)
  const { trailer, errors, revisions } = file.crossReference
  if (trailer.entries.has('Encrypt')) {
    if (isEncryptionDictionary(file.resolve(trailer.entries.get('Encrypt')).value)) throw new EncryptedPdfError('it is encrypted')
    throw new PdfSyntaxError('its /Encrypt leads to no encryption dictionary')
  }
  if (revisions > MAX_REVISIONS) throw new PdfSyntaxError('the file has too many revisions')
  const [fault] = errors
  if (fault !== undefined) throw new PdfSyntaxError(fault)
  const [end] = findUnreachedRevisions(file)
  if (end !== undefined) throw new PdfSyntaxError(`the revision that ends at byte ${end} is reached by no /Prev`)
  const root = trailer.entries.get('Root')
  const dictionary = file.resolve(root)
  if (root?.kind !== 'reference' || dictionary.value.kind !== 'dictionary') throw new PdfSyntaxError('the file has no catalog')
  const pages = readPages(file, dictionary, maxPages)
  // No seal over it could be valid.
  const [doubled] = findDuplicateKeys(file, dictionary.value)
  if (doubled !== undefined) throw new PdfSyntaxError(doubled)
  const catalog = { number: root.number, generation: root.generation, dictionary }
  return { file, catalog, pages, active: findActiveContent(file, dictionary, pages) }
}
