/**
 * Synthetic photos and scans of a signature, with the true position of the ink. The same seed gives
 * the same photo.
 */
import { deflateSync } from 'node:zlib'
import { pngChunk } from '../evidence/sample.ts'

export interface Photo {
  width: number
  height: number
  /** Red, green, blue. */
  colour: Uint8Array
  /** How much of a pixel is ink, 0 to 1. */
  truth: Float32Array
}

export interface Scene {
  width: number
  height: number
  /** Line width, pixels. */
  pen: number
  ink: [number, number, number]
  paper: [number, number, number]
  /** Standard deviation of each sample. */
  noise: number
  /** Share of the light that is lost from the bright corner to the dark one. */
  falloff: number
  /** Share of the light that a shadow takes; 0 for none. */
  shadow: number
  /** Colour of printed lines on the paper; none when undefined. */
  rule?: [number, number, number]
  /** Width of the dark table visible at the left, pixels. */
  table?: number
}

export const PHOTO: Scene = {
  width: 1000,
  height: 750,
  pen: 7,
  ink: [40, 50, 120],
  paper: [236, 232, 222],
  noise: 4,
  falloff: 0.45,
  shadow: 0.3,
}

/** Uniform numbers from 0 to 1, by a linear congruential generator. */
function openRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * The path of the pen: loops, a long stroke under them and a dot; shares of the picture's sides.
 */
function penPath(): [number, number][] {
  const loops = Array.from({ length: 1600 }, (_, i): [number, number] => {
    const t = i / 1600
    return [0.28 + 0.42 * t + 0.03 * Math.sin(t * 44), 0.48 + 0.11 * Math.cos(t * 44) * (1 - 0.5 * t)]
  })
  const under = Array.from({ length: 700 }, (_, i): [number, number] => [0.3 + (0.45 * i) / 700, 0.68 - (0.05 * i) / 700])
  return [...loops, ...under, [0.6, 0.32]]
}

function truthOf({ width, height, pen }: Scene): Float32Array {
  const truth = new Float32Array(width * height)
  for (const [sx, sy] of penPath()) {
    const [cx, cy, radius] = [sx * width, sy * height, pen / 2]
    for (let y = Math.max(0, Math.floor(cy - radius - 1)); y <= Math.min(height - 1, cy + radius + 1); y++) {
      for (let x = Math.max(0, Math.floor(cx - radius - 1)); x <= Math.min(width - 1, cx + radius + 1); x++) {
        const inside = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(x + 0.5 - cx, y + 0.5 - cy)))
        truth[y * width + x] = Math.max(truth[y * width + x]!, inside)
      }
    }
  }
  return truth
}

const photos = new Map<string, Photo>()

/** Nobody writes into a photo: each is made once. */
export function photoOf(scene: Scene, seed = 7): Photo {
  const key = JSON.stringify([scene, seed])
  const photo = photos.get(key) ?? takePhoto(scene, seed)
  photos.set(key, photo)
  return photo
}

function takePhoto(scene: Scene, seed: number): Photo {
  const { width, height, ink, paper, noise, falloff, shadow, rule, table = 0 } = scene
  const random = openRandom(seed)
  const truth = truthOf(scene)
  const colour = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const edge = Math.min(1, Math.max(0, (x / width + 0.4 * (y / height) - 0.62) * 60))
      const light = 1 - falloff * ((0.6 * x) / width + (0.4 * y) / height) - shadow * edge
      const isRuled = rule !== undefined && y % Math.round(height / 14) < 3
      const isTable = x < table
      for (let c = 0; c < 3; c++) {
        const ground = isTable ? [70, 50, 35][c]! + 12 * Math.sin(y / 9 + x / 31) : isRuled ? rule[c]! : paper[c]!
        const seen = isTable ? ground : ground + (ink[c]! - ground) * truth[at]!
        // The sum of four uniform numbers is nearly normal.
        const grain = (random() + random() + random() + random() - 2) * Math.sqrt(3) * noise
        colour[at * 3 + c] = Math.min(255, Math.max(0, Math.round(seen * light + grain)))
      }
      if (isTable) truth[at] = 0
    }
  }
  return { width, height, colour, truth }
}

