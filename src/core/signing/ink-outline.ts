/** The outlines of strokes of varying width, as closed curves to be filled. Pure geometry. */

/** A step of an outline: a move, a line or a cubic Bézier curve. */
export type PathStep = readonly ['M' | 'L', number, number] | readonly ['C', number, number, number, number, number, number]

/** A closed outline. All wind the same way, so the non-zero rule leaves no holes in overlaps. */
export type InkShape = readonly PathStep[]

/** A position of the pen and the radius of the stroke there. */
export interface PenPoint {
  x: number
  y: number
  radius: number
}

interface Vector {
  x: number
  y: number
}

/** A cubic Bézier curve of the stroke's centre line, with the radius at both ends. */
interface Segment {
  curve: readonly [Vector, Vector, Vector, Vector]
  radii: readonly [number, number]
}

/** A curve between two points is halved at most this many times (recursion depth). */
const MAX_HALVINGS = 5
/** Bounds the work for drawings with far more points than a signature. */
const MAX_SEGMENTS = 10_000

/** How many times each curve of a drawing with this many points may be halved. */
export function maxHalvings(pointCount: number): number {
  return Math.min(MAX_HALVINGS, Math.max(0, Math.floor(Math.log2(MAX_SEGMENTS / Math.max(1, pointCount)))))
}

/** A single point gives a disc. `halvings` is the `maxHalvings` of the whole drawing. */
export function strokeShapes(points: PenPoint[], halvings: number): InkShape[] {
  const [first] = points
  if (first === undefined) return []
  if (points.length === 1) return [discShape(first)]
  const segments = points.slice(1).flatMap((_, i) => divided(segmentAt(points, i), halvings))
  const ribbons = ribbonsOf(segments)
  // Without ribbons, all points coincide.
  return ribbons.length === 0 ? [discShape(first)] : ribbons.map(ribbonShape)
}

/** The curve from point `i` to the next: centripetal Catmull-Rom as Bézier, which adds no loops. */
function segmentAt(points: PenPoint[], i: number): Segment {
  const [from, to] = [points[i]!, points[i + 1]!]
  const handle = (before: PenPoint | undefined, at: PenPoint, after: PenPoint): Vector => {
    if (before === undefined || distance(before, at) === 0) return along(at, after, 1 / 3)
    const [root1, root2] = [Math.sqrt(distance(before, at)), Math.sqrt(distance(at, after))]
    const [a, b, divisor] = [root1 * root1, root2 * root2, 3 * root1 * (root1 + root2)]
    const coordinate = (p: number, q: number, r: number) => (a * r - b * p + (2 * a + 3 * root1 * root2 + b) * q) / divisor
    return { x: coordinate(before.x, at.x, after.x), y: coordinate(before.y, at.y, after.y) }
  }
  return { curve: [from, handle(points[i - 1], from, to), handle(points[i + 2], to, from), to], radii: [from.radius, to.radius] }
}

/** The largest turn that one offset curve approximates well, in radians. */
const MAX_TURN = 0.5

/** A segment shorter than this, in smaller radii, is not halved: its turn is not visible. */
const NEGLIGIBLE_LENGTH_IN_RADII = 0.5

/** A part that still turns too far after all halvings is drawn straight. */
function divided(segment: Segment, halvings: number): Segment[] {
  const [a, b, c, d] = segment.curve
  const turn = angleBetween(a, b, b, c) + angleBetween(b, c, c, d)
  const length = distance(a, b) + distance(b, c) + distance(c, d)
  if (turn <= MAX_TURN || length < NEGLIGIBLE_LENGTH_IN_RADII * Math.min(...segment.radii)) return [segment]
  if (halvings === 0) return [straightened(segment)]
  const [ab, bc, cd] = [along(a, b, 0.5), along(b, c, 0.5), along(c, d, 0.5)]
  const [abc, bcd] = [along(ab, bc, 0.5), along(bc, cd, 0.5)]
  const middle = along(abc, bcd, 0.5)
  const radius = (segment.radii[0] + segment.radii[1]) / 2
  return [
    ...divided({ curve: [a, ab, abc, middle], radii: [segment.radii[0], radius] }, halvings - 1),
    ...divided({ curve: [middle, bcd, cd, d], radii: [radius, segment.radii[1]] }, halvings - 1),
  ]
}

/** Points closer than this are taken as equal: the direction between them is only rounding. */
const MIN_DISTANCE = 1e-6

/** Segments that meet at more radians get separate outlines, whose round ends form the corner. */
const MAX_JOINT_ANGLE = 0.3

/** Groups segments that share one outline. One too tight to offset gets its own, straightened. */
function ribbonsOf(segments: Segment[]): Segment[][] {
  const ribbons: Segment[][] = []
  let open: Segment[] | undefined
  for (const segment of segments) {
    if (distance(segment.curve[0], segment.curve[3]) < MIN_DISTANCE) continue
    if (innerSideFolds(segment)) {
      ribbons.push([straightened(segment)])
      open = undefined
    } else if (open && turnBetween(open.at(-1)!, segment) < MAX_JOINT_ANGLE) {
      open.push(segment)
    } else {
      open = [segment]
      ribbons.push(open)
    }
  }
  return ribbons
}

