import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { hasCharacter, unprintable } from '../../src/text/coverage.ts'
import { FONTS, readFontFile } from '../../src/text/fonts.ts'
import { openShaper } from '../../src/text/harfbuzz.ts'
import { readCodePoints, readGlyphBoxes } from '../../src/text/sfnt.ts'

test('Latin with any diacritic, Greek and Cyrillic can be printed', () => {
  expect(unprintable('Zażółć gęślą jaźń Þórður Đặng Ævar ẞß Œuvre ĳ')).toEqual([])
  expect(unprintable('Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία ΆΈΉ')).toEqual([])
  expect(unprintable('Съешь ещё этих мягких французских булок, Ґанок їжак Ђорђе Ќосев')).toEqual([])
  expect(unprintable('€ £ ₹ § ¶ – — „“ ‚‘ … ½ ° № @ ()\\<>/')).toEqual([])
})

test('Arabic with vowels, Hebrew with points, Thai, Devanagari, Chinese, Japanese and Korean can be printed', () => {
  expect(unprintable('الْحَمْدُ لِلَّهِ، می‌خواهم گفت‌وگو ۱۲۳ ٹھیک ہے')).toEqual([])
  expect(unprintable('בְּרֵאשִׁית בָּרָא אֱלֹהִים „שלום”')).toEqual([])
  expect(unprintable('ปู่กินน้ำ ผู้ใหญ่ ฿ ๑๒๓')).toEqual([])
  expect(unprintable('क्षत्रिय हिन्दी विद्यार्थी । १२३')).toEqual([])
  expect(unprintable('合同签署：“你好”《法律》 合約簽署「繁體字」龜鬱')).toEqual([])
  expect(unprintable('契約書に署名する。ガッコウ ｶﾞ ㈱ 〒 か\u3099')).toEqual([])
  expect(unprintable('계약서 大韓民國')).toEqual([])
  expect(unprintable('한글'.normalize('NFD'))).toEqual([])
})

test('the same letter in composed and in decomposed form gives the same result', () => {
  expect(unprintable('é')).toEqual([])
  expect(unprintable('e\u0301 q\u0308')).toEqual([])
  expect(unprintable('\u212b')).toEqual([]) // the Ångström sign is canonically Å
})

test('line breaks, tabs and characters without ink need no glyph', () => {
  expect(unprintable('a\nb\r\nc\td')).toEqual([])
  expect(unprintable('\u00ad\u200d\ufe0f')).toEqual([])
})

test('characters that no font has are listed once each, in order of appearance', () => {
  expect(unprintable('ქართ and ართქ, 😀 and 😀')).toEqual(['ქ', 'ა', 'რ', 'თ', '😀'])
  expect(unprintable('漢 தமிழ்')).toEqual(['த', 'ம', 'ி', 'ழ', '்'])
})

test('a character that only a handwriting font has cannot be printed', () => {
  const handwriting = FONTS.filter(({ style }) => style === 'signature')
  expect(handwriting.some(font => hasCharacter(font, '\u27e8'))).toBe(true)
  expect(unprintable('\u27e8')).toEqual(['\u27e8'])
})

test('control characters and lone surrogates are no text', () => {
  expect(unprintable('a\0b\u001bc\u009b')).toEqual(['\0', '\u001b', '\u009b'])
  expect(unprintable('x\ud83d')).toEqual(['\ud83d'])
})

test('an empty text is printable', () => {
  expect(unprintable('')).toEqual([])
})

test('the coverage table agrees with the character map of each font', () => {
  for (const font of FONTS) {
    const codes = readCodePoints(readFontFile(font))
    expect(codes.size).toBeGreaterThan(200)
    let wrong = 0
    for (const code of codes) {
      if (!hasCharacter(font, String.fromCodePoint(code))) wrong++
      const next = String.fromCodePoint(code + 1)
      // A character may also be composed of its canonical parts.
      if (next.normalize('NFD') === next && hasCharacter(font, next) !== codes.has(code + 1)) wrong++
    }
    expect(wrong).toBe(0)
  }
})

test('every letter that a font has is drawn: none is an empty glyph', async () => {
  const shaper = await openShaper()
  // Arabic fonts compose letters of several glyphs; fillers are blank by definition.
  const isDrawn = (text: string) =>
    /[^\P{L}\p{Script_Extensions=Arabic}]/u.test(text) && !/\p{Default_Ignorable_Code_Point}/u.test(text)
  const emptyIn = FONTS.map(font => {
    const bytes = readFontFile(font)
    const [handle, boxes] = [shaper.open(bytes), readGlyphBoxes(bytes)]
    const empty = [...readCodePoints(bytes)].filter(code => {
      const glyph = isDrawn(String.fromCodePoint(code)) ? shaper.glyphOf(handle, code) : undefined
      return glyph !== undefined && boxes.subarray(4 * glyph, 4 * glyph + 4).every(side => side === 0)
    })
    return [font.name, empty.length]
  })
  expect(emptyIn.filter(([, count]) => count !== 0)).toEqual([])
})

test('the coverage check loads neither a PDF, font or shaping library nor a font', async () => {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, '../../src/text/coverage.ts')],
    target: 'bun',
    minify: { whitespace: true, syntax: true },
  })
  const code = await built.outputs.find(output => output.kind === 'entry-point')!.text()
  expect(code.length).toBeLessThan(50_000)
  expect(code).not.toMatch(/harfbuzz\.wasm|pdf-lib|fontkit|readFileSync|cmap/)
})