export function pngOfPhoto({ width, height, colour }: Photo, alpha = new Uint8Array(width * height).fill(255)): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 4))
  let at = 0
  for (let y = 0; y < height; y++) {
    // The differences to the pixel on the left.
    rows[at++] = 1
    for (let i = y * width; i < (y + 1) * width; i++) {
      const isFirst = i === y * width
      for (let c = 0; c < 3; c++) rows[at++] = colour[i * 3 + c]! - (isFirst ? 0 : colour[i * 3 - 3 + c]!)
      rows[at++] = alpha[i]! - (isFirst ? 0 : alpha[i - 1]!)
    }
  }
  return pngOf([8, 6, 0, 0, 0], width, height, rows)
}

/** A grey PNG of 8 bits: large pictures need a fourth of the memory of RGBA. */
export function greyPng(width: number, height: number, tone: (x: number, y: number) => number): Buffer {
  const rows = Buffer.alloc(height * (1 + width))
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (1 + width) + 1 + x] = tone(x, y)
  return pngOf([8, 0, 0, 0, 0], width, height, rows)
}

/**
 * `format`: depth, colour type, compression, filter and interlace methods. Each row follows the
 * number of its filter.
 */
export function pngOf(format: number[], width: number, height: number, rows: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(format, 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** ITU-T T.81, tables K.1 and K.2. */
const LUMINANCE = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
  18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112,
  100, 103, 99,
]
const CHROMINANCE = LUMINANCE.map((_, i) => [17, 18, 24, 47, 99][Math.min(4, Math.max(i % 8, i >> 3))]!)

const BASIS = Float64Array.from({ length: 64 }, (_, i) => {
  const [frequency, at] = [i >> 3, i % 8]
  return (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * at + 1) * frequency * Math.PI) / 16)
})

const TRANSPOSED = BASIS.map((_, i) => BASIS[(i % 8) * 8 + (i >> 3)]!)

/** The same photo with the artefacts of JPEG compression: blocks and ringing around the ink. */
export function withJpegArtefacts(photo: Photo, quality = 70): Photo {
  const { width, height } = photo
  const scale = quality < 50 ? 50 / quality : 2 - quality / 50
  const planes = [
    [0.299, 0.587, 0.114],
    [-0.1687, -0.3313, 0.5],
    [0.5, -0.4187, -0.0813],
  ].map((weights, p) => {
    const plane = new Float64Array(width * height)
    for (let i = 0; i < plane.length; i++) for (let c = 0; c < 3; c++) plane[i]! += weights[c]! * photo.colour[i * 3 + c]!
    quantise(
      plane,
      width,
      height,
      (p === 0 ? LUMINANCE : CHROMINANCE).map(step => Math.max(1, Math.round(step * scale))),
    )
    return plane
  })
  const [y, cb, cr] = planes as [Float64Array, Float64Array, Float64Array]
  const colour = new Uint8ClampedArray(width * height * 3)
  for (let i = 0; i < y.length; i++) {
    colour[i * 3] = y[i]! + 1.402 * cr[i]!
    colour[i * 3 + 1] = y[i]! - 0.3441 * cb[i]! - 0.7141 * cr[i]!
    colour[i * 3 + 2] = y[i]! + 1.772 * cb[i]!
  }
  return { ...photo, colour: new Uint8Array(colour.buffer) }
}

/** Rounds the cosine coefficients of each 8 × 8 block, in place. Edge pixels are repeated. */
function quantise(plane: Float64Array, width: number, height: number, steps: number[]): void {
  const [block, half] = [new Float64Array(64), new Float64Array(64)]
  for (let top = 0; top < height; top += 8) {
    for (let left = 0; left < width; left += 8) {
      for (let i = 0; i < 64; i++) {
        block[i] = plane[Math.min(height - 1, top + (i >> 3)) * width + Math.min(width - 1, left + (i % 8))]!
      }
      transform(block, half, BASIS)
      for (let i = 0; i < 64; i++) block[i] = Math.round(block[i]! / steps[i]!) * steps[i]!
      transform(block, half, TRANSPOSED)
      for (let i = 0; i < 64; i++) {
        const [x, y] = [left + (i % 8), top + (i >> 3)]
        if (x < width && y < height) plane[y * width + x] = block[i]!
      }
    }
  }
}

/** Multiplies rows, then columns of the block by the matrix, in place. */
function transform(block: Float64Array, half: Float64Array, matrix: Float64Array): void {
  for (const [from, to] of [
    [block, half],
    [half, block],
  ] as const) {
    // Writing transposed makes the second pass the one over columns.
    for (let i = 0; i < 64; i++) {
      let sum = 0
      for (let n = 0; n < 8; n++) sum += matrix[(i % 8) * 8 + n]! * from[(i >> 3) * 8 + n]!
      to[(i % 8) * 8 + (i >> 3)] = sum
    }
  }
}
