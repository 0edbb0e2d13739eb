/**
 * Typed signatures: in one font per name, with the ink of a browser, copied as text, not clipped by
 * their box.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PDFDocument } from 'pdf-lib'
import type { Browser } from 'playwright-core'
import { composeOverlay, fillPage } from '../../src/appearance/field-appearance.ts'
import { unprintable } from '../../src/text/coverage.ts'
import { openPdfFonts } from '../../src/text/pdf-fonts.ts'
import { openParagraphShaper } from '../../src/text/shape.ts'
import { shapeParagraphs, wrapParagraphs } from '../../src/text/wrap.ts'
import { findQpdfErrors, inkArea, missingPrograms, rasterOf, textOf } from '../evidence/pdf-programs.ts'
import { NO_BROWSER, openBrowser } from '../support/browser.ts'
import { browserPicture, inkAgreement, PAGE, SIZE } from '../text/scripts-reference.ts'
import { unclipped } from './unclipped.ts'

const missing = missingPrograms()
if (missing.length > 0) console.warn(`skipped for lack of ${missing.join(', ')}`)

/** Names with their expected font. */
const NAMES: [name: string, text: string, font: string][] = [
  ['Polish', 'Zażółć Gęślą-Jaźń Łódź', 'Caveat-Regular'],
  ['Romanian', 'Ștefan Țepeș Brâncuși', 'Caveat-Regular'],
  ['Turkish', 'Şükrü Iğdırlı İnönü', 'Caveat-Regular'],
  ['Nordic and Baltic', 'Åsa Þórður Ævar Ķirsis Ģėlė', 'Caveat-Regular'],
  ['Czech and Hungarian', 'Jiří Řehoř, Erdős Győző', 'Caveat-Regular'],
  ['Azerbaijani', 'Əliyev Məmməd', 'Caveat-Regular'],
  ['decomposed letters', 'Zo\u0308e\u0308 A\u030asa', 'Caveat-Regular'],
  ['Vietnamese', 'Nguyễn Thị Hằng', 'Caveat-Regular'],
  ['Vietnamese with horns', 'Đỗ Ưng Hưởng', 'Mynerve-Regular'],
  ['Ukrainian', 'Володимир Ґалаґан Її Єва', 'Caveat-Regular'],
  ['Serbian', 'Ђорђе Љубица Њежић', 'Caveat-Regular'],
  ['Kazakh', 'Әлия Қасымова Өзбек', 'Caveat-Regular'],
  ['Greek', 'Γεώργιος Ξένος Μαΐου', 'Mynerve-Regular'],
  ['Thai', 'สมชาย ปู่ ผู้ใหญ่ น้ำ', 'Charm-Regular'],
  ['Devanagari', 'राजेश कुमार श्रीमती क्षत्रिय', 'Kalam-Regular'],
  ['Chinese', '张伟 欧阳修', 'ZhiMangXing-Regular'],
  ['Japanese', '佐藤さくら', 'ZenKurenaido-Regular'],
  ['Korean', '홍길동 김민수', 'NanumPenScript-Regular'],
  ['Arabic', 'محمد عبد الله الأحمد', 'ArefRuqaa-Regular'],
  ['Persian', 'پژوهش گیلانی', 'ArefRuqaa-Regular'],
  ['Hebrew', 'שרה כהן־לוי', 'GveretLevin-Regular'],
  ['Hebrew with points', 'שָׁלוֹם', 'GveretLevin-Regular'],
]

async function lineOf(text: string) {
  return wrapParagraphs(shapeParagraphs(await openParagraphShaper(), text, 'signature'), Number.POSITIVE_INFINITY)[0]!
}

async function fontsOf(text: string): Promise<string[]> {
  return (await lineOf(text)).runs.map(run => run.font.name)
}

/** The characters in order, without those added by readers. */
function plain(text: string): string {
  return text
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
    .normalize('NFC')
}

