import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { hasCharacter, unprintable } from '../../src/text/coverage.ts'
import { FONTS, readFontFile } from '../../src/text/fonts.ts'
import { readCodePoints } from '../../src/text/sfnt.ts'

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

test('the same letter in composed and in decomposed form is judged alike', () => {
  expect(unprintable('é')).toEqual([])
  expect(unprintable('e\u0301 q\u0308')).toEqual([])
  expect(unprintable('\u212b')).toEqual([]) // the Ångström sign is canonically Å
})

test('line breaks, tabs and characters without ink need no glyph', () => {
  expect(unprintable('a\nb\r\nc\td')).toEqual([])
  expect(unprintable('\u00ad\u200d\ufe0f')).toEqual([])
})

test('what no face hasCharacter is named once each, in order of appearance', () => {
  expect(unprintable('ქართ and ართქ, 😀 and 😀')).toEqual(['ქ', 'ა', 'რ', 'თ', '😀'])
  expect(unprintable('漢 தமிழ்')).toEqual(['த', 'ம', 'ி', 'ழ', '்'])
})

test('what only a face for signatures hasCharacter cannot be printed', () => {
  const hands = FONTS.filter(({ style }) => style === 'signature')
  expect(hands.some(face => hasCharacter(face, '\u27e8'))).toBe(true)
  expect(unprintable('\u27e8')).toEqual(['\u27e8'])
})

test('control characters and halves of surrogate pairs are no text', () => {
  expect(unprintable('a\0b\u001bc\u009b')).toEqual(['\0', '\u001b', '\u009b'])
  expect(unprintable('x\ud83d')).toEqual(['\ud83d'])
})

test('an empty text lacks nothing', () => {
  expect(unprintable('')).toEqual([])
})

test('what is known of each face is what its own character map says', () => {
  for (const face of FONTS) {
    const held = readCodePoints(readFontFile(face))
    expect(held.size).toBeGreaterThan(200)
    let wrong = 0
    for (const code of held) {
      if (!hasCharacter(face, String.fromCodePoint(code))) wrong++
      const next = String.fromCodePoint(code + 1)
      // A character may also be made of its canonical parts.
      if (next.normalize('NFD') === next && hasCharacter(face, next) !== held.has(code + 1)) wrong++
    }
    expect(wrong).toBe(0)
  }
})

test('the serving process can ask without loading a PDF, font or shaping library, nor a font', async () => {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, '../../src/text/coverage.ts')],
    target: 'bun',
    minify: { whitespace: true, syntax: true },
  })
  const code = await built.outputs.find(output => output.kind === 'entry-point')!.text()
  expect(code.length).toBeLessThan(32_000)
  expect(code).not.toMatch(/harfbuzz\.wasm|pdf-lib|fontkit|readFileSync|cmap/)
})
