/** Renders pages with Poppler, with the crop box as in viewers, to find the position of ink. */
import { run } from '../verify/tools.ts'

export interface Picture {
  width: number
  height: number
  /** Red, green, blue, row by row from the top. */
  pixels: Uint8Array
}

export const hasPdftoppm = Bun.which('pdftoppm') !== null

/** Page 1 is the first. At 72 dpi a point is a pixel. */
export function pictureOf(path: string, page: number, dotsPerInch = 72): Picture {
  const numbers = ['-f', String(page), '-l', String(page), '-r', String(dotsPerInch)]
  const { bytes } = run(['pdftoppm', '-cropbox', ...numbers, path])
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(bytes.subarray(0, 40)).toString('latin1'))
  if (header === null) throw new Error(`page ${page} of ${path} cannot be drawn`)
  return { width: Number(header[1]), height: Number(header[2]), pixels: bytes.subarray(header[0].length) }
}

/** The box of all matching pixels, in percent of the picture. Undefined if there are none. */
export function boxOfPixels(
  { width, height, pixels }: Picture,
  isMeant: (red: number, green: number, blue: number) => boolean,
): { x: number; y: number; width: number; height: number } | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 3 * (y * width + x)
      if (!isMeant(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0)) continue
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y + 1)
    }
  }
  if (right < 0) return undefined
  const percent = (value: number, whole: number) => (100 * value) / whole
  return {
    x: percent(left, width),
    y: percent(top, height),
    width: percent(right - left, width),
    height: percent(bottom - top, height),
  }
}

/** Number of pixels that differ; all if the sizes differ. */
export function differingPixels(a: Picture, b: Picture): number {
  if (a.width !== b.width || a.height !== b.height) return Math.max(a.width * a.height, b.width * b.height)
  let count = 0
  for (let at = 0; at < a.pixels.length; at += 3) {
    if (a.pixels[at] !== b.pixels[at] || a.pixels[at + 1] !== b.pixels[at + 1] || a.pixels[at + 2] !== b.pixels[at + 2]) count++
  }
  return count
}
