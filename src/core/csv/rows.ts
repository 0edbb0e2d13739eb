/** Turns the rows of a file into uses of a template, with every error by line and column. Pure. */
import type { Found } from '../refusal.ts'
import { type Repeat, repeatsIn } from '../template/batch.ts'
import type { GivenValues, RoleUse, TemplateUse } from '../template/template-draft.ts'
import { cleanLine } from '../text.ts'
import { violation } from '../violation.ts'
import { type CellReading, cellOf, type Unclear } from './cells.ts'
import { allColumnsOf, type Column, IGNORED, type Mapping, matchColumns, nameOf, type TemplateForm } from './columns.ts'
import type { CsvRow, CsvTable } from './read.ts'
import { isExample } from './write.ts'

export interface RowError {
  line: number
  /** Of the file; undefined: the row as a whole. */
  column: number | undefined
  found: Found
}

/** Asked once for a column: its first cell that can be read in two ways. */
export type Question = Unclear & { column: number; key: string; line: number; text: string }

export interface FileRows {
  uses: { line: number; use: TemplateUse }[]
  errors: RowError[]
  questions: Question[]
  repeats: Repeat[]
  /** Required columns that the file lacks. Then there are no uses. */
  missing: Column[]
  /** Rows that are no example. */
  total: number
}

export interface RowsOptions {
  mapping: Mapping
  /** By the key of a column: what was answered to its questions. */
  answers?: Readonly<Record<string, CellReading>> | undefined
}

/** A column of the template, and where the file has it. */
interface Place {
  column: Column
  index: number
}

/** As `matchColumns`. An unknown column that is empty in every row needs no choice. */
export function mappingOf(table: CsvTable, template: TemplateForm, chosen?: Readonly<Record<string, string>>): Mapping {
  const isEmpty = (index: number) => table.rows.every(({ cells }) => !cells[index]?.trim())
  const mapping = matchColumns(table.header, template, chosen)
  return mapping.map((key, i) => key ?? (isEmpty(i) ? IGNORED : undefined))
}

export function rowsToUses(table: CsvTable, template: TemplateForm, options: RowsOptions): FileRows {
  const all = allColumnsOf(template)
  const places = all.flatMap(column => {
    const index = options.mapping.indexOf(column.key)
    return index < 0 ? [] : [{ column, index }]
  })
  const missing = all.filter(column => column.isRequired && !places.some(place => place.column === column))
  const reader = new RowReader(template, places, options, table.header.length)
  const rows = table.rows.filter(row => !reader.isExample(row))
  for (const row of rows) reader.read(row)
  const { uses, errors, questions } = reader
  return { uses: missing.length > 0 ? [] : uses, errors, questions, repeats: repeatsIn(uses), missing, total: rows.length }
}

class RowReader {
  readonly uses: FileRows['uses'] = []
  readonly errors: RowError[] = []
  readonly questions: Question[] = []
  readonly #template: TemplateForm
  readonly #places: readonly Place[]
  readonly #options: RowsOptions
  readonly #width: number

  constructor(template: TemplateForm, places: readonly Place[], options: RowsOptions, width: number) {
    this.#template = template
    this.#places = places
    this.#options = options
    this.#width = width
  }

  isExample(row: CsvRow): boolean {
    const person = (id: string) => ({ name: this.#text(row, `${id}.name`), email: this.#text(row, `${id}.email`) })
    return isExample(
      this.#template,
      this.#template.recipients.map(({ id }) => person(id)),
    )
  }

  read(row: CsvRow): void {
    const { line, cells } = row
    if (cells.length > this.#width) {
      const found = violation('more_cells_than_columns', { cells: cells.length, columns: this.#width })
      this.errors.push({ line, column: undefined, found })
      return
    }
    const values = new Map<string, string | boolean>()
    let isWhole = true
    for (const place of this.#places) isWhole = this.#readCell(row, place, values) && isWhole
    if (isWhole) this.uses.push({ line, use: this.#use(row, values) })
  }

  #readCell({ line, cells }: CsvRow, { column, index }: Place, values: Map<string, string | boolean>): boolean {
    const text = cells[index] ?? ''
    const cell = cellOf(text, column, this.#options.answers?.[column.key] ?? {})
    if ('value' in cell) {
      if (cell.value !== undefined) values.set(column.key, cell.value)
      return true
    }
    if ('error' in cell) this.errors.push({ line, column: index, found: cell.error })
    else if (!this.questions.some(({ key, unclear }) => key === column.key && unclear === cell.unclear))
      this.questions.push({ ...cell, column: index, key: column.key, line, text })
    return false
  }

  #text({ cells }: CsvRow, key: string): string {
    const index = this.#places.find(({ column }) => column.key === key)?.index
    return index === undefined ? '' : cleanLine(cells[index] ?? '')
  }

  #use(row: CsvRow, values: ReadonlyMap<string, string | boolean>): TemplateUse {
    const recipients = this.#template.recipients.map(({ id }): RoleUse => {
      const own = this.#values(values, id)
      const person = { role: id, name: this.#text(row, `${id}.name`), email: this.#text(row, `${id}.email`) }
      return own === undefined ? person : { ...person, values: own }
    })
    const own = this.#values(values, undefined)
    const title = values.get('title')
    return { recipients, ...(own && { values: own }), ...(typeof title === 'string' && { title }) }
  }

  /** By the ids of the fields, which are unique; `undefined` for none. */
  #values(values: ReadonlyMap<string, string | boolean>, roleId: string | undefined): GivenValues | undefined {
    const own = this.#places.flatMap(({ column }) => {
      const value = values.get(column.key)
      if (value === undefined || column.role?.id !== roleId) return []
      return column.fields.map(id => [id, value] as const)
    })
    return own.length === 0 ? undefined : Object.fromEntries(own)
  }
}

/** The position in the file of what an error of a use is about; undefined: the row as a whole. */
export function columnOfPath(path: string, template: TemplateForm, mapping: Mapping): number | undefined {
  const key = keyOfPath(path, template)
  const index = key === undefined ? -1 : mapping.indexOf(key)
  return index < 0 ? undefined : index
}

function keyOfPath(path: string, template: TemplateForm): string | undefined {
  const [, position, rest = ''] = /^recipients\[(\d+)\]\.(.*)$/s.exec(path) ?? []
  const role = position === undefined ? undefined : template.recipients[Number(position)]
  if (role && (rest === 'name' || rest === 'email')) return `${role.id}.${rest}`
  if (path === 'title') return path
  const [, name = ''] = /^values\.(.*)$/s.exec(role ? rest : path) ?? []
  return allColumnsOf(template).find(
    ({ role: owner, part, fields }) =>
      owner?.id === role?.id && typeof part !== 'string' && (fields.includes(name) || nameOf(part) === name),
  )?.key
}
