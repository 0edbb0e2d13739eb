/** Writes CSV (RFC 4180) that spreadsheets open safely. Pure. */
import type { AppLanguage } from '../language.ts'
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