/** A shorter segment, in multiples of its larger radius, is taken as folding. */
const MIN_JOINABLE_LENGTH_IN_RADII = 1
/** A side folds if, along the segment's chord, it is shorter than this fraction of the chord. */
const MIN_SIDE_FRACTION = 0.2

/** True if the outline's inner side would run backwards, or if the segment is too short to test. */
function innerSideFolds(segment: Segment): boolean {
  const [a, , , d] = segment.curve
  if (distance(a, d) < MIN_JOINABLE_LENGTH_IN_RADII * Math.max(...segment.radii)) return true
  return [1, -1].some(side => {
    const [from, to] = [sideAt(segment, 0, side), sideAt(segment, 1, side)]
    return (to.x - from.x) * (d.x - a.x) + (to.y - from.y) * (d.y - a.y) < MIN_SIDE_FRACTION * distance(a, d) ** 2
  })
}

function straightened({ curve: [a, , , d], radii }: Segment): Segment {
  return { curve: [a, along(a, d, 1 / 3), along(a, d, 2 / 3), d], radii }
}

function turnBetween(before: Segment, after: Segment): number {
  const [from, to] = [directionAt(before, 1), directionAt(after, 0)]
  return Math.acos(Math.min(1, Math.max(-1, from.x * to.x + from.y * to.y)))
}

/** The unit vector at the beginning or the end of a segment. */
function directionAt({ curve: [a, b, c, d] }: Segment, end: 0 | 1): Vector {
  const [from, to] =
    end === 0
      ? [a, [b, c, d].find(p => distance(a, p) > MIN_DISTANCE)!]
      : [[c, b, a].find(p => distance(d, p) > MIN_DISTANCE)!, d]
  const length = distance(from, to)
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length }
}

/** The point one radius beside an end of a segment; `side` 1 is to the right on a screen. */
function sideAt(segment: Segment, end: 0 | 1, side: number): Vector {
  const { x, y } = directionAt(segment, end)
  const [at, radius] = [segment.curve[end * 3]!, segment.radii[end]]
  return { x: at.x - side * radius * y, y: at.y + side * radius * x }
}

/** Along the right side, round the end, back along the left side, round the beginning. */
function ribbonShape(segments: Segment[]): InkShape {
  const [first, last] = [segments[0]!, segments.at(-1)!]
  const start = sideAt(first, 0, 1)
  const forward = segments.flatMap(rightSideSteps)
  const back = segments.toReversed().flatMap(segment => rightSideSteps(reversed(segment)))
  return [['M', start.x, start.y], ...forward, ...endCap(last), ...back, ...endCap(reversed(first))]
}

function reversed({ curve: [a, b, c, d], radii: [from, to] }: Segment): Segment {
  return { curve: [d, c, b, a], radii: [to, from] }
}

/** The handles scale with the side's length. A line joins segments that meet at an angle. */
function rightSideSteps(segment: Segment): PathStep[] {
  const [a, b, c, d] = segment.curve
  const [from, to] = [sideAt(segment, 0, 1), sideAt(segment, 1, 1)]
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

/** The handle length of a Bézier curve for a quarter circle, as a fraction of the radius. */
const QUARTER_HANDLE = 0.5523

const endCap = (segment: Segment) => capSteps(segment.curve[3], segment.radii[1], directionAt(segment, 1))

/** A half circle round the end of a stroke with this direction, from its right side to its left. */
function capSteps(at: Vector, radius: number, { x, y }: Vector): PathStep[] {
  const point = (ahead: number, right: number): [number, number] => [
    at.x + radius * (ahead * x - right * y),
    at.y + radius * (ahead * y + right * x),
  ]
  return [
    ['C', ...point(QUARTER_HANDLE, 1), ...point(1, QUARTER_HANDLE), ...point(1, 0)],
    ['C', ...point(1, -QUARTER_HANDLE), ...point(QUARTER_HANDLE, -1), ...point(0, -1)],
  ]
}

function discShape(centre: PenPoint): InkShape {
  const { x, y, radius } = centre
  return [['M', x, y + radius], ...capSteps(centre, radius, { x: 1, y: 0 }), ...capSteps(centre, radius, { x: -1, y: 0 })]
}

function along(from: Vector, to: Vector, fraction: number): Vector {
  return { x: from.x + (to.x - from.x) * fraction, y: from.y + (to.y - from.y) * fraction }
}

function distance(a: Vector, b: Vector): number {
  return Math.hypot(b.x - a.x, b.y - a.y)
}

/** In radians; 0 if one of the lines is a point. */
function angleBetween(a: Vector, b: Vector, c: Vector, d: Vector): number {
  const [ux, uy, vx, vy] = [b.x - a.x, b.y - a.y, d.x - c.x, d.y - c.y]
  return Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy))
}
