/** Reads the list of a draft: good rows, errors of the others, and what has to be asked. */
import type { CellReading } from '../core/csv/cells.ts'
import type { Mapping } from '../core/csv/columns.ts'
import { type CsvTable, type Delimiter, type Encoding, readCsv } from '../core/csv/read.ts'
import { columnOfPath, type FileRows, mappingOf, rowsToUses } from '../core/csv/rows.ts'
import type { Document } from '../core/document/document.ts'
import type { Json } from '../core/document/event.ts'
import { languageOf } from '../core/language.ts'
import { type Batch, repeatsIn } from '../core/template/batch.ts'
import type { App } from '../ports.ts'
import { errorsInRows } from './rules.ts'

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
