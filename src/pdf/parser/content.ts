/**
 * The decoded content of a page, as far as it can be read. ISO 32000-2 §7.8.2, §7.4. Damaged content is what it was before: readers show the part
 * they can read, and so does this. Never used to judge or to change what is drawn.
 */
import type { Located, PdfFile } from './file.ts'
import { entryOf, within } from './file.ts'
import { decodeContent, tooLarge } from './filters.ts'
import { MAX_DECODED_BYTES, MAX_STREAM_BYTES } from './limits.ts'
import type { Page } from './page.ts'
import { rawStream } from './stream.ts'
import { PdfSyntaxError } from './syntax.ts'

function rawData(file: PdfFile, located: Located): Uint8Array {
  try {
    const length = entryOf(file, located, 'Length').value
    return rawStream(located.bytes, located.value.end, length.kind === 'number' ? length.value : undefined) ?? new Uint8Array()
  } catch (error) {
    if (error instanceof PdfSyntaxError) return new Uint8Array()
    throw error
  }
}

/** Names of the filters of a stream, in the order they are undone. @throws PdfSyntaxError when they cannot be read */
export function filtersOf(file: PdfFile, stream: Located): string[] {
  const filter = entryOf(file, stream, 'Filter')
  const items = filter.value.kind === 'array' ? filter.value.items.map(item => within(file, filter, item)) : [filter]
  return items.flatMap(({ value }) => (value.kind === 'name' ? [value.value] : []))
}

/** All parts of the page's content, in order, one line apart. @throws PdfLimitError beyond what a page may hold, PdfSyntaxError when its filters cannot be read */
export function decodedContent(file: PdfFile, page: Page): Uint8Array {
  const contents = entryOf(file, page.dictionary, 'Contents')
  const streams = contents.value.kind === 'array' ? contents.value.items.map(item => within(file, contents, item)) : [contents]
  const parts: Uint8Array[] = []
  let length = 0
  for (const stream of streams) {
    if (!stream.inFile || stream.value.kind !== 'dictionary') continue
    const data = decodeContent(rawData(file, stream), filtersOf(file, stream))
    length += data.length
    if (length > MAX_STREAM_BYTES) throw tooLarge()
    parts.push(data, Buffer.from('\n'))
  }
  return Buffer.concat(parts)
}

/** Decodes what marks on any page would make us decode, page by page, and keeps nothing. @throws PdfLimitError, PdfSyntaxError */
export function tryContents(file: PdfFile, pages: readonly Page[]): void {
  let length = 0
  for (const page of pages) {
    length += decodedContent(file, page).length
    if (length > MAX_DECODED_BYTES) throw tooLarge()
  }
}
