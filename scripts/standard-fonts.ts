/**
 * Replaces `@pdf-lib/standard-fonts` in scripts for browsers: the widths and names that the
 * verifier asks for, as plain tables. The package brings each as compressed text and an unpacker.
 */
import { Encodings, Font, FontNames } from '@pdf-lib/standard-fonts'
import type { BunPlugin } from 'bun'

/** Those of which `src/verify/changes/painted/fonts.ts` asks widths. */
const FONTS = [
  FontNames.Courier,
  FontNames.CourierBold,
  FontNames.Helvetica,
  FontNames.HelveticaBold,
  FontNames.TimesRoman,
  FontNames.TimesRomanBold,
]

/** A module with the part of the package's exports that is used. */
export function standardFontsModule(): string {
  const names = [...new Set(FONTS.flatMap(font => Font.load(font).CharMetrics.map(({ N }) => N)))].sort()
  const widths = FONTS.map(font => [font, names.map(name => Font.load(font).getWidthOfGlyph(name) ?? 0).join(' ')])
  const { WinAnsi } = Encodings
  const codes = WinAnsi.supportedCodePoints.map(code => [code, WinAnsi.encodeUnicodeCodePoint(code).name])
  return `
const names = ${JSON.stringify(names.join(' '))}.split(' ')
const widths = ${JSON.stringify(Object.fromEntries(widths))}
const tables = new Map()
const tableOf = font => {
  const list = widths[font].split(' ')
  const table = new Map(names.map((name, i) => [name, Number(list[i])]))
  tables.set(font, table)
  return table
}
export const Font = { load: font => ({ getWidthOfGlyph: name => (tables.get(font) ?? tableOf(font)).get(name) || undefined }) }
const codes = new Map(${JSON.stringify(codes)})
const WinAnsi = {
  supportedCodePoints: [...codes.keys()],
  encodeUnicodeCodePoint: code => ({ name: codes.get(code) }),
}
export const Encodings = { WinAnsi }
`
}

export const STANDARD_FONTS: BunPlugin = {
  name: 'standard fonts',
  setup(build) {
    build.onResolve({ filter: /^@pdf-lib\/standard-fonts$/ }, () => ({ path: 'standard-fonts', namespace: 'tables' }))
    build.onLoad({ filter: /./, namespace: 'tables' }, () => ({ contents: standardFontsModule(), loader: 'js' }))
  },
}
