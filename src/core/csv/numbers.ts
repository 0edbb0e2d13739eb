/** Reads numbers as people and spreadsheets write them; never guesses what 1.250 means. Pure. */

export const DECIMAL_SEPARATORS = ['comma', 'point'] as const
export type DecimalSeparator = (typeof DECIMAL_SEPARATORS)[number]

/** `number` has no thousands separators. */
export type ParsedNumber =
  | { number: string }
  | { unclear: 'decimal'; readings: Record<DecimalSeparator, string> }
  | { error: string }

const PLAIN = /^[-+]?\d{1,15}(?:[.,]\d{1,10})?$/
/** Nobody writes thousands with a zero before them. */
const UNCLEAR = /^[-+]?[1-9]\d{0,2}([.,])\d{3}$/
/** Groups of three digits with the same separator throughout, then perhaps decimals. */
const GROUPED = /^[-+]?[1-9]\d{0,2}([.,'’\s])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d{1,10})?$/
const CURRENCY = /^(?:\p{Sc}|[A-Z]{3}|Fr|kr|zł)[.\s]*(?=[-+\d])|(?<=[\d–-])\s*(?:\p{Sc}|[A-Z]{3}|Fr|kr|zł)\.?$/iu

/** `separator`: of the decimals of this column, once that is known. */
export function parseNumber(text: string, separator: DecimalSeparator | undefined): ParsedNumber {
  const [, between] = UNCLEAR.exec(text) ?? []
  if (between !== undefined) {
    const whole = text.replace(between, '')
    const readings = between === ',' ? { comma: text, point: whole } : { comma: whole, point: text }
    return separator === undefined ? { unclear: 'decimal', readings } : { number: readings[separator] }
  }
  const [, thousands] = GROUPED.exec(text) ?? []
  const number = thousands === undefined ? text : text.replaceAll(thousands, '')
  if (PLAIN.test(number)) return { number }
  if (CURRENCY.test(text)) return { error: 'must be the number alone, such as 1250.50: remove the currency' }
  return { error: 'must be a number such as 1250, 12.50 or 1,250.50' }
}
