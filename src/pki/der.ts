/**
 * Writes DER and reads it strictly (ITU-T X.690 §10 and §11). Knows tags and lengths, not what they mean.
 * The reader judges the encoding of tag, length, BOOLEAN, INTEGER and the string forms; what stands in an OCTET STRING is the caller's.
 */

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  t61String: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const

const MAX_DEPTH = 40
/** Elements of one structure; each takes some hundred bytes once it is read. */
export const MAX_ELEMENTS = 1_000_000

/** The bytes are not the DER they should be. The message is a clause that can follow "The CMS is refused: ". */
export class DerError extends Error {
  override name = 'DerError'
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length]
  const octets: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return [0x80 | octets.length, ...octets]
}

/** One element: the tag octet, the length, the parts one after another. */
export function der(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const head = [tag, ...lengthOctets(length)]
  const out = new Uint8Array(head.length + length)
  out.set(head)
  let at = head.length
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

export const sequence = (...parts: Uint8Array[]): Uint8Array => der(TAG.sequence, ...parts)

/** SET OF: the parts in ascending order of their encodings (X.690 §11.6). */
export const setOf = (...parts: Uint8Array[]): Uint8Array => der(TAG.set, ...parts.toSorted(Buffer.compare))

export const octetString = (bytes: Uint8Array): Uint8Array => der(TAG.octetString, bytes)
export const utf8String = (text: string): Uint8Array => der(TAG.utf8String, new TextEncoder().encode(text))
export const derNull = (): Uint8Array => der(TAG.null)
export const derTrue = (): Uint8Array => der(TAG.boolean, Uint8Array.of(0xff))

/** BIT STRING; `unusedBits` counts the bits left over in the last octet. */
export const bitString = (bytes: Uint8Array, unusedBits = 0): Uint8Array => der(TAG.bitString, Uint8Array.of(unusedBits), bytes)

/** A context-specific constructed element, `[n]`: explicit around elements, implicit in place of SEQUENCE or SET. */
export const tagged = (n: number, ...parts: Uint8Array[]): Uint8Array => der(0xa0 | n, ...parts)

/** A context-specific primitive element, `[n] IMPLICIT` in place of a primitive type. */
export const taggedPrimitive = (n: number, bytes: Uint8Array): Uint8Array => der(0x80 | n, bytes)

/** A non-negative INTEGER from big-endian octets; leading zeros are dropped or added as DER wants. */
export function unsignedInteger(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const digits = bytes.subarray(start)
  if (digits.length === 0) return der(TAG.integer, Uint8Array.of(0))
  return (digits[0] ?? 0) & 0x80 ? der(TAG.integer, Uint8Array.of(0), digits) : der(TAG.integer, digits)
}

/** A small non-negative INTEGER, below 128. */
export const smallInteger = (value: number): Uint8Array => der(TAG.integer, Uint8Array.of(value))

/** OBJECT IDENTIFIER from its dotted form. */
export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const octets: number[] = []
  for (const arc of [first * 40 + second, ...rest]) {
    const groups = [arc % 128]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift(0x80 | (left % 128))
    octets.push(...groups)
  }
  return der(TAG.oid, Uint8Array.from(octets))
}

/** RFC 5280 §4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050, whole seconds, Z. */
export function time(at: Date): Uint8Array {
  const digits = `${at.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`
  const utc = at.getUTCFullYear() < 2050
  return der(utc ? TAG.utcTime : TAG.generalizedTime, new TextEncoder().encode(utc ? digits.slice(2) : digits))
}

/** One element as it was read. */
export interface DerNode {
  tag: number
  /** Tag, length and contents as they stand in the input. */
  encoded: Uint8Array
  contents: Uint8Array
  /** Empty for primitive elements. */
  children: readonly DerNode[]
}

/** Tag and length at `at`; X.690 §10.1: definite, in the fewest octets. */
function readHead(bytes: Uint8Array, at: number): { tag: number; start: number; end: number } {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined) throw new DerError('an element is cut off')
  if ((tag & 0x1f) === 0x1f) throw new DerError('a tag number above 30 is not used here')
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first }
  const count = first & 0x7f
  if (count === 0) throw new DerError('a length is indefinite (BER, not DER)')
  if (count > 4) throw new DerError('a length is beyond any sense')
  let length = 0
  for (let i = 0; i < count; i++) {
    const octet = bytes[at + 2 + i]
    if (octet === undefined) throw new DerError('a length is cut off')
    if (i === 0 && octet === 0) throw new DerError('a length is not in the fewest octets')
    length = length * 256 + octet
  }
  if (length < 0x80) throw new DerError('a length is not in the fewest octets')
  return { tag, start: at + 2 + count, end: at + 2 + count + length }
}

const PRIMITIVE_ONLY = new Set<number>([
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1c, 0x1e,
])

