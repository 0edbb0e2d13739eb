/**
 * What makes a file mean one thing here and another to a reader that follows or repairs it in another way: such a file is never valid.
 * ISO 32000-2 §7.5.6, §7.5.8.4, §7.7.3. Looks at the file as a whole, at no signature.
 */
import { findDuplicateKeys } from '../pdf/parser/duplicate-keys.ts'
import { countPages, type PdfFile } from '../pdf/parser/file.ts'
import { readPages, TooManyPagesError } from '../pdf/parser/page.ts'
import { type PdfDictionary, PdfSyntaxError } from '../pdf/parser/syntax.ts'
import { findUnreachedRevisions } from '../pdf/parser/unreached-revisions.ts'
import { counted } from './changes/document-changes.ts'

/** The pages of the revision that ends there, in words; nothing when it cannot be read. */
function pagesAt(file: PdfFile, end: number): string {
  try {
    const revision = file.revisionAt(end)
    const catalog = revision.dictionary(revision.crossReference.trailer.entries.get('Root'))
    return catalog === undefined ? '' : `, of ${counted(countPages(revision, catalog), 'page')},`
  } catch (error) {
    if (error instanceof PdfSyntaxError) return ''
    throw error
  }
}

/** A page tree that readers walk in other ways, or not at all. */
function pageTreeReasons(file: PdfFile): string[] {
  try {
    const pages = readPages(file, file.resolve(file.crossReference.trailer.entries.get('Root')))
    return pages.flatMap(({ dictionary: { value } }, index) => {
      const type = value.kind === 'dictionary' ? file.resolve(value.entries.get('Type')).value : undefined
      // Table 31 requires /Type; readers go on without it, and differ on what is said to be something else.
      return type?.kind === 'name' && type.value !== 'Page' ? [`Page ${index + 1} is said to be a /${type.value}.`] : []
    })
  } catch (error) {
    if (!(error instanceof PdfSyntaxError) && !(error instanceof TooManyPagesError)) throw error
    return [`The pages cannot be read as readers show them: ${error.message}.`]
  }
}

const MAX_REASONS = 12

/** Sentences; none when every reader must see the same. @throws PdfSyntaxError when the file cannot be read */
export function structureReasons(file: PdfFile, catalog: PdfDictionary): string[] {
  const unreached = findUnreachedRevisions(file)
    .slice(0, MAX_REASONS)
    .map(
      end =>
        `The revision${pagesAt(file, end)} that ends at byte ${end} is reached by no /Prev: readers that search the file show what this reading leaves out.`,
    )
  const empty = countPages(file, catalog) === 0 ? ['The file has no page: readers that repair it may find some.'] : []
  return [
    ...file.crossReference.errors,
    ...unreached,
    ...empty,
    ...(empty.length > 0 ? [] : pageTreeReasons(file)),
    ...findDuplicateKeys(file, catalog),
  ].slice(0, MAX_REASONS)
}
