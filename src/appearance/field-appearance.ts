/** Draws completed fields into overlay pages. ISO 32000-2 §8.3 (coordinates), §8.5, §9.4. */
import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, type PDFPage } from 'pdf-lib'
import { defaultFontSize } from '../core/field/field.ts'
import { displayedSize, type PageBox, type PercentBox, place } from '../core/field/geometry.ts'
import type { Ink } from '../core/signing/ink.ts'
import type { Hand } from '../core/signing/signature-mark.ts'
import { num, openPdfFonts, type PdfFonts } from '../text/pdf-fonts.ts'
import { openParagraphShaper, type ShapeParagraph } from '../text/shape.ts'
import { shapeParagraphs, type WrappedLine, wrapParagraphs } from '../text/wrap.ts'
import { type Area, drawRule, markSpace, SIGNATURE_COLOUR, SignatureResources } from './signature-appearance.ts'
import { drawText, measureLines, type TextContent } from './text-appearance.ts'

/** `hand`: undefined for the first. */
export interface TypedSignature {
  text: string
  hand?: Hand | undefined
}

/** A signature or initials: typed, drawn, or a picture as a PNG written by `cleanSignature`. */
export type MarkAppearance = (
  | ({ kind: 'signature' } & TypedSignature)
  | { kind: 'ink'; ink: Ink }
  | { kind: 'picture'; path: string }
) & {
  /** A thin line under it. */
  rule?: boolean | undefined
}

export interface FieldAppearance {
  /** 1 is the first page. */
  page: number
  box: PercentBox
  content:
    | TextContent
    | { kind: 'check' }
    /** The chosen box of a radio field. */
    | { kind: 'dot' }
    /** White, over the text of a tag. */
    | { kind: 'cover' }
    | MarkAppearance
    /** A PNG or JPEG that a signer added, as `examineFile` writes it. */
    | { kind: 'image'; path: string }
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
  const xobjects = await SignatureResources.open(pdf, contents)
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

/** Text without a size of its own gets the one of the page. */
export function sizedText(content: TextContent, page: PageBox): TextContent {
  return { ...content, size: content.size ?? defaultFontSize(displayedSize(page).width * page.userUnit) }
}

function drawField({ box, content: given }: FieldAppearance, page: PageBox, deps: DrawDeps): string {
  const placement = place(page, box)
  const content = given.kind === 'text' ? sizedText(given, page) : given
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
    case 'dot':
      return drawDot(area)
    case 'cover':
      return `1 1 1 rg 0 0 ${num(area.width)} ${num(area.height)} re f`
    case 'image':
      return deps.xobjects.drawImage(content.path, area)
    case 'signature':
    case 'ink':
    case 'picture':
      return [...(content.rule ? [drawRule(area, unit)] : []), drawMark(content, area, unit, deps)].join('\n')
  }
}

function drawMark(mark: MarkAppearance, area: Area, unit: number, deps: DrawDeps): string {
  switch (mark.kind) {
    case 'signature':
      return drawSignature(mark, area, unit, deps)
    case 'ink':
      return deps.xobjects.drawInk(mark.ink, area, unit)
    case 'picture':
      return deps.xobjects.drawPicture(mark.path, area, unit)
  }
}

function drawCheck({ width, height }: Area): string {
  const side = Math.min(width, height)
  const at = (x: number, y: number) => `${num(width / 2 + (x - 0.5) * side)} ${num(height / 2 + (y - 0.5) * side)}`
  const stroke = `0 0 0 RG ${num(side * 0.11)} w 1 J 1 j`
  return `${stroke} ${at(0.18, 0.5)} m ${at(0.41, 0.25)} l ${at(0.82, 0.77)} l S`
}

/** Share of the shorter side. Inside a printed circle or square it leaves a white ring. */
const DOT_DIAMETER = 0.56
/** Distance of the control points of a quarter circle from its ends, in radii. */
const ARC = 0.5523

/** Not a cross: beside the tick of a checkbox that reads as a refusal. */
function drawDot({ width, height }: Area): string {
  const radius = (Math.min(width, height) * DOT_DIAMETER) / 2
  const at = (x: number, y: number) => `${num(width / 2 + x * radius)} ${num(height / 2 + y * radius)}`
  const quarters = [
    `${at(1, ARC)} ${at(ARC, 1)} ${at(0, 1)} c`,
    `${at(-ARC, 1)} ${at(-1, ARC)} ${at(-1, 0)} c`,
    `${at(-1, -ARC)} ${at(-ARC, -1)} ${at(0, -1)} c`,
    `${at(ARC, -1)} ${at(1, -ARC)} ${at(1, 0)} c`,
  ]
  return `0 0 0 rg ${at(1, 0)} m ${quarters.join(' ')} f`
}

/** The name as large as the box allows. */
function drawSignature(signature: TypedSignature, area: Area, unit: number, { shape, fonts }: DrawDeps): string {
  const { line, left, baseline, size } = placeSignature(signature, area, unit, shape)
  return [`${SIGNATURE_COLOUR} rg`, fonts.show(line, left, baseline, size)].join('\n')
}

interface PlacedSignature {
  line: WrappedLine
  left: number
  baseline: number
  size: number
}

/** Of ink above the line, in shares of the size: rendered edges are soft. */
const CLEARANCE = 0.03

export function placeSignature({ text, hand }: TypedSignature, area: Area, unit: number, shape: ShapeParagraph): PlacedSignature {
  const space = markSpace(area, unit)
  const paragraphs = shapeParagraphs(shape, text.replace(/\s+/g, ' '), 'signature', { hand })
  const line = wrapParagraphs(paragraphs, Number.POSITIVE_INFINITY)[0]!
  const { ascent, descent } = measureLines([line.ink])
  // Swashes and slanted letters extend beyond the advance width.
  const inkWidth = line.width + line.ink.left + line.ink.right
  const size = Math.min(space.height / (ascent + descent), space.width / Math.max(inkWidth, 0.5))
  const right = space.left + space.width
  const left = line.rtl ? right - size * (line.width + line.ink.right) : space.left + size * line.ink.left
  // Its lowest ink is at the line, drawn or printed: a name without descenders would float above.
  const below = Math.min(descent, Math.max(line.ink.below, 0) + CLEARANCE)
  return { line, left, baseline: space.bottom + size * below, size }
}
