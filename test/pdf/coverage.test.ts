import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { unprintable } from '../../src/pdf/coverage.ts'

test('Latin with any diacritic, Greek and Cyrillic can be printed', () => {
  expect(unprintable('Zażółć gęślą jaźń Þórður Đặng Ævar ẞß Œuvre ĳ')).toEqual([])
  expect(unprintable('Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία ΆΈΉ')).toEqual([])
  expect(unprintable('Съешь ещё этих мягких французских булок, Ґанок їжак Ђорђе Ќосев')).toEqual([])
  expect(unprintable('€ £ ₹ § ¶ – — „“ ‚‘ … ½ ° № @ ()\\<>/')).toEqual([])
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

test('what no face holds is named once each, in order of appearance', () => {
  expect(unprintable('漢字 and 字漢, 😀 and 😀')).toEqual(['漢', '字', '😀'])
  expect(unprintable('שלום')).toEqual(['ש', 'ל', 'ו', 'ם'])
})

test('control characters and halves of surrogate pairs are no text', () => {
  expect(unprintable('a\0b\u001bc\u009b')).toEqual(['\0', '\u001b', '\u009b'])
  expect(unprintable('x\ud83d')).toEqual(['\ud83d'])
})

test('an empty text lacks nothing', () => {
  expect(unprintable('')).toEqual([])
})

test('the serving process can ask without loading a PDF, font or shaping library', async () => {
  const built = await Bun.build({ entrypoints: [join(import.meta.dir, '../../src/pdf/coverage.ts')], target: 'bun' })
  const code = await built.outputs.find(output => output.kind === 'entry-point')!.text()
  expect(code.length).toBeLessThan(12_000)
  expect(code).not.toMatch(/harfbuzz\.wasm|pdf-lib|fontkit/)
})
