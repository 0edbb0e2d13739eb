/**
 * The organisation's logo as an image XObject (ISO 32000-2 §8.9.5): a JPEG as it is, a PNG made small enough for paper. A logo is an ornament: one that
 * cannot be read, is too large or is broken is left out, for no document may stay unsealed because of it.
 */
import { readFileSync, statSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import type { PDFDocument, PDFRef } from 'pdf-lib'
import { MAX_LOGO_BYTES, MAX_LOGO_SIDE } from './logo-limits.ts'
import { isPng, pngSize, readPng, type Samples } from './png-read.ts'

export interface LogoRequest {
  path: string
}

/** Whether a picture can be the organisation's logo. */
export interface LogoVerdict {
  verdict: 'accepted' | 'no picture' | 'too many pixels' | 'unreadable'
}

/** The box a logo is shown in, pt. */
export const LOGO_BOX = { width: 160, height: 40 }
/** Pixels a point that paper can show; of a PNG with twice as many, and more, whole squares are averaged. */
const PIXELS_A_POINT = 5

/** A picture ready to be embedded. */
interface Picture {
  width: number
  height: number
  data: Uint8Array
  /** Entries of its stream dictionary besides type and size. */
  entries: Record<string, string | number | number[]>
  alpha: Uint8Array | undefined
}

export interface Logo {
  ref: PDFRef
  /** pixels */
  width: number
  height: number
}

/** The last logo that was asked for, kept while its file is the same: there is one an instance, and reading a large one takes a second. */
let known: { file: string; picture: Picture | undefined } | undefined

/** Embeds the file once; undefined when it is no sound PNG or JPEG within the limits. */
export async function embedLogo(pdf: PDFDocument, path: string): Promise<Logo | undefined> {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > MAX_LOGO_BYTES) return undefined
  const file = `${path} ${stat.ino} ${stat.size} ${stat.mtimeMs}`
  if (known?.file !== file) known = { file, picture: await pictureOf(path) }
  const { picture } = known
  return picture && embed(pdf, picture)
}

/** Whether the file can be a logo; read by the same rules as when it is embedded. @throws the system's error when it cannot be read */
export async function checkLogo({ path }: LogoRequest): Promise<LogoVerdict> {
  const bytes = readFileSync(path)
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8
  if (!isJpeg && !isPng(bytes)) return { verdict: 'no picture' }
  const size = isJpeg ? frameOf(bytes) : pngSize(bytes)
  if (size && (size.width > MAX_LOGO_SIDE || size.height > MAX_LOGO_SIDE)) return { verdict: 'too many pixels' }
  return { verdict: (await pictureOf(path)) ? 'accepted' : 'unreadable' }
}

async function pictureOf(path: string): Promise<Picture | undefined> {
  const bytes = bytesOf(path)
  if (bytes === undefined) return undefined
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpegPicture(bytes)
  const samples = await readPng(bytes, MAX_LOGO_SIDE, shrinkOf)
  return samples && plainPicture(samples)
}

function shrinkOf(width: number, height: number): number {
  const pixelsAPoint = Math.max(width / LOGO_BOX.width, height / LOGO_BOX.height)
  return Math.max(1, Math.floor(pixelsAPoint / PIXELS_A_POINT))
}

function embed(pdf: PDFDocument, { width, height, data, entries, alpha }: Picture): Logo {
  const size = { Type: 'XObject', Subtype: 'Image', Width: width, Height: height, BitsPerComponent: 8 }
  const grey = { ...size, ColorSpace: 'DeviceGray', Filter: 'FlateDecode' }
  const mask = alpha ? { SMask: pdf.context.register(pdf.context.stream(alpha, grey)) } : {}
  const ref = pdf.context.register(pdf.context.stream(data, { ...size, ...entries, ...mask }))
  return { ref, width, height }
}

/** Undefined for what cannot be opened. */
function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function fits(width: number, height: number): boolean {
  return width > 0 && height > 0 && width <= MAX_LOGO_SIDE && height <= MAX_LOGO_SIDE
}

const COLOUR_SPACES: Record<number, string> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }

function jpegPicture(bytes: Buffer): Picture | undefined {
  const frame = frameOf(bytes)
  const space = frame && COLOUR_SPACES[frame.components]
  if (frame === undefined || space === undefined || !fits(frame.width, frame.height)) return undefined
  const { width, height, components, byAdobe } = frame
  // Adobe's programs store CMYK inverted, and others that do so mark it as theirs.
  const inverted = components === 4 && byAdobe ? { Decode: [1, 0, 1, 0, 1, 0, 1, 0] } : {}
  return { width, height, data: bytes, entries: { ColorSpace: space, Filter: 'DCTDecode', ...inverted }, alpha: undefined }
}

function plainPicture({ width, height, channels, colour, alpha }: Samples): Picture {
  const entries = { ColorSpace: COLOUR_SPACES[channels]!, Filter: 'FlateDecode' }
  return { width, height, data: deflateSync(colour), entries, alpha: alpha && deflateSync(alpha) }
}

interface Frame {
  width: number
  height: number
  components: number
  byAdobe: boolean
}

/** Start of frame and end of image of a whole baseline, extended or progressive JPEG with 8 bits a sample. ITU-T T.81 annex B.1.1.3, B.2.2. */
function frameOf(bytes: Buffer): Frame | undefined {
  if (bytes.lastIndexOf(Buffer.of(0xff, 0xd9)) === -1) return undefined
  let byAdobe = false
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === 0xda) return undefined
    if (marker >= 0xc0 && marker <= 0xc2) {
      if (bytes[at + 4] !== 8) return undefined
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7), components: bytes[at + 9]!, byAdobe }
    }
    if (marker === 0xee && bytes.toString('latin1', at + 4, at + 9) === 'Adobe') byAdobe = true
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
