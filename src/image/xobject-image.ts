/** Embeds PNG and JPEG pictures in a PDF and draws them upright. ISO 32000-2 §8.9.5. */
import { deflateSync } from 'node:zlib'
import type { PDFDocument, PDFRef } from 'pdf-lib'
import { num } from '../text/pdf-fonts.ts'
import { isJpeg, readJpeg } from './jpeg.ts'
import { readPng, type Samples } from './png-read.ts'

/** An image ready to be embedded. */
export interface XObjectImage {
  /** Stored pixels. */
  width: number
  height: number
  data: Uint8Array
  /** Entries of its stream dictionary besides type and size. */
  entries: Record<string, string | number | number[]>
  alpha: Uint8Array | undefined
  /** As in Exif: 1 is upright. */
  orientation: number
}

export interface EmbeddedImage {
  ref: PDFRef
  /** Stored pixels. */
  width: number
  height: number
  orientation: number
}

/** How many pixels a side of a PNG are averaged into one. */
export type ShrinkFactor = (width: number, height: number) => number

const COLOUR_SPACES = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' } as const

/** Undefined unless it is a valid PNG or JPEG with sides up to `maxSide`. */
export async function readImage(bytes: Buffer, maxSide: number, shrink?: ShrinkFactor): Promise<XObjectImage | undefined> {
  if (isJpeg(bytes)) return jpegImage(bytes, maxSide)
  const samples = await readPng(bytes, maxSide, shrink)
  return samples && flateImage(samples)
}

export function embedImage(pdf: PDFDocument, image: XObjectImage): EmbeddedImage {
  const { width, height, data, entries, alpha, orientation } = image
  const size = { Type: 'XObject', Subtype: 'Image', Width: width, Height: height, BitsPerComponent: 8 }
  const grey = { ...size, ColorSpace: 'DeviceGray', Filter: 'FlateDecode' }
  const mask = alpha ? { SMask: pdf.context.register(pdf.context.stream(alpha, grey)) } : {}
  const ref = pdf.context.register(pdf.context.stream(data, { ...size, ...entries, ...mask }))
  return { ref, width, height, orientation }
}

function flateImage({ width, height, channels, colour, alpha }: Samples): XObjectImage {
  const entries = { ColorSpace: COLOUR_SPACES[channels], Filter: 'FlateDecode' }
  const isOpaque = alpha?.every(value => value === 255) ?? true
  return { width, height, data: deflateSync(colour), entries, alpha: isOpaque ? undefined : deflateSync(alpha!), orientation: 1 }
}

function jpegImage(bytes: Buffer, maxSide: number): XObjectImage | undefined {
  const facts = readJpeg(bytes)
  if (facts === undefined || facts.width > maxSide || facts.height > maxSide) return undefined
  const { width, height, components, isAdobe, orientation } = facts
  const inverted = components === 4 && isAdobe ? { Decode: [1, 0, 1, 0, 1, 0, 1, 0] } : {}
  const entries = { ColorSpace: COLOUR_SPACES[components], Filter: 'DCTDecode', ...inverted }
  return { width, height, data: bytes, entries, alpha: undefined, orientation }
}

/** Left, bottom, width and height. */
export interface ImageBox {
  left: number
  bottom: number
  width: number
  height: number
}

/** Width and height as shown, in pixels. */
export function uprightSize({ width, height, orientation }: Omit<EmbeddedImage, 'ref'>): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

/** Fills the box. An image is the unit square, its first row at the top (§8.9.5.1). */
export function drawImage(name: string, { orientation }: Pick<EmbeddedImage, 'orientation'>, box: ImageBox): string {
  const { left, bottom, width: w, height: h } = box
  const [right, top] = [left + w, bottom + h]
  const matrices = [
    [w, 0, 0, h, left, bottom],
    [-w, 0, 0, h, right, bottom],
    [-w, 0, 0, -h, right, top],
    [w, 0, 0, -h, left, top],
    [0, -h, -w, 0, right, top],
    [0, -h, w, 0, left, top],
    [0, h, w, 0, left, bottom],
    [0, h, -w, 0, right, bottom],
  ]
  const matrix = matrices[orientation - 1] ?? matrices[0]!
  return `q ${matrix.map(num).join(' ')} cm /${name} Do Q`
}
