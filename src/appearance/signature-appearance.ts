/** Draws signatures and images: ink as paths, pictures as XObjects. ISO 32000-2 §8.5, §8.10. */
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import type { PDFDocument, PDFRef } from 'pdf-lib'
import { type Ink, type InkBounds, inkBounds, inkShapes, inkText, penWidth } from '../core/signing/ink.ts'
import type { InkShape } from '../core/signing/ink-outline.ts'
import { MAX_IMAGE_SIDE } from '../image/field-file.ts'
import { readPng } from '../image/png-read.ts'
import { fillHiddenColours } from '../image/resize.ts'
import { MAX_WIDTH } from '../image/signature-image.ts'
import { drawImage, type EmbeddedImage, embedImage, readImage, uprightSize } from '../image/xobject-image.ts'
import { freeMemory } from '../lib/free-memory.ts'
import { num } from '../text/pdf-fonts.ts'
import type { FieldAppearance } from './field-appearance.ts'

/** Dark blue. */
export const SIGNATURE_COLOUR = '0.05 0.13 0.42'

export interface Area {
  width: number
  height: number
}

interface MarkSpace extends Area {
  left: number
  bottom: number
}

/** In a box whose lower left corner is the origin. `unit`: one point in units of the box. */
const ruleOf = ({ width, height }: Area, unit: number) => {
  const thickness = Math.min(0.6 * unit, height * 0.04)
  return { thickness, left: Math.min(3 * unit, width * 0.05), y: Math.max(height * 0.06, thickness) }
}

export function drawRule(area: Area, unit: number): string {
  const { thickness, left, y } = ruleOf(area, unit)
  return `${SIGNATURE_COLOUR} RG ${num(thickness)} w 0 J ${num(left)} ${num(y)} m ${num(area.width - left)} ${num(y)} l S`
}

/** Where a mark is drawn: above the rule, also if there is none, so that both look the same. */
export function markSpace(area: Area, unit: number): MarkSpace {
  const { thickness, left, y } = ruleOf(area, unit)
  return { left, bottom: y + thickness, width: area.width - 2 * left, height: area.height - y - thickness }
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
  readonly #images = new Map<string, EmbeddedImage & { name: string }>()

  private constructor(private readonly pdf: PDFDocument) {
    this.resources = pdf.context.nextRef()
  }

  /** @throws Error for a picture or image that a child did not write; file system errors */
  static async open(pdf: PDFDocument, contents: readonly FieldAppearance['content'][] = []): Promise<SignatureResources> {
    const opened = new SignatureResources(pdf)
    for (const content of contents) {
      if (content.kind === 'picture') await opened.#addPicture(content.path)
      if (content.kind === 'image') await opened.#addImage(content.path)
    }
    return opened
  }

  /** Draws ink as large as the area allows. `unit`: one point in units of the area. */
  drawInk(ink: Ink, area: Area, unit: number): string {
    const at = markSpace(area, unit)
    const space = belowEdge(at, unit)
    const { name, bounds } = this.#embedInk(ink, space, unit)
    const scale = fitScale(bounds, space)
    const [left, bottom] = [at.left - bounds.left * scale, at.bottom + bounds.bottom * scale]
    // The y axis of the pad points down.
    return `q ${num(scale)} 0 0 ${num(-scale)} ${num(left)} ${num(bottom)} cm ${SIGNATURE_COLOUR} rg /${name} Do Q`
  }

  /** Draws a picture passed to `open` in the same way, never enlarged. */
  drawPicture(path: string, area: Area, unit: number): string {
    const picture = this.#pictures.get(path)
    if (!picture) throw new Error(`the picture ${path} was not read`)
    const at = markSpace(area, unit)
    const bounds = { left: 0, top: 0, right: picture.width, bottom: picture.height }
    const scale = Math.min(fitScale(bounds, belowEdge(at, unit)), unit)
    const [w, h] = [picture.width * scale, picture.height * scale]
    return `q ${num(w)} 0 0 ${num(h)} ${num(at.left)} ${num(at.bottom)} cm /${picture.name} Do Q`
  }

  /** Draws an image passed to `open` upright, as large as the area allows and in its middle. */
  drawImage(path: string, area: Area): string {
    const image = this.#images.get(path)
    if (!image) throw new Error(`the image ${path} was not read`)
    const size = uprightSize(image)
    const scale = Math.min(area.width / size.width, area.height / size.height)
    const [width, height] = [size.width * scale, size.height * scale]
    return drawImage(image.name, image, { left: (area.width - width) / 2, bottom: (area.height - height) / 2, width, height })
  }

  add(name: string, ref: PDFRef): void {
    this.#xobjects.set(name, ref)
  }

  /** Call once, after the last drawing. */
  embed(): void {
    this.pdf.context.assign(this.resources, this.pdf.context.obj(Object.fromEntries(this.#xobjects)))
  }

  async #addPicture(path: string): Promise<void> {
    if (this.#pictures.has(path)) return
    const name = `Picture${this.#pictures.size + 1}`
    const { ref, width, height } = await embedPicture(this.pdf, path)
    this.add(name, ref)
    this.#pictures.set(path, { name, width, height })
  }

  async #addImage(path: string): Promise<void> {
    if (this.#images.has(path)) return
    const name = `Image${this.#images.size + 1}`
    const image = await readImage(readFileSync(path), MAX_IMAGE_SIDE)
    if (!image) throw new Error(`the image ${path} was not written by \`examineFile\``)
    const embedded = embedImage(this.pdf, image)
    this.add(name, embedded.ref)
    this.#images.set(path, { ...embedded, name })
    // A document may have many.
    freeMemory()
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
function belowEdge({ width, height }: MarkSpace, unit: number): Area {
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
