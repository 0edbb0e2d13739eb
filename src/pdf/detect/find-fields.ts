/** Proposes fields from an accepted PDF. Runs in a child process only: it parses an upload. */
import { readFile } from 'node:fs/promises'
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { type FoundFields, NO_FOUND_FIELDS, type Proposal, type ProposalWarning } from '../../core/draft/proposal.ts'
import type { PageBox } from '../../core/field/geometry.ts'
import { LANGUAGES, type Language } from '../../core/language.ts'
import { cleanLine } from '../../core/text.ts'
import { openForUpdate } from '../inspect/open-for-update.ts'
import { decodePageContent, readFilterNames, readRawStream } from '../parser/content.ts'
import { type LocatedValue, type PdfFile, resolveEntry, resolveWithin } from '../parser/file.ts'
import { decodeContent } from '../parser/filters.ts'
import type { Page } from '../parser/page.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import { ContentReader, type FontFacts, type PathPainting, type ShownGlyph } from './content-reader.ts'
import { FormFieldReader } from './form-fields.ts'
import { LabelReader, normalizeLabel } from './label-kind.ts'
import { LABEL_WORDS } from './label-words.ts'
import type { PageContent } from './page-content.ts'
import { chooseProposals, type PageFindings, toProposals } from './proposals.ts'
import { findSignatureLines } from './signature-lines.ts'
import { findTags } from './tags.ts'
import { toRows, toSegments } from './text-rows.ts'

// Runs the operators of pdf.js on a `ContentReader`. Skips content of hidden layers.

/** The codes of pdf.js by name. */
type OperatorCodes = Readonly<Record<string, number>>
type Arguments = readonly unknown[]
type Handler = (args: Arguments) => void

interface OperatorDeps {
  fontOf(id: string): FontFacts | undefined
  /** Of an optional content group or membership, §8.11. */
  isVisible(group: unknown): boolean
}

const PAINTING: Readonly<Record<string, PathPainting>> = {
  stroke: { strokes: true, fills: false },
  closeStroke: { strokes: true, fills: false },
  fill: { strokes: false, fills: true },
  eoFill: { strokes: false, fills: true },
  fillStroke: { strokes: true, fills: true },
  eoFillStroke: { strokes: true, fills: true },
  closeFillStroke: { strokes: true, fills: true },
  closeEOFillStroke: { strokes: true, fills: true },
}

const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

class OperatorRunner {
  readonly #handlers = new Map<number, Handler>()
  readonly #painting = new Map<number, PathPainting>()
  readonly #reader: ContentReader
  readonly #deps: OperatorDeps
  /** Whether each open marked-content sequence is visible. */
  readonly #visible: boolean[] = []
  #hiddenDepth = 0

