/**
 * Text in every script: the copied text, line breaks, ink within its box, and the embedded fonts.
 */
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { PDFDocument } from 'pdf-lib'
import type { FieldAppearance } from '../../src/appearance/field-appearance.ts'
import { composeOverlay, fillPage } from '../../src/appearance/field-appearance.ts'
import type { PageBox, PercentBox } from '../../src/core/field/geometry.ts'
import { detectHanVariant } from '../../src/text/itemize.ts'
import { openPdfFonts } from '../../src/text/pdf-fonts.ts'
import { openParagraphShaper } from '../../src/text/shape.ts'
import { shapeParagraphs, truncateLines, wrapParagraphs } from '../../src/text/wrap.ts'
import { unclipped } from '../appearance/unclipped.ts'
import { findQpdfErrors, inkArea, inkCount, missingPrograms, rasterOf, textOf } from '../evidence/pdf-programs.ts'

const missing = missingPrograms()
if (missing.length > 0) console.warn(`skipped for lack of ${missing.join(', ')}`)

const LEFT_TO_RIGHT: Record<string, string> = {
  Latin: 'Nguyễn Thị Hằng Ȧ̧ ffi Đặng q̈',
  Greek: 'Ἐν ἀρχῇ ἦν ὁ λόγος ᾧ Ὦ',
  Cyrillic: 'Е́сли за́мок, то замо́к Ґїє',
  Thai: 'ปู่กินน้ำ ผู้ใหญ่ ที่นี่ เก้าอี้ น้ำแข็ง กำกับ',
  Devanagari: 'क्षत्रिय हिन्दी विद्यार्थी श्रीमान् कर्म ।',
  Chinese: '合同签署：张伟“你好”，2026年。《法律》',
  'Traditional Chinese': '合約簽署：陳國華「繁體字」龜鬱',
  Japanese: '契約書に署名する。東京都ガッコウ 直骨 が',
  Korean: '계약서에 서명합니다. 홍길동 大韓民國',
}
const RIGHT_TO_LEFT: Record<string, string> = {
  Arabic: 'وقع أحمد العقد اليوم (برلين) لا لأ',
  'Arabic with vowels': 'الْحَمْدُ لِلَّهِ رَبِّ الْعَالَمِينَ',
  Persian: 'می‌خواهم گفت‌وگو پژوهشگاه',
  Hebrew: 'שלום עולם (אבג)',
  'Hebrew with points': 'בְּרֵאשִׁית בָּרָא אֱלֹהִים שָׁלוֹם',
}
const EVERY = { ...LEFT_TO_RIGHT, ...RIGHT_TO_LEFT }

async function lineOnPage(text: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  const [shape, book] = [await openParagraphShaper(), await openPdfFonts(pdf)]
  const [line] = wrapParagraphs(shapeParagraphs(shape, text, 'text'), Number.POSITIVE_INFINITY)
  fillPage(pdf, pdf.addPage([700, 60]), `0 g\n${book.show(line!, 10, 20, 20)}`, book)
  book.embed()
  return pdf.save()
}

/** Without the direction marks that a reader adds. */
function plain(text: string): string {
  return text
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
    .normalize('NFC')
}

