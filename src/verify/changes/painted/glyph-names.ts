/** The characters of glyph names and of the encodings of simple fonts. ISO 32000-2 annex D. */
import { Encodings } from '@pdf-lib/standard-fonts'

const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  breve: '\u0306',
  caron: '\u030c',
  cedilla: '\u0327',
  circumflex: '\u0302',
  commaaccent: '\u0327',
  dieresis: '\u0308',
  dotaccent: '\u0307',
  grave: '\u0300',
  hungarumlaut: '\u030b',
  macron: '\u0304',
  ogonek: '\u0328',
  ring: '\u030a',
  tilde: '\u0303',
}
const ACCENTED = new RegExp(`^([A-Za-z])(${Object.keys(ACCENTS).join('|')})$`)
const UNICODE = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/

let known: ReadonlyMap<string, string> | undefined

function readNames(): ReadonlyMap<string, string> {
  const { WinAnsi } = Encodings
  const names = WinAnsi.supportedCodePoints.map(
    code => [WinAnsi.encodeUnicodeCodePoint(code).name, String.fromCodePoint(code)] as const,
  )
  const others = { fi: 'fi', fl: 'fl', Lslash: 'Ł', lslash: 'ł', dotlessi: 'ı', minus: '-', nbspace: ' ', Euro: '€' }
  return new Map([...names, ...Object.entries(others)])
}

/** Undefined for an unknown name. */
export function characterOf(name: string): string | undefined {
  known ??= readNames()
  const found = known.get(name)
  if (found !== undefined) return found
  const [, letter, accent] = ACCENTED.exec(name) ?? []
  if (letter !== undefined && accent !== undefined) return `${letter}${ACCENTS[accent]}`.normalize('NFC')
  const [, four, more] = UNICODE.exec(name) ?? []
  const hex = four ?? more
  return hex === undefined ? undefined : String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(hex, 16)))
}

const DECODERS: Readonly<Record<string, string>> = {
  WinAnsiEncoding: 'windows-1252',
  MacRomanEncoding: 'macintosh',
  PDFDocEncoding: 'windows-1252',
}

/** The character of an octet; undefined where encodings differ. */
export function characterIn(encoding: string, octet: number): string | undefined {
  const isAscii = octet >= 0x20 && octet < 0x7f
  if (isAscii) return String.fromCharCode(octet)
  const decoder = DECODERS[encoding]
  if (decoder === undefined || octet < 0x20) return undefined
  if (encoding === 'PDFDocEncoding' && octet <= 0xa0) return PDF_DOC[octet - 0x80]
  return new TextDecoder(decoder).decode(Uint8Array.of(octet))
}

/** Annex D.2, octets 0x80 to 0xA0. */
const PDF_DOC = [...'•†‡…—–ƒ⁄‹›−‰„“”‘’‚™', 'fi', 'fl', ...'ŁŒŠŸŽıłœšž', undefined, '€']

/** A text string in PDFDocEncoding (§7.9.2.2), decoded as Latin-1, with its own characters. */
export const fromPdfDoc = (text: string): string => text.replace(/[\x80-\xa0]/g, one => PDF_DOC[one.charCodeAt(0) - 0x80] ?? one)
