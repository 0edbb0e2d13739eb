/**
 * Reads JSON text (RFC 8259) as it arrives. The string of one member of the top object, a file, is handed on in parts; all else is kept and bounded.
 * Refuses duplicate members and deep nesting, which `JSON.parse` takes.
 */
import { isUtf8 } from 'node:buffer'
import { Refusal, refuseIfInvalid } from '../core/refusal.ts'

const MAX_DEPTH = 32
/** Objects, arrays and names in all: nearly twice what the largest document needs. More would cost time to judge, whatever the bytes. */
const MAX_PARTS = 30_000
const FIRST_CAPACITY = 4096

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = Buffer.from('"\\:,{}[]')
const LETTER_U = 0x75
const codesOf = (pairs: [string, number][]) => {
  const codes: number[] = Array(128).fill(-1_000_000)
  for (const [sign, code] of pairs) codes[sign.charCodeAt(0)] = code
  return codes
}
/** By character code: what an escape of one sign stands for, and what a hexadecimal digit is worth. Far below 0: nothing. */
const ESCAPED = codesOf(Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9, '"': 0x22, '\\': 0x5c, '/': 0x2f }))
const DIGITS = codesOf([...'0123456789abcdefABCDEF'].map(digit => [digit, Number.parseInt(digit, 16)]))

const malformed = (why = 'is not valid JSON in UTF-8') => new Refusal('malformed_json', `The request body ${why}.`)

/** An object or array that is open. */
interface Frame {
  /** Names seen; `undefined` for an array. */
  names: Set<string> | undefined
  isNameNext: boolean
}

export interface StreamedMember {
  name: string
  /** Called with the bytes of each part of the string, escapes resolved. What no ASCII character is comes as 0xff. Use them at once. */
  take(part: Uint8Array): void
}

export class JsonScanner {
  /** What is kept: the text, with an empty string for the streamed one. */
  #text = Buffer.allocUnsafe(FIRST_CAPACITY)
  #length = 0
  #scanned = 0
  #frames: Frame[] = []
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
  ) {}

  /** Whether the streamed member was there, and its value a string. */
  get hasStreamed(): boolean {
    return this.#stream !== undefined
  }

  get keptBytes(): number {
    return this.#length
  }

  /** Throws `malformed_json`, `payload_too_large` when more must be kept than the bound, or `validation_failed` when it has too many parts. */
  add(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0; ) rest = this.#stream?.isOpen ? this.#pass(this.#stream, rest) : this.#keep(rest)
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

  /** Hands the streamed string on. Returns what follows it. */
  #pass(stream: StringStream, bytes: Uint8Array): Uint8Array {
    const consumed = stream.add(bytes)
    if (stream.isOpen) return bytes.subarray(consumed)
    this.#append(Buffer.from('"'))
    this.#scanned = this.#length
    return bytes.subarray(consumed)
  }

  /** Keeps up to the opening quote of the streamed string. Returns what follows it. */
  #keep(bytes: Uint8Array): Uint8Array {
    this.#append(bytes)
    const end = this.#scan()
    const left = this.#length - end
    this.#length = end
    this.#scanned = end
    if (this.#length > this.maxKeptBytes) {
      const what = this.streamed ? `without its member ${this.streamed.name} ` : ''
      throw new Refusal('payload_too_large', `The request body ${what}is larger than the ${this.maxKeptBytes} bytes accepted.`)
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

  /** Follows the structure; whether all of it is JSON is left to the parser. Returns where it stopped: behind the text, or behind an opening quote. */
  #scan(): number {
    for (let i = this.#scanned; i < this.#length; i++) {
      const byte = this.#text[i] ?? 0
      if (this.#stringStart >= 0) {
        if (this.#isAfterBackslash) this.#isAfterBackslash = false
        else if (byte === BACKSLASH) this.#isAfterBackslash = this.#hasEscape = true
        else if (byte === QUOTE) this.#endString(i)
      } else if (byte > 0x20 && this.#step(byte, i)) return i + 1
    }
    return this.#length
  }

  /** One byte outside a string that is no white space. Returns whether the streamed string begins behind it. */
  #step(byte: number, at: number): boolean {
    const top = this.#frames.at(-1)
    const isStreamed = this.#isStreamedNext && byte === QUOTE
    this.#isStreamedNext = false
    if (isStreamed && this.streamed && !this.#stream) {
      this.#stream = new StringStream(this.streamed.take)
      return true
    }
    if (byte === QUOTE) {
      this.#stringStart = at + 1
      this.#hasEscape = false
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open(byte === OPEN_OBJECT)
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#frames.pop()
    else if (byte === COMMA && top) top.isNameNext = true
    else if (byte === COLON) this.#isStreamedNext = this.#frames.length === 1 && this.#lastName === this.streamed?.name
    return false
  }

  #count(): void {
    this.#parts++
    const message = `must hold at most ${MAX_PARTS} objects, arrays and members in all`
    if (this.#parts > MAX_PARTS) refuseIfInvalid([{ path: 'body', message }])
  }

  #open(isObject: boolean): void {
    this.#count()
    this.#frames.push({ names: isObject ? new Set() : undefined, isNameNext: true })
    this.#lastName = undefined
    if (this.#frames.length > MAX_DEPTH) throw malformed(`is nested deeper than ${MAX_DEPTH} levels`)
  }

  /** RFC 8259 §4: what a name given twice means is not defined, and programs disagree. */
  #endString(end: number): void {
    const top = this.#frames.at(-1)
    const start = this.#stringStart
    this.#stringStart = -1
    this.#lastName = undefined
    if (!top?.names || !top.isNameNext) return
    top.isNameNext = false
    this.#count()
    const name = this.#nameOf(start, end)
    if (top.names.has(name)) throw malformed(`has an object that holds a member twice: ${JSON.stringify(name.slice(0, 100))}`)
    top.names.add(name)
    this.#lastName = name
  }

  #nameOf(start: number, end: number): string {
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

/** A string of JSON from behind its opening quote, which is nowhere held as a whole. */
class StringStream {
  isOpen = true
  /** An escape whose end has not arrived. */
  #begun = ''
  #utf8: TextDecoder | undefined

  constructor(readonly take: (part: Uint8Array) => void) {}

  /** Returns how many bytes belong to the string, its closing quote included. */
  add(part: Uint8Array): number {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.length)
    const quote = bytes.indexOf('"')
    const plain = quote < 0 ? bytes : bytes.subarray(0, quote)
    // A file is nearly always written so: then nothing is made of it but its bytes.
    if (this.#begun !== '' || this.#utf8 || plain.includes('\\') || !isPlain(plain)) return this.#addWritten(bytes)
    this.isOpen = quote < 0
    this.take(plain)
    return quote < 0 ? bytes.length : quote + 1
  }

  #addWritten(bytes: Buffer): number {
    const arrived = this.#begun + bytes.toString('latin1')
    const quote = closingQuote(arrived)
    const before = this.#begun.length
    const end = quote < 0 ? wholeEscapes(arrived) : quote
    this.#begun = quote < 0 ? arrived.slice(end) : ''
    this.#hand(arrived.slice(0, end))
    if (quote < 0) return bytes.length
    this.isOpen = false
    this.#demandUtf8('', false)
    return quote + 1 - before
  }

  #hand(written: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 forbids them in a string
    if (/[\x00-\x1f]/.test(written)) throw malformed()
    this.#demandUtf8(written, true)
    this.take(resolved(written))
  }

  #demandUtf8(written: string, isMoreToCome: boolean): void {
    if (!this.#utf8 && !/[\x80-\xff]/.test(written)) return
    this.#utf8 ??= new TextDecoder('utf-8', { fatal: true })
    try {
      this.#utf8.decode(Buffer.from(written, 'latin1'), { stream: isMoreToCome })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw malformed()
    }
  }
}

