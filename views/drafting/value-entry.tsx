/** The entry of a value that the sender gives for a field, by the kind of the field. */
import { type Field, type FieldType, maxLengthOf } from '../../src/core/field/field.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import type { PageContext } from '../layout.tsx'
import { FieldError, LabelText, useAria } from '../parts/form.tsx'
import { entryRows } from '../parts/text-rows.ts'
import type { ValueRow } from '../templates/template-use.tsx'

type Shape = 'line' | 'number' | 'tick' | 'select' | 'choice' | 'day'

/** Undefined where nobody enters a value ahead. */
const SHAPES: Record<FieldType, Shape | undefined> = {
  name: 'line',
  email: 'line',
  text: 'line',
  paragraph: 'line',
  number: 'number',
  checkbox: 'tick',
  dropdown: 'select',
  radio: 'choice',
  date: 'day',
  signature: undefined,
  initials: undefined,
  image: undefined,
  attachment: undefined,
}

export function labelOfField({ label, name, type }: Field, fields: AppTexts['sending']['fields']): string {
  return label ?? name ?? fields.types[type] ?? type
}

interface Props {
  row: ValueRow
  context: PageContext
  /** Whether the sender decides if the recipient may change the value. */
  canLock: boolean
  /** Without it there is no document. */
  isNeeded: boolean
}

export function ValueEntry({ row, context, canLock, isNeeded }: Props) {
  const { field, isLocked } = row
  const { templates, sending } = context.texts
  const t = templates.use
  const id = `values.${field.id}`
  const shape = SHAPES[field.type] ?? 'line'
  const label = labelOfField(field, sending.fields)
  const place = t.onPage(field.page)
  const note = isNeeded || shape === 'tick' ? undefined : context.texts.frame.optional
  const rows = entryRows(field, row.value)
  const hint = field.placeholder
  const own = { row, context, id, label, place, note, condition: conditionOf(row, context), isNeeded }
  return (
    <div class={rows === undefined ? 'value' : 'value wide'} data-value={field.id}>
      {shape === 'tick' || shape === 'choice' ? (
        <Choices {...own} />
      ) : (
        <>
          <label for={id}>
            <LabelText label={label} place={place} note={note} condition={own.condition} />
          </label>
          {hint && (
            <div class="hint" id={`${id}-hint`}>
              {hint}
            </div>
          )}
          <FieldError name={id} label={label} />
          <Control {...own} shape={shape} rows={rows} hint={hint} />
        </>
      )}
      {canLock && (
        <label class="tick small">
          <input type="checkbox" name={`locked.${field.id}`} checked={isLocked} />
          <span>
            {t.locked}
            <span class="unseen">: {label}</span>
          </span>
        </label>
      )}
    </div>
  )
}

/** As a sentence. */
function conditionOf({ field: { showIf }, controlling }: ValueRow, { texts }: PageContext): string | undefined {
  const { onlyIf, onlyIfTicked, onlyIfNotTicked } = texts.templates.use
  if (!showIf || !controlling) return undefined
  const label = labelOfField(controlling, texts.sending.fields)
  if (controlling.type !== 'checkbox') return onlyIf(label, showIf.is)
  return showIf.is === 'true' ? onlyIfTicked(label) : onlyIfNotTicked(label)
}

interface OwnProps {
  row: ValueRow
  context: PageContext
  id: string
  label: string
  place: string
  note: string | undefined
  condition: string | undefined
  isNeeded: boolean
}

interface ControlProps extends OwnProps {
  shape: Shape
  /** Of a text with several lines. */
  rows: number | undefined
  hint: string | undefined
}

function Control({ row, context, id, shape, rows, hint }: ControlProps) {
  const { field, value } = row
  // A pasted text must not lose its end unnoticed: a paragraph is refused instead.
  const maxLength = field.type === 'paragraph' ? undefined : maxLengthOf(field)
  const shared = { id, name: id, ...useAria(id, hint) }
  if (shape === 'select') {
    return (
      <select {...shared}>
        <option value="">{context.texts.templates.use.noChoice}</option>
        {field.options.map(option => (
          <option key={option} value={option} selected={option === value}>
            {option}
          </option>
        ))}
      </select>
    )
  }
  if (rows !== undefined) return <textarea {...shared} rows={rows} value={value} maxLength={maxLength} dir="auto" />
  if (shape === 'day') return <input type="date" {...shared} value={value} />
  const text = shape === 'number' ? { inputMode: 'decimal' as const } : { maxLength }
  return <input {...(shared as object)} {...text} value={value} autoComplete="off" dir="auto" />
}

/** A box to tick, or one of several. */
function Choices({ row, context, id, label, place, note, condition, isNeeded }: OwnProps) {
  const { field, value } = row
  if (field.type === 'checkbox') {
    return (
      <>
        <FieldError name={id} label={label} />
        <label class="tick">
          <input type="checkbox" id={id} name={id} value="true" checked={value === 'true'} {...useAria(id)} />
          <span>
            <LabelText label={label} place={place} condition={condition} />
          </span>
        </label>
      </>
    )
  }
  const choices = [
    ...field.options.map(option => ({ value: option, text: option })),
    ...(isNeeded ? [] : [{ value: '', text: context.texts.templates.use.noAnswer }]),
  ]
  return (
    <fieldset class="choice" id={id} {...useAria(id)}>
      <legend>
        <LabelText label={label} place={place} note={note} condition={condition} />
      </legend>
      <FieldError name={id} label={label} />
      {choices.map(choice => (
        <label key={choice.value} class="tick">
          <input type="radio" name={id} value={choice.value} checked={choice.value === value} />
          <span dir="auto">{choice.text}</span>
        </label>
      ))}
    </fieldset>
  )
}