  constructor(codes: OperatorCodes, reader: ContentReader, deps: OperatorDeps) {
    this.#reader = reader
    this.#deps = deps
    for (const [name, painting] of Object.entries(PAINTING)) this.#painting.set(codes[name] ?? -1, painting)
    for (const [name, handler] of Object.entries({ ...this.#stateHandlers(), ...this.#contentHandlers() })) {
      this.#handlers.set(codes[name] ?? -1, handler)
    }
  }

  run(code: number, args: Arguments): void {
    this.#handlers.get(code)?.(args)
  }

  #stateHandlers(): Record<string, Handler> {
    const reader = this.#reader
    return {
      save: () => reader.save(),
      restore: () => reader.restore(),
      transform: args => reader.transform(args),
      setLineWidth: ([width]) => reader.setLineWidth(number(width)),
      setGState: ([entries]) => this.#setGraphicsState(entries),
      setFont: ([id, size]) => this.#setFont(id, size),
      setCharSpacing: ([value]) => reader.setText({ charSpacing: number(value) }),
      setWordSpacing: ([value]) => reader.setText({ wordSpacing: number(value) }),
      setHScale: ([percent]) => reader.setText({ horizontalScale: number(percent) / 100 }),
      setLeading: ([value]) => reader.setText({ leading: number(value) }),
      setTextRise: ([value]) => reader.setText({ rise: number(value) }),
      paintFormXObjectBegin: ([matrix]) => {
        reader.save()
        reader.transform(matrix)
      },
      paintFormXObjectEnd: () => reader.restore(),
    }
  }

  #contentHandlers(): Record<string, Handler> {
    const reader = this.#reader
    return {
      beginText: () => reader.beginText(),
      setTextMatrix: ([matrix]) => reader.setTextMatrix(matrix),
      moveText: ([x, y]) => reader.moveText(number(x), number(y)),
      setLeadingMoveText: ([x, y]) => {
        reader.setText({ leading: -number(y) })
        reader.moveText(number(x), number(y))
      },
      nextLine: () => reader.moveText(0, -reader.leading),
      showText: ([glyphs]) => reader.showText(Array.isArray(glyphs) ? (glyphs as ShownGlyph[]) : [], this.#isHidden),
      constructPath: ([painting, path]) => this.#paintPath(painting, path),
      beginMarkedContent: () => this.#begin(true),
      beginMarkedContentProps: ([tag, group]) => this.#begin(tag !== 'OC' || this.#deps.isVisible(group ?? null)),
      endMarkedContent: () => {
        if (this.#visible.pop() === false) this.#hiddenDepth--
      },
    }
  }

  get #isHidden(): boolean {
    return this.#hiddenDepth > 0
  }

  #begin(isVisible: boolean): void {
    this.#visible.push(isVisible)
    if (!isVisible) this.#hiddenDepth++
  }

  #setFont(id: unknown, size: unknown): void {
    if (typeof id === 'string') this.#reader.setText({ font: this.#deps.fontOf(id), size: number(size) })
  }

  /** §8.4.5. */
  #setGraphicsState(entries: unknown): void {
    if (!Array.isArray(entries)) return
    for (const entry of entries) {
      const [key, value] = Array.isArray(entry) ? (entry as unknown[]) : []
      if (key === 'LW') this.#reader.setLineWidth(number(value))
      if (key === 'Font' && Array.isArray(value)) this.#setFont(value[0], value[1])
    }
  }

  #paintPath(painting: unknown, path: unknown): void {
    const how = this.#painting.get(number(painting))
    const [steps] = Array.isArray(path) ? (path as unknown[]) : []
    if (how && !this.#isHidden && ArrayBuffer.isView(steps)) this.#reader.paintPath(steps as unknown as ArrayLike<number>, how)
  }
}

// Reads page content by pdf.js, which knows fonts and their encodings. It runs on the thread of the
// child process, draws nothing, decodes no image and runs no script.

type Pdfjs = typeof import('pdfjs-dist')

let library: Promise<Pdfjs> | undefined

