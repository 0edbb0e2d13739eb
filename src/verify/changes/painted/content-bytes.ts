/** Decodes the content stream of a page, form, pattern or glyph. ISO 32000-2 §7.3.8, §7.4. */
import type { PdfFile } from '../../../pdf/parser/file.ts'
import { decodeContent, isContentFilter } from '../../../pdf/parser/filters.ts'
import { PdfSyntaxError, type PdfValue } from '../../../pdf/parser/syntax.ts'
import { nameOf, rawStreamOf, readObject } from '../object-changes.ts'

const MAX_BYTES = 32 * 1024 * 1024

/** Undefined unless the value refers to a stream that can be read. */
export function contentBytes(file: PdfFile, value: PdfValue): Uint8Array | undefined {
  if (value.kind !== 'reference') return undefined
  const dictionary = readObject(file, value.number)
  if (dictionary?.kind !== 'dictionary') return undefined
  const raw = rawStreamOf(file, value.number)
  if (raw === undefined) return undefined
  const filter = file.resolve(dictionary.entries.get('Filter')).value
  const names = filter.kind === 'array' ? filter.items.map(item => nameOf(file.resolve(item).value)) : [nameOf(filter)]
  const filters = filter.kind === 'null' ? [] : names
  const parameters = file.resolve(dictionary.entries.get('DecodeParms')).value
  const each = parameters.kind === 'array' ? parameters.items : [parameters]
  if (each.some(one => file.dictionary(one)?.entries.has('Predictor')) || !filters.every(isContentFilter)) return undefined
  try {
    const bytes = decodeContent(raw, filters)
    return bytes.length > MAX_BYTES ? undefined : bytes
  } catch (error) {
    if (error instanceof PdfSyntaxError) return undefined
    throw error
  }
}
