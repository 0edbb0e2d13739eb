/** The value of a form field and the text that shows it. ISO 32000-2 §12.7.4, §12.7.5. */
import { memoizePerObject } from '../../lib/lru-cache.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import { makeReference, type PdfDictionary, type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { fieldName, fieldType, findFields, inherited } from './form-fields.ts'
import { nameOf } from './object-changes.ts'
import { fromPdfDoc } from './painted/glyph-names.ts'
import { withoutReferences } from './xmp.ts'

/** Field flags by position, tables 227 to 233. */
const bit = (position: number): number => 2 ** (position - 1)
const FLAGS = { password: bit(14), pushButton: bit(17), combo: bit(18), editable: bit(19), comb: bit(25) }

export function hasFlag(file: PdfFile, field: PdfDictionary, flag: keyof typeof FLAGS): boolean {
  const { value } = file.resolve(inherited(file, field, 'Ff'))
  return value.kind === 'number' && Math.floor(value.value / FLAGS[flag]) % 2 === 1
}

/** A text string with the characters of PDFDocEncoding; undefined for other values. */
function stringOf(file: PdfFile, raw: PdfValue | undefined): string | undefined {
  const { value } = file.resolve(raw)
  if (value.kind !== 'string') return undefined
  const isUnicode = (value.value[0] ?? 0) >= 0xef && value.value.length > 1
  return isUnicode ? textOf(value) : fromPdfDoc(textOf(value))
}

/** No value, or one that shows nothing. */
export function isEmpty(file: PdfFile, raw: PdfValue | undefined): boolean {
  const { value } = file.resolve(raw)
  if (value.kind === 'null') return true
  if (value.kind === 'string') return value.value.length === 0 || textOf(value) === ''
  if (value.kind === 'array') return value.items.length === 0
  return nameOf(value) === 'Off'
}

/** The object itself, if it is a widget, and its child widgets, by number. */
export function widgetsOf(file: PdfFile, number: number): readonly (readonly [number, PdfDictionary])[] {
  const own = file.dictionary(makeReference(number))
  if (own === undefined) return []
  const kids = file.items(own.entries.get('Kids')).flatMap(kid => {
    const widget = kid.kind === 'reference' ? file.dictionary(kid) : undefined
    return kid.kind === 'reference' && widget !== undefined ? [[kid.number, widget] as const] : []
  })
  return own.entries.has('Rect') ? [[number, own], ...kids] : kids
}

/** True if neither the field, one above it nor one of its widgets has a value. */
export function hasNoValue(file: PdfFile, number: number, field: PdfDictionary): boolean {
  return (
    isEmpty(file, inherited(file, field, 'V')) &&
    widgetsOf(file, number).every(([, { entries }]) => isEmpty(file, entries.get('V')))
  )
}

/** The names of the fields that have a value: readers show it in each field of the name. */
export const valuesByName = memoizePerObject((file: PdfFile): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const number of findFields(file)) {
    const field = file.dictionary(makeReference(number))
    if (field?.entries.has('V') && !isEmpty(file, field.entries.get('V'))) names.add(fieldName(file, field))
  }
  return names
})

/** Export value and display text of each option (table 234). */
function optionsOf(file: PdfFile, field: PdfDictionary): { exported: string; shown: string }[] {
  return file.items(inherited(file, field, 'Opt')).map(item => {
    const pair = file.items(item)
    const [exported = '', shown] = pair.length === 0 ? [stringOf(file, item)] : pair.map(one => stringOf(file, one))
    return { exported, shown: shown ?? exported }
  })
}

/** What a reader must see of a value. */
export interface ShownValue {
  /** The value as people read it. */
  text: string
  /** Whether the text that an appearance draws shows this value. */
  matches(drawn: string): boolean
}

/** Ligatures, forms of letters by their place, and signs with two codes. Not raised digits. */
const COMPATIBLE = /[\u00b5\u2026\ufb00-\ufdff\ufe70-\ufefc]/g

