/** Embeds the organisation's logo. An invalid logo never blocks a seal. */
import { readFileSync, statSync } from 'node:fs'
import type { PDFDocument } from 'pdf-lib'
import { MAX_LOGO_BYTES, MAX_LOGO_SIDE } from '../core/service-limits.ts'
import { isJpeg, readJpeg } from './jpeg.ts'
import { isPng, pngSize } from './png-read.ts'
import { type EmbeddedImage, embedImage, readImage, type XObjectImage } from './xobject-image.ts'

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

/** Valid while the file is unchanged. Reading a large logo takes a second. */
let cached: { file: string; image: XObjectImage | undefined } | undefined

/** Embeds the file once. Undefined unless it is a valid PNG or JPEG within the limits. */
export async function embedLogo(pdf: PDFDocument, path: string): Promise<EmbeddedImage | undefined> {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > MAX_LOGO_BYTES) return undefined
  const file = `${path} ${stat.ino} ${stat.size} ${stat.mtimeMs}`
  if (cached?.file !== file) {
    const bytes = readIfPossible(path)
    cached = { file, image: bytes && (await readImage(bytes, MAX_LOGO_SIDE, shrinkFactor)) }
  }
  const { image } = cached
  return image && embedImage(pdf, image)
}

/** By the rules of embedding. @throws the system's error when it cannot be read */
export async function checkLogo({ path }: LogoRequest): Promise<LogoVerdict> {
  const bytes = readFileSync(path)
  if (!isJpeg(bytes) && !isPng(bytes)) return { verdict: 'no picture' }
  const size = isJpeg(bytes) ? readJpeg(bytes) : pngSize(bytes)
  if (size && (size.width > MAX_LOGO_SIDE || size.height > MAX_LOGO_SIDE)) return { verdict: 'too many pixels' }
  return { verdict: (await readImage(bytes, MAX_LOGO_SIDE, shrinkFactor)) ? 'accepted' : 'unreadable' }
}

function shrinkFactor(width: number, height: number): number {
  const pixelsPerPoint = Math.max(width / LOGO_BOX.width, height / LOGO_BOX.height)
  return Math.max(1, Math.floor(pixelsPerPoint / PIXELS_PER_POINT))
}

function readIfPossible(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
