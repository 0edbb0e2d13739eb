/**
 * Tells the ink of a photographed or scanned paper from the paper, whatever light falls on it: the paper is what is left when all that is thin and
 * darker than its surroundings is filled up; ink is what is darker than that. Works on plain samples; no file format.
 */

import { closing, type GreyImage, maxFilter, minFilter, opening } from './min-max-filter.ts'
import type { RgbaImage } from './png-write.ts'

/** Colours of a paper with something on it; red, green, blue, row by row from the top. */
export interface PhotoPixels {
  width: number
  height: number
  colour: Uint8Array
}

/** The widest line that is taken for ink, of the picture's longer side. */
const WIDEST_LINE = 0.06
/** How much darker than the paper ink is at least, as a share of the paper's tone: less is shade, texture or the compression's noise. */
const LEAST_CONTRAST = 0.16
const LEAST_NOISE = 0.07
/** From which share of the ink's own darkness a pixel begins to show, and from which it is nothing but ink. Printed lines of paper are lighter. */
const BEGINS = 0.35
const FULL = 0.72
/** Darker than this share of the paper is no paper: the table it lies on. */
const NO_PAPER = 0.36
/** Of the picture's area: smaller is dust; more in all is no writing. */
const DUST = 0.00001
const MOST_INK = 0.4

/** A mark has more than a few pixels. */
const LEAST_PIXELS = 40

/** The ink with its own colour as on white paper, and how much of it is where; undefined where there is none that could be told from its ground. */
export function extractInk({ width, height, colour }: PhotoPixels): RgbaImage | undefined {
  const size = width * height
  const radius = Math.max(3, Math.round((WIDEST_LINE * Math.max(width, height)) / 2))
  const channels = [0, 1, 2].map(c => {
    const values = new Uint8Array(size)
    for (let i = 0; i < size; i++) values[i] = colour[i * 3 + c]!
    return values
  })
  // Single pixels lighter than the rest are noise, and must not stand for the paper's tone.
  const papers = channels.map(values => closing({ values: opening({ values, width, height }, 1), width, height }, radius))
  const darkness = darknessOf(channels, papers)
  maskGround(darkness, { values: toneOf(papers), width, height }, radius)
  const range = rangeOf(darkness)
  if (range === undefined) return undefined
  const levels = Uint8Array.from({ length: 256 }, (_, value) => {
    return Math.round(255 * Math.min(1, Math.max(0, (value / 255 - range.begins) / (range.full - range.begins))))
  })
  const alpha = darkness.map(value => levels[value]!)
  const ink = keepStrokes(alpha, width, height)
  if (ink < LEAST_PIXELS || ink > MOST_INK * size) return undefined
  if (isLarge(width, height) && edgeOf({ values: darkness, width, height }, alpha) < SHARP * range.strength) return undefined
  return { width, height, colour: inWhiteLight(channels, papers), alpha }
}

/** Of the colour that is taken away most: blue ink takes away red. 255 is all. */
function darknessOf(channels: Uint8Array[], papers: Uint8Array[]): Uint8Array {
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

function inWhiteLight(channels: Uint8Array[], papers: Uint8Array[]): Uint8Array {
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

/** What is no paper has no ink either, nor has the paper's edge beside it. */
function maskGround(darkness: Uint8Array, tone: GreyImage, radius: number): void {
  const least = NO_PAPER * percentile(histogramOf(tone.values), 0.9)
  const around = minFilter(tone, Math.max(2, Math.round(radius / 8)))
  for (let i = 0; i < darkness.length; i++) if (around[i]! < least) darkness[i] = 0
}

function histogramOf(values: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256)
  for (const value of values) counts[value]!++
  return counts
}

/** The value below which that share of all counted lies. */
function percentile(counts: Uint32Array, share: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0)
  let seen = 0
  return counts.findIndex(count => {
    seen += count
    return seen > 0 && seen >= share * all
  })
}

/** Where ink begins and is full, and how dark it is, shares of the paper's tone; undefined when nothing stands out. */
function rangeOf(darkness: Uint8Array): { begins: number; full: number; strength: number } | undefined {
  const counts = histogramOf(darkness)
  const middle = percentile(counts, 0.5)
  // Most of a page is paper: its upper quarter tells how far its noise reaches.
  const spread = percentile(counts, 0.75) - middle
  const noise = Math.max(LEAST_NOISE, (middle + 6 * spread) / 255)
  const outstanding = counts.map((count, value) => (value / 255 > Math.max(noise, LEAST_CONTRAST) ? count : 0))
  if (outstanding.every(count => count === 0)) return undefined
  const strength = percentile(outstanding, 0.95) / 255
  const begins = Math.max(noise, BEGINS * strength)
  const full = FULL * strength
  return full > begins ? { begins, full, strength } : undefined
}

