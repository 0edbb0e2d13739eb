/** The size and place of text in its field: by a rule, by the field's members, within the box. */
import { describe, expect, test } from 'bun:test'
import { fitTexts } from '../../src/appearance/draw-fields.ts'
import { composeOverlay, type FieldAppearance } from '../../src/appearance/field-appearance.ts'
import type { PercentBox } from '../../src/core/field/geometry.ts'
import { inkArea, missingPrograms, rasterOf, textOf } from '../evidence/pdf-programs.ts'

const missing = missingPrograms()
const DPI = 288
const POINTS = 72 / DPI

interface Drawing {
  text: string
  box?: Partial<PercentBox>
  size?: number
  align?: 'left' | 'center' | 'right'
  pageWidth?: number
  isParagraph?: boolean
}

function overlayOf({ text, box = {}, size, align, pageWidth = 595, isParagraph = false }: Drawing): Promise<Uint8Array> {
  const page = { left: 0, bottom: 0, width: pageWidth, height: 800, rotation: 0 as const, userUnit: 1 }
  const content: FieldAppearance['content'] = { kind: 'text', text, size, align, isParagraph }
  const field = { page: 1, box: { x: 10, y: 10, width: 80, height: 2.5, ...box }, content }
  return composeOverlay([{ page: 1, box: page, fields: [field] }])
}

/** The box of the ink in points from the top left corner of the page. */
async function inkOf(drawing: Drawing) {
  const { left, top, right, bottom } = inkArea(await rasterOf(await overlayOf(drawing), 1, DPI))!
  return { left: left * POINTS, right: right * POINTS, top: top * POINTS, bottom: bottom * POINTS }
}

const heightOf = async (drawing: Drawing) => {
  const { top, bottom } = await inkOf(drawing)
  return bottom - top
}

describe.skipIf(missing.length > 0)('the size of text', () => {
  test('is the same in a box of any height that is high enough', async () => {
    const heights = await Promise.all([2.5, 4, 8, 30].map(height => heightOf({ text: 'H', box: { height } })))
    for (const height of heights) expect(Math.abs(height - heights[0]!)).toBeLessThan(0.5)
  })

  test('is what the field says, where it fits', async () => {
    const [ten, twenty] = [
      await heightOf({ text: 'H', size: 10, box: { height: 5 } }),
      await heightOf({ text: 'H', size: 20, box: { height: 5 } }),
    ]
    expect(twenty / ten).toBeCloseTo(2, 1)
    expect(await heightOf({ text: 'H', size: 11 })).toBeCloseTo(await heightOf({ text: 'H' }), 1)
  })

  test('is smaller on a page narrower than 400 pt, in proportion', async () => {
    const [wide, narrow] = [await heightOf({ text: 'H' }), await heightOf({ text: 'H', pageWidth: 297.5 })]
    expect(narrow / wide).toBeCloseTo(0.5, 1)
  })

  test('shrinks in a low box, and in a narrow one before it wraps', async () => {
    expect(await heightOf({ text: 'H', size: 24, box: { height: 1.5 } })).toBeLessThan(12)
    const { left, right, top, bottom } = await inkOf({ text: 'Twenty-five characters he', box: { width: 19 } })
    expect(right - left).toBeLessThanOrEqual(0.19 * 595)
    expect(bottom - top).toBeLessThan(12)
  })

  test('stays 6 pt at least: text wraps, and what does not fit ends with an ellipsis', async () => {
    const text = 'A sentence that is too long for its box. '.repeat(3).trim()
    expect((await textOf(await overlayOf({ text, box: { width: 30, height: 6 } }))).replace(/\s+/g, ' ').trim()).toBe(text)
    expect(await textOf(await overlayOf({ text: text.repeat(3), box: { width: 30 } }))).toContain('…')
  })
})

describe.skipIf(missing.length > 0)('the place of text', () => {
  const BOX = { left: 59.5, right: 535.5, middle: 297.5 }

  test.each([
    ['Latin', 'left', 'Hamburg'],
    ['Arabic', 'right', 'السلام'],
  ])('%s begins at the %s without an alignment', async (_, side, text) => {
    const { left, right } = await inkOf({ text })
    if (side === 'left') expect(left - BOX.left).toBeLessThan(6)
    else expect(BOX.right - right).toBeLessThan(6)
  })

  test.each(['Hamburg', 'السلام'])('%s is where the field says', async text => {
    const [left, center, right] = await Promise.all((['left', 'center', 'right'] as const).map(align => inkOf({ text, align })))
    expect(left!.left - BOX.left).toBeLessThan(6)
    expect(Math.abs((center!.left + center!.right) / 2 - BOX.middle)).toBeLessThan(2)
    expect(BOX.right - right!.right).toBeLessThan(6)
  })

  test('each line of several is aligned', async () => {
    const narrow = await inkOf({ text: 'A long first line\nB', align: 'right', box: { height: 5 } })
    expect(BOX.right - narrow.right).toBeLessThan(6)
    expect(narrow.right - narrow.left).toBeGreaterThan(40)
  })

  test.each([8, 9, 10, 11, 12, 14])('is on the lower edge of a low box, and nothing of it crosses: %d pt', async size => {
    for (const height of [2.5, 3]) {
      const edge = 80 + height * 8
      const [descending, plain] = [
        await inkOf({ text: 'gpqyj', size, box: { height } }),
        await inkOf({ text: 'H', size, box: { height } }),
      ]
      expect(descending.bottom).toBeLessThanOrEqual(edge)
      expect(edge - descending.bottom).toBeLessThan(0.1 * size)
      // Letters with and without descenders are on one line.
      expect(edge - plain.bottom).toBeGreaterThan(0.2 * size)
      expect(edge - plain.bottom).toBeLessThan(0.35 * size)
    }
  })

  test('is the top of a high box', async () => {
    const high = await inkOf({ text: 'H', box: { height: 20 } })
    expect(high.top - 80).toBeLessThan(10)
  })
})

