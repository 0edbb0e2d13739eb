/** Text in every script compared with the same text rendered by Chromium with the same fonts. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PDFDocument } from 'pdf-lib'
import type { Browser } from 'playwright-core'
import { fillPage } from '../../src/appearance/field-appearance.ts'
import { openPdfFonts } from '../../src/text/pdf-fonts.ts'
import { type Line, openParagraphShaper } from '../../src/text/shape.ts'
import { shapeParagraphs, wrapParagraphs } from '../../src/text/wrap.ts'
import { findQpdfErrors, missingPrograms, type Raster, rasterOf } from '../evidence/pdf-programs.ts'
import { NO_BROWSER, openBrowser } from '../support/browser.ts'
import { browserPicture, inkAgreement, PAGE, type Sample, SIZE } from './scripts-reference.ts'

const missing = missingPrograms()
if (missing.length > 0) console.warn(`skipped for lack of ${missing.join(', ')}`)

/** F1 from which ink counts as the same; between two renderers it was never below 0.99. */
const ALIKE = 0.97

const ALL = 'U+0-10FFFF'
const of = (name: string, text: string, ...fonts: string[]): Sample => ({ name, text, fonts: fonts.map(font => [font, ALL]) })

const SAMPLES: Sample[] = [
  of('Vietnamese', 'Nguyễn Thị Hằng, Đặng Ườ ffi fl', 'NotoSans-Regular'),
  of('Latin letters under stacked marks', 'A\u0307\u0327 x\u0323\u0301 Ȧ̧ q̈ ÅŁŐ', 'NotoSans-Regular'),
  of('Greek, polytonic', 'Ἐν ἀρχῇ ἦν ὁ λόγος ᾧ Ὦ ᾅ', 'NotoSans-Regular'),
  of('Cyrillic with stress marks', 'за́мок замо́к Е́сли ӑ Ґїє', 'NotoSans-Regular'),
  of('Arabic with vowels', 'الْحَمْدُ لِلَّهِ رَبِّ الْعَالَمِينَ لا لأ', 'NotoSansArabic-Regular'),
  of('Persian', 'می‌خواهم گفت‌وگو پژوهشگاه ۱۲۳۴', 'NotoSansArabic-Regular'),
  of('Urdu', 'ٹھیک ہے، دستخط کیجیے۔', 'NotoSansArabic-Regular'),
  of('Hebrew with points', 'בְּרֵאשִׁית בָּרָא אֱלֹהִים שָׁלוֹם', 'NotoSansHebrew-Regular'),
  of('Hebrew with brackets and digits', 'שלום עולם (אבג) 123', 'NotoSansHebrew-Regular'),
  {
    name: 'Arabic with Latin and digits',
    text: 'وقع أحمد العقد 2026 مع Signet GmbH (برلين)',
    fonts: [
      ['NotoSans-Regular', 'U+41-7A'],
      ['NotoSansArabic-Regular', ALL],
    ],
  },
  {
    name: 'English with Arabic and Hebrew inside',
    text: 'Signed by محمد علي and שלום on 2026',
    fonts: [
      ['NotoSansArabic-Regular', 'U+600-6FF'],
      ['NotoSansHebrew-Regular', 'U+590-5FF'],
      ['NotoSans-Regular', ALL],
    ],
  },
  of('Thai with stacked tone marks', 'ปู่กินน้ำ ผู้ใหญ่ ที่นี่ เก้าอี้ กำกับ ญู', 'NotoSansThai-Regular'),
  of('Devanagari with conjuncts', 'क्षत्रिय हिन्दी विद्यार्थी श्रीमान् कर्म ।', 'NotoSansDevanagari-Regular'),
  of('Chinese, simplified', '合同签署：张伟“你好”。《法律》直骨', 'NotoSansSC-Regular'),
  of('Chinese, traditional', '合約簽署：陳國華「繁體字」龜鬱', 'NotoSansSC-Regular'),
  of('Japanese', '契約書に署名する。ガッコウ 直骨 か\u3099', 'NotoSansJP-Regular'),
  // Without blanks: the font widens those between syllables, and the browser handles them
  // differently.
  of('Korean', '계약서에서명합니다.홍길동大韓', 'NotoSansKR-Regular'),
  of('Korean in conjoining letters', '한글서명'.normalize('NFD'), 'NotoSansKR-Regular'),
]

/** One line on a page, at two pixels a point like the browser's. */
async function ourPicture(
  text: string,
  change: (line: Line) => Line = line => line,
): Promise<{ picture: Raster; bytes: Uint8Array }> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  const [shape, book] = [await openParagraphShaper(), await openPdfFonts(pdf)]
  const [line] = wrapParagraphs(shapeParagraphs(shape, text, 'text'), Number.POSITIVE_INFINITY)
  fillPage(pdf, pdf.addPage([PAGE.width, PAGE.height]), `0 g\n${book.show(change(line!), 40, 60, SIZE)}`, book)
  book.embed()
  const bytes = await pdf.save()
  return { picture: await rasterOf(bytes, 1, 144), bytes }
}

/** The run without mark positioning: every glyph at the current point. */
function withoutPlacement(line: Line): Line {
  const runs = line.runs.map(run => ({
    ...run,
    clusters: run.clusters.map(cluster => ({ ...cluster, glyphs: cluster.glyphs.map(glyph => ({ ...glyph, dx: 0, dy: 0 })) })),
  }))
  return { ...line, runs }
}

describe.skipIf(NO_BROWSER || missing.length > 0)('text in every script', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, 30_000)
  afterAll(() => browser.close())

  for (const sample of SAMPLES) {
    test(`${sample.name}: the ink equals that of a browser with the same fonts`, async () => {
      const [{ picture, bytes }, reference] = [await ourPicture(sample.text), await browserPicture(browser, sample)]
      const { f1, sizeDifference } = inkAgreement(picture, reference)
      expect(f1).toBeGreaterThan(ALIKE)
      expect(sizeDifference).toBeLessThanOrEqual(4)
      expect(await findQpdfErrors(bytes)).toBe('')
    }, 30_000)
  }

  test('the comparison detects marks that are not positioned on their letters', async () => {
    for (const sample of SAMPLES.filter(({ name }) => /vowels|points/.test(name))) {
      const { picture } = await ourPicture(sample.text, withoutPlacement)
      const { f1, sizeDifference } = inkAgreement(picture, await browserPicture(browser, sample))
      expect(f1 < ALIKE || sizeDifference > 4).toBe(true)
    }
  }, 30_000)

  test('the comparison distinguishes Japanese and Chinese forms of one character', async () => {
    const sample = of('Japanese form', '直骨直骨直骨', 'NotoSansJP-Regular')
    const { picture } = await ourPicture(sample.text)
    expect(inkAgreement(picture, await browserPicture(browser, sample)).f1).toBeLessThan(ALIKE)
  }, 30_000)
})
