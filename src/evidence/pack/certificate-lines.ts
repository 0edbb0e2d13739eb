/**
 * Reads back the lines that the audit certificate shows, with place and colour, from the pages that
 * follow those of the original. It reads only what `PageFlow` writes.
 */
import { decodePageContent, readFilterNames, readRawStream } from '../../pdf/parser/content.ts'
import { type LocatedValue, type PdfFile, resolveEntry } from '../../pdf/parser/file.ts'
import { decodeContent } from '../../pdf/parser/filters.ts'
import { type Page, readPages } from '../../pdf/parser/page.ts'
import { findSignatureFields } from '../../pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError } from '../../pdf/parser/syntax.ts'
import { type CodeTexts, readToUnicode } from '../../pdf/parser/to-unicode.ts'

/** One line of one column. */
export interface CertificateLine {
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
export function certificateLines(sealed: PdfFile, original: PdfFile): CertificateLine[] {
  const catalog = (file: PdfFile): LocatedValue => file.resolve(file.crossReference.trailer.entries.get('Root'))
  const ownPages = readPages(original, catalog(original)).length
  const revision = sealedRevision(sealed, original.bytes.length)
  const pages = readPages(revision, catalog(revision))
  return pages.slice(ownPages).flatMap((page, i) => linesOf(revision, page, ownPages + i + 1))
}

/** As it was sealed: later revisions add proofs, and nothing in them is the certificate's. */
function sealedRevision(file: PdfFile, originalByteLength: number): PdfFile {
  const catalog = file.dictionary(file.crossReference.trailer.entries.get('Root'))
  if (catalog === undefined) throw new PdfSyntaxError('it has no catalog')
  const ends = findSignatureFields(file, catalog).map(({ value }) => endOf(value))
  const first = Math.min(...ends.filter(end => end > originalByteLength))
  if (!Number.isFinite(first)) throw new PdfSyntaxError('it has no seal after the original')
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
  const content = Buffer.from(decodePageContent(file, page)).toString('latin1')
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
