/** Images of signers in the sealed PDF: upright, in the middle of their field, never distorted. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { composeOverlay } from '../../src/appearance/field-appearance.ts'
import { withoutMetadata } from '../../src/image/jpeg.ts'
import { writePng } from '../../src/image/png-write.ts'
import { findQpdfErrors, missingPrograms } from '../evidence/pdf-programs.ts'
import { useFolder } from '../support/folders.ts'
import { CMYK_JPEG, exifSegment, JPEG, withSegments } from '../support/jpegs.ts'
import { boxOfPixels, type Picture, pictureOf } from '../support/page-picture.ts'

const missing = missingPrograms()
if (missing.length > 0) console.warn(`skipped for lack of ${missing.join(', ')}`)

const folder = useFolder()

const PAGE = { left: 0, bottom: 0, width: 400, height: 300, rotation: 0, userUnit: 1 } as const
const FIELD = { x: 25, y: 20, width: 50, height: 40 }

let made = 0
async function drawn(bytes: Uint8Array, box = FIELD): Promise<Picture> {
  const path = join(folder, `image-${made++}`)
  writeFileSync(path, bytes)
  const pdf = await composeOverlay([{ page: 1, box: PAGE, fields: [{ page: 1, box, content: { kind: 'image', path } }] }])
  expect(await findQpdfErrors(pdf)).toBe('')
  writeFileSync(`${path}.pdf`, pdf)
  return pictureOf(`${path}.pdf`, 1)
}

const isInk = (red: number, green: number, blue: number) => Math.min(red, green, blue) < 200

/** The colours in the corners of what is drawn: top left, top right, bottom left, bottom right. */
function cornersOf(picture: Picture): string[] {
  const box = boxOfPixels(picture, isInk)!
  const at = (x: number, y: number) => {
    const [column, row] = [((box.x + x * box.width) / 100) * picture.width, ((box.y + y * box.height) / 100) * picture.height]
    const [red = 0, green = 0, blue = 0] = picture.pixels.subarray(3 * (Math.floor(row) * picture.width + Math.floor(column)))
    return red > 180 ? (green > 150 ? 'yellow' : 'red') : green > blue ? 'green' : 'blue'
  }
  return [at(0.2, 0.2), at(0.8, 0.2), at(0.2, 0.8), at(0.8, 0.8)]
}

const UPRIGHT = ['red', 'green', 'blue', 'yellow']

test.skipIf(missing.length > 0)('a photo is drawn as its camera was held', async () => {
  // Exif 3.0 §4.6.5.1: where the first row and the first column of the stored picture are.
  const expected: Record<number, string[]> = {
    1: UPRIGHT,
    2: ['green', 'red', 'yellow', 'blue'],
    3: ['yellow', 'blue', 'green', 'red'],
    4: ['blue', 'yellow', 'red', 'green'],
    5: ['red', 'blue', 'green', 'yellow'],
    6: ['blue', 'red', 'yellow', 'green'],
    7: ['yellow', 'green', 'blue', 'red'],
    8: ['green', 'yellow', 'red', 'blue'],
  }
  for (const [orientation, corners] of Object.entries(expected)) {
    const picture = await drawn(withoutMetadata(withSegments(JPEG, [exifSegment(Number(orientation))])))
    expect([orientation, ...cornersOf(picture)]).toEqual([orientation, ...corners])
    const box = boxOfPixels(picture, isInk)!
    const ratio = (box.width * PAGE.width) / (box.height * PAGE.height)
    expect(ratio).toBeCloseTo(Number(orientation) >= 5 ? 32 / 48 : 48 / 32, 1)
  }
})

test.skipIf(missing.length > 0)('a JPEG in CMYK has its colours, not their negative', async () => {
  expect(cornersOf(await drawn(CMYK_JPEG))).toEqual(UPRIGHT)
})

test.skipIf(missing.length > 0)('of any shape keeps its shape, fills the field one way and is in the middle', async () => {
  const side = fc.integer({ min: 8, max: 400 })
  const share = fc.integer({ min: 15, max: 45 })
  await fc.assert(
    fc.asyncProperty(side, side, share, share, async (width, height, boxWidth, boxHeight) => {
      fc.pre(Math.max(width / height, height / width) < 8)
      const colour = new Uint8Array(width * height * 3)
      const png = writePng({ width, height, colour, alpha: new Uint8Array(width * height).fill(255) })
      const field = { x: 30, y: 30, width: boxWidth, height: boxHeight }
      const box = boxOfPixels(await drawn(png, field), isInk)!
      const [w, h] = [(box.width / 100) * PAGE.width, (box.height / 100) * PAGE.height]
      const [fieldWidth, fieldHeight] = [(boxWidth / 100) * PAGE.width, (boxHeight / 100) * PAGE.height]
      const scale = Math.min(fieldWidth / width, fieldHeight / height)
      // Two pixels for rounding at 72 dpi.
      expect(Math.abs(w - width * scale)).toBeLessThanOrEqual(2)
      expect(Math.abs(h - height * scale)).toBeLessThanOrEqual(2)
      const middle = (start: number, length: number) => start + length / 2
      expect(Math.abs(middle(box.x, box.width) - middle(field.x, field.width)) * 4).toBeLessThanOrEqual(2)
      expect(Math.abs(middle(box.y, box.height) - middle(field.y, field.height)) * 3).toBeLessThanOrEqual(2)
    }),
    { numRuns: 25 },
  )
})
