/**
 * What a page's content leaves open: saved graphics states, text and marked-content sections. ISO
 * 32000-2 §7.8.2, §8.4.2. It lets something be laid over the page without being moved, hidden or
 * clipped by what stood there before. Draws and judges nothing.
 */

/**
 * Operators to write before and after the content, so that the graphics state after them is the one
 * before them.
 */
export interface Balance {
  before: string
  after: string
}

const isWhite = (octet: number): boolean => octet === 0x20 || (octet >= 0x09 && octet <= 0x0d) || octet === 0
const isDelimiter = (octet: number): boolean =>
  octet === 0x28 ||
  octet === 0x29 ||
  octet === 0x3c ||
  octet === 0x3e ||
  octet === 0x5b ||
  octet === 0x5d ||
  octet === 0x2f ||
  octet === 0x25 ||
  octet === 0x7b ||
  octet === 0x7d
const isRegular = (octet: number | undefined): boolean => octet !== undefined && !isWhite(octet) && !isDelimiter(octet)

/** Past a literal string whose `(` stands at `at`. */
function afterString(data: Uint8Array, at: number): number {
  let open = 0
  for (let next = at; next < data.length; next++) {
    const octet = data[next]
    if (octet === 0x5c) next++
    else if (octet === 0x28) open++
    else if (octet === 0x29 && --open === 0) return next + 1
  }
  return data.length
}

/**
 * Past the data of an inline image (§8.9.7): `EI` as a token of its own after white space. `at` is
 * behind `ID`.
 */
function afterImage(data: Uint8Array, at: number): number {
  for (let next = at + 1; next < data.length - 1; next++) {
    const isEnd = data[next] === 0x45 && data[next + 1] === 0x49 && !isRegular(data[next + 2])
    if (isEnd && isWhite(data[next - 1] ?? 0)) return next + 2
  }
  return data.length
}

function afterComment(data: Uint8Array, at: number): number {
  let next = at
  while (next < data.length && data[next] !== 0x0a && data[next] !== 0x0d) next++
  return next
}

const PATH_BEGINS = new Set(['m', 're'])
const PATH_ENDS = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'n'])

/** Up to three octets as one number. */
const packed = (data: Uint8Array, from: number, to: number): number => {
  let code = 0
  for (let at = from; at < to; at++) code = (code << 8) | (data[at] ?? 0)
  return code
}
/**
 * Operators that open or close something, by their octets: hostile content has millions of them,
 * and each as a text of its own would take memory.
 */
const OPERATORS = new Map(
  [...PATH_BEGINS, ...PATH_ENDS, 'q', 'Q', 'BT', 'ET', 'BMC', 'BDC', 'EMC', 'ID'].map(word => {
    const octets = Buffer.from(word)
    return [packed(octets, 0, octets.length), word] as const
  }),
)

/**
 * The operators of a content stream that open or close something, in order; all else is passed
 * over.
 */
function* operators(data: Uint8Array): Generator<string> {
  for (let at = 0; at < data.length; ) {
    const octet = data[at] ?? 0
    if (octet === 0x28) at = afterString(data, at)
    else if (octet === 0x25) at = afterComment(data, at)
    else if (octet === 0x3c && data[at + 1] !== 0x3c) {
      const end = data.indexOf(0x3e, at)
      at = end === -1 ? data.length : end + 1
    } else if (octet === 0x2f || isRegular(octet)) {
      const start = at++
      while (isRegular(data[at])) at++
      // Longer runs are numbers, names or damage; no operator has more than three characters.
      if (octet === 0x2f || at - start > 3) continue
      const word = OPERATORS.get(packed(data, start, at))
      if (word === 'ID') at = afterImage(data, at)
      if (word !== undefined) yield word
    } else at++
  }
}

/** More than any sound page has; a bound on what hostile content can make us write. */
const MAX_OPEN = 10_000

/**
 * Counts through decoded content. A part that cannot be read may be left out: then at least one
 * level is kept.
 */
export function balanceContent(data: Uint8Array): Balance {
  let depth = 0
  let lowest = 0
  let text = false
  let path = false
  let marked = 0
  for (const operator of operators(data)) {
    if (operator === 'q') depth++
    else if (operator === 'Q') lowest = Math.min(lowest, --depth)
    else if (operator === 'BT') text = true
    else if (operator === 'ET') text = false
    else if (operator === 'BMC' || operator === 'BDC') marked++
    else if (operator === 'EMC') marked = Math.max(0, marked - 1)
    else if (PATH_BEGINS.has(operator)) path = true
    else if (PATH_ENDS.has(operator)) path = false
  }
  const before = Math.min(MAX_OPEN, 1 - lowest)
  const open = Math.min(MAX_OPEN, depth + before)
  const closing = [
    ...(path ? ['n'] : []),
    ...(text ? ['ET'] : []),
    ...Array<string>(Math.min(MAX_OPEN, marked)).fill('EMC'),
    ...Array<string>(open).fill('Q'),
  ]
  return { before: `${'q '.repeat(before)}\n`, after: `\n${closing.join(' ')}\n` }
}
