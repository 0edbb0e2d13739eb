/** Greatest and least values in a square window that moves over samples, in a time that does not depend on the window's size. Samples row by row. */

export interface Samples8 {
  values: Uint8Array
  width: number
  height: number
}

/** A row or a column: where it begins, from one sample to the next, how many. */
interface Line {
  start: number
  step: number
  length: number
}

type AlongLine = (from: Uint8Array, to: Uint8Array, line: Line) => void

/** Along all rows, then along all columns of what came of it. */
function alongBoth({ values, width, height }: Samples8, along: AlongLine): Uint8Array {
  const [across, both] = [new Uint8Array(values.length), new Uint8Array(values.length)]
  for (let y = 0; y < height; y++) along(values, across, { start: y * width, step: 1, length: width })
  for (let x = 0; x < width; x++) along(across, both, { start: x, step: width, length: height })
  return both
}

/** Morphological closing: all that is darker than its surroundings and narrower than the window is filled up to them; anything larger keeps its edges. */
export function closed(samples: Samples8, radius: number): Uint8Array {
  return lowest({ ...samples, values: extremes(samples, radius, 1) }, radius)
}

/** Morphological opening: what is lighter than its surroundings and narrower than the window is levelled to them. */
export function opened(samples: Samples8, radius: number): Uint8Array {
  return extremes({ ...samples, values: lowest(samples, radius) }, radius, 1)
}

/** The least value of each window. */
export function lowest(samples: Samples8, radius: number): Uint8Array {
  return extremes(samples, radius, -1)
}

/** The greatest (`sign` 1) or least (-1) value of each window, by a queue of candidates, the best first. */
function extremes(samples: Samples8, radius: number, sign: 1 | -1): Uint8Array {
  const places = new Int32Array(Math.max(samples.width, samples.height))
  const values = new Int16Array(places.length)
  return alongBoth(samples, (from, to, { start, step, length }) => {
    let [head, tail] = [0, 0]
    for (let i = 0; i < length + radius; i++) {
      if (i < length) {
        const value = sign * from[start + i * step]!
        while (tail > head && value >= values[tail - 1]!) tail--
        values[tail] = value
        places[tail++] = i
      }
      const at = i - radius
      if (at < 0) continue
      if (places[head]! < at - radius) head++
      to[start + at * step] = sign * values[head]!
    }
  })
}
