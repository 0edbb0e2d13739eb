/** Prints dates. The stored value of a date is always ISO 8601; only what is read differs. Pure. */
import { type Language, languageOf, primaryTag } from '../language.ts'
import { type DateFormat, type Field, isDate } from './field.ts'
import { printedNumber } from './number.ts'

/** A language, where it is known with its region, as the tag of a locale. */
export type DateLanguage = string

/** The language of a document's dates. `fallback`: of a document without a supported one. */
export function dateLanguage(locale: string | undefined, fallback: Language): DateLanguage {
  const language = languageOf(locale, fallback)
  // The region decides the order of day and month. Other subtags do not matter here.
  const region =
    primaryTag(locale ?? '') === language ? /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})(?:-|$)/i.exec(locale ?? '')?.[1] : undefined
  if (region !== undefined) return `${language}-${region.toUpperCase()}`
  return language === 'en' ? 'en-GB' : language
}

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/** `value`: YYYY-MM-DD; any other text is printed as it is. */
export function printedDate(value: string, format: DateFormat | undefined, language: DateLanguage): string {
  const [, year = '', month = '', day = ''] = ISO_DAY.exec(value) ?? []
  const moment = new Date(`${value}T00:00:00Z`)
  if (year === '' || Number.isNaN(moment.getTime())) return value
  if (format === undefined) return longDate(moment, language)
  const parts: Record<string, () => string> = {
    YYYY: () => year,
    MMMM: () => monthName(moment, language, 'long'),
    MMM: () => monthName(moment, language, 'short'),
    MM: () => month,
    DD: () => day,
    D: () => String(Number(day)),
  }
  return format.replace(/YYYY|MMMM|MMM|MM|DD|D/g, part => parts[part]?.() ?? part)
}

/** The value of a field as it is printed. */
export function printedValue(
  { type, dateFormat }: Pick<Field, 'type' | 'dateFormat'>,
  value: string,
  language: DateLanguage,
): string {
  if (type === 'number') return printedNumber(value, language)
  return isDate(type) ? printedDate(value, dateFormat, language) : value
}

/** In the Gregorian calendar, with digits that all readers of the document know. */
function formatter(language: DateLanguage, month: 'long' | 'short'): Intl.DateTimeFormat {
  const options = { timeZone: 'UTC', day: 'numeric', month, year: 'numeric' } as const
  return new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, options)
}

function longDate(moment: Date, language: DateLanguage): string {
  return withoutMarks(formatter(language, 'long').format(moment))
}

/** As in a date: some languages inflect it. */
function monthName(moment: Date, language: DateLanguage, length: 'long' | 'short'): string {
  const parts = formatter(language, length).formatToParts(moment)
  return withoutMarks(parts.find(({ type }) => type === 'month')?.value ?? '')
}

/** Direction marks and narrow blanks, which not all fonts have. */
function withoutMarks(text: string): string {
  return text.replace(/[\u200e\u200f\u061c]/g, '').replace(/\u202f/g, '\u00a0')
}
