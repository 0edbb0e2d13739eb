/** Reads the list of a draft: good rows, errors of the others, and what has to be asked. */
import type { CellReading } from '../core/csv/cells.ts'
import { allColumnsOf, columnTitle, headerTitle, type Mapping } from '../core/csv/columns.ts'
import { type CsvTable, type Delimiter, type Encoding, readCsv } from '../core/csv/read.ts'
import { columnOfPath, type FileRows, mappingOf, type Question, rowsToUses } from '../core/csv/rows.ts'
import type { Document } from '../core/document/document.ts'
import type { Json } from '../core/document/event.ts'
import { printedNumber } from '../core/field/number.ts'
import { languageOf } from '../core/language.ts'
import { errorAt, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { type Batch, type NewBatchRow, repeatsIn } from '../core/template/batch.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { App } from '../ports.ts'
import { errorsInRows, type RowPath } from './rules.ts'

/** How a person wants a list to be read; kept with the draft as JSON. */
export interface ListChoices {
  encoding?: Encoding
  delimiter?: Delimiter
  /** By position in the file: a key of the template, or `IGNORED`. */
  columns: Record<string, string>
  /** By the key of a column. */
  answers: Record<string, CellReading>
}

/** As a draft keeps them. */
export const choicesAsJson = (choices: ListChoices) => choices as unknown as Json

export const NO_CHOICES: ListChoices = { columns: {}, answers: {} }

export const choicesFromJson = (json: Json): ListChoices => ({ ...NO_CHOICES, ...(json as unknown as ListChoices) })

export interface ReadList extends FileRows {
  table: CsvTable
  mapping: Mapping
  /** Lines with errors. */
  faulty: ReadonlySet<number>
}

interface List {
  template: Document
  source: Uint8Array
}

/** @throws Refusal `validation_failed` if the file cannot be read with these choices */
export async function readList(
  app: App,
  list: List & { batch: Pick<Batch, 'ownerId'> },
  choices: ListChoices,
): Promise<ReadList> {
  const { template, batch } = list
  const { table, mapping } = readTable(list, choices)
  const read = rowsToUses(table, template, { mapping, answers: choices.answers })
  const errors = [...read.errors]
  for await (const { index, error } of errorsInRows(app, { template, ownerId: batch.ownerId }, read.uses)) {
    const column = columnOfPath(error.path, template, mapping)
    errors.push({ line: read.uses[index]?.line ?? 0, column, found: error })
  }
  errors.sort((a, b) => a.line - b.line)
  const faulty = new Set(errors.map(({ line }) => line))
  const uses = read.uses.filter(({ line }) => !faulty.has(line))
  return { ...read, uses, errors, repeats: repeatsIn(uses), table, mapping, faulty }
}

/** The file as a table, and which column is for what. */
export function readTable({ template, source }: List, choices: ListChoices): { table: CsvTable; mapping: Mapping } {
  const { encoding, delimiter, columns } = choices
  const table = readCsv(source, { encoding, delimiter, language: languageOf(template.locale) })
  return { table, mapping: mappingOf(table, template, columns) }
}

/** Rows, without the example. @throws Refusal as `readList` */
export function rowCount(list: List, choices: ListChoices): number {
  const { table, mapping } = readTable(list, choices)
  return rowsToUses(table, list.template, { mapping }).total
}

// The rows of a batch from a CSV file, read without asking anybody.

interface CsvRows {
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
