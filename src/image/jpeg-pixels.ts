/** Decodes a JPEG by pdf.js into upright pixels. Run it in a child process only. */
import type { JpegFacts } from './jpeg.ts'
import type { RgbaImage } from './png-write.ts'

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
