/**
 * Decodes the filters of page content within limits (ISO 32000-2 §7.4), but no image filters or
 * predictors. Data end at the first damage, as readers show them.
 */

import { InflateError } from '../../lib/inflate.ts'
import { inflate } from '../../lib/primitives.ts'
import { remark } from '../../locales/remarks.ts'
import { MAX_FILTERS, MAX_STREAM_BYTES, PdfLimitError } from './limits.ts'
import { isWhiteSpace } from './syntax.ts'

export const contentTooLarge = (): PdfLimitError => new PdfLimitError(remark('page_content_too_large'))

function newSink() {
  let bytes = new Uint8Array(64 * 1024)
  let length = 0
  return {
    /** @throws PdfLimitError */
    reserve(count: number): void {
      if (length + count > MAX_STREAM_BYTES) throw contentTooLarge()
      if (length + count <= bytes.length) return
      const larger = new Uint8Array(Math.min(MAX_STREAM_BYTES, Math.max(bytes.length * 2, length + count)))
      larger.set(bytes.subarray(0, length))
      bytes = larger
    },
    push(octet: number): void {
      if (length === bytes.length) this.reserve(1)
      bytes[length++] = octet
    },
    append(run: Uint8Array): void {
      this.reserve(run.length)
      bytes.set(run, length)
      length += run.length
    },
    fill(octet: number, count: number): void {
      this.reserve(count)
      bytes.fill(octet, length, length + count)
      length += count
    },
    finish: (): Uint8Array => bytes.subarray(0, length),
  }
}

/** §7.4.4. */
function flate(raw: Uint8Array): Uint8Array {
  try {
    // A truncated stream gives the data before its end, as readers show it.
    return inflate(raw, MAX_STREAM_BYTES, true)
  } catch (error) {
    if (!(error instanceof InflateError)) throw error
    if (error.failure === 'too_large') throw contentTooLarge()
    return new Uint8Array()
  }
}

/** §7.4.5. */
function runLength(raw: Uint8Array): Uint8Array {
  const out = newSink()
  for (let at = 0; at < raw.length; ) {
    const length = raw[at++] ?? 128
    if (length === 128) break
    if (length < 128) {
      out.append(raw.subarray(at, at + length + 1))
      at += length + 1
    } else if (at < raw.length) out.fill(raw[at++] ?? 0, 257 - length)
  }
  return out.finish()
}

const CLEAR = 256
const END = 257
const FIRST_ENTRY = 258
const MAX_ENTRIES = 4096

/** §7.4.4.2 with the standard's default /EarlyChange 1: codes get longer one entry early. */
class LzwDecoder {
  readonly #out = newSink()
  /** Each entry is the sequence of its prefix and one octet. */
  readonly #prefix = new Uint16Array(MAX_ENTRIES + 1)
  readonly #suffix = new Uint8Array(MAX_ENTRIES + 1)
  readonly #stack = new Uint8Array(MAX_ENTRIES + 1)
  #next = FIRST_ENTRY
  #width = 9
  /** -1 after a clear code. */
  #previous = -1
  /** First octet of the previous sequence. */
  #first = 0
  #at = 0
  #bits = 0
  #bitCount = 0

  constructor(private readonly raw: Uint8Array) {}

  decode(): Uint8Array {
    for (let code = this.#readCode(); code !== END; code = this.#readCode()) {
      if (code === CLEAR) {
        this.#next = FIRST_ENTRY
        this.#width = 9
        this.#previous = -1
        continue
      }
      if (code > this.#next || (this.#previous === -1 && code > 255)) break
      this.#write(code)
      if (this.#previous !== -1 && this.#next < MAX_ENTRIES) this.#addEntry()
      this.#previous = code
    }
    return this.#out.finish()
  }

  /** The end of the data counts as END. */
  #readCode(): number {
    while (this.#bitCount < this.#width && this.#at < this.raw.length) {
      this.#bits = ((this.#bits << 8) | (this.raw[this.#at++] ?? 0)) & 0xffffff
      this.#bitCount += 8
    }
    if (this.#bitCount < this.#width) return END
    this.#bitCount -= this.#width
    return (this.#bits >> this.#bitCount) & ((1 << this.#width) - 1)
  }

  #write(code: number): void {
    const stack = this.#stack
    let depth = 0
    let entry = code
    // The entry that is about to be added: the previous sequence and its own first octet.
    if (code === this.#next) {
      stack[depth++] = this.#first
      entry = this.#previous
    }
    for (; entry >= FIRST_ENTRY; entry = this.#prefix[entry] ?? 0) stack[depth++] = this.#suffix[entry] ?? 0
    this.#first = entry
    this.#out.push(entry)
    while (depth > 0) this.#out.push(stack[--depth] ?? 0)
  }

  #addEntry(): void {
    this.#prefix[this.#next] = this.#previous
    this.#suffix[this.#next++] = this.#first
    if (this.#next + 1 >= 1 << this.#width && this.#width < 12) this.#width++
  }
}

/** §7.4.2. */
function asciiHex(raw: Uint8Array): Uint8Array {
  const out = newSink()
  let high = -1
  for (const octet of raw) {
    if (octet === 0x3e) break
    if (isWhiteSpace(octet)) continue
    const digit = Number.parseInt(String.fromCharCode(octet), 16)
    if (Number.isNaN(digit)) break
    if (high === -1) high = digit
    else {
      out.push(high * 16 + digit)
      high = -1
    }
  }
  if (high !== -1) out.push(high * 16)
  return out.finish()
}

/** §7.4.3. */
function ascii85(raw: Uint8Array): Uint8Array {
  const out = newSink()
  let [value, count] = [0, 0]
  const writeGroup = (octets: number): void => {
    for (let i = 0; i < octets; i++) out.push(Math.floor(value / 256 ** (3 - i)) % 256)
    ;[value, count] = [0, 0]
  }
  for (const octet of raw) {
    if (isWhiteSpace(octet)) continue
    if (octet === 0x7a && count === 0) {
      out.fill(0, 4)
      continue
    }
    // The end marker `~>`, or damage.
    if (octet < 0x21 || octet > 0x75) break
    value = value * 85 + octet - 0x21
    if (++count === 5) writeGroup(4)
  }
  if (count > 1) {
    const octets = count - 1
    for (; count < 5; count++) value = value * 85 + 84
    writeGroup(octets)
  }
  return out.finish()
}

const FILTERS: Readonly<Record<string, (raw: Uint8Array) => Uint8Array>> = {
  FlateDecode: flate,
  Fl: flate,
  RunLengthDecode: runLength,
  RL: runLength,
  LZWDecode: raw => new LzwDecoder(raw).decode(),
  LZW: raw => new LzwDecoder(raw).decode(),
  ASCIIHexDecode: asciiHex,
  AHx: asciiHex,
  ASCII85Decode: ascii85,
  A85: ascii85,
}

/** True for a filter of content; others, such as those of images, are read as nothing. */
export const isContentFilter = (name: string): boolean => Object.hasOwn(FILTERS, name)

/** Empty if a filter is not for content. @throws PdfLimitError */
export function decodeContent(raw: Uint8Array, filters: readonly string[]): Uint8Array {
  if (filters.length > MAX_FILTERS) {
    throw new PdfLimitError(remark('page_content_compressed_often'))
  }
  let data = raw
  for (const name of filters) data = FILTERS[name]?.(data) ?? new Uint8Array()
  return data
}
