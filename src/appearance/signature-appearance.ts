/** Draws signatures: line, ink as paths, pictures as images. ISO 32000-2 §8.5, §8.9.5, §8.10. */
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import type { PDFDocument, PDFRef } from 'pdf-lib'
import { type Ink, type InkBounds, inkBounds, inkShapes, inkText, penWidth } from '../core/ink.ts'
import type { InkShape } from '../core/ink-outline.ts'
import { fillHiddenColours } from '../image/colour-bleed.ts'
import { readPng } from '../image/png-read.ts'
import { MAX_WIDTH } from '../image/signature-image.ts'
import { num } from '../text/pdf-fonts.ts'

/** Dark blue. */
export const SIGNATURE_COLOUR = '0.05 0.13 0.42'

export interface Area {
  width: number
  height: number
}

/** The signature line and the space above it, in a box whose lower left corner is the origin. */
interface SignatureLine extends Area {
  operators: string
  left: number
  bottom: number
}

/** `unit`: one point in units of the box. */
export function drawSignatureLine({ width, height }: Area, unit: number): SignatureLine {
  const thickness = Math.min(0.6 * unit, height * 0.04)
  const left = Math.min(3 * unit, width * 0.05)
  const y = Math.max(height * 0.06, thickness)
  const operators = `${SIGNATURE_COLOUR} RG ${num(thickness)} w 0 J ${num(left)} ${num(y)} m ${num(width - left)} ${num(y)} l S`
  return { operators, left, bottom: y + thickness, width: width - 2 * left, height: height - y - thickness }
}

interface Picture extends Area {
  name: string
}

interface EmbeddedInk {
  bounds: InkBounds
  forms: Map<number, InkForm>
}

interface InkForm {
  name: string
  ref: PDFRef
  bounds: InkBounds
}

export class SignatureResources {
  /** The XObject resource dictionary (§7.8.3) of all pages. It exists after `embed`. */
  readonly resources: PDFRef
  readonly #xobjects = new Map<string, PDFRef>()
  readonly #inks = new Map<string, EmbeddedInk>()
  readonly #pictures = new Map<string, Picture>()

  private constructor(private readonly pdf: PDFDocument) {
    this.resources = pdf.context.nextRef()
  }

  /** @throws Error for a picture not written by `cleanSignature`; file system errors */
  static async open(pdf: PDFDocument, picturePaths: Iterable<string> = []): Promise<SignatureResources> {
    const opened = new SignatureResources(pdf)
    for (const path of new Set(picturePaths)) {
      const name = `Picture${opened.#pictures.size + 1}`
      const { ref, width, height } = await embedPicture(pdf, path)
      opened.add(name, ref)
      opened.#pictures.set(path, { name, width, height })
    }
    return opened
  }

  /** Draws ink on its line, as large as the area allows. `unit`: one point in units of the area. */
  drawInk(ink: Ink, area: Area, unit: number): string {
    const line = drawSignatureLine(area, unit)
    const space = spaceAbove(line, unit)
    const { name, bounds } = this.#embedInk(ink, space, unit)
    const scale = fitScale(bounds, space)
    const [left, bottom] = [line.left - bounds.left * scale, line.bottom + bounds.bottom * scale]
    // The y axis of the pad points down.
    const show = `q ${num(scale)} 0 0 ${num(-scale)} ${num(left)} ${num(bottom)} cm ${SIGNATURE_COLOUR} rg /${name} Do Q`
    return [line.operators, show].join('\n')
  }

  /** Draws a picture passed to `open` in the same way, never enlarged. */
  drawPicture(path: string, area: Area, unit: number): string {
    const picture = this.#pictures.get(path)
    if (!picture) throw new Error(`the picture ${path} was not read`)
    const line = drawSignatureLine(area, unit)
    const bounds = { left: 0, top: 0, right: picture.width, bottom: picture.height }
    const scale = Math.min(fitScale(bounds, spaceAbove(line, unit)), unit)
    const [w, h] = [picture.width * scale, picture.height * scale]
    const show = `q ${num(w)} 0 0 ${num(h)} ${num(line.left)} ${num(line.bottom)} cm /${picture.name} Do Q`
    return [line.operators, show].join('\n')
  }

