/** The languages of a page by its most frequent words, or of the pages read before. */
import { LANGUAGES, type Language } from '../../core/language.ts'
import { normalizeLabel } from './label-kind.ts'
import { LABEL_WORDS } from './label-words.ts'

type Counts = Map<Language, number>

/** A page with fewer frequent words is too short to tell. */
const MIN_WORDS = 8
const MAX_TEXT = 20_000

const STOP_WORDS = new Map(LANGUAGES.map(language => [language, new Set([...LABEL_WORDS[language].stop].map(normalizeLabel))]))

function count(texts: readonly string[]): Counts {
  const counts: Counts = new Map()
  const words = normalizeLabel(texts.join(' ').slice(0, MAX_TEXT)).split(' ')
  for (const [language, stop] of STOP_WORDS) counts.set(language, words.filter(word => stop.has(word)).length)
  return counts
}

/** The most frequent language, and others that are at least half as frequent. */
function mostFrequent(counts: Counts): Language[] {
  const most = Math.max(0, ...counts.values())
  return LANGUAGES.filter(language => most > 0 && (counts.get(language) ?? 0) * 2 >= most)
}

export class LanguageCounter {
  readonly #counts: Counts = new Map()

  ofPage(texts: readonly string[]): Language[] {
    const counts = count(texts)
    for (const [language, number] of counts) this.#counts.set(language, (this.#counts.get(language) ?? 0) + number)
    const isLong = Math.max(0, ...counts.values()) >= MIN_WORDS
    return mostFrequent(isLong ? counts : this.#counts)
  }

  ofDocument(): Language[] {
    return mostFrequent(this.#counts)
  }
}
