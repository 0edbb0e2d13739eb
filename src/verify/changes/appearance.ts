/** Reads text and images, not lines, of field appearances. ISO 32000-2 §12.5.5, §12.7.4.3. */
import { memoizePerObject } from '../../lib/memoize-per-object.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import {
  type Cursor,
  makeReference,
  type PdfDictionary,
  PdfSyntaxError,
  type PdfValue,
  readValue,
  skipSpace,
  textOf,
} from '../../pdf/parser/syntax.ts'
import { fieldType, findFields, inherited } from './form-fields.ts'
import { nameOf, streamBytes } from './object-changes.ts'

const MAX_BYTES = 256 * 1024
/** For all appearances of a revision. */
const MAX_ALL_BYTES = 16 * 1024 * 1024
/** §8.8, §8.7.4.2, §8.9.7: an XObject, a shading, an image. */
const IMAGE_OPERATORS = new Set(['Do', 'sh', 'BI'])

export interface ShownContent {
  /** Without white space, decoded as Latin-1. */
  text: string
  /** The appearance draws something else, or cannot be read. */
  hasImage: boolean
}

const NOTHING: ShownContent = { text: '', hasImage: false }
const UNKNOWN: ShownContent = { text: '', hasImage: true }
const removeSpace = (text: string): string => text.replace(/[\s\p{Cc}]/gu, '')

/** A string or an operator; undefined for other tokens. @throws PdfSyntaxError */
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

function readShownContent(bytes: Uint8Array): ShownContent {
  const cursor: Cursor = { bytes, at: 0 }
  const shown = { ...NOTHING }
  try {
    for (skipSpace(cursor); cursor.at < bytes.length; skipSpace(cursor)) {
      const token = nextToken(cursor)
      if (typeof token === 'string') shown.hasImage ||= IMAGE_OPERATORS.has(token)
      else if (token?.kind === 'string') shown.text += Buffer.from(token.value).toString('latin1')
    }
  } catch (error) {
    if (error instanceof PdfSyntaxError) return UNKNOWN
    throw error
  }
  return { ...shown, text: removeSpace(shown.text) }
}

/** §12.5.5: the normal appearance, for the widget's state if it has several. */
function findAppearance(file: PdfFile, widget: PdfDictionary): number | undefined {
  const normal = file.dictionary(widget.entries.get('AP'))?.entries.get('N')
  const state = nameOf(file.resolve(widget.entries.get('AS')).value)
  const value = file.dictionary(normal)?.entries.get(state) ?? normal
  return value?.kind === 'reference' ? value.number : undefined
}

/** The appearances of a revision that were read, and their size in bytes. */
const readAppearances = memoizePerObject((_file: PdfFile) => ({ shown: new Map<number, ShownContent>(), bytes: 0 }))

/** What the appearance of a widget shows. */
export function shownBy(file: PdfFile, widget: PdfDictionary): ShownContent {
  const number = findAppearance(file, widget)
  if (number === undefined) return NOTHING
  const read = readAppearances(file)
  const known = read.shown.get(number)
  if (known !== undefined) return known
  const data = read.bytes > MAX_ALL_BYTES ? undefined : streamBytes(file, number, MAX_BYTES)
  read.bytes += data?.length ?? MAX_BYTES
  const shown = data === undefined ? UNKNOWN : readShownContent(data)
  read.shown.set(number, shown)
  return shown
}

/** If true, PDF readers that redraw fields show different content from others. */
export function differsFromValue(file: PdfFile, field: PdfDictionary): boolean {
  const { text, hasImage } = shownBy(file, field)
  return hasImage || text !== removeSpace(textOf(file.resolve(inherited(file, field, 'V')).value))
}

/** Finds text fields whose value only PDF readers that redraw them show (/NeedAppearances). */
export function findRedrawnFields(file: PdfFile): number[] {
  return [...findFields(file)].filter(number => {
    const field = file.dictionary(makeReference(number))
    return field?.entries.has('Rect') === true && fieldType(file, field) === 'Tx' && differsFromValue(file, field)
  })
}
