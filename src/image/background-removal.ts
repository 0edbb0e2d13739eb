/** Separates ink from photographed paper in uneven light, by a morphological closing. */
import type { RgbaImage } from './png-write.ts'

/** A photographed paper; red, green, blue, row by row from the top. */
export interface PhotoPixels {
  width: number
  height: number
  colour: Uint8Array
}

/** The widest line that counts as ink, as a share of the longer side. */
const MAX_LINE_WIDTH = 0.06
/** Minimum darkness as a share of the paper's tone: less is shade, texture or noise. */
const MIN_CONTRAST = 0.16
const MIN_NOISE = 0.07
/** Shares of the ink's darkness where visibility begins and ends; printed lines are lighter. */
const VISIBLE_FROM = 0.35
const OPAQUE_FROM = 0.72
/** A surface darker than this share of the paper's tone is not paper but the table below it. */
const MIN_PAPER_TONE = 0.36
/** Shares of the picture's area: less is dust; more in total is not writing. */
const MAX_DUST = 0.00001
const MAX_INK = 0.4
/** Pixels of ink in a whole mark. */
const MIN_PIXELS = 40

/** The ink as on white paper, with its opacity. Undefined if none can be distinguished. */
export function extractInk({ width, height, colour }: PhotoPixels): RgbaImage | undefined {
  const size = width * height
  const radius = Math.max(3, Math.round((MAX_LINE_WIDTH * Math.max(width, height)) / 2))
  const channels = [0, 1, 2].map(c => {
    const values = new Uint8Array(size)
    for (let i = 0; i < size; i++) values[i] = colour[i * 3 + c]!
    return values
  })
  // The opening removes single light pixels: noise must not pass for the paper's tone.
  const papers = channels.map(values => closing({ values: opening({ values, width, height }, 1), width, height }, radius))
  const darkness = measureDarkness(channels, papers)
  maskBackground(darkness, { values: toneOf(papers), width, height }, radius)
  const range = findInkRange(darkness)
  if (range === undefined) return undefined
  const levels = Uint8Array.from({ length: 256 }, (_, value) => {
    return Math.round(255 * Math.min(1, Math.max(0, (value / 255 - range.visible) / (range.opaque - range.visible))))
  })
  const alpha = darkness.map(value => levels[value]!)
  const ink = removeNonStrokes(alpha, width, height)
  if (ink < MIN_PIXELS || ink > MAX_INK * size) return undefined
  const isBlurred =
    isLarge(width, height) && edgeContrast({ values: darkness, width, height }, alpha) < MIN_SHARPNESS * range.strength
  return isBlurred ? undefined : { width, height, colour: correctLight(channels, papers), alpha }
}

/** 255 × the share of light missing in the channel that lost most: blue ink absorbs red. */
function measureDarkness(channels: Uint8Array[], papers: Uint8Array[]): Uint8Array {
  const darkness = new Uint8Array(channels[0]!.length)
  channels.forEach((channel, c) => {
    const paper = papers[c]!
    for (let i = 0; i < darkness.length; i++) {
      const share = 1 - channel[i]! / Math.max(1, paper[i]!)
      if (share > 0) darkness[i] = Math.max(darkness[i]!, Math.round(255 * share))
    }
  })
  return darkness
}

/** The colours as they would be if the paper were white everywhere. */
function correctLight(channels: Uint8Array[], papers: Uint8Array[]): Uint8Array {
  const colour = new Uint8Array(channels[0]!.length * 3)
  channels.forEach((channel, c) => {
    const paper = papers[c]!
    for (let i = 0; i < channel.length; i++) colour[i * 3 + c] = Math.min(255, (255 * channel[i]!) / Math.max(1, paper[i]!))
  })
  return colour
}

function toneOf([red, green, blue]: Uint8Array[]): Uint8Array {
  return green!.map((value, i) => (red![i]! + 2 * value + blue![i]!) / 4)
}

