import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { PDFDocument } from 'pdf-lib'
import { fillPage } from '../../src/appearance/field-appearance.ts'
import { FONTS, type FontStyle, readFontFile } from '../../src/text/fonts.ts'
import { openShaper, openSubsetter } from '../../src/text/harfbuzz.ts'
import { openPdfFonts } from '../../src/text/pdf-fonts.ts'
import { findTable, readCodePoints } from '../../src/text/sfnt.ts'
import { openParagraphShaper, toPrintable } from '../../src/text/shape.ts'
import { countLines, shapeParagraphs, truncateLines, wrapParagraphs } from '../../src/text/wrap.ts'
import { findQpdfErrors, inkCount, inkDifference, missingPrograms, rasterOf, textOf } from '../evidence/pdf-programs.ts'

const missing = missingPrograms()
if (missing.length > 0) console.warn(`skipped for lack of ${missing.join(', ')}`)

const PAGE = { width: 620, height: 60 }
const PANGRAMS = [
  'Zażółć gęślą jaźń, Þórður Ævar Đặng Thị Hằng ẞß ĳ Œ',
  'Příliš žluťoučký kůň úpěl ďábelské ódy ŐŰ ģķļņ',
  'Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία ΐΰ',
  'Съешь ещё этих мягких французских булок Ґїє Ђћ',
  'AVATAR To. fi fl ffi ffl „Wörter“ q\u0308 x\u0301\u0323 0123456789',
]

/** One line by our own operators in a subset font. */
async function setAsText(text: string, style: FontStyle): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  const [shape, book] = [await openParagraphShaper(), await openPdfFonts(pdf)]
  const [line] = wrapParagraphs(shapeParagraphs(shape, text, style), Number.POSITIVE_INFINITY)
  fillPage(pdf, pdf.addPage([PAGE.width, PAGE.height]), `0 g\n${book.show(line!, 10, 20, 20)}`, book)
  book.embed()
  return pdf.save()
}

/**
 * The same text as outlines without a font: the test reads the contours from the whole font and
 * places them by the shaper's result.
 */
async function setAsOutlines(text: string, style: FontStyle): Promise<Uint8Array> {
  const [shaper, shape] = [await openShaper(), await openParagraphShaper()]
  const fonts = new Set(
    wrapParagraphs(shapeParagraphs(shape, text, style), Number.POSITIVE_INFINITY).flatMap(({ runs }) =>
      runs.map(run => run.font),
    ),
  )
  expect(fonts.size).toBe(1)
  const [used] = fonts
  expect(used!.style).toBe(style)
  const font = readFontFile(used!)
  const unit = (20 * used!.scale) / findTable(font, 'head').getUint16(18)
  let x = 10
  const paths = shaper.shape(shaper.open(font), text, 0, text.length, false, undefined).map(glyph => {
    const path = `q ${unit} 0 0 ${unit} ${x + glyph.dx * unit} ${20 + glyph.dy * unit} cm ${outline(font, glyph.id)} Q`
    x += glyph.advance * unit
    return path
  })
  const pdf = await PDFDocument.create({ updateMetadata: false })
  const unused = await openPdfFonts(pdf)
  fillPage(pdf, pdf.addPage([PAGE.width, PAGE.height]), `0 g\n${paths.join('\n')}`, unused)
  unused.embed()
  return pdf.save()
}

/**
 * OpenType "glyf": the glyph's contours as PDF path operators, with cubic instead of quadratic
 * curves.
 */
function outline(font: Uint8Array, id: number): string {
  return contours(font, id).map(contourPath).join(' ') + (contours(font, id).length > 0 ? ' f' : '')
}

interface Point {
  x: number
  y: number
  on: boolean
}

function contours(font: Uint8Array, id: number): Point[][] {
  const [loca, glyf] = [findTable(font, 'loca'), findTable(font, 'glyf')]
  const long = findTable(font, 'head').getInt16(50) === 1
  const at = (i: number) => (long ? loca.getUint32(4 * i) : 2 * loca.getUint16(2 * i))
  if (at(id) === at(id + 1)) return []
  const glyph = new DataView(glyf.buffer, glyf.byteOffset + at(id), at(id + 1) - at(id))
  return glyph.getInt16(0) < 0 ? composite(font, glyph) : simple(glyph)
}

