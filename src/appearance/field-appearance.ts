/** Draws completed fields into overlay pages. ISO 32000-2 §8.3 (coordinates), §8.5, §9.4. */
import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, type PDFPage } from 'pdf-lib'
import { defaultFontSize } from '../core/field.ts'
import { displayedSize, type PageBox, type PercentBox, place } from '../core/geometry.ts'
import type { Ink } from '../core/ink.ts'
import { num, openPdfFonts, type PdfFonts } from '../text/pdf-fonts.ts'
import { openParagraphShaper, type ShapeParagraph } from '../text/shape.ts'
import { shapeParagraphs, wrapParagraphs } from '../text/wrap.ts'
import { type Area, drawSignatureLine, SIGNATURE_COLOUR, SignatureResources } from './signature-appearance.ts'
import { drawText, measureLines, type TextContent } from './text-appearance.ts'

export interface FieldAppearance {
  /** 1 is the first page. */
  page: number
  box: PercentBox
  content:
    | TextContent
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

interface DrawDeps {
  shape: ShapeParagraph
  fonts: PdfFonts
  xobjects: SignatureResources
}

function drawField({ box, content: given }: FieldAppearance, page: PageBox, deps: DrawDeps): string {
  const placement = place(page, box)
  const size = () => defaultFontSize(displayedSize(page).width * page.userUnit)
  const content = given.kind === 'text' ? { ...given, size: given.size ?? size() } : given
  const unit = 1 / page.userUnit
  const clip = `q ${placement.matrix.map(num).join(' ')} cm 0 0 ${num(placement.width)} ${num(placement.height)} re W n`
  return [clip, drawContent(content, placement, unit, deps), 'Q'].join('\n')
}

/** `unit`: one point in units of the area. The lower left corner is the origin. */
export function drawContent(content: FieldAppearance['content'], area: Area, unit: number, deps: DrawDeps): string {
  switch (content.kind) {
    case 'text':
      return drawText(content, area, unit, deps)
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
