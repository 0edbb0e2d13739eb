/** The languages Signet speaks to recipients, and how one is chosen. Knows no words. Pure. */

/** ISO 639-1. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

/** A language's main subtag. RFC 5646 §2.2.1. */
export function primaryTag(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? ''
}

function known(tag: string): Language | undefined {
  const primary = primaryTag(tag)
  return LANGUAGES.find(language => language === primary)
}

/** By the primary tag alone; the other one where there is none, or one that is not supported here. */
export function languageOf(tag: string | undefined, otherwise: Language = 'en'): Language {
  return known(tag ?? '') ?? otherwise
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/** The first supported tag, in the order given; else what the browser prefers most (RFC 9110 §12.5.4); else English. */
export function chooseLanguage(tags: readonly (string | undefined)[], acceptLanguage: string | null): Language {
  for (const tag of tags) {
    const language = tag === undefined ? undefined : known(tag)
    if (language) return language
  }
  return preferred(acceptLanguage ?? '') ?? 'en'
}

const MOST_RANGES = 20

function preferred(header: string): Language | undefined {
  const ranges = header
    .split(',', MOST_RANGES)
    .map(range => {
      const [tag = '', ...parameters] = range.split(';').map(part => part.trim())
      const weight = parameters.find(p => p.startsWith('q='))?.slice(2)
      return { language: known(tag), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(range => range.language !== undefined && range.weight > 0)
  // Sorting is stable: of equal weights the first counts.
  return ranges.sort((a, b) => b.weight - a.weight)[0]?.language
}