/** Loaded at the first use: most children never search for fields. */
function loadPdfjs(): Promise<Pdfjs> {
  library ??= (async () => {
    // pdf.js warns about classes for drawing, which nothing here uses.
    const unused = class {}
    Object.assign(globalThis, { DOMMatrix: unused, Path2D: unused })
    // With its handler in place pdf.js starts no worker.
    Object.assign(globalThis, { pdfjsWorker: await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs') })
    return import('pdfjs-dist/legacy/build/pdf.min.mjs')
  })()
  return library
}

const PDFJS_OPTIONS = {
  // Larger images are left out, so none is decoded.
  maxImageSize: 1,
  disableFontFace: true,
  fontExtraProperties: false,
  useSystemFonts: false,
  useWorkerFetch: false,
  useWasm: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  enableXfa: false,
  verbosity: 0,
}

type Layers = Awaited<ReturnType<PDFDocumentProxy['getOptionalContentConfig']>>

/** A font that pdf.js has not delivered by then has failed. */
const FONT_WAIT_MS = 1_000

class ContentSource {
  readonly #pdfjs: Pdfjs
  readonly #document: PDFDocumentProxy
  readonly #layers: Layers

  private constructor(pdfjs: Pdfjs, document: PDFDocumentProxy, layers: Layers) {
    this.#pdfjs = pdfjs
    this.#document = document
    this.#layers = layers
  }

  /** Undefined if pdf.js cannot open the file. */
  static async open(bytes: Uint8Array): Promise<ContentSource | undefined> {
    const pdfjs = await loadPdfjs()
    const task = pdfjs.getDocument({ ...PDFJS_OPTIONS, data: Uint8Array.from(bytes) })
    try {
      const document = await task.promise
      return new ContentSource(pdfjs, document, await document.getOptionalContentConfig())
    } catch {
      await task.destroy()
      return undefined
    }
  }

  get pageCount(): number {
    return this.#document.numPages
  }

  /** Undefined if pdf.js cannot read the page. */
  async readPage(number: number, box: PageBox): Promise<PageContent | undefined> {
    try {
      const page = await this.#document.getPage(number)
      try {
        return await this.#read(page, box)
      } finally {
        page.cleanup()
      }
    } catch {
      return undefined
    }
  }

  async #read(page: PDFPageProxy, box: PageBox): Promise<PageContent> {
    const { AnnotationMode, OPS } = this.#pdfjs
    const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE })
    const fonts = new Map<string, FontFacts>()
    for (let i = 0; i < fnArray.length; i++) {
      const id: unknown = fnArray[i] === OPS.setFont ? argsArray[i]?.[0] : undefined
      if (typeof id === 'string' && !fonts.has(id)) fonts.set(id, await fontOf(page, id))
    }
    const reader = new ContentReader(box)
    const runner = new OperatorRunner(OPS, reader, {
      fontOf: id => fonts.get(id),
      isVisible: group => group === null || this.#layers.isVisible(group),
    })
    for (let i = 0; i < fnArray.length; i++) runner.run(fnArray[i] ?? -1, argsArray[i] ?? [])
    return reader.content
  }

  close(): Promise<void> {
    return this.#document.loadingTask.destroy()
  }
}

const MISSING_FONT: FontFacts = { scale: 0.001, isVertical: false }

async function fontOf(page: PDFPageProxy, id: string): Promise<FontFacts> {
  const delivered = new Promise<unknown>(resolve => page.commonObjs.get(id, resolve))
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => timeout.resolve(undefined), FONT_WAIT_MS)
  const font = await Promise.race([delivered, timeout.promise])
  clearTimeout(timer)
  if (typeof font !== 'object' || font === null) return MISSING_FONT
  const { fontMatrix, vertical } = font as { fontMatrix?: number[]; vertical?: boolean }
  return { scale: fontMatrix?.[0] ?? MISSING_FONT.scale, isVertical: vertical === true }
}

// The size of a page's content with its form XObjects, each as often as it is drawn.

const MAX_DEPTH = 12
/** pdf.js takes quadratic time for a row of saved graphics states. */
const MANY_SAVES = /(?:\bq\s+){100}/
const DO = /\/([^\s/<>[\](){}%]+)\s+Do\b/g

class SizeCounter {
  readonly #file: PdfFile
  readonly #known = new Map<number, number>()

  constructor(file: PdfFile) {
    this.#file = file
  }