function composite(font: Uint8Array, glyph: DataView): Point[][] {
  const parts: Point[][] = []
  let at = 10
  for (let flags = 0x20; flags & 0x20; ) {
    flags = glyph.getUint16(at)
    const id = glyph.getUint16(at + 2)
    const words = (flags & 1) !== 0
    const [dx, dy] = words ? [glyph.getInt16(at + 4), glyph.getInt16(at + 6)] : [glyph.getInt8(at + 4), glyph.getInt8(at + 5)]
    at += words ? 8 : 6
    const f2 = () => {
      at += 2
      return glyph.getInt16(at - 2) / 16384
    }
    let [a, b, c, d] = [1, 0, 0, 1]
    if (flags & 0x8) a = d = f2()
    else if (flags & 0x40) [a, d] = [f2(), f2()]
    else if (flags & 0x80) [a, b, c, d] = [f2(), f2(), f2(), f2()]
    const moved = contours(font, id).map(points =>
      points.map(({ x, y, on }) => ({ x: a * x + c * y + dx, y: b * x + d * y + dy, on })),
    )
    parts.push(...moved)
  }
  return parts
}

function simple(glyph: DataView): Point[][] {
  const count = glyph.getInt16(0)
  const ends = Array.from({ length: count }, (_, i) => glyph.getUint16(10 + 2 * i))
  const total = (ends.at(-1) ?? -1) + 1
  let at = 10 + 2 * count
  at += 2 + glyph.getUint16(at)
  const flags: number[] = []
  while (flags.length < total) {
    const flag = glyph.getUint8(at++)
    flags.push(flag)
    if (flag & 8) for (let repeat = glyph.getUint8(at++); repeat > 0; repeat--) flags.push(flag)
  }
  const axis = (short: number, same: number) => {
    let value = 0
    return flags.map(flag => {
      if (flag & short) value += glyph.getUint8(at++) * (flag & same ? 1 : -1)
      else if (!(flag & same)) {
        value += glyph.getInt16(at)
        at += 2
      }
      return value
    })
  }
  const [xs, ys] = [axis(2, 16), axis(4, 32)]
  const points = flags.map((flag, i) => ({ x: xs[i]!, y: ys[i]!, on: (flag & 1) !== 0 }))
  return ends.map((end, i) => points.slice(i === 0 ? 0 : ends[i - 1]! + 1, end + 1))
}

function contourPath(points: Point[]): string {
  const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, on: true })
  const full = points.flatMap((point, i) => {
    const before = points.at(i - 1)!
    return point.on || before.on ? [point] : [middle(before, point), point]
  })
  const first = full.findIndex(point => point.on)
  const round = [...full.slice(first), ...full.slice(0, first), full[first]!]
  let now = round[0]!
  const path = [`${now.x} ${now.y} m`]
  for (let i = 1; i < round.length; i++) {
    const point = round[i]!
    if (point.on) path.push(`${point.x} ${point.y} l`)
    else {
      const end = round[++i]!
      const third = (from: Point) => `${from.x + ((point.x - from.x) * 2) / 3} ${from.y + ((point.y - from.y) * 2) / 3}`
      path.push(`${third(now)} ${third(end)} ${end.x} ${end.y} c`)
    }
    now = round[i]!
  }
  return `${path.join(' ')} h`
}

describe.skipIf(missing.length > 0)('type on paper', () => {
  for (const style of ['text', 'strong', 'signature'] as const) {
    test(`every letter in the ${style} style has the ink of the whole font's outline, in Poppler and in MuPDF`, async () => {
      for (const pangram of PANGRAMS) {
        const [ours, reference] = [await setAsText(pangram, style), await setAsOutlines(pangram, style)]
        for (const by of ['poppler', 'mupdf'] as const) {
          const [a, b] = [await rasterOf(ours, 1, 144, by), await rasterOf(reference, 1, 144, by)]
          expect(inkCount(b)).toBeGreaterThan(1000)
          expect(inkDifference(a, b)).toBeLessThan(0.002)
        }
      }
    }, 60_000)
  }

  test('the comparison detects one missing letter', async () => {
    const [whole, lacking] = [await setAsText('Zażółć gęślą jaźń', 'text'), await setAsText('Zażółć gęślą jaz ń', 'text')]
    expect(inkDifference(await rasterOf(whole, 1, 144), await rasterOf(lacking, 1, 144))).toBeGreaterThan(0.01)
  })

  test('the copied text is the original, with ligatures and positioned marks', async () => {
    for (const pangram of PANGRAMS) {
      const got = await textOf(await setAsText(pangram, 'text'))
      expect(got.trim().normalize('NFC')).toBe(pangram.normalize('NFC'))
    }
  })

  test('a character that no font has is a box on paper and itself in the copied text', async () => {
    const pdf = await setAsText('ab ქ cd', 'text')
    expect(await textOf(pdf)).toContain('ab ქ cd')
    expect(inkCount(await rasterOf(pdf, 1, 72))).toBeGreaterThan(
      inkCount(await rasterOf(await setAsText('ab   cd', 'text'), 1, 72)),
    )
  })

  test('the file is valid, and the same text gives the same bytes', async () => {
    const pdf = await setAsText(PANGRAMS.join(' '), 'text')
    expect(await findQpdfErrors(pdf)).toBe('')
    expect(await setAsText(PANGRAMS.join(' '), 'text')).toEqual(pdf)
  })
})