describe('handwriting fonts', () => {
  for (const [name, text, font] of NAMES) {
    test(`a ${name} name uses one font`, async () => {
      expect(await fontsOf(text)).toEqual([font])
    })
  }

  test('a letter missing in the font changes the font of the whole name, to another hand if one has all', async () => {
    expect(await fontsOf('Ada Lovelace')).toEqual(['Caveat-Regular'])
    expect(await fontsOf('Ada Lovelacẻ')).toEqual(['Mynerve-Regular'])
    expect(await fontsOf('Μαρία Ὀλυμπία')).toEqual(['NotoSans-Italic'])
    expect(await fontsOf('陳小明')).toEqual(['ZenKurenaido-Regular'])
    expect(await fontsOf('اللۃ محمد')).toEqual(['NotoNastaliqUrdu-Regular'])
    expect(await fontsOf('राजेश ऎ')).toEqual(['Amita-Regular'])
    expect(await fontsOf('홍길동 洪')).toEqual(['NotoSansKR-Regular'])
    expect(await fontsOf('홍길동 龘')).toEqual(['NotoSansKR-Regular', 'NotoSansSC-Regular'])
  })

  test('a name in two scripts uses the font of each, and a letter missing in one does not affect the other', async () => {
    expect(new Set(await fontsOf('王小明 (Wang Xiaoming)'))).toEqual(new Set(['ZhiMangXing-Regular', 'Caveat-Regular']))
    expect(new Set(await fontsOf('陳小明 Chan'))).toEqual(new Set(['ZenKurenaido-Regular', 'Caveat-Regular']))
    expect(new Set(await fontsOf('Sarah שרה'))).toEqual(new Set(['Caveat-Regular', 'GveretLevin-Regular']))
  })

  test('a missing dot or digit comes from another font, and the name keeps its handwriting font', async () => {
    expect(await fontsOf('阿凡提·买买提')).toEqual(['ZhiMangXing-Regular', 'NotoSansSC-Regular', 'ZhiMangXing-Regular'])
    expect(await fontsOf('J. R. 2nd, “Bob”')).toEqual(['Caveat-Regular'])
    expect(await fontsOf('12')).toEqual(['Caveat-Regular'])
  })

  test('Hangul fillers and letters before a variation selector are never drawn as missing characters', async () => {
    const shape = await openParagraphShaper()
    const texts = ['\u3164', 'A\u3164B', '\u115f\u1161', 'ｱ\uffa0', 'Ǚ\ufe0d', 'Ộ\ufe06Lan', 'ẘ\ufe06', '葛\u{e0100}城']
    expect(texts.flatMap(unprintable)).toEqual([])
    for (const style of ['signature', 'text', 'strong'] as const) {
      for (const text of texts) {
        const lines = wrapParagraphs(shapeParagraphs(shape, text, style), Number.POSITIVE_INFINITY)
        const glyphs = lines.flatMap(({ runs }) => runs.flatMap(({ clusters }) => clusters.flatMap(cluster => cluster.glyphs)))
        expect([text, glyphs.filter(({ id }) => id === 0)]).toEqual([text, []])
      }
    }
  })

  test('text and headings never use a handwriting font', async () => {
    const shape = await openParagraphShaper()
    for (const style of ['text', 'strong'] as const) {
      for (const [, text] of NAMES) {
        const fonts = wrapParagraphs(shapeParagraphs(shape, text, style), Number.POSITIVE_INFINITY).flatMap(line =>
          line.runs.map(run => run.font),
        )
        expect(fonts.filter(font => font.style === 'signature')).toEqual([])
      }
    }
  })
})

async function onPage(text: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  const book = await openPdfFonts(pdf)
  fillPage(pdf, pdf.addPage([PAGE.width, PAGE.height]), `0 g\n${book.show(await lineOf(text), 60, 60, SIZE)}`, book)
  book.embed()
  return pdf.save()
}

describe.skipIf(missing.length > 0)('copying', () => {
  for (const [name, text] of NAMES) {
    test(`a ${name} signature is copied as it was typed, from a valid file`, async () => {
      const pdf = await onPage(text)
      expect(plain(await textOf(pdf))).toBe(text.normalize('NFC'))
      expect(await findQpdfErrors(pdf)).toBe('')
    })
  }

  test('names in two scripts are copied completely', async () => {
    expect(plain(await textOf(await onPage('王小明 (Wang Ming)')))).toBe('王小明 (Wang Ming)')
    expect(plain(await textOf(await onPage('阿凡提·买买提')))).toBe('阿凡提·买买提')
  })
})

describe.skipIf(NO_BROWSER || missing.length > 0)('ink', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, 30_000)
  afterAll(() => browser.close())

  const reference = (text: string, font: string) => browserPicture(browser, { name: font, text, fonts: [[font, 'U+0-10FFFF']] })

  // Other tests cover the text fonts.
  for (const [name, text, font] of NAMES.filter(([, , font]) => !font.startsWith('NotoSans'))) {
    test(`a ${name} signature has the ink of a browser with the same font`, async () => {
      const { f1, sizeDifference } = inkAgreement(await rasterOf(await onPage(text), 1, 144), await reference(text, font))
      expect(f1).toBeGreaterThan(0.97)
      expect(sizeDifference).toBeLessThanOrEqual(4)
    }, 30_000)
  }
})

interface Box {
  width: number
  height: number
}

/** A signature alone on a page that is its field, with a margin of ten points. */
function field(text: string, { width, height }: Box): Promise<Uint8Array> {
  const page = { left: 0, bottom: 0, width: width + 20, height: height + 20, rotation: 0 as const, userUnit: 1 }
  const box = {
    x: 1000 / page.width,
    y: 1000 / page.height,
    width: (100 * width) / page.width,
    height: (100 * height) / page.height,
  }
  return composeOverlay([{ page: 1, box: page, fields: [{ page: 1, box, content: { kind: 'signature', text } }] }])
}

describe.skipIf(missing.length > 0)('fields', () => {
  test('no ink of any name is cut off, in a field that is wide, flat or narrow', async () => {
    const swashes = ['Jf', 'ffyj', 'ใ', 'J', 'ÅŁģ']
    for (const text of [...NAMES.map(([, each]) => each), ...swashes]) {
      for (const box of [
        { width: 400, height: 60 },
        { width: 200, height: 12 },
        { width: 30, height: 90 },
      ]) {
        const bytes = await field(text, box)
        const [shown, whole] = [inkArea(await rasterOf(bytes, 1, 144))!, inkArea(await rasterOf(await unclipped(bytes), 1, 144))!]
        // The renderer places glyphs on whole pixels: one pixel of tolerance.
        for (const side of ['left', 'top', 'right', 'bottom'] as const)
          expect(Math.abs(shown[side] - whole[side])).toBeLessThanOrEqual(1)
      }
    }
  }, 120_000)

  test('short names in all scripts are on their line and about as high as their field', async () => {
    for (const [, text] of NAMES) {
      const [first] = text.split(' ')
      const raster = await rasterOf(await field(first!, { width: 600, height: 100 }), 1, 72)
      const ink = inkArea(raster)!
      // With margin the field ends at 110; its line is 6 % of its height above.
      expect(ink.bottom).toBeGreaterThan(96)
      expect(ink.bottom).toBeLessThanOrEqual(104)
      expect(ink.bottom - ink.top).toBeGreaterThan(50)
    }
  })
})