/** Whether all bytes are ASCII and no control characters: four at a time, where they lie so. */
function isPlain(bytes: Buffer): boolean {
  const before = (4 - (bytes.byteOffset % 4)) % 4
  const count = bytes.length < before + 4 ? 0 : (bytes.length - before) >> 2
  const first = count === 0 ? bytes.length : before
  const words = count === 0 ? NO_WORDS : new Int32Array(bytes.buffer, bytes.byteOffset + before, count)
  let odd = 0
  for (let i = 0; i < count; i++) {
    const word = words[i] ?? 0
    odd |= word | ((word - 0x20202020) & ~word)
  }
  for (let i = 0; i < first; i++) if (isOdd(bytes[i] ?? 0)) return false
  for (let i = first + 4 * count; i < bytes.length; i++) if (isOdd(bytes[i] ?? 0)) return false
  return (odd & 0x80808080) === 0
}

const NO_WORDS = new Int32Array()
const isOdd = (byte: number) => byte < 0x20 || byte > 0x7f

/** Backslashes that end right before a place. */
function backslashesBefore(text: string, at: number): number {
  let count = 0
  while (text[at - 1 - count] === '\\') count++
  return count
}

/** Where the first quote that is not escaped stands, or -1. */
function closingQuote(text: string): number {
  let at = text.indexOf('"')
  while (at >= 0 && backslashesBefore(text, at) % 2 === 1) at = text.indexOf('"', at + 1)
  return at
}

/** How much of a text holds no escape that is cut off at the end. */
function wholeEscapes(text: string): number {
  const at = text.lastIndexOf('\\')
  if (at < text.length - 5 || backslashesBefore(text, at + 1) % 2 === 0) return text.length
  const needed = text[at + 1] === 'u' ? 6 : 2
  return text.length - at < needed ? at : text.length
}

/** Escapes resolved (RFC 8259 §7), in one pass; a character that is not ASCII becomes a byte 0xff. */
function resolved(written: string): Uint8Array {
  const bytes = new Uint8Array(written.length)
  let length = 0
  for (let i = 0; i < written.length; i++) {
    let code = written.charCodeAt(i)
    if (code === BACKSLASH) {
      const sign = written.charCodeAt(++i)
      code = sign === LETTER_U ? hexadecimal(written, i + 1) : (ESCAPED[sign] ?? -1)
      if (code < 0) throw malformed()
      if (sign === LETTER_U) i += 4
    }
    bytes[length++] = code > 0x7f ? 0xff : code
  }
  return bytes.subarray(0, length)
}

/** The value of four hexadecimal digits; below 0 where they are not four. */
function hexadecimal(text: string, at: number): number {
  let value = 0
  for (let i = at; i < at + 4; i++) value = value * 16 + (DIGITS[text.charCodeAt(i)] ?? -1_000_000)
  return value
}
