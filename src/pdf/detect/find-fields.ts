/** Proposes fields from an accepted PDF. Runs in a child process only: it parses an upload. */
import { readFile } from 'node:fs/promises'
import { type FoundFields, NO_FOUND_FIELDS, type Proposal, type ProposalWarning } from '../../core/draft/proposal.ts'
import type { Language } from '../../core/language.ts'
import { cleanLine } from '../../core/text.ts'
import { openForUpdate } from '../inspect/open-for-update.ts'
import type { PdfFile } from '../parser/file.ts'
import type { Page } from '../parser/page.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import { expandedSize } from './content-size.ts'
import { FormFieldReader } from './form-fields.ts'
import { LabelReader } from './label-kind.ts'
import { LanguageCounter } from './page-language.ts'
import { ContentSource } from './pdfjs.ts'
import { chooseProposals, type PageFindings, toProposals } from './proposals.ts'
import { findSignatureLines } from './signature-lines.ts'
import { findTags } from './tags.ts'
import { toRows, toSegments } from './text-rows.ts'

export interface FindFieldsRequest {
  /** A canonical file. */
  path: string
}

/** Processor time after which no further page is read. The pool ends a child much later. */
const MAX_CPU_MS = 4_000
/** Of one page with everything it draws, ten times that of a dense contract. */
const MAX_PAGE_BYTES = 1024 * 1024
const MAX_WARNINGS = 50

/** A PDF that cannot be read has no proposals: they are an offer. */
export async function findFields({ path }: FindFieldsRequest): Promise<FoundFields> {
  try {
    const bytes = await readFile(path)
    const { file, pages } = openForUpdate(bytes)
    return await new FieldFinder(file, pages).find(bytes)
  } catch (error) {
    if (error instanceof PdfSyntaxError) return NO_FOUND_FIELDS
    throw error
  }
}

class FieldFinder {
  readonly #file: PdfFile
  readonly #pages: readonly Page[]
  readonly #startedAt = process.cpuUsage()
  readonly #found: PageFindings[]
  readonly #warnings: ProposalWarning[] = []
  readonly #languages = new LanguageCounter()
  readonly #readers = new Map<string, LabelReader>()
  #searched = 0

  constructor(file: PdfFile, pages: readonly Page[]) {
    this.#file = file
    this.#pages = pages
    this.#found = pages.map(({ box }) => ({ box, form: [], tags: [], lines: [] }))
  }

  async find(bytes: Uint8Array): Promise<FoundFields> {
    const source = await ContentSource.open(bytes)
    try {
      for (const index of readingOrder(this.#pages.length)) {
        if (this.#isOutOfTime()) break
        const isWhole = source !== undefined && (await this.#searchContent(source, index))
        if (!isWhole) this.#warnOfPage(index)
        this.#searched++
      }
    } finally {
      await source?.close()
    }
    this.#searchForm()
    const chosen = chooseProposals(this.#found)
    this.#warnOfOverlaps(chosen.map(({ proposal }) => proposal))
    const proposals = toProposals(chosen)
    const warnings = this.#warnings.sort((a, b) => a.page - b.page).slice(0, MAX_WARNINGS)
    return { proposals, warnings, searchedPages: this.#searched }
  }

  /** False if the page cannot be read, or not to its end. */
  async #searchContent(source: ContentSource, index: number): Promise<boolean> {
    const page = this.#pages[index]
    const found = this.#found[index]
    if (!page || !found || expandedSize(this.#file, page) > MAX_PAGE_BYTES) return false
    const content = await source.readPage(index + 1, page.box)
    if (!content) return false
    const rows = toRows(content.glyphs)
    const segments = rows.flatMap(toSegments)
    const { fields, unknown } = findTags(rows, content)
    found.tags = fields
    for (const { text, why } of unknown) {
      const message = `The text ${cleanLine(text)} on page ${index + 1} is no field: ${cleanLine(why)}.`
      this.#warnings.push({ code: 'unknown_tag', page: index + 1, text: cleanLine(text), message })
    }
    const { languages, isGuessed } = this.#languages.ofPage(segments.map(({ text }) => text))
    if (!content.isWhole) return false
    const lines = findSignatureLines(content, segments, this.#readerFor(languages))
    // English labels are read whatever the language is.
    const isRead = (label: string) => !isGuessed || this.#readerFor([]).read(label) !== undefined
    found.lines = lines.map(line => (isRead(line.label) ? line : { ...line, isDoubtful: true }))
    return true
  }

  #warnOfPage(index: number): void {
    const message = `Page ${index + 1} is too complex to be searched for text tags and signature lines.`
    this.#warnings.push({ code: 'page_not_searched', page: index + 1, message })
  }

  /** A tag must not vanish in silence: the sender has counted on its field. */
  #warnOfOverlaps(proposals: readonly Proposal[]): void {
    for (const [index, { tags }] of this.#found.entries()) {
      const made = proposals.filter(({ source, page }) => source === 'tag' && page === index + 1).map(({ text }) => text)
      for (const tag of tags) {
        const text = cleanLine(tag.text)
        const at = made.indexOf(text)
        if (at >= 0) made.splice(at, 1)
        else {
          const message = `The tag ${text} on page ${index + 1} is no field: it overlaps another field or the edge of the page.`
          this.#warnings.push({ code: 'overlapping_tag', page: index + 1, text, message })
        }
      }
    }
  }

  #searchForm(): void {
    const reader = new FormFieldReader(this.#file, this.#readerFor(this.#languages.ofDocument().languages))
    for (const [index, page] of this.#pages.entries()) {
      const found = this.#found[index]
      if (found) found.form = reader.read(page)
    }
  }

  #readerFor(languages: readonly Language[]): LabelReader {
    const key = languages.join(' ')
    const reader = this.#readers.get(key) ?? new LabelReader(languages)
    this.#readers.set(key, reader)
    return reader
  }

  #isOutOfTime(): boolean {
    const { user, system } = process.cpuUsage(this.#startedAt)
    return (user + system) / 1000 > MAX_CPU_MS
  }
}

/** From both ends: contracts are signed on their last pages, and the first tells the language. */
export function readingOrder(count: number): number[] {
  const order: number[] = []
  for (let i = 0; order.length < count; i++) {
    order.push(i)
    if (order.length < count) order.push(count - 1 - i)
  }
  return order
}
