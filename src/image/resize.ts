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
