/** Normalises texts for the search index: without case, width and accents. */
import { withoutStacks } from './safe-text.ts'

/** Of Latin, Greek and Cyrillic; the vowel signs of other scripts are letters. */
const ACCENTS = /[\u0300-\u036f]/g
/** Reserved for `partitionMark`. */
const PRIVATE_USE = /[\ue000-\uf8ff]/g

/** Maps spellings of a word to one text: `MÜLLER` and `Muller`, `Straße` and `STRASSE`. */
export function foldText(text: string): string {
  const bare = withoutStacks(text).normalize('NFKD').replace(ACCENTS, '').replace(PRIVATE_USE, '')
  // Upper case first: it turns ß into SS and both small sigmas into one letter.
  return bare.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
}

/** Numbers in a partition of the index: a search in one takes a few milliseconds at most. */
export const PARTITION = 65_536
const MARK_BASE = 0xe000
const MARK_DIGITS = 6000

/** Mark of the numbers below 0, which are unordered. */
const UNORDERED = '\uf8ff\uf8ff\uf8ff'

/** Three characters that no folded text contains: a trigram that identifies the partition. */
export function partitionMark(number: number): string {
  if (number < 0) return UNORDERED
  const partition = Math.floor(number / PARTITION)
  const digit = (value: number) => String.fromCharCode(MARK_BASE + (value % MARK_DIGITS))
  return `${digit(partition)}${digit(Math.floor(partition / MARK_DIGITS))}\uf8ff`
}

export function searchText(number: number, text: string): string {
  return `${partitionMark(number)}\n${foldText(text)}`
}

const MAX_TRIGRAMS = 8

/** Some trigrams, spread over the text; none for fewer than three characters. */
export function trigramsOf(folded: string): string[] {
  const characters = [...folded]
  const all = characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''))
  const count = Math.min(MAX_TRIGRAMS, all.length)
  const step = count > 1 ? (all.length - 1) / (count - 1) : 0
  return [...new Set(Array.from({ length: count }, (_, i) => all[Math.round(i * step)] ?? ''))]
}