test('a font subset to a few letters is small and keeps their glyph numbers', async () => {
  const font = readFontFile(FONTS[0]!)
  const subsetter = await openSubsetter()
  const cut = subsetter.subset(subsetter.open(font), [36, 68])
  expect(Bun.deflateSync(cut as Uint8Array<ArrayBuffer>).length).toBeLessThan(4_000)
  expect(contours(cut, 36)).toEqual(contours(font, 36))
  expect(contours(cut, 37)).toEqual([])
})

test('the whole character map of a font is read', () => {
  const codes = readCodePoints(readFontFile(FONTS[0]!))
  expect(codes.size).toBeGreaterThan(2500)
  expect(codes.has(0x1eb1)).toBe(true)
  expect(codes.has(0x5d0)).toBe(false)
})

test('characters that would change the reading order are removed', () => {
  expect(toPrintable('a\u202egpj.exe\u2066b\u2069')).toBe('agpj.exeb')
  expect(toPrintable('a\r\nb\rc\u2028d\te\0\ud83d')).toBe('a\nb\nc\nd e\ufffd')
})

describe('lines', () => {
  const text = 'The quick brown fox jumps over the lazy dog and https://example.com/a/very/long/path/that-goes-on?and=on'

  test('no line is too wide, and no text is lost', async () => {
    const shape = await openParagraphShaper()
    for (const width of [3, 7.5, 12, 40]) {
      const paragraphs = shapeParagraphs(shape, text, 'text')
      const lines = wrapParagraphs(paragraphs, width)
      expect(Math.max(...lines.map(line => line.width))).toBeLessThanOrEqual(width)
      expect(
        lines
          .map(line => line.text)
          .join('')
          .replaceAll(' ', ''),
      ).toBe(text.replaceAll(' ', ''))
      expect(countLines(paragraphs, width)).toBe(lines.length)
    }
  })

  test('words are not broken if they fit', async () => {
    const lines = wrapParagraphs(shapeParagraphs(await openParagraphShaper(), 'The quick brown fox', 'text'), 6)
    expect(lines.map(line => line.text)).toEqual(['The quick', 'brown fox'])
  })

  test('a letter is never separated from its marks', async () => {
    const lines = wrapParagraphs(shapeParagraphs(await openParagraphShaper(), 'x\u0301\u0323'.repeat(20), 'text'), 2)
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) expect(line.text).toMatch(/^(x\u0301\u0323)+$/)
  })

  test('the text’s own line breaks are kept, empty lines included', async () => {
    const lines = wrapParagraphs(shapeParagraphs(await openParagraphShaper(), 'a\n\nb', 'text'), 10)
    expect(lines.map(line => line.text)).toEqual(['a', '', 'b'])
  })

  test('a truncated line ends with an ellipsis and fits', async () => {
    const shape = await openParagraphShaper()
    const lines = truncateLines(shape, wrapParagraphs(shapeParagraphs(shape, text, 'text'), 10), 'text', 10, 2)
    expect(lines).toHaveLength(2)
    expect(lines[1]!.text).toEndWith('…')
    expect(lines[1]!.width).toBeLessThanOrEqual(10)
  })
})

test('a font that the build compressed has the same bytes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'font-'))
  try {
    const font = FONTS[0]!
    const path = join(folder, 'font.ttf')
    writeFileSync(path, zstdCompressSync(readFileSync(font.path)))
    expect(readFileSync(path).length).toBeLessThan(readFontFile(font).length)
    expect(Buffer.compare(readFontFile({ ...font, path }), readFileSync(font.path))).toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
