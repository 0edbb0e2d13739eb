/**
 * Changes after signing that readers see otherwise than a dictionary says: values that were there,
 * what appearances paint, and what additions cover. ISO 32000-2 §8.5, §12.5.5, §12.7.
 */
import { catalog, document, FIELD, type Kit, page, streamOf, update } from './document.ts'

export type Objects = Record<number, string>

export const FONTS = '/Font << /F1 5 0 R /F2 50 0 R /F3 51 0 R >>'
export const RESOURCES = `/Resources << ${FONTS} /XObject << /X1 52 0 R /X2 53 0 R >> /Shading << /S1 54 0 R >> /Pattern << /P1 55 0 R >> /ExtGState << /G1 56 0 R >> >>`
export const form = (data: string, box = '0 0 200 30', more = RESOURCES): string =>
  streamOf(data, `/Type /XObject /Subtype /Form /BBox [${box}] ${more}`)

/** Fonts that draw other glyphs than they say, and what can be painted. */
export const THINGS: Objects = {
  50: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [49 /nine] >> >>',
  51: '<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Arial /Encoding /WinAnsiEncoding /ToUnicode 57 0 R /FontDescriptor << /Type /FontDescriptor /FontName /ABCDEF+Arial /Flags 32 /FontFile2 58 0 R >> >>',
  52: streamOf('x', '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray'),
  53: form('BT /F1 18 Tf 2 8 Td (EUR 9) Tj ET'),
  54: '<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 9 9] /Function << /FunctionType 2 /N 1 /Domain [0 1] >> >>',
  55: streamOf(
    '0 0 5 5 re f',
    '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5 5] /XStep 5 /YStep 5 /Resources << >>',
  ),
  56: '<< /Type /ExtGState /ca 0.01 >>',
  57: streamOf('/CIDInit'),
  58: streamOf('font'),
  59: '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 49 /LastChar 49 /Widths [1] /CharProcs << /one 60 0 R >> /Encoding << /Differences [49 /one] >> /Resources << >> >>',
  60: streamOf('1 0 d0 0 0 1 0.7 re f'),
}

export interface FieldCase {
  /** Entries of the field before and after. */
  before?: string
  after?: string
  /** The content of its appearance before and after; undefined: none. */
  shown?: string | undefined
  drawn?: string | undefined
  rect?: string
  /** More content of the page. */
  content?: string
  /** More text of the appearance, and other objects before and after. */
  box?: string
  objects?: Objects
  changes?: Objects
  type?: string
}

export const PAGE_CONTENT = 'BT /F1 24 Tf 50 700 Td (Pay 100 EUR) Tj ET'
export const RECT = '300 300 500 330'
export const value = (text: string): string => `BT /F1 18 Tf 2 8 Td (${text}) Tj ET`

export function widget({ rect = RECT, type = '/FT /Tx' }: FieldCase, entries: string, appearance: number | undefined): string {
  const shown = appearance === undefined ? '' : `/AP << /N ${appearance} 0 R >>`
  return `<< /Type /Annot /Subtype /Widget ${type} /T (Sum) /Rect [${rect}] /F 4 /P 3 0 R /DA (/F1 18 Tf 0 g) ${shown} ${entries} >>`
}

export const perms = ({ certifies }: Kit): string => (certifies === undefined ? '' : '/Perms << /DocMDP 15 0 R >>')

/** The page with all that can be painted. */
export const fullPage = (annotations: readonly number[]): string =>
  page({ annotations }).replace(/\/Resources << .*? >> \/Contents/, `${RESOURCES} /Contents`)

/** A signed document with a second field, before the field is changed. */
export function signedWith(kit: Kit, one: FieldCase): Buffer {
  const { before = '', shown, content = '', objects = {} } = one
  const base = document({
    ...THINGS,
    1: catalog({ fields: [7, 30] }),
    3: fullPage([7, 30]),
    4: streamOf(`${PAGE_CONTENT} ${content}`),
    30: widget(one, before, shown === undefined ? undefined : 31),
    31: form(shown ?? '', one.box),
    ...objects,
  })
  const fields = [7, 30, FIELD]
  return kit.sign(base, { changes: { 1: catalog({ fields, more: perms(kit) }), 3: fullPage(fields) } })
}

/** The field is filled in. */
export const filled =
  (one: FieldCase) =>
  (kit: Kit): Uint8Array => {
    const { after = '/V (EUR 9)', drawn = value('EUR 9'), changes = {}, box } = one
    return update(signedWith(kit, one), { 30: widget(one, after, 32), 32: form(drawn, box), ...changes })
  }

export const lines = '3 w 0 G 20 4 m 20 24 l S 30 24 m 40 24 l S 30 4 m 30 24 l S'
export const DIGIT = '3 w 0 G 310 304 m 310 324 l S 320 324 m 330 324 l S 320 304 m 320 324 l S'

/** A button with the states On and Off. */
export const button = (on: string, off: string, rect = '300 300 320 320'): FieldCase => ({
  type: '/FT /Btn',
  rect,
  objects: {
    30: `<< /Type /Annot /Subtype /Widget /FT /Btn /T (Sum) /Rect [${rect}] /F 4 /P 3 0 R /V /Off /AS /Off /AP << /N << /On 33 0 R /Off 34 0 R >> >> >>`,
    33: form(on, '0 0 20 20', '/Resources << /Font << /F1 5 0 R /ZaDb 35 0 R >> /XObject << /X1 52 0 R >> >>'),
    34: form(off, '0 0 20 20'),
    35: '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>',
  },
})
export const switched =
  (one: FieldCase, text = '/V /On /AS /On', changes: Objects = {}) =>
  (kit: Kit): Uint8Array => {
    const field = (one.objects?.[30] ?? '').replace('/V /Off /AS /Off', text)
    return update(signedWith(kit, one), { 30: field, ...changes })
  }

export const CHOICE = '/FT /Ch /Ff 131072 /Opt [[(1) (one)] [(2) (two)]]'

export const kids = (own: string, first: string, second: string): Objects => ({
  30: `<< /FT /Tx /T (Sum) /Kids [36 0 R 37 0 R] ${own} >>`,
  36: `<< /Type /Annot /Subtype /Widget /Parent 30 0 R /Rect [300 300 500 330] /F 4 /P 3 0 R ${first} >>`,
  37: `<< /Type /Annot /Subtype /Widget /Parent 30 0 R /Rect [300 200 500 230] /F 4 /P 3 0 R ${second} >>`,
})
