/** Finds structures that PDF readers interpret differently. ISO 32000-2 §7.5.6, §7.7.3. */
import { findDuplicateKeys } from '../pdf/parser/duplicate-keys.ts'
import { countPages, type PdfFile } from '../pdf/parser/file.ts'
import { findWrongTypes, readPages, TooManyPagesError } from '../pdf/parser/page.ts'
import { type PdfDictionary, PdfSyntaxError } from '../pdf/parser/syntax.ts'
import { findUnreachedRevisions } from '../pdf/parser/unreached-revisions.ts'
import { formatCount } from './changes/document-changes.ts'

/** A phrase; empty if the revision cannot be read. */
function describePages(file: PdfFile, end: number): string {
  try {
    const revision = file.revisionAt(end)
    const catalog = revision.dictionary(revision.crossReference.trailer.entries.get('Root'))
    return catalog === undefined ? '' : ` with ${formatCount(countPages(revision, catalog), 'page')}`
  } catch (error) {
    if (error instanceof PdfSyntaxError) return ''
    throw error
  }
}

function checkPageTree(file: PdfFile): string[] {
  try {
    return findWrongTypes(file, readPages(file, file.resolve(file.crossReference.trailer.entries.get('Root'))))
  } catch (error) {
    if (!(error instanceof PdfSyntaxError) && !(error instanceof TooManyPagesError)) throw error
    return [`The pages cannot be read as PDF readers show them: ${error.message}.`]
  }
}

const MAX_REASONS = 12

/** @throws PdfSyntaxError if the file cannot be read */
export function checkStructure(file: PdfFile, catalog: PdfDictionary): string[] {
  const unreached = findUnreachedRevisions(file)
    .slice(0, MAX_REASONS)
    .map(
      end =>
        `No /Prev leads to the revision${describePages(file, end)} that ends at byte ${end}: PDF readers that repair the file may show it.`,
    )
  const isEmpty = countPages(file, catalog) === 0
  return [
    ...file.crossReference.errors,
    ...unreached,
    ...(isEmpty ? ['The file has no page; PDF readers that repair it may find some.'] : checkPageTree(file)),
    ...findDuplicateKeys(file, catalog),
  ].slice(0, MAX_REASONS)
}
