/** Opens a PDF for an incremental update (ISO 32000-2 §7.5) and repairs nothing. */
import { readFile, writeFile } from 'node:fs/promises'
import { remark } from '../../locales/remarks.ts'
import { openPdf } from '../parser/file.ts'
import { findWrongTypes, readPages } from '../parser/page.ts'
import { PdfSyntaxError, type PdfValue } from '../parser/syntax.ts'
import { findDuplicateKeys, findUnreachedRevisions } from '../parser/unreached-revisions.ts'
import { makeOverlayIncrement } from '../writer/increment.ts'
import type { UpdatablePdf } from '../writer/object-changes.ts'
import { type ActiveContent, findActiveContent } from './active-content.ts'

export interface OpenedForUpdate extends UpdatablePdf {
  activeContentEdits: ActiveContent
}

/** Fewer than the parser accepts: the seal and the time-stamps of later years add revisions. */
const MAX_REVISIONS = 1_000

export class EncryptedPdfError extends Error {
  override name = 'EncryptedPdfError'
}

/** §7.6.2, table 20: /Filter is required. Without it no reader decrypts the file. */
export const isEncryptionDictionary = (value: PdfValue): boolean =>
  value.kind === 'dictionary' && value.entries.get('Filter')?.kind === 'name'

/** @throws PdfSyntaxError, EncryptedPdfError, TooManyPagesError */
export function openForUpdate(bytes: Uint8Array, maxPages?: number): OpenedForUpdate {
  const file = openPdf(bytes)
  const { trailer, errors, revisions } = file.crossReference
  if (trailer.entries.has('Encrypt')) {
    if (isEncryptionDictionary(file.resolve(trailer.entries.get('Encrypt')).value)) throw new EncryptedPdfError('it is encrypted')
    throw new PdfSyntaxError(remark('encryption_not_a_dictionary'))
  }
  if (revisions > MAX_REVISIONS) throw new PdfSyntaxError(remark('too_many_revisions'))
  const [error] = errors
  if (error !== undefined) throw new PdfSyntaxError(error)
  const [end] = findUnreachedRevisions(file)
  if (end !== undefined) throw new PdfSyntaxError(remark('revision_unreached', { end }))
  const root = trailer.entries.get('Root')
  const dictionary = file.resolve(root)
  if (root?.kind !== 'reference' || dictionary.value.kind !== 'dictionary')
    throw new PdfSyntaxError(remark('file_without_catalog'))
  const pages = readPages(file, dictionary, maxPages)
  // The verifier rejects a seal over such files.
  const [unsealable] = [...findDuplicateKeys(file, dictionary.value), ...findWrongTypes(file, pages)]
  if (unsealable !== undefined) throw new PdfSyntaxError(unsealable)
  const catalog = { number: root.number, generation: root.generation, dictionary }
  return { file, catalog, pages, activeContentEdits: findActiveContent(file, dictionary, pages) }
}

// Makes the update that disables the active content of an upload, as the seal will.

export interface DisableActiveContentRequest {
  /** A canonical file. */
  sourcePath: string
  /** Must not exist. Gets the bytes to append to the source, if there are any. */
  updatePath: string
}

/** Equal files get equal bytes. @throws PdfSyntaxError; EEXIST and other file system errors */
export async function disableActiveContent({ sourcePath, updatePath }: DisableActiveContentRequest): Promise<{ bytes: number }> {
  const update = makeOverlayIncrement(openForUpdate(await readFile(sourcePath)), undefined)
  if (update.length > 0) await writeFile(updatePath, update, { flag: 'wx', mode: 0o600 })
  return { bytes: update.length }
}
