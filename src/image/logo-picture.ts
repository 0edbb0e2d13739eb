/** The organisation's logo as e-mails carry it: small. Run it in a child process only. */
import { readFile, writeFile } from 'node:fs/promises'
import { isJpeg, readJpeg } from './jpeg.ts'
import { decodeJpeg, turnUpright } from './jpeg-pixels.ts'
import { MAX_LOGO_SIDE } from './logo-limits.ts'
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
