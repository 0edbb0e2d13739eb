/**
 * Rewrites BER as the nearest DER, so that one strict reader serves both: lengths become definite and shortest, strings that come in pieces
 * are joined. ITU-T X.690 §8. For structures of other programs (PKCS#12, CMS). SETs keep their order, and what is DER already its octets.
 */
import { DerError, type DerNode, der, MAX_ELEMENTS, readDerPrefix } from './der.ts'

const MAX_DEPTH = 40
/** Each level of nesting copies what is inside it. */
const MAX_BYTES = 16 * 1024 * 1024
const BIT_STRING = 0x03
/** Universal string types that BER may cut into pieces. */
const IN_PIECES = new Set([0x03, 0x04, 0x0c, 0x12, 0x13, 0x14, 0x16, 0x1a, 0x1c, 0x1e])

interface Head {
  tag: number
  start: number
  /** Undefined: until the end-of-contents octets. */
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

interface Rewritten {
  encoded: Uint8Array
  tag: number
  /** What would stand inside, where the element is primitive. */
  contents: Uint8Array
  end: number
}

function joined(tag: number, children: readonly Rewritten[]): Uint8Array {
  if (children.some(child => child.tag !== tag)) throw new DerError('a string in pieces holds something else')
  if (tag !== BIT_STRING) return Buffer.concat(children.map(child => child.contents))
  const last = children.at(-1)?.contents.subarray(0, 1) ?? Uint8Array.of(0)
  return Buffer.concat([last, ...children.map(child => child.contents.subarray(1))])
}

/** How many elements may still come. */
interface Budget {
  left: number
}

function childrenOf(bytes: Uint8Array, start: number, limit: number, isOpen: boolean, depth: number, budget: Budget) {
  const children: Rewritten[] = []
  for (let next = start; ; ) {
    if (isOpen && bytes[next] === 0 && bytes[next + 1] === 0 && next + 2 <= limit) return { children, end: next + 2 }
    if (!isOpen && next === limit) return { children, end: limit }
    if (next >= limit) throw new DerError('an element is cut off')
    const child = rewrite(bytes, next, limit, depth + 1, budget)
    children.push(child)
    next = child.end
  }
}

function rewrite(bytes: Uint8Array, at: number, limit: number, depth: number, budget: Budget): Rewritten {
  if (depth > MAX_DEPTH) throw new DerError('elements are nested too deeply')
  if (--budget.left < 0) throw new DerError(`it has more than ${MAX_ELEMENTS} elements`)
  const { tag, start, length } = readHead(bytes, at)
  const end = length === undefined ? limit : start + length
  if (end > limit) throw new DerError('an element is longer than what holds it')
  if ((tag & 0x20) === 0) {
    if (length === undefined) throw new DerError('a primitive element has no length')
    const contents = bytes.subarray(start, end)
    return { encoded: der(tag, contents), tag, contents, end }
  }
  const inside = childrenOf(bytes, start, end, length === undefined, depth, budget)
  const primitive = tag & ~0x20
  if (!IN_PIECES.has(primitive)) {
    return { encoded: der(tag, ...inside.children.map(child => child.encoded)), tag, contents: new Uint8Array(), end: inside.end }
  }
  const contents = joined(primitive, inside.children)
  return { encoded: der(primitive, contents), tag: primitive, contents, end: inside.end }
}

function rewritePrefix(bytes: Uint8Array): Rewritten {
  const rewritten = rewrite(bytes, 0, bytes.length, 0, { left: MAX_ELEMENTS })
  if (rewritten.end > MAX_BYTES) throw new DerError(`it is BER of more than ${MAX_BYTES} bytes`)
  return rewritten
}

/** The one element that `bytes` are, as DER. Octets inside OCTET STRINGs are left as they stand. @throws DerError, also when anything follows it */
export function berToDer(bytes: Uint8Array): Uint8Array {
  const { encoded, end } = rewritePrefix(bytes)
  if (end !== bytes.length) throw new DerError('bytes follow the end of the element')
  return encoded
}

/** The first element of `bytes` and where it ends there. What is not DER is read as BER, and `isDer` is false. @throws DerError when it is neither */
export function readBerPrefix(bytes: Uint8Array): { node: DerNode; end: number; isDer: boolean } {
  try {
    return { ...readDerPrefix(bytes), isDer: true }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    const { encoded, end } = rewritePrefix(bytes)
    return { node: readDerPrefix(encoded, 'BER').node, end, isDer: false }
  }
}
