/**
 * Steps from one DER element to the next without a tree of what is inside: for structures too large to be held as nodes. X.690 §10.1.
 * Judges tag and length alone; an element that matters is read by `der.ts`.
 */
import { DerError } from './der.ts'

/** Where an element stands: `from` its tag, `start` its contents, `end` after them. */
export interface Element {
  tag: number
  from: number
  start: number
  end: number
}

/** The element at `from`, which must end at `limit` or before. @throws DerError */
export function elementAt(bytes: Uint8Array, from: number, limit: number): Element {
  const tag = bytes[from]
  const first = bytes[from + 1]
  if (tag === undefined || first === undefined || from + 2 > limit) throw new DerError('an element is cut off')
  if ((tag & 0x1f) === 0x1f) throw new DerError('a tag number above 30 is not used here')
  const count = first < 0x80 ? 0 : first & 0x7f
  if (first === 0x80) throw new DerError('a length is indefinite (BER, not DER)')
  if (count > 4) throw new DerError('a length is beyond any sense')
  let length = count === 0 ? first : 0
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[from + 2 + i] ?? 0)
  const leastOctets = length < 0x80 ? 0 : Math.ceil((32 - Math.clz32(length)) / 8)
  if (count !== leastOctets) throw new DerError('a length is not in the fewest octets')
  const start = from + 2 + count
  if (start + length > limit) throw new DerError('an element is longer than what holds it')
  return { tag, from, start, end: start + length }
}

/** The elements that fill the octets from `start` to `end`. @throws DerError */
export function elementsIn(bytes: Uint8Array, start: number, end: number): Element[] {
  const elements: Element[] = []
  for (let next = start; next < end; ) {
    const element = elementAt(bytes, next, end)
    elements.push(element)
    next = element.end
  }
  return elements
}
