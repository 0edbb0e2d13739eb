/** The initials proposed to a person, from their own name. Pure. */

const WORD = /^\p{L}/u
/** "Dr.", "Prof." and "Jr.", but not the initial of "J. Smith". */
const TITLE = /^\p{L}{2,}\.$/u
const BEGINS_LOWER = /^\p{Ll}/u
const HAS_CASE = /^[\p{Lu}\p{Ll}\p{Lt}]/u
const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** A vowel of Thai and Lao that is written before its consonant. */
const LEADING_VOWEL = /^[\u0e40-\u0e44\u0ec0-\u0ec4]/u
/** Tones and points, which an initial is written without. */
const POINTS = /(?<=[\p{Script=Thai}\p{Script=Lao}\p{Script=Arabic}\p{Script=Hebrew}])\p{Mn}+/gu
/** Arabic "the" before a name, and "son of", "daughter of" between names. */
const ARTICLE = /^ال(?=\p{L}{3})/u
const DESCENT = /^(بن|ابن|بنت)$/u
/** More are not read as initials. */
const MAX_LETTERS = 4
/** A short East Asian name is not shortened further. */
const MAX_CHARACTERS = 6

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const piecesOf = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment)

/**
 * "Anna-Lena von Berg" is ALvB: a particle keeps its small letter and is left out of a longer name.
 * Letters without case get dots, since joined Arabic letters would read as a word. A name in Han,
 * kana or Hangul gives its first word: the family name, or the whole name. Empty for a name
 * without letters.
 */
export function initialsOf(name: string): string {
  const [first = '', ...rest] = name
    .normalize('NFC')
    .split(/[\s-]+/u)
    .filter(word => WORD.test(word) && !TITLE.test(word))
  if (EAST_ASIAN.test(first)) return piecesOf(first).slice(0, MAX_CHARACTERS).join('')
  const words = [first, ...rest].filter(word => word !== '' && !DESCENT.test(word))
  return HAS_CASE.test(first) ? capitals(words) : words.slice(0, MAX_LETTERS).map(letterOf).join('.')
}

function capitals(words: string[]): string {
  const isWritten = words.some(word => !BEGINS_LOWER.test(word))
  const names = isWritten ? words.filter(word => !BEGINS_LOWER.test(word)) : words
  const shown = words.length > MAX_LETTERS ? names : words
  const chosen = shown.length > MAX_LETTERS ? [...shown.slice(0, MAX_LETTERS - 1), shown.at(-1) ?? ''] : shown
  return chosen.map(word => (isWritten ? letterOf(word) : letterOf(word).toLocaleUpperCase('und'))).join('')
}

function letterOf(word: string): string {
  return piecesOf(word.replace(ARTICLE, '').replace(LEADING_VOWEL, '').replace(POINTS, ''))[0] ?? ''
}
