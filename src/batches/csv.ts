/** The rows of a batch from a CSV file, read without asking anybody. */
import { allColumnsOf, columnTitle, headerTitle } from '../core/csv/columns.ts'
import { readCsv } from '../core/csv/read.ts'
import { columnOfPath, type FileRows, mappingOf, type Question, rowsToUses } from '../core/csv/rows.ts'
import type { Document } from '../core/document/document.ts'
import { printedNumber } from '../core/field/number.ts'
import { languageOf } from '../core/language.ts'
import { errorAt, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import type { NewBatchRow } from '../core/template/batch.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { RowPath } from './rules.ts'

export interface CsvRows {
  rows: NewBatchRow[]
  /** `line 5, Tenant e-mail`. */
  pathOf: RowPath
}

/** Every column must be one of the template. @throws Refusal `validation_failed` with all errors */
export function rowsFromCsv(bytes: Uint8Array, template: Document): CsvRows {
  const table = readCsv(bytes, { language: languageOf(template.locale) })
  const mapping = mappingOf(table, template)
  const unknown = mapping.flatMap((key, i) => (key === undefined ? [headerTitle(table.header, i)] : []))
  const names = allColumnsOf(template).map(column => columnTitle(column, 'en', template.recipients.length === 1))
  const read = rowsToUses(table, template, { mapping })
  const missing = read.missing.map(column => columnTitle(column, 'en', template.recipients.length === 1))
  const placeOf = (line: number, column: number | undefined) =>
    column === undefined ? `line ${line}` : `line ${line}, ${headerTitle(table.header, column)}`
  refuseIfInvalid([
    ...unknown.map(path => errorAt(path, violation('unknown_column', { names }))),
    ...missing.map(path => errorAt(path, violation('column_missing'))),
  ])
  refuseIfInvalid(errorsIn(read, placeOf))
  const lines = read.uses.map(({ line }) => line)
  const pathOf: RowPath = (i, path) => placeOf(lines[i] ?? 0, columnOfPath(path, template, mapping))
  return { rows: read.uses, pathOf }
}

function errorsIn({ errors, questions }: FileRows, placeOf: (line: number, column?: number) => string): ValidationError[] {
  return [...errors, ...questions.map(question => ({ ...question, found: unclearIn(question) }))]
    .sort((a, b) => a.line - b.line)
    .map(({ line, column, found }) => errorAt(placeOf(line, column), found))
}

/** A program is not asked: it writes what has one meaning. */
function unclearIn(question: Question): Violation {
  if (question.unclear === 'serial') return violation('spreadsheet_number', { iso: question.iso })
  if (question.unclear === 'decimal') {
    const { comma, point } = question.readings
    return violation('ambiguous_number', { comma: printedNumber(comma, 'en'), point: printedNumber(point, 'en') })
  }
  const { 'day-first': dayFirst, 'month-first': monthFirst } = question.readings
  return violation('ambiguous_date', { dayFirst, monthFirst })
}
