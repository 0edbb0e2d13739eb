/** Reads dates as people and spreadsheets write them; never guesses between two days. Pure. */
import { DAY_MS } from '../../lib/duration.ts'
import { printedDate } from '../field/date-format.ts'
import type { DateFormat } from '../field/field.ts'
import { LANGUAGES } from '../language.ts'
import { type Violation, violation } from '../violation.ts'
import { plainWord } from './words.ts'

/** Of a date such as 03/04/2026. */
export const DATE_ORDERS = ['day-first', 'month-first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/** How a column of dates is to be read; undefined members have not been asked yet. */
export interface DateReading {
  order?: DateOrder | undefined
  /** Whether numbers such as 46115 are the days that Excel counts. */
  hasSerialNumbers?: boolean | undefined
}

export type ParsedDate =
  | { iso: string }
  | { unclear: 'order'; readings: Record<DateOrder, string> }
  | { unclear: 'serial'; iso: string }
  | { error: Violation }

const NOT_A_DATE = violation('not_a_date')

export function parseDate(text: string, format: DateFormat | undefined, reading: DateReading): ParsedDate {
  // The year comes first in one order only.
  const [, year, , month, day] = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?:[T ]0?0:00(?::00(?:\.0+)?)?)?$/.exec(text) ?? []
  if (year !== undefined) return dateOf(year, month, day)
  if (/^\d{5}$/.test(text)) return serialDate(text, reading)
  const [, first, separator, second, last] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?: 0?0:00(?::00)?)?$/.exec(text) ?? []
  if (first !== undefined) return numericDate([first, second, last], orderOf(format, separator) ?? reading.order)
  if (/^\d{1,2}([./-])(?:\d{1,2}|\p{L}+)\1\d{2}$/u.test(text)) return { error: violation('short_year') }
  return wordDate(text)
}

function dateOf(year = '', month = '', day = ''): ParsedDate {
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const moment = new Date(`${iso}T00:00:00Z`)
  // JavaScript takes 31 April for 1 May.
  const exists = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(iso)
  return exists ? { iso } : { error: NOT_A_DATE }
}

/** Dots are only written between a day and a month. */
function orderOf(format: DateFormat | undefined, separator: string | undefined): DateOrder | undefined {
  if (separator === '.') return 'day-first'
  if (format === 'MM/DD/YYYY' || format === 'MMMM D, YYYY') return 'month-first'
  return format === undefined || format === 'YYYY-MM-DD' ? undefined : 'day-first'
}

function numericDate([first = '', second = '', year = '']: (string | undefined)[], order: DateOrder | undefined): ParsedDate {
  const readings = { 'day-first': dateOf(year, second, first), 'month-first': dateOf(year, first, second) }
  if (order) return readings[order]
  const [dayFirst, monthFirst] = [readings['day-first'], readings['month-first']]
  if (!('iso' in dayFirst)) return monthFirst
  if (!('iso' in monthFirst) || dayFirst.iso === monthFirst.iso) return dayFirst
  return { unclear: 'order', readings: { 'day-first': dayFirst.iso, 'month-first': monthFirst.iso } }
}

/** Day 1 is 1 January 1900. Excel also counts the 29 February that 1900 did not have. */
const SERIAL_ZERO = Date.UTC(1899, 11, 30)

function serialDate(text: string, { hasSerialNumbers }: DateReading): ParsedDate {
  const iso = new Date(SERIAL_ZERO + Number(text) * DAY_MS).toISOString().slice(0, 10)
  if (hasSerialNumbers === undefined) return { unclear: 'serial', iso }
  return hasSerialNumbers ? { iso } : { error: NOT_A_DATE }
}

/** With the name of a month, such as "30 April 2026", "30-Apr-2026" or "April 30, 2026". */
function wordDate(text: string): ParsedDate {
  const [, dayBefore, word = '', dayAfter, year] =
    /^(?:(\d{1,2})(?:\.|er|º)?[\s-]+(?:de\s+)?)?(\p{L}[\p{L}\p{M}]*)\.?(?:\s+(\d{1,2}),?)?[\s-]+(?:de\s+)?(\d{4})$/u.exec(text) ??
    []
  const day = dayBefore ?? dayAfter
  const month = monthsByName().get(plainWord(word))
  if (month === undefined || day === undefined || (dayBefore !== undefined && dayAfter !== undefined))
    return { error: NOT_A_DATE }
  return dateOf(year, String(month), day)
}

/** The names of months, long and short, in the languages of recipients. Made at the first use. */
const monthsByName = memoized(() => {
  const months = new Map<string, number>()
  for (const language of LANGUAGES)
    for (const format of ['D MMM YYYY', 'D MMMM YYYY'] as const)
      for (let month = 1; month <= 12; month++) {
        const printed = printedDate(`2026-${String(month).padStart(2, '0')}-01`, format, language)
        months.set(plainWord(printed.replace(/^1 | 2026$/g, '')), month)
      }
  return months
})

function memoized<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
