import { describe, expect, test } from 'bun:test'
import type { FieldAppearance } from '../../src/appearance/field-appearance.ts'
import { composeOverlay } from '../../src/appearance/field-appearance.ts'
import { displayedSize, type PageBox, type PercentBox, type Rotation } from '../../src/core/field/geometry.ts'
import { type Area, findQpdfErrors, inkArea, missingPrograms, type Raster, rasterOf, textOf } from '../evidence/pdf-programs.ts'

const missing = missingPrograms()
if (missing.length > 0) console.warn(`skipped for lack of ${missing.join(', ')}`)

const ROTATIONS: Rotation[] = [0, 90, 180, 270]
const DPI = 100

function pageBox(rotation: Rotation, userUnit = 1): PageBox {
  return { left: 37, bottom: -120, width: 500 / userUnit, height: 700 / userUnit, rotation, userUnit }
}

function fieldOf(box: PercentBox, content: FieldAppearance['content']): FieldAppearance {
  return { page: 1, box, content }
}

/** The overlay as a viewer shows it on the target page, rotated clockwise. */
async function displayed(page: PageBox, fields: FieldAppearance[]): Promise<Raster> {
  const flat = await rasterOf(await composeOverlay([{ page: 1, box: page, fields }]), 1, DPI * page.userUnit)
  return turned(flat, page.rotation)
}

function turned(from: Raster, rotation: Rotation): Raster {
  if (rotation === 0) return from
  const sideways = rotation !== 180
  const [width, height] = sideways ? [from.height, from.width] : [from.width, from.height]
  const grey = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [sx, sy] =
        rotation === 90 ? [y, from.height - 1 - x] : rotation === 180 ? [width - 1 - x, height - 1 - y] : [from.width - 1 - y, x]
      grey[y * width + x] = from.grey[sy * from.width + sx]!
    }
  }
  return { width, height, grey }
}

function pixels(page: PageBox, box: PercentBox, raster: Raster): Area {
  const left = (box.x / 100) * raster.width
  const top = (box.y / 100) * raster.height
  expect(raster.width).toBeCloseTo((displayedSize(page).width * page.userUnit * DPI) / 72, -1)
  return { left, top, right: left + (box.width / 100) * raster.width, bottom: top + (box.height / 100) * raster.height }
}

/** Renderers darken every pixel that a shape touches: one pixel of tolerance. */
const TOUCHED = 1

function expectInside(ink: Area | undefined, area: Area): void {
  expect(ink).toBeDefined()
  expect(ink!.left).toBeGreaterThanOrEqual(Math.floor(area.left) - TOUCHED)
  expect(ink!.top).toBeGreaterThanOrEqual(Math.floor(area.top) - TOUCHED)
  expect(ink!.right).toBeLessThanOrEqual(Math.ceil(area.right) + TOUCHED)
  expect(ink!.bottom).toBeLessThanOrEqual(Math.ceil(area.bottom) + TOUCHED)
}

const DRAWING = {
  width: 600,
  height: 200,
  strokes: [
    [0, 0, 255, 600, 200, 0, 0, 200, 255, 600, 0, 0, 300, 100, 128],
    [300, 190, 9],
  ],
}

const CONTENTS: [string, FieldAppearance['content']][] = [
  ['short text', { kind: 'text', text: 'Ågjy' }],
  ['long text', { kind: 'text', text: 'A sentence that goes on and on so that it has to be made smaller. '.repeat(20) }],
  ['one long word', { kind: 'text', text: 'W'.repeat(300) }],
  ['stacked marks', { kind: 'text', text: 'Ấ\u0301\u0301\u0301g\u0323\u0323\u0323' }],
  ['check', { kind: 'check' }],
  ['dot', { kind: 'dot' }],
  ['signature', { kind: 'signature', text: 'Åsa Đặng fjord' }],
  ['signature with a rule', { kind: 'signature', text: 'Åsa Đặng fjord', rule: true }],
  ['drawing', { kind: 'ink', ink: DRAWING, rule: true }],
  ['drawing of one line', { kind: 'ink', ink: { ...DRAWING, strokes: [[10, 100, 128, 590, 100, 128]] } }],
  ['long signature', { kind: 'signature', text: 'Maria-Theresia von und zu Hohenlohe '.repeat(10), rule: true }],
]
const BOXES: PercentBox[] = [
  { x: 10, y: 5, width: 30, height: 5 },
  { x: 70, y: 90, width: 30, height: 10 },
  { x: 5, y: 50, width: 3, height: 20 },
  { x: 40, y: 40, width: 50, height: 1 },
]

