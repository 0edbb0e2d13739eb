/** Converts BER to DER for the strict reader, except for the order of SETs. ITU-T X.690 §8. */
import { joinBytes } from '../lib/bytes.ts'
import { DerError, type DerNode, der, MAX_ELEMENTS, readDerPrefix, TAG } from './der.ts'

const MAX_DEPTH = 40
/** Bounded because each level of nesting copies its contents. */
const MAX_BYTES = 16 * 1024 * 1024
/** Universal string types, which BER can encode in segments. */
const SEGMENTED = new Set([0x03, 0x04, 0x0c, 0x12, 0x13, 0x14, 0x16, 0x1a, 0x1c, 0x1e])

interface Head {
  tag: number
  start: number
  /** Undefined if indefinite: the contents end with end-of-contents octets. */
  length: number | undefined
}

function readHead(bytes: Uint8Array, at: number): Head {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined) throw new DerError('an element is cut off')
  if ((tag & 0x1f) === 0x1f) throw new DerError('a tag number above 30 is not used here')
  if (first < 0x80) return { tag, start: at + 2, length: first }
  const count = first & 0x7f
  if (count === 0) return { tag, start: at + 2, length: undefined }
  if (at + 2 + count > bytes.length) throw new DerError('a length is cut off')
  const length = bytes.subarray(at + 2, at + 2 + count).reduce((sum, octet) => sum * 256 + octet, 0)
  return { tag, start: at + 2 + count, length }
}

interface Converted {
  encoded: Uint8Array
  tag: number
  /** Of a primitive element; empty otherwise. */
  contents: Uint8Array
  end: number
}

function joinSegments(tag: number, children: readonly Converted[]): Uint8Array {
  if (children.some(child => child.tag !== tag)) throw new DerError('a segment of a string has another type')
  if (tag !== TAG.bitString) return joinBytes(children.map(child => child.contents))
  const last = children.at(-1)?.contents.subarray(0, 1) ?? Uint8Array.of(0)
  return joinBytes([last, ...children.map(child => child.contents.subarray(1))])
}

interface Budget {
  /** Elements that may still be read. */
  left: number
}

function convertChildren(bytes: Uint8Array, start: number, limit: number, isIndefinite: boolean, depth: number, budget: Budget) {
  const children: Converted[] = []
  for (let next = start; ; ) {
    if (isIndefinite && bytes[next] === 0 && bytes[next + 1] === 0 && next + 2 <= limit) return { children, end: next + 2 }
    if (!isIndefinite && next === limit) return { children, end: limit }
    if (next >= limit) throw new DerError('an element is cut off')
    const child = convert(bytes, next, limit, depth + 1, budget)
    children.push(child)
    next = child.end
  }
}

function convert(bytes: Uint8Array, at: number, limit: number, depth: number, budget: Budget): Converted {
  if (depth > MAX_DEPTH) throw new DerError('elements are nested too deeply')
  if (--budget.left < 0) throw new DerError(`it has more than ${MAX_ELEMENTS} elements`)
  const { tag, start, length } = readHead(bytes, at)
  const end = length === undefined ? limit : start + length
  if (end > limit) throw new DerError('an element is longer than its parent')
  if ((tag & 0x20) === 0) {
    if (length === undefined) throw new DerError('a primitive element has no length')
    const contents = bytes.subarray(start, end)
    return { encoded: der(tag, contents), tag, contents, end }
  }
  const inside = convertChildren(bytes, start, end, length === undefined, depth, budget)
  const primitive = tag & ~0x20
  if (!SEGMENTED.has(primitive)) {
    return { encoded: der(tag, ...inside.children.map(child => child.encoded)), tag, contents: new Uint8Array(), end: inside.end }
  }
  const contents = joinSegments(primitive, inside.children)
  return { encoded: der(primitive, contents), tag: primitive, contents, end: inside.end }
}

function convertPrefix(bytes: Uint8Array): Converted {
  const converted = convert(bytes, 0, bytes.length, 0, { left: MAX_ELEMENTS })
  if (converted.end > MAX_BYTES) throw new DerError(`it is BER of more than ${MAX_BYTES} bytes`)
  return converted
}

/** Does not convert the contents of OCTET STRINGs. @throws DerError, also when bytes follow */
export function berToDer(bytes: Uint8Array): Uint8Array {
  const { encoded, end } = convertPrefix(bytes)
  if (end !== bytes.length) throw new DerError('bytes follow the end of the element')
  return encoded
}

/** The first element as DER, otherwise as BER, and its end in `bytes`. @throws DerError */
export function readBerPrefix(bytes: Uint8Array): { node: DerNode; end: number; isDer: boolean } {
  try {
    return { ...readDerPrefix(bytes), isDer: true }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    const { encoded, end } = convertPrefix(bytes)
    return { node: readDerPrefix(encoded, 'BER').node, end, isDer: false }
  }
}
