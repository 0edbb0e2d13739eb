/** A signature goes where the page shows nothing, or nowhere. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { freeSpace, type Picture } from '../../../views/drafting/editor/free-space.ts'
import type { Box } from '../../../views/drafting/editor/model.ts'
import { A4 } from './drafts.ts'

const [WIDTH, HEIGHT] = A4

/** White paper with boxes of one grey. */
function pictureOf(shown: readonly Box[], grey = 0): Picture {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255)
  for (const { x, y, width, height } of shown) {
    for (let row = y; row < Math.min(y + height, HEIGHT); row++)
      data.fill(grey, 4 * (row * WIDTH + x), 4 * (row * WIDTH + Math.min(x + width, WIDTH)))
  }
  return { data, width: WIDTH, height: HEIGHT }
}

const overlaps = (a: Box, b: Box) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const TEXT: Box = { x: 72, y: 72, width: 450, height: 400 }
const FOOTER: Box = { x: 72, y: 800, width: 450, height: 12 }

describe('free space', () => {
  test('is below the text and above the footer, at the left edge of the text', () => {
    expect(freeSpace(pictureOf([TEXT, FOOTER]), A4, [])).toMatchObject({ x: 72, y: expect.closeTo(490, -1) })
  })

  test('is below the text also where a column beside it is free, and not in a gap of the text', () => {
    const narrow = { ...TEXT, width: 250 }
    expect(freeSpace(pictureOf([narrow, FOOTER]), A4, [])).toMatchObject({ x: 72, y: expect.closeTo(490, -1) })
    const before = { ...TEXT, height: 200 }
    const after = { ...TEXT, y: 340, height: 132 }
    expect(freeSpace(pictureOf([before, after, FOOTER]), A4, [])).toMatchObject({ x: 72, y: expect.closeTo(490, -1) })
  })

  test('never touches what is shown, nor another field', () => {
    const box = fc.record({
      x: fc.integer({ min: 0, max: 560 }),
      y: fc.integer({ min: 0, max: 820 }),
      width: fc.integer({ min: 1, max: 300 }),
      height: fc.integer({ min: 1, max: 120 }),
    })
    let found = 0
    fc.assert(
      fc.property(fc.array(box, { maxLength: 14 }), fc.array(box, { maxLength: 6 }), (shown, taken) => {
        const place = freeSpace(pictureOf(shown), A4, taken)
        if (!place) return
        found++
        expect([...shown, ...taken].filter(other => overlaps(place, other))).toEqual([])
        expect(place.x >= 0 && place.y >= 0 && place.x + place.width <= WIDTH && place.y + place.height <= HEIGHT).toBe(true)
      }),
      { numRuns: 40 },
    )
    expect(found).toBeGreaterThan(10)
  })

  test('is smaller where only a smaller field fits', () => {
    const gap = { ...TEXT, y: 36, height: 700 }
    const rest = { ...TEXT, y: 790, height: 52 }
    expect(
      freeSpace(pictureOf([gap, rest, { x: 0, y: 0, width: 72, height: 842 }, { x: 522, y: 0, width: 73, height: 842 }]), A4, []),
    ).toMatchObject({ height: expect.closeTo(33.6, 1) })
  })

  test('does not exist on a page of text, of a light grey, or in a small gap', () => {
    const whole = { x: 0, y: 0, width: WIDTH, height: HEIGHT }
    expect(freeSpace(pictureOf([whole]), A4, [])).toBeUndefined()
    expect(freeSpace(pictureOf([whole], 240), A4, [])).toBeUndefined()
    const lines = Array.from({ length: 42 }, (_, i) => ({ x: 40, y: 20 * i, width: 515, height: 9 }))
    expect(freeSpace(pictureOf(lines), A4, [])).toBeUndefined()
  })
})
