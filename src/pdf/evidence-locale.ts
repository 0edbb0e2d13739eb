/** Which language the certificate pages speak, and which form Han characters take there, for a BCP 47 tag. Knows no words. */
import type { Han } from './itemise.ts'

/** ISO 639-1 codes of the languages the pages can speak. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

function primaryTag(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? ''
}

/** By the primary tag alone (RFC 5646 §2.2.1); English where there is none, or one the pages do not speak. */
export function languageOf(tag: string | undefined): Language {
  const primary = primaryTag(tag ?? '')
  return LANGUAGES.find(language => language === primary) ?? 'en'
}

/** Whose Han characters a text has that holds no others; nothing where the language does not tell. */
export function hanOfLocale(tag: string | undefined): Han | undefined {
  const primary = primaryTag(tag ?? '')
  if (primary === 'ja') return 'Jpan'
  if (primary === 'ko') return 'Kore'
  return primary === 'zh' ? 'Hans' : undefined
}
