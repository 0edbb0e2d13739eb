/**
 * Reads JSON text (RFC 8259) as it arrives, streams the strings that are files and buffers the
 * rest. Refuses duplicate members and deep nesting, which `JSON.parse` accepts.
 */
import { isUtf8 } from 'node:buffer'
import { errorsIn, Refusal, refuseIfInvalid } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'

const MAX_DEPTH = 32
/** Objects, arrays and names: nearly twice the largest document. Bounds the validation. */
const MAX_PARTS = 30_000
const FIRST_CAPACITY = 4096

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = Buffer.from('"\\:,{}[]')
const LETTER_U = 0x75
/** Far enough below 0 that four hexadecimal digits with one of it stay below 0. */
const INVALID = -1_000_000
const tableOf = (pairs: [string, number][]) => {
  const table: number[] = Array(128).fill(INVALID)
  for (const [character, value] of pairs) table[character.charCodeAt(0)] = value
  return table
}
/** The character code of a two-character escape, by the code of its second character. */
const ESCAPED = tableOf(Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9, '"': 0x22, '\\': 0x5c, '/': 0x2f }))
/** The value of a hexadecimal digit, by its character code. */
const DIGITS = tableOf([...'0123456789abcdefABCDEF'].map(digit => [digit, Number.parseInt(digit, 16)]))

const malformed = (says = violation('json_malformed')) => new Refusal('malformed_json', says)

/** An object or array whose end has not arrived. */
interface Container {
  /** Member names so far; `undefined` for an array. */
  names: Set<string> | undefined
  isNameNext: boolean
  /** Of an object: the newest. */
  lastName: string | undefined
}

export interface StreamedMember {
  name: string
  /** A member of the top object: an array whose objects have the streamed member too. */
  list?: string
  /**
   * Begins a string. Returns what receives each part of it, escapes resolved; a non-ASCII character
   * is one byte 0xff. The bytes are valid only during the call.
   */
  open(isInList: boolean): (part: Uint8Array) => void
}

export class JsonScanner {
  /** The buffered text, with an empty string in place of each streamed one. */
  #text = Buffer.allocUnsafe(FIRST_CAPACITY)
  #length = 0
  #scanned = 0
  #open: Container[] = []
  #parts = 0
  #stringStart = -1
  #isAfterBackslash = false
  #hasEscape = false
  #lastName: string | undefined
  #isStreamedNext = false
  #stream: StringStream | undefined

  constructor(
    readonly maxKeptBytes: number,
    readonly streamed?: StreamedMember,
    readonly maxParts = MAX_PARTS,
  ) {}

  get keptBytes(): number {
    return this.#length
  }

