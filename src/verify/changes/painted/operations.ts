/** Splits a content stream into operators with their operands. ISO 32000-2 §7.8.2, §8.9.7. */
import { skipImage } from '../../../pdf/parser/content-balance.ts'
import { type Cursor, type PdfValue, readValue, skipSpace, takeKeyword } from '../../../pdf/parser/syntax.ts'

export interface Operation {
  operator: string
  operands: readonly PdfValue[]
}

const CONSTANTS = new Set(['true', 'false', 'null'])
/** Letters, the apostrophe and the quotation mark begin operators (table 50). */
const OPERATOR = /^[A-Za-z'"][A-Za-z0-9*'"]*/

function readOperator({ bytes, at }: Cursor): string | undefined {
  const [word] = OPERATOR.exec(Buffer.from(bytes.subarray(at, at + 40)).toString('latin1')) ?? []
  return word === undefined || CONSTANTS.has(word) ? undefined : word
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
