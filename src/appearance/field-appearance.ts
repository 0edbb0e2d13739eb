/** Draws completed fields into overlay pages. ISO 32000-2 §8.3 (coordinates), §8.5, §9.4. */
import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, type PDFPage } from 'pdf-lib'
import { type PageBox, type PercentBox, place } from '../core/geometry.ts'
import type { Ink } from '../core/ink.ts'
import { num, openPdfFonts, type PdfFonts } from '../text/pdf-fonts.ts'
import { type InkExtent, openParagraphShaper, type ShapeParagraph } from '../text/shape.ts'
import { countLines, shapeParagraphs, truncateLines, type WrappedLine, wrapParagraphs } from '../text/wrap.ts'
import { type Area, drawSignatureLine, SIGNATURE_COLOUR, SignatureResources } from './signature-appearance.ts'

export interface FieldAppearance {
  /** 1 is the first page. */
  page: number
  box: PercentBox
  content:
    | { kind: 'text'; text: string }
    | { kind: 'check' }
    /** White, over the text of a tag. */
    | { kind: 'cover' }
    /** A typed signature or initials. */
    | { kind: 'signature'; text: string }
    | { kind: 'ink'; ink: Ink }
    /** A signature or initials from a picture: a PNG written by `cleanSignature`. */
    | { kind: 'picture'; path: string }
}

export interface OverlayPage {
  /** 1 is the first page. */
  page: number
  box: PageBox
  fields: FieldAppearance[]
}

export const SAVE_OPTIONS = {
  useObjectStreams: false,
  addDefaultPage: false,
  updateFieldAppearances: false,
  objectsPerTick: Number.POSITIVE_INFINITY,
}

/** Returns one page per entry: MediaBox = the entry's box, no Rotate, upright as displayed. */
export async function composeOverlay(pages: OverlayPage[]): Promise<Uint8Array> {
  const [pdf, shape] = await Promise.all([PDFDocument.create({ updateMetadata: false }), openParagraphShaper()])
  const fonts = await openPdfFonts(pdf)
  const contents = pages.flatMap(({ fields }) => fields.map(({ content }) => content))
  const xobjects = await SignatureResources.open(pdf, picturePaths(contents))
  const deps = { shape, fonts, xobjects }
  for (const { box, fields } of pages) {
    const page = pdf.addPage([box.width, box.height])
    page.setMediaBox(box.left, box.bottom, box.width, box.height)
    const content = fields.map(field => drawField(field, box, deps))
    fillPage(pdf, page, content.join('\n'), fonts, xobjects)
  }
  fonts.embed()
  xobjects.embed()
  return pdf.save(SAVE_OPTIONS)
}

export function picturePaths(contents: readonly FieldAppearance['content'][]): string[] {
  return contents.flatMap(content => (content.kind === 'picture' ? [content.path] : []))
}

export function fillPage(pdf: PDFDocument, page: PDFPage, content: string, fonts: PdfFonts, xobjects?: SignatureResources): void {
  page.node.set(
    PDFName.of('Contents'),
    pdf.context.register(pdf.context.stream(deflateSync(Buffer.from(content, 'latin1')), { Filter: 'FlateDecode' })),
  )
  page.node.set(
    PDFName.of('Resources'),
    pdf.context.obj({ Font: fonts.resources, ...(xobjects && { XObject: xobjects.resources }) }),
  )
}

const INK = '0 0 0 rg'

interface DrawDeps {
  shape: ShapeParagraph
  fonts: PdfFonts
  xobjects: SignatureResources
}

function drawField({ box, content }: FieldAppearance, page: PageBox, deps: DrawDeps): string {
  const placement = place(page, box)
  const unit = 1 / page.userUnit
  const clip = `q ${placement.matrix.map(num).join(' ')} cm 0 0 ${num(placement.width)} ${num(placement.height)} re W n`
  return [clip, drawContent(content, placement, unit, deps), 'Q'].join('\n')
}

/** `unit`: one point in units of the area. The lower left corner is the origin. */
export function drawContent(content: FieldAppearance['content'], area: Area, unit: number, deps: DrawDeps): string {
  switch (content.kind) {
    case 'text':
      return drawText(content.text, area, unit, deps)
    case 'check':
      return drawCheck(area)
    case 'cover':
      return `1 1 1 rg 0 0 ${num(area.width)} ${num(area.height)} re f`
    case 'signature':
      return drawSignature(content.text, area, unit, deps)
    case 'ink':
      return deps.xobjects.drawInk(content.ink, area, unit)
    case 'picture':
      return deps.xobjects.drawPicture(content.path, area, unit)
  }
}

const LEADING = 1.25
/** Above the first and below the last baseline, for European letters; shares of the font size. */
const ASCENT = 1.07
const DESCENT = 0.3
const ANTIALIASING = 0.03
/** Higher stacks of combining marks are cut off, so that they do not shrink the whole text. */
const MAX_ASCENT = 2.2
const MAX_DESCENT = 1.6

/** Shares of the font size. */
interface LineMetrics {
  ascent: number
  descent: number
  leading: number
}

