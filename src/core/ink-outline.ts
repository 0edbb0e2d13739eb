/** The outlines of strokes of varying width, as closed curves to be filled. Pure geometry. */

/** A step of an outline: a move, a line or a cubic Bézier curve. */
export type PathStep = readonly ['M' | 'L', number, number] | readonly ['C', number, number, number, number, number, number]

/** Closed. All have the same direction: filled by the non-zero rule they overlap without holes. */
export type InkShape = readonly PathStep[]

/** A position of the pen and the radius of its ink. */
export interface Dab {
  x: number
  y: number
  radius: number
}

interface Vector {
  x: number
  y: number
}

/** A cubic Bézier curve of the pen's centre, with the radius at both ends. */
interface Piece {
  curve: readonly [Vector, Vector, Vector, Vector]
  radii: readonly [number, number]
}

/** A curve between two points is halved at most this often. */
const MAX_HALVINGS = 5
/** Bounds the work for drawings with far more points than a signature. */
const MAX_PIECES = 10_000

/** How often each curve of a drawing with this many points may be halved. */
export function halvingsFor(points: number): number {
  return Math.min(MAX_HALVINGS, Math.max(0, Math.floor(Math.log2(MAX_PIECES / Math.max(1, points)))))
}

/** A single point gives a disc. `halvings` is `halvingsFor` of the whole drawing. */
export function strokeShapes(dabs: Dab[], halvings: number): InkShape[] {
  const [only] = dabs
  if (only === undefined) return []
  if (dabs.length === 1) return [discShape(only)]
  const pieces = dabs.slice(1).flatMap((_, i) => divided(pieceOf(dabs, i), halvings))
  const ribbons = ribbonsOf(pieces)
  return ribbons.length === 0 ? [discShape(only)] : ribbons.map(ribbonShape)
}

/** The curve from point `i` to the next: centripetal Catmull-Rom, which adds no loops. */
function pieceOf(dabs: Dab[], i: number): Piece {
  const [from, to] = [dabs[i]!, dabs[i + 1]!]
  const handle = (before: Dab | undefined, at: Dab, after: Dab): Vector => {
    if (before === undefined || distance(before, at) === 0) return along(at, after, 1 / 3)
    const [near, far] = [Math.sqrt(distance(before, at)), Math.sqrt(distance(at, after))]
    const [a, b, whole] = [near * near, far * far, 3 * near * (near + far)]
    const mean = (p: number, q: number, r: number) => (a * r - b * p + (2 * a + 3 * near * far + b) * q) / whole
    return { x: mean(before.x, at.x, after.x), y: mean(before.y, at.y, after.y) }
  }
  return { curve: [from, handle(dabs[i - 1], from, to), handle(dabs[i + 2], to, from), to], radii: [from.radius, to.radius] }
}

/** The turn that one offset curve can follow, in radians. */
const MAX_TURN = 0.5

/** A piece shorter than this share of its radius looks straight. */
const SHORT = 0.5

/** A part that still turns too far after all halvings is drawn straight. */
function divided(piece: Piece, halvings: number): Piece[] {
  const [a, b, c, d] = piece.curve
  const turn = angleBetween(a, b, b, c) + angleBetween(b, c, c, d)
  const length = distance(a, b) + distance(b, c) + distance(c, d)
  if (turn <= MAX_TURN || length < SHORT * Math.min(...piece.radii)) return [piece]
  if (halvings === 0) return [straightened(piece)]
  const [ab, bc, cd] = [along(a, b, 0.5), along(b, c, 0.5), along(c, d, 0.5)]
  const [abc, bcd] = [along(ab, bc, 0.5), along(bc, cd, 0.5)]
  const middle = along(abc, bcd, 0.5)
  const radius = (piece.radii[0] + piece.radii[1]) / 2
  return [
    ...divided({ curve: [a, ab, abc, middle], radii: [piece.radii[0], radius] }, halvings - 1),
    ...divided({ curve: [middle, bcd, cd, d], radii: [radius, piece.radii[1]] }, halvings - 1),
  ]
}

/** A piece shorter than this share of its radius gets an outline of its own. */
const SHORT_RIBBON = 1

/** Groups pieces for one outline each. Where the pen reverses, each piece is alone and straight. */
function ribbonsOf(pieces: Piece[]): Piece[][] {
  const ribbons: Piece[][] = []
  let open: Piece[] | undefined
  for (const piece of pieces) {
    if (distance(piece.curve[0], piece.curve[3]) < 1e-6) continue
    if (isTight(piece)) {
      ribbons.push([straightened(piece)])
      open = undefined
    } else if (open && turnBetween(open.at(-1)!, piece) < 0.3) {
      open.push(piece)
    } else {
      open = [piece]
      ribbons.push(open)
    }
  }
  return ribbons
}

