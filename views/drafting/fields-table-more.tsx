/** The members of a row of the table of fields that only some kinds have, or that are rare. */
import type { ChoiceRow, FieldRow } from '../../src/core/draft/field-rows.ts'
import {
  FIELD_TYPES,
  type FieldType,
  hasLines,
  hasMember,
  hasOptions,
  isDate,
  isPrefillable,
  MAX_FIELD_NAME,
  MAX_OPTION_LENGTH,
  MAX_VALUE_LENGTH,
  MEDIA_TYPES,
} from '../../src/core/field/field.ts'
import { PLACE } from '../../src/core/field/geometry.ts'
import { SENDER } from '../../src/core/field/visibility.ts'
import { ariaOf, FieldError, useAria, useErrors } from '../parts/form.tsx'
import type { FieldsTableProps } from './fields-table.tsx'

export type RowProps = FieldsTableProps & { row: FieldRow; index: number }

/** Characters of a typed number. */
export const MAX_NUMBER_LENGTH = 20

/** The list of names that a condition may refer to. */
export const FIELD_NAMES = 'field-names'

export function typeOf({ type }: FieldRow): FieldType {
  return FIELD_TYPES.find(known => known === type) ?? 'text'
}

interface EntryProps {
  path: string
  label: string
  value: string
  isNumber?: boolean
  list?: string
  maxLength?: number
}

function Entry({ path, label, value, isNumber = false, list, maxLength = MAX_VALUE_LENGTH }: EntryProps) {
  const shared = {
    id: path,
    name: path,
    value,
    maxLength: isNumber ? MAX_NUMBER_LENGTH : maxLength,
    autoComplete: 'off',
    dir: 'auto' as const,
    inputMode: isNumber ? ('decimal' as const) : ('text' as const),
    ...useAria(path),
  }
  return (
    <div class={isNumber ? 'field-number' : ''}>
      <label for={path}>{label}</label>
      <FieldError name={path} label={label} />
      {list === undefined ? <input {...shared} /> : <input {...shared} type="text" list={list} />}
    </div>
  )
}

/** One line for each choice, and an empty one for another. */
export function Choices({ context, row, index }: RowProps) {
  const t = context.texts.sending.fields
  const shown = row.choices.at(-1)?.value === '' ? row.choices : [...row.choices, { ...nextOf(row.choices), value: '' }]
  return (
    <fieldset class="field-choices">
      <legend>{t.choiceList}</legend>
      <p class="hint">{t.choiceHint}</p>
      {shown.map((choice, k) => {
        const path = `fields[${index}].choices[${k}]`
        return (
          <fieldset key={path} class="field-members">
            <legend>{k < row.choices.length && choice.value !== '' ? t.choice(k + 1) : t.anotherChoice}</legend>
            <Entry path={`${path}.value`} label={t.choiceValue} value={choice.value} maxLength={MAX_OPTION_LENGTH} />
            {PLACE.map(member => (
              <Entry key={member} path={`${path}.${member}`} label={t[member]} value={choice[member]} isNumber />
            ))}
          </fieldset>
        )
      })}
    </fieldset>
  )
}

/** Below the last one. */
function nextOf(choices: readonly ChoiceRow[]): Omit<ChoiceRow, 'value'> {
  const { value: _, ...last } = choices.at(-1) ?? { value: '', page: '1', x: '', y: '', width: '', height: '' }
  const [y, height] = [Number(last.y), Number(last.height)]
  const below = Math.min(Math.round((y + 1.5 * height) * 100) / 100, 100 - height)
  return Number.isFinite(below) ? { ...last, y: String(below) } : last
}

const SELDOM = ['value', 'name', 'showIfField', 'showIfIs', 'maxLength', 'min', 'max', 'maxMegabytes'] as const
/** What is folded away at first. */
export const MORE_MEMBERS = [...SELDOM, 'accept'] as const
const HIDDEN_ERRORS = new RegExp(`^(?:${MORE_MEMBERS.join('|')})$`)

