/**
 * Undoes the filters that page content is written in, never beyond a limit. ISO 32000-2 §7.4.
 * Damage ends the data where it stands, as readers show it; image filters and predictors are not
 * undone.
 */
import { constants, inflateSync } from 'node:zlib'
import { MAX_FILTERS, MAX_STREAM_BYTES, PdfLimitError } from './limits.ts'

/** What its sender hears of content beyond the limits. */
export const tooLarge = (): PdfLimitError =>
  new PdfLimitError('The content of a page is far larger than any page needs; print the PDF to a new one and send that.')

/** Bytes that grow up to the limit. */
function newSink() {
  let bytes = new Uint8Array(64 * 1024)
  let length = 0
  return {
    /** @throws PdfLimitError */
    reserve(count: number): void {
      if (length + count > MAX_STREAM_BYTES) throw tooLarge()
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

const isZlibError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** §7.4.4. */
function flate(raw: Uint8Array): Uint8Array {
  try {
    // A cut-off stream gives what came before the cut, as readers show it.
    return inflateSync(raw, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_STREAM_BYTES })
  } catch (error) {
    if (!isZlibError(error)) throw error
    if (error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    if (error.code.startsWith('Z_')) return new Uint8Array()
    throw error
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

/**
 * §7.4.4.2, with codes that grow one entry early, as the standard has it unless a parameter says
 * otherwise.
 */
function lzw(raw: Uint8Array): Uint8Array {
  const out = newSink()
  const prefix = new Uint16Array(4097)
  const suffix = new Uint8Array(4097)
  const stack = new Uint8Array(4097)
  let [next, width, previous, first] = [258, 9, -1, 0]
  let [bits, held] = [0, 0]
  for (let at = 0; ; ) {
    while (held < width && at < raw.length) {
      bits = ((bits << 8) | (raw[at++] ?? 0)) & 0xffffff
      held += 8
    }
    if (held < width) break
    held -= width
    const code = (bits >> held) & ((1 << width) - 1)
    if (code === END) break
    if (code === CLEAR) {
      ;[next, width, previous] = [258, 9, -1]
      continue
    }
    if (code > next || (previous === -1 && code > 255)) break
    let depth = 0
    let walk = code
    if (code === next) {
      stack[depth++] = first
      walk = previous
    }
    for (; walk > 257; walk = prefix[walk] ?? 0) stack[depth++] = suffix[walk] ?? 0
    first = walk
    out.push(first)
    while (depth > 0) out.push(stack[--depth] ?? 0)
    if (previous !== -1 && next < 4096) {
      prefix[next] = previous
      suffix[next++] = first
      if (next + 1 >= 1 << width && width < 12) width++
    }
    previous = code
  }
  return out.finish()
}

const isSpace = (octet: number): boolean => octet === 0x20 || (octet >= 0x09 && octet <= 0x0d) || octet === 0

/** §7.4.2. */
function asciiHex(raw: Uint8Array): Uint8Array {
  const out = newSink()
  let high = -1
  for (const octet of raw) {
    if (octet === 0x3e) break
    if (isSpace(octet)) continue
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
  const give = (octets: number): void => {
    for (let i = 0; i < octets; i++) out.push(Math.floor(value / 256 ** (3 - i)) % 256)
    ;[value, count] = [0, 0]
  }
  for (const octet of raw) {
    if (octet === 0x7e) break
    if (isSpace(octet)) continue
    if (octet === 0x7a && count === 0) out.fill(0, 4)
    else if (octet < 0x21 || octet > 0x75) break
    else {
      value = value * 85 + octet - 0x21
      if (++count === 5) give(4)
    }
  }
  if (count > 1) {
    const octets = count - 1
    for (; count < 5; count++) value = value * 85 + 84
    give(octets)
  }
  return out.finish()
}

const FILTERS: Readonly<Record<string, (raw: Uint8Array) => Uint8Array>> = {
  FlateDecode: flate,
  Fl: flate,
  RunLengthDecode: runLength,
  RL: runLength,
  LZWDecode: lzw,
  LZW: lzw,
  ASCIIHexDecode: asciiHex,
  AHx: asciiHex,
  ASCII85Decode: ascii85,
  A85: ascii85,
}

/**
 * The data of a stream with its filters undone, in the order they are named; nothing when one of
 * them is not for content.
 * @throws PdfLimitError beyond the limits
 */
export function decodeContent(raw: Uint8Array, filters: readonly string[]): Uint8Array {
  if (filters.length > MAX_FILTERS) {
    throw new PdfLimitError('The content of a page is packed many times over; print the PDF to a new one and send that.')
  }
  let data = raw
  for (const name of filters) data = FILTERS[name]?.(data) ?? new Uint8Array()
  return data
}