  /** Infinity if forms or graphics states are nested too deeply. */
  countContent(content: Uint8Array, resources: LocatedValue, depth: number): number {
    const text = Buffer.from(content).toString('latin1')
    if (depth > MAX_DEPTH || MANY_SAVES.test(text)) return Number.POSITIVE_INFINITY
    const objects = resolveEntry(this.#file, resources, 'XObject')
    if (objects.value.kind !== 'dictionary') return content.length
    let size = content.length
    for (const [, name = ''] of text.matchAll(DO)) {
      const raw = objects.value.entries.get(name)
      const known = raw?.kind === 'reference' ? this.#known.get(raw.number) : undefined
      const own = known ?? this.#countForm(resolveWithin(this.#file, objects, raw), resources, depth)
      if (raw?.kind === 'reference') this.#known.set(raw.number, own)
      size += own
      if (size === Number.POSITIVE_INFINITY) break
    }
    return size
  }

  #countForm(form: LocatedValue, parent: LocatedValue, depth: number): number {
    const subtype = resolveEntry(this.#file, form, 'Subtype').value
    if (subtype.kind !== 'name' || subtype.value !== 'Form') return 0
    const content = decodeContent(readRawStream(this.#file, form) ?? new Uint8Array(), readFilterNames(this.#file, form))
    const own = resolveEntry(this.#file, form, 'Resources')
    return this.countContent(content, own.value.kind === 'dictionary' ? own : parent, depth + 1)
  }
}

/** In bytes. @throws PdfSyntaxError */
function expandedSize(file: PdfFile, page: Page): number {
  return new SizeCounter(file).countContent(decodePageContent(file, page), page.resources, 0)
}

// The proposals of a file, within its time.

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

// The languages of a page by its most frequent words, or of the pages read before. A form of a few
// labels has no frequent words: then the words of its labels tell.

type Counts = Map<Language, number>

/** A page with fewer frequent words is too short to tell. */
const MIN_WORDS = 8
const MAX_TEXT = 20_000

const STOP_WORDS = new Map(LANGUAGES.map(language => [language, new Set([...LABEL_WORDS[language].stop].map(normalizeLabel))]))

function countWords(texts: readonly string[]): Counts {
  const counts: Counts = new Map()
  const words = normalizeLabel(texts.join(' ').slice(0, MAX_TEXT)).split(' ')
  for (const [language, stop] of STOP_WORDS) counts.set(language, words.filter(word => stop.has(word)).length)
  return counts
}

/** The most frequent language, and others that are at least half as frequent. */
function mostFrequent(counts: Counts): Language[] {
  const most = Math.max(0, ...counts.values())
  return LANGUAGES.filter(language => most > 0 && (counts.get(language) ?? 0) * 2 >= most)
}

/** By a phrase: the languages whose labels have it. */
const LABELS = new Map<string, Language[]>()
for (const language of LANGUAGES) {
  const { signature, date, name, initials, place, party } = LABEL_WORDS[language]
  for (const phrase of new Set([signature, date, name, initials, place, party].flat().map(normalizeLabel)))
    LABELS.set(phrase, [...(LABELS.get(phrase) ?? []), language])
}
/** Longer texts are no labels. */
const MAX_LABEL_WORDS = 7

/** A phrase that many languages share tells little. */
function countLabels(texts: readonly string[]): Counts {
  const counts: Counts = new Map()
  for (const text of texts) {
    const words = normalizeLabel(text).split(' ')
    if (words.length > MAX_LABEL_WORDS) continue
    for (const phrase of phrasesOf(words)) {
      const languages = LABELS.get(phrase) ?? []
      for (const language of languages) counts.set(language, (counts.get(language) ?? 0) + 1 / languages.length)
    }
  }
  return counts
}

/** Each run of words, once. */
function phrasesOf(words: readonly string[]): Set<string> {
  const runs = words.flatMap((_, from) => words.slice(from).map((_, length) => words.slice(from, from + length + 1).join(' ')))
  return new Set(runs)
}

interface PageLanguages {
  languages: Language[]
  /** Two languages or more are as likely: the same word can mean different things in them. */
  isGuessed: boolean
}

function addCounts(sum: Counts, counts: Counts): void {
  for (const [language, number] of counts) sum.set(language, (sum.get(language) ?? 0) + number)
}

export class LanguageCounter {
  readonly #counts: Counts = new Map()
  readonly #labels: Counts = new Map()

  ofPage(texts: readonly string[]): PageLanguages {
    const counts = countWords(texts)
    addCounts(this.#counts, counts)
    addCounts(this.#labels, countLabels(texts))
    const isLong = Math.max(0, ...counts.values()) >= MIN_WORDS
    return isLong ? { languages: mostFrequent(counts), isGuessed: false } : this.ofDocument()
  }

  ofDocument(): PageLanguages {
    const languages = mostFrequent(this.#counts)
    if (Math.max(0, ...this.#counts.values()) >= MIN_WORDS) return { languages, isGuessed: false }
    const most = Math.max(0, ...this.#labels.values())
    const byLabels = LANGUAGES.filter(language => (this.#labels.get(language) ?? 0) * 2 > most)
    const all = LANGUAGES.filter(language => languages.includes(language) || byLabels.includes(language))
    return { languages: all, isGuessed: languages.length === 0 && byLabels.length > 1 }
  }
}