function checkPrimitive(tag: number, contents: Uint8Array): void {
  const [first, second] = contents
  if (tag === TAG.boolean && (contents.length !== 1 || (first !== 0 && first !== 0xff)))
    throw new DerError('a BOOLEAN is neither 00 nor FF')
  if (tag === TAG.null && contents.length !== 0) throw new DerError('a NULL has contents')
  if (tag === TAG.integer) {
    if (first === undefined) throw new DerError('an INTEGER is empty')
    const sign = second !== undefined && (second & 0x80) !== 0
    if (second !== undefined && ((first === 0 && !sign) || (first === 0xff && sign))) {
      throw new DerError('an INTEGER is not in the fewest octets')
    }
  }
  if (tag === TAG.oid && ((contents.at(-1) ?? 0x80) & 0x80) !== 0) throw new DerError('an OBJECT IDENTIFIER is cut off')
  if (tag === TAG.bitString && (first === undefined || first > 7 || (first > 0 && contents.length === 1))) {
    throw new DerError('a BIT STRING has a wrong count of unused bits')
  }
}

/** `values`: whether the contents of primitive elements are held to DER too. `left` counts down to the bound of elements. */
interface Reading {
  values: 'DER' | 'BER'
  left: number
}

function readElement(
  bytes: Uint8Array,
  at: number,
  limit: number,
  depth: number,
  reading: Reading,
): { node: DerNode; end: number } {
  if (depth > MAX_DEPTH) throw new DerError('elements are nested too deeply')
  if (--reading.left < 0) throw new DerError(`it has more than ${MAX_ELEMENTS} elements`)
  const { tag, start, end } = readHead(bytes, at)
  if (end > limit) throw new DerError('an element is longer than what holds it')
  const contents = bytes.subarray(start, end)
  const children: DerNode[] = []
  if ((tag & 0x20) !== 0) {
    if (PRIMITIVE_ONLY.has(tag & ~0x20)) throw new DerError('a string or number is in constructed form (BER, not DER)')
    for (let next = start; next < end; ) {
      const child = readElement(bytes, next, end, depth + 1, reading)
      children.push(child.node)
      next = child.end
    }
  } else {
    if (tag === 0x10 || tag === 0x11) throw new DerError('a SEQUENCE or SET is in primitive form')
    if (reading.values === 'DER') checkPrimitive(tag, contents)
  }
  return { node: { tag, encoded: bytes.subarray(at, end), contents, children }, end }
}

/**
 * The first element of `bytes`, read to its last child, and where it ends. With `values` BER, the contents of BOOLEAN, INTEGER and the like may be
 * in any form; tags and lengths are DER all the same. @throws DerError
 */
export function readDerPrefix(bytes: Uint8Array, values: Reading['values'] = 'DER'): { node: DerNode; end: number } {
  return readElement(bytes, 0, bytes.length, 0, { values, left: MAX_ELEMENTS })
}

/** The one element that `bytes` are. @throws DerError, also when anything follows it */
export function readDer(bytes: Uint8Array): DerNode {
  const { node, end } = readDerPrefix(bytes)
  if (end !== bytes.length) throw new DerError('bytes follow the end of the element')
  return node
}

/** Asserts the tag and hands the node back. `what` names the field in the standard's words. @throws DerError */
export function expectTag(node: DerNode | undefined, tag: number, what: string): DerNode {
  if (node === undefined) throw new DerError(`${what} is missing`)
  if (node.tag !== tag) throw new DerError(`${what} is of a wrong type`)
  return node
}

/** The dotted form of an OBJECT IDENTIFIER. @throws DerError */
export function readOid(node: DerNode | undefined, what: string): string {
  const { contents } = expectTag(node, TAG.oid, what)
  const arcs: number[] = []
  let arc = 0
  for (const octet of contents) {
    if (arc > 2 ** 45) throw new DerError(`${what} has an arc beyond any sense`)
    arc = arc * 128 + (octet & 0x7f)
    if ((octet & 0x80) !== 0) continue
    if (arcs.length === 0) {
      const first = Math.min(2, Math.floor(arc / 40))
      arcs.push(first, arc - first * 40)
    } else arcs.push(arc)
    arc = 0
  }
  return arcs.join('.')
}

/** UTCTime (1950–2049, RFC 5280 §4.1.2.5.1) or GeneralizedTime in whole seconds and Z. @throws DerError */
export function readTime(node: DerNode | undefined, what: string): Date {
  if (node === undefined) throw new DerError(`${what} is missing`)
  const text = new TextDecoder('latin1').decode(node.contents)
  const digits = node.tag === TAG.utcTime ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits)
  if (match === null || (node.tag !== TAG.utcTime && node.tag !== TAG.generalizedTime))
    throw new DerError(`${what} is not a time in DER`)
  const [, year, month, day, hour, minute, second] = match
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(at.getTime())) throw new DerError(`${what} is not a time in DER`)
  return at
}
