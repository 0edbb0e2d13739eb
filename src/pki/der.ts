/** Writes DER and reads it strictly, ITU-T X.690 §10, §11. Does not look into OCTET STRINGs. */
import { compareBytes } from '../lib/bytes.ts'

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
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
/** Elements in one structure. Each takes some hundred bytes of memory. */
export const MAX_ELEMENTS = 1_000_000

/** The bytes are not the expected DER. The message is a clause, as in "The CMS is refused: …". */
export class DerError extends Error {
  override name = 'DerError'
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length]
  const octets: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return [0x80 | octets.length, ...octets]
}

/** One element whose contents are the parts in order. */
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
export const setOf = (...parts: Uint8Array[]): Uint8Array => der(TAG.set, ...parts.toSorted(compareBytes))

export const octetString = (bytes: Uint8Array): Uint8Array => der(TAG.octetString, bytes)
export const utf8String = (text: string): Uint8Array => der(TAG.utf8String, new TextEncoder().encode(text))
export const derNull = (): Uint8Array => der(TAG.null)
export const derTrue = (): Uint8Array => der(TAG.boolean, Uint8Array.of(0xff))

/** BIT STRING; `unusedBits`: of the last octet. */
export const bitString = (bytes: Uint8Array, unusedBits = 0): Uint8Array => der(TAG.bitString, Uint8Array.of(unusedBits), bytes)

/** Context-specific constructed `[n]`: EXPLICIT, or IMPLICIT in place of SEQUENCE or SET. */
export const tagged = (n: number, ...parts: Uint8Array[]): Uint8Array => der(0xa0 | n, ...parts)

/** Context-specific primitive `[n]`: IMPLICIT in place of a primitive type. */
export const taggedPrimitive = (n: number, bytes: Uint8Array): Uint8Array => der(0x80 | n, bytes)

/** A non-negative INTEGER from big-endian octets, with the leading zeros that DER requires. */
export function unsignedInteger(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const digits = bytes.subarray(start)
  if (digits.length === 0) return der(TAG.integer, Uint8Array.of(0))
  return (digits[0] ?? 0) & 0x80 ? der(TAG.integer, Uint8Array.of(0), digits) : der(TAG.integer, digits)
}

/** An INTEGER from 0 to 127. */
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

export interface DerNode {
  tag: number
  /** Tag, length and contents as in the input. */
  encoded: Uint8Array
  contents: Uint8Array
  /** Empty for primitive elements. */
  children: readonly DerNode[]
}

/** Offsets of an element: `from` its tag, `start` its contents, `end` after them. */
export interface Element {
  tag: number
  from: number
  start: number
  end: number
}

/** Reads no children, for structures too large for a tree. X.690 §10.1. @throws DerError */
export function elementAt(bytes: Uint8Array, from: number, limit: number): Element {
  const tag = bytes[from]
  const first = bytes[from + 1]
  if (tag === undefined || first === undefined || from + 2 > limit) throw new DerError('an element is cut off')
  if ((tag & 0x1f) === 0x1f) throw new DerError('a tag number above 30 is not used here')
  if (first === 0x80) throw new DerError('a length is indefinite (BER, not DER)')
  const count = first < 0x80 ? 0 : first & 0x7f
  if (count > 4) throw new DerError('a length is too large')
  const start = from + 2 + count
  if (start > limit) throw new DerError('a length is cut off')
  let length = count === 0 ? first : 0
  for (let i = from + 2; i < start; i++) length = length * 256 + (bytes[i] ?? 0)
  const fewest = length < 0x80 ? 0 : Math.ceil((32 - Math.clz32(length)) / 8)
  if (count !== fewest) throw new DerError('a length is not in the fewest octets')
  if (start + length > limit) throw new DerError('an element is longer than its parent')
  return { tag, from, start, end: start + length }
}

export function elementsIn(bytes: Uint8Array, start: number, end: number): Element[] {
  const elements: Element[] = []
  for (let next = start; next < end; ) {
    const element = elementAt(bytes, next, end)
    elements.push(element)
    next = element.end
  }
  return elements
}

const PRIMITIVE_ONLY = new Set<number>([
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1c, 0x1e,
])

