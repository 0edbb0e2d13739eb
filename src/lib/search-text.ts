/**
 * Normalises texts for the search index: without case, width and accents; and names for their
 * order.
 */
import { withoutStacks } from './safe-text.ts'

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

// The order of names: a letter with an accent is sorted as the letter without it.

const ACCENTS = /[\u0300-\u036f]/g
const letters = Array.from({ length: 0x180 - 0xc0 }, (_, i) => String.fromCodePoint(0xc0 + i))
const bases = letters.map((letter): [string, string] => [letter, letter.normalize('NFKD').replace(ACCENTS, '')])
const accented = bases.filter(([letter, base]) => letter !== base && /^[A-Za-z]$/.test(base))
/** They do not decompose. */
const others: [string, string][] = ['ßs', 'øo', 'Øo', 'łl', 'Łl', 'đd', 'Đd', 'æa', 'Æa', 'œo', 'Œo'].map(pair => [
  pair.charAt(0),
  pair.charAt(1),
])

/** Accented letters of Latin and, at the same positions, those they are sorted as. */
export const ACCENTED: { from: string; to: string } = {
  from: [...accented, ...others].map(([letter]) => letter).join(''),
  to: [...accented, ...others].map(([, base]) => base).join(''),
}

const BASES = new Map([...ACCENTED.from].map((letter, i) => [letter, ACCENTED.to.charAt(i)]))

/** What a name is sorted by: without case and accents of Latin letters, as both engines do it. */
export function nameKey(name: string): string {
  const plain = [...name].map(letter => BASES.get(letter) ?? letter).join('')
  return plain.replace(/[A-Z]/g, letter => letter.toLowerCase())
}
