/** Reads a CSV file of unknown encoding and delimiter. Knows nothing of templates. Pure. */
import type { Language } from '../language.ts'
import { errorAt, InvalidInputError, type Refusal } from '../refusal.ts'
import { MAX_BATCH_ROWS } from '../template/batch.ts'
import { type Violation, violation } from '../violation.ts'
import { withoutApostrophes } from './write.ts'

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'windows-1256', 'macintosh'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** In the order in which one is preferred where several would do. */
export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

export const MAX_CSV_BYTES = 5_000_000
export const MAX_COLUMNS = 500
/** As wide as a spreadsheet: it may end each row with delimiters of empty columns. */
const MAX_CELLS_OF_ROW = 16_384
/** In all. */
const MAX_CELLS = MAX_BATCH_ROWS * MAX_COLUMNS
/** With empty ones. */
const MAX_LINES = 20 * MAX_BATCH_ROWS

export const TOO_LARGE = violation('list_too_large', { megabytes: MAX_CSV_BYTES / 1e6 })

export interface CsvOptions {
  /** Undefined: recognised. */
  encoding?: Encoding | undefined
  delimiter?: Delimiter | undefined
  /** Decides between encodings that the bytes cannot tell apart. */
  language?: Language | undefined
}

export interface CsvRow {
  /** As a spreadsheet numbers it: line breaks inside a cell do not count, empty rows do. */
  line: number
  /** As many as the header has, or more if the row has more. */
  cells: string[]
}

export interface CsvTable {
  encoding: Encoding
  delimiter: Delimiter
  header: string[]
  rows: CsvRow[]
}

/** Throws `validation_failed` with a sentence that says what to do. */
export function readCsv(bytes: Uint8Array, options: CsvOptions = {}): CsvTable {
  refuseOtherFiles(bytes)
  const encoding = options.encoding ?? encodingOf(bytes, options.language)
  const { text, separator } = withoutSeparatorLine(decoded(bytes, encoding))
  const delimiter = options.delimiter ?? separator ?? delimiterOf(text)
  const [header, ...rows] = rowsOf(text, delimiter)
  if (!header) throw refusal(violation('list_empty'))
  const columns = header.cells.findLastIndex(cell => cell.trim() !== '') + 1
  if (columns > MAX_COLUMNS) throw refusal(violation('too_many_columns', { max: MAX_COLUMNS }))
  return {
    encoding,
    delimiter,
    header: header.cells.slice(0, columns).map(cell => cell.trim()),
    rows: rows.map(({ line, cells }) => ({ line, cells: fitted(cells, columns) })),
  }
}

const TOO_MANY_ROWS = violation('too_many_rows', { max: MAX_BATCH_ROWS })

/** Empty cells that a spreadsheet adds at the end of a row are no cells. */
function fitted(cells: string[], columns: number): string[] {
  const used = Math.max(columns, cells.findLastIndex(cell => cell.trim() !== '') + 1)
  return Array.from({ length: used }, (_, i) => cells[i] ?? '')
}

function refusal(found: Violation): Refusal {
  return new InvalidInputError('validation_failed', [errorAt('file', found)], clause => `The file ${clause}`)
}

const SIGNATURES: [bytes: number[], found: Violation][] = [
  // ZIP (XLSX, ODS, Numbers) and the compound file of older versions of Excel.
  [[0x50, 0x4b, 0x03, 0x04], violation('file_is_spreadsheet')],
  [[0xd0, 0xcf, 0x11, 0xe0], violation('file_is_spreadsheet')],
  [[0x25, 0x50, 0x44, 0x46], violation('file_is_pdf')],
]

function refuseOtherFiles(bytes: Uint8Array): void {
  if (bytes.length > MAX_CSV_BYTES) throw refusal(TOO_LARGE)
  for (const [signature, found] of SIGNATURES) if (signature.every((byte, i) => bytes[i] === byte)) throw refusal(found)
}

const SAMPLE_LENGTH = 65_536

function encodingOf(bytes: Uint8Array, language: Language | undefined): Encoding {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const wide = wideEncodingOf(bytes)
  if (wide) return wide
  if (isUtf8(bytes)) return 'utf-8'
  return language === 'pl' ? 'windows-1250' : 'windows-1252'
}