  /** Throws `malformed_json`, `payload_too_large` or, for too many parts, `validation_failed`. */
  add(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0; )
      rest = this.#stream?.isOpen ? this.#streamString(this.#stream, rest) : this.#buffer(rest)
  }

  /** The value of the whole text. Throws `malformed_json`. */
  end(): unknown {
    const text = this.#text.subarray(0, this.#length)
    if (!isUtf8(text)) throw malformed()
    try {
      return JSON.parse(text.toString('utf8'))
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw malformed()
    }
  }

  /** Passes bytes to the streamed string. Returns the bytes after it. */
  #streamString(stream: StringStream, bytes: Uint8Array): Uint8Array {
    const consumed = stream.add(bytes)
    if (stream.isOpen) return bytes.subarray(consumed)
    this.#append(Buffer.from('"'))
    this.#scanned = this.#length
    return bytes.subarray(consumed)
  }

  /** Buffers up to the opening quote of the streamed string. Returns the bytes after it. */
  #buffer(bytes: Uint8Array): Uint8Array {
    this.#append(bytes)
    const end = this.#scan()
    const left = this.#length - end
    this.#length = end
    this.#scanned = end
    if (this.#length > this.maxKeptBytes) {
      const params = { bytes: this.maxKeptBytes }
      const says = this.streamed
        ? violation('json_too_large_beside', { member: this.streamed.name, ...params })
        : violation('json_too_large', params)
      throw new Refusal('payload_too_large', says)
    }
    return bytes.subarray(bytes.length - left)
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length
    if (needed > this.#text.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#text.length))
      this.#text.copy(larger, 0, 0, this.#length)
      this.#text = larger
    }
    this.#text.set(bytes, this.#length)
    this.#length = needed
  }

  /**
   * Follows the structure; the parser checks the grammar at the end. Returns the offset after the
   * last scanned byte: the end, or the opening quote of the streamed string.
   */
  #scan(): number {
    for (let i = this.#scanned; i < this.#length; i++) {
      const byte = this.#text[i] ?? 0
      if (this.#stringStart >= 0) this.#scanInString(byte, i)
      else if (byte > 0x20 && this.#scanOutsideString(byte, i)) return i + 1
    }
    return this.#length
  }

  #scanInString(byte: number, at: number): void {
    if (this.#isAfterBackslash) this.#isAfterBackslash = false
    else if (byte === BACKSLASH) this.#isAfterBackslash = this.#hasEscape = true
    else if (byte === QUOTE) this.#endString(at)
  }

  /** Takes one byte that is not white space. Returns whether it opens the streamed string. */
  #scanOutsideString(byte: number, at: number): boolean {
    const top = this.#open.at(-1)
    const isStreamed = this.#isStreamedNext && byte === QUOTE
    this.#isStreamedNext = false
    if (isStreamed && this.streamed) {
      this.#stream = new StringStream(this.streamed.open(this.#open.length > 1))
      return true
    }
    if (byte === QUOTE) {
      this.#stringStart = at + 1
      this.#hasEscape = false
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#openContainer(byte === OPEN_OBJECT)
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#open.pop()
    else if (byte === COMMA && top) top.isNameNext = true
    else if (byte === COLON) this.#isStreamedNext = this.#lastName === this.streamed?.name && this.#isStreamedPlace()
    return false
  }

  /** In the top object, or in an object of the list of the top object. */
  #isStreamedPlace(): boolean {
    const [top, list] = this.#open
    if (this.#open.length === 1) return true
    const isListed = list !== undefined && list.names === undefined && top?.lastName === this.streamed?.list
    return this.#open.length === 3 && isListed && this.streamed?.list !== undefined
  }

  #countPart(): void {
    this.#parts++
    const max = this.maxParts
    if (this.#parts > max) refuseIfInvalid(errorsIn([['body', violation('too_many_parts', { max })]]))
  }

  #openContainer(isObject: boolean): void {
    this.#countPart()
    this.#open.push({ names: isObject ? new Set() : undefined, isNameNext: true, lastName: undefined })
    this.#lastName = undefined
    if (this.#open.length > MAX_DEPTH) throw malformed(violation('json_too_deep', { levels: MAX_DEPTH }))
  }

  /** RFC 8259 §4 leaves the meaning of duplicate names open, and parsers disagree. */
  #endString(end: number): void {
    const top = this.#open.at(-1)
    const start = this.#stringStart
    this.#stringStart = -1
    this.#lastName = undefined
    if (!top?.names || !top.isNameNext) return
    top.isNameNext = false
    this.#countPart()
    const name = this.#nameBetween(start, end)
    if (top.names.has(name)) throw malformed(violation('json_duplicate_member', { name: JSON.stringify(name.slice(0, 100)) }))
    top.names.add(name)
    this.#lastName = name
    top.lastName = name
  }

  #nameBetween(start: number, end: number): string {
    const written = this.#text.toString('utf8', start, end)
    if (!this.#hasEscape) return written
    try {
      return JSON.parse(`"${written}"`)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw malformed()
    }
  }
}

/** A JSON string after its opening quote, passed on in parts and never buffered as a whole. */
class StringStream {
  isOpen = true
  /** The start of an escape whose end has not arrived. */
  #partialEscape = ''
  #utf8: TextDecoder | undefined

  constructor(readonly take: (part: Uint8Array) => void) {}

  /** Returns how many of the bytes belong to the string, with its closing quote. */
  add(part: Uint8Array): number {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.length)
    const quote = bytes.indexOf('"')
    const plain = quote < 0 ? bytes : bytes.subarray(0, quote)
    // Files nearly always have neither escapes nor UTF-8: then the bytes are passed on as they are.
    if (this.#partialEscape !== '' || this.#utf8 || plain.includes('\\') || !isPrintableAscii(plain))
      return this.#addEscaped(bytes)
    this.isOpen = quote < 0
    this.take(plain)
    return quote < 0 ? bytes.length : quote + 1
  }

