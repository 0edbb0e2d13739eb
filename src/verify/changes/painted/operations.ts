/** Splits a content stream into operators with their operands. ISO 32000-2 §7.8.2, §8.9.7. */
import { toLatin1 } from '../../../lib/bytes.ts'
import { skipImage } from '../../../pdf/parser/content-balance.ts'
import type { PdfFile } from '../../../pdf/parser/file.ts'
import { decodeContent, isContentFilter } from '../../../pdf/parser/filters.ts'
import { type Cursor, PdfSyntaxError, type PdfValue, readValue, skipSpace, takeKeyword } from '../../../pdf/parser/syntax.ts'
import { nameOf, rawStreamOf, readObject } from '../object-changes.ts'

export interface Operation {
  operator: string
  operands: readonly PdfValue[]
}

const CONSTANTS = new Set(['true', 'false', 'null'])
const MAX_OPERATOR_OCTETS = 40

/** Letters, the apostrophe and the quotation mark begin operators (table 50). */
const beginsOperator = (octet = 0): boolean =>
  ((octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x7a) || octet === 0x27 || octet === 0x22
const continuesOperator = (octet = 0): boolean => beginsOperator(octet) || (octet >= 0x30 && octet <= 0x39) || octet === 0x2a

function readOperator({ bytes, at }: Cursor): string | undefined {
  if (!beginsOperator(bytes[at])) return undefined
  let end = at + 1
  while (end - at < MAX_OPERATOR_OCTETS && continuesOperator(bytes[end])) end++
  const word = toLatin1(bytes, at, end)
  return CONSTANTS.has(word) ? undefined : word
}

/** Moves past the entries and the data of an inline image. */
function skipInlineImage(cursor: Cursor): void {
  while (!takeKeyword(cursor, 'ID')) readValue(cursor)
  cursor.at = skipImage(cursor.bytes, cursor.at)
}

/** An inline image is the operator `BI`. @throws PdfSyntaxError at a damaged part */
export function* readOperations(bytes: Uint8Array): Generator<Operation> {
  const cursor: Cursor = { bytes, at: 0 }
  let operands: PdfValue[] = []
  for (skipSpace(cursor); cursor.at < bytes.length; skipSpace(cursor)) {
    const operator = readOperator(cursor)
    if (operator === undefined) {
      operands.push(readValue(cursor))
      continue
    }
    cursor.at += operator.length
    if (operator === 'BI') skipInlineImage(cursor)
    yield { operator, operands }
    operands = []
  }
}

// Decodes the content stream of a page, form, pattern or glyph. ISO 32000-2 §7.3.8, §7.4.

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