  add(name: string, ref: PDFRef): void {
    this.#xobjects.set(name, ref)
  }

  /** Call once, after the last drawing. */
  embed(): void {
    this.pdf.context.assign(this.resources, this.pdf.context.obj(Object.fromEntries(this.#xobjects)))
  }

  #embedInk(ink: Ink, space: Area, unit: number): InkForm {
    const key = inkText(ink)
    const embedded = this.#inks.get(key) ?? { bounds: inkBounds(inkShapes(ink)), forms: new Map<number, InkForm>() }
    this.#inks.set(key, embedded)
    const weight = chooseWeight(ink, embedded.bounds, space, unit)
    const form = embedded.forms.get(weight) ?? embedInkForm(this.pdf, ink, weight)
    embedded.forms.set(weight, form)
    this.add(form.name, form.ref)
    return form
  }
}

/** Leaves space at the top, so that nothing touches the edge of the box. */
function spaceAbove({ width, height }: SignatureLine, unit: number): Area {
  return { width, height: height - Math.min(unit, height * 0.04) }
}

function fitScale({ left, top, right, bottom }: InkBounds, { width, height }: Area): number {
  return Math.min(width / (right - left), height / (bottom - top))
}

/** On paper, so that large ink does not fade in a small box, nor small ink get thick. */
const MIN_STROKE_PT = 1
const MIN_STROKE_SHARE = 0.045
const MAX_STROKE_PT = 2.2

/** Returns a multiple of the pad's stroke width, as wide as a pen's on paper. */
function chooseWeight(ink: Ink, bounds: InkBounds, space: Area, unit: number): number {
  const onPaper = (penWidth(ink) * fitScale(bounds, space)) / unit
  const minWidth = Math.min(MIN_STROKE_PT, (MIN_STROKE_SHARE * space.height) / unit)
  const wanted = Math.min(MAX_STROKE_PT, Math.max(minWidth, onPaper)) / onPaper
  return Math.round(20 * Math.min(4, Math.max(0.25, wanted))) / 20
}

/** Margin of the BBox for rounded coordinates, in units of the pad. */
const ROUNDING = 1

/** In pad coordinates. Filled with the colour current where it is used (§8.10.1). */
function embedInkForm(pdf: PDFDocument, ink: Ink, weight: number): InkForm {
  const shapes = inkShapes(ink, weight)
  const bounds = inkBounds(shapes)
  const { left, top, right, bottom } = bounds
  const content = Buffer.concat([...shapes.map(formatOutline), Buffer.from('f', 'latin1')])
  const entries = {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [left - ROUNDING, top - ROUNDING, right + ROUNDING, bottom + ROUNDING],
    Resources: {},
    Filter: 'FlateDecode',
  }
  const ref = pdf.context.register(pdf.context.stream(deflateSync(content), entries))
  return { name: `Ink${ref.objectNumber}`, ref, bounds }
}

function formatOutline(shape: InkShape): Buffer {
  let text = ''
  for (const [letter, ...to] of shape) {
    for (const value of to) text += `${Math.round(value * 100) / 100} `
    text += `${letter.toLowerCase()}\n`
  }
  return Buffer.from(`${text}h\n`, 'latin1')
}

async function embedPicture(pdf: PDFDocument, path: string): Promise<{ ref: PDFRef; width: number; height: number }> {
  const samples = await readPng(readFileSync(path), MAX_WIDTH)
  if (samples?.channels !== 3 || samples.alpha === undefined)
    throw new Error(`the picture ${path} was not written by cleanSignature`)
  const { width, height, alpha } = samples
  const { colour } = fillHiddenColours({ width, height, alpha, colour: samples.colour })
  const size = { Type: 'XObject', Subtype: 'Image', Width: width, Height: height, BitsPerComponent: 8, Filter: 'FlateDecode' }
  const mask = pdf.context.register(pdf.context.stream(deflateSync(alpha), { ...size, ColorSpace: 'DeviceGray' }))
  const ref = pdf.context.register(pdf.context.stream(deflateSync(colour), { ...size, ColorSpace: 'DeviceRGB', SMask: mask }))
  return { ref, width, height }
}
