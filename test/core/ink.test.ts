/** Drawings are parsed strictly, written in one form, and outlined where the pen was. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { INK_LIMITS, type Ink, inkBounds, inkShapes, inkText, parseInk, svgPath } from '../../src/core/signing/ink.ts'
import { type InkShape, maxHalvings, strokeShapes } from '../../src/core/signing/ink-outline.ts'
import { times } from '../support/long.ts'

const LINE: Ink = { width: 600, height: 200, strokes: [[100, 100, 128, 200, 110, 128, 300, 100, 128]] }

const anyInk = fc
  .record({ width: fc.integer({ min: 16, max: 16_384 }), height: fc.integer({ min: 16, max: 16_384 }) })
  .chain(({ width, height }) => {
    const point = fc.tuple(fc.nat(width), fc.nat(height), fc.nat(255))
    const near = fc.tuple(fc.nat(Math.min(width, 40)), fc.nat(Math.min(height, 40)), fc.constant(128))
    const stroke = fc.oneof(fc.array(point, { minLength: 1, maxLength: 30 }), fc.array(near, { minLength: 1, maxLength: 60 }))
    const strokes = fc.array(
      stroke.map(points => points.flat()),
      { minLength: 1, maxLength: 6 },
    )
    return strokes.map((strokes): Ink => ({ width, height, strokes }))
  })

type Point = readonly [number, number]

/** The outline as a polygon, with `cuts` lines per curve. */
function polygonOf(shape: InkShape, cuts = 12): Point[] {
  const points: Point[] = []
  for (const [letter, ...numbers] of shape) {
    const [x0, y0] = points.at(-1) ?? [0, 0]
    if (letter !== 'C') points.push([numbers[0]!, numbers[1]!])
    else {
      const [x1, y1, x2, y2, x3, y3] = numbers as number[]
      const at = (t: number, a: number, b: number, c: number, d: number) =>
        (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t * t * c + t ** 3 * d
      for (let i = 1; i <= cuts; i++) points.push([at(i / cuts, x0, x1!, x2!, x3!), at(i / cuts, y0, y1!, y2!, y3!)])
    }
  }
  return points
}

/** The winding number of the outlines round a point. */
function windingAt(polygons: Point[][], [px, py]: Point): number {
  let winding = 0
  for (const polygon of polygons) {
    polygon.forEach(([ax, ay], i) => {
      const [bx, by] = polygon[(i + 1) % polygon.length]!
      if (ay <= py === by <= py) return
      const side = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
      if (by > ay ? side > 0 : side < 0) winding += by > ay ? 1 : -1
    })
  }
  return winding
}

const penOf = ({ width, height }: Ink) => 0.0105 * Math.sqrt(width * height)

describe('parseInk', () => {
  test('a written drawing is parsed unchanged, and written again as the same text', () => {
    fc.assert(
      fc.property(anyInk, ink => {
        const read = parseInk(inkText(ink))
        if ('error' in read) return read.error === 'too_little'
        expect(read).toEqual(ink)
        return inkText(read) === inkText(ink)
      }),
    )
  })

  test('equal drawings have equal texts', () => {
    const loose = ' { "strokes": [[1e2,100.0,128, 200,110,128, 300,100,-0]], "height":200 , "width":600}'
    const read = parseInk(loose)
    if ('error' in read) throw new Error(read.error)
    expect(inkText(read)).toBe('{"width":600,"height":200,"strokes":[[100,100,128,200,110,128,300,100,0]]}')
  })

  test.each([
    '',
    'null',
    '7',
    '[]',
    '"ink"',
    '{',
    '{}',
    '{"width":600,"height":200}',
    '{"width":600,"height":200,"strokes":{}}',
    '{"width":600,"height":200,"strokes":[7]}',
    '{"width":600,"height":200,"strokes":[[]]}',
    '{"width":600,"height":200,"strokes":[[1,2]]}',
    '{"width":600,"height":200,"strokes":[[1,2,3,4]]}',
    '{"width":600,"height":200,"strokes":[[1.5,2,3,400,2,3]]}',
    '{"width":600,"height":200,"strokes":[[1,2,"3",400,2,3]]}',
    '{"width":600,"height":200,"strokes":[[1,2,null,400,2,3]]}',
    '{"width":600,"height":200,"strokes":[[-1,2,3,400,2,3]]}',
    '{"width":600,"height":200,"strokes":[[601,2,3,400,2,3]]}',
    '{"width":600,"height":200,"strokes":[[1,201,3,400,2,3]]}',
    '{"width":600,"height":200,"strokes":[[1,2,256,400,2,3]]}',
    '{"width":600,"height":200,"strokes":[[1,2,3,400,2,1e999]]}',
    '{"width":15,"height":200,"strokes":[[1,2,3,4,150,3]]}',
    '{"width":600,"height":16385,"strokes":[[1,2,3,400,2,3]]}',
    '{"width":"600","height":200,"strokes":[[1,2,3,400,2,3]]}',
    '{"width":600,"height":200,"strokes":[[1,2,3,400,2,3]],"more":1}',
    '{"width":600,"height":200,"strokes":[[1,2,3,400,2,3]],"__proto__":{}}',
  ])('%s is no drawing', text => expect(parseInk(text)).toEqual({ error: 'unreadable' }))

  test('any text is parsed or refused', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), text => 'error' in parseInk(text)))
  })

  test('a drawing at the limits is accepted, one beyond any limit is not', () => {
    const dots = (strokes: number, points: number) =>
      inkText({
        ...LINE,
        strokes: Array.from({ length: strokes }, (_, i) => Array.from({ length: points }, () => [i, i, 9]).flat()),
      })
    const spread = inkText({ ...LINE, strokes: Array.from({ length: INK_LIMITS.strokes }, () => LINE.strokes[0]!) })
    expect(parseInk(spread)).toHaveProperty('strokes')
    expect(parseInk(dots(201, 1))).toEqual({ error: 'too_much' })
    expect(parseInk(dots(1, INK_LIMITS.points + 1))).toEqual({ error: 'too_much' })
    expect(parseInk(`${inkText(LINE)}${' '.repeat(INK_LIMITS.characters)}`)).toEqual({ error: 'too_much' })
    const longest = Array.from({ length: INK_LIMITS.points }, (_, i) => [i % 600, i % 200, 255]).flat()
    expect(parseInk(inkText({ ...LINE, strokes: [longest] }))).toHaveProperty('strokes')
  })

  test('a touch of the pad is not a mark, a short line is', () => {
    expect(parseInk(inkText({ ...LINE, strokes: [] }))).toEqual({ error: 'too_little' })
    expect(parseInk(inkText({ ...LINE, strokes: [[300, 100, 128]] }))).toEqual({ error: 'too_little' })
    expect(parseInk(inkText({ ...LINE, strokes: [[300, 100, 128, 305, 100, 128]] }))).toEqual({ error: 'too_little' })
    expect(parseInk(inkText({ ...LINE, strokes: [[300, 100, 128, 330, 100, 128]] }))).toHaveProperty('strokes')
  })
})

