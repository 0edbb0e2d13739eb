/**
 * The colour of ink, spread evenly: along its edges there is no rim of the paper, and where nothing is seen stands the colour of what is seen beside it,
 * for a reader of PDF makes pictures smaller without asking what of a colour is seen. Whatever was hidden behind transparency is gone.
 */
import type { Picture } from './png-write.ts'

/** Pixels to each side that a pixel's colour is taken from. */
const REACH = 4
/** Pixels the mean colour of all counts for: far from all ink it is the only one. */
const EVERYWHERE = 0.5

/** Every pixel has the mean colour of the ink around it. */
export function evenColour(picture: Picture): Picture {
  const { width, height, colour, alpha } = picture
  // Edges are part paper: they hardly count.
  const weights = Float64Array.from(alpha, value => (value / 255) ** 3)
  const all = weights.reduce((sum, weight) => sum + weight, 0) || 1
  const near = windowSums(weights, width, height)
  const result = new Uint8Array(colour.length)
  for (let c = 0; c < 3; c++) {
    const weighted = weights.map((weight, i) => weight * colour[i * 3 + c]!)
    const mean = weighted.reduce((sum, value) => sum + value, 0) / all
    const sums = windowSums(weighted, width, height)
    for (let i = 0; i < near.length; i++) {
      // Sums that move along a line are never quite empty again.
      const [sum, weight] = [Math.max(0, sums[i]!), Math.max(0, near[i]!)]
      result[i * 3 + c] = Math.min(255, Math.round((sum + EVERYWHERE * mean) / (weight + EVERYWHERE)))
    }
  }
  return { ...picture, colour: result }
}

/** What is seen has its own colour, what is not that of the ink around it. */
export function filledColour(picture: Picture): Picture {
  const { colour } = evenColour(picture)
  picture.alpha.forEach((value, i) => {
    if (value > 0) colour.set(picture.colour.subarray(i * 3, i * 3 + 3), i * 3)
  })
  return { ...picture, colour }
}

/** Sums of windows of `REACH` pixels to each side. */
function windowSums(values: Float64Array, width: number, height: number): Float64Array {
  const across = new Float64Array(values.length)
  const both = new Float64Array(values.length)
  const along = (from: Float64Array, to: Float64Array, start: number, step: number, length: number) => {
    let sum = 0
    for (let i = 0; i < length + REACH; i++) {
      if (i < length) sum += from[start + i * step]!
      if (i - 2 * REACH - 1 >= 0) sum -= from[start + (i - 2 * REACH - 1) * step]!
      if (i - REACH >= 0) to[start + (i - REACH) * step] = sum
    }
  }
  for (let y = 0; y < height; y++) along(values, across, y * width, 1, width)
  for (let x = 0; x < width; x++) along(across, both, x, width, height)
  return both
}
