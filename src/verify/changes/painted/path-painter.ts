/** Collects a path and makes a mark of it when it is painted. ISO 32000-2 §8.5. */
import { apply, type Matrix } from '../../../pdf/detect/matrix.ts'
import { intersect } from '../form-fields.ts'
import { type GraphicsState, mixing } from './graphics-state.ts'
import { boundsOf, type Ink, type Painting, type PathMark, type Stroke, union } from './marks.ts'

type Point = readonly [number, number]

export interface PathPainting {
  strokes: boolean
  fills: boolean
  closes: boolean
}

/** In points, of a rectangle on a turned page. */
const ROUNDING = 0.001

/** Four lines along the axes, and one that closes them. */
const isRectangle = (parts: readonly Stroke[]): boolean =>
  parts.length <= 5 &&
  parts.every(({ box, isCurve }) => !isCurve && Math.min(box.right - box.left, box.top - box.bottom) < ROUNDING)

export class PathPainter {
  #parts: Stroke[] = []
  #start: Point = [0, 0]
  #at: Point = [0, 0]
  #clips = false
  readonly #painting: Painting

  constructor(painting: Painting) {
    this.#painting = painting
  }

  moveTo(matrix: Matrix, x: number, y: number): void {
    this.#at = apply(matrix, x, y)
    this.#start = this.#at
  }

  lineTo(matrix: Matrix, x: number, y: number): void {
    this.#addLine(apply(matrix, x, y))
  }

  curveTo(matrix: Matrix, points: readonly Point[]): void {
    const ends = points.map(([x, y]) => apply(matrix, x, y))
    this.#parts.push({ box: boundsOf([this.#at, ...ends]), isCurve: true })
    this.#at = ends.at(-1) ?? this.#at
  }

  rectangle(matrix: Matrix, [x, y, width, height]: readonly [number, number, number, number]): void {
    this.moveTo(matrix, x, y)
    this.lineTo(matrix, x + width, y)
    this.lineTo(matrix, x + width, y + height)
    this.lineTo(matrix, x, y + height)
    this.close()
  }

  close(): void {
    this.#addLine(this.#start)
  }

  clip(): void {
    this.#clips = true
  }

  paint(state: GraphicsState, { strokes, fills, closes }: PathPainting): void {
    if (closes) this.close()
    const parts = this.#parts
    this.#parts = []
    const isClip = this.#clips
    this.#clips = false
    if (parts.length === 0) return
    const area = parts.map(({ box }) => box).reduce(union)
    if (strokes) this.#add(state, parts, { isFilled: false, isStroked: true, ink: state.stroke })
    if (fills) this.#add(state, parts, { isFilled: true, isStroked: false, ink: state.fill })
    if (!isClip) return
    state.clip = intersect(state.clip, area)
    state.isCut ||= !isRectangle(parts)
  }

  #addLine(to: Point): void {
    this.#parts.push({ box: boundsOf([this.#at, to]), isCurve: false })
    this.#at = to
  }

  #add(state: GraphicsState, parts: readonly Stroke[], how: Pick<PathMark, 'isFilled' | 'isStroked'> & { ink: Ink }): void {
    const { clip, matrix, lineWidth } = state
    const area = parts.map(({ box }) => box).reduce(union)
    const painted = { area, clip, ...mixing(state), ink: how.ink }
    if (how.ink === 'pattern') return void this.#painting.marks.push({ ...painted, kind: 'pattern' })
    // §8.4.3.2: a line of width 0 is as thin as the device can draw.
    const width = how.isStroked
      ? Math.max(0.1, lineWidth * Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])))
      : 0
    this.#painting.marks.push({ ...painted, ...how, kind: 'path', parts, width })
  }
}
