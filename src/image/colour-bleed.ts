/**
 * The colour of ink, spread evenly: along its edges there is no rim of the paper, and where nothing is seen stands the colour of what is seen beside it,
 * for a reader of PDF makes pictures smaller without asking what of a colour is seen. Whatever was hidden behind transparency is gone.
 */
import type { RgbaImage } from './png-write.ts'

/** Pixels to each side that a pixel's colour is taken from. */
const REACH = 4
/** Pixels the mean colour of all counts for: far from all ink it is the only one. */
const EVERYWHERE = 0.5

/** What a pixel of full opacity counts for. Whole numbers: sums of them are exact, and take a third of the memory. */
const WHOLE = 65_535
/** Edges are part paper: they hardly count. */
const WEIGHTS = Uint16Array.from({ length: 256 }, (_, alpha) => Math.round(WHOLE * (alpha / 255) ** 3))

/** Every pixel has the mean colour of the ink around it. */
export function averageColours(picture: RgbaImage): RgbaImage {
  const { width, height, colour, alpha } = picture
  const size = width * height
  const [values, across] = [new Uint32Array(size), new Uint32Array(size)]
  const [near, sums] = [new Uint32Array(size), new Uint32Array(size)]
  let all = 0
  for (let i = 0; i < size; i++) all += values[i] = WEIGHTS[alpha[i]!]!
  sumWindows(values, across, near, width, height)
  const result = new Uint8Array(colour.length)
  for (let c = 0; c < 3; c++) {
    let whole = 0
    for (let i = 0; i < size; i++) whole += values[i] = WEIGHTS[alpha[i]!]! * colour[i * 3 + c]!
    const mean = whole / (all || 1)
    sumWindows(values, across, sums, width, height)
    for (let i = 0; i < size; i++) {
      result[i * 3 + c] = Math.round((sums[i]! + EVERYWHERE * WHOLE * mean) / (near[i]! + EVERYWHERE * WHOLE))
    }
  }
  return { ...picture, colour: result }
}

/** What is seen has its own colour, what is not that of the ink around it. */
export function fillHiddenColours(picture: RgbaImage): RgbaImage {
  const { colour } = averageColours(picture)
  picture.alpha.forEach((value, i) => {
    if (value > 0) colour.set(picture.colour.subarray(i * 3, i * 3 + 3), i * 3)
  })
  return { ...picture, colour }
}

/** Sums of windows of `REACH` pixels to each side; at most 81 values of 255 × `WHOLE`, which 32 bits hold. */
function sumWindows(values: Uint32Array, across: Uint32Array, both: Uint32Array, width: number, height: number): void {
  const along = (from: Uint32Array, to: Uint32Array, start: number, step: number, length: number) => {
    let sum = 0
    for (let i = 0; i < length + REACH; i++) {
      if (i < length) sum += from[start + i * step]!
      if (i - 2 * REACH - 1 >= 0) sum -= from[start + (i - 2 * REACH - 1) * step]!
      if (i - REACH >= 0) to[start + (i - REACH) * step] = sum
    }
  }
  for (let y = 0; y < height; y++) along(values, across, y * width, 1, width)
  for (let x = 0; x < width; x++) along(across, both, x, width, height)
}
