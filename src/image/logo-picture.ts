/** The organisation's logo as e-mails carry it: small. Run it in a child process only. */
import { readFile, writeFile } from 'node:fs/promises'
import { MAX_LOGO_SIDE } from '../core/service-limits.ts'
import { isJpeg, type JpegFacts, readJpeg } from './jpeg.ts'
import { pngSize, readPng } from './png-read.ts'
import { type RgbaImage, rgbaOf, writePng } from './png-write.ts'
import { scaleDown } from './resize.ts'
import { uprightSize } from './xobject-image.ts'

export interface LogoPictureRequest {
  path: string
  /** Must not exist. */
  outPath: string
}

export interface LogoPicture {
  /** As shown, px. */
  width: number
  height: number
}

/** px, the largest size as shown. */
const BOX = { width: 200, height: 48 }
/** Pixels of screens of phones for each px. */
const DENSITY = 2
const PIXELS = { width: BOX.width * DENSITY, height: BOX.height * DENSITY }

/** Writes a PNG. Null if no e-mail can carry the picture. @throws the system's error for a path */
export async function shrinkLogo({ path, outPath }: LogoPictureRequest): Promise<LogoPicture | null> {
  const bytes = await readFile(path)
  const picture = await (isJpeg(bytes) ? readJpegPicture(bytes) : readPngPicture(bytes))
  if (picture === undefined) return null
  await writeFile(outPath, writePng(picture.image), { flag: 'wx', mode: 0o600 })
  return shownSize(picture)
}

/** As shown, px, and the pixels to show, upright. */
interface Upright {
  width: number
  height: number
  image: RgbaImage
}

async function readJpegPicture(bytes: Buffer): Promise<Upright | undefined> {
  const facts = readJpeg(bytes)
  if (facts === undefined || Math.max(facts.width, facts.height) > MAX_LOGO_SIDE) return undefined
  const stored = await decodeJpeg(bytes, facts)
  if (stored === undefined) return undefined
  const { width, height } = uprightSize(facts)
  const isTurned = facts.orientation >= 5
  const [maxWidth, maxHeight] = isTurned ? [PIXELS.height, PIXELS.width] : [PIXELS.width, PIXELS.height]
  return { width, height, image: turnUpright(scaleDown(stored, maxWidth, maxHeight), facts.orientation) }
}

async function readPngPicture(bytes: Buffer): Promise<Upright | undefined> {
  const size = pngSize(bytes)
  const samples = await readPng(bytes, MAX_LOGO_SIDE, (width, height) =>
    Math.max(1, Math.floor(Math.max(width / PIXELS.width, height / PIXELS.height))),
  )
  return size && samples && { ...size, image: scaleDown(rgbaOf(samples), PIXELS.width, PIXELS.height) }
}

function shownSize({ width, height }: Upright): LogoPicture {
  const factor = Math.max(width / BOX.width, height / BOX.height, 1)
  return { width: Math.max(1, Math.round(width / factor)), height: Math.max(1, Math.round(height / factor)) }
}

// Decodes a JPEG by pdf.js into upright pixels. Run it in a child process only.

/** Keeps CMYK as stored: pdf.js would invert it, as Adobe's programs do. */
const AS_STORED = [256, 0, 256, 0, 256, 0, 256, 0]

/** The pixels as stored, not yet upright. Undefined if pdf.js cannot decode it. */
export async function decodeJpeg(bytes: Uint8Array, { components, isAdobe }: JpegFacts): Promise<RgbaImage | undefined> {
  const { JpegImage, setVerbosityLevel } = await import('pdfjs-dist/image_decoders/pdf.image_decoders.min.mjs')
  setVerbosityLevel(0)
  const jpeg = new JpegImage(components === 4 && !isAdobe ? { decodeTransform: AS_STORED } : undefined)
  try {
    jpeg.parse(bytes)
    const { width, height } = jpeg
    const colour = new Uint8Array(jpeg.getData({ width, height, forceRGB: true }).buffer)
    return { width, height, colour, alpha: new Uint8Array(width * height).fill(255) }
  } catch {
    return undefined
  }
}

/** Where a pixel of the upright picture is stored. `w`, `h`: the last stored column and row. */
const STORED_AT: readonly ((x: number, y: number, w: number, h: number) => [number, number])[] = [
  (x, y) => [x, y],
  (x, y, w) => [w - x, y],
  (x, y, w, h) => [w - x, h - y],
  (x, y, _, h) => [x, h - y],
  (x, y) => [y, x],
  (x, y, _, h) => [y, h - x],
  (x, y, w, h) => [w - y, h - x],
  (x, y, w) => [w - y, x],
]

/** `orientation`: Exif 3.0 §4.6.5.1. */
export function turnUpright(image: RgbaImage, orientation: number): RgbaImage {
  const storedAt = STORED_AT[orientation - 1]
  if (orientation === 1 || storedAt === undefined) return image
  const [width, height] = orientation >= 5 ? [image.height, image.width] : [image.width, image.height]
  const result: RgbaImage = {
    width,
    height,
    colour: new Uint8Array(image.colour.length),
    alpha: new Uint8Array(image.alpha.length),
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [column, row] = storedAt(x, y, image.width - 1, image.height - 1)
      const [from, to] = [row * image.width + column, y * width + x]
      result.alpha[to] = image.alpha[from]!
      result.colour.set(image.colour.subarray(from * 3, from * 3 + 3), to * 3)
    }
  }
  return result
}