/** Text as MuPDF extracts it: in visual order, without the blanks that it adds between letters. */
async function textByMupdf(pdf: Uint8Array): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'scripts-'))
  try {
    await Bun.write(join(folder, 'page.pdf'), pdf)
    const { stdout } = Bun.spawnSync(['mutool', 'draw', '-q', '-F', 'txt', join(folder, 'page.pdf')])
    return letters(stdout.toString())
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function letters(text: string): string {
  return plain(text.replace(/[\s\u2060\u200c]/g, ''))
}

function reversed(text: string): string {
  const mirrored: Record<string, string> = { '(': ')', ')': '(' }
  return [...text.normalize('NFC')]
    .reverse()
    .map(character => mirrored[character] ?? character)
    .join('')
}

describe.skipIf(missing.length > 0)('copying', () => {
  for (const [name, text] of Object.entries(EVERY)) {
    test(`${name} is copied in reading order`, async () => {
      const pdf = await lineOnPage(text)
      expect(plain(await textOf(pdf))).toBe(text.normalize('NFC'))
      expect(await findQpdfErrors(pdf)).toBe('')
    })
  }

  for (const [name, text] of Object.entries(LEFT_TO_RIGHT)) {
    test(`${name} is right for a reader that knows only ToUnicode`, async () => {
      expect(await textByMupdf(await lineOnPage(text))).toBe(letters(text))
    })
  }

  test('unpointed Hebrew has the right characters for a reader that knows only ToUnicode', async () => {
    const text = RIGHT_TO_LEFT.Hebrew!
    // Such a reader does not restore the order.
    expect(await textByMupdf(await lineOnPage(text))).toBe(
      letters(reversed(text).replaceAll(/[()]/g, c => (c === '(' ? ')' : '('))),
    )
  })

  test('words of both directions in one line are copied whole', async () => {
    const texts = ['وقع أحمد العقد رقم 417 مع Signet GmbH اليوم', 'Signed by محمد علي and שלום on 2026']
    for (const text of texts) {
      const got = letters(await textOf(await lineOnPage(text)))
      for (const word of text.split(' ')) expect(got).toContain(word)
      expect(got).toHaveLength(letters(text).length)
    }
  })
})

const PAGE: PageBox = { left: 0, bottom: 0, width: 500, height: 700, rotation: 0, userUnit: 1 }
const DPI = 144

function overlay(box: PercentBox, content: FieldAppearance['content']): Promise<Uint8Array> {
  return composeOverlay([{ page: 1, box: PAGE, fields: [{ page: 1, box, content }] }])
}

const BOXES: PercentBox[] = [
  { x: 20, y: 20, width: 40, height: 3 },
  { x: 20, y: 40, width: 30, height: 12 },
  { x: 20, y: 60, width: 8, height: 10 },
]

describe.skipIf(missing.length > 0)('boxes', () => {
  for (const [name, text] of Object.entries(EVERY)) {
    test(`no ink of ${name} is clipped, once or many times in a box, or as a signature`, async () => {
      for (const box of BOXES) {
        for (const content of [
          { kind: 'text' as const, text },
          { kind: 'text' as const, text: `${text} `.repeat(8).trim() },
          { kind: 'signature' as const, text },
        ]) {
          const bytes = await overlay(box, content)
          const [shown, whole] = [await rasterOf(bytes, 1, DPI), await rasterOf(await unclipped(bytes), 1, DPI)]
          expect(inkCount(shown)).toBeGreaterThan(20)
          const [inside, all] = [inkArea(shown)!, inkArea(whole)!]
          // One pixel of tolerance: the renderer places glyphs on whole pixels.
          for (const side of ['left', 'top', 'right', 'bottom'] as const)
            expect(Math.abs(inside[side] - all[side])).toBeLessThanOrEqual(1)
        }
      }
    }, 60_000)
  }

  test('right-to-left text is aligned right in its box, other text left', async () => {
    const box = { x: 20, y: 20, width: 60, height: 5 }
    const [left, right] = [0.2 * 1000, 0.8 * 1000]
    for (const [name, text] of Object.entries(EVERY)) {
      for (const kind of ['text', 'signature'] as const) {
        const short = text.split(' ')[0]!
        // The rule under a signature is as wide as the box.
        const ink = inkArea(await rasterOf(await overlay(box, { kind, text: short }), 1, DPI), {
          left,
          right,
          top: 280,
          bottom: 337,
        })!
        if (name in RIGHT_TO_LEFT) expect(right - ink.right).toBeLessThan(12)
        else expect(ink.left - left).toBeLessThan(12)
      }
    }
  }, 60_000)
})

const LONG: Record<string, string> = {
  Chinese:
    '本合同自双方签字之日起生效，有效期为“三年”。甲方（委托人）应当在签署后《十》日内支付全部款项，逾期不付的，每日加收万分之五。',
  Japanese:
    '本契約書は、「甲」および「乙」が署名した日から効力を生じる。ちょっとしたコンピューターシステムの障害については、責任を負わない。',
  Thai: 'สัญญาฉบับนี้มีผลบังคับใช้ตั้งแต่วันที่ลงนามเป็นต้นไปและคู่สัญญาทั้งสองฝ่ายได้อ่านและเข้าใจข้อความโดยตลอดแล้ว',
  Arabic: 'يبدأ سريان هذا العقد من تاريخ توقيع الطرفين عليه ويستمر لمدة ثلاث سنوات قابلة للتجديد',
  Hebrew: 'הסכם זה ייכנס לתוקף ביום חתימתו על ידי שני הצדדים ויעמוד בתוקפו שלוש שנים',
  Devanagari: 'यह अनुबंध दोनों पक्षों के हस्ताक्षर की तिथि से प्रभावी होगा और तीन वर्ष तक मान्य रहेगा',
  Korean: '이 계약은 양 당사자가 서명한 날부터 효력이 발생하며 삼 년 동안 유효하다',
}

async function broken(text: string, width: number) {
  return wrapParagraphs(shapeParagraphs(await openParagraphShaper(), text, 'text'), width)
}

describe('lines', () => {
  for (const [name, text] of Object.entries(LONG)) {
    test(`${name}: no line is too wide, no text is lost, and lines are full`, async () => {
      for (const width of [6, 9.5, 14]) {
        const lines = await broken(text, width)
        expect(Math.max(...lines.map(line => line.width))).toBeLessThanOrEqual(width)
        expect(letters(lines.map(line => line.text).join(''))).toBe(letters(text))
        if (/Chinese|Japanese/.test(name)) {
          for (const line of lines.slice(0, -1)) expect(line.width).toBeGreaterThan(width - 3.2)
        }
      }
    })
  }

  for (const name of ['Chinese', 'Japanese'] as const) {
    test(`${name}: no line begins with closing punctuation or a small letter, none ends with an opening bracket`, async () => {
      for (let width = 4; width < 16; width += 0.5) {
        for (const { text } of await broken(LONG[name]!, width)) {
          expect(text).not.toMatch(/^[、。，．」』）》”ーっゃュョッ]/)
          expect(text).not.toMatch(/[「『（《“]$/)
        }
      }
    })
  }

  test('Thai: lines end at the ends of words', async () => {
    const text = LONG.Thai!
    const words = new Set([...new Intl.Segmenter('th', { granularity: 'word' }).segment(text)].map(({ index }) => index))
    let at = 0
    const lines = await broken(text, 9)
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) {
      expect(words.has(at)).toBe(true)
      at += line.text.length
    }
  })

  for (const name of ['Arabic', 'Hebrew', 'Devanagari', 'Korean'] as const) {
    test(`${name}: words are not broken if they fit`, async () => {
      const lines = await broken(LONG[name]!, 8)
      expect(lines.length).toBeGreaterThan(2)
      expect(lines.flatMap(line => line.text.split(' '))).toEqual(LONG[name]!.split(' '))
    })
  }

  test.skipIf(missing.length > 0)('each line of a right-to-left paragraph is in its own order', async () => {
    const text = 'يبدأ سريان العقد مع شركة Signet Berlin GmbH من تاريخ توقيع الطرفين'
    const pdf = await overlay({ x: 10, y: 10, width: 25, height: 10 }, { kind: 'text', text })
    const lines = (await textOf(pdf, '-layout')).split('\n').map(letters).filter(Boolean)
    expect(lines.length).toBeGreaterThan(2)
    const words = text.split(' ')
    const places = words.map(word => lines.findIndex(line => line.includes(word)))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  test('the first strong letter decides a paragraph’s direction', async () => {
    const shape = await openParagraphShaper()
    const isRtl = (text: string) => wrapParagraphs(shapeParagraphs(shape, text, 'text'), 100)[0]!.rtl
    expect(isRtl('(12) שלום Signet')).toBe(true)
    expect(isRtl('Signet שלום')).toBe(false)
    expect(isRtl('123')).toBe(false)
  })

  test('a truncated line keeps the direction of its paragraph and ends with an ellipsis', async () => {
    const shape = await openParagraphShaper()
    const text = `${LONG.Hebrew} `.repeat(3)
    const lines = truncateLines(shape, wrapParagraphs(shapeParagraphs(shape, text, 'text'), 8), 'text', 8, 2)
    expect(lines).toHaveLength(2)
    expect(lines[1]!.rtl).toBe(true)
    expect(lines[1]!.text).toEndWith('…')
    expect(lines[1]!.width).toBeLessThanOrEqual(8)
  })
})

/**
 * Ranges of characters with special shaping: letters, marks, joiners, presentation forms,
 * surrogates.
 */
const RANGES: [number, number][] = [
  [0x0, 0x2af],
  [0x300, 0x5ff],
  [0x600, 0x6ff],
  [0x900, 0x97f],
  [0xe00, 0xe5f],
  [0x1100, 0x11ff],
  [0x2000, 0x206f],
  [0x3000, 0x30ff],
  [0x4e00, 0x4eff],
  [0xac00, 0xacff],
  [0xd800, 0xdfff],
  [0xf900, 0xffff],
  [0x1f600, 0x1f64f],
  [0x20000, 0x200ff],
]
const anyCharacter = fc
  .oneof(...RANGES.map(([min, max]) => fc.integer({ min, max })))
  .map(code => (code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code)))

test('every character of any text is in exactly one line and at one position', async () => {
  const shape = await openParagraphShaper()
  fc.assert(
    fc.property(fc.array(anyCharacter, { minLength: 1, maxLength: 40 }), characters => {
      for (const paragraph of shapeParagraphs(shape, characters.join(''), 'text')) {
        const line = paragraph.line(0, paragraph.text.length)
        const set = line.runs.flatMap(run => run.clusters.map(cluster => cluster.text)).join('')
        expect([...set].sort().join('')).toBe([...paragraph.text].sort().join(''))
        const widths = paragraph.widths.reduce((sum, width) => sum + (Number.isNaN(width) ? 0 : width), 0)
        expect(widths).toBeCloseTo(line.width, 6)
      }
    }),
    { numRuns: 300, seed: 20_000 },
  )
})

/** The names of a text's fonts, in order. */
async function fontsOf(text: string, style: 'text' | 'strong' = 'text') {
  const lines = wrapParagraphs(shapeParagraphs(await openParagraphShaper(), text, style), Number.POSITIVE_INFINITY)
  return lines.flatMap(line => line.runs.map(run => run.font.name))
}

describe('fonts', () => {
  test('Han characters have the form of the language of the whole text', async () => {
    expect(await fontsOf('直骨')).toEqual(['NotoSansSC-Regular'])
    expect(await fontsOf('直骨です')).toContain('NotoSansJP-Regular')
    expect(await fontsOf('直骨です')).not.toContain('NotoSansSC-Regular')
    expect(await fontsOf('直骨\nひらがな')).not.toContain('NotoSansSC-Regular')
    expect(await fontsOf('直骨 서명')).toEqual(['NotoSansKR-Regular'])
    expect(detectHanVariant('直骨', 'Jpan')).toBe('Jpan')
  })

  test('only the characters that a text’s font lacks come from another font', async () => {
    expect(await fontsOf('今天です们')).toEqual(['NotoSansJP-Regular', 'NotoSansSC-Regular'])
    expect(await fontsOf('签署 Signet 签署')).toEqual(['NotoSansSC-Regular', 'NotoSans-Regular', 'NotoSansSC-Regular'])
  })

  test('quotation marks and digits have the font of the letters around them', async () => {
    expect(await fontsOf('“签署”2026')).toEqual(['NotoSansSC-Regular'])
    expect(await fontsOf('Signed “here” 2026')).toEqual(['NotoSans-Regular'])
  })

  test('a letter and its marks have one font', async () => {
    expect(await fontsOf('שָׁ')).toEqual(['NotoSansHebrew-Regular'])
    expect(await fontsOf('x\u0323\u0301')).toEqual(['NotoSans-Regular'])
  })

  test('headings are bold if the script has a bold font', async () => {
    expect(await fontsOf('שלום', 'strong')).toEqual(['NotoSansHebrew-Bold'])
    expect(await fontsOf('签署', 'strong')).toEqual(['NotoSansSC-Regular'])
  })

  test('a file embeds only the fonts of its text, subset to a few kilobytes', async () => {
    const box = { x: 10, y: 10, width: 60, height: 5 }
    const embedded = async (text: string) => {
      const bytes = await overlay(box, { kind: 'text', text })
      expect(bytes.length).toBeLessThan(12_000)
      return [
        ...Buffer.from(bytes)
          .toString('latin1')
          .matchAll(/FontName \/[A-Z]{6}\+(\S+)/g),
      ].map(match => match[1]!)
    }
    expect(await embedded('Signed')).toEqual(['NotoSans-Regular'])
    expect(await embedded('签署')).toEqual(['NotoSansSC-Regular'])
    expect((await embedded('Signed 署名する')).sort()).toEqual(['NotoSans-Regular', 'NotoSansJP-Regular'])
  })
})
