/**
 * A picture of a signature, uploaded by anyone, made into what can be stamped: its ink alone, on nothing. Runs in a child process. Bounded in bytes and
 * pixels before anything is unpacked; of the upload's own bytes nothing is taken over.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS } from '../core/signature-mark.ts'
import { writeSynced } from '../lib/disk.ts'
import { extractInk } from './background-removal.ts'
import { averageColours, fillHiddenColours } from './colour-bleed.ts'
import { isPng, pngSize, readPng, type Samples } from './png-read.ts'
import { type RgbaImage, writePng } from './png-write.ts'
import { crop, scaleDown } from './resize.ts'

/** An uploaded photo or scan of a signature, PNG. */
export interface SignatureImageRequest {
  path: string
  /** Where the ink alone is written, as PNG. */
  outPath: string
}

/** Why a picture is not taken: the code of the error. Its message says what to do. */
export type SignatureImageErrorCode = 'not_a_picture' | 'too_large' | 'no_ink'

/** The ink of a picture: a PNG of 8 bits, red, green, blue and alpha, and nothing else of what the picture held. */
export interface SignatureImage {
  path: string
  sha256: string
  bytes: number
  /** pixels */
  width: number
  height: number
}

/** Of what is written, pixels. */
export const MAX_WIDTH = 1200
export const MAX_HEIGHT = 600
/** Sides of an upload, pixels. */
const MOST_SIDE = 30_000
const LEAST_SIDE = 8
/** In which ink is looked for: finer than this no pen draws. */
const WORKING_PIXELS = 2_500_000

/** A picture that is not taken. The message is a whole sentence with what to do. */
class Refusal extends Error {
  override name = 'Refusal'
  constructor(
    readonly code: SignatureImageErrorCode,
    message: string,
  ) {
    super(message)
  }
}

const notAPicture = () =>
  new Refusal(
    'not_a_picture',
    'This file cannot be read as a PNG picture; choose a PNG file, or take a screenshot of the picture.',
  )
const noInk = () =>
  new Refusal(
    'no_ink',
    'No signature can be told from the ground of this picture; write with a dark pen on white paper and take it closer.',
  )

/**
 * Writes the ink of the picture at `path` to `outPath`, as PNG.
 * @throws an error whose code is a `SignatureImageErrorCode` for what is not taken; what the file system says when a path cannot be read or written
 */
export async function cleanSignature({ path, outPath }: SignatureImageRequest): Promise<SignatureImage> {
  const samples = await samplesOf(path)
  const ink = inkOf(samples)
  const area = ink && inkArea(ink.picture)
  if (!ink || !area) throw noInk()
  const picture = scaleDown(ink.spread(crop(ink.picture, area)), MAX_WIDTH, MAX_HEIGHT)
  const bytes = writePng(picture)
  await writeSynced(outPath, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { path: outPath, sha256, bytes: bytes.length, width: picture.width, height: picture.height }
}

/** The ink with its ground, and how its colour is to be spread there. */
function inkOf(samples: Samples): { picture: RgbaImage; spread: (picture: RgbaImage) => RgbaImage } | undefined {
  const { width, height, alpha } = samples
  if (alpha && !hasOwnGround(samples, alpha)) {
    return { picture: { width, height, colour: coloursOf(samples), alpha }, spread: fillHiddenColours }
  }
  const picture = extractInk(onWhite(samples))
  return picture && { picture, spread: averageColours }
}

async function samplesOf(path: string): Promise<Samples> {
  if ((await stat(path)).size > MAX_PICTURE_BYTES)
    throw new Refusal('too_large', 'This picture has more than 5 MB; choose a smaller one.')
  const bytes = await readFile(path)
  const size = isPng(bytes) ? pngSize(bytes) : undefined
  if (size === undefined || size.width < LEAST_SIDE || size.height < LEAST_SIDE) throw notAPicture()
  if (size.width * size.height > MAX_PICTURE_PIXELS || Math.max(size.width, size.height) > MOST_SIDE) {
    const message = `This picture measures ${size.width} × ${size.height} pixels; choose one of at most ${MAX_PICTURE_PIXELS / 1_000_000} megapixels.`
    throw new Refusal('too_large', message)
  }
  const samples = await readPng(bytes, MOST_SIDE, shrinkOf)
  if (samples === undefined) throw notAPicture()
  return samples
}

/** How many pixels a side become one. */
function shrinkOf(width: number, height: number): number {
  return Math.max(1, Math.ceil(Math.sqrt((width * height) / WORKING_PIXELS)))
}

/** Of all pixels, when the ground was taken away already; and how bright what is left is then at most: else it is a paper with an edge. */
const LEAST_CLEAR = 0.25
const MOST_TONE = 200

/** Whether there is a ground to be taken away. */
function hasOwnGround({ colour, channels }: Samples, alpha: Uint8Array): boolean {
  let [clear, seen, tone] = [0, 0, 0]
  alpha.forEach((value, i) => {
    if (value < 16) clear++
    seen += value
    tone += value * colour[i * channels + (channels === 3 ? 1 : 0)]!
  })
  return clear < LEAST_CLEAR * alpha.length || tone > MOST_TONE * seen
}

/** Red, green, blue of each pixel. */
function coloursOf({ colour, channels }: Samples): Uint8Array {
  return channels === 3 ? colour : Uint8Array.from({ length: colour.length * 3 }, (_, i) => colour[Math.floor(i / 3)]!)
}

function onWhite(samples: Samples): { width: number; height: number; colour: Uint8Array } {
  const { width, height, alpha } = samples
  const colour = coloursOf(samples)
  if (alpha) for (let i = 0; i < colour.length; i++) colour[i] = 255 - ((255 - colour[i]!) * alpha[Math.floor(i / 3)]!) / 255
  return { width, height, colour }
}

/** Of opacity, what is seen; and of the picture's longer side, what is left around the ink. */
const SEEN = 24
const MARGIN = 0.015

function inkArea({ width, height, alpha }: RgbaImage) {
  let [left, top, right, bottom] = [width, height, 0, 0]
  alpha.forEach((value, i) => {
    if (value < SEEN) return
    const [x, y] = [i % width, Math.floor(i / width)]
    left = Math.min(left, x)
    right = Math.max(right, x + 1)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y + 1)
  })
  if (Math.max(right - left, bottom - top) < LEAST_SIDE) return undefined
  const margin = Math.ceil(MARGIN * Math.max(right - left, bottom - top)) + 1
  return {
    left: Math.max(0, left - margin),
    top: Math.max(0, top - margin),
    right: Math.min(width, right + margin),
    bottom: Math.min(height, bottom + margin),
  }
}
