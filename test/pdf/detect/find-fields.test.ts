/** Proposals lie on their pages, apart from each other, for any page and any hostile file. */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import type { Proposal } from '../../../src/core/draft/proposal.ts'
import { findFields, readingOrder } from '../../../src/pdf/detect/find-fields.ts'
import { useFolder } from '../../support/folders.ts'
import { type PdfParts, pdfOf } from '../../support/make-pdf.ts'
import { formPdf } from '../../support/tagged-pdf.ts'

const folder = useFolder()

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'
const FONT = '/Font << /F 5 0 R >>'

interface PageSpec {
  content: string | Uint8Array
  resources?: string
  entries?: string
  objects?: PdfParts['objects']
}

function pagePdf({ content, resources = FONT, entries = '', objects = {} }: PageSpec): Uint8Array {
  return pdfOf({
    objects: {
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${resources} >> ${entries} >>`,
      4: { head: '', data: content },
      5: HELVETICA,
      ...objects,
    },
  })
}

async function search(bytes: Uint8Array) {
  const path = join(folder, 'page.pdf')
  writeFileSync(path, bytes)
  return findFields({ path })
}

const show = (text: string, matrix: readonly number[], size = 12) => `BT /F ${size} Tf ${matrix.join(' ')} Tm (${text}) Tj ET`

function overlaps(a: Proposal, b: Proposal): boolean {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return a.page === b.page && width > 1e-9 && height > 1e-9
}

/** Text that is upright on a page of this rotation. */
const UPRIGHT = { 0: [1, 0, 0, 1], 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] } as const
const ROTATIONS = [0, 90, 180, 270] as const

describe('for any page', () => {
  const texts = [
    'Signature:',
    'Date',
    'Name: ____________________',
    '______________________',
    'Unterschrift ..............................',
    '{{signature:1}}',
    '{{ text : 2 : Label }}',
    '{{checkbox:1}}',
    'By: __________________________',
    'Some other words of a contract.',
  ]
  const item = fc.record({
    text: fc.constantFrom(...texts),
    x: fc.integer({ min: -50, max: 620 }),
    y: fc.integer({ min: -20, max: 860 }),
    size: fc.integer({ min: 4, max: 30 }),
  })
  const line = fc.record({
    x: fc.integer({ min: -50, max: 500 }),
    y: fc.integer({ min: 0, max: 842 }),
    length: fc.integer({ min: 1, max: 500 }),
    isVertical: fc.boolean(),
  })
  const page = fc.record({
    items: fc.array(item, { minLength: 20, maxLength: 80, size: 'max' }),
    lines: fc.array(line, { maxLength: 40, size: 'max' }),
    rotation: fc.constantFrom(...ROTATIONS),
    cropBox: fc.constantFrom('', '/CropBox [50 60 500 700]', '/CropBox [-10 -10 300 300]'),
    userUnit: fc.constantFrom(1, 2.5),
  })

  test('each proposal is on its page, none overlaps another, and at most 40 come from lines', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(page, async ({ items, lines, rotation, cropBox, userUnit }) => {
        const drawn = lines.map(
          ({ x, y, length, isVertical }) => `${x} ${y} m ${isVertical ? x : x + length} ${isVertical ? y + length : y} l S`,
        )
        const shown = items.map(({ text, x, y, size }) => show(text, [...UPRIGHT[rotation], x, y], size))
        const content = [...drawn, ...shown].join('\n')
        const { proposals } = await search(pagePdf({ content, entries: `/Rotate ${rotation} ${cropBox} /UserUnit ${userUnit}` }))
        for (const { x, y, width, height } of proposals) {
          expect(x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= 100 && y + height <= 100).toBe(true)
        }
        count += proposals.length
        expect(proposals.flatMap((a, i) => proposals.slice(i + 1).filter(b => overlaps(a, b)))).toEqual([])
        expect(proposals.filter(({ source }) => source === 'line').length).toBeLessThanOrEqual(40)
      }),
      { numRuns: 60 },
    )
    expect(count).toBeGreaterThan(150)
  })
})

describe('geometry', () => {
  /** Text that is upright on the displayed page, 100 pt from its left and 200 pt from its top. */
  const cases = [
    { rotation: 0, matrix: [1, 0, 0, 1, 40 + 100, 50 + 600 - 200] },
    { rotation: 90, matrix: [0, 1, -1, 0, 40 + 200, 50 + 100] },
    { rotation: 180, matrix: [-1, 0, 0, -1, 40 + 500 - 100, 50 + 200] },
    { rotation: 270, matrix: [0, -1, 1, 0, 40 + 500 - 200, 50 + 600 - 100] },
  ]
  for (const { rotation, matrix } of cases) {
    for (const userUnit of [1, 2]) {
      test(`a tag is found where it is shown: rotation ${rotation}, crop box, unit ${userUnit}`, async () => {
        const entries = `/Rotate ${rotation} /CropBox [40 50 540 650] /UserUnit ${userUnit}`
        const { proposals } = await search(pagePdf({ content: show('{{date:1}}', matrix), entries }))
        const [width, height] = rotation % 180 === 0 ? [500, 600] : [600, 500]
        const [{ x, y, height: fieldHeight } = { x: -1, y: -1, height: -1 }] = proposals
        expect(proposals).toHaveLength(1)
        expect(Math.abs((x / 100) * width - 100)).toBeLessThan(1)
        // The box ends below the descenders of the 12 pt text.
        expect(Math.abs(((y + fieldHeight) / 100) * height - 203.4)).toBeLessThan(1)
      })
    }
  }
})

describe('form fields', () => {
  test('lie within 1 pt of their widgets on a rotated page with a crop box', async () => {
    const { proposals } = await search(await formPdf({ rotation: 90, cropBox: [50, 100, 500, 700] }))
    const name = proposals.find(({ label }) => label === 'full name')!
    // (72, 760), 200 × 20 with a border of 1, on a page that is shown 700 wide and 500 high.
    expect(Math.abs((name.x / 100) * 700 - 660)).toBeLessThan(1)
    expect(Math.abs((name.y / 100) * 500 - 22)).toBeLessThan(1)
    expect(Math.abs((name.width / 100) * 700 - 20)).toBeLessThan(1.5)
    expect(Math.abs((name.height / 100) * 500 - 200)).toBeLessThan(1.5)
  })
})

describe('a line that may be no place to fill in', () => {
  const line = (x: number, y: number, length: number) => `${x} ${y} m ${x + length} ${y} l S`
  const at = (text: string, x: number, y: number) => show(text, [1, 0, 0, 1, x, y])
  const doubts = async (...content: string[]) => {
    const { proposals } = await search(pagePdf({ content: content.join('\n') }))
    return proposals.map(({ type, label, isDoubtful = false }) => [type, label, isDoubtful])
  }

  test('has the name of a party far above it, or a long caption askew below it', async () => {
    expect(await doubts(at('Tenant', 72, 500), line(72, 450, 200))).toEqual([['signature', 'Tenant', true]])
    expect(await doubts(line(100, 450, 60), at('Signature of the employee', 72, 436))).toEqual([
      ['signature', 'Signature of the employee', true],
    ])
  })

  test('and not if the caption begins, ends or is centred with its line, or says that it is for signing', async () => {
    const caption = 'Signature of the employee'
    expect(await doubts(line(72, 450, 60), at(caption, 72, 436))).toEqual([['signature', caption, false]])
    expect(await doubts(at('Signature', 72, 500), line(72, 450, 200))).toEqual([['signature', 'Signature', false]])
    expect(await doubts(at('Tenant', 72, 436), line(72, 450, 200))).toEqual([['signature', 'Tenant', false]])
  })

  test('belongs to a form whose labels could be of several languages', async () => {
    expect(await doubts(at('Firma', 72, 436), line(72, 450, 200))).toEqual([['signature', 'Firma', true]])
    expect(await doubts(at('Firma', 72, 436), line(72, 450, 200), at('Unterschrift', 300, 436), line(300, 450, 200))).toEqual([
      ['signature', 'Unterschrift', false],
    ])
  })

  test('is none above a sentence', async () => {
    expect(await doubts(line(72, 450, 60), at('The signature is kept with the date of each of the parties', 72, 436))).toEqual([])
  })
})

describe('hostile files', () => {
  const form = (resources: string, data: string) => ({
    head: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${resources} >>`,
    data,
  })
  const nested = Object.fromEntries(
    Array.from({ length: 11 }, (_, i) => [
      10 + i,
      i === 10 ? form('', '0 0 m 9 9 l S') : form(`/XObject << /X ${11 + i} 0 R >>`, '/X Do '.repeat(10)),
    ]),
  )
  const cmap = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <61> <${'0041'.repeat(20_000)}> endbfchar endcmap`
  const files: Record<string, PageSpec> = {
    'a million text operators': { content: `BT /F 5 Tf ${'(a) Tj '.repeat(1_000_000)} ET` },
    'ten thousand million nested forms': { content: '/X Do '.repeat(10), resources: '/XObject << /X 10 0 R >>', objects: nested },
    'a form that draws itself': {
      content: '/X Do',
      resources: '/XObject << /X 10 0 R >>',
      objects: { 10: form('/XObject << /X 10 0 R >>', '/X Do') },
    },
    'half a million saved states': { content: 'q '.repeat(500_000) },
    'a font whose letters are long texts': {
      content: `BT /F 5 Tf ${'(abc) Tj '.repeat(10_000)} ET`,
      objects: { 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>', 6: { head: '', data: cmap } },
    },
    'a font program of 50 MB zeros': {
      content: 'BT /F 5 Tf (abc) Tj ET',
      objects: {
        5: '<< /Type /Font /Subtype /TrueType /BaseFont /Foo /FontDescriptor 6 0 R >>',
        6: '<< /Type /FontDescriptor /FontName /Foo /Flags 4 /FontFile2 7 0 R >>',
        7: { head: '/Filter /FlateDecode', data: deflateSync(Buffer.alloc(50e6)) },
      },
    },
    'form fields whose parents form a loop': {
      content: '',
      entries: `/Annots [${'8 0 R '.repeat(20_000)}]`,
      objects: {
        8: '<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /Parent 9 0 R /Rect [10 10 90 30] >>',
        9: '<< /Parent 8 0 R >>',
      },
    },
    'numbers that no page has': { content: `BT /F 1e38 Tf 1e38 0 0 1e38 1e38 1e38 Tm (abc) Tj ET 1e38 1e38 m -1e38 1e38 l S` },
  }
  for (const [name, spec] of Object.entries(files)) {
    test(`${name}: no proposals, no error, and an end`, async () => {
      const { proposals, warnings, searchedPages } = await search(pagePdf(spec))
      expect([proposals, searchedPages]).toEqual([[], 1])
      expect(warnings.every(({ code }) => code === 'page_not_searched')).toBe(true)
    })
  }
})

test('a page with too much content is named, and its form fields are proposed all the same', async () => {
  const widget = '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Remarks) /Rect [10 10 90 30] >>'
  const content = `BT /F 12 Tf ({{signature:1}}) Tj ${'(a) Tj '.repeat(200_000)} ET`
  const { proposals, warnings } = await search(pagePdf({ content, entries: '/Annots [8 0 R]', objects: { 8: widget } }))
  expect(proposals.map(({ source, type }) => [source, type])).toEqual([['form', 'text']])
  expect(warnings.map(({ code, page }) => [code, page])).toEqual([['page_not_searched', 1]])
})

test('pages are read from both ends', () => {
  expect(readingOrder(5)).toEqual([0, 4, 1, 3, 2])
  expect(readingOrder(1)).toEqual([0])
  expect(readingOrder(0)).toEqual([])
})
