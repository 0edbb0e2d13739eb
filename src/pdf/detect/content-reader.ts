/**
 * Follows the graphics and text state of a page's operators and collects glyphs and straight lines.
 * ISO 32000-2 §8.4, §8.5, §9.3, §9.4. Ignores clipping, images, colours and vertical writing.
 */
import { displayedSize, displayMatrix, type PageBox } from '../../core/field/geometry.ts'
import {
  apply,
  type Glyph,
  IDENTITY,
  MAX_GLYPHS,
  MAX_LINES,
  type Matrix,
  multiply,
  type PageContent,
  toMatrix,
} from './page-content.ts'

/** What pdf.js says of a font. */
export interface FontFacts {
  /** Of the glyph space, 0.001 but for Type 3 fonts. */
  scale: number
  isVertical: boolean
}

/** A glyph or, as a number, an adjustment of the position in thousandths of the font size. */
export type ShownGlyph = { unicode?: string; width?: number; isSpace?: boolean } | number | null

interface TextState {
  font: FontFacts | undefined
  size: number
  charSpacing: number
  wordSpacing: number
  horizontalScale: number
  leading: number
  rise: number
}

interface GraphicsState extends TextState {
  matrix: Matrix
  lineWidth: number
}

const INITIAL: GraphicsState = {
  matrix: IDENTITY,
  lineWidth: 1,
  font: undefined,
  size: 0,
  charSpacing: 0,
  wordSpacing: 0,
  horizontalScale: 1,
  leading: 0,
  rise: 0,
}

/** Deeper nesting is ignored, as a viewer would run out of memory. */
const MAX_STATES = 500
/** Slant of a line or a baseline that still counts as straight, as dy / dx. */
const MAX_SLOPE = 0.01
/** Of a signature line, pt. */
const MAX_THICKNESS = 2
/** Dashes are short. */
const MIN_DASH = 1
const MIN_VERTICAL = 8

export interface PathPainting {
  strokes: boolean
  fills: boolean
}

type Point = [x: number, y: number]

export class ContentReader {
  readonly #content: PageContent
  readonly #toDisplay: Matrix
  readonly #saved: GraphicsState[] = []
  #state: GraphicsState
  #textMatrix: Matrix = IDENTITY
  #lineMatrix: Matrix = IDENTITY

