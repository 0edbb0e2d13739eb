/** Crops and scales down an image by area, with colours weighted by opacity. */
import type { RgbaImage } from './png-write.ts'

/** Pixels; `right` and `bottom` are exclusive. */
export interface PixelArea {
  left: number
  top: number
  right: number
  bottom: number
}

export function crop({ width, colour, alpha }: RgbaImage, { left, top, right, bottom }: PixelArea): RgbaImage {
  const [w, h] = [right - left, bottom - top]
  const result: RgbaImage = { width: w, height: h, colour: new Uint8Array(w * h * 3), alpha: new Uint8Array(w * h) }
  for (let y = 0; y < h; y++) {
    const from = (top + y) * width + left
    result.alpha.set(alpha.subarray(from, from + w), y * w)
    result.colour.set(colour.subarray(from * 3, (from + w) * 3), y * w * 3)
  }
  return result
}

/** Scales down to both limits in proportion; an image within them is returned unchanged. */
export function scaleDown(image: RgbaImage, maxWidth: number, maxHeight: number): RgbaImage {
  const factor = Math.max(image.width / maxWidth, image.height / maxHeight)
  if (factor <= 1) return image
  const [width, height] = [Math.max(1, Math.round(image.width / factor)), Math.max(1, Math.round(image.height / factor))]
  const columns = spansOf(image.width, width)
  const rows = spansOf(image.height, height)
  const result: RgbaImage = { width, height, colour: new Uint8Array(width * height * 3), alpha: new Uint8Array(width * height) }
  for (const [y, row] of rows.entries()) {
    for (const [x, column] of columns.entries()) setMean(image, row, column, result, y * width + x)
  }
  return result
}

/** The old pixels that a new pixel covers along one side, and how much of each. */
interface PixelSpan {
  first: number
  shares: number[]
}

function spansOf(from: number, to: number): PixelSpan[] {
  return Array.from({ length: to }, (_, i) => {
    const [begin, end] = [(i * from) / to, ((i + 1) * from) / to]
    const first = Math.floor(begin)
    const count = Math.min(from, Math.ceil(end - 1e-9)) - first
    return { first, shares: Array.from({ length: count }, (_, n) => Math.min(end, first + n + 1) - Math.max(begin, first + n)) }
  })
}

function setMean({ width, colour, alpha }: RgbaImage, row: PixelSpan, column: PixelSpan, result: RgbaImage, to: number): void {
  let [area, opacity] = [0, 0]
  const [weighted, plain] = [
    [0, 0, 0],
    [0, 0, 0],
  ]
  for (let i = 0; i < row.shares.length; i++) {
    for (let n = 0; n < column.shares.length; n++) {
      const share = row.shares[i]! * column.shares[n]!
      const at = (row.first + i) * width + column.first + n
      const weight = share * alpha[at]!
      area += share
      opacity += weight
      for (let c = 0; c < 3; c++) {
        weighted[c]! += weight * colour[at * 3 + c]!
        plain[c]! += share * colour[at * 3 + c]!
      }
    }
  }
  result.alpha[to] = Math.round(opacity / area)
  // The plain mean of a transparent area is the colour into which strokes beside it fade.
  for (let c = 0; c < 3; c++) result.colour[to * 3 + c] = Math.round(opacity > 0 ? weighted[c]! / opacity : plain[c]! / area)
}

// Colour bleeding: gives edge and hidden pixels the colour of the ink around them. PDF readers
// scale colours without regard to opacity, and hidden colours must not leak.

/** Pixels to each side that contribute to a pixel's colour. */
const REACH = 4
/** Weight of the mean colour of all ink, in pixels: far from all ink it is the only one. */
const GLOBAL_WEIGHT = 0.5

/** Weight of an opaque pixel. Sums of whole numbers are exact and take a third of the memory. */
const OPAQUE_WEIGHT = 65_535
/** Half-transparent edges are partly paper, so they hardly count. */
const WEIGHTS = Uint16Array.from({ length: 256 }, (_, alpha) => Math.round(OPAQUE_WEIGHT * (alpha / 255) ** 3))

/** Gives every pixel the mean colour of the ink around it. */
export function averageColours(picture: RgbaImage): RgbaImage {
  const { width, height, colour, alpha } = picture
  const size = width * height
  const [values, rowSums] = [new Uint32Array(size), new Uint32Array(size)]
  const [weights, sums] = [new Uint32Array(size), new Uint32Array(size)]
  let totalWeight = 0
  for (let i = 0; i < size; i++) totalWeight += values[i] = WEIGHTS[alpha[i]!]!
  sumWindows(values, rowSums, weights, width, height)
  const result = new Uint8Array(colour.length)
  for (let c = 0; c < 3; c++) {
    let total = 0
    for (let i = 0; i < size; i++) total += values[i] = WEIGHTS[alpha[i]!]! * colour[i * 3 + c]!
    const mean = total / (totalWeight || 1)
    sumWindows(values, rowSums, sums, width, height)
    for (let i = 0; i < size; i++) {
      const sum = sums[i]! + GLOBAL_WEIGHT * OPAQUE_WEIGHT * mean
      result[i * 3 + c] = Math.round(sum / (weights[i]! + GLOBAL_WEIGHT * OPAQUE_WEIGHT))
    }
  }
  return { ...picture, colour: result }
}

/** Keeps the colours of visible pixels, and gives hidden ones the colour of the ink around them. */
export function fillHiddenColours(picture: RgbaImage): RgbaImage {
  const { colour } = averageColours(picture)
  picture.alpha.forEach((value, i) => {
    if (value > 0) colour.set(picture.colour.subarray(i * 3, i * 3 + 3), i * 3)
  })
  return { ...picture, colour }
}

/** Sums over windows of `REACH` pixels to each side: at most 81 values, which 32 bits hold. */
function sumWindows(values: Uint32Array, rowSums: Uint32Array, to: Uint32Array, width: number, height: number): void {
  const sumLine = (from: Uint32Array, into: Uint32Array, start: number, step: number, length: number) => {
    let sum = 0
    for (let i = 0; i < length + REACH; i++) {
      if (i < length) sum += from[start + i * step]!
      if (i - 2 * REACH - 1 >= 0) sum -= from[start + (i - 2 * REACH - 1) * step]!
      if (i - REACH >= 0) into[start + (i - REACH) * step] = sum
    }
  }
  for (let y = 0; y < height; y++) sumLine(values, rowSums, y * width, 1, width)
  for (let x = 0; x < width; x++) sumLine(rowSums, to, x, width, height)
}
