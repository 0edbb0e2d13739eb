/**
 * Finds what the audit certificate prints about the log: by the label of the row, its column and
 * its colour. A text of the sender that looks alike is in another place.
 */
import { toLatin1 } from '../../lib/bytes.ts'
import { isSha256Hex } from '../../lib/sha256.ts'
import { CERTIFICATE_ROWS, type CertificateRows } from '../../locales/certificate-rows.ts'
import { RemarkError, remark } from '../../locales/remarks.ts'
import { decodePageContent, readFilterNames, readRawStream } from '../../pdf/parser/content.ts'
import { type LocatedValue, type PdfFile, resolveEntry } from '../../pdf/parser/file.ts'
import { decodeContent } from '../../pdf/parser/filters.ts'
import { type Page, readPages } from '../../pdf/parser/page.ts'
import { findSignatureFields } from '../../pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError } from '../../pdf/parser/syntax.ts'
import { type CodeTexts, readToUnicode } from '../../pdf/parser/to-unicode.ts'
import { INK, MARGIN, MUTED } from '../../text/page-style.ts'
import { LABEL_GAP, LABEL_WIDTH } from '../row-layout.ts'

export interface PrintedFacts {
  /** The newest entry before the seal. */
  entry: { sequence: number; hash: string; page: number }
  environment: string
  instanceId: string
  /** SHA-256 of verify.html. None before releases with it; several if a sender made such a row. */
  verifyPages: string[]
}

/** The certificate does not say it clearly: a clause. */
export class CertificateTextError extends RemarkError {}

const ROUNDING = 0.6

/** @throws CertificateTextError, PdfSyntaxError */
export function printedFacts(sealed: PdfFile, original: PdfFile): PrintedFacts {
  const rows = rowsOf(certificateLines(sealed, original))
  if (rows.length === 0) throw new CertificateTextError(remark('printed_page_missing'))
  const entries = CERTIFICATE_ROWS.flatMap(words => rows.flatMap(row => entryIn(row, words) ?? []))
  const distinct = new Map(entries.map(entry => [`${entry.sequence} ${entry.hash}`, entry]))
  const [entry, another] = distinct.values()
  if (entry === undefined) throw new CertificateTextError(remark('printed_entry_missing'))
  if (another !== undefined) throw new CertificateTextError(remark('printed_entry_twice'))
  // The first: what the sender wrote follows.
  const software = rows.find(row => CERTIFICATE_ROWS.some(words => hasLabel(row, words, 'software')))
  const [, environment = '', instanceId = ''] = software?.value[0]?.text.split(' · ') ?? []
  const verifyPages = rows.flatMap(row => verifyPageIn(row) ?? [])
  return { entry, environment, instanceId, verifyPages: [...new Set(verifyPages)] }
}

/** A row of the record: a label in its column, and beside it one value without a page number. */
interface CertificateRow {
  label: string
  value: CertificateLine[]
}

const isAt = (x: number, expected: number) => Math.abs(x - expected) <= ROUNDING

/** In the column of labels, where reading begins. */
const isLabel = ({ x, width, colour }: CertificateLine, mirrored: boolean): boolean =>
  colour === MUTED && (mirrored ? x >= width - MARGIN - (LABEL_WIDTH - LABEL_GAP) - ROUNDING : isAt(x, MARGIN))

const isValue = ({ x, width }: CertificateLine, mirrored: boolean): boolean =>
  mirrored ? x < width - MARGIN - LABEL_WIDTH + ROUNDING : isAt(x, MARGIN + LABEL_WIDTH)

function rowsOf(lines: readonly CertificateLine[]): CertificateRow[] {
  const onBaselines = new Map<string, CertificateLine[]>()
  for (const line of lines) {
    const key = `${line.page} ${line.y}`
    onBaselines.set(key, [...(onBaselines.get(key) ?? []), line])
  }
  const baselines = [...onBaselines.values()]
  return [false, true].flatMap(mirrored => baselines.flatMap((_, i) => rowAt(baselines.slice(i), mirrored) ?? []))
}

/** The row that begins at the first of these baselines. */
function rowAt([first = [], ...rest]: CertificateLine[][], mirrored: boolean): CertificateRow | undefined {
  const [label, value, other] = first
  if (label === undefined || value === undefined || other !== undefined) return undefined
  if (!isLabel(label, mirrored) || !isValue(value, mirrored) || value.colour !== INK) return undefined
  const end = rest.findIndex(baseline => !isNote(baseline, value, mirrored))
  const notes = rest.slice(0, end === -1 ? rest.length : end).flat()
  return { label: label.text, value: [value, ...notes] }
}

/**
 * Alone on its baseline, in the column of the value: rows of the sender have no words there in
 * this colour.
 */
function isNote([note, beside]: CertificateLine[], { page }: CertificateLine, mirrored: boolean): boolean {
  if (note === undefined || beside !== undefined || note.page !== page) return false
  return note.colour === MUTED && isValue(note, mirrored) && !isLabel(note, mirrored)
}

/**
 * Without what lines are broken at, and of Arabic without an order: the page has it from the left.
 */
function comparable(text: string, { direction }: CertificateRows): string {
  const characters = [...text.normalize('NFC').replace(/[\s\p{Cf}]/gu, '')]
  return (direction === 'rtl' ? characters.sort() : characters).join('')
}

