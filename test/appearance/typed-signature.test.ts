/**
 * Names typed as signatures: written by one hand, like a browser with the same fonts writes them,
 * copied out whole, and not cut by their box.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PDFDocument } from 'pdf-lib'
import type { Browser } from 'playwright-core'
import { composeOverlay, fillPage } from '../../src/appearance/field-appearance.ts'
import { unprintable } from '../../src/text/coverage.ts'
import { openPdfFonts } from '../../src/text/pdf-fonts.ts'
import { openParagraphShaper } from '../../src/text/shape.ts'
import { shapeParagraphs, wrapParagraphs } from '../../src/text/wrap.ts'
import { faultsOf, inkArea, missingPrograms, rasterOf, textOf } from '../evidence/paper.ts'
import { NO_BROWSER, openBrowser } from '../support/browser.ts'
import { browserPicture, inkAgreement, PAGE, SIZE } from '../text/scripts-reference.ts'
import { unclipped } from './unclipped.ts'

const missing = missingPrograms()
if (missing.length > 0) console.warn(`skipped for lack of ${missing.join(', ')}`)

/** Names with the one face that is to write them. */
const NAMES: [name: string, text: string, face: string][] = [
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

async function facesOf(text: string): Promise<string[]> {
  return (await lineOf(text)).runs.map(run => run.font.name)
}

/** The characters and their order, without what readers add. */
function plain(text: string): string {
  return text
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
    .normalize('NFC')
}

describe('hands', () => {
  for (const [name, text, face] of NAMES) {
    test(`a ${name} name is wholly of one face`, async () => {
      expect(await facesOf(text)).toEqual([face])
    })
  }

  test('a letter the hand lacks takes the whole name to another face, not itself alone', async () => {
    expect(await facesOf('Ada Lovelace')).toEqual(['Caveat-Regular'])
    expect(await facesOf('Ada Lovelacẻ')).toEqual(['Mynerve-Regular'])
    expect(await facesOf('Μαρία Ὀλυμπία')).toEqual(['NotoSans-Italic'])
    expect(await facesOf('陳小明')).toEqual(['NotoSansSC-Regular'])
    expect(await facesOf('اللۃ محمد')).toEqual(['NotoSansArabic-Regular'])
    expect(await facesOf('राजेश ऎ')).toEqual(['NotoSansDevanagari-Regular'])
    expect(await facesOf('홍길동 洪')).toEqual(['NotoSansKR-Regular'])
  })

  test('a name in two writings has the hand of each, and a letter missing in one leaves the other alone', async () => {
    expect(new Set(await facesOf('王小明 (Wang Xiaoming)'))).toEqual(new Set(['ZhiMangXing-Regular', 'Caveat-Regular']))
    expect(new Set(await facesOf('陳小明 Chan'))).toEqual(new Set(['NotoSansSC-Regular', 'Caveat-Regular']))
    expect(new Set(await facesOf('Sarah שרה'))).toEqual(new Set(['Caveat-Regular', 'GveretLevin-Regular']))
  })

  test('a point or a digit the hand lacks comes from elsewhere, and the name stays written', async () => {
    expect(await facesOf('阿凡提·买买提')).toEqual(['ZhiMangXing-Regular', 'NotoSansSC-Regular', 'ZhiMangXing-Regular'])
    expect(await facesOf('J. R. 2nd, “Bob”')).toEqual(['Caveat-Regular'])
    expect(await facesOf('12')).toEqual(['Caveat-Regular'])
  })

  test('what can be printed is never drawn as the box for missing characters: fillers of Hangul, and letters before a variation selector', async () => {
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

  test('reading text and headings are never written by a hand', async () => {
    const shape = await openParagraphShaper()
    for (const style of ['text', 'strong'] as const) {
      for (const [, text] of NAMES) {
        const faces = wrapParagraphs(shapeParagraphs(shape, text, style), Number.POSITIVE_INFINITY).flatMap(line =>
          line.runs.map(run => run.font),
        )
        expect(faces.filter(face => face.style === 'signature')).toEqual([])
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
    test(`a ${name} signature comes out as it was typed, from a sound file`, async () => {
      const pdf = await onPage(text)
      expect(plain(await textOf(pdf))).toBe(text.normalize('NFC'))
      expect(await faultsOf(pdf)).toBe('')
    })
  }

  test('names in two writings come out whole', async () => {
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

  const reference = (text: string, face: string) => browserPicture(browser, { name: face, text, fonts: [[face, 'U+0-10FFFF']] })

  // Of the text faces other tests tell.
  for (const [name, text, face] of NAMES.filter(([, , face]) => !face.startsWith('NotoSans'))) {
    test(`a ${name} signature has the ink of a browser with the same face`, async () => {
      const { f1, sizeDifference } = inkAgreement(await rasterOf(await onPage(text), 1, 144), await reference(text, face))
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
        // One pixel is the renderer's own: it sets glyphs on whole pixels.
        for (const side of ['left', 'top', 'right', 'bottom'] as const)
          expect(Math.abs(shown[side] - whole[side])).toBeLessThanOrEqual(1)
      }
    }
  }, 120_000)

  test('short names in all writings stand on their line about as high as their field', async () => {
    for (const [, text] of NAMES) {
      const [first] = text.split(' ')
      const raster = await rasterOf(await field(first!, { width: 600, height: 100 }), 1, 72)
      // Without the margin and the line at the foot.
      const ink = inkArea(raster, { left: 0, top: 0, right: raster.width, bottom: 102 })!
      expect(ink.bottom - ink.top).toBeGreaterThan(50)
    }
  })
})
