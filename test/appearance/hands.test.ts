/** The handwritings of a typed signature: which a name has; the page shows what is stamped. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PDFDocument } from 'pdf-lib'
import type { Browser } from 'playwright-core'
import { drawHands } from '../../src/appearance/draw-fields.ts'
import { fillPage, placeSignature } from '../../src/appearance/field-appearance.ts'
import { HAND_AREA, type Hand } from '../../src/core/signing/signature-mark.ts'
import { readPng } from '../../src/image/png-read.ts'
import { handsFor } from '../../src/text/itemize.ts'
import { openPdfFonts } from '../../src/text/pdf-fonts.ts'
import { openParagraphShaper } from '../../src/text/shape.ts'
import { shapeParagraphs, wrapParagraphs } from '../../src/text/wrap.ts'
import { handSvg } from '../../views/parts/mark-svg.ts'
import { missingPrograms, rasterOf } from '../evidence/pdf-programs.ts'
import { NO_BROWSER, openBrowser } from '../support/browser.ts'
import { inkAgreement } from '../text/scripts-reference.ts'

const NAMES: [text: string, fonts: string[]][] = [
  ['Anna-Lena von Berg', ['Caveat-Regular', 'GreatVibes-Regular', 'MarckScript-Regular']],
  ['Łukasz Wójcik', ['Caveat-Regular', 'GreatVibes-Regular', 'MarckScript-Regular']],
  ['Юлия Щербакова', ['Caveat-Regular', 'GreatVibes-Regular', 'MarckScript-Regular']],
  ['Nguyễn Thị Hằng', ['Caveat-Regular', 'GreatVibes-Regular']],
  ['Γεώργιος Ξένος', ['Mynerve-Regular']],
  ['محمد علي', ['ArefRuqaa-Regular', 'NotoNastaliqUrdu-Regular', 'Lateef-Regular']],
  ['דוד כהן', ['GveretLevin-Regular', 'PlaypenSansHebrew-Regular', 'AmaticSC-Regular']],
  ['สมชาย ใจดี', ['Charm-Regular', 'Charmonman-Regular', 'Mali-Italic']],
  ['राजेश कुमार', ['Kalam-Regular', 'Amita-Regular']],
  ['王小明', ['ZhiMangXing-Regular', 'ZenKurenaido-Regular']],
  ['髙橋健一', ['ZenKurenaido-Regular']],
  ['佐藤さくら', ['ZenKurenaido-Regular']],
  ['김민준', ['NanumPenScript-Regular']],
]

describe('the hands of a name', () => {
  for (const [text, fonts] of NAMES) {
    test(`“${text}” is offered in ${fonts.join(', ')}`, async () => {
      const shape = await openParagraphShaper()
      const used = handsFor(text).map(hand => {
        const [line] = wrapParagraphs(shapeParagraphs(shape, text, 'signature', { hand }), Number.POSITIVE_INFINITY)
        return [...new Set(line?.runs.map(({ font }) => font.name))].join()
      })
      expect(used).toEqual(fonts)
    })
  }

  test('a name in two scripts has the hands of both, a text without letters one', () => {
    expect(handsFor('Γεώργιος (George)')).toEqual([1, 2, 3])
    expect(handsFor('')).toEqual([1])
  })

  test('a hand without a letter of the name is not offered', () => {
    expect(handsFor('Đỗ Ưng')).toEqual([1, 2])
    expect(handsFor('陳小明')).toEqual([1])
  })

  test('a hand whose font an earlier release had looks as the first one', async () => {
    const shape = await openParagraphShaper()
    for (const [text, hands] of [
      ['王小明', [2]],
      ['佐藤さくら', [2, 3]],
      ['김민준', [2, 3]],
    ] as [string, Hand[]][]) {
      const first = shapeParagraphs(shape, text, 'signature')[0]!.line(0, text.length)
      for (const hand of hands) {
        expect(shapeParagraphs(shape, text, 'signature', { hand })[0]!.line(0, text.length)).toEqual(first)
      }
    }
  })

  test('a mark without a hand looks as one of the first hand', async () => {
    const shape = await openParagraphShaper()
    for (const [text] of NAMES) {
      expect(shapeParagraphs(shape, text, 'signature')[0]?.line(0, text.length)).toEqual(
        shapeParagraphs(shape, text, 'signature', { hand: 1 })[0]!.line(0, text.length),
      )
    }
  })
})

const missing = missingPrograms()

describe.skipIf(NO_BROWSER || missing.length > 0)('the drawing on the page', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, 30_000)
  afterAll(() => browser.close())

  const AREA = { width: HAND_AREA.width / 10, height: HAND_AREA.height / 10 }

  async function onScreen(path: string) {
    const context = await browser.newContext({ viewport: AREA, deviceScaleFactor: 4 })
    try {
      const page = await context.newPage()
      const src = `data:image/svg+xml,${encodeURIComponent(handSvg(path))}`
      await page.setContent(`<body style="margin:0"><img width="${AREA.width}" height="${AREA.height}" src="${src}">`)
      const samples = await readPng(await page.screenshot({ type: 'png' }), 10_000)
      if (samples?.channels !== 3) throw new Error('a screenshot is a PNG in colour')
      const { width, height, colour } = samples
      return { width, height, grey: Uint8Array.from({ length: width * height }, (_, i) => colour[i * 3]!) }
    } finally {
      await context.close()
    }
  }

  async function onPaper(text: string, hand: Hand) {
    const pdf = await PDFDocument.create({ updateMetadata: false })
    const fonts = await openPdfFonts(pdf)
    const { line, left, baseline, size } = placeSignature({ text, hand }, AREA, 1, await openParagraphShaper())
    fillPage(pdf, pdf.addPage([AREA.width, AREA.height]), `0 g\n${fonts.show(line, left, baseline, size)}`, fonts)
    fonts.embed()
    return rasterOf(await pdf.save(), 1, 288)
  }

  for (const [text] of NAMES) {
    test(`of “${text}” has the ink that is stamped`, async () => {
      const hands = handsFor(text)
      const paths = await drawHands({ text, hands })
      for (const [i, hand] of hands.entries()) {
        const [shown, stamped] = [await onScreen(paths[i]!), await onPaper(text, hand)]
        const { f1, sizeDifference } = inkAgreement(shown, stamped)
        expect(f1).toBeGreaterThan(0.97)
        expect(sizeDifference).toBeLessThanOrEqual(4)
      }
    }, 60_000)
  }
})