/** As for European text, and more if the ink extends further. */
function measureLines(inks: Pick<InkExtent, 'above' | 'below'>[]): LineMetrics {
  const ascent = Math.max(ASCENT, ...inks.map(({ above }) => Math.min(above + ANTIALIASING, MAX_ASCENT)))
  const descent = Math.max(DESCENT, ...inks.map(({ below }) => Math.min(below + ANTIALIASING, MAX_DESCENT)))
  return { ascent, descent, leading: LEADING - ASCENT - DESCENT + ascent + descent }
}

/** pt. Text shrinks to MIN_UNWRAPPED_PT before it wraps. MIN_PT is legible on paper. */
const MAX_PT = 14
const MIN_UNWRAPPED_PT = 8
const MIN_PT = 5.5
const MAX_WRAPPED_PT = 11

interface FittedText {
  lines: WrappedLine[]
  size: number
  metrics: LineMetrics
}

function blockHeight(lines: number, size: number, { ascent, descent, leading }: LineMetrics): number {
  return size * (ascent + descent + (lines - 1) * leading)
}

/** Unwrapped if legible, else wrapped, else truncated. A very low box gets smaller text. */
function fitText(text: string, width: number, height: number, unit: number, shape: ShapeParagraph): FittedText {
  const paragraphs = shapeParagraphs(shape, text, 'text')
  const metrics = measureLines(paragraphs.map(({ ink }) => ink))
  const whole = wrapParagraphs(paragraphs, Number.POSITIVE_INFINITY)
  const widest = Math.max(...whole.map(line => line.width))
  const byHeight = (lines: number) => height / blockHeight(lines, 1, metrics)
  const unwrapped = Math.min(MAX_PT * unit, byHeight(whole.length), width / widest)
  const largest = Math.min(MAX_PT * unit, byHeight(1))
  if (unwrapped >= Math.min(MIN_UNWRAPPED_PT * unit, largest)) return { lines: whole, size: unwrapped, metrics }
  const smallest = Math.min(MIN_PT * unit, largest)
  const fits = (size: number) => blockHeight(countLines(paragraphs, width / size), size, metrics) <= height
  const wrapped = largestFitting(smallest, Math.min(MAX_WRAPPED_PT * unit, largest), fits)
  if (wrapped !== undefined && wrapped > unwrapped) {
    return { lines: wrapParagraphs(paragraphs, width / wrapped), size: wrapped, metrics }
  }
  if (unwrapped >= smallest) return { lines: whole, size: unwrapped, metrics }
  const count = Math.floor((height / smallest - metrics.ascent - metrics.descent) / metrics.leading + 1 + 1e-9)
  const cut = truncateLines(shape, wrapParagraphs(paragraphs, width / smallest), 'text', width / smallest, count)
  return { lines: cut, size: smallest, metrics }
}

/** Finds the largest fitting size by bisection. Undefined if not even the smallest fits. */
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

function drawText(text: string, { width, height }: Area, unit: number, { shape, fonts }: DrawDeps): string {
  const padding = Math.min(2 * unit, width * 0.05)
  const textWidth = width - 2 * padding
  const { lines, size, metrics } = fitText(text, textWidth, height, unit, shape)
  const top = (height + blockHeight(lines.length, size, metrics)) / 2
  const shown = lines.map((line, i) => {
    const x = line.rtl ? width - padding - line.width * size : padding
    return fonts.show(line, x, top - size * (metrics.ascent + i * metrics.leading), size)
  })
  return [INK, ...shown].join('\n')
}

function drawCheck({ width, height }: Area): string {
  const side = Math.min(width, height)
  const at = (x: number, y: number) => `${num(width / 2 + (x - 0.5) * side)} ${num(height / 2 + (y - 0.5) * side)}`
  const stroke = `0 0 0 RG ${num(side * 0.11)} w 1 J 1 j`
  return `${stroke} ${at(0.18, 0.5)} m ${at(0.41, 0.25)} l ${at(0.82, 0.77)} l S`
}

/** The name as large as the box allows, on a thin line. */
function drawSignature(text: string, area: Area, unit: number, { shape, fonts }: DrawDeps): string {
  const rule = drawSignatureLine(area, unit)
  const paragraphs = shapeParagraphs(shape, text.replace(/\s+/g, ' '), 'signature')
  const line = wrapParagraphs(paragraphs, Number.POSITIVE_INFINITY)[0]!
  const { ascent, descent } = measureLines([line.ink])
  // Swashes and slanted letters extend beyond the advance width.
  const inkWidth = line.width + line.ink.left + line.ink.right
  const size = Math.min(rule.height / (ascent + descent), rule.width / Math.max(inkWidth, 0.5))
  const right = rule.left + rule.width
  const left = line.rtl ? right - size * (line.width + line.ink.right) : rule.left + size * line.ink.left
  // On the signature line, as people write, not in the middle of the box.
  return [rule.operators, `${SIGNATURE_COLOUR} rg`, fonts.show(line, left, rule.bottom + size * descent, size)].join('\n')
}