/** Clears the darkness outside the paper and beside the paper's edge: no ink can be there. */
function maskBackground(darkness: Uint8Array, tone: GreyImage, radius: number): void {
  const minTone = MIN_PAPER_TONE * percentile(histogramOf(tone.values), 0.9)
  const darkestNearby = minFilter(tone, Math.max(2, Math.round(radius / 8)))
  for (let i = 0; i < darkness.length; i++) if (darkestNearby[i]! < minTone) darkness[i] = 0
}

function histogramOf(values: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256)
  for (const value of values) counts[value]!++
  return counts
}

/** The smallest value with at least this share of all counts at or below it. */
function percentile(counts: Uint32Array, share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let seen = 0
  return counts.findIndex(count => {
    seen += count
    return seen > 0 && seen >= share * total
  })
}

/** Shares of the paper's tone. Undefined if nothing is darker than the noise. */
function findInkRange(darkness: Uint8Array): { visible: number; opaque: number; strength: number } | undefined {
  const counts = histogramOf(darkness)
  const median = percentile(counts, 0.5)
  // Most of a page is paper: the distance from median to upper quartile measures its noise.
  const spread = percentile(counts, 0.75) - median
  const noise = Math.max(MIN_NOISE, (median + 6 * spread) / 255)
  const contrasting = counts.map((count, value) => (value / 255 > Math.max(noise, MIN_CONTRAST) ? count : 0))
  if (contrasting.every(count => count === 0)) return undefined
  const strength = percentile(contrasting, 0.95) / 255
  const visible = Math.max(noise, VISIBLE_FROM * strength)
  const opaque = OPAQUE_FROM * strength
  return opaque > visible ? { visible, opaque, strength } : undefined
}

/** Change of darkness within a few pixels at an edge; that of folds and shadows is smaller. */
const MIN_SHARPNESS = 0.37
/** Of the longer side. */
const EDGE_WIDTH = 0.002

/** In a small picture a fold is only as many pixels wide as a line, so sharpness proves nothing. */
function isLarge(width: number, height: number): boolean {
  return EDGE_WIDTH * Math.max(width, height) >= 2
}

/** Median change of darkness across the edges of visible areas, as a share of the paper's tone. */
function edgeContrast(darkness: GreyImage, alpha: Uint8Array): number {
  const { width, height } = darkness
  const radius = Math.round(EDGE_WIDTH * Math.max(width, height))
  // Blurred, so that noise does not count as a change.
  const soft = { values: blur(darkness), width, height }
  const [max, min] = [maxFilter(soft, radius), minFilter(soft, radius)]
  const changes = new Uint32Array(256)
  const isEdge = (i: number) => !alpha[i - 1] || !alpha[i + 1] || !alpha[i - width] || !alpha[i + width]
  forEachInner(width, height, i => {
    if (alpha[i] !== 0 && isEdge(i)) changes[max[i]! - min[i]!]!++
  })
  return percentile(changes, 0.5) / 255
}

/** The mean of the nine values around each; pixels at the picture's edge stay as they are. */
function blur({ values, width, height }: GreyImage): Uint8Array {
  const result = values.slice()
  forEachInner(width, height, i => {
    let sum = 0
    for (let at = i - width; at <= i + width; at += width) sum += values[at - 1]! + values[at]! + values[at + 1]!
    result[i] = sum / 9
  })
  return result
}

/** Every pixel with eight neighbours. */
function forEachInner(width: number, height: number, visit: (i: number) => void): void {
  for (let y = 1; y < height - 1; y++) for (let i = y * width + 1; i < (y + 1) * width - 1; i++) visit(i)
}

/** A connected area of visible pixels. */
interface Stroke {
  pixels: number
  maxAlpha: number
  left: number
  right: number
  top: number
  bottom: number
  /** Pixels at the picture's edge. */
  edgePixels: number
}