describe.skipIf(missing.length > 0)('field appearances', () => {
  for (const rotation of ROTATIONS) {
    test(`a page rotated by ${rotation} degrees has ink only in the box`, async () => {
      const page = pageBox(rotation)
      for (const [, content] of CONTENTS) {
        for (const box of BOXES) {
          const raster = await displayed(page, [fieldOf(box, content)])
          expectInside(inkArea(raster), pixels(page, box, raster))
        }
      }
    }, 60_000)

    test(`text is upright and starts at the left on a page rotated by ${rotation} degrees`, async () => {
      const page = pageBox(rotation)
      const box = { x: 20, y: 30, width: 60, height: 4 }
      const raster = await displayed(page, [fieldOf(box, { kind: 'text', text: 'lllllllllll________' })])
      const area = pixels(page, box, raster)
      const ink = inkArea(raster)!
      expect(ink.right - ink.left).toBeGreaterThan(3 * (ink.bottom - ink.top))
      expect(ink.left - area.left).toBeLessThan(8)
      const letters = inkArea(raster, { ...ink, right: ink.left + 12 })!
      const strokes = inkArea(raster, { ...ink, left: ink.right - 12 })!
      expect(letters.top).toBeLessThan(strokes.top) // the tall letters come first, the low line last
    })
  }

  test('the dot of a chosen box is in its middle, and large at 9 pt', async () => {
    const page = pageBox(0)
    const box = { x: 30, y: 30, width: (9 / 500) * 100, height: (9 / 700) * 100 }
    const { left, top, right, bottom } = inkArea(await displayed(page, [fieldOf(box, { kind: 'dot' })]))!
    const side = (9 * DPI) / 72
    expect((right - left) / side).toBeGreaterThan(0.5)
    expect((bottom - top) / side).toBeLessThan(0.8)
    expect(Math.abs((left + right) / 2 - (0.3 * 500 * DPI) / 72 - side / 2)).toBeLessThan(1)
  })

  test('the overlay page has the user space of the target page and no rotation', async () => {
    const bytes = await composeOverlay([{ page: 3, box: pageBox(90), fields: [fieldOf(BOXES[0]!, { kind: 'check' })] }])
    const text = Buffer.from(bytes).toString('latin1')
    expect(text).toMatch(/\/MediaBox \[ ?37 -120 537 580 ?\]/)
    expect(text).not.toMatch(/\/Rotate [^0]/)
  })

  test('one page per entry, in order, with its own fields only', async () => {
    const entry = (page: number, text: string) => ({
      page,
      box: pageBox(0),
      fields: [fieldOf(BOXES[0]!, { kind: 'text' as const, text })],
    })
    const bytes = await composeOverlay([entry(7, 'seventh'), entry(2, 'second')])
    expect((await textOf(bytes)).split('\f').map(part => part.trim())).toEqual(['seventh', 'second', ''])
  })

  test('text has the same size on a page whose unit is two points', async () => {
    const box = { x: 10, y: 10, width: 80, height: 10 }
    const heights = [1, 2].map(async userUnit => {
      const ink = inkArea(await displayed(pageBox(0, userUnit), [fieldOf(box, { kind: 'text', text: 'lHl' })]))!
      return ink.bottom - ink.top
    })
    const [plain, doubled] = await Promise.all(heights)
    expect(Math.abs(plain! - doubled!)).toBeLessThanOrEqual(1)
  })

  test('line breaks are kept, and text that fits is complete', async () => {
    const text = 'First line\nsecond line\nthird (with a bracket) and \\ backslash'
    const bytes = await composeOverlay([
      { page: 1, box: pageBox(0), fields: [fieldOf({ x: 10, y: 10, width: 70, height: 12 }, { kind: 'text', text })] },
    ])
    expect((await textOf(bytes)).trim()).toBe(text)
  })

  test('only text that does not fit ends with an ellipsis', async () => {
    const overlay = (text: string, height: number) =>
      composeOverlay([
        { page: 1, box: pageBox(0), fields: [fieldOf({ x: 10, y: 10, width: 40, height }, { kind: 'text', text })] },
      ])
    expect(await textOf(await overlay('word '.repeat(1000), 5))).toContain('…')
    expect(await textOf(await overlay('word '.repeat(40), 12))).not.toContain('…')
  })

  const HOSTILE: [string, string][] = [
    ['PDF syntax', ') Tj ET Q \\ << /JS (x) >> endstream endobj %%EOF stream ]>>'],
    ['line ends', 'a\r\nb\rc\n\n\nd\u2028e'],
    ['emoji', '👩‍👩‍👧‍👦 🏳️‍🌈 😀'],
    ['reordering', '\u202egnp.exe\u202c \u2066x\u2069 שלום (abc) مرحبا 123'],
    ['controls', 'a\0b\u001b[31mc\u0007'],
    ['half a surrogate pair', 'x\ud83d y\udc00'],
    ['5,000 characters', 'abcdefghi '.repeat(500)],
    ['5,000 characters without a blank', 'x'.repeat(5000)],
    ['500 marks on one letter', `a${'\u0301'.repeat(500)}`],
    ['nothing', ''],
    ['blanks', '   '],
  ]
  for (const [name, text] of HOSTILE) {
    test(`hostile text (${name}) gives a valid file and stays in its box`, async () => {
      const page = pageBox(0)
      const box = BOXES[0]!
      for (const kind of ['text', 'signature'] as const) {
        const bytes = await composeOverlay([{ page: 1, box: page, fields: [fieldOf(box, { kind, text, rule: true })] }])
        expect(await findQpdfErrors(bytes)).toBe('')
        const raster = await rasterOf(bytes, 1, DPI)
        const ink = inkArea(raster)
        if (ink) expectInside(ink, pixels(page, box, raster))
        else expect(text.trim()).toBe('')
      }
    })
  }

  test('no fields and no pages also give valid files', async () => {
    expect(await findQpdfErrors(await composeOverlay([{ page: 1, box: pageBox(0), fields: [] }]))).toBe('')
  })
})