export function MoreMembers(props: RowProps) {
  const { context, row, index } = props
  const errors = useErrors()
  const t = context.texts.sending.fields
  const path = `fields[${index}]`
  const type = typeOf(row)
  const entry = (member: (typeof SELDOM)[number], isNumber = true) => (
    <Entry path={`${path}.${member}`} label={t[member]} value={row[member]} isNumber={isNumber} />
  )
  const isUsed = row.name !== '' || row.showIfField !== '' || row.recipientId === SENDER
  const isFaulty = errors.some(
    error => error.path.startsWith(`${path}.`) && HIDDEN_ERRORS.test(error.path.slice(path.length + 1)),
  )
  return (
    <details class="field-more" open={isUsed || isFaulty}>
      <summary>{t.more}</summary>
      <div class="field-members">
        <Value {...props} />
        <Entry path={`${path}.name`} label={t.name} value={row.name} maxLength={MAX_FIELD_NAME} />
        <Entry
          path={`${path}.showIfField`}
          label={t.showIfField}
          value={row.showIfField}
          list={FIELD_NAMES}
          maxLength={MAX_FIELD_NAME}
        />
        {entry('showIfIs', false)}
        {hasMember(type, 'rule') && (
          <label class="tick">
            <input type="checkbox" name={`${path}.rule`} checked={row.rule} />
            <span>{t.rule}</span>
          </label>
        )}
        {hasMember(type, 'maxLength') && entry('maxLength')}
        {hasMember(type, 'min') && entry('min')}
        {hasMember(type, 'max') && entry('max')}
        {hasMember(type, 'accept') && <Accepted {...props} />}
        {hasMember(type, 'maxBytes') && entry('maxMegabytes')}
      </div>
    </details>
  )
}

/** Filled in beforehand, for the recipient or by the sender. */
function Value({ context, row, index }: RowProps) {
  const errors = useErrors()
  const t = context.texts.sending.fields
  const path = `fields[${index}].value`
  const isOurs = row.recipientId === SENDER
  if (!isOurs && !isPrefillable(typeOf(row))) return null
  return (
    <>
      <div>
        <label for={path}>{isOurs ? t.senderValue : t.value}</label>
        <FieldError name={path} label={t.value} />
        <ValueControl row={row} control={{ id: path, name: path, ...ariaOf(path, errors) }} texts={t} />
      </div>
      {!isOurs && (
        <label class="tick">
          <input type="checkbox" name={`fields[${index}].readOnly`} checked={row.readOnly} />
          <span>{t.readOnly}</span>
        </label>
      )}
    </>
  )
}

interface ControlProps {
  row: FieldRow
  control: { id: string; name: string } & ReturnType<typeof ariaOf>
  texts: { noValue: string; ticked: string; notTicked: string }
}

function ValueControl({ row, control, texts }: ControlProps) {
  const type = typeOf(row)
  const { value } = row
  if (type === 'checkbox' || hasOptions(type)) {
    const options = row.choices.length > 0 ? row.choices.map(choice => choice.value) : row.options.split('\n')
    const all = type === 'checkbox' ? ['true', 'false'] : options.filter(option => option !== '')
    const words: Record<string, string> = type === 'checkbox' ? { true: texts.ticked, false: texts.notTicked } : {}
    return (
      <select {...control}>
        <option value="">{texts.noValue}</option>
        {all.map(option => (
          <option key={option} value={option} selected={option === value}>
            {words[option] ?? option}
          </option>
        ))}
      </select>
    )
  }
  if (hasLines(type)) return <textarea {...control} rows={type === 'paragraph' ? 4 : 1} dir="auto" value={value} />
  if (isDate(type)) return <input {...control} type="date" value={value} />
  return <input {...control} dir="auto" value={value} autoComplete="off" />
}

function Accepted({ context, row, index }: RowProps) {
  const errors = useErrors()
  const t = context.texts.sending.fields
  const path = `fields[${index}].accept`
  const accepted = row.accept.length === 0 && errors.length === 0 ? MEDIA_TYPES : row.accept
  return (
    <fieldset class="field-accept">
      <legend>{t.accept}</legend>
      <FieldError name={path} label={t.accept} />
      {MEDIA_TYPES.map(type => (
        <label key={type} class="tick">
          <input type="checkbox" name={`${path}.${type}`} checked={accepted.includes(type)} />
          <span>{context.texts.editor.script.mediaTypes[type]}</span>
        </label>
      ))}
    </fieldset>
  )
}
