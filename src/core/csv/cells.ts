/** Turns the text of one cell into a value, an error that says what to do, or a question. Pure. */
import { cleanValue, type Field, hasOptions, isDate, maxLengthOf } from '../field/field.ts'
import { type DecimalSeparator, numberOf, type ParsedNumber, parseNumber } from '../field/number.ts'
import type { Found } from '../refusal.ts'
import { cleanLine, cleanText, emailError } from '../text.ts'
import { type Violation, violation } from '../violation.ts'
import type { Column } from './columns.ts'
import { type DateReading, type ParsedDate, parseDate } from './dates.ts'
import { tickOf } from './words.ts'

/** How the dates and numbers of a column are to be read; undefined: not asked yet. */
export interface CellReading extends DateReading {
  decimalSeparator?: DecimalSeparator | undefined
}

/** A date that could be two days, a number that could be one, or that could be two numbers. */
export type Unclear = Extract<ParsedDate | ParsedNumber, { unclear: string }>

/** `value` is undefined for an empty cell. */
export type Cell = { value: string | boolean | undefined } | { error: Found } | Unclear

/** Excel shows and saves a long number like this: its last digits are gone. */
const SCIENTIFIC = /^[-+]?\d(?:[.,]\d+)?E[-+]\d{2,}$/i

export function cellOf(text: string, { part, isRequired }: Column, reading: CellReading): Cell {
  const value = cleanText(text)
  if (value === '') return isRequired ? { error: violation('empty') } : { value: undefined }
  if (SCIENTIFIC.test(value)) return { error: violation('lost_digits') }
  if (part === 'name' || part === 'title') return { value: cleanLine(text) }
  return part === 'email' ? addressCell(cleanLine(text)) : fieldCell(value, part, reading)
}

function addressCell(value: string): Cell {
  const error = emailError(value)
  return error === undefined ? { value } : { error }
}

function fieldCell(value: string, field: Field, reading: CellReading): Cell {
  if (isDate(field.type)) return dateCell(parseDate(value, field.dateFormat, reading))
  if (field.type === 'checkbox') return tickCell(value)
  if (hasOptions(field.type)) return choiceCell(value, field)
  if (field.type === 'email') return addressCell(value)
  if (field.type === 'number') return numberCell(parseNumber(value, reading.decimalSeparator), field)
  const error = lengthError(value, field)
  return error === undefined ? { value: cleanValue(field, value) } : { error }
}

const NUMBER_ERRORS = { currency: violation('number_with_currency'), malformed: violation('malformed_number') }

function numberCell(parsed: ParsedNumber, { min, max }: Field): Cell {
  if ('error' in parsed) return { error: NUMBER_ERRORS[parsed.error] }
  if ('unclear' in parsed) return parsed
  const number = numberOf(parsed.number)
  if (min !== undefined && number < min) return { error: violation('too_small', { min }) }
  return max !== undefined && number > max ? { error: violation('too_large', { max }) } : { value: parsed.number }
}

function lengthError(text: string, field: Field): Violation | undefined {
  const max = maxLengthOf(field)
  return [...text].length > max ? violation('too_long', { max }) : undefined
}

function dateCell(date: ParsedDate): Cell {
  return 'unclear' in date || 'error' in date ? date : { value: date.iso }
}

function tickCell(text: string): Cell {
  const value = tickOf(text)
  return value === undefined ? { error: violation('not_yes_or_no') } : { value }
}

const MAX_NAMED_CHOICES = 10

function choiceCell(text: string, { options }: Field): Cell {
  const value = cleanLine(text)
  if (options.includes(value)) return { value }
  const choices = options.slice(0, MAX_NAMED_CHOICES)
  return { error: violation('not_a_choice', { choices, hasMore: options.length > MAX_NAMED_CHOICES }) }
}
