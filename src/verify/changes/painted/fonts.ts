/** Decodes strings of a font into characters and widths. ISO 32000-2 §9.6, §9.7. */
import { Font as Metrics } from '@pdf-lib/standard-fonts'
import { type Remark, remark } from '../../../locales/remarks.ts'
import type { PdfFile } from '../../../pdf/parser/file.ts'
import type { PdfDictionary, PdfValue } from '../../../pdf/parser/syntax.ts'
import { nameOf } from '../object-changes.ts'
import { characterIn, characterOf } from './glyph-names.ts'
import { LineGlyphs, WRITING_LINE } from './writing-line.ts'

export interface Glyph {
  code: number
  /** Undefined if it is not known what the glyph looks like. */
  character: string | undefined
  /** In thousandths of the font size. */
  width: number
  /** §9.3.3: word spacing applies to it. */
  isSpace: boolean
}

export interface PdfFont {
  read(string: Uint8Array): Glyph[]
  /** Why it is not known what the glyphs look like; a clause. */
  doubt: Remark | undefined
  isDingbats: boolean
  /** Where it is not known what the glyphs look like: a run of this one is a line to write on. */
  isLine(code: number): boolean
  /** §9.6.4: the procedures of a Type 3 font by code, its matrix and its resources. */
  type3?: { procedures: ReadonlyMap<number, PdfValue>; matrix: PdfValue | undefined; resources: PdfValue | undefined }
}

const DEFAULT_WIDTH = 500
const MAX_CID_WIDTHS = 70_000

const numberOf = (file: PdfFile, value: PdfValue | undefined): number | undefined => {
  const found = file.resolve(value).value
  return found.kind === 'number' ? found.value : undefined
}

/** The font program that readers without it use for these names, which they all draw alike. */
const FAMILIES: readonly [RegExp, string][] = [
  [/^(cour|couriernew|lettergothic|liberationmono|dejavusansmono)/, 'Courier'],
  [/^(times|timesnewroman|tiro|cambria|georgia|minion|liberationserif|dejavuserif|notoserif|adobeserif)/, 'Times-Roman'],
  [
    /^(helv|helvetica|hebo|arial|myriad|calibri|verdana|tahoma|segoeui|liberationsans|dejavusans|notosans|adobesans)/,
    'Helvetica',
  ],
]
const DINGBATS = /^(zapfdingbats|zadb)/

