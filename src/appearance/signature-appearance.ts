/**
 * What a person's own hand leaves in a PDF: the line it writes on, drawings as paths, pictures as
 * images (ISO 32000-2 §8.5, §8.9.5, §8.10, §11.6.5.3). Each drawing and picture is embedded once
 * however often it is shown. A mark that cannot be shown is an error: nothing may be sealed without
 * it.
 */
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import type { PDFDocument, PDFRef } from 'pdf-lib'
import { type Ink, type InkBounds, inkBounds, inkShapes, inkText, penWidth } from '../core/ink.ts'
import type { InkShape } from '../core/ink-outline.ts'
import { fillHiddenColours } from '../image/colour-bleed.ts'
import { readPng } from '../image/png-read.ts'
import { MAX_WIDTH } from '../image/signature-image.ts'
import { num } from '../text/pdf-fonts.ts'

/** The dark blue of a pen, for what stands for a person's own hand. */
export const SIGNATURE_COLOUR = '0.05 0.13 0.42'

/**
 * The line a signature is written on, in a box whose lower left corner is the origin; and the room
 * above it.
 */
export interface WritingLine {
  operators: string
  left: number
  /** Where the room begins: nothing of the line is above. */
  bottom: number
  width: number
  height: number
}

/** `unit`: a point in units of the box. */
export function writingLine(width: number, height: number, unit: number): WritingLine {
  const rule = Math.min(0.6 * unit, height * 0.04)
  const left = Math.min(3 * unit, width * 0.05)
  const foot = Math.max(height * 0.06, rule)
  const operators = `${SIGNATURE_COLOUR} RG ${num(rule)} w 0 J ${num(left)} ${num(foot)} m ${num(width - left)} ${num(foot)} l S`
  return { operators, left, bottom: foot + rule, width: width - 2 * left, height: height - foot - rule }
}

/** Drawings and pictures of one PDF under construction. */
export interface SignatureResources {
  /**
   * Operators that show a drawing on its line, as large as a box allows whose lower left corner is
   * the origin. `unit`: a point in units of the box.
   */
  ink(ink: Ink, width: number, height: number, unit: number): string
  /** The same for a picture whose path was named when the book was opened. */
  picture(path: string, width: number, height: number, unit: number): string
  /**
   * The XObject resource dictionary (§7.8.3) all pages share; it stands once `embed` was called.
   */
  resources: PDFRef
  /** Takes in an XObject of others, so that a page can show it too. */
  add(name: string, ref: PDFRef): void
  /** Call once, after the last mark. */
  embed(): void
}

interface Picture {
  name: string
  width: number
  height: number
}

/**
 * A drawing as its pad has it, and with each width of its line that was asked for: of long drawings
 * nothing is computed twice.
 */
interface DrawnInk {
  reach: InkBounds
  forms: Map<number, InkForm>
}

interface InkForm {
  name: string
  ref: PDFRef
  bounds: InkBounds
}

/**
 * Reads and embeds the pictures. @throws Error for one that is no picture `cleanSignature` writes;
 * what the file system says when it cannot be read
 */
export async function openSignatureResources(pdf: PDFDocument, picturePaths: Iterable<string> = []): Promise<SignatureResources> {
  const resources = pdf.context.nextRef()
  const known = new Map<string, PDFRef>()
  const inks = new Map<string, DrawnInk>()
  const pictures = new Map<string, Picture>()
  for (const path of new Set(picturePaths)) {
    const name = `Picture${pictures.size + 1}`
    const { ref, width, height } = await embedPicture(pdf, path)
    known.set(name, ref)
    pictures.set(path, { name, width, height })
  }
  const drawnInk = (ink: Ink): DrawnInk => {
    const key = inkText(ink)
    const drawn = inks.get(key) ?? { reach: inkBounds(inkShapes(ink)), forms: new Map() }
    inks.set(key, drawn)
    return drawn
  }
  const formOf = (ink: Ink, { forms }: DrawnInk, weight: number): InkForm => {
    const form = forms.get(weight) ?? embedInk(pdf, ink, weight)
    forms.set(weight, form)
    known.set(form.name, form.ref)
    return form
  }
  return {
    resources,
    ink(ink, width, height, unit) {
      const line = writingLine(width, height, unit)
      const room = roomAbove(line, unit)
      const drawn = drawnInk(ink)
      const { name, bounds } = formOf(ink, drawn, weightIn(ink, drawn.reach, room, unit))
      const scale = fit(bounds, room)
      const [left, bottom] = [line.left - bounds.left * scale, line.bottom + bounds.bottom * scale]
      // The pad's y runs downwards.
      const show = `q ${num(scale)} 0 0 ${num(-scale)} ${num(left)} ${num(bottom)} cm ${SIGNATURE_COLOUR} rg /${name} Do Q`
      return [line.operators, show].join('\n')
    },
    picture(path, width, height, unit) {
      const picture = pictures.get(path)
      if (!picture) throw new Error(`the picture ${path} was not read`)
      const line = writingLine(width, height, unit)
      const scale = Math.min(fit({ left: 0, top: 0, right: picture.width, bottom: picture.height }, roomAbove(line, unit)), unit)
      const [w, h] = [picture.width * scale, picture.height * scale]
      return [line.operators, `q ${num(w)} 0 0 ${num(h)} ${num(line.left)} ${num(line.bottom)} cm /${picture.name} Do Q`].join(
        '\n',
      )
    },
    add: (name, ref) => known.set(name, ref),
    embed: () => pdf.context.assign(resources, pdf.context.obj(Object.fromEntries(known))),
  }
}

