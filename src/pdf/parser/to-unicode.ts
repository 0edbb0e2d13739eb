/** Reads from a ToUnicode CMap the text of each code of a font. ISO 32000-2 §9.10.3. */
import { EMPTY_BYTES, fromHex, toLatin1, toUtf16 } from '../../lib/bytes.ts'

/** By the code in lower-case hexadecimal digits, as the CMap writes it. */
export type CodeTexts = ReadonlyMap<string, string>

const MAX_CODES = 70_000
/** A code has one to four bytes (§9.7.6.2). */
const MAX_CODE_DIGITS = 8
/** A text has 512 bytes at most (Adobe Technical Note 5411). */
const MAX_TEXT_DIGITS = 1_024
const ITEM = /<([0-9A-Fa-f\s]*)>|[[\]]/g

/** Undefined unless it is UTF-16BE, or one octet, as some products write ASCII. */
function textOfHex(hex: string): string | undefined {
  if (hex.length > MAX_TEXT_DIGITS) return undefined
  // An odd last digit counts for nothing, and a bracket in place of a text is an empty one.
  const bytes = fromHex(hex.slice(0, hex.length & ~1)) ?? EMPTY_BYTES
  if (bytes.length === 1) return toLatin1(bytes)
  return bytes.length % 2 === 0 ? toUtf16(bytes) : undefined
}

class TextsByCode {
  readonly texts = new Map<string, string>()
  readonly #doubled = new Set<string>()
  #left = MAX_CODES

  /** Readers disagree on a code with two texts, so it has none. Each code counts, also that one. */
  add(code: string, text: string | undefined): void {
    if (text === undefined || code.length > MAX_CODE_DIGITS || this.#left-- <= 0 || this.#doubled.has(code)) return
    if ((this.texts.get(code) ?? text) === text) this.texts.set(code, text)
    else {
      this.texts.delete(code)
      this.#doubled.add(code)
    }
  }

  /** The last UTF-16 unit of the text counts up with the code. */
  addRange(first: string, last: string, text: string | undefined): void {
    const [start, end] = [Number.parseInt(first, 16), Number.parseInt(last, 16)]
    if (text === undefined || text === '' || Math.max(first.length, last.length) > MAX_CODE_DIGITS) return
    const [head, unit] = [text.slice(0, -1), text.charCodeAt(text.length - 1)]
    for (let code = start; code <= end && this.#left > 0; code++)
      this.add(code.toString(16).padStart(first.length, '0'), head + String.fromCharCode(unit + code - start))
  }
}

function addRanges(found: TextsByCode, items: readonly string[]): void {
  for (let i = 0; i + 2 < items.length; ) {
    const [first = '', last = '', text = ''] = items.slice(i, i + 3)
    i += 3
    if (text !== '[') {
      found.addRange(first, last, textOfHex(text))
      continue
    }
    for (let code = Number.parseInt(first, 16); i < items.length && items[i] !== ']'; code++, i++)
      found.add(code.toString(16).padStart(first.length, '0'), textOfHex(items[i] ?? ''))
    i++
  }
}

/** The parts between `beginbfchar` or `beginbfrange` and their ends. */
function* sectionsOf(cmap: string): Generator<{ isRange: boolean; section: string }> {
  for (let at = cmap.indexOf('beginbf'); at !== -1; at = cmap.indexOf('beginbf', at)) {
    const end = cmap.indexOf('endbf', at)
    if (end === -1) return
    yield { isRange: cmap.startsWith('range', at + 'beginbf'.length), section: cmap.slice(at, end) }
    at = end
  }
}

export function readToUnicode(cmap: Uint8Array): CodeTexts {
  const found = new TextsByCode()
  for (const { isRange, section } of sectionsOf(toLatin1(cmap))) {
    const items = [...section.matchAll(ITEM)].map(([item, hex]) => hex?.replace(/\s/g, '').toLowerCase() ?? item)
    if (isRange) addRanges(found, items)
    else for (let i = 0; i + 1 < items.length; i += 2) found.add(items[i] ?? '', textOfHex(items[i + 1] ?? ''))
  }
  return found.texts
}