function familyOf(baseFont: string): string | undefined {
  const plain = baseFont
    .replace(/^[A-Z]{6}\+/, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  const family = FAMILIES.find(([pattern]) => pattern.test(plain))?.[1]
  const isBold = plain.includes('bold') || plain === 'hebo' || plain === 'tibo'
  return family !== undefined && isBold ? family.replace('-Roman', '').concat('-Bold') : family
}

const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3']
const isEmbedded = (file: PdfFile, font: PdfDictionary | undefined): boolean => {
  const descriptor = file.dictionary(font?.entries.get('FontDescriptor'))
  return PROGRAMS.some(key => descriptor?.entries.has(key) === true)
}

/** §9.6.5: glyph names by code where the font's encoding differs from its base. */
function readDifferences(file: PdfFile, encoding: PdfDictionary | undefined): Map<number, string> {
  const names = new Map<number, string>()
  let code = 0
  for (const item of file.items(encoding?.entries.get('Differences'))) {
    const { value } = file.resolve(item)
    if (value.kind === 'number') code = value.value
    else if (value.kind === 'name') names.set(code++, value.value)
  }
  return names
}

function simpleWidths(file: PdfFile, font: PdfDictionary): (code: number) => number | undefined {
  const first = numberOf(file, font.entries.get('FirstChar')) ?? 0
  const widths = file.items(font.entries.get('Widths'))
  return code => numberOf(file, widths[code - first])
}

function standardWidth(family: string | undefined, character: string | undefined): number {
  if (family === undefined || character === undefined) return DEFAULT_WIDTH
  const metrics = Metrics.load(family as Parameters<typeof Metrics.load>[0])
  const name = WIDTH_NAMES.get(character) ?? character
  return metrics.getWidthOfGlyph(name) || DEFAULT_WIDTH
}

/** Names of the characters that are not named by themselves. */
const WIDTH_NAMES = new Map(
  Object.entries({
    ' ': 'space', '.': 'period', ',': 'comma', '-': 'hyphen', ':': 'colon', ';': 'semicolon', '/': 'slash', '(': 'parenleft',
    ')': 'parenright', '!': 'exclam', '|': 'bar', "'": 'quotesingle', '0': 'zero', '1': 'one', '2': 'two', '3': 'three',
    '4': 'four', '5': 'five', '6': 'six', '7': 'seven', '8': 'eight', '9': 'nine', '€': 'Euro', '%': 'percent', '@': 'at',
    '&': 'ampersand', '+': 'plus', '=': 'equal', _: 'underscore', '*': 'asterisk', '"': 'quotedbl', '?': 'question',
  }),
) // biome-ignore format: a table of pairs

/** Why the glyphs of a simple font may be others than its encoding says. */
function simpleDoubt(file: PdfFile, font: PdfDictionary, family: string | undefined, name: string): Remark | undefined {
  if (isEmbedded(file, font)) return remark('font_embedded', { name })
  if (family === undefined) return remark('font_drawn_otherwise', { name })
  return undefined
}

const SYMBOLIC = 4
const SYMBOL_FONTS = /symbol|dings/

/** Without its program, readers draw another font by the encoding, unless it is one of symbols. */
function isSymbolic(file: PdfFile, font: PdfDictionary, name: string): boolean {
  const flags = numberOf(file, file.dictionary(font.entries.get('FontDescriptor'))?.entries.get('Flags')) ?? 0
  return (flags & SYMBOLIC) !== 0 || SYMBOL_FONTS.test(name.toLowerCase())
}

function simpleLines(
  file: PdfFile,
  font: PdfDictionary,
  name: string,
  characters: readonly (string | undefined)[],
): PdfFont['isLine'] {
  if (!isEmbedded(file, font)) {
    const isKnown = !isSymbolic(file, font, name)
    return code => isKnown && characters[code] !== undefined && WRITING_LINE.test(characters[code])
  }
  // Without an encoding, the codes of an embedded font are its own.
  const hasEncoding = font.entries.has('Encoding')
  const glyphs = new LineGlyphs(file, {
    font,
    descendant: undefined,
    characterOf: code => (hasEncoding ? characters[code] : undefined),
  })
  return code => glyphs.has(code)
}

function readSimple(file: PdfFile, font: PdfDictionary): PdfFont {
  const name = nameOf(file.resolve(font.entries.get('BaseFont')).value)
  const isDingbats = DINGBATS.test(name.toLowerCase()) && !isEmbedded(file, font)
  const encoding = file.resolve(font.entries.get('Encoding')).value
  const base = nameOf(encoding) || nameOf(encoding.kind === 'dictionary' ? encoding.entries.get('BaseEncoding') : undefined)
  const differences = readDifferences(file, encoding.kind === 'dictionary' ? encoding : undefined)
  const family = familyOf(name)
  const doubt = simpleDoubt(file, font, family, name)
  const widthOf = simpleWidths(file, font)
  const characters = Array.from({ length: 256 }, (_, code) => {
    const different = differences.get(code)
    return different === undefined ? characterIn(base, code) : characterOf(different)
  })
  const glyphs = characters.map((character, code) => ({
    code,
    character: doubt === undefined || isDingbats ? character : undefined,
    width: widthOf(code) ?? standardWidth(family, character),
    isSpace: code === 0x20,
  }))
  const isLine = simpleLines(file, font, name, characters)
  return { read: string => [...string].map(code => glyphs[code] as Glyph), doubt, isDingbats, isLine }
}

/** §9.6.4. Its glyphs are drawn by content streams. */
function readType3(file: PdfFile, font: PdfDictionary): PdfFont {
  const procedures = file.dictionary(font.entries.get('CharProcs'))
  const encoding = file.dictionary(font.entries.get('Encoding'))
  const names = readDifferences(file, encoding)
  const scale = numberOf(file, file.items(font.entries.get('FontMatrix'))[0]) ?? 0.001
  const widthOf = simpleWidths(file, font)
  const glyphs = Array.from({ length: 256 }, (_, code) => ({
    code,
    character: undefined,
    width: (widthOf(code) ?? 0) * scale * 1000,
    isSpace: code === 0x20,
  }))
  const byCode = new Map<number, PdfValue>()
  for (const [code, name] of names) {
    const procedure = procedures?.entries.get(name)
    if (procedure !== undefined) byCode.set(code, procedure)
  }
  const type3 = { procedures: byCode, matrix: font.entries.get('FontMatrix'), resources: font.entries.get('Resources') }
  const doubt = remark('font_of_type_3')
  return { read: string => [...string].map(code => glyphs[code] as Glyph), doubt, isDingbats: false, isLine: () => false, type3 }
}

/** §9.7.4.3: widths by CID. */
function readCidWidths(file: PdfFile, list: readonly PdfValue[]): Map<number, number> {
  const widths = new Map<number, number>()
  for (let i = 0; i < list.length && widths.size < MAX_CID_WIDTHS; ) {
    const first = numberOf(file, list[i]) ?? 0
    const next = file.resolve(list[i + 1]).value
    if (next.kind === 'array') {
      next.items.forEach((item, k) => {
        widths.set(first + k, numberOf(file, item) ?? 1000)
      })
      i += 2
    } else {
      const [last, width] = [numberOf(file, next) ?? first, numberOf(file, list[i + 2]) ?? 1000]
      for (let cid = first; cid <= last && widths.size < MAX_CID_WIDTHS; cid++) widths.set(cid, width)
      i += 3
    }
  }
  return widths
}

/** §9.7.5.2: the codes of these encodings are UTF-16. */
const UTF16 = /^Uni[A-Za-z0-9]*-(UCS2|UTF16)-H$/

function readComposite(file: PdfFile, font: PdfDictionary): PdfFont {
  const descendant = file.dictionary(file.items(font.entries.get('DescendantFonts'))[0])
  const encoding = nameOf(file.resolve(font.entries.get('Encoding')).value)
  const name = nameOf(file.resolve(font.entries.get('BaseFont')).value)
  const isUnicode = UTF16.test(encoding)
  const widths = readCidWidths(file, file.items(descendant?.entries.get('W')))
  const defaultWidth = numberOf(file, descendant?.entries.get('DW')) ?? 1000
  const embedded = isEmbedded(file, descendant)
  const doubt = embedded ? remark('font_embedded', { name }) : isUnicode ? undefined : remark('font_drawn_otherwise', { name })
  const read = (string: Uint8Array): Glyph[] => {
    const glyphs: Glyph[] = []
    for (let i = 0; i + 1 < string.length; i += 2) {
      const code = ((string[i] ?? 0) << 8) | (string[i + 1] ?? 0)
      const character = doubt === undefined ? String.fromCharCode(code) : undefined
      glyphs.push({
        code,
        character,
        width: isUnicode ? (code < 0x80 ? 500 : 1000) : (widths.get(code) ?? defaultWidth),
        isSpace: false,
      })
    }
    return glyphs
  }
  const glyphs = new LineGlyphs(file, { font, descendant, characterOf: () => undefined })
  const isLine = (code: number) => embedded && encoding === 'Identity-H' && glyphs.has(code)
  return { read, doubt, isDingbats: false, isLine }
}

export function readFont(file: PdfFile, value: PdfValue | undefined): PdfFont | undefined {
  const font = file.dictionary(value)
  if (font === undefined) return undefined
  switch (nameOf(file.resolve(font.entries.get('Subtype')).value)) {
    case 'Type0':
      return readComposite(file, font)
    case 'Type3':
      return readType3(file, font)
    default:
      return readSimple(file, font)
  }
}
