/** Cuts and shrinks a picture; each pixel of the result is the mean of the area it covers, a colour counting by how much of it is seen. */
import type { RgbaImage } from './png-write.ts'

/** Pixels, `right` and `bottom` not included. */
export interface PictureArea {
  left: number
  top: number
  right: number
  bottom: number
}

export function crop({ width, colour, alpha }: RgbaImage, { left, top, right, bottom }: PictureArea): RgbaImage {
  const [w, h] = [right - left, bottom - top]
  const result: RgbaImage = { width: w, height: h, colour: new Uint8Array(w * h * 3), alpha: new Uint8Array(w * h) }
  for (let y = 0; y < h; y++) {
    const from = (top + y) * width + left
    result.alpha.set(alpha.subarray(from, from + w), y * w)
    result.colour.set(colour.subarray(from * 3, (from + w) * 3), y * w * 3)
  }
  return result
}

/** As it is when it is within both limits, else as large as they allow. */
export function scaleDown(picture: RgbaImage, mostWidth: number, mostHeight: number): RgbaImage {
  const step = Math.max(picture.width / mostWidth, picture.height / mostHeight)
  if (step <= 1) return picture
  const [width, height] = [picture.width / step, picture.height / step].map(side => Math.max(1, Math.round(side))) as [
    number,
    number,
  ]
  const columns = coversOf(picture.width, width)
  const rows = coversOf(picture.height, height)
  const result: RgbaImage = { width, height, colour: new Uint8Array(width * height * 3), alpha: new Uint8Array(width * height) }
  for (const [y, row] of rows.entries()) {
    for (const [x, column] of columns.entries()) setMean(picture, row, column, result, y * width + x)
  }
  return result
}

/** The pixels a new pixel covers, along one side: the first, and how much of each. */
interface Cover {
  first: number
  shares: number[]
}

function coversOf(from: number, to: number): Cover[] {
  return Array.from({ length: to }, (_, i) => {
    const [begin, end] = [(i * from) / to, ((i + 1) * from) / to]
    const first = Math.floor(begin)
    const count = Math.min(from, Math.ceil(end - 1e-9)) - first
    return { first, shares: Array.from({ length: count }, (_, n) => Math.min(end, first + n + 1) - Math.max(begin, first + n)) }
  })
}

function setMean({ width, colour, alpha }: RgbaImage, row: Cover, column: Cover, result: RgbaImage, to: number): void {
  let [area, seen, red, green, blue, plainRed, plainGreen, plainBlue] = [0, 0, 0, 0, 0, 0, 0, 0]
  for (let i = 0; i < row.shares.length; i++) {
    for (let n = 0; n < column.shares.length; n++) {
      const share = row.shares[i]! * column.shares[n]!
      const at = (row.first + i) * width + column.first + n
      const weight = share * alpha[at]!
      area += share
      seen += weight
      red += weight * colour[at * 3]!
      green += weight * colour[at * 3 + 1]!
      blue += weight * colour[at * 3 + 2]!
      plainRed += share * colour[at * 3]!
      plainGreen += share * colour[at * 3 + 1]!
      plainBlue += share * colour[at * 3 + 2]!
    }
  }
  result.alpha[to] = Math.round(seen / area)
  // Where nothing is seen, the colour is what strokes beside it fade into.
  const [r, g, b] = seen > 0 ? [red / seen, green / seen, blue / seen] : [plainRed / area, plainGreen / area, plainBlue / area]
  result.colour.set([Math.round(r), Math.round(g), Math.round(b)], to * 3)
}
