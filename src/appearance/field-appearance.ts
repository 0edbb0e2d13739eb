/**
 * Draws finished fields into a side document: one overlay page per target page, in the target's own
 * user space, so that it can be laid over it as it is. Composes new PDF bytes only; never reads an
 * upload. ISO 32000-2 §8.3 (coordinates), §8.5 (paths), §9.4 (text).
 */

import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, type PDFPage } from 'pdf-lib'
import type { PercentBox } from '../core/geometry.ts'
import { type PageBox, type Placement, place } from '../core/geometry.ts'
import type { Ink } from '../core/ink.ts'
import { num, openPdfFonts, type PdfFonts } from '../text/pdf-fonts.ts'
import { type InkExtent, openParagraphShaper, type ShapeParagraph } from '../text/shape.ts'
import { countLines, shapeParagraphs, truncateLines, type WrappedLine, wrapParagraphs } from '../text/wrap.ts'
import { openSignatureResources, SIGNATURE_COLOUR, type SignatureResources, writingLine } from './signature-appearance.ts'

/** One finished field, as it is drawn inside its box. */
export interface FieldAppearance {
  /** 1 is the first page. */
  page: number
  box: PercentBox
  content:
    | { kind: 'text'; text: string }
    | { kind: 'check' }
    /** A typed signature or initials, in the script face. */
    | { kind: 'signature'; text: string }
    /** A signature or initials drawn by hand. */
    | { kind: 'ink'; ink: Ink }
    /** A signature or initials from a picture: a PNG that `cleanSignature` wrote. */
    | { kind: 'picture'; path: string }
}

/** The marks of one page of the target. */
export interface OverlayPage {
  /** 1 is the first page. */
  page: number
  box: PageBox
  fields: FieldAppearance[]
}

/**
 * The PDF bytes of a document with one page per entry, in order: MediaBox = the entry's box, no
 * Rotate, marks upright as the target is displayed.
 */
export async function composeOverlay(pages: OverlayPage[]): Promise<Uint8Array> {
  const [pdf, shape] = await Promise.all([PDFDocument.create({ updateMetadata: false }), openParagraphShaper()])
  const book = await openPdfFonts(pdf)
  const contents = pages.flatMap(({ fields }) => fields.map(({ content }) => content))
  const marked = await openSignatureResources(pdf, picturePaths(contents))
  const deps = { shape, book, marked }
  for (const { box, fields } of pages) {
    const page = pdf.addPage([box.width, box.height])
    page.setMediaBox(box.left, box.bottom, box.width, box.height)
    const content = fields.map(field => drawMark(field, box, deps))
    fillPage(pdf, page, content.join('\n'), book, marked)
  }
  book.embed()
  marked.embed()
  return pdf.save({
    useObjectStreams: false,
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  })
}

/** The pictures among what marks show, for `openSignatureResources`. */
export function picturePaths(contents: readonly FieldAppearance['content'][]): string[] {
  return contents.flatMap(content => (content.kind === 'picture' ? [content.path] : []))
}

/** Gives a page its whole content stream, and the fonts, drawings and pictures it may use. */
export function fillPage(pdf: PDFDocument, page: PDFPage, content: string, book: PdfFonts, marked?: SignatureResources): void {
  page.node.set(
    PDFName.of('Contents'),
    pdf.context.register(pdf.context.stream(deflateSync(Buffer.from(content, 'latin1')), { Filter: 'FlateDecode' })),
  )
  page.node.set(PDFName.of('Resources'), pdf.context.obj({ Font: book.resources, ...(marked && { XObject: marked.resources }) }))
}

const INK = '0 0 0 rg'

/** What marks of one PDF are set and drawn with. */
export interface DrawDeps {
  shape: ShapeParagraph
  book: PdfFonts
  marked: SignatureResources
}

/** One mark: carried onto the page by the placement's matrix and clipped to its box. */
function drawMark({ box, content }: FieldAppearance, page: PageBox, deps: DrawDeps): string {
  const placement = place(page, box)
  const unit = 1 / page.userUnit
  const clip = `q ${placement.matrix.map(num).join(' ')} cm 0 0 ${num(placement.width)} ${num(placement.height)} re W n`
  return [clip, drawContent(content, placement, unit, deps), 'Q'].join('\n')
}

type Area = Pick<Placement, 'width' | 'height'>

/**
 * What a mark shows, in an area whose lower left corner is the origin. `unit`: a point in units of
 * the area.
 */
export function drawContent(
  content: FieldAppearance['content'],
  area: Area,
  unit: number,
  { shape, book, marked }: DrawDeps,
): string {
  switch (content.kind) {
    case 'text':
      return drawText(content.text, area, unit, shape, book)
    case 'check':
      return drawCheck(area)
    case 'signature':
      return drawSignature(content.text, area, unit, shape, book)
    case 'ink':
      return marked.ink(content.ink, area.width, area.height, unit)
    case 'picture':
      return marked.picture(content.path, area.width, area.height, unit)
  }
}

/** Of the type size, from one baseline to the next. */
const LEADING = 1.25
/**
 * Room above the baseline of the first and below that of the last line, of the type size: the
 * tallest and deepest letters of European writings.
 */
const ASCENT = 1.07
const DESCENT = 0.3
/** What renderers darken beyond an outline. */
const AIR = 0.03
/**
 * Marks stacked higher or deeper than any writing needs are cut off rather than have the whole text
 * made tiny.
 */
const HIGHEST = 2.2
const DEEPEST = 1.6

/** What the lines of one text need around their baselines, of the type size. */
interface Rise {
  ascent: number
  descent: number
  leading: number
}

