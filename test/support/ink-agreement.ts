/** Compares the ink of two pictures of a page with the tolerance that two renderers need. */
import { readPng } from '../../src/image/png-read.ts'
import type { Picture } from './page-picture.ts'

export async function pictureOfPng(png: Buffer): Promise<Picture> {
  const samples = await readPng(png, 10_000)
  if (samples?.channels !== 3) throw new Error('a screenshot is a PNG in colour')
  return { width: samples.width, height: samples.height, pixels: samples.colour }
}

const DARK = 215

/** The dark pixels of a picture, scaled to the size of another. */
function inkOf({ width, height, pixels }: Picture, to: Picture): Uint8Array {
  const ink = new Uint8Array(to.width * to.height)
  for (let y = 0; y < to.height; y++) {
    for (let x = 0; x < to.width; x++) {
      const [sx, sy] = [
        Math.min(width - 1, Math.floor(((x + 0.5) * width) / to.width)),
        Math.min(height - 1, Math.floor(((y + 0.5) * height) / to.height)),
      ]
      const i = 3 * (sy * width + sx)
      const grey = ((pixels[i] ?? 0) + (pixels[i + 1] ?? 0) + (pixels[i + 2] ?? 0)) / 3
      ink[y * to.width + x] = grey < DARK ? 1 : 0
    }
  }
  return ink
}

/**
 * The smaller share of one picture's ink within so many pixels of the other's; 0 if one has no ink.
 */
export function inkAgreement(a: Picture, b: Picture, within: number): number {
  const [one, other] = [inkOf(a, a), inkOf(b, a)]
  const share = (from: Uint8Array, to: Uint8Array) => {
    let [all, near] = [0, 0]
    for (let y = 0; y < a.height; y++) {
      for (let x = 0; x < a.width; x++) {
        if (from[y * a.width + x] !== 1) continue
        all++
        if (isNear(to, x, y)) near++
      }
    }
    return all === 0 ? 0 : near / all
  }
  const isNear = (ink: Uint8Array, x: number, y: number) => {
    for (let dy = -within; dy <= within; dy++)
      for (let dx = -within; dx <= within; dx++) if (ink[(y + dy) * a.width + x + dx] === 1) return true
    return false
  }
  return Math.min(share(one, other), share(other, one))
}
