/** Filters over a square window, in time independent of its size (van Herk, Gil and Werman). */

/** One value a pixel, row by row. */
export interface GreyImage {
  values: Uint8Array
  width: number
  height: number
}

/** Fills dark areas narrower than the window; larger areas keep their edges. */
export function closing(image: GreyImage, radius: number): Uint8Array {
  return minFilter({ ...image, values: maxFilter(image, radius) }, radius)
}

/** Removes light areas narrower than the window. */
export function opening(image: GreyImage, radius: number): Uint8Array {
  return maxFilter({ ...image, values: minFilter(image, radius) }, radius)
}

/** The least value of each window: the maximum filter of the inverted image. */
export function minFilter({ values, width, height }: GreyImage, radius: number): Uint8Array {
  return maxFilter({ values: values.map(value => 255 - value), width, height }, radius).map(value => 255 - value)
}

export function maxFilter(image: GreyImage, radius: number): Uint8Array {
  return maxOfColumns({ ...image, values: maxOfRows(image, radius) }, radius)
}

/** Running maxima forwards and backwards over pieces as long as the window. */
function maxOfRows({ values, width, height }: GreyImage, radius: number): Uint8Array {
  const window = 2 * radius + 1
  // Zeros beyond the ends change no maximum.
  const length = Math.ceil((width + 2 * radius) / window) * window
  const [line, forwards, backwards] = [new Uint8Array(length), new Uint8Array(length), new Uint8Array(length)]
  const result = new Uint8Array(values.length)
  for (let start = 0; start < width * height; start += width) {
    line.set(values.subarray(start, start + width), radius)
    for (let first = 0; first < length; first += window) {
      let max = 0
      for (let i = first; i < first + window; i++) forwards[i] = max = Math.max(max, line[i]!)
      max = 0
      for (let i = first + window - 1; i >= first; i--) backwards[i] = max = Math.max(max, line[i]!)
    }
    for (let x = 0; x < width; x++) result[start + x] = Math.max(backwards[x]!, forwards[x + 2 * radius]!)
  }
  return result
}

/** The same for all columns at once, row after row: memory is read in its order. */
function maxOfColumns({ values, width, height }: GreyImage, radius: number): Uint8Array {
  const window = 2 * radius + 1
  const rows = Math.ceil((height + 2 * radius) / window) * window
  const [forwards, backwards] = [new Uint8Array(rows * width), new Uint8Array(rows * width)]
  forwards.set(values, radius * width)
  backwards.set(values, radius * width)
  for (let row = 0; row < rows; row++) {
    if (row % window === 0) continue
    for (let i = row * width; i < (row + 1) * width; i++) forwards[i] = Math.max(forwards[i]!, forwards[i - width]!)
  }
  for (let row = rows - 2; row >= 0; row--) {
    if (row % window === window - 1) continue
    for (let i = row * width; i < (row + 1) * width; i++) backwards[i] = Math.max(backwards[i]!, backwards[i + width]!)
  }
  const ahead = 2 * radius * width
  const result = new Uint8Array(values.length)
  for (let i = 0; i < result.length; i++) result[i] = Math.max(backwards[i]!, forwards[i + ahead]!)
  return result
}
