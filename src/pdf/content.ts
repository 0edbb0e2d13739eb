/**
 * The decoded content of a page, as far as it can be read. ISO 32000-2 §7.8.2, §7.4. Damaged content is what it was before: readers show the part
 * they can read, and so does this. Never used to judge or to change what is drawn.
 */
import { constants, inflateSync } from 'node:zlib'
import { PdfArray, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import type { Located, PdfFile } from './file.ts'
import type { Page } from './page.ts'
import { rawStream } from './stream.ts'
import { PdfSyntaxError } from './syntax.ts'
import { entryOf, within } from './write.ts'

const MAX_CONTENT_BYTES = 128 * 1024 * 1024

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

function decode(raw: Uint8Array, filters: readonly string[]): Uint8Array {
  if (filters.length === 0) return raw
  try {
    if (filters.length === 1 && (filters[0] === 'FlateDecode' || filters[0] === 'Fl')) {
      // A cut-off stream gives what came before the cut, as readers show it.
      return inflateSync(raw, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_CONTENT_BYTES })
    }
    const dictionary = PdfDict.of({ Filter: new PdfArray(filters.map(name => PdfName.of(name))) })
    return new PdfStream(dictionary, raw).getDecodedData()
  } catch (error) {
    // zlib and the library throw plain errors on damage; nothing can be counted in what cannot be read.
    if (error instanceof Error) return new Uint8Array()
    throw error
  }
}

/** All parts of the page's content, in order, one line apart. */
export function decodedContent(file: PdfFile, page: Page): Uint8Array {
  const contents = entryOf(file, page.dictionary, 'Contents')
  const streams = contents.value.kind === 'array' ? contents.value.items.map(item => within(file, contents, item)) : [contents]
  const parts = streams.flatMap(stream =>
    stream.inFile && stream.value.kind === 'dictionary'
      ? [decode(rawData(file, stream), filtersOf(file, stream)), Buffer.from('\n')]
      : [],
  )
  return Buffer.concat(parts)
}
