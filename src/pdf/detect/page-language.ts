/**
 * The languages of a page by its most frequent words, or of the pages read before. A form of a few
 * labels has no frequent words: then the words of its labels tell.
 */
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

/** By a phrase: the languages whose labels have it. */
const LABELS = new Map<string, Language[]>()
for (const language of LANGUAGES) {
  const { signature, date, name, initials, place, party } = LABEL_WORDS[language]
  for (const phrase of new Set([signature, date, name, initials, place, party].flat().map(normalizeLabel)))
    LABELS.set(phrase, [...(LABELS.get(phrase) ?? []), language])
}
/** Longer texts are no labels. */
const MAX_LABEL_WORDS = 7

/** A phrase that many languages share tells little. */
function countLabels(texts: readonly string[]): Counts {
  const counts: Counts = new Map()
  for (const text of texts) {
    const words = normalizeLabel(text).split(' ')
    if (words.length > MAX_LABEL_WORDS) continue
    for (const phrase of phrasesOf(words)) {
      const languages = LABELS.get(phrase) ?? []
      for (const language of languages) counts.set(language, (counts.get(language) ?? 0) + 1 / languages.length)
    }
  }
  return counts
}

/** Each run of words, once. */
function phrasesOf(words: readonly string[]): Set<string> {
  const runs = words.flatMap((_, from) => words.slice(from).map((_, length) => words.slice(from, from + length + 1).join(' ')))
  return new Set(runs)
}

export interface PageLanguages {
  languages: Language[]
  /** Two languages or more are as likely: the same word can mean different things in them. */
  isGuessed: boolean
}

function add(sum: Counts, counts: Counts): void {
  for (const [language, number] of counts) sum.set(language, (sum.get(language) ?? 0) + number)
}

export class LanguageCounter {
  readonly #counts: Counts = new Map()
  readonly #labels: Counts = new Map()

  ofPage(texts: readonly string[]): PageLanguages {
    const counts = count(texts)
    add(this.#counts, counts)
    add(this.#labels, countLabels(texts))
    const isLong = Math.max(0, ...counts.values()) >= MIN_WORDS
    return isLong ? { languages: mostFrequent(counts), isGuessed: false } : this.ofDocument()
  }

  ofDocument(): PageLanguages {
    const languages = mostFrequent(this.#counts)
    if (Math.max(0, ...this.#counts.values()) >= MIN_WORDS) return { languages, isGuessed: false }
    const most = Math.max(0, ...this.#labels.values())
    const byLabels = LANGUAGES.filter(language => (this.#labels.get(language) ?? 0) * 2 > most)
    const all = LANGUAGES.filter(language => languages.includes(language) || byLabels.includes(language))
    return { languages: all, isGuessed: languages.length === 0 && byLabels.length > 1 }
  }
}
