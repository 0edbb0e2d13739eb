/**
 * Finds what page content leaves open: graphics states, text objects and marked content (ISO
 * 32000-2 §7.8.2, §8.4.2), so that an overlay is not moved, hidden or clipped by it.
 */
import { fromLatin1 } from '../../lib/bytes.ts'
import { isWhiteSpace } from './syntax.ts'

/** Operators to write before and after the content, to restore the initial graphics state. */
interface BalancingOperators {
  before: string
  after: string
}

/** Regular characters (§7.2.3), by octet. */
const REGULAR = new Uint8Array(256).fill(1)
for (const character of '\0\t\n\v\f\r ()<>[]{}/%') REGULAR[character.charCodeAt(0)] = 0
const isRegular = (octet = 0): boolean => REGULAR[octet] === 1

/** Skips a literal string whose `(` is at `at`. */
function skipString(data: Uint8Array, at: number): number {
  let depth = 0
  for (let next = at; next < data.length; next++) {
    const octet = data[next]
    if (octet === 0x5c) next++
    else if (octet === 0x28) depth++
    else if (octet === 0x29 && --depth === 0) return next + 1
  }
  return data.length
}

/** Skips inline image data (§8.9.7) up to the first token `EI`. `at` is after `ID`. */
export function skipImage(data: Uint8Array, at: number): number {
  for (let next = at + 1; next < data.length - 1; next++) {
    const isEnd = data[next] === 0x45 && data[next + 1] === 0x49 && !isRegular(data[next + 2])
    if (isEnd && isWhiteSpace(data[next - 1])) return next + 2
  }
  return data.length
}

function skipComment(data: Uint8Array, at: number): number {
  let next = at
  while (next < data.length && data[next] !== 0x0a && data[next] !== 0x0d) next++
  return next
}

function skipHexString(data: Uint8Array, at: number): number {
  const end = data.indexOf(0x3e, at)
  return end === -1 ? data.length : end + 1
}

/** Skips the token at `at` unless it is a run of regular characters. */
function skipNonRegular(data: Uint8Array, at: number): number {
  switch (data[at]) {
    case 0x28:
      return skipString(data, at)
    case 0x25:
      return skipComment(data, at)
    case 0x3c:
      return data[at + 1] === 0x3c ? at + 1 : skipHexString(data, at)
    default:
      return at + 1
  }
}

const PATH_STARTS = new Set(['m', 're'])
const PATH_ENDS = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'n'])

/** Up to three octets as a number. */
const pack = (data: Uint8Array, from: number, to: number): number => {
  let code = 0
  for (let at = from; at < to; at++) code = (code << 8) | (data[at] ?? 0)
  return code
}
/** By octets: hostile content has millions, too many for a string each. */
const OPERATORS = new Map(
  [...PATH_STARTS, ...PATH_ENDS, 'q', 'Q', 'BT', 'ET', 'BMC', 'BDC', 'EMC', 'ID'].map(word => {
    const octets = fromLatin1(word)
    return [pack(octets, 0, octets.length), word] as const
  }),
)

/** The operators of a content stream that open or close something, in order. */
function* findOperators(data: Uint8Array): Generator<string> {
  for (let at = 0; at < data.length; ) {
    const isName = data[at] === 0x2f
    if (!isName && !isRegular(data[at])) {
      at = skipNonRegular(data, at)
      continue
    }
    const start = at++
    while (isRegular(data[at])) at++
    // No operator has more than three characters: longer runs are numbers, names or damage.
    if (isName || at - start > 3) continue
    const operator = OPERATORS.get(pack(data, start, at))
    if (operator === 'ID') at = skipImage(data, at)
    if (operator !== undefined) yield operator
  }
}

/** Real pages have far fewer. It limits what hostile content can make us write. */
const MAX_OPEN = 10_000

/** Saves at least one level, because undecodable parts may be missing from `data`. */
export function balanceContent(data: Uint8Array): BalancingOperators {
  let [depth, minDepth, markedContent, isInText, isInPath] = [0, 0, 0, false, false]
  for (const operator of findOperators(data)) {
    switch (operator) {
      case 'q':
        depth++
        break
      case 'Q':
        minDepth = Math.min(minDepth, --depth)
        break
      case 'BT':
      case 'ET':
        isInText = operator === 'BT'
        break
      case 'BMC':
      case 'BDC':
        markedContent++
        break
      case 'EMC':
        markedContent = Math.max(0, markedContent - 1)
        break
      case 'ID':
        break
      default:
        isInPath = PATH_STARTS.has(operator)
    }
  }
  const saved = Math.min(MAX_OPEN, 1 - minDepth)
  const restored = Math.min(MAX_OPEN, depth + saved)
  const closing = [
    ...(isInPath ? ['n'] : []),
    ...(isInText ? ['ET'] : []),
    ...Array<string>(Math.min(MAX_OPEN, markedContent)).fill('EMC'),
    ...Array<string>(restored).fill('Q'),
  ]
  return { before: `${'q '.repeat(saved)}\n`, after: `\n${closing.join(' ')}\n` }
}
