/**
 * Parses PDF objects strictly (ISO 32000-2 §7.2, §7.3): follows no reference, repairs nothing. A
 * PDF library hides what a verifier needs: byte offsets, the spelling of strings and duplicate
 * keys.
 */
import { equalBytes, toLatin1 } from '../../lib/bytes.ts'
import { RemarkError, remark } from '../../locales/remarks.ts'

/** The bytes are not a valid PDF. The remark is a clause that completes "because …". */
export class PdfSyntaxError extends RemarkError {
  override name = 'PdfSyntaxError'
}

interface Span {
  start: number
  end: number
}

export type PdfValue = Span &
  (
    | { kind: 'null' }
    | { kind: 'boolean'; value: boolean }
    | { kind: 'number'; value: number; integer: boolean }
    | { kind: 'name'; value: string }
    | { kind: 'string'; value: Uint8Array; hex: boolean }
    | { kind: 'reference'; number: number; generation: number }
    | { kind: 'array'; items: readonly PdfValue[] }
    | PdfDictionary
  )

export interface PdfDictionary extends Span {
  kind: 'dictionary'
  entries: ReadonlyMap<string, PdfValue>
  /** Keys with several different values. `entries` has the first. */
  duplicateKeys: readonly string[]
}

/** A reference that is in no file, to resolve an object by its number. */
export const makeReference = (number: number, generation = 0): PdfValue => ({
  kind: 'reference',
  number,
  generation,
  start: 0,
  end: 0,
})

const MAX_NESTING = 100

const WHITE = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20])
const DELIMITERS = new Set([...'()<>[]{}/%'].map(c => c.charCodeAt(0)))
const isRegular = (octet: number | undefined): boolean => octet !== undefined && !WHITE.has(octet) && !DELIMITERS.has(octet)
const isDigit = (octet: number | undefined): boolean => octet !== undefined && octet >= 0x30 && octet <= 0x39

export const EMPTY_DICTIONARY: PdfDictionary = { kind: 'dictionary', entries: new Map(), duplicateKeys: [], start: 0, end: 0 }

/** As readers accept it: also a vertical tab. */
export const isWhiteSpace = (octet = -1): boolean => octet === 0x20 || (octet >= 0x09 && octet <= 0x0d) || octet === 0

export interface Cursor {
  bytes: Uint8Array
  at: number
}

/** §7.2.3, §7.2.4. */
export function skipSpace(cursor: Cursor): void {
  const { bytes } = cursor
  for (;;) {
    const octet = bytes[cursor.at]
    if (octet === undefined) return
    if (octet === 0x25) {
      while (cursor.at < bytes.length && bytes[cursor.at] !== 0x0a && bytes[cursor.at] !== 0x0d) cursor.at++
    } else if (WHITE.has(octet)) cursor.at++
    else return
  }
}

/** Skips white space and the keyword, if it is the next whole token. */
export function takeKeyword(cursor: Cursor, word: string): boolean {
  skipSpace(cursor)
  for (let i = 0; i < word.length; i++) if (cursor.bytes[cursor.at + i] !== word.charCodeAt(i)) return false
  if (isRegular(cursor.bytes[cursor.at + word.length])) return false
  cursor.at += word.length
  return true
}

/** Consumes an unsigned integer token, or returns undefined and moves nothing. */
export function takeInteger(cursor: Cursor): number | undefined {
  const before = cursor.at
  skipSpace(cursor)
  const start = cursor.at
  let value = 0
  while (isDigit(cursor.bytes[cursor.at])) {
    value = value * 10 + (cursor.bytes[cursor.at] ?? 0) - 0x30
    cursor.at++
  }
  if (cursor.at > start && cursor.at - start <= 15 && !isRegular(cursor.bytes[cursor.at])) return value
  cursor.at = before
  return undefined
}