/** Of the ink's darkness: over a few pixels its edges change by as much. What grows darker over many is a fold, a stain or a shadow. */
const SHARP = 0.37
const FEW_PIXELS = 0.002

/** In a small picture a fold is as few pixels wide as a line. */
function isLarge(width: number, height: number): boolean {
  return FEW_PIXELS * Math.max(width, height) >= 2
}

/** By how much darkness changes across the edges of what is seen, in the middle of all of them; a share of the paper's tone. */
function edgeOf(darkness: GreyImage, alpha: Uint8Array): number {
  const { width, height } = darkness
  const radius = Math.round(FEW_PIXELS * Math.max(width, height))
  // Noise is no change.
  const soft = { values: softened(darkness), width, height }
  const [most, least] = [maxFilter(soft, radius), minFilter(soft, radius)]
  const changes = new Uint32Array(256)
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      if (alpha[i] === 0) continue
      if (!alpha[i - 1] || !alpha[i + 1] || !alpha[i - width] || !alpha[i + width]) changes[most[i]! - least[i]!]!++
    }
  }
  return percentile(changes, 0.5) / 255
}

/** Each value the mean of the nine around it; those at the picture's edge as they are. */
function softened({ values, width, height }: GreyImage): Uint8Array {
  const result = values.slice()
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      let sum = 0
      for (let at = i - width; at <= i + width; at += width) sum += values[at - 1]! + values[at]! + values[at + 1]!
      result[i] = sum / 9
    }
  }
  return result
}

/** What hangs together: how many pixels, how dark the darkest, how far they reach, and how many of them lie at the picture's edge. */
interface Stroke {
  count: number
  darkest: number
  left: number
  right: number
  top: number
  bottom: number
  atEdge: number
}

/**
 * Takes away dust, what is nowhere dark, and what lies along an edge of the picture or is a scrap there: the table beside the paper, the corner of a
 * shadow. How much ink is left, in pixels.
 */
function keepStrokes(alpha: Uint8Array, width: number, height: number): number {
  const { labels, strokes } = strokesOf(alpha, width, height)
  const least = Math.max(3, DUST * width * height)
  const isWhole = ({ count, darkest, atEdge }: Stroke) =>
    count >= least && darkest > DARK && atEdge < ALONG_EDGE * Math.min(width, height)
  const all = strokes.reduce((sum, stroke) => sum + (isWhole(stroke) ? stroke.count : 0), 0)
  const isScrap = ({ count, left, right, top, bottom }: Stroke) =>
    count <= SCRAP * all || Math.max(right - left, bottom - top) < SCRAP * Math.max(width, height)
  const isKept = strokes.map(stroke => isWhole(stroke) && (stroke.atEdge === 0 || !isScrap(stroke)))
  let ink = 0
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] === 0) continue
    if (isKept[labels[i]! - 1]) ink += alpha[i]! / 255
    else alpha[i] = 0
  }
  return ink
}

/** Of 255: every stroke is as dark somewhere. */
const DARK = 150
/** Of the picture's shorter side. */
const ALONG_EDGE = 0.15
/** Of all ink, and of the picture's longer side. */
const SCRAP = 0.05

/** Each pixel's stroke, counted from 1; 0 is none. */
function strokesOf(alpha: Uint8Array, width: number, height: number): { labels: Uint32Array; strokes: Stroke[] } {
  const labels = new Uint32Array(alpha.length)
  const queue = new Int32Array(alpha.length)
  const strokes: Stroke[] = []
  for (let start = 0; start < alpha.length; start++) {
    if (alpha[start] === 0 || labels[start] !== 0) continue
    const stroke: Stroke = { count: 1, darkest: 0, left: width, right: 0, top: height, bottom: 0, atEdge: 0 }
    const label = strokes.push(stroke)
    queue[0] = start
    labels[start] = label
    for (let taken = 0; taken < stroke.count; taken++) {
      const at = queue[taken]!
      const [x, y] = [at % width, Math.floor(at / width)]
      stroke.darkest = Math.max(stroke.darkest, alpha[at]!)
      stroke.left = Math.min(stroke.left, x)
      stroke.right = Math.max(stroke.right, x)
      stroke.top = Math.min(stroke.top, y)
      stroke.bottom = Math.max(stroke.bottom, y)
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) stroke.atEdge++
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx
          if (labels[next] !== 0 || alpha[next] === 0) continue
          labels[next] = label
          queue[stroke.count++] = next
        }
      }
    }
  }
  return { labels, strokes }
}