describe.skipIf(missing.length > 0)('a paragraph', () => {
  const SENTENCE = 'The apartment was handed over with two keys and a marked floor plan.'

  test('wraps in its size before it shrinks, and begins at the top', async () => {
    const box = { width: 48, height: 10 }
    const [line, paragraph] = [await inkOf({ text: SENTENCE, box }), await inkOf({ text: SENTENCE, box, isParagraph: true })]
    expect(line.bottom - line.top).toBeLessThan(12)
    expect(paragraph.bottom - paragraph.top).toBeGreaterThan(18)
    expect(paragraph.top - 80).toBeLessThan(7)
  })

  test('keeps its line breaks, empty lines too', async () => {
    const text = 'One\n\nThree'
    const { top, bottom } = await inkOf({ text, box: { height: 20 }, isParagraph: true })
    expect(bottom - top).toBeGreaterThan(2 * 11 * 1.25)
    expect((await textOf(await overlayOf({ text, box: { height: 20 }, isParagraph: true }))).split(/\n+/)).toContain('Three')
  })

  test('of 2,000 characters is complete, smaller than usual but at least 6 pt', async () => {
    const text = SENTENCE.repeat(40).slice(0, 2000)
    const drawn = await textOf(await overlayOf({ text, box: { height: 30 }, isParagraph: true }))
    expect(drawn.replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''))
  })

  test.each([
    ['Arabic', 'right', 'تم تسليم الشقة مع مفتاحين ومخطط مُعلَّم للطابق، ولا توجد أضرار ظاهرة فيها. '],
    ['Japanese', 'left', '鍵二本と間取り図を受け取りました。目に見える損傷はありません。'],
    ['Thai', 'left', 'ได้รับมอบห้องพร้อมกุญแจสองดอกและแผนผังชั้น ไม่พบความเสียหายที่มองเห็นได้ '],
  ] as const)('in %s wraps and begins at the %s', async (_, side, text) => {
    const { left, right, top, bottom } = await inkOf({ text: text.repeat(3), box: { width: 30, height: 20 }, isParagraph: true })
    expect(bottom - top).toBeGreaterThan(25)
    if (side === 'left') expect(left - 59.5).toBeLessThan(6)
    else expect(59.5 + 178.5 - right).toBeLessThan(6)
  })
})

describe('whether a text fits', () => {
  const page = { left: 0, bottom: 0, width: 595, height: 800, rotation: 0 as const, userUnit: 1 }
  const box = { x: 10, y: 10, width: 30, height: 2.5 }
  const ask = async (text: string, more: Partial<FieldAppearance['box']> & { isParagraph?: boolean } = {}, at = page) => {
    const { isParagraph = false, ...size } = more
    const [about] = await fitTexts({
      texts: [{ page: at, box: { ...box, ...size }, content: { kind: 'text', text, isParagraph } }],
    })
    return about
  }

  test('is what the drawing does: exactly the texts that it cuts do not fit', async () => {
    const words = 'word '.repeat(60).trim()
    for (let length = 60; length < words.length; length += 12) {
      const text = words.slice(0, length)
      const isCut = (await textOf(await overlayOf({ text, box }))).includes('…')
      expect((await ask(text)) !== null).toBe(isCut)
    }
  })

  test('is said with the number of characters that do', async () => {
    const about = (await ask('n'.repeat(1000), { height: 5, isParagraph: true }))!
    expect(about).toBeGreaterThan(100)
    expect(await ask('n'.repeat(about - 5), { height: 5, isParagraph: true })).toBeNull()
  })

  test('depends on the size on paper, not on the unit or the rotation of the page', async () => {
    const text = 'n'.repeat(110)
    const answers = await Promise.all([
      ask(text),
      ask(text, {}, { ...page, width: 595 / 2.5, height: 320, userUnit: 2.5 }),
      ask(text, {}, { ...page, width: 800, height: 595, rotation: 90 as never }),
    ])
    expect(new Set(answers).size).toBe(1)
  })
})