/** As for European text, and more where the ink reaches farther. */
function riseOf(inks: Pick<InkExtent, 'above' | 'below'>[]): Rise {
  const ascent = Math.max(ASCENT, ...inks.map(({ above }) => Math.min(above + AIR, HIGHEST)))
  const descent = Math.max(DESCENT, ...inks.map(({ below }) => Math.min(below + AIR, DEEPEST)))
  return { ascent, descent, leading: LEADING - ASCENT - DESCENT + ascent + descent }
}

/**
 * Type sizes, pt: the largest a field is set in, what one line is shrunk to before it is wrapped,
 * the smallest that can be read on paper, and the largest for wrapped text.
 */
const LARGEST_PT = 14
const COMFORTABLE_PT = 8
const SMALLEST_PT = 5.5
const WRAPPED_PT = 11

interface Fitted {
  lines: WrappedLine[]
  size: number
  rise: Rise
}

function blockHeight(lines: number, size: number, { ascent, descent, leading }: Rise): number {
  return size * (ascent + descent + (lines - 1) * leading)
}

/**
 * The largest setting that fits: its own lines whole, if they can be read well; else wrapped; else,
 * at the smallest size, cut with an ellipsis. A box lower than the smallest size has smaller type:
 * nothing may leave it.
 */
function fitText(text: string, width: number, height: number, unit: number, shape: ShapeParagraph): Fitted {
  const paragraphs = shapeParagraphs(shape, text, 'text')
  const rise = riseOf(paragraphs.map(({ ink }) => ink))
  const whole = wrapParagraphs(paragraphs, Number.POSITIVE_INFINITY)
  const widest = Math.max(...whole.map(line => line.width))
  const byHeight = (lines: number) => height / blockHeight(lines, 1, rise)
  const unwrapped = Math.min(LARGEST_PT * unit, byHeight(whole.length), width / widest)
  const largest = Math.min(LARGEST_PT * unit, byHeight(1))
  if (unwrapped >= Math.min(COMFORTABLE_PT * unit, largest)) return { lines: whole, size: unwrapped, rise }
  const smallest = Math.min(SMALLEST_PT * unit, largest)
  const fits = (size: number) => blockHeight(countLines(paragraphs, width / size), size, rise) <= height
  const wrapped = largestFitting(smallest, Math.min(WRAPPED_PT * unit, largest), fits)
  if (wrapped !== undefined && wrapped > unwrapped) {
    return { lines: wrapParagraphs(paragraphs, width / wrapped), size: wrapped, rise }
  }
  if (unwrapped >= smallest) return { lines: whole, size: unwrapped, rise }
  const count = Math.floor((height / smallest - rise.ascent - rise.descent) / rise.leading + 1 + 1e-9)
  const cut = truncateLines(shape, wrapParagraphs(paragraphs, width / smallest), 'text', width / smallest, count)
  return { lines: cut, size: smallest, rise }
}

/**
 * The largest size between two that passes, found by halving; undefined when not even the smallest
 * does.
 */
function largestFitting(smallest: number, largest: number, fits: (size: number) => boolean): number | undefined {
  if (!fits(smallest)) return undefined
  if (fits(largest)) return largest
  let [low, high] = [smallest, largest]
  for (let i = 0; i < 6; i++) {
    const middle = (low + high) / 2
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

function drawText(text: string, { width, height }: Area, unit: number, shape: ShapeParagraph, book: PdfFonts): string {
  const padding = Math.min(2 * unit, width * 0.05)
  const room = width - 2 * padding
  const { lines, size, rise } = fitText(text, room, height, unit, shape)
  const top = (height + blockHeight(lines.length, size, rise)) / 2
  const set = lines.map((line, i) => {
    const x = line.rtl ? width - padding - line.width * size : padding
    return book.show(line, x, top - size * (rise.ascent + i * rise.leading), size)
  })
  return [INK, ...set].join('\n')
}

/** A tick in the middle of the box. */
function drawCheck({ width, height }: Area): string {
  const side = Math.min(width, height)
  const at = (x: number, y: number) => `${num(width / 2 + (x - 0.5) * side)} ${num(height / 2 + (y - 0.5) * side)}`
  const pen = `0 0 0 RG ${num(side * 0.11)} w 1 J 1 j`
  return `${pen} ${at(0.18, 0.5)} m ${at(0.41, 0.25)} l ${at(0.82, 0.77)} l S`
}

/** The name as large as the box allows, on a thin line. */
function drawSignature(text: string, area: Area, unit: number, shape: ShapeParagraph, book: PdfFonts): string {
  return signatureMark(text.replace(/\s+/g, ' '), area.width, area.height, unit, shape, book)
}

/** A typed signature inside a box whose lower left corner is the origin. */
export function signatureMark(
  text: string,
  width: number,
  height: number,
  unit: number,
  shape: ShapeParagraph,
  book: PdfFonts,
): string {
  const room = writingLine(width, height, unit)
  const [line] = wrapParagraphs(shapeParagraphs(shape, text, 'signature'), Number.POSITIVE_INFINITY)
  const { ascent, descent } = riseOf([line!.ink])
  // Swashes and slanting letters leave the line's own width.
  const inkWidth = line!.width + line!.ink.left + line!.ink.right
  const size = Math.min(room.height / (ascent + descent), room.width / Math.max(inkWidth, 0.5))
  const right = room.left + room.width
  const left = line!.rtl ? right - size * (line!.width + line!.ink.right) : room.left + size * line!.ink.left
  // On the line where there is room above: a hand writes on it, not in the middle of the box.
  return [room.operators, `${SIGNATURE_COLOUR} rg`, book.show(line!, left, room.bottom + size * descent, size)].join('\n')
}
