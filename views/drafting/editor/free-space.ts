/** Finds a place on a page where nothing is shown. Pure; what is shown comes as pixels. */
import { minSize, usualSize } from '../../../src/core/field/field-size.ts'
import type { Extent } from './commands.ts'
import type { Box, PageSize } from './model.ts'

/** A drawn page: four bytes for each pixel, as of a canvas. */
export interface Picture {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
}

/** Each part of a colour of white paper. */
const MIN_WHITE = 246
/** Between a field and what is shown around it, pt. */
const CLEARANCE = 5
/** Of the page, pt. */
const MARGIN = 36
const STEP = 4
/** A little below what is above. */
const BELOW = 10
/** Where the usual size finds no space. */
const SMALLER = 0.7

/** The place, in points; `undefined` if the page has no free space that is large enough. */
export function freeSpace(picture: Picture, page: PageSize, taken: readonly Box[]): Box | undefined {
  const shown = new Shown(picture, page, taken)
  const usual = usualSize('signature', page)
  const min = minSize('signature', page)
  const smaller = {
    width: Math.max(min.width, usual.width * SMALLER),
    height: Math.max(min.height, usual.height * SMALLER),
  }
  return shown.space(usual) ?? shown.space(smaller)
}

/** Where the upper edge of a box can be, pt. */
interface Space {
  readonly x: number
  readonly top: number
  readonly bottom: number
}

/** More is no better than this. */
const ENOUGH = 60
const spareOf = ({ top, bottom }: Space): number => Math.min(bottom - top, ENOUGH)

/** Where the page shows something: counts of pixels, so that a box is looked up in one step. */
class Shown {
  readonly #sums: Uint32Array
  readonly #columns: number
  readonly #rows: number
  readonly #page: PageSize
  /** Of the leftmost thing that is shown, pt. */
  readonly #left: number

  constructor({ data, width, height }: Picture, page: PageSize, taken: readonly Box[]) {
    this.#page = page
    this.#columns = width
    this.#rows = height
    const isShown = new Uint8Array(width * height)
    for (let i = 0; i < isShown.length; i++)
      isShown[i] = Math.min(data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!) < MIN_WHITE ? 1 : 0
    for (const box of taken) {
      const { left, top, right, bottom } = this.#pixelsOf(box)
      for (let y = top; y < bottom; y++) isShown.fill(1, y * width + left, y * width + right)
    }
    this.#sums = this.#summed(isShown)
    let column = 0
    while (column < width && this.#count(column, 0, column + 1, height) === 0) column++
    this.#left = column === width ? 2 * MARGIN : (column / width) * page[0]
  }

  /** The upper part of a space in which a box of this size fits: the leftmost, then the lowest. */
  space(size: Extent): Box | undefined {
    const last = this.#page[0] - MARGIN - size.width
    let best: Space | undefined
    for (let x = Math.min(Math.max(MARGIN, this.#left), last); x >= 0 && x <= last; x += STEP) {
      const lowest = this.#lowestAt(x, size)
      if (lowest && spareOf(lowest) > (best ? spareOf(best) : -1)) best = lowest
    }
    return best && { ...size, x: best.x, y: best.top + Math.min(BELOW, best.bottom - best.top) }
  }

  /** Of the spaces with enough to spare; if there is none, the one with the most. */
  #lowestAt(x: number, size: Extent): Space | undefined {
    let best: Space | undefined
    let space: Space | undefined
    for (let y = MARGIN; y + size.height <= this.#page[1] - MARGIN; y += STEP) {
      if (!this.#isFree({ ...size, x, y })) {
        space = undefined
        continue
      }
      space = { x, top: space?.top ?? y, bottom: y }
      if (!best || spareOf(space) >= spareOf(best)) best = space
    }
    return best
  }

  #isFree({ x, y, width, height }: Box): boolean {
    const around = { x: x - CLEARANCE, y: y - CLEARANCE, width: width + 2 * CLEARANCE, height: height + 2 * CLEARANCE }
    const { left, top, right, bottom } = this.#pixelsOf(around)
    return this.#count(left, top, right, bottom) === 0
  }

  #pixelsOf({ x, y, width, height }: Box) {
    const [across, down] = [this.#columns / this.#page[0], this.#rows / this.#page[1]]
    const within = (value: number, limit: number) => Math.min(Math.max(0, value), limit)
    return {
      left: within(Math.floor(x * across), this.#columns),
      top: within(Math.floor(y * down), this.#rows),
      right: within(Math.ceil((x + width) * across), this.#columns),
      bottom: within(Math.ceil((y + height) * down), this.#rows),
    }
  }

  #summed(isShown: Uint8Array): Uint32Array {
    const stride = this.#columns + 1
    const sums = new Uint32Array(stride * (this.#rows + 1))
    for (let y = 0; y < this.#rows; y++) {
      let row = 0
      for (let x = 0; x < this.#columns; x++) {
        row += isShown[y * this.#columns + x]!
        sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1]! + row
      }
    }
    return sums
  }

  #count(left: number, top: number, right: number, bottom: number): number {
    const stride = this.#columns + 1
    const at = (x: number, y: number) => this.#sums[y * stride + x]!
    return at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top)
  }
}
