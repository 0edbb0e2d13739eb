/** Drawn marks: samples of the pad and outlines drawn from them. Bundled for the browser too. */
import { type InkShape, maxHalvings, type PathStep, type PenPoint, strokeShapes } from './ink-outline.ts'

export const INK_LIMITS = { strokes: 200, points: 10_000, characters: 200_000, shortestSide: 16, longestSide: 16_384 } as const
export const FULL_PRESSURE = 255

/** Samples of the pen as integers, y downwards from the upper left corner of the pad. */
export interface Ink {
  /** In units of the pad. Finer units give smoother lines: ten per CSS pixel are enough. */
  width: number
  height: number
  /** From pen down to pen up: x, y, pressure, x, y, pressure … */
  strokes: number[][]
}

/** `too_much`: beyond the limits. `too_little`: a touch of the pad, not a mark. */
export type InkError = 'unreadable' | 'too_much' | 'too_little'

/** The minimum length of a mark, as a fraction of the pad's shorter side. */
const MIN_LENGTH = 0.1

/** Parses a text written by `inkText`. The text is untrusted. */
export function parseInk(text: string): Ink | { error: InkError } {
  if (text.length > INK_LIMITS.characters) return { error: 'too_much' }
  const ink = inkOf(jsonOf(text))
  if (ink === undefined) return { error: 'unreadable' }
  const points = ink.strokes.reduce((sum, stroke) => sum + stroke.length / 3, 0)
  if (ink.strokes.length > INK_LIMITS.strokes || points > INK_LIMITS.points) return { error: 'too_much' }
  const length = ink.strokes.reduce((sum, stroke) => sum + lengthOf(stroke), 0)
  return length < MIN_LENGTH * Math.min(ink.width, ink.height) ? { error: 'too_little' } : ink
}

/** Equal drawings give equal texts, in ASCII. */
export function inkText({ width, height, strokes }: Ink): string {
  return JSON.stringify({ width, height, strokes })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function inkOf(value: unknown): Ink | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).sort().join() !== 'height,strokes,width') return undefined
  const { width, height, strokes } = value as Record<keyof Ink, unknown>
  const { shortestSide, longestSide } = INK_LIMITS
  if (!isWithin(width, shortestSide, longestSide) || !isWithin(height, shortestSide, longestSide)) return undefined
  if (!Array.isArray(strokes) || !strokes.every(stroke => isStroke(stroke, [width, height, FULL_PRESSURE]))) return undefined
  // Turns minus zero into zero, which `inkText` writes.
  return { width, height, strokes: strokes.map((stroke: number[]) => stroke.map(number => number + 0)) }
}

function isStroke(value: unknown, max: number[]): value is number[] {
  return (
    Array.isArray(value) &&
    value.length >= 3 &&
    value.length % 3 === 0 &&
    value.every((number, i) => isWithin(number, 0, max[i % 3]!))
  )
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}

function lengthOf(stroke: number[]): number {
  let sum = 0
  for (let i = 3; i < stroke.length; i += 3) sum += Math.hypot(stroke[i]! - stroke[i - 3]!, stroke[i + 1]! - stroke[i - 2]!)
  return sum
}

/** The pen's width as a fraction of the square root of the pad's area. */
const PEN_FRACTION = 0.0105
/** The minimum width of a dot, in pen widths. */
const DOT = 1.3
/** Samples nearer than this to the one before are noise of the device; in pen widths. */
const NEAR = 0.4
/** Smoothing may move a sample by rounding to whole units and by a fraction of the pen width. */
const ROUNDING = 0.5
const SHAKE = 0.12
/** The distance between samples of a fast line, in pen widths. */
const FAST = 6
/** A stroke whose pressures differ by less comes from a device that measures no pressure. */
const MIN_PRESSURE_RANGE = 8

/** The width of a line of medium speed or pressure, in the pad's units. */
export function penWidth({ width, height }: Pick<Ink, 'width' | 'height'>): number {
  return PEN_FRACTION * Math.sqrt(width * height)
}

/** Converts a drawing to outlines to be filled. `weight` scales the width of the pen. */
export function inkShapes(ink: Ink, weight = 1): InkShape[] {
  const pen = penWidth(ink)
  const halvings = maxHalvings(ink.strokes.reduce((sum, stroke) => sum + stroke.length / 3, 0))
  return ink.strokes.flatMap(stroke => strokeShapes(penPointsOf(stroke, pen, weight), halvings))
}

/** The `d` attribute of an SVG path. */
export function svgPath(shapes: readonly InkShape[]): string {
  const written = ([letter, ...numbers]: PathStep) =>
    letter + numbers.map(number => String(Math.round(number * 100) / 100)).join(' ')
  return shapes.map(shape => `${shape.map(written).join('')}Z`).join('')
}