function readNumberOrReference(cursor: Cursor): PdfValue {
  const start = cursor.at
  const number = takeInteger(cursor)
  if (number !== undefined) {
    const end = cursor.at
    const generation = takeInteger(cursor)
    if (generation !== undefined && takeKeyword(cursor, 'R'))
      return { kind: 'reference', number, generation, start, end: cursor.at }
    cursor.at = end
    return { kind: 'number', value: number, integer: true, start, end }
  }
  while (isRegular(cursor.bytes[cursor.at])) cursor.at++
  const text = toLatin1(cursor.bytes, start, cursor.at)
  if (!/^[+-]*\d*\.?\d*(-\d*)?$/.test(text) || !/\d/.test(text))
    throw new PdfSyntaxError(remark('not_an_object_text', { text: toPrintable(text) }))
  const value = Number.parseFloat(text.replace(/^[+-]*-/, '-').replace(/^\++/, ''))
  return { kind: 'number', value, integer: /^[+-]?\d+$/.test(text), start, end: cursor.at }
}

function toPrintable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 40)
}

const hexValue = (octet: number | undefined): number => {
  if (octet === undefined) return -1
  if (isDigit(octet)) return octet - 0x30
  const lower = octet | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/** §7.3.5: `#xx` encodes an octet, so two spellings of a key are the same key. */
function readName(cursor: Cursor): string {
  let name = ''
  cursor.at++
  while (isRegular(cursor.bytes[cursor.at])) {
    const octet = cursor.bytes[cursor.at] ?? 0
    const high = hexValue(cursor.bytes[cursor.at + 1])
    const low = hexValue(cursor.bytes[cursor.at + 2])
    const escaped = octet === 0x23 && high >= 0 && low >= 0
    name += String.fromCharCode(escaped ? high * 16 + low : octet)
    cursor.at += escaped ? 3 : 1
  }
  return name
}

/** §7.3.4.3: an odd last digit is followed by an implied zero. */
function readHexString(cursor: Cursor): Uint8Array {
  const { bytes } = cursor
  const end = bytes.indexOf(0x3e, cursor.at)
  if (end === -1) throw new PdfSyntaxError(remark('hex_string_endless'))
  const out = new Uint8Array(Math.ceil((end - cursor.at) / 2))
  let count = 0
  for (let at = cursor.at + 1; at < end; at++) {
    const octet = bytes[at] ?? 0
    if (WHITE.has(octet)) continue
    const value = hexValue(octet)
    if (value < 0) throw new PdfSyntaxError(remark('hex_string_invalid'))
    out[count >> 1] = (out[count >> 1] ?? 0) | (count % 2 === 0 ? value << 4 : value)
    count++
  }
  cursor.at = end + 1
  return out.subarray(0, Math.ceil(count / 2))
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 }

/** §7.3.4.2, table 3. Undefined for an escaped end of line. */
function readEscape(cursor: Cursor): number | undefined {
  const { bytes } = cursor
  const octet = bytes[cursor.at++] ?? 0
  if (octet === 0x0d && bytes[cursor.at] === 0x0a) cursor.at++
  if (octet === 0x0d || octet === 0x0a) return undefined
  if (octet < 0x30 || octet > 0x37) return ESCAPES[String.fromCharCode(octet)] ?? octet
  let value = octet - 0x30
  for (let i = 0; i < 2; i++) {
    const next = bytes[cursor.at] ?? 0
    if (next < 0x30 || next > 0x37) break
    value = value * 8 + next - 0x30
    cursor.at++
  }
  return value & 0xff
}

/** §7.3.4.2: balanced parentheses inside the string need no escape. */
function readLiteralString(cursor: Cursor): Uint8Array {
  const { bytes } = cursor
  const out: number[] = []
  let depth = 1
  cursor.at++
  for (;;) {
    const octet = bytes[cursor.at++]
    switch (octet) {
      case undefined:
        throw new PdfSyntaxError(remark('string_endless'))
      case 0x5c: {
        const escaped = readEscape(cursor)
        if (escaped !== undefined) out.push(escaped)
        continue
      }
      case 0x28:
        depth++
        break
      case 0x29:
        if (--depth === 0) return Uint8Array.from(out)
        break
    }
    out.push(octet)
  }
}

function readArray(cursor: Cursor, depth: number): readonly PdfValue[] {
  const items: PdfValue[] = []
  cursor.at++
  for (;;) {
    skipSpace(cursor)
    if (cursor.bytes[cursor.at] === 0x5d) break
    items.push(readValue(cursor, depth + 1))
  }
  cursor.at++
  return items
}

/** A key repeated with the same value has one meaning for every reader. */
function sameBytes(bytes: Uint8Array, a: Span, b: Span): boolean {
  return equalBytes(bytes.subarray(a.start, a.end), bytes.subarray(b.start, b.end))
}

function readDictionary(cursor: Cursor, depth: number): PdfDictionary {
  const start = cursor.at
  const entries = new Map<string, PdfValue>()
  const duplicateKeys: string[] = []
  cursor.at += 2
  for (;;) {
    skipSpace(cursor)
    const octet = cursor.bytes[cursor.at]
    if (octet === 0x3e && cursor.bytes[cursor.at + 1] === 0x3e) break
    if (octet !== 0x2f) throw new PdfSyntaxError(remark('dictionary_key_not_a_name'))
    const key = readName(cursor)
    const value = readValue(cursor, depth + 1)
    const first = entries.get(key)
    if (first === undefined) entries.set(key, value)
    else if (!sameBytes(cursor.bytes, first, value)) duplicateKeys.push(key)
  }
  cursor.at += 2
  return { kind: 'dictionary', entries, duplicateKeys, start, end: cursor.at }
}

/** Parses the object at the cursor and moves the cursor past it. @throws PdfSyntaxError */
export function readValue(cursor: Cursor, depth = 0): PdfValue {
  if (depth > MAX_NESTING) throw new PdfSyntaxError(remark('objects_too_deep', { max: MAX_NESTING }))
  skipSpace(cursor)
  const start = cursor.at
  const octet = cursor.bytes[start]
  if (octet === undefined) throw new PdfSyntaxError(remark('object_cut_off'))
  if (octet === 0x2f) return { kind: 'name', value: readName(cursor), start, end: cursor.at }
  if (octet === 0x28) return { kind: 'string', value: readLiteralString(cursor), hex: false, start, end: cursor.at }
  if (octet === 0x5b) return { kind: 'array', items: readArray(cursor, depth), start, end: cursor.at }
  if (octet === 0x3c) {
    if (cursor.bytes[start + 1] === 0x3c) return readDictionary(cursor, depth)
    return { kind: 'string', value: readHexString(cursor), hex: true, start, end: cursor.at }
  }
  if (takeKeyword(cursor, 'true')) return { kind: 'boolean', value: true, start, end: cursor.at }
  if (takeKeyword(cursor, 'false')) return { kind: 'boolean', value: false, start, end: cursor.at }
  if (takeKeyword(cursor, 'null')) return { kind: 'null', start, end: cursor.at }
  return readNumberOrReference(cursor)
}

/** Parses `number generation obj` at an offset. @throws PdfSyntaxError for another object */
export function readIndirect(
  bytes: Uint8Array,
  offset: number,
  number: number,
  generation: number,
): { value: PdfValue; cursor: Cursor } {
  const cursor: Cursor = { bytes, at: offset }
  if (takeInteger(cursor) !== number || takeInteger(cursor) !== generation || !takeKeyword(cursor, 'obj')) {
    throw new PdfSyntaxError(remark('object_misplaced', { number }))
  }
  return { value: readValue(cursor), cursor }
}

/** §7.9.2.2: UTF-16BE or UTF-8 with byte order mark, else Latin-1 for PDFDocEncoding. */
export function textOf(value: PdfValue | undefined): string {
  if (value?.kind !== 'string') return ''
  const { value: bytes } = value
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder('utf-8').decode(bytes)
  return toLatin1(bytes)
}
