/** Makes pixels of a JPEG's coefficients: a block becomes 1 to 8 pixels a side. ITU-T T.81 A.3.3, A.3.4; colours as JFIF (ITU-T T.871 §7) has them. */
import type { Component } from './jpeg-scan.ts'
import type { Samples } from './png-read.ts'

export interface Plane {
  values: Uint8ClampedArray
  width: number
  /** Pixels an MCU has. */
  across: number
  down: number
}

/** A.3.3: what the k-th coefficient of so many adds to each pixel; the lowest frequencies of a block of 8 are those of its picture in small. */
function waves(side: number): Float64Array {
  return Float64Array.from({ length: side * side }, (_, at) => {
    const [pixel, k] = [Math.floor(at / side), at % side]
    const level = Math.sqrt((k === 0 ? 1 : 2) / side) * Math.sqrt(side / 8)
    return level * Math.cos(((2 * pixel + 1) * k * Math.PI) / (2 * side))
  })
}

export function drawComponent(component: Component, quantisation: Uint16Array): Pick<Plane, 'values' | 'width'> {
  const { blocksAcross, blocksDown, side, coefficients } = component
  const width = blocksAcross * side
  const values = new Uint8ClampedArray(width * blocksDown * side)
  const wave = waves(side)
  const steps = Float64Array.from({ length: side * side }, (_, i) => quantisation[Math.floor(i / side) * 8 + (i % side)]!)
  const rows = new Float64Array(side * side)
  for (let block = 0; block < blocksAcross * blocksDown; block++) {
    const from = block * side * side
    const corner = Math.floor(block / blocksAcross) * side * width + (block % blocksAcross) * side
    for (let v = 0; v < side; v++) {
      for (let x = 0; x < side; x++) {
        let sum = 0
        for (let u = 0; u < side; u++) sum += wave[x * side + u]! * coefficients[from + v * side + u]! * steps[v * side + u]!
        rows[v * side + x] = sum
      }
    }
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        let sum = 128
        for (let v = 0; v < side; v++) sum += wave[y * side + v]! * rows[v * side + x]!
        values[corner + y * width + x] = sum
      }
    }
  }
  return { values, width }
}

/** `most`: pixels an MCU of the picture has. */
export function planeToSamples(
  planes: Plane[],
  width: number,
  height: number,
  most: Pick<Plane, 'across' | 'down'>,
  isRgb: boolean,
): Samples {
  const channels = planes.length === 1 ? 1 : 3
  const colour = new Uint8ClampedArray(width * height * channels)
  const columns = planes.map(plane => Int32Array.from({ length: width }, (_, x) => Math.floor((x * plane.across) / most.across)))
  const pixel = [0, 0, 0]
  for (let y = 0; y < height; y++) {
    const rows = planes.map(plane => Math.floor((y * plane.down) / most.down) * plane.width)
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < channels; c++) pixel[c] = planes[c]!.values[rows[c]! + columns[c]![x]!]!
      const at = (y * width + x) * channels
      const [first, second, third] = pixel as [number, number, number]
      if (channels === 1 || isRgb) for (let c = 0; c < channels; c++) colour[at + c] = pixel[c]!
      else {
        colour[at] = first + 1.402 * (third - 128)
        colour[at + 1] = first - 0.344136 * (second - 128) - 0.714136 * (third - 128)
        colour[at + 2] = first + 1.772 * (second - 128)
      }
    }
  }
  return { width, height, channels, colour: new Uint8Array(colour.buffer), alpha: undefined }
}