/** The smoothed samples, each with the radius of the pen. */
function penPointsOf(stroke: number[], pen: number, weight: number): PenPoint[] {
  const points = thinned(stroke, NEAR * pen)
  const xs = smoothed(
    points.map(([x]) => x),
    ROUNDING + SHAKE * pen,
  )
  const ys = smoothed(
    points.map(([, y]) => y),
    ROUNDING + SHAKE * pen,
  )
  const widths = smoothed(widthsOf(points, FAST * pen), Number.POSITIVE_INFINITY)
  // A touch makes a dot, a little wider than a line.
  const min = points.length === 1 ? DOT : 0
  return points.map((_, i) => ({ x: xs[i]!, y: ys[i]!, radius: (Math.max(min, widths[i]!) * pen * weight) / 2 }))
}

type Point = readonly [x: number, y: number, pressure: number]

/** Drops samples nearer than `min` to the one before, except the last sample. */
function thinned(stroke: number[], min: number): Point[] {
  const points: Point[] = []
  for (let i = 0; i + 2 < stroke.length; i += 3) {
    const point: Point = [stroke[i]!, stroke[i + 1]!, stroke[i + 2]!]
    const isNear = (to: Point | undefined) => to !== undefined && Math.hypot(point[0] - to[0], point[1] - to[1]) < min
    if (!isNear(points.at(-1))) points.push(point)
    // A line ends where the pen was lifted.
    else if (i + 3 >= stroke.length && points.length > 1 && !isNear(points.at(-2))) points[points.length - 1] = point
  }
  return points
}

/** In pen widths: by pressure if the device measures it, otherwise by speed. */
function widthsOf(points: Point[], fast: number): number[] {
  const pressures = points.map(([, , pressure]) => pressure)
  if (Math.max(...pressures) - Math.min(...pressures) >= MIN_PRESSURE_RANGE)
    return pressures.map(pressure => 0.45 + (1.2 * pressure) / FULL_PRESSURE)
  const speeds = points.map(([x, y], i) => {
    const [bx, by] = points[i - 1] ?? points[i + 1] ?? [x, y]
    return Math.min(1, Math.hypot(x - bx, y - by) / fast)
  })
  return speeds.map(speed => 1.25 - 0.7 * speed)
}

/** Moves each value towards its neighbours by at most `max`; the first and last stay. */
function smoothed(values: number[], max: number): number[] {
  let now = values
  for (let round = 0; round < 3; round++) {
    now = now.map((value, i) => {
      if (i === 0 || i === now.length - 1) return value
      const mean = (now[i - 1]! + 2 * value + now[i + 1]!) / 4
      return Math.min(values[i]! + max, Math.max(values[i]! - max, mean))
    })
  }
  return now
}

export interface InkBounds {
  left: number
  top: number
  right: number
  bottom: number
}

/** May exceed the pad by the pen's width. @throws RangeError without outlines */
export function inkBounds(shapes: readonly InkShape[]): InkBounds {
  const bounds = {
    left: Number.POSITIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  }
  for (const shape of shapes) {
    let [x, y] = [0, 0]
    for (const [, ...numbers] of shape) {
      const [xs, ys] = [0, 1].map(axis => numbers.filter((_, i) => i % 2 === axis))
      for (const value of extremes(x, xs!)) {
        bounds.left = Math.min(bounds.left, value)
        bounds.right = Math.max(bounds.right, value)
      }
      for (const value of extremes(y, ys!)) {
        bounds.top = Math.min(bounds.top, value)
        bounds.bottom = Math.max(bounds.bottom, value)
      }
      ;[x, y] = numbers.slice(-2) as [number, number]
    }
  }
  if (bounds.left > bounds.right) throw new RangeError('there is no ink')
  return bounds
}

/** The end of a step along one axis, and the turning points of a curve. */
function extremes(from: number, to: number[]): number[] {
  const [b, c, d] = to
  if (b === undefined || c === undefined || d === undefined) return to
  // The derivative is quadratic and 0 at the turning points.
  const [p, q, r] = [d - 3 * c + 3 * b - from, 2 * (c - 2 * b + from), b - from]
  const root = Math.sqrt(q * q - 4 * p * r)
  const times = Math.abs(p) < 1e-9 ? [-r / q] : [(-q + root) / (2 * p), (-q - root) / (2 * p)]
  const at = (t: number) => (1 - t) ** 3 * from + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t * t * c + t ** 3 * d
  return [d, ...times.filter(t => t > 0 && t < 1).map(at)]
}
