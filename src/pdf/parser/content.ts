/**
 * The decoded content of a page, as far as it can be read. ISO 32000-2 §7.8.2, §7.4. Damaged
 * content is what it was before: readers show the part they can read, and so does this. Never used
 * to judge or to change what is drawn.
 */
import type { LocatedValue, PdfFile } from './file.ts'
import { resolveEntry, resolveWithin } from './file.ts'
import { decodeContent, tooLarge } from './filters.ts'
import { MAX_DECODED_BYTES, MAX_STREAM_BYTES } from './limits.ts'
import type { Page } from './page.ts'
import { readStreamAt } from './stream.ts'
import { PdfSyntaxError } from './syntax.ts'

function rawData(file: PdfFile, located: LocatedValue): Uint8Array {
  try {
    const length = resolveEntry(file, located, 'Length').value
    return readStreamAt(located.bytes, located.value.end, length.kind === 'number' ? length.value : undefined) ?? new Uint8Array()
  } catch (error) {
    if (error instanceof PdfSyntaxError) return new Uint8Array()
    throw error
  }
}

/**
 * Names of the filters of a stream, in the order they are undone. @throws PdfSyntaxError when they
 * cannot be read
 */
export function readFilterNames(file: PdfFile, stream: LocatedValue): string[] {
  const filter = resolveEntry(file, stream, 'Filter')
  const items = filter.value.kind === 'array' ? filter.value.items.map(item => resolveWithin(file, filter, item)) : [filter]
  return items.flatMap(({ value }) => (value.kind === 'name' ? [value.value] : []))
}

/**
 * All parts of the page's content, in order, one line apart. @throws PdfLimitError beyond what a
 * page may hold, PdfSyntaxError when its filters cannot be read
 */
export function decodePageContent(file: PdfFile, page: Page): Uint8Array {
  const contents = resolveEntry(file, page.dictionary, 'Contents')
  const streams =
    contents.value.kind === 'array' ? contents.value.items.map(item => resolveWithin(file, contents, item)) : [contents]
  const parts: Uint8Array[] = []
  let length = 0
  for (const stream of streams) {
    if (!stream.isInFile || stream.value.kind !== 'dictionary') continue
    const data = decodeContent(rawData(file, stream), readFilterNames(file, stream))
    length += data.length
    if (length > MAX_STREAM_BYTES) throw tooLarge()
    parts.push(data, Buffer.from('\n'))
  }
  return Buffer.concat(parts)
}

/**
 * Decodes what marks on any page would make us decode, page by page, and keeps nothing. @throws
 * PdfLimitError, PdfSyntaxError
 */
export function checkContentSize(file: PdfFile, pages: readonly Page[]): void {
  let length = 0
  for (const page of pages) {
    length += decodePageContent(file, page).length
    if (length > MAX_DECODED_BYTES) throw tooLarge()
  }
}
