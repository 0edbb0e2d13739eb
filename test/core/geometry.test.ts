/** Percent of the displayed page to user space: two computations agree, nothing leaves the page. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  boxError,
  displayedSize,
  type PageBox,
  type PercentBox,
  type Placement,
  place,
  type Rotation,
} from '../../src/core/field/geometry.ts'

const pages = fc.record({
  left: fc.double({ min: -2000, max: 2000, noNaN: true }),
  bottom: fc.double({ min: -2000, max: 2000, noNaN: true }),
  width: fc.double({ min: 3, max: 14_400, noNaN: true }),
  height: fc.double({ min: 3, max: 14_400, noNaN: true }),
  rotation: fc.constantFrom<Rotation>(0, 90, 180, 270),
  userUnit: fc.constantFrom(1, 2.5),
})

/** Boxes on the page, up to its edges. */
const boxes = fc
  .tuple(...Array.from({ length: 4 }, () => fc.double({ min: 0, max: 1, noNaN: true })))
  .map(([a = 0, b = 0, c = 0, d = 0]): PercentBox => {
    const x = a * 99.9
    const y = b * 99.9
    return { x, y, width: Math.max(0.01, c * (100 - x)), height: Math.max(0.01, d * (100 - y)) }
  })
  .filter(box => boxError(box) === undefined)

type Point = [x: number, y: number]

/**
 * A point of the placement's own space, carried onto the page by its matrix. ISO 32000-2 §8.3.4.
 */
function carried({ matrix: [a, b, c, d, e, f] }: Placement, [x, y]: Point): Point {
  return [a * x + c * y + e, b * x + d * y + f]
}

/**
 * The other way: a point of the displayed page (fractions from its top-left corner), turned back by
 * /Rotate.
 */
function userSpace(page: PageBox, u: number, v: number): Point {
  const { left, bottom, width, height } = page
  switch (page.rotation) {
    case 0:
      return [left + u * width, bottom + (1 - v) * height]
    case 90:
      return [left + v * width, bottom + u * height]
    case 180:
      return [left + (1 - u) * width, bottom + v * height]
    case 270:
      return [left + (1 - v) * width, bottom + (1 - u) * height]
  }
}

function near([x, y]: Point, [x2, y2]: Point): void {
  expect(Math.abs(x - x2)).toBeLessThan(1e-6)
  expect(Math.abs(y - y2)).toBeLessThan(1e-6)
}

describe('place', () => {
  test('places every corner where rotating the displayed page back places it', () => {
    fc.assert(
      fc.property(pages, boxes, (page, box) => {
        const placed = place(page, box)
        const [l, r] = [box.x / 100, (box.x + box.width) / 100]
        const [t, b] = [box.y / 100, (box.y + box.height) / 100]
        near(carried(placed, [0, 0]), userSpace(page, l, b))
        near(carried(placed, [placed.width, 0]), userSpace(page, r, b))
        near(carried(placed, [0, placed.height]), userSpace(page, l, t))
        near(carried(placed, [placed.width, placed.height]), userSpace(page, r, t))
      }),
    )
  })

  test('keeps a box inside the crop box under every rotation', () => {
    fc.assert(
      fc.property(pages, boxes, (page, box) => {
        const placed = place(page, box)
        for (const corner of [
          [0, 0],
          [placed.width, 0],
          [0, placed.height],
          [placed.width, placed.height],
        ] as Point[]) {
          const [x, y] = carried(placed, corner)
          expect(x).toBeGreaterThanOrEqual(page.left - 1e-6)
          expect(x).toBeLessThanOrEqual(page.left + page.width + 1e-6)
          expect(y).toBeGreaterThanOrEqual(page.bottom - 1e-6)
          expect(y).toBeLessThanOrEqual(page.bottom + page.height + 1e-6)
        }
      }),
    )
  })

  test('neither stretches nor mirrors: the matrix is a rotation against /Rotate and a shift', () => {
    fc.assert(
      fc.property(pages, boxes, (page, box) => {
        const { matrix } = place(page, box)
        const [a, b, c, d] = matrix
        expect(a * d - b * c).toBe(1)
        const angle = ((Math.round((Math.atan2(b, a) * 180) / Math.PI) % 360) + 360) % 360
        expect(angle).toBe(page.rotation)
      }),
    )
  })

  test('the whole page is the whole page', () => {
    for (const rotation of [0, 90, 180, 270] as const) {
      const page: PageBox = { left: 10, bottom: 20, width: 300, height: 400, rotation, userUnit: 1 }
      const { width, height } = place(page, { x: 0, y: 0, width: 100, height: 100 })
      expect({ width, height }).toEqual(displayedSize(page))
    }
  })

  test('an A4 page upright: computed manually', () => {
    const page: PageBox = { left: 0, bottom: 0, width: 595, height: 842, rotation: 0, userUnit: 1 }
    expect(place(page, { x: 10, y: 20, width: 30, height: 5 })).toEqual({
      width: 178.5,
      height: 42.1,
      matrix: [1, 0, 0, 1, 59.5, 842 - 168.4 - 42.1],
    })
  })

  test('a page scanned sideways: computed manually', () => {
    // Displayed 842 × 595; the top-left corner of the display is the lower left corner of the page.
    const page: PageBox = { left: 0, bottom: 0, width: 595, height: 842, rotation: 90, userUnit: 1 }
    const placed = place(page, { x: 0, y: 0, width: 50, height: 10 })
    expect(placed.width).toBe(421)
    near(carried(placed, [0, placed.height]), [0, 0])
    near(carried(placed, [placed.width, placed.height]), [0, 421])
  })
})

describe('boxError', () => {
  const box: PercentBox = { x: 10, y: 10, width: 20, height: 5 }

  test('finds none in a box on the page, up to its edges', () => {
    expect(boxError(box)).toBeUndefined()
    expect(boxError({ x: 0, y: 0, width: 100, height: 100 })).toBeUndefined()
    expect(boxError({ x: 70.1, y: 33.3, width: 29.9, height: 66.7 })).toBeUndefined()
  })

  test.each([
    ['x', { x: -0.001 }],
    ['x', { x: Number.NaN }],
    ['y', { y: -1 }],
    ['width', { width: 0 }],
    ['width', { width: -5 }],
    ['width', { width: Number.NaN }],
    ['height', { height: 0 }],
    ['width', { width: 90.001 }],
    ['width', { x: Number.POSITIVE_INFINITY }],
    ['width', { width: Number.POSITIVE_INFINITY }],
    ['height', { height: 90.001 }],
    ['height', { y: 100 }],
  ] as [keyof PercentBox, Partial<PercentBox>][])('names %s for %p', (member, wrong) => {
    expect(boxError({ ...box, ...wrong })?.[0]).toBe(member)
  })
})
