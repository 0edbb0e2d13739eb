/** Outlines of glyphs (OpenType 1.9, `glyf`). Trusts its input where no error is named. */
import { findTable } from './sfnt.ts'

/** A point in font units; off the curve it is the control point of a quadratic curve. */
interface Point {
  x: number
  y: number
  isOn: boolean
}

export type Contour = readonly Point[]

/** Font units to the units of a drawing: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** Flags of a simple glyph. */
const ON_CURVE = 0x01
const SHORT = { x: 0x02, y: 0x04 } as const
const REPEATED = 0x08
const SAME_OR_POSITIVE = { x: 0x10, y: 0x20 } as const
/** Flags of a part of a composite glyph. */
const WORDS = 0x01
const OFFSETS = 0x02
const ONE_SCALE = 0x08
const MORE_PARTS = 0x20
const TWO_SCALES = 0x40
const FOUR_SCALES = 0x80
/** A font's parts are nested less deeply. */
const MAX_DEPTH = 6

export class GlyphOutlines {
  readonly #glyf: DataView
  readonly #offset: (glyph: number) => number

  /** @throws FontFormatError without the tables, RangeError if they are damaged */
  constructor(font: Uint8Array) {
    const [head, loca] = [findTable(font, 'head'), findTable(font, 'loca')]
    const isLong = head.getInt16(50) === 1
    this.#glyf = findTable(font, 'glyf')
    this.#offset = glyph => (isLong ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph))
  }

  /** The data of an SVG path, in whole units of the drawing; empty without ink. */
  pathOf(glyph: number, matrix: Matrix): string {
    return this.#contours(glyph, 0)
      .map(contour => contourPath(contour.map(point => moved(point, matrix))))
      .join('')
  }

  /** Empty without ink; undefined if made of other glyphs. @throws RangeError if damaged */
  simpleContours(glyph: number): readonly Contour[] | undefined {
    const at = this.#offset(glyph)
    if (at === this.#offset(glyph + 1)) return []
    const count = this.#glyf.getInt16(at)
    return count < 0 ? undefined : this.#simple(at + 10, count)
  }

  #contours(glyph: number, depth: number): Contour[] {
    const at = this.#offset(glyph)
    if (at === this.#offset(glyph + 1) || depth > MAX_DEPTH) return []
    const count = this.#glyf.getInt16(at)
    return count < 0 ? this.#parts(at + 10, depth) : this.#simple(at + 10, count)
  }

  #simple(at: number, count: number): Contour[] {
    const view = this.#glyf
    const ends = Array.from({ length: count }, (_, i) => view.getUint16(at + 2 * i))
    const total = (ends.at(-1) ?? -1) + 1
    let next = at + 2 * count + 2 + view.getUint16(at + 2 * count)
    const flags: number[] = []
    while (flags.length < total) {
      const flag = view.getUint8(next++)
      flags.push(flag)
      if (flag & REPEATED) for (let times = view.getUint8(next++); times > 0; times--) flags.push(flag)
    }
    const coordinates = (axis: 'x' | 'y') => {
      let value = 0
      return flags.map(flag => {
        if (flag & SHORT[axis]) value += (flag & SAME_OR_POSITIVE[axis] ? 1 : -1) * view.getUint8(next++)
        else if (!(flag & SAME_OR_POSITIVE[axis])) {
          value += view.getInt16(next)
          next += 2
        }
        return value
      })
    }
    const [xs, ys] = [coordinates('x'), coordinates('y')]
    const points = flags.map((flag, i): Point => ({ x: xs[i]!, y: ys[i]!, isOn: (flag & ON_CURVE) !== 0 }))
    return ends.map((end, i) => points.slice(i === 0 ? 0 : ends[i - 1]! + 1, end + 1))
  }

  #parts(start: number, depth: number): Contour[] {
    const contours: Contour[] = []
    for (let at: number | undefined = start; at !== undefined; ) {
      const { glyph, matrix, next } = this.#part(at)
      const own = this.#contours(glyph, depth + 1)
      contours.push(...own.map(contour => contour.map(point => moved(point, matrix))))
      at = next
    }
    return contours
  }

  /** `next`: where the next part begins, undefined after the last one. */
  #part(at: number): { glyph: number; matrix: Matrix; next: number | undefined } {
    const view = this.#glyf
    const flags = view.getUint16(at)
    const isWide = (flags & WORDS) !== 0
    const offset = (i: number) => (isWide ? view.getInt16(at + 4 + 2 * i) : view.getInt8(at + 4 + i))
    const scalesAt = at + (isWide ? 8 : 6)
    const count = flags & ONE_SCALE ? 1 : flags & TWO_SCALES ? 2 : flags & FOUR_SCALES ? 4 : 0
    const [p = 1, q = p, r = 0, s = p] = Array.from({ length: count }, (_, i) => view.getInt16(scalesAt + 2 * i) / 16384)
    const scales = count === 4 ? ([p, q, r, s] as const) : ([p, 0, 0, q] as const)
    // Parts placed by matching points have no offset; none of the embedded fonts has them.
    const place = flags & OFFSETS ? ([offset(0), offset(1)] as const) : ([0, 0] as const)
    const next = flags & MORE_PARTS ? scalesAt + 2 * count : undefined
    return { glyph: view.getUint16(at + 2), matrix: [...scales, ...place], next }
  }
}

function moved({ x, y, isOn }: Point, [a, b, c, d, e, f]: Matrix): Point {
  return { x: a * x + c * y + e, y: b * x + d * y + f, isOn }
}

const middle = (p: Point, q: Point): Point => ({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2, isOn: true })
const text = ({ x, y }: Point) => `${Math.round(x)} ${Math.round(y)}`

/** Between two control points the curve passes through their middle. */
function contourPath(points: Contour): string {
  const at = points.findIndex(({ isOn }) => isOn)
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return ''
  const start = points[at] ?? middle(last, first)
  const rest = at < 0 ? points : [...points.slice(at + 1), ...points.slice(0, at)]
  let path = `M${text(start)}`
  let control: Point | undefined
  for (const point of [...rest, start]) {
    if (control) path += `Q${text(control)} ${text(point.isOn ? point : middle(control, point))}`
    else if (point.isOn) path += `L${text(point)}`
    control = point.isOn ? undefined : point
  }
  return `${path}Z`
}