describe('inkShapes', () => {
  test('every sample is inside the ink, up to the smoothing', () => {
    fc.assert(
      fc.property(anyInk, ink => {
        const polygons = inkShapes(ink).map(shape => polygonOf(shape))
        // Half a unit of rounding and a share of the pen, along both axes.
        const most = Math.SQRT2 * (0.5 + 0.12 * penOf(ink)) + 0.4 * penOf(ink)
        for (const stroke of ink.strokes) {
          for (let i = 0; i < stroke.length; i += 3) {
            const point: Point = [stroke[i]!, stroke[i + 1]!]
            const isInside = windingAt(polygons, point) !== 0
            expect(isInside || Math.min(...polygons.map(polygon => distanceTo(polygon, point))) <= most).toBe(true)
          }
        }
      }),
      { numRuns: times(20, 60) },
    )
  })

  test('all outlines have the same direction, so that no overlap is a hole', () => {
    fc.assert(
      fc.property(anyInk, fc.array(fc.tuple(fc.double({ min: 0, max: 1 }), fc.double({ min: 0, max: 1 }))), (ink, shares) => {
        const polygons = inkShapes(ink).map(shape => polygonOf(shape))
        const spots = [...shares.map(([x, y]): Point => [(x || 0) * ink.width, (y || 0) * ink.height]), ...spotsIn(polygons)]
        for (const spot of spots) {
          const windings = polygons.map(polygon => windingAt([polygon], spot))
          expect(windings.filter(winding => winding > 0)).toEqual([])
        }
      }),
      { numRuns: times(20, 60) },
    )
  }, 60_000)

  test('nothing is drawn far from the pen, and the bounds are tight', () => {
    fc.assert(
      fc.property(anyInk, ink => {
        const shapes = inkShapes(ink)
        const bounds = inkBounds(shapes)
        const points = shapes.flatMap(shape => polygonOf(shape, 40))
        const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
        const close = 0.01 * (bounds.right - bounds.left + bounds.bottom - bounds.top)
        for (const [bound, reached] of [
          [-bounds.left, Math.max(...xs.map(x => -x))],
          [-bounds.top, Math.max(...ys.map(y => -y))],
          [bounds.right, Math.max(...xs)],
          [bounds.bottom, Math.max(...ys)],
        ] as const) {
          expect(reached).toBeLessThanOrEqual(bound + 1e-6)
          expect(reached).toBeGreaterThan(bound - close)
        }
        expect(points.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y))).toBe(true)
        // A curve through points swings beyond them, never by more than a share of the way between
        // two.
        const swing = 0.25 * Math.hypot(ink.width, ink.height) + 2 * penOf(ink)
        expect(bounds.left).toBeGreaterThan(-swing)
        expect(bounds.bottom).toBeLessThan(ink.height + swing)
      }),
    )
  })

  test('there is no hole where the pen reverses', () => {
    const turns = Array.from({ length: 80 }, (_, i) => [
      3000 + Math.round(25 * Math.sin(i / 4)),
      1000 - Math.round(25 * Math.cos(i / 4)),
      128,
    ])
    const ahead = (from: number) => Array.from({ length: 20 }, (_, i) => [from + i * 50, 975, 128])
    const ring = [...ahead(2000), ...turns, ...ahead(3050)]
    const hairpin = [
      [3000, 900, 128],
      [3000, 1000, 128],
      [3020, 1000, 128],
      [3020, 900, 128],
    ]
    for (const [points, reach] of [
      [ring, 40],
      [hairpin, 15],
    ] as const) {
      const polygons = inkShapes({ width: 6000, height: 2000, strokes: [points.flat()] }, 4).map(shape => polygonOf(shape))
      for (const [x, y] of points.filter(([at]) => at! > 2970 && at! < 3030)) {
        for (let turn = 0; turn < 16; turn++) {
          for (const far of [0, reach / 2, reach]) {
            const spot: Point = [x! + far * Math.cos(turn * 0.39 + 0.01), y! + far * Math.sin(turn * 0.39 + 0.01)]
            expect(windingAt(polygons, spot)).not.toBe(0)
          }
        }
      }
    }
  })

  test('a trembling pen gives no NaN', () => {
    const trembling = Array.from({ length: 21 }, (_, i) => [i % 2, 8, 1]).flat()
    const shapes = inkShapes({ width: 16, height: 16, strokes: [[...trembling, 15, 8, 1]] })
    expect(svgPath(shapes)).not.toContain('NaN')
    const { left, right } = inkBounds(shapes)
    expect(right - left).toBeGreaterThan(15)
  })

  test('a dot is a disc, a line has its length and round ends', () => {
    const dot = inkShapes({ ...LINE, strokes: [[300, 100, 128]] })
    const { left, right, top, bottom } = inkBounds(dot)
    expect(dot).toHaveLength(1)
    expect(right - left).toBeCloseTo(bottom - top, 6)
    expect([(left + right) / 2, (top + bottom) / 2]).toEqual([300, 100])
    const line = inkShapes({ ...LINE, strokes: [[100, 100, 128, 110, 100, 128, 120, 100, 128, 130, 100, 128]] })
    const box = inkBounds(line)
    expect(box.right - box.left).toBeCloseTo(30 + (box.bottom - box.top), 1)
  })

  test('more pressure and less speed draw a wider line', () => {
    const thickness = (step: number, pressures: [number, number]) => {
      const points = Array.from({ length: 12 }, (_, i) => [50 + i * step, 100, pressures[i % 2]!]).flat()
      const { top, bottom } = inkBounds(inkShapes({ ...LINE, strokes: [points] }))
      return bottom - top
    }
    expect(thickness(10, [200, 220])).toBeGreaterThan(1.5 * thickness(10, [40, 60]))
    expect(thickness(3, [128, 128])).toBeGreaterThan(1.5 * thickness(40, [128, 128]))
    // A device without pressure may report any constant.
    expect(thickness(10, [0, 0])).toBe(thickness(10, [255, 255]))
  })

  test('a drawing in finer units looks the same', () => {
    const points = Array.from({ length: 40 }, (_, i) => [40 + i * 12, Math.round(100 + 50 * Math.sin(i / 2)), 128])
    const at = (unit: number): Ink => ({
      width: 600 * unit,
      height: 200 * unit,
      strokes: [points.flatMap(([x, y, pressure]) => [x! * unit, y! * unit, pressure!])],
    })
    const [coarse, fine] = [inkBounds(inkShapes(at(1))), inkBounds(inkShapes(at(10)))]
    for (const side of ['left', 'top', 'right', 'bottom'] as const)
      expect(Math.abs(fine[side] / 10 - coarse[side])).toBeLessThan(1)
  })

  test('an SVG path has every step of every outline, in numbers that SVG can read', () => {
    fc.assert(
      fc.property(anyInk, ink => {
        const shapes = inkShapes(ink)
        const path = svgPath(shapes)
        expect(path).toMatch(/^(M-?[\d.]+ -?[\d.]+([LC](-?[\d.]+ ?)+)+Z)+$/)
        expect(path.match(/[MLC]/g)).toHaveLength(shapes.flat().length)
      }),
    )
  })

  test('the longest drawing is drawn in bounded time and size', () => {
    const points = Array.from({ length: INK_LIMITS.points }, (_, i) => [(i * 7919) % 16_384, (i * 104_729) % 16_384, i % 256])
    const shapes = inkShapes({ width: 16_384, height: 16_384, strokes: [points.flat()] })
    expect(shapes.flat().length).toBeLessThan(10 * INK_LIMITS.points)
    expect(svgPath(shapes).length).toBeLessThan(4_000_000)
    expect(svgPath(inkShapes(LINE)).length).toBeLessThan(2_000)
  })

  test('many short strokes are bounded like one long one, and a signature of a few hundred points keeps its detail', () => {
    const strokes = Array.from({ length: INK_LIMITS.strokes }, (_, stroke) =>
      Array.from({ length: 50 }, (_, i) => [(stroke * 7919 + i * 104_729) % 1000, (stroke * 31 + i * 7907) % 1000, 128]).flat(),
    )
    expect(inkShapes({ width: 1000, height: 1000, strokes }).flat().length).toBeLessThan(10 * INK_LIMITS.points)
    expect([1, 300, 625, 1250, 5000, 10_000].map(maxHalvings)).toEqual([5, 5, 4, 3, 1, 0])
  })

  test('without halvings all outlines still have the same direction and cover every point', () => {
    fc.assert(
      fc.property(anyInk, fc.nat(2), (ink, halvings) => {
        const points = ink.strokes[0]!.flatMap((x, i, all) =>
          i % 3 === 0 ? [{ x, y: all[i + 1]!, radius: penOf(ink) / 2 }] : [],
        )
        const polygons = strokeShapes(points, halvings).map(shape => polygonOf(shape))
        for (const spot of spotsIn(polygons)) {
          expect(polygons.map(polygon => windingAt([polygon], spot)).filter(winding => winding > 0)).toEqual([])
        }
        for (const { x, y } of points)
          expect(Math.min(...polygons.map(polygon => distanceTo(polygon, [x, y])))).toBeLessThan(penOf(ink))
      }),
      { numRuns: times(20, 60) },
    )
  }, 60_000)

  test('no ink has no bounds', () => {
    expect(() => inkBounds([])).toThrow(RangeError)
  })
})

/** How far a point is from the edge of a polygon. */
function distanceTo(polygon: Point[], [px, py]: Point): number {
  const distances = polygon.map(([ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length]!
    const [dx, dy] = [bx - ax, by - ay]
    const share = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)))
    return Math.hypot(ax + share * dx - px, ay + share * dy - py)
  })
  return Math.min(...distances)
}

/** Points near outlines: between each corner and the next but one. */
function spotsIn(polygons: Point[][]): Point[] {
  return polygons.flatMap(polygon =>
    polygon.flatMap(([ax, ay], i): Point[] => {
      const [bx, by] = polygon[(i + 2) % polygon.length]!
      return i % 5 === 0 ? [[(ax + bx) / 2 + 1e-4, (ay + by) / 2 + 1e-4]] : []
    }),
  )
}
