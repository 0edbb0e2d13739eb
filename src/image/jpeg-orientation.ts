/** How a camera was held, as Exif (CIPA DC-008 §4.6.4) tells it in a JPEG, and the picture turned upright. */
import type { Samples } from './png-read.ts'

const ORIENTATION = 0x0112

/** 1 to 8, from the body of an APP1 segment; undefined where it says nothing. */
export function exifOrientation(body: Buffer): number | undefined {
  if (body.toString('latin1', 0, 6) !== 'Exif\0\0') return undefined
  const tiff = body.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (at + 2 > tiff.length ? undefined : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (at + 4 > tiff.length ? undefined : isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const start = long(4)
  if (start === undefined) return undefined
  const count = short(start) ?? 0
  for (let i = 0; i < count; i++) {
    const entry = start + 2 + i * 12
    if (short(entry) !== ORIENTATION) continue
    const value = short(entry + 8)
    return value !== undefined && value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}

/** The picture as it was seen. */
export function upright(samples: Samples, orientation: number): Samples {
  if (orientation === 1) return samples
  const { width, height, channels, colour } = samples
  const isSideways = orientation >= 5
  const [w, h] = isSideways ? [height, width] : [width, height]
  const result = new Uint8Array(colour.length)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      // Of the eight ways a picture can lie, each is some of three turns: exchanged sides, from the right, from below.
      const [a, b] = isSideways ? [y, x] : [x, y]
      const fromRight = orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8
      const fromBelow = orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7
      const [sx, sy] = [fromRight ? width - 1 - a : a, fromBelow ? height - 1 - b : b]
      const [from, to] = [(sy * width + sx) * channels, (y * w + x) * channels]
      for (let c = 0; c < channels; c++) result[to + c] = colour[from + c]!
    }
  }
  return { ...samples, width: w, height: h, colour: result }
}
