/** What was read from a list, in the words of the page. */
import type { ErrorGroup, PreviewDocument, SendQuestion, ReadList as ShownList } from '../../../../views/batches/batch-draft.tsx'
import type { DraftQuestion, TargetGroup } from '../../../../views/batches/batch-reading.tsx'
import type { ListChoices, ReadList } from '../../../batches/read-list.ts'
import { allColumnsOf, type Column, columnsOf, columnTitle, headerTitle } from '../../../core/csv/columns.ts'
import { DATE_ORDERS } from '../../../core/csv/dates.ts'
import { type Question, rowsToUses } from '../../../core/csv/rows.ts'
import type { Document } from '../../../core/document/document.ts'
import { suggestAddress, suggestDomain } from '../../../core/draft/mailbox.ts'
import { dateLanguage, printedDate, printedValue } from '../../../core/field/date-format.ts'
import { DECIMAL_SEPARATORS } from '../../../core/field/number.ts'
import type { AppLanguage } from '../../../core/language.ts'
import { errorAt } from '../../../core/refusal.ts'
import { newDocumentFrom } from '../../../core/template/template.ts'
import type { TemplateUse } from '../../../core/template/template-draft.ts'
import { type AppTexts, errorText } from '../../../locales/app.ts'

const MAX_GROUPS = 100
const MAX_VALUES = 3
const MAX_RANGES = 10
const MAX_PREVIEWS = 3
const MAX_REPEATS = 10

export interface ListWords {
  template: Document
  choices: ListChoices
  texts: AppTexts
  language: AppLanguage
}

export function listInWords(read: ReadList, words: ListWords): ShownList {
  const { template, language } = words
  const { table, mapping, uses, errors, faulty, total } = read
  const groups = errorGroups(read, words).slice(0, MAX_GROUPS)
  const isAlone = template.recipients.length === 1
  const example = table.rows.find(({ cells }) => cells.some(cell => /[^\0-\x7f]/.test(cell))) ?? table.rows[0]
  return {
    encoding: table.encoding,
    delimiter: table.delimiter,
    columns: table.header.map((_, index) => ({
      index,
      title: headerTitle(table.header, index),
      example: example?.cells[index] ?? '',
      key: mapping[index] ?? '',
    })),
    targets: targetsOf(words),
    exampleLine: example?.line,
    total,
    missing: read.missing.map(column => columnTitle(column, language, isAlone)),
    questions: questionsIn(read, words),
    errors: groups,
    moreErrors: errors.length - groups.reduce((sum, { count }) => sum + count, 0),
    faultyRows: faulty.size,
    preview: uses.slice(0, MAX_PREVIEWS).map(({ line, use }) => previewOf(line, use, words)),
    good: uses.length,
    sendQuestions: sendQuestions(read, words),
    typos: typosIn(read, words),
  }
}

function targetsOf({ template, texts, language }: ListWords): TargetGroup[] {
  const columns = allColumnsOf(template)
  const groups = [
    ...template.recipients.map(({ id, name }) => ({ id, title: name })),
    { id: undefined, title: texts.batches.draft.fromSender },
  ]
  const titleOf = (column: Column) => columnTitle(column, language, template.recipients.length === 1)
  return groups.flatMap(({ id, title }) => {
    const targets = columns.filter(({ role }) => role?.id === id).map(column => ({ key: column.key, title: titleOf(column) }))
    return targets.length === 0 ? [] : [{ title, targets }]
  })
}

/** Also those that were answered, so that an answer can be changed. */
function questionsIn({ table, mapping }: ReadList, { template, choices, texts, language }: ListWords): DraftQuestion[] {
  const t = texts.batches.draft
  const day = (iso: string) => printedDate(iso, undefined, dateLanguage(language, 'en'))
  return rowsToUses(table, template, { mapping }).questions.map((question): DraftQuestion => {
    const { key, line, text, column } = question
    const title = headerTitle(table.header, column)
    const name = questionName(question)
    const answer = choices.answers[key] ?? {}
    if (question.unclear === 'order') {
      const options = DATE_ORDERS.map(value => ({ value, text: day(question.readings[value]) }))
      return { name, legend: t.dateOrder(title, line), hint: t.dateOrderHint(text), value: answer.order ?? '', choices: options }
    }
    if (question.unclear === 'decimal') {
      const options = DECIMAL_SEPARATORS.map(value => ({ value, text: numberReading(question.readings[value], texts, language) }))
      const value = answer.decimalSeparator ?? ''
      return { name, legend: t.decimal(title, line), hint: t.dateOrderHint(text), value, choices: options }
    }
    const value = answer.hasSerialNumbers === undefined ? '' : answer.hasSerialNumbers ? 'yes' : 'no'
    const options = [
      { value: 'yes', text: t.serialYes(day(question.iso)) },
      { value: 'no', text: t.serialNo },
    ]
    return { name, legend: t.serial(title, line), hint: t.serialHint(text), value, choices: options }
  })
}

/** `reading` has no separator left if that was one of thousands. */
function numberReading(reading: string, { batches: { draft: t } }: AppTexts, language: AppLanguage): string {
  const number = Number(reading.replace(',', '.')).toLocaleString(language, { useGrouping: false })
  return /[.,]/.test(reading) ? t.decimals(number) : t.thousands(number)
}