/** Without white space, and with one form for characters that look alike. */
const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(COMPATIBLE, one => one.normalize('NFKC'))
    .replace(/[‘’‚‛´`]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/[\s\p{Cc}\p{Cf}]/gu, '')

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u

/** In visual order: reversed, but for runs of digits and Latin letters. */
const reversed = (text: string): string =>
  [...text]
    .reverse()
    .join('')
    .replace(/[A-Za-z0-9.,:/'"-]+/g, run => [...run].reverse().join(''))

function matchesText(drawn: string, value: string): boolean {
  const [shown, wanted] = [plain(drawn), plain(value)]
  return shown === wanted || (RIGHT_TO_LEFT.test(wanted) && shown === reversed(wanted))
}

/** A list box shows its options from one on, whichever are chosen. */
function isPartOfOptions(drawn: string, options: readonly string[], chosen: readonly string[]): boolean {
  const shown = plain(drawn)
  const start = options.findIndex((_, i) => shown !== '' && options.slice(i).join('').startsWith(shown))
  return start !== -1 && chosen.every(one => shown.includes(one))
}

function choiceValue(file: PdfFile, field: PdfDictionary, value: PdfValue): ShownValue | undefined {
  const options = optionsOf(file, field)
  const items = value.kind === 'array' ? value.items : value.kind === 'null' ? [] : [value]
  const texts = items.map(item => {
    const exported = stringOf(file, item)
    const option = options.find(one => one.exported === exported)
    return option?.shown ?? (hasFlag(file, field, 'editable') ? exported : undefined)
  })
  const known = texts.filter(text => text !== undefined)
  if (known.length < texts.length || !hasRightIndexes(file, field, options, items)) return undefined
  const text = known.join(', ')
  if (hasFlag(file, field, 'combo')) return { text, matches: drawn => matchesText(drawn, known.join('')) }
  const all = options.map(({ shown }) => plain(shown))
  return { text, matches: drawn => isPartOfOptions(drawn, all, known.map(plain)) }
}

/** Table 234: /I names the options that /V names. */
function hasRightIndexes(
  file: PdfFile,
  field: PdfDictionary,
  options: readonly { exported: string }[],
  items: readonly PdfValue[],
): boolean {
  const indexes = inherited(file, field, 'I')
  if (indexes === undefined) return true
  const named = file.items(indexes).map(item => {
    const { value } = file.resolve(item)
    return value.kind === 'number' ? options[value.value]?.exported : undefined
  })
  const chosen = items.map(item => stringOf(file, item))
  return named.length === chosen.length && named.every(one => one !== undefined && chosen.includes(one))
}

/** Undefined if it is not known what readers show of the value. */
export function shownValue(file: PdfFile, field: PdfDictionary): ShownValue | undefined {
  const { value } = file.resolve(inherited(file, field, 'V'))
  switch (fieldType(file, field)) {
    case 'Btn':
      return value.kind === 'name' ? { text: value.value, matches: () => false } : undefined
    case 'Ch':
      return choiceValue(file, field, value)
    case 'Tx': {
      const text = value.kind === 'null' ? '' : stringOf(file, value)
      if (text === undefined) return undefined
      if (hasFlag(file, field, 'password')) return { text: '•'.repeat(text.length), matches: drawn => /^[*•●\s]*$/u.test(drawn) }
      return { text, matches: drawn => matchesText(drawn, text) }
    }
    default:
      return undefined
  }
}

/** §12.7.4.4: the text of a rich text value, without its mark-up. */
export function isRichTextOf(file: PdfFile, raw: PdfValue | undefined, text: string): boolean {
  const rich = stringOf(file, raw)
  if (rich === undefined) return false
  const words = withoutReferences(rich.replace(/<[^<>]*>/g, ''))
  return matchesText(words, text)
}
