/** Small functions on octets, in plain JavaScript: the same in the executable and in a browser. */

export const EMPTY_BYTES: Uint8Array = new Uint8Array()

/** For few parts: many are more than the arguments of a call may be. */
export const concatBytes = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => joinBytes(parts)

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** In lexicographic order: negative if `a` comes first, 0 if they are equal. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return (a[i] ?? 0) - (b[i] ?? 0)
  return a.length - b.length
}

// Searching. A text that is sought has only characters up to U+00FF, each of which is one octet.

const octetsOf = (sought: string | Uint8Array): Uint8Array => (typeof sought === 'string' ? fromLatin1(sought) : sought)

function isAt(bytes: Uint8Array, sought: Uint8Array, at: number): boolean {
  if (at + sought.length > bytes.length) return false
  for (let i = 0; i < sought.length; i++) if (bytes[at + i] !== sought[i]) return false
  return true
}

export const startsWithBytes = (bytes: Uint8Array, sought: string | Uint8Array): boolean => isAt(bytes, octetsOf(sought), 0)

/** The first place at or after `from`; -1 if there is none. `sought`: at least one octet. */
export function indexOfBytes(bytes: Uint8Array, sought: string | Uint8Array, from = 0): number {
  const octets = octetsOf(sought)
  const first = octets[0] ?? 0
  let at = bytes.indexOf(first, from)
  while (at !== -1 && !isAt(bytes, octets, at)) at = bytes.indexOf(first, at + 1)
  return at
}

/** The last place at or before `from`; -1 if there is none. `sought`: at least one octet. */
export function lastIndexOfBytes(bytes: Uint8Array, sought: string | Uint8Array, from = bytes.length - 1): number {
  const octets = octetsOf(sought)
  const first = octets[0] ?? 0
  for (let at = from; at >= 0; at--) {
    at = bytes.lastIndexOf(first, at)
    if (at === -1 || isAt(bytes, octets, at)) return at
  }
  return -1
}

// Texts of one octet for each character (ISO 8859-1), and UTF-8.

/** What a call of a function takes as arguments on every engine. */
const MAX_ARGUMENTS = 8_192
/** Up to here, joining single characters is faster. */
const FEW_OCTETS = 32

/** The octets from `from` to before `to`, each as the character of its number. */
export function toLatin1(bytes: Uint8Array, from = 0, to = bytes.length): string {
  const end = Math.min(to, bytes.length)
  let text = ''
  if (end - from <= FEW_OCTETS) {
    for (let at = from; at < end; at++) text += String.fromCharCode(bytes[at] ?? 0)
    return text
  }
  for (let at = from; at < end; at += MAX_ARGUMENTS) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(end, at + MAX_ARGUMENTS)) as unknown as number[])
  }
  return text
}

/** Of a character beyond U+00FF the lowest octet. */
export function fromLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

/** UTF-16BE, an even number of octets. Surrogates without their other half stay. */
export function toUtf16(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 2) text += String.fromCharCode(readUint(bytes, at, 2))
  return text
}

const encoder = new TextEncoder()
/** A byte order mark is a character of the text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const fromUtf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** What is not UTF-8 becomes U+FFFD. */
export const toUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes)

// Hexadecimal digits and Base64 (RFC 4648).

const HEX = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'))

/** In lower case. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const octet of bytes) text += HEX[octet]
  return text
}

/** By the number of the character; 255: no digit. */
const DIGIT_VALUES = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase())
  return value === -1 ? 255 : value
})

/** Undefined if it is anything but pairs of digits, in either case. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 2 !== 0) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) {
    const [high, low] = [DIGIT_VALUES[text.charCodeAt(2 * i)] ?? 255, DIGIT_VALUES[text.charCodeAt(2 * i + 1)] ?? 255]
    if ((high | low) > 15) return undefined
    bytes[i] = high * 16 + low
  }
  return bytes
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BASE64 = `${LETTERS}+/`
const BASE64_URL = `${LETTERS}-_`

function encodeBase64(bytes: Uint8Array, alphabet: string): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    const digits = Math.min(4, bytes.length - at + 1)
    for (let i = 0; i < digits; i++) text += alphabet[(group >> (18 - 6 * i)) & 63]
  }
  return text
}

/** With padding (§4). */
export function toBase64(bytes: Uint8Array): string {
  const text = encodeBase64(bytes, BASE64)
  return text.padEnd(4 * Math.ceil(text.length / 4), '=')
}

/** The alphabet for addresses and file names (§5), without padding. */
export const toBase64Url = (bytes: Uint8Array): string => encodeBase64(bytes, BASE64_URL)

function decodeBase64(text: string, alphabet: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let [group, bits, length] = [0, 0, 0]
  for (const letter of text) {
    const value = alphabet.indexOf(letter)
    if (value === -1) return undefined
    group = ((group << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[length++] = group >> bits
    }
  }
  // One digit alone is no octet.
  return text.length % 4 === 1 ? undefined : bytes
}

/** White space is left out, padding may be missing. Undefined if it is anything else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const digits = text.replace(/[\t\n\f\r ]+/g, '')
  const padded = /^[^=]*(={0,2})$/.exec(digits)
  if (padded === null || (padded[1] !== '' && digits.length % 4 !== 0)) return undefined
  return decodeBase64(digits.slice(0, digits.length - (padded[1]?.length ?? 0)), BASE64)
}

/** Undefined if it is anything but digits of §5. */
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> | undefined => decodeBase64(text, BASE64_URL)

// Numbers, the highest octet first.

/** Of at most 6 octets. */
export function readUint(bytes: Uint8Array, at: number, length: number): number {
  let value = 0
  for (let i = 0; i < length; i++) value = value * 256 + (bytes[at + i] ?? 0)
  return value
}

export const uint32Bytes = (value: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)

/** Without the zeros in front. */
export function trimZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex(octet => octet !== 0)
  return first === -1 ? EMPTY_BYTES : bytes.subarray(first)
}