  #addEscaped(bytes: Buffer): number {
    const arrived = this.#partialEscape + bytes.toString('latin1')
    const quote = closingQuote(arrived)
    const before = this.#partialEscape.length
    const end = quote < 0 ? lengthOfWholeEscapes(arrived) : quote
    this.#partialEscape = quote < 0 ? arrived.slice(end) : ''
    this.#passOn(arrived.slice(0, end))
    if (quote < 0) return bytes.length
    this.isOpen = false
    this.#requireUtf8('', false)
    return quote + 1 - before
  }

  #passOn(written: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 forbids them in a string
    if (/[\x00-\x1f]/.test(written)) throw malformed()
    this.#requireUtf8(written, true)
    this.take(resolveEscapes(written))
  }

  #requireUtf8(written: string, hasMore: boolean): void {
    if (!this.#utf8 && !/[\x80-\xff]/.test(written)) return
    this.#utf8 ??= new TextDecoder('utf-8', { fatal: true })
    try {
      this.#utf8.decode(Buffer.from(written, 'latin1'), { stream: hasMore })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw malformed()
    }
  }
}

/** Whether all bytes are ASCII and not control characters. Tests four aligned bytes at a time. */
function isPrintableAscii(bytes: Buffer): boolean {
  const before = (4 - (bytes.byteOffset % 4)) % 4
  const count = bytes.length < before + 4 ? 0 : (bytes.length - before) >> 2
  const first = count === 0 ? bytes.length : before
  const words = count === 0 ? NO_WORDS : new Int32Array(bytes.buffer, bytes.byteOffset + before, count)
  let outside = 0
  for (let i = 0; i < count; i++) {
    const word = words[i] ?? 0
    outside |= word | ((word - 0x20202020) & ~word)
  }
  for (let i = 0; i < first; i++) if (isOutsideAscii(bytes[i] ?? 0)) return false
  for (let i = first + 4 * count; i < bytes.length; i++) if (isOutsideAscii(bytes[i] ?? 0)) return false
  return (outside & 0x80808080) === 0
}

const NO_WORDS = new Int32Array()
const isOutsideAscii = (byte: number) => byte < 0x20 || byte > 0x7f

/** The number of backslashes directly before an offset. */
function backslashesBefore(text: string, at: number): number {
  let count = 0
  while (text[at - 1 - count] === '\\') count++
  return count
}

/** The offset of the first quote that is not escaped, or -1. */
function closingQuote(text: string): number {
  let at = text.indexOf('"')
  while (at >= 0 && backslashesBefore(text, at) % 2 === 1) at = text.indexOf('"', at + 1)
  return at
}

/** The length of a text without an escape that is cut off at its end. */
function lengthOfWholeEscapes(text: string): number {
  const at = text.lastIndexOf('\\')
  if (at < text.length - 5 || backslashesBefore(text, at + 1) % 2 === 0) return text.length
  const needed = text[at + 1] === 'u' ? 6 : 2
  return text.length - at < needed ? at : text.length
}

/** Resolves escapes (RFC 8259 §7) in one pass; a non-ASCII character becomes a byte 0xff. */
function resolveEscapes(written: string): Uint8Array {
  const bytes = new Uint8Array(written.length)
  let length = 0
  for (let i = 0; i < written.length; i++) {
    let code = written.charCodeAt(i)
    if (code === BACKSLASH) {
      const letter = written.charCodeAt(++i)
      code = letter === LETTER_U ? parseHexadecimal(written, i + 1) : (ESCAPED[letter] ?? INVALID)
      if (code < 0) throw malformed()
      if (letter === LETTER_U) i += 4
    }
    bytes[length++] = code > 0x7f ? 0xff : code
  }
  return bytes.subarray(0, length)
}

/** The value of four hexadecimal digits; below 0 if one of them is no digit. */
function parseHexadecimal(text: string, at: number): number {
  let value = 0
  for (let i = at; i < at + 4; i++) value = value * 16 + (DIGITS[text.charCodeAt(i)] ?? INVALID)
  return value
}