  constructor(box: PageBox) {
    const { width, height } = displayedSize(box)
    const { userUnit } = box
    this.#content = {
      width: width * userUnit,
      height: height * userUnit,
      glyphs: [],
      horizontals: [],
      verticals: [],
      isWhole: true,
    }
    this.#toDisplay = displayMatrix(box)
    this.#state = INITIAL
  }

  get content(): PageContent {
    return this.#content
  }

  save(): void {
    if (this.#saved.length < MAX_STATES) this.#saved.push(this.#state)
  }

  restore(): void {
    this.#state = this.#saved.pop() ?? this.#state
  }

  transform(value: unknown): void {
    const matrix = toMatrix(value)
    if (matrix) this.#set({ matrix: multiply(matrix, this.#state.matrix) })
  }

  setLineWidth(width: number): void {
    this.#set({ lineWidth: width })
  }

  setText(change: Partial<TextState>): void {
    this.#set(change)
  }

  get leading(): number {
    return this.#state.leading
  }

  beginText(): void {
    this.setTextMatrix(IDENTITY)
  }

  setTextMatrix(value: unknown): void {
    const matrix = toMatrix(value)
    if (matrix) this.#textMatrix = this.#lineMatrix = matrix
  }

  moveText(x: number, y: number): void {
    this.#lineMatrix = multiply([1, 0, 0, 1, x, y], this.#lineMatrix)
    this.#textMatrix = this.#lineMatrix
  }

  /** §9.4.4. Hidden text moves the position all the same. */
  showText(glyphs: readonly ShownGlyph[], isHidden: boolean): void {
    const { font, size, charSpacing, wordSpacing, horizontalScale } = this.#state
    if (font === undefined || font.isVertical) return
    for (const glyph of glyphs) {
      if (glyph === null) continue
      if (typeof glyph === 'number') {
        this.#advance((-glyph / 1000) * size * horizontalScale)
        continue
      }
      const width = (glyph.width ?? 0) * font.scale * size * horizontalScale
      if (!isHidden) this.#addGlyph(glyph.unicode ?? '', width)
      this.#advance(width + (charSpacing + (glyph.isSpace ? wordSpacing : 0)) * horizontalScale)
    }
  }

  /** `path`: `DrawOPS` codes of pdf.js, each followed by its coordinates. */
  paintPath(path: ArrayLike<number>, painting: PathPainting): void {
    for (const subpath of this.#subpaths(path)) {
      if (painting.strokes) this.#addStrokes(subpath)
      else if (painting.fills) this.#addFilledBar(subpath)
    }
  }

  #set(change: Partial<GraphicsState>): void {
    this.#state = { ...this.#state, ...change }
  }

  #advance(x: number): void {
    if (Number.isFinite(x)) this.#textMatrix = multiply([1, 0, 0, 1, x, 0], this.#textMatrix)
  }

  #addGlyph(text: string, width: number): void {
    const { glyphs } = this.#content
    if (glyphs.length >= MAX_GLYPHS) this.#content.isWhole = false
    if (text === '' || glyphs.length >= MAX_GLYPHS) return
    const { size, rise, matrix } = this.#state
    const toPage = multiply(multiply(this.#textMatrix, matrix), this.#toDisplay)
    const [left, y] = apply(toPage, 0, rise)
    const [right, endY] = apply(toPage, width, rise)
    const [topX, topY] = apply(toPage, 0, rise + size)
    const height = Math.hypot(topX - left, topY - y)
    const isUpright = topY < y && right >= left && Math.abs(endY - y) <= MAX_SLOPE * Math.max(right - left, height)
    const glyph: Glyph = { text, left, right, y, size: height }
    if (isUpright && height > 0 && [left, right, y].every(Number.isFinite) && this.#isOnPage(left, right, y)) glyphs.push(glyph)
  }

  #isOnPage(left: number, right: number, y: number): boolean {
    const { width, height } = this.#content
    return right >= 0 && left <= width && y >= 0 && y <= height
  }

  /** In display space, without what follows a curve. */
  #subpaths(path: ArrayLike<number>): Point[][] {
    const matrix = multiply(this.#state.matrix, this.#toDisplay)
    const subpaths: Point[][] = []
    let points: Point[] = []
    for (let at = 0; at < path.length; ) {
      const code = path[at++]
      const [length, point] = this.#pathStep(code, path, at, matrix)
      at += length
      if (code === MOVE_TO) {
        points = []
        subpaths.push(points)
      }
      if (point) points.push(point)
      else if (code === CLOSE_PATH && points[0]) points.push(points[0])
      else points = []
    }
    return subpaths
  }

  #pathStep(code: number | undefined, path: ArrayLike<number>, at: number, matrix: Matrix): [length: number, point?: Point] {
    if (code === MOVE_TO || code === LINE_TO) return [2, apply(matrix, path[at] ?? 0, path[at + 1] ?? 0)]
    return [code === CURVE_TO ? 6 : code === QUADRATIC_CURVE_TO ? 4 : 0]
  }

  #addStrokes(points: readonly Point[]): void {
    const { matrix, lineWidth } = this.#state
    const [a, b, c, d] = multiply(matrix, this.#toDisplay)
    const thickness = lineWidth * Math.sqrt(Math.abs(a * d - b * c))
    for (let i = 1; i < points.length; i++) this.#addLine(points[i - 1]!, points[i]!, thickness)
  }

  /** A thin filled rectangle is a line, as many programs draw it; a larger one has four edges. */
  #addFilledBar(points: readonly Point[]): void {
    if (points.length < 4 || points.length > 6) return
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
    const [left, right] = [Math.min(...xs), Math.max(...xs)]
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
    const isBox = points.every(([x, y]) => (near(x, left) || near(x, right)) && (near(y, top) || near(y, bottom)))
    if (!isBox) return
    const middle = (top + bottom) / 2
    if (bottom - top <= MAX_THICKNESS) this.#addLine([left, middle], [right, middle], bottom - top)
    else if (right - left <= MAX_THICKNESS) this.#addLine([(left + right) / 2, top], [(left + right) / 2, bottom], right - left)
  }

  #addLine([x1, y1]: Point, [x2, y2]: Point, thickness: number): void {
    const { horizontals, verticals } = this.#content
    if (horizontals.length + verticals.length >= MAX_LINES) {
      this.#content.isWhole = false
      return
    }
    const [dx, dy] = [Math.abs(x2 - x1), Math.abs(y2 - y1)]
    if (!Number.isFinite(dx + dy) || thickness > MAX_THICKNESS) return
    const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)]
    const y = (y1 + y2) / 2
    if (dx >= MIN_DASH && dy <= dx * MAX_SLOPE && this.#isOnPage(left, right, y)) horizontals.push({ left, right, y, thickness })
    else if (dy >= MIN_VERTICAL && dx <= dy * MAX_SLOPE)
      verticals.push({ x: (x1 + x2) / 2, top: Math.min(y1, y2), bottom: Math.max(y1, y2) })
  }
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.05

/** `DrawOPS` of pdf.js. */
const [MOVE_TO, LINE_TO, CURVE_TO, QUADRATIC_CURVE_TO, CLOSE_PATH] = [0, 1, 2, 3, 4]