function hasLabel({ label }: CertificateRow, words: CertificateRows, name: 'auditLog' | 'software' | 'verifyPage'): boolean {
  return comparable(label, words) === comparable(words[name], words)
}

function verifyPageIn(row: CertificateRow): string | undefined {
  const sha256 = row.value[0]?.text
  return isSha256Hex(sha256) && CERTIFICATE_ROWS.some(words => hasLabel(row, words, 'verifyPage')) ? sha256 : undefined
}

function entryIn(row: CertificateRow, words: CertificateRows): PrintedFacts['entry'] | undefined {
  const [value, ...notes] = row.value
  const hash = value?.text
  if (!isSha256Hex(hash) || value === undefined || !hasLabel(row, words, 'auditLog')) return undefined
  const note = notes.map(({ text }) => text).join('')
  const sequence = Number(/\d+/.exec(note)?.[0])
  const isNote = comparable(note, words) === comparable(words.auditEntry(sequence), words)
  return isNote ? { sequence, hash, page: value.page } : undefined
}

// Reads back the lines that the audit certificate shows, with place and colour, from the pages that
// follow those of the original. It reads only what `PageFlow` writes.

/** One line of one column. */
interface CertificateLine {
  /** 1 is the first page of the file. */
  page: number
  /** Where it begins, and its baseline; pt. */
  x: number
  y: number
  /** The operands of `rg`. */
  colour: string
  /** In the order of the page: in Arabic that is from the left. */
  text: string
  /** Of the page. */
  width: number
}

/** What a reader of the certificate needs. @throws PdfSyntaxError */
function certificateLines(sealed: PdfFile, original: PdfFile): CertificateLine[] {
  const catalog = (file: PdfFile): LocatedValue => file.resolve(file.crossReference.trailer.entries.get('Root'))
  const ownPages = readPages(original, catalog(original)).length
  const revision = sealedRevision(sealed, original.bytes.length)
  const pages = readPages(revision, catalog(revision))
  return pages.slice(ownPages).flatMap((page, i) => linesOf(revision, page, ownPages + i + 1))
}

/** As it was sealed: later revisions add proofs, and nothing in them is the certificate's. */
function sealedRevision(file: PdfFile, originalByteLength: number): PdfFile {
  const catalog = file.dictionary(file.crossReference.trailer.entries.get('Root'))
  if (catalog === undefined) throw new PdfSyntaxError(remark('catalog_missing'))
  const ends = findSignatureFields(file, catalog).map(({ value }) => endOf(value))
  const first = Math.min(...ends.filter(end => end > originalByteLength))
  if (!Number.isFinite(first)) throw new PdfSyntaxError(remark('seal_missing'))
  return first >= file.bytes.length ? file : file.revisionAt(first)
}

function endOf({ entries }: PdfDictionary): number {
  const range = entries.get('ByteRange')
  const numbers = range?.kind === 'array' ? range.items.map(item => (item.kind === 'number' ? item.value : Number.NaN)) : []
  return (numbers[2] ?? Number.NaN) + (numbers[3] ?? Number.NaN)
}

/** By the name of the font. */
type Characters = ReadonlyMap<string, CodeTexts>

function linesOf(file: PdfFile, page: Page, number: number): CertificateLine[] {
  const reader = new LineReader(charactersOf(file, page), { page: number, width: page.box.width })
  const content = toLatin1(decodePageContent(file, page))
  for (const operation of content.split('\n')) reader.read(operation)
  return reader.lines
}

class LineReader {
  readonly lines: CertificateLine[] = []
  #colour = ''
  #line: CertificateLine | undefined
  #font: CodeTexts | undefined

  constructor(
    private readonly characters: Characters,
    private readonly place: Pick<CertificateLine, 'page' | 'width'>,
  ) {}

  read(operation: string): void {
    const fill = /^([\d. ]+) rg$/.exec(operation)
    if (fill) this.#colour = fill[1] ?? ''
    else if (operation === 'ET') this.#end()
    else if (operation.endsWith(' Tm')) this.#begin(operation)
    else if (operation.endsWith('] TJ')) this.#show(operation)
  }

  #begin(operation: string): void {
    const [, font = '', x, y] = /^\/(\w+) [\d.]+ Tf 1 0 0 1 (-?[\d.]+) (-?[\d.]+) Tm$/.exec(operation) ?? []
    this.#font = this.characters.get(font)
    this.#line ??= { ...this.place, x: Number(x), y: Number(y), colour: this.#colour, text: '' }
  }

  #show(operation: string): void {
    if (this.#line === undefined) return
    for (const [, code = ''] of operation.matchAll(/<([0-9a-f]{4})>/g)) this.#line.text += this.#font?.get(code) ?? ''
  }

  #end(): void {
    if (this.#line !== undefined) this.lines.push(this.#line)
    this.#line = undefined
  }
}

function charactersOf(file: PdfFile, { resources }: Page): Characters {
  const fonts = resolveEntry(file, resources, 'Font')
  const names = fonts.value.kind === 'dictionary' ? [...fonts.value.entries.keys()] : []
  return new Map(names.map(name => [name, charactersOfFont(file, resolveEntry(file, fonts, name))]))
}

function charactersOfFont(file: PdfFile, font: LocatedValue): CodeTexts {
  const stream = resolveEntry(file, font, 'ToUnicode')
  return readToUnicode(decodeContent(readRawStream(file, stream) ?? new Uint8Array(), readFilterNames(file, stream)))
}
