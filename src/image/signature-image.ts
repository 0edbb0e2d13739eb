/** Turns an uploaded photo of a signature into its ink alone. Runs in a child process. */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS } from '../core/signing/signature-mark.ts'
import { writeSynced } from '../lib/disk.ts'
import { THIS_FILE_SYSTEM } from '../lib/this-file-system.ts'
import { extractInk } from './background-removal.ts'
import { isPng, pngSize, readPng, type Samples } from './png-read.ts'
import { type RgbaImage, writePng } from './png-write.ts'
import { averageColours, crop, fillHiddenColours, type PixelArea, scaleDown } from './resize.ts'

export interface SignatureImageRequest {
  path: string
  outPath: string
}

/** Why a picture is refused: the code of the error. */
export type SignatureImageErrorCode = 'not_a_picture' | 'too_large' | 'no_ink'

/** The ink of a picture: a PNG with 8 bits of red, green, blue and alpha, without metadata. */
export interface SignatureImage {
  path: string
  sha256: string
  bytes: number
  /** pixels */
  width: number
  height: number
}

/** Of the result, pixels. */
export const MAX_WIDTH = 1200
export const MAX_HEIGHT = 600
/** Sides of an upload, pixels. */
const MAX_SIDE = 30_000
const MIN_SIDE = 8
/** Larger pictures are scaled down before the ink is searched: no pen draws finer lines. */
const WORKING_PIXELS = 2_500_000

/** The picture is refused. The message is a sentence that names the remedy. */
class SignatureImageError extends Error {
  override name = 'SignatureImageError'
  constructor(
    readonly code: SignatureImageErrorCode,
    message: string,
  ) {
    super(message)
  }
}

const notAPicture = () =>
  new SignatureImageError(
    'not_a_picture',
    'This file cannot be read as a PNG picture; choose a PNG file, or take a screenshot of the picture.',
  )
const noInk = () =>
  new SignatureImageError(
    'no_ink',
    'No signature was found in this picture; write with a dark pen on white paper and take the photo closer.',
  )

/** Writes the ink as PNG. @throws SignatureImageError; the system's error for a path */
export async function cleanSignature({ path, outPath }: SignatureImageRequest): Promise<SignatureImage> {
  const samples = await readSamples(path)
  const ink = findInk(samples)
  const area = ink && areaOf(ink.image)
  if (!ink || !area) throw noInk()
  const image = scaleDown(ink.bleed(crop(ink.image, area)), MAX_WIDTH, MAX_HEIGHT)
  const bytes = writePng(image)
  await writeSynced(THIS_FILE_SYSTEM, outPath, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { path: outPath, sha256, bytes: bytes.length, width: image.width, height: image.height }
}

/** The ink, and how its colour bleeds into the pixels around it. */
function findInk(samples: Samples): { image: RgbaImage; bleed: (image: RgbaImage) => RgbaImage } | undefined {
  const { width, height, alpha } = samples
  if (alpha && !hasBackground(samples, alpha)) {
    return { image: { width, height, colour: rgbOf(samples), alpha }, bleed: fillHiddenColours }
  }
  const image = extractInk(onWhite(samples))
  return image && { image, bleed: averageColours }
}

/** Bytes and pixels are checked before anything is decompressed. @throws SignatureImageError */
async function readSamples(path: string): Promise<Samples> {
  if ((await stat(path)).size > MAX_PICTURE_BYTES) {
    throw new SignatureImageError('too_large', 'This picture has more than 5 MB; choose a smaller one.')
  }
  const bytes = await readFile(path)
  const size = isPng(bytes) ? pngSize(bytes) : undefined
  if (size === undefined || size.width < MIN_SIDE || size.height < MIN_SIDE) throw notAPicture()
  if (size.width * size.height > MAX_PICTURE_PIXELS || Math.max(size.width, size.height) > MAX_SIDE) {
    const message = `This picture measures ${size.width} × ${size.height} pixels; choose one of at most ${MAX_PICTURE_PIXELS / 1_000_000} megapixels.`
    throw new SignatureImageError('too_large', message)
  }
  const samples = await readPng(bytes, MAX_SIDE, shrinkFactor)
  if (samples === undefined) throw notAPicture()
  return samples
}

function shrinkFactor(width: number, height: number): number {
  return Math.max(1, Math.ceil(Math.sqrt((width * height) / WORKING_PIXELS)))
}

/** Bounds for a picture without background; else it is a paper with transparent edges. */
const MIN_TRANSPARENT = 0.25
const MAX_TONE = 200

function hasBackground({ colour, channels }: Samples, alpha: Uint8Array): boolean {
  let [transparent, opacity, tone] = [0, 0, 0]
  alpha.forEach((value, i) => {
    if (value < 16) transparent++
    opacity += value
    tone += value * colour[i * channels + (channels === 3 ? 1 : 0)]!
  })
  return transparent < MIN_TRANSPARENT * alpha.length || tone > MAX_TONE * opacity
}

function rgbOf({ colour, channels }: Samples): Uint8Array {
  return channels === 3 ? colour : Uint8Array.from({ length: colour.length * 3 }, (_, i) => colour[Math.floor(i / 3)]!)
}

function onWhite(samples: Samples): { width: number; height: number; colour: Uint8Array } {
  const { width, height, alpha } = samples
  const colour = rgbOf(samples)
  if (alpha) for (let i = 0; i < colour.length; i++) colour[i] = 255 - ((255 - colour[i]!) * alpha[Math.floor(i / 3)]!) / 255
  return { width, height, colour }
}

/** The least visible opacity, and the margin around ink as a share of its longer side. */
const MIN_VISIBLE = 24
const MARGIN = 0.015

/** The visible area with a margin; undefined if it is too small for a mark. */
function areaOf({ width, height, alpha }: RgbaImage): PixelArea | undefined {
  let [left, top, right, bottom] = [width, height, 0, 0]
  alpha.forEach((value, i) => {
    if (value < MIN_VISIBLE) return
    const [x, y] = [i % width, Math.floor(i / width)]
    left = Math.min(left, x)
    right = Math.max(right, x + 1)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y + 1)
  })
  const longerSide = Math.max(right - left, bottom - top)
  if (longerSide < MIN_SIDE) return undefined
  const margin = Math.ceil(MARGIN * longerSide) + 1
  return {
    left: Math.max(0, left - margin),
    top: Math.max(0, top - margin),
    right: Math.min(width, right + margin),
    bottom: Math.min(height, bottom + margin),
  }
}