interface Room {
  width: number
  height: number
}

/** A little air above, so that nothing touches the edge of its box. */
function roomAbove({ width, height }: WritingLine, unit: number): Room {
  return { width, height: height - Math.min(unit, height * 0.04) }
}

function fit({ left, top, right, bottom }: InkBounds, { width, height }: Room): number {
  return Math.min(width / (right - left), height / (bottom - top))
}

/**
 * Width of a pen's line on paper, pt, and of the room's height: a large drawing in a small box is
 * not to fade, nor a small one to look written with a brush.
 */
const THINNEST_PT = 1
const THINNEST_SHARE = 0.045
const THICKEST_PT = 2.2

/**
 * How much wider than it suits its pad a drawing's line is, to be as wide as a pen's on paper where
 * it is fitted into the room. `reach`: of the drawing as it suits its pad.
 */
function weightIn(ink: Ink, reach: InkBounds, room: Room, unit: number): number {
  const onPaper = (penWidth(ink) * fit(reach, room)) / unit
  const thinnest = Math.min(THINNEST_PT, (THINNEST_SHARE * room.height) / unit)
  const wanted = Math.min(THICKEST_PT, Math.max(thinnest, onPaper)) / onPaper
  return Math.round(20 * Math.min(4, Math.max(0.25, wanted))) / 20
}

/** Room around the outlines for what the numbers are rounded by, in the pad's units. */
const SLACK = 1

/**
 * A form whose space is the pad's, filled in the colour that is set where it is shown (§8.10.1).
 */
function embedInk(pdf: PDFDocument, ink: Ink, weight: number): InkForm {
  const shapes = inkShapes(ink, weight)
  const bounds = inkBounds(shapes)
  const { left, top, right, bottom } = bounds
  const content = Buffer.concat([...shapes.map(outlineOf), Buffer.from('f', 'latin1')])
  const entries = {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [left - SLACK, top - SLACK, right + SLACK, bottom + SLACK],
    Resources: {},
    Filter: 'FlateDecode',
  }
  const ref = pdf.context.register(pdf.context.stream(deflateSync(content), entries))
  return { name: `Ink${ref.objectNumber}`, ref, bounds }
}

/**
 * Path construction operators (§8.5.2), as bytes at once: of a long drawing they are many
 * megabytes.
 */
function outlineOf(shape: InkShape): Buffer {
  let text = ''
  for (const [letter, ...to] of shape) {
    for (const value of to) text += `${Math.round(value * 100) / 100} `
    text += `${letter.toLowerCase()}\n`
  }
  return Buffer.from(`${text}h\n`, 'latin1')
}

async function embedPicture(pdf: PDFDocument, path: string): Promise<{ ref: PDFRef; width: number; height: number }> {
  const samples = await readPng(readFileSync(path), MAX_WIDTH)
  if (samples?.channels !== 3 || samples.alpha === undefined) throw new Error(`the picture ${path} is none of a signature`)
  const { width, height, alpha } = samples
  const { colour } = fillHiddenColours({ width, height, alpha, colour: samples.colour })
  const size = { Type: 'XObject', Subtype: 'Image', Width: width, Height: height, BitsPerComponent: 8, Filter: 'FlateDecode' }
  const mask = pdf.context.register(pdf.context.stream(deflateSync(alpha), { ...size, ColorSpace: 'DeviceGray' }))
  const ref = pdf.context.register(pdf.context.stream(deflateSync(colour), { ...size, ColorSpace: 'DeviceRGB', SMask: mask }))
  return { ref, width, height }
}
