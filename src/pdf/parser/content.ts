/** Decodes page content as far as it is readable, as readers do. ISO 32000-2 §7.4, §7.8.2. */
import { fromLatin1, joinBytes } from '../../lib/bytes.ts'
import { type LocatedValue, type PdfFile, resolveEntry, resolveWithin } from './file.ts'
import { contentTooLarge, decodeContent } from './filters.ts'
import { MAX_DECODED_BYTES, MAX_STREAM_BYTES } from './limits.ts'
import type { Page } from './page.ts'
import { readStreamAt } from './stream.ts'
import { PdfSyntaxError } from './syntax.ts'

/** Undefined if the value is not a stream. @throws PdfSyntaxError if its /Length is wrong */
export function readRawStream(file: PdfFile, located: LocatedValue): Uint8Array | undefined {
  if (located.value.kind !== 'dictionary' || !located.isInFile) return undefined
  const length = resolveEntry(file, located, 'Length').value
  return readStreamAt(located.bytes, located.value.end, length.kind === 'number' ? length.value : undefined)
}

function readRawContent(file: PdfFile, stream: LocatedValue): Uint8Array {
  try {
    return readRawStream(file, stream) ?? new Uint8Array()
  } catch (error) {
    if (error instanceof PdfSyntaxError) return new Uint8Array()
    throw error
  }
}

/** In the order of decoding. @throws PdfSyntaxError */
export function readFilterNames(file: PdfFile, stream: LocatedValue): string[] {
  const filter = resolveEntry(file, stream, 'Filter')
  const items = filter.value.kind === 'array' ? filter.value.items.map(item => resolveWithin(file, filter, item)) : [filter]
  return items.flatMap(({ value }) => (value.kind === 'name' ? [value.value] : []))
}

/** The content streams of a page, in order. @throws PdfSyntaxError */
export function resolveContents(file: PdfFile, { dictionary }: Page): LocatedValue[] {
  const contents = resolveEntry(file, dictionary, 'Contents')
  return contents.value.kind === 'array' ? contents.value.items.map(item => resolveWithin(file, contents, item)) : [contents]
}

const LINE_FEED = fromLatin1('\n')

/** Joins the streams by line feeds. @throws PdfLimitError, PdfSyntaxError */
export function decodePageContent(file: PdfFile, page: Page): Uint8Array {
  const parts: Uint8Array[] = []
  let length = 0
  for (const stream of resolveContents(file, page)) {
    if (!stream.isInFile || stream.value.kind !== 'dictionary') continue
    const data = decodeContent(readRawContent(file, stream), readFilterNames(file, stream))
    length += data.length
    if (length > MAX_STREAM_BYTES) throw contentTooLarge()
    parts.push(data, LINE_FEED)
  }
  return joinBytes(parts)
}

/** Decodes what sealing may have to decode. @throws PdfLimitError, PdfSyntaxError */
export function checkContentSize(file: PdfFile, pages: readonly Page[]): void {
  let length = 0
  for (const page of pages) {
    length += decodePageContent(file, page).length
    if (length > MAX_DECODED_BYTES) throw contentTooLarge()
  }
}