/** Delimiters, digits and addresses have a zero byte in UTF-16; other encodings have none. */
function wideEncodingOf(bytes: Uint8Array): Encoding | undefined {
  const zeros = [0, 0]
  bytes.subarray(0, SAMPLE_LENGTH).forEach((byte, i) => {
    if (byte === 0) zeros[i % 2]!++
  })
  const [even = 0, odd = 0] = zeros
  if (even === odd) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function decoded(bytes: Uint8Array, encoding: Encoding): string {
  const text = textIn(bytes, encoding)
  if (text === undefined) throw refusal(violation('wrong_encoding', { encoding }))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they tell a file of another kind
  if (/[\0-\x08\x0e-\x1f]/.test(text)) throw refusal(violation('file_not_csv'))
  return text
}

function textIn(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Excel's own line that names the delimiter; spreadsheets do not show it, nor count it. */
function withoutSeparatorLine(text: string): { text: string; separator?: Delimiter } {
  const [line = '', character] = /^"?sep=(.)"?(?:\r\n?|\n|$)/i.exec(text) ?? []
  const separator = DELIMITERS.find(delimiter => delimiter === character)
  return separator ? { text: text.slice(line.length), separator } : { text }
}

const SAMPLE_ROWS = 100

/** The one that gives the most rows as many cells as the header, then the one with most columns. */
function delimiterOf(text: string): Delimiter {
  const sample = text.slice(0, SAMPLE_LENGTH)
  const scores = DELIMITERS.map(delimiter => ({ delimiter, ...scoreOf(sample, delimiter) }))
  const usable = scores.filter(({ columns }) => columns > 1)
  // The sort is stable: the first of equals wins.
  return usable.sort((a, b) => b.share - a.share || b.columns - a.columns)[0]?.delimiter ?? ','
}

function scoreOf(sample: string, delimiter: Delimiter): { columns: number; share: number } {
  const scanner = new Scanner(sample, delimiter)
  const counts: number[] = []
  for (let cells = scanner.row(); cells && counts.length < SAMPLE_ROWS; cells = scanner.row())
    if (cells.some(cell => cell.trim() !== '')) counts.push(cells.length)
  // The sample may end within a row.
  if (sample.length === SAMPLE_LENGTH && counts.length > 1) counts.pop()
  const [columns = 0] = counts
  return { columns, share: counts.filter(count => count === columns).length / counts.length }
}

function rowsOf(text: string, delimiter: Delimiter): CsvRow[] {
  const scanner = new Scanner(text, delimiter)
  const rows: CsvRow[] = []
  let line = 0
  let count = 0
  for (let cells = scanner.row(MAX_CELLS_OF_ROW); cells; cells = scanner.row(MAX_CELLS_OF_ROW)) {
    line++
    count += cells.length
    if (count > MAX_CELLS || line > MAX_LINES) throw refusal(TOO_MANY_ROWS)
    if (scanner.isUnclosed) throw refusal(violation('unclosed_quotation', { line }))
    if (cells.every(cell => cell.trim() === '')) continue
    // One more: the header.
    if (rows.length > MAX_BATCH_ROWS) throw refusal(TOO_MANY_ROWS)
    rows.push({ line, cells: cells.map(withoutApostrophes) })
  }
  return rows
}

/** Takes one row after another from a text. RFC 4180, with any line end. */
class Scanner {
  readonly #text: string
  readonly #delimiter: Delimiter
  #at = 0
  /** The last quoted cell had no end. */
  isUnclosed = false

  constructor(text: string, delimiter: Delimiter) {
    this.#text = text
    this.#delimiter = delimiter
  }

  /** `undefined` at the end. Throws where a row has more cells. */
  row(maxCells = Number.POSITIVE_INFINITY): string[] | undefined {
    if (this.#at >= this.#text.length) return undefined
    const cells = [this.#cell()]
    while (this.#take(this.#delimiter)) {
      if (cells.length >= maxCells) throw refusal(violation('too_many_columns', { max: MAX_COLUMNS }))
      cells.push(this.#cell())
    }
    if (!this.#take('\r\n') && !this.#take('\r')) this.#take('\n')
    return cells
  }

  #take(expected: string): boolean {
    const isThere = this.#text.startsWith(expected, this.#at)
    if (isThere) this.#at += expected.length
    return isThere
  }

  /** A quotation mark within a cell, or text after a closed one, is text, as in spreadsheets. */
  #cell(): string {
    const quoted = this.#take('"') ? this.#untilQuote() : ''
    const start = this.#at
    while (this.#at < this.#text.length && !this.#isEnd(this.#text[this.#at])) this.#at++
    return quoted + this.#text.slice(start, this.#at)
  }

  #isEnd(character: string | undefined): boolean {
    return character === this.#delimiter || character === '\n' || character === '\r'
  }

  #untilQuote(): string {
    const parts: string[] = []
    for (;;) {
      const end = this.#text.indexOf('"', this.#at)
      if (end < 0) {
        this.isUnclosed = true
        parts.push(this.#text.slice(this.#at))
        this.#at = this.#text.length
        return parts.join('')
      }
      parts.push(this.#text.slice(this.#at, end))
      this.#at = end + 1
      if (!this.#take('"')) return parts.join('')
      parts.push('"')
    }
  }
}
