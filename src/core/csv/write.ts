/** Writes CSV (RFC 4180) that spreadsheets open safely. Pure. */
import { printedDate } from '../field/date-format.ts'
import { type Field, hasOptions, isDate } from '../field/field.ts'
import type { AppLanguage } from '../language.ts'
import { type Column, columnsOf, columnTitle, type TemplateForm } from './columns.ts'
import type { Delimiter } from './read.ts'

/** Excel takes a file without it for the encoding of the machine. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * A spreadsheet would run a cell that begins like a formula: an apostrophe makes it text. Where
 * semicolons separate cells, as in Germany, a cell can also begin within one of ours; and Japanese
 * ones accept full-width characters. A cell that has the apostrophe already gets one more, so that
 * each reading takes out the one that was written.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const inert = (cell: string): string => cell.replace(/(?<=^|[;\t\r\n])(?='*[=+\-@＝＋－＠])/g, "'")

/** Takes the apostrophes out again, of a file that was downloaded here and mended. */
export const withoutApostrophes = (cell: string): string => cell.replace(/(?<=^|[;\t\r\n])'(?='*[=+\-@＝＋－＠])/g, '')

/** One row with its end. */
export function csvRow(cells: readonly string[], delimiter: Delimiter = ','): string {
  return `${cells.map(cell => `"${inert(cell).replaceAll('"', '""')}"`).join(delimiter)}\r\n`
}

/** The one that a spreadsheet of this language expects: a decimal comma leaves it the semicolon. */
export function usualDelimiter(language: AppLanguage): Delimiter {
  return language === 'de' ? ';' : ','
}

// The example line of the file that people download to fill in.

const NAMES = ['Anna Berg', 'Bo Lind', 'Carla Rossi', 'Daniel Kim', 'Eva Nowak']
const NAMES_COUNT = NAMES.length

function exampleName(index: number): string {
  const round = Math.floor(index / NAMES_COUNT)
  return `${NAMES[index % NAMES_COUNT]}${round === 0 ? '' : ` ${round + 1}`}`
}

/** Of a domain that nobody has. RFC 2606. */
const exampleAddress = (index: number): string => `${exampleName(index).toLowerCase().replaceAll(' ', '.')}@example.com`

const YES: Record<AppLanguage, string> = { en: 'yes', de: 'ja' }
const TEXT: Record<AppLanguage, string> = { en: 'Text', de: 'Text' }
const DAY = '2026-12-31'

function exampleValue(field: Field, language: AppLanguage): string {
  if (field.value !== undefined && field.type !== 'checkbox') return field.value
  if (hasOptions(field.type)) return field.options[0] ?? ''
  if (isDate(field.type)) return field.dateFormat ? printedDate(DAY, field.dateFormat, language) : DAY
  if (field.type === 'checkbox') return YES[language]
  if (field.type === 'number') return String(field.min ?? Math.min(100, field.max ?? 100))
  if (field.type === 'name') return exampleName(0)
  return field.type === 'email' ? exampleAddress(0) : TEXT[language]
}

/** A file with the header and one example line, ready to be opened in a spreadsheet. */
export function templateFile(template: TemplateForm, language: AppLanguage): string {
  const roles = template.recipients.map(({ id }) => id)
  const cells = ({ role, part }: Column) => {
    const index = role === undefined ? 0 : roles.indexOf(role.id)
    if (part === 'name') return exampleName(index)
    if (typeof part !== 'string') return exampleValue(part, language)
    return part === 'email' ? exampleAddress(index) : ''
  }
  const columns = columnsOf(template)
  const delimiter = usualDelimiter(language)
  const titles = columns.map(column => columnTitle(column, language, roles.length === 1))
  return BYTE_ORDER_MARK + csvRow(titles, delimiter) + csvRow(columns.map(cells), delimiter)
}

/** Spreadsheets rewrite dates and numbers, so only the people of the line tell it. */
export function isExample(template: TemplateForm, people: readonly { name: string; email: string }[]): boolean {
  return (
    template.recipients.length > 0 && people.every(({ name, email }, i) => name === exampleName(i) && email === exampleAddress(i))
  )
}
