/**
 * Converts boxes in percent of the displayed page to user space (ISO 32000-2 §8.3.2.3), and puts
 * boxes in the order of reading. Bundled for the browser too.
 */
import { type Violation, violation } from '../violation.ts'

export type Rotation = 0 | 90 | 180 | 270

/** The crop box in user space, in points of 1/72 inch times `userUnit`, and /Rotate, clockwise. */
export interface PageBox {
  left: number
  bottom: number
  width: number
  height: number
  rotation: Rotation
  userUnit: number
}

/** Percent of the displayed page, origin top-left. */
export interface PercentBox {
  x: number
  y: number
  width: number
  height: number
}

/** A box on one page; 1 is the first. */
export interface PageArea extends PercentBox {
  page: number
}

export const PLACE = ['page', 'x', 'y', 'width', 'height'] as const satisfies (keyof PageArea)[]

/** A PDF transformation matrix `[a b c d e f]`, ISO 32000-2 §8.3.3. */
type Matrix = readonly [number, number, number, number, number, number]

/** A box in its own upright space (origin at the lower left) and the matrix to the page. */
export interface Placement {
  width: number
  height: number
  matrix: Matrix
}

/** Width and height as a viewer shows the page, in user space units. */
export function displayedSize(page: PageBox): { width: number; height: number } {
  const sideways = page.rotation === 90 || page.rotation === 270
  return sideways ? { width: page.height, height: page.width } : { width: page.width, height: page.height }
}

export function place(page: PageBox, box: PercentBox): Placement {
  const shown = displayedSize(page)
  const width = (box.width / 100) * shown.width
  const height = (box.height / 100) * shown.height
  const dx = (box.x / 100) * shown.width
  const dy = shown.height - (box.y / 100) * shown.height - height
  const { left, bottom } = page
  const right = left + page.width
  const top = bottom + page.height
  switch (page.rotation) {
    case 0:
      return { width, height, matrix: [1, 0, 0, 1, left + dx, bottom + dy] }
    case 90:
      return { width, height, matrix: [0, 1, -1, 0, right - dy, bottom + dx] }
    case 180:
      return { width, height, matrix: [-1, 0, 0, -1, right - dx, top - dy] }
    case 270:
      return { width, height, matrix: [0, -1, 1, 0, left + dy, top - dx] }
  }
}

/** From user space to points of the displayed page, origin top-left. The inverse of `place`. */
export function displayMatrix({ left, bottom, width, height, rotation, userUnit: u }: PageBox): Matrix {
  const [right, top] = [left + width, bottom + height]
  switch (rotation) {
    case 0:
      return [u, 0, 0, -u, -left * u, top * u]
    case 90:
      return [0, u, u, 0, -bottom * u, -left * u]
    case 180:
      return [-u, 0, 0, u, right * u, -bottom * u]
    case 270:
      return [0, -u, -u, 0, top * u, right * u]
  }
}

/** Sums such as 70.1 + 29.9 may exceed 100 by a rounding error. */
const ROUNDING = 1e-9

/** The first invalid member of a box and why; `undefined` when the whole box is on the page. */
export function boxError(box: PercentBox): [member: keyof PercentBox, Violation] | undefined {
  if (!(box.x >= 0)) return ['x', violation('x_below_zero')]
  if (!(box.y >= 0)) return ['y', violation('y_below_zero')]
  if (!(box.width > 0)) return ['width', violation('width_not_positive')]
  if (!(box.height > 0)) return ['height', violation('height_not_positive')]
  if (box.x + box.width > 100 + ROUNDING) return ['width', violation('beyond_right_edge')]
  if (box.y + box.height > 100 + ROUNDING) return ['height', violation('beyond_bottom_edge')]
  return undefined
}

// The order in which people read what is placed on pages. Bundled for the browser too.

type Area = Readonly<PageArea>

/**
 * Page by page, from top to bottom. What is on one line follows the direction of the text: areas
 * placed by hand are never at exactly the same height.
 */
export function inReadingOrder<Placed>(
  all: Iterable<Placed>,
  areaOf: (placed: Placed) => Area,
  direction: 'ltr' | 'rtl' = 'ltr',
): Placed[] {
  const sorted = Array.from(all, placed => ({ placed, area: areaOf(placed) })).sort(
    ({ area: a }, { area: b }) => a.page - b.page || middle(a) - middle(b),
  )
  const lines: (typeof sorted)[] = []
  for (const each of sorted) {
    const first = lines.at(-1)?.[0]
    if (first && isOnLineOf(first.area, each.area)) lines.at(-1)?.push(each)
    else lines.push([each])
  }
  const start = ({ x, width }: Area) => (direction === 'rtl' ? -(x + width) : x)
  return lines.flatMap(line => line.sort((a, b) => start(a.area) - start(b.area)).map(({ placed }) => placed))
}

const middle = ({ y, height }: Area) => y + height / 2

/** Its middle is within the height of the first of the line. */
const isOnLineOf = (first: Area, area: Area) => first.page === area.page && middle(area) <= first.y + first.height