function integerError([first, second]: Uint8Array): string | undefined {
  if (first === undefined) return 'an INTEGER is empty'
  if (second === undefined) return undefined
  const padding = (second & 0x80) === 0 ? 0 : 0xff
  return first === padding ? 'an INTEGER is not in the fewest octets' : undefined
}

function bitStringError(contents: Uint8Array): string | undefined {
  const unused = contents[0] ?? 8
  return unused > 7 || (unused > 0 && contents.length === 1) ? 'a BIT STRING has a wrong count of unused bits' : undefined
}

/** The DER rules for the contents of primitive types, X.690 §11. */
const PRIMITIVE_ERRORS: Readonly<Record<number, (contents: Uint8Array) => string | undefined>> = {
  [TAG.boolean]: contents =>
    contents.length === 1 && (contents[0] === 0 || contents[0] === 0xff) ? undefined : 'a BOOLEAN is neither 00 nor FF',
  [TAG.integer]: integerError,
  [TAG.bitString]: bitStringError,
  [TAG.null]: contents => (contents.length === 0 ? undefined : 'a NULL has contents'),
  [TAG.oid]: contents => (((contents.at(-1) ?? 0x80) & 0x80) === 0 ? undefined : 'an OBJECT IDENTIFIER is cut off'),
}

interface ReadState {
  /** Rules for the contents of primitive elements. */
  values: 'DER' | 'BER'
  left: number
}

function readElement(
  bytes: Uint8Array,
  at: number,
  limit: number,
  depth: number,
  state: ReadState,
): { node: DerNode; end: number } {
  if (depth > MAX_DEPTH) throw new DerError('elements are nested too deeply')
  if (--state.left < 0) throw new DerError(`it has more than ${MAX_ELEMENTS} elements`)
  const { tag, start, end } = elementAt(bytes, at, limit)
  const contents = bytes.subarray(start, end)
  const children: DerNode[] = []
  if ((tag & 0x20) !== 0) {
    if (PRIMITIVE_ONLY.has(tag & ~0x20)) throw new DerError('a string or number is in constructed form (BER, not DER)')
    for (let next = start; next < end; ) {
      const child = readElement(bytes, next, end, depth + 1, state)
      children.push(child.node)
      next = child.end
    }
  } else {
    if (tag === 0x10 || tag === 0x11) throw new DerError('a SEQUENCE or SET is in primitive form')
    const error = state.values === 'DER' ? PRIMITIVE_ERRORS[tag]?.(contents) : undefined
    if (error !== undefined) throw new DerError(error)
  }
  return { node: { tag, encoded: bytes.subarray(at, end), contents, children }, end }
}

/** The first element and its end. `values`: rules for primitive types; lengths must be DER. */
export function readDerPrefix(bytes: Uint8Array, values: ReadState['values'] = 'DER'): { node: DerNode; end: number } {
  return readElement(bytes, 0, bytes.length, 0, { values, left: MAX_ELEMENTS })
}

/** The only element of `bytes`. @throws DerError, also when bytes follow it */
export function readDer(bytes: Uint8Array): DerNode {
  const { node, end } = readDerPrefix(bytes)
  if (end !== bytes.length) throw new DerError('bytes follow the end of the element')
  return node
}

/** `what` names the field as the standard does. @throws DerError */
export function expectTag(node: DerNode | undefined, tag: number, what: string): DerNode {
  if (node === undefined) throw new DerError(`${what} is missing`)
  if (node.tag !== tag) throw new DerError(`${what} has the wrong type`)
  return node
}

/** The octets of a BIT STRING without unused bits. @throws DerError */
export function readBitOctets(node: DerNode | undefined, what: string): Uint8Array {
  const { contents } = expectTag(node, TAG.bitString, what)
  if (contents[0] !== 0) throw new DerError(`${what} does not end with a whole octet`)
  return contents.subarray(1)
}

export function readOid(node: DerNode | undefined, what: string): string {
  const { contents } = expectTag(node, TAG.oid, what)
  const arcs: number[] = []
  let arc = 0
  for (const octet of contents) {
    if (arc > 2 ** 45) throw new DerError(`${what} has an arc that is too large`)
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

/** UTCTime (RFC 5280 §4.1.2.5.1) or GeneralizedTime, in whole seconds and Z. @throws DerError */
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
