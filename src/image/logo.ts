/** Embeds the organisation's logo, ISO 32000-2 §8.9.5. An invalid logo never blocks a seal. */
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
/** Resolution of paper. A PNG with at least twice as many pixels is averaged down. */
const PIXELS_PER_POINT = 5

/** An image ready to be embedded. */
interface XObjectImage {
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

/** Valid while the file is unchanged. Reading a large logo takes a second. */
let cached: { file: string; image: XObjectImage | undefined } | undefined

/** Embeds the file once. Undefined unless it is a valid PNG or JPEG within the limits. */
export async function embedLogo(pdf: PDFDocument, path: string): Promise<Logo | undefined> {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > MAX_LOGO_BYTES) return undefined
  const file = `${path} ${stat.ino} ${stat.size} ${stat.mtimeMs}`
  if (cached?.file !== file) {
    const bytes = readIfPossible(path)
    cached = { file, image: bytes && (await decode(bytes)) }
  }
  const { image } = cached
  return image && embed(pdf, image)
}

/** By the rules of embedding. @throws the system's error when it cannot be read */
export async function checkLogo({ path }: LogoRequest): Promise<LogoVerdict> {
  const bytes = readFileSync(path)
  if (!isJpeg(bytes) && !isPng(bytes)) return { verdict: 'no picture' }
  const size = isJpeg(bytes) ? readFrameHeader(bytes) : pngSize(bytes)
  if (size && (size.width > MAX_LOGO_SIDE || size.height > MAX_LOGO_SIDE)) return { verdict: 'too many pixels' }
  return { verdict: (await decode(bytes)) ? 'accepted' : 'unreadable' }
}

async function decode(bytes: Buffer): Promise<XObjectImage | undefined> {
  if (isJpeg(bytes)) return jpegImage(bytes)
  const samples = await readPng(bytes, MAX_LOGO_SIDE, shrinkFactor)
  return samples && flateImage(samples)
}

function shrinkFactor(width: number, height: number): number {
  const pixelsPerPoint = Math.max(width / LOGO_BOX.width, height / LOGO_BOX.height)
  return Math.max(1, Math.floor(pixelsPerPoint / PIXELS_PER_POINT))
}

function embed(pdf: PDFDocument, { width, height, data, entries, alpha }: XObjectImage): Logo {
  const size = { Type: 'XObject', Subtype: 'Image', Width: width, Height: height, BitsPerComponent: 8 }
  const grey = { ...size, ColorSpace: 'DeviceGray', Filter: 'FlateDecode' }
  const mask = alpha ? { SMask: pdf.context.register(pdf.context.stream(alpha, grey)) } : {}
  const ref = pdf.context.register(pdf.context.stream(data, { ...size, ...entries, ...mask }))
  return { ref, width, height }
}

function readIfPossible(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

const COLOUR_SPACES: Record<number, string> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }

function flateImage({ width, height, channels, colour, alpha }: Samples): XObjectImage {
  const entries = { ColorSpace: COLOUR_SPACES[channels]!, Filter: 'FlateDecode' }
  return { width, height, data: deflateSync(colour), entries, alpha: alpha && deflateSync(alpha) }
}

function isJpeg(bytes: Buffer): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8
}

function jpegImage(bytes: Buffer): XObjectImage | undefined {
  const header = readFrameHeader(bytes)
  if (header === undefined) return undefined
  const { width, height, components, isAdobe } = header
  const space = COLOUR_SPACES[components]
  const isWithinLimits = width > 0 && height > 0 && width <= MAX_LOGO_SIDE && height <= MAX_LOGO_SIDE
  if (space === undefined || !isWithinLimits) return undefined
  // Adobe's programs store CMYK inverted; others that do so write Adobe's marker too.
  const inverted = components === 4 && isAdobe ? { Decode: [1, 0, 1, 0, 1, 0, 1, 0] } : {}
  return { width, height, data: bytes, entries: { ColorSpace: space, Filter: 'DCTDecode', ...inverted }, alpha: undefined }
}

interface FrameHeader {
  width: number
  height: number
  components: number
  isAdobe: boolean
}

/** Frames that DCTDecode takes: baseline, extended sequential, progressive. ITU-T T.81 table B.1 */
const FRAME_MARKERS: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])
const START_OF_SCAN = 0xda
const ADOBE = 0xee
const END_OF_IMAGE = Buffer.of(0xff, 0xd9)

/** The frame header of a complete JPEG with 8 bits a sample. ITU-T T.81 annex B.1.1, B.2.2 */
function readFrameHeader(bytes: Buffer): FrameHeader | undefined {
  if (!bytes.includes(END_OF_IMAGE)) return undefined
  let isAdobe = false
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      // A fill byte.
      at++
      continue
    }
    if (FRAME_MARKERS.has(marker)) return frameHeaderAt(bytes, at, isAdobe)
    if (marker === START_OF_SCAN) return undefined
    isAdobe ||= marker === ADOBE && bytes.toString('latin1', at + 4, at + 9) === 'Adobe'
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function frameHeaderAt(bytes: Buffer, at: number, isAdobe: boolean): FrameHeader | undefined {
  if (bytes[at + 4] !== 8) return undefined
  return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7), components: bytes[at + 9]!, isAdobe }
}