/** Every stroke is at least this opaque somewhere; of 255. */
const MIN_STROKE_ALPHA = 150
/** A stroke with more pixels at the picture's edge lies along it; share of the shorter side. */
const MAX_ALONG_EDGE = 0.15
/** A scrap has at most this share of all ink, or of the longer side. */
const MAX_SCRAP = 0.05

/** Clears dust, faint areas, and the table or shadows at the edges. Returns the ink in pixels. */
function removeNonStrokes(alpha: Uint8Array, width: number, height: number): number {
  const { labels, strokes } = findStrokes(alpha, width, height)
  const minPixels = Math.max(3, MAX_DUST * width * height)
  const maxEdgePixels = MAX_ALONG_EDGE * Math.min(width, height)
  const isStroke = ({ pixels, maxAlpha, edgePixels }: Stroke) =>
    pixels >= minPixels && maxAlpha > MIN_STROKE_ALPHA && edgePixels < maxEdgePixels
  const total = strokes.reduce((sum, stroke) => sum + (isStroke(stroke) ? stroke.pixels : 0), 0)
  const isScrap = ({ pixels, left, right, top, bottom }: Stroke) =>
    pixels <= MAX_SCRAP * total || Math.max(right - left, bottom - top) < MAX_SCRAP * Math.max(width, height)
  const isKept = strokes.map(stroke => isStroke(stroke) && (stroke.edgePixels === 0 || !isScrap(stroke)))
  let ink = 0
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] === 0) continue
    if (isKept[labels[i]! - 1]) ink += alpha[i]! / 255
    else alpha[i] = 0
  }
  return ink
}

/** Labels each pixel with the number of its stroke, from 1; 0 is none. */
function findStrokes(alpha: Uint8Array, width: number, height: number): { labels: Uint32Array; strokes: Stroke[] } {
  const labels = new Uint32Array(alpha.length)
  const queue = new Int32Array(alpha.length)
  const strokes: Stroke[] = []
  for (let start = 0; start < alpha.length; start++) {
    if (alpha[start] === 0 || labels[start] !== 0) continue
    const stroke: Stroke = { pixels: 0, maxAlpha: 0, left: width, right: 0, top: height, bottom: 0, edgePixels: 0 }
    const label = strokes.push(stroke)
    queue[0] = start
    labels[start] = label
    let queued = 1
    while (stroke.pixels < queued) {
      const at = queue[stroke.pixels]!
      addPixel(stroke, at, alpha, width, height)
      queued = enqueueNeighbours(at, label, { alpha, labels, queue, width, height }, queued)
    }
  }
  return { labels, strokes }
}

function addPixel(stroke: Stroke, at: number, alpha: Uint8Array, width: number, height: number): void {
  const [x, y] = [at % width, Math.floor(at / width)]
  stroke.pixels++
  stroke.maxAlpha = Math.max(stroke.maxAlpha, alpha[at]!)
  stroke.left = Math.min(stroke.left, x)
  stroke.right = Math.max(stroke.right, x)
  stroke.top = Math.min(stroke.top, y)
  stroke.bottom = Math.max(stroke.bottom, y)
  if (x === 0 || y === 0 || x === width - 1 || y === height - 1) stroke.edgePixels++
}

interface Search {
  alpha: Uint8Array
  labels: Uint32Array
  queue: Int32Array
  width: number
  height: number
}

/** Labels and queues the visible pixels around `at`. Returns the length of the queue. */
function enqueueNeighbours(at: number, label: number, { alpha, labels, queue, width, height }: Search, length: number): number {
  const [x, y] = [at % width, Math.floor(at / width)]
  let end = length
  for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
    for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
      const next = ny * width + nx
      if (labels[next] !== 0 || alpha[next] === 0) continue
      labels[next] = label
      queue[end++] = next
    }
  }
  return end
}

// Filters over a square window, in time independent of its size (van Herk, Gil and Werman).

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

function maxFilter(image: GreyImage, radius: number): Uint8Array {
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