/** Of the field of the form. */
function questionName({ unclear, key }: Pick<Question, 'unclear' | 'key'>): string {
  return `${unclear}.${key}`
}

/** One for each error of a column, however many rows have it. */
function errorGroups(read: ReadList, words: ListWords): ErrorGroup[] {
  const { draft: t } = words.texts.batches
  const groups = Map.groupBy(errorRows(read, words), ({ column, message }) => JSON.stringify([column, message]))
  return [...groups.values()].map((rows): ErrorGroup => {
    const { column, message } = rows[0]!
    const values = [...new Set(rows.map(({ text }) => text))]
    const ranges = rangesOf(rows.map(({ line }) => line))
    const more = ranges.length > MAX_RANGES ? [t.moreLines] : []
    return {
      lines: [...ranges.slice(0, MAX_RANGES), ...more].join(', '),
      column,
      message,
      count: rows.length,
      values: values.slice(0, MAX_VALUES),
      hasMoreValues: values.length > MAX_VALUES,
    }
  })
}

/** `22–31` for the lines 22 to 31. `lines`: in order. */
function rangesOf(lines: readonly number[]): string[] {
  const ranges: [first: number, last: number][] = []
  for (const line of lines) {
    const range = ranges.at(-1)
    if (range && line <= range[1] + 1) range[1] = line
    else ranges.push([line, line])
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`))
}

interface ErrorRow {
  line: number
  /** Empty: the whole row. */
  column: string
  text: string
  message: string
}

export function errorRows(
  { table, errors }: Pick<ReadList, 'table' | 'errors'>,
  { texts }: Pick<ListWords, 'texts'>,
): ErrorRow[] {
  const rows = new Map(table.rows.map(row => [row.line, row.cells]))
  return errors.map(({ line, column, found }) => ({
    line,
    column: column === undefined ? '' : headerTitle(table.header, column),
    text: column === undefined ? '' : (rows.get(line)?.[column] ?? ''),
    message: errorText(texts, errorAt('', found)),
  }))
}

function previewOf(line: number, use: TemplateUse, { template, texts, language }: ListWords): PreviewDocument {
  const roles = new Map(template.recipients.map(({ id, name }) => [id, name]))
  const people = use.recipients.map(({ role, name, email }) => ({ name, email, role: roles.get(role) ?? role }))
  return {
    line,
    title: newDocumentFrom(template, use).title ?? template.title,
    people,
    values: valuesOf(use, { template, texts, language }),
  }
}

function valuesOf(use: TemplateUse, { template, texts, language }: Omit<ListWords, 'choices'>): [string, string][] {
  const given = new Map<string, unknown>()
  for (const { values = {} } of [use, ...use.recipients]) for (const [id, value] of Object.entries(values)) given.set(id, value)
  const isAlone = template.recipients.length === 1
  return columnsOf(template).flatMap((column): [string, string][] => {
    const { part, fields } = column
    const value = fields.map(id => given.get(id)).find(found => found !== undefined)
    if (typeof part === 'string' || value === undefined) return []
    const locale = dateLanguage(template.locale, language)
    const text = typeof value === 'boolean' ? valueText(value, texts) : printedValue(part, String(value), locale)
    return [[columnTitle(column, language, isAlone), text]]
  })
}

const valueText = (isTicked: boolean, { batches: { draft } }: AppTexts) => (isTicked ? draft.yes : draft.no)

/** Addresses whose domain is probably mistyped, with their lines. */
function typosIn({ uses }: ReadList, { texts }: ListWords): string[] {
  const t = texts.batches.draft
  const lines = new Map<string, Set<number>>()
  for (const { line, use } of uses)
    for (const { email } of use.recipients)
      if (suggestDomain(email) !== undefined) lines.set(email, (lines.get(email) ?? new Set()).add(line))
  const typos = [...lines].map(([email, at]) => {
    return t.typo(email, suggestAddress(email) ?? '', t.typoLines(at.size, [...at].slice(0, MAX_RANGES).join(', ')))
  })
  return typos.length > MAX_REPEATS ? [...typos.slice(0, MAX_REPEATS), t.moreRepeats(typos.length - MAX_REPEATS)] : typos
}

/** What has to be ticked before the list is sent. */
function sendQuestions({ faulty, repeats }: ReadList, { texts }: ListWords): SendQuestion[] {
  const t = texts.batches.draft
  const lines = new Map<string, Set<number>>()
  for (const { email, line, before } of repeats) {
    const address = email.toLowerCase()
    lines.set(address, (lines.get(address) ?? new Set()).add(before).add(line))
  }
  const repeated = [...lines].map(([email, at]) => t.repeat(email, [...at].join(', ')))
  const more = repeated.length > MAX_REPEATS ? [t.moreRepeats(repeated.length - MAX_REPEATS)] : []
  return [
    ...(faulty.size > 0 ? [{ name: 'leaveOut' as const, text: t.leaveOut(faulty.size), items: [] }] : []),
    ...(repeated.length > 0
      ? [{ name: 'repeats' as const, text: t.repeats(repeated.length), items: [...repeated.slice(0, MAX_REPEATS), ...more] }]
      : []),
  ]
}
