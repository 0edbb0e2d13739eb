/** What the appearance of a form field shows: its texts, and whether it draws pictures. ISO 32000-2 §12.5.5, §12.7.4.3. Lines and areas are frames. */
import type { PdfFile } from '../../pdf/parser/file.ts'
import {
  type Cursor,
  type PdfDictionary,
  PdfSyntaxError,
  type PdfValue,
  readValue,
  skipSpace,
  textOf,
} from '../../pdf/parser/syntax.ts'
import { fieldKind, fieldsOf, inherited } from './form-fields.ts'
import { nameOf, streamBytes } from './object-changes.ts'

const MAX_BYTES = 256 * 1024
/** All appearances of a revision together. */
const MAX_ALL_BYTES = 16 * 1024 * 1024
/** §8.8, §8.7.4.2, §8.9.7: an XObject, a shading, an image. */
const PICTURES = new Set(['Do', 'sh', 'BI'])

/** `text` without blanks, as far as its octets are Latin-1; `isPicture` when it draws something else, or cannot be read. */
export interface Shown {
  text: string
  isPicture: boolean
}

const NOTHING: Shown = { text: '', isPicture: false }
const UNKNOWN: Shown = { text: '', isPicture: true }
const withoutBlanks = (text: string): string => text.replace(/[\s\p{Cc}]/gu, '')

/** The next string of a content stream, or its next operator; undefined for any other token. @throws PdfSyntaxError */
function nextToken(cursor: Cursor): PdfValue | string | undefined {
  const { bytes } = cursor
  const octet = String.fromCharCode(bytes[cursor.at] ?? 0)
  const isDictionary = octet === '<' && bytes[cursor.at + 1] === 0x3c
  if ((octet === '<' && !isDictionary) || octet === '(' || octet === '/') return readValue(cursor)
  const start = cursor.at
  const rest = /^[^\s\p{Cc}()<>[\]{}/%]+/u.exec(Buffer.from(bytes.subarray(start, start + 200)).toString('latin1'))
  cursor.at += rest?.[0].length ?? 1
  return rest?.[0]
}

function shownByContent(bytes: Uint8Array): Shown {
  const cursor: Cursor = { bytes, at: 0 }
  const shown = { ...NOTHING }
  for (skipSpace(cursor); cursor.at < bytes.length; skipSpace(cursor)) {
    const token = nextToken(cursor)
    if (typeof token === 'string') shown.isPicture ||= PICTURES.has(token)
    else if (token?.kind === 'string') shown.text += Buffer.from(token.value).toString('latin1')
  }
  return { ...shown, text: withoutBlanks(shown.text) }
}

/** The stream that readers draw for a widget (§12.5.5): the normal appearance, of its state where it has several. */
function appearanceOf(file: PdfFile, widget: PdfDictionary): number | undefined {
  const normal = file.dictionary(widget.entries.get('AP'))?.entries.get('N')
  const state = nameOf(file.resolve(widget.entries.get('AS')).value)
  const value = file.dictionary(normal)?.entries.get(state) ?? normal
  return value?.kind === 'reference' ? value.number : undefined
}

/** What the appearances of a revision show, each read once, and how many bytes of them were read. */
const readAppearances = new WeakMap<PdfFile, { shown: Map<number, Shown>; bytes: number }>()

/** What a widget shows by its appearance. */
export function shownBy(file: PdfFile, widget: PdfDictionary): Shown {
  const number = appearanceOf(file, widget)
  if (number === undefined) return NOTHING
  const read = readAppearances.get(file) ?? { shown: new Map<number, Shown>(), bytes: 0 }
  readAppearances.set(file, read)
  const known = read.shown.get(number)
  if (known !== undefined) return known
  const data = read.bytes > MAX_ALL_BYTES ? undefined : streamBytes(file, number, MAX_BYTES)
  read.bytes += data?.length ?? MAX_BYTES
  const shown = data === undefined ? UNKNOWN : shownOrUnknown(data)
  read.shown.set(number, shown)
  return shown
}

function shownOrUnknown(data: Uint8Array): Shown {
  try {
    return shownByContent(data)
  } catch (error) {
    if (error instanceof PdfSyntaxError) return UNKNOWN
    throw error
  }
}

/** The appearance of a field shows something else than its value: readers that draw fields anew differ from those that do not. */
export function showsAnother(file: PdfFile, field: PdfDictionary): boolean {
  const { text, isPicture } = shownBy(file, field)
  const value = withoutBlanks(textOf(file.resolve(inherited(file, field, 'V')).value))
  return isPicture || text !== value
}

/** Numbers of the text fields of a form that show their value only to readers that draw them anew (/NeedAppearances). */
export function drawnByReaders(file: PdfFile): number[] {
  return [...fieldsOf(file)].filter(number => {
    const field = file.dictionary({ kind: 'reference', number, generation: 0, start: 0, end: 0 })
    return field?.entries.has('Rect') === true && fieldKind(file, field) === 'Tx' && showsAnother(file, field)
  })
}
