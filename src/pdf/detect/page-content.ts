/** The text and the straight lines of a page as displayed: points from its top left corner. */

/** One glyph, or several characters that the PDF draws as one. Horizontal text only. */
export interface Glyph {
  text: string
  left: number
  right: number
  /** Of the baseline, from the top of the page. */
  y: number
  size: number
}

export interface HorizontalLine {
  left: number
  right: number
  y: number
  thickness: number
}

export interface VerticalLine {
  x: number
  top: number
  bottom: number
}

export interface PageContent {
  /** In points, as displayed. */
  width: number
  height: number
  glyphs: Glyph[]
  horizontals: HorizontalLine[]
  verticals: VerticalLine[]
  /** False if the page has more than the bounds below: the rest was left out. */
  isWhole: boolean
}

export const MAX_GLYPHS = 30_000
export const MAX_LINES = 5_000

// Transformation matrices `[a b c d e f]`. ISO 32000-2 §8.3.3, §8.3.4.

export type Matrix = readonly [number, number, number, number, number, number]

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** `first` is applied before `second`. */
export function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first
  const [g, h, i, j, k, l] = second
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l]
}

export function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f]
}

/** Undefined for anything but six finite numbers. */
export function toMatrix(value: unknown): Matrix | undefined {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return undefined
  const [a, b, c, d, e, f, ...more] = value as unknown as ArrayLike<number> & Iterable<number>
  const matrix = [a, b, c, d, e, f]
  return more.length === 0 && matrix.every(Number.isFinite) ? (matrix as unknown as Matrix) : undefined
}
