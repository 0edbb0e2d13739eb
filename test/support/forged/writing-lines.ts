/**
 * Runs of one glyph below a field: a line to write on, or digits whose font says that they are one.
 * ISO 32000-2 §9.10.
 */
import { catalog, FIELD, FREE, permitted, refused, streamOf, update } from './document.ts'
import { filled, form, fullPage, type Objects, perms, signedWith, value, widget } from './painted.ts'
import { type GlyphName, tinyFont } from './tiny-font.ts'

const RUN = 'BT /F3 18 Tf 302 306 Td (11111111) Tj ET'
const WIDE_RUN = 'BT /F3 18 Tf 302 306 Td <00010001000100010001> Tj ET'

/** §9.10.3: one code and its text. */
const mapTo = (text: string, code = '31') =>
  streamOf(
    `begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <${code}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}> endbfchar endcmap`,
  )
const rangeTo = (text: string) =>
  streamOf(
    `begincmap 1 beginbfrange <30> <32> [<0041> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}> <0042>] endbfrange endcmap`,
  )

interface FontCase {
  glyph?: GlyphName
  /** What /ToUnicode says. */
  map?: string
  encoding?: string
  program?: string
  /** The code of the glyph in the font's own map. */
  own?: number
}

const descriptor = (program: string) => `/FontDescriptor << /Type /FontDescriptor /FontName /ABCDEF+Some /Flags 4 ${program} >>`

/** The page's font F3, of which the code 0x31 draws the glyph. */
function simple({ glyph = 'one', map, encoding = '', program, own }: FontCase): Objects {
  const unicode = map === undefined ? '' : '/ToUnicode 57 0 R'
  return {
    51: `<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Some /FirstChar 49 /LastChar 49 /Widths [500] ${encoding} ${unicode} ${descriptor(program ?? '/FontFile2 58 0 R')} >>`,
    57: map ?? '',
    58: streamOf(tinyFont(glyph === 'twice' ? ['twice', 'one'] : [glyph], own)),
  }
}

/** Glyph 1 by the code 0x0001. */
function composite(glyph: GlyphName, map: string | undefined): Objects {
  const unicode = map === undefined ? '' : '/ToUnicode 57 0 R'
  return {
    51: `<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Some /Encoding /Identity-H /DescendantFonts [61 0 R] ${unicode} >>`,
    57: map ?? '',
    58: streamOf(tinyFont([glyph])),
    61: `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Some /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /CIDToGIDMap /Identity /DW 500 ${descriptor('/FontFile2 58 0 R')} >>`,
  }
}

const over = (objects: Objects, content = RUN) => filled({ content, objects })
const notEmbedded = (name: string, more = '') => ({ 51: `<< /Type /Font /Subtype /TrueType /BaseFont /${name} ${more} >>` })
const WIN = '/Encoding /WinAnsiEncoding'
const PERIOD = '/Encoding << /Differences [49 /period] >>'

export const RUN_FORGERIES = refused('run of one glyph that is filled over', {
  'digits without a mapping': over(simple({})),
  'digits by an encoding': over(simple({ encoding: WIN })),
  'digits by a mapping': over(simple({ map: mapTo('1') })),
  'digits by a range of a mapping': over(simple({ map: rangeTo('1') })),
  'digits that are mapped to dots': over(simple({ map: mapTo('.') })),
  'digits that are named as dots': over(simple({ encoding: PERIOD })),
  'digits as low as dashes, mapped to dashes': over(simple({ glyph: 'lowOne', map: mapTo('-') })),
  'low digits whose outline is drawn twice': over(simple({ glyph: 'twiceAround', map: mapTo('-') })),
  'dots by a name that the map of the font lacks': over(simple({ glyph: 'dot', encoding: PERIOD })),
  'upright bars that are mapped to dots': over(simple({ glyph: 'bar', map: mapTo('.') })),
  'rings that are mapped to dots': over(simple({ glyph: 'ring', map: mapTo('.') })),
  'equals signs that are mapped to dashes': over(simple({ glyph: 'equals', map: mapTo('-') })),
  'lines that are mapped to digits': over(simple({ glyph: 'dot', map: mapTo('1') })),
  'lines without a mapping': over(simple({ glyph: 'dot' })),
  'dots by the mapping, digits by the encoding': over(simple({ glyph: 'dot', map: mapTo('.'), encoding: WIN })),
  'glyph of parts that is mapped to dots': over(simple({ glyph: 'twice', map: mapTo('.') })),
  'font that cannot be read, mapped to dots': over({ ...simple({ map: mapTo('.') }), 58: streamOf('font') }),
  'font of a kind that is not read, mapped to dots': over(simple({ map: mapTo('.'), program: '/FontFile3 58 0 R' })),
  'wide digits that are mapped to dots': over(composite('one', mapTo('.', '0001')), WIDE_RUN),
  'wide lines without a mapping': over(composite('underscore', undefined), WIDE_RUN),
  'digits of a font that is not embedded, mapped to dots': over({
    ...notEmbedded('Some', `${WIN} /ToUnicode 57 0 R`),
    57: mapTo('.'),
  }),
  'dots of a symbol font': over(notEmbedded('Wingdings', WIN), RUN.replace('(11111111)', '(........)')),
  'digits of a signature added before, mapped to dots': kit => {
    const fields = [7, 30, FIELD, FREE]
    const font =
      '<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Some /FirstChar 49 /LastChar 49 /Widths [500] /ToUnicode 84 0 R'
    const [before, resources] = [signedWith(kit, {}), '/Resources << /Font << /F9 83 0 R >> >>']
    const both = kit.sign(before, {
      field: FREE,
      rect: '300 300 500 330',
      fieldMore: '/AP << /N 80 0 R >>',
      changes: {
        1: catalog({ fields, more: perms(kit) }),
        3: fullPage(fields),
        80: form('BT /F9 18 Tf 2 6 Td (11111111) Tj ET', undefined, resources),
        83: `${font} ${descriptor('/FontFile2 85 0 R')} >>`,
        84: mapTo('.'),
        85: streamOf(tinyFont(['dot'])),
      },
    })
    return update(both, { 30: widget({}, '/V (EUR 9)', 32), 32: form(value('EUR 9')) })
  },
})

export const WRITING_LINES = permitted('line of one glyph that is written on', {
  'dots by a mapping': over(simple({ glyph: 'dot', map: mapTo('.') })),
  'dots by a range of a mapping': over(simple({ glyph: 'dot', map: rangeTo('.') })),
  'dots by a name': over(simple({ glyph: 'dot', own: 0x2e, encoding: PERIOD })),
  'underscores by a mapping': over(simple({ glyph: 'underscore', map: mapTo('_') })),
  'wide underscores by a mapping': over(composite('underscore', mapTo('_', '0001')), WIDE_RUN),
  'underscores of a font that is not embedded': over(notEmbedded('Some', WIN), RUN.replace('(11111111)', '(________)')),
})
