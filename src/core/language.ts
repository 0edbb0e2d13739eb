/** The languages of recipients' pages and mails, and how one is chosen. Pure. */
import { type Violation, violation } from './violation.ts'

/** ISO 639-1. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

/** The languages of the web app. */
export const APP_LANGUAGES = ['en', 'de'] as const satisfies readonly Language[]
export type AppLanguage = (typeof APP_LANGUAGES)[number]

/** A language's main subtag. RFC 5646 §2.2.1. */
export function primaryTag(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? ''
}

function supported<T extends Language>(tag: string, languages: readonly T[]): T | undefined {
  const primary = primaryTag(tag)
  return languages.find(language => language === primary)
}

/** The language of the tag's primary subtag; the fallback for no tag or an unsupported one. */
export function languageOf(tag: string | undefined, fallback: Language = 'en'): Language {
  return supported(tag ?? '', LANGUAGES) ?? fallback
}

/** Languages without pages of ours are shown in English; a code that is no language is refused. */
export function localeError(tag: string | null | undefined): Violation | undefined {
  if (tag === undefined || tag === null || tag === '') return undefined
  const primary = primaryTag(tag)
  if (LANGUAGE_SUBTAG.test(primary) && NAMES.of(primary) !== undefined) return undefined
  return violation('unknown_language', { code: primary })
}

/** Of BCP 47 as Unicode uses it: for other texts `Intl` throws. Unicode TS 35 §3.2. */
const LANGUAGE_SUBTAG = /^(?:[a-z]{2,3}|[a-z]{5,8})$/

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/** The first supported tag, else the browser's preference (RFC 9110 §12.5.4), else English. */
export function chooseLanguage(tags: readonly (string | undefined)[], acceptLanguage: string | null): Language {
  for (const tag of tags) {
    const language = tag === undefined ? undefined : supported(tag, LANGUAGES)
    if (language) return language
  }
  return preferred(acceptLanguage ?? '', LANGUAGES) ?? 'en'
}

/** The person's own choice, else the browser's preference, else English. */
export function chooseAppLanguage(chosen: string | undefined, acceptLanguage: string | null): AppLanguage {
  const own = APP_LANGUAGES.find(language => language === chosen)
  return own ?? preferred(acceptLanguage ?? '', APP_LANGUAGES) ?? 'en'
}

const MAX_RANGES = 20

function preferred<T extends Language>(header: string, languages: readonly T[]): T | undefined {
  const ranges = header
    .split(',', MAX_RANGES)
    .map(range => {
      const [tag = '', ...parameters] = range.split(';').map(part => part.trim())
      const weight = parameters.find(p => p.startsWith('q='))?.slice(2)
      return { language: supported(tag, languages), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(range => range.language !== undefined && range.weight > 0)
  // The sort is stable: the first of equal weights wins.
  return ranges.sort((a, b) => b.weight - a.weight)[0]?.language
}