/** Whether the inner side would run backwards; a piece shorter than its width may hide that. */
function isTight(piece: Piece): boolean {
  const [a, , , d] = piece.curve
  if (distance(a, d) < SHORT_RIBBON * Math.max(...piece.radii)) return true
  return [1, -1].some(side => {
    const [from, to] = [sideAt(piece, 0, side), sideAt(piece, 1, side)]
    return (to.x - from.x) * (d.x - a.x) + (to.y - from.y) * (d.y - a.y) < 0.2 * distance(a, d) ** 2
  })
}

function straightened({ curve: [a, , , d], radii }: Piece): Piece {
  return { curve: [a, along(a, d, 1 / 3), along(a, d, 2 / 3), d], radii }
}

function turnBetween(before: Piece, after: Piece): number {
  const [from, to] = [directionAt(before, 1), directionAt(after, 0)]
  return Math.acos(Math.min(1, Math.max(-1, from.x * to.x + from.y * to.y)))
}

/** The unit vector at the beginning or the end of a piece. */
function directionAt({ curve: [a, b, c, d] }: Piece, end: 0 | 1): Vector {
  const [from, to] =
    end === 0 ? [a, [b, c, d].find(p => distance(a, p) > 1e-6)!] : [[c, b, a].find(p => distance(d, p) > 1e-6)!, d]
  const length = distance(from, to)
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length }
}

/** The point one radius beside an end of a piece; `side` 1 is to the right on a screen. */
function sideAt(piece: Piece, end: 0 | 1, side: number): Vector {
  const { x, y } = directionAt(piece, end)
  const [at, radius] = [piece.curve[end * 3]!, piece.radii[end]]
  return { x: at.x - side * radius * y, y: at.y + side * radius * x }
}

/** Along one side, round the end, back along the other side, round the beginning. */
function ribbonShape(pieces: Piece[]): InkShape {
  const [first, last] = [pieces[0]!, pieces.at(-1)!]
  const start = sideAt(first, 0, 1)
  const there = pieces.flatMap(piece => sideSteps(piece, 1))
  const back = pieces.toReversed().flatMap(piece => sideSteps(reversed(piece), 1))
  return [['M', start.x, start.y], ...there, ...capSteps(last), ...back, ...capSteps(reversed(first))]
}

function reversed({ curve: [a, b, c, d], radii: [from, to] }: Piece): Piece {
  return { curve: [d, c, b, a], radii: [to, from] }
}

/** The handles scale with the side's length. A line joins pieces that meet at an angle. */
function sideSteps(piece: Piece, side: number): PathStep[] {
  const [a, b, c, d] = piece.curve
  const [from, to] = [sideAt(piece, 0, side), sideAt(piece, 1, side)]
  const scale = distance(from, to) / distance(a, d)
  return [
    ['L', from.x, from.y],
    [
      'C',
      from.x + (b.x - a.x) * scale,
      from.y + (b.y - a.y) * scale,
      to.x + (c.x - d.x) * scale,
      to.y + (c.y - d.y) * scale,
      to.x,
      to.y,
    ],
  ]
}

/** The length of the handles of a Bézier curve for a quarter circle, as a share of the radius. */
const QUARTER = 0.5523

/** A half circle round the end of a piece, from its right side to its left. */
function capSteps(piece: Piece): PathStep[] {
  const [at, radius, { x, y }] = [piece.curve[3], piece.radii[1], directionAt(piece, 1)]
  const point = (ahead: number, right: number): [number, number] => [
    at.x + radius * (ahead * x - right * y),
    at.y + radius * (ahead * y + right * x),
  ]
  return [
    ['C', ...point(QUARTER, 1), ...point(1, QUARTER), ...point(1, 0)],
    ['C', ...point(1, -QUARTER), ...point(QUARTER, -1), ...point(0, -1)],
  ]
}

function discShape({ x, y, radius }: Dab): InkShape {
  const half = (way: number): Piece => ({
    curve: [
      { x: x - way, y },
      { x: x - way, y },
      { x: x - way, y },
      { x, y },
    ],
    radii: [radius, radius],
  })
  return [['M', x, y + radius], ...capSteps(half(1)), ...capSteps(half(-1))]
}

function along(from: Vector, to: Vector, share: number): Vector {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}

function distance(a: Vector, b: Vector): number {
  return Math.hypot(b.x - a.x, b.y - a.y)
}

/** In radians; 0 if one of the lines is a point. */
function angleBetween(a: Vector, b: Vector, c: Vector, d: Vector): number {
  const [ux, uy, vx, vy] = [b.x - a.x, b.y - a.y, d.x - c.x, d.y - c.y]
  return Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy))
}
