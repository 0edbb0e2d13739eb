/**
 * Numbers as people, spreadsheets and programs write them: read to JSON number text, printed and
 * shown. Never guesses what 1.250 means. Bundled for the browser too. Pure.
 */

export const DECIMAL_SEPARATORS = ['comma', 'point'] as const
export type DecimalSeparator = (typeof DECIMAL_SEPARATORS)[number]

/**
 * `number` is JSON number text (RFC 8259 §6) without an exponent, as it is stored. With three
 * decimals it has a fourth, a zero: no text that is stored can be mistaken for thousands.
 */
export type ParsedNumber =
  | { number: string }
  | { unclear: 'decimal'; readings: Record<DecimalSeparator, string> }
  | { error: 'currency' | 'malformed' }

const PLAIN = /^[-+]?\d{1,15}(?:[.,]\d{1,10})?$/
/** Nobody writes thousands with a zero before them. */
const UNCLEAR = /^[-+]?[1-9]\d{0,2}([.,])\d{3}$/
/** Groups of three digits with the same separator throughout, then perhaps decimals. */
const GROUPED = /^[-+]?[1-9]\d{0,2}([.,'’\s])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d{1,10})?$/
const CURRENCY = /^(?:\p{Sc}|[A-Z]{3}|Fr|kr|zł)[.\s]*(?=[-+\d])|(?<=[\d–-])\s*(?:\p{Sc}|[A-Z]{3}|Fr|kr|zł)\.?$/iu

/** `separator`: of decimals, where it is known; a text that could be two numbers is read by it. */
export function parseNumber(entered: string, separator: DecimalSeparator | undefined): ParsedNumber {
  const text = entered.trim().replace(/^[−–]/, '-')
  const [, between] = UNCLEAR.exec(text) ?? []
  if (between !== undefined) {
    const [decimal, whole] = [canonical(text), canonical(text.replace(between, ''))]
    const readings = between === ',' ? { comma: decimal, point: whole } : { comma: whole, point: decimal }
    return separator === undefined ? { unclear: 'decimal', readings } : { number: readings[separator] }
  }
  const [, thousands] = GROUPED.exec(text) ?? []
  const number = thousands === undefined ? text : text.replaceAll(thousands, '')
  if (PLAIN.test(number)) return { number: canonical(number) }
  return { error: CURRENCY.test(text) ? 'currency' : 'malformed' }
}

/**
 * What a person entered on a page of this language. Groups are read as the language writes them;
 * one that would be decimals in it, as 1.250 in English, is unclear: people copy numbers.
 */
export function readEntered(text: string, language: string): ParsedNumber {
  const parsed = parseNumber(text, undefined)
  if (!('unclear' in parsed)) return parsed
  const own = separatorOf(language)
  const isGroup = !text.includes(own === 'comma' ? ',' : '.')
  return isGroup ? { number: parsed.readings[own] } : parsed
}

/**
 * Of a program: JSON number text, in which 1.250 has decimals. A decimal comma, which was accepted
 * before, still is where it cannot be one of thousands.
 */
export function readJsonNumber(text: string): ParsedNumber {
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(text)) return { number: canonical(text) }
  return PLAIN.test(text) && !UNCLEAR.test(text) ? { number: canonical(text) } : { error: 'malformed' }
}

/** Zeros that say nothing are dropped, but two decimals stay, as prices have them. */
function canonical(plain: string): string {
  const [, sign = '', whole = '', decimals = ''] = /^([-+]?)0*(\d+)(?:[.,](\d+))?$/.exec(plain) ?? []
  const kept = decimals.length > 2 ? decimals.slice(0, 2) + decimals.slice(2).replace(/0+$/, '') : decimals
  const padded = kept.length === 3 ? `${kept}0` : kept
  const isZero = !/[1-9]/.test(whole + kept)
  return `${sign === '-' && !isZero ? '-' : ''}${whole}${padded === '' ? '' : `.${padded}`}`
}

/** Whether the text is as this release stores it. Others were stored as they were entered. */
export const isCanonical = (stored: string): boolean =>
  PLAIN.test(stored) && canonical(stored) === stored && !UNCLEAR.test(stored)

/** Of a stored text, also of one of an earlier release, which read every separator as decimals. */
export const numberOf = (stored: string): number => (PLAIN.test(stored) ? Number(stored.replace(',', '.')) : Number.NaN)

/** What conditions compare: 12.5 and 12,50 are one number. */
export function numberKey(text: string): string {
  const number = numberOf(text)
  return Number.isNaN(number) ? text : String(number)
}

function separatorOf(language: string): DecimalSeparator {
  const parts = new Intl.NumberFormat(`${language}-u-nu-latn`).formatToParts(0.5)
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? 'comma' : 'point'
}

const inLanguage = (number: string, language: string) => (separatorOf(language) === 'comma' ? number.replace('.', ',') : number)

/** The zero after three decimals is not printed: it says nothing. */
const withoutFourth = (number: string) => number.replace(/^(.*\.\d{3})0$/, '$1')

/**
 * As the document prints it: the decimals as its language has them, no thousands, since the number
 * may be a year or that of a customer. What an earlier release stored is printed as it was shown.
 */
export function printedNumber(stored: string, language: string): string {
  return isCanonical(stored) ? inLanguage(withoutFourth(stored), language) : stored
}

/** For the entry of a page: what `readEntered` reads as the same number. */
export function enteredNumber(stored: string, language: string): string {
  return isCanonical(stored) ? inLanguage(stored, language) : stored
}

/** To be read by a person: thousands with spaces, which no language has as decimals. */
export function shownNumber(stored: string, language: string): string {
  const [whole = '', decimals] = withoutFourth(stored).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0')
  return decimals === undefined ? grouped : `${grouped}${separatorOf(language) === 'comma' ? ',' : '.'}${decimals}`
}

/** The numbers that an unclear text could be, the larger first: as they are entered and shown. */
export function choicesOf(
  { readings }: Extract<ParsedNumber, { unclear: string }>,
  language: string,
): { entered: string; shown: string }[] {
  const both = [readings.comma, readings.point].sort((a, b) => Math.abs(numberOf(b)) - Math.abs(numberOf(a)))
  return both.map(number => ({ entered: enteredNumber(number, language), shown: shownNumber(number, language) }))
}

// How sizes of files are written in a language.

/** In megabytes, below one in kilobytes. */
export function fileSize(bytes: number, language: string): string {
  const [unit, value] = bytes >= 1_000_000 ? ['megabyte', bytes / 1_000_000] : ['kilobyte', bytes / 1_000]
  return new Intl.NumberFormat(language, { style: 'unit', unit: String(unit), maximumFractionDigits: 1 }).format(Number(value))
}
