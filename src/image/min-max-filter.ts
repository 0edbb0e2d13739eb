/**
 * Greatest and least values in a square window that moves over samples, in a time that does not depend on the window's size. Samples row by row.
 * After van Herk, and Gil and Werman: a line is cut into pieces as long as the window; each window is the end of one piece and the beginning of the next,
 * and the greatest value of both is known from one walk forth and one back.
 */

export interface GreyImage {
  values: Uint8Array
  width: number
  height: number
}

/** Morphological closing: all that is darker than its surroundings and narrower than the window is filled up to them; anything larger keeps its edges. */
export function closing(samples: GreyImage, radius: number): Uint8Array {
  return minFilter({ ...samples, values: maxFilter(samples, radius) }, radius)
}

/** Morphological opening: what is lighter than its surroundings and narrower than the window is levelled to them. */
export function opening(samples: GreyImage, radius: number): Uint8Array {
  return maxFilter({ ...samples, values: minFilter(samples, radius) }, radius)
}

/** The least value of each window: the greatest of all values turned round. */
export function minFilter({ values, width, height }: GreyImage, radius: number): Uint8Array {
  return maxFilter({ values: values.map(value => 255 - value), width, height }, radius).map(value => 255 - value)
}

/** The greatest value of each window. */
export function maxFilter(samples: GreyImage, radius: number): Uint8Array {
  return highestDown({ ...samples, values: highestAcross(samples, radius) }, radius)
}

function highestAcross({ values, width, height }: GreyImage, radius: number): Uint8Array {
  const window = 2 * radius + 1
  // Beyond the ends is nothing, which is no more than anything.
  const length = Math.ceil((width + 2 * radius) / window) * window
  const [line, forth, back] = [new Uint8Array(length), new Uint8Array(length), new Uint8Array(length)]
  const result = new Uint8Array(values.length)
  for (let start = 0; start < width * height; start += width) {
    line.set(values.subarray(start, start + width), radius)
    for (let first = 0; first < length; first += window) {
      let most = 0
      for (let i = first; i < first + window; i++) forth[i] = most = Math.max(most, line[i]!)
      most = 0
      for (let i = first + window - 1; i >= first; i--) back[i] = most = Math.max(most, line[i]!)
    }
    for (let x = 0; x < width; x++) result[start + x] = Math.max(back[x]!, forth[x + 2 * radius]!)
  }
  return result
}

/** All columns at once, row after row: memory is read in the order in which it lies. */
function highestDown({ values, width, height }: GreyImage, radius: number): Uint8Array {
  const window = 2 * radius + 1
  const rows = Math.ceil((height + 2 * radius) / window) * window
  const [forth, back] = [new Uint8Array(rows * width), new Uint8Array(rows * width)]
  forth.set(values, radius * width)
  back.set(values, radius * width)
  for (let row = 0; row < rows; row++) {
    if (row % window === 0) continue
    for (let i = row * width; i < (row + 1) * width; i++) forth[i] = Math.max(forth[i]!, forth[i - width]!)
  }
  for (let row = rows - 2; row >= 0; row--) {
    if (row % window === window - 1) continue
    for (let i = row * width; i < (row + 1) * width; i++) back[i] = Math.max(back[i]!, back[i + width]!)
  }
  const ahead = 2 * radius * width
  const result = new Uint8Array(values.length)
  for (let i = 0; i < result.length; i++) result[i] = Math.max(back[i]!, forth[i + ahead]!)
  return result
}
