/** The organisation's logo as e-mails carry it: small. Run it in a child process only. */
import { readFile, writeFile } from 'node:fs/promises'
import { isJpeg, readJpeg, withoutMetadata } from './jpeg.ts'
import { MAX_LOGO_SIDE } from './logo-limits.ts'
import { pngSize, readPng } from './png-read.ts'
import { rgbaOf, writePng } from './png-write.ts'
import { scaleDown } from './resize.ts'
import { uprightSize } from './xobject-image.ts'

export interface LogoPictureRequest {
  path: string
  /** Must not exist. */
  outPath: string
}

export interface LogoPicture {
  contentType: 'image/png' | 'image/jpeg'
  /** As shown, px. */
  width: number
  height: number
}

/** px, the largest size as shown. */
const BOX = { width: 200, height: 48 }
/** Pixels of screens of phones for each px. */
const DENSITY = 2
/** A JPEG is not decoded here, so it is sent as it is, or not at all. */
const MAX_JPEG_BYTES = 200_000

/** Returns null for a picture that no e-mail can carry. @throws the system's error for a path */
export async function shrinkLogo({ path, outPath }: LogoPictureRequest): Promise<LogoPicture | null> {
  const bytes = await readFile(path)
  const picture = isJpeg(bytes) ? jpegPicture(bytes) : await pngPicture(bytes)
  if (picture === undefined) return null
  const { content, ...shown } = picture
  await writeFile(outPath, content, { flag: 'wx', mode: 0o600 })
  return shown
}

type Picture = LogoPicture & { content: Uint8Array }

function jpegPicture(bytes: Buffer): Picture | undefined {
  const facts = readJpeg(bytes)
  if (facts === undefined || bytes.length > MAX_JPEG_BYTES) return undefined
  return { contentType: 'image/jpeg', ...shownSize(uprightSize(facts)), content: withoutMetadata(bytes) }
}

async function pngPicture(bytes: Buffer): Promise<Picture | undefined> {
  const size = pngSize(bytes)
  const samples = await readPng(bytes, MAX_LOGO_SIDE, (width, height) =>
    Math.max(1, Math.floor(Math.max(width / BOX.width, height / BOX.height) / DENSITY)),
  )
  if (size === undefined || samples === undefined) return undefined
  const content = writePng(scaleDown(rgbaOf(samples), BOX.width * DENSITY, BOX.height * DENSITY))
  return { contentType: 'image/png', ...shownSize(size), content }
}

function shownSize({ width, height }: { width: number; height: number }) {
  const factor = Math.max(width / BOX.width, height / BOX.height, 1)
  return { width: Math.max(1, Math.round(width / factor)), height: Math.max(1, Math.round(height / factor)) }
}
