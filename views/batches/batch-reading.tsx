/** How a list is read: encoding, columns and questions, in one form. */
import { DELIMITERS, type Delimiter, ENCODINGS, type Encoding } from '../../src/core/csv/read.ts'
import { BATCHES_PATH } from '../../src/core/page-paths.ts'
import type { PageContext } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { Choices } from '../parts/choices.tsx'
import { Csrf, FieldError, Select, useErrors } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { Cell, Table, TableHead } from '../parts/table.tsx'

/** A column of the file. */
export interface FileColumn {
  index: number
  title: string
  example: string
  /** The key of the template's column; empty: not decided. */
  key: string
}

export interface TargetGroup {
  /** A role, or the sender. */
  title: string
  targets: readonly { key: string; title: string }[]
}

export interface DraftQuestion {
  /** Of the form's field. */
  name: string
  legend: string
  hint: string
  /** Empty: not answered. */
  value: string
  choices: readonly { value: string; text: string }[]
}

/** The part of a list that its reading decides. */
export interface ListReading {
  encoding: Encoding
  delimiter: Delimiter
  columns: readonly FileColumn[]
  targets: readonly TargetGroup[]
  exampleLine: number | undefined
  /** Titles of required columns that the file lacks. */
  missing: readonly string[]
  questions: readonly DraftQuestion[]
}

export interface ReadingProps {
  context: PageContext
  batchId: string
  list: ListReading
}

interface FileChoicesProps {
  context: PageContext
  encoding: Encoding | undefined
  delimiter: Delimiter | undefined
}

export function FileChoices({ context, encoding, delimiter }: FileChoicesProps) {
  const t = context.texts.batches.draft
  return (
    <div class="bulk-file">
      <div>
        <Select
          name="encoding"
          label={t.encoding}
          value={encoding ?? ''}
          options={ENCODINGS.map(value => ({ value, text: t.encodings[value] }))}
        />
      </div>
      <div>
        <Select
          name="delimiter"
          label={t.delimiter}
          value={delimiter ?? ''}
          options={DELIMITERS.map(value => ({ value, text: t.delimiters[value] }))}
        />
      </div>
    </div>
  )
}

const isOpen = ({ key }: FileColumn) => key === ''

/** What must be decided first, each with the address of its place. */
export function toDoOf({ context, list }: Pick<ReadingProps, 'context' | 'list'>): { text: string; href: string }[] {
  const t = context.texts.batches.draft
  return [
    ...list.missing.map(title => ({ text: t.toDoMissing(title), href: '#columns' })),
    ...list.columns.filter(isOpen).map(({ index, title }) => ({ text: t.toDoColumn(title), href: `#column.${index}` })),
    ...list.questions.filter(({ value }) => value === '').map(({ name, legend }) => ({ text: legend, href: `#${name}` })),
  ]
}

export function ToDo(props: ReadingProps) {
  const toDo = toDoOf(props)
  if (toDo.length === 0) return null
  return (
    <Callout tone="warn" title={props.context.texts.batches.draft.toDo}>
      <ul>
        {toDo.map(({ text, href }) => (
          <li key={text}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </Callout>
  )
}

/** One form: the encoding decides about the names of columns, those about the questions. */
export function ReadingForm(props: ReadingProps) {
  const { context, batchId, list } = props
  const t = context.texts.batches.draft
  return (
    <form method="post" action={`${BATCHES_PATH}/${batchId}/reading`} class="sheet bulk-reading">
      <Csrf />
      <h2>{t.reading}</h2>
      <FileChoices context={context} encoding={list.encoding} delimiter={list.delimiter} />
      <p class="hint" id="columns">
        {t.readingHint}
      </p>
      <Columns {...props} />
      {list.questions.map(({ name, legend, hint, value, choices }) => (
        <div key={name} class="bulk-question">
          <Choices name={name} legend={legend} value={value} choices={choices} />
          <p class="hint">{hint}</p>
        </div>
      ))}
      <div class="form-actions">
        <Button kind={toDoOf(props).length > 0 ? 'primary' : 'plain'}>{t.apply}</Button>
      </div>
    </form>
  )
}

function Columns({ context, list }: ReadingProps) {
  const t = context.texts.batches.draft
  const example = list.exampleLine === undefined ? t.noExample : t.example(list.exampleLine)
  return (
    <Table label={t.columns} class="stack bulk-mapping">
      <TableHead columns={[t.columnHead, example, t.target]} />
      <tbody>
        {list.columns.map(column => (
          <tr key={column.index}>
            <Cell label={t.columnHead} class="title break">
              <span dir="auto">{column.title}</span>
            </Cell>
            <Cell label={example} class="break">
              <span dir="auto">{column.example}</span>
            </Cell>
            <td>
              <Target column={column} context={context} list={list} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

const MAX_OPTIONS = 20_000

/** In a page of many columns, each can only become what no other column is. */
function choicesFor({ key: own }: FileColumn, { columns, targets }: ListReading): readonly TargetGroup[] {
  const count = targets.reduce((sum, group) => sum + group.targets.length, 0)
  if (count * columns.length <= MAX_OPTIONS) return targets
  const taken = new Set(columns.map(({ key }) => key))
  const isOffered = ({ key }: { key: string }) => key === own || !taken.has(key)
  return targets.map(group => ({ ...group, targets: group.targets.filter(isOffered) })).filter(group => group.targets.length > 0)
}

function Target({ column, context, list }: Pick<ReadingProps, 'context' | 'list'> & { column: FileColumn }) {
  const t = context.texts.batches.draft
  const name = `column.${column.index}`
  const errors = useErrors()
  const shown = isOpen(column) ? [...errors, { path: name, message: t.unknown }] : errors
  const isInvalid = shown.some(({ path }) => path === name)
  return (
    <>
      <FieldError name={name} errors={shown} />
      <select
        id={name}
        name={name}
        aria-label={t.targetOf(column.title)}
        {...(isInvalid ? { 'aria-invalid': 'true' as const, 'aria-describedby': `${name}-error` } : {})}
      >
        <option value="" selected={column.key === ''}>
          {t.undecided}
        </option>
        <option value="ignored" selected={column.key === 'ignored'}>
          {t.ignored}
        </option>
        {choicesFor(column, list).map(({ title, targets }) => (
          <optgroup key={title} label={title}>
            {targets.map(target => (
              <option key={target.key} value={target.key} selected={target.key === column.key}>
                {target.title}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </>
  )
}
