/** The value that the sender gives a field: as a proposal, for good, or as the sender's own. */
import { hasOptions, isDate, needsValue } from '../../../src/core/field.ts'
import { SENDER } from '../../../src/core/placed-fields.ts'
import { Labelled, Tick, textOf } from './editor-format.tsx'
import type { EditorField } from './editor-model.ts'
import type { Ui } from './editor-ui.tsx'

export function Value({ ui, field }: { ui: Ui; field: EditorField }) {
  const { actions, texts } = ui
  const isOurs = field.recipientId === SENDER
  const change = (value: string | undefined) => actions.change([field.id], { value })
  return (
    <>
      {field.type === 'checkbox' ? (
        <Tick
          label={isOurs ? texts.ticked : texts.checked}
          isChecked={field.value === 'true'}
          onChange={isTicked => change(isTicked ? 'true' : undefined)}
        />
      ) : (
        <Labelled id="field-value" label={isOurs ? texts.senderValue : texts.value}>
          <ValueInput ui={ui} field={field} onChange={change} />
        </Labelled>
      )}
      {isOurs ? (
        <SenderHint ui={ui} field={field} />
      ) : (
        <Tick
          label={texts.isReadOnly}
          isChecked={field.readOnly}
          isDisabled={field.value === undefined}
          onChange={readOnly => actions.change([field.id], { readOnly })}
        />
      )}
    </>
  )
}

function SenderHint({ ui: { texts, isTemplate }, field }: { ui: Ui; field: EditorField }) {
  if (isTemplate) return <p class="hint">{texts.senderValueInTemplate}</p>
  const isMissing = field.value === undefined && needsValue(field)
  return <p class="hint">{isMissing ? texts.senderValueMissing : texts.senderValueHint}</p>
}

interface InputProps {
  ui: Ui
  field: EditorField
  onChange(value: string | undefined): void
}

function ValueInput({ ui: { texts }, field, onChange }: InputProps) {
  const { type, value = '', options } = field
  const shared = { id: 'field-value', value }
  if (hasOptions(type)) {
    return (
      <select {...shared} onChange={event => onChange(textOf(event.currentTarget.value))}>
        <option value="">{texts.noValue}</option>
        {options.map(option => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    )
  }
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(textOf(currentTarget.value))
  if (type === 'paragraph') return <textarea {...shared} rows={4} dir="auto" onInput={onInput} />
  if (isDate(type)) return <input {...shared} type="date" onInput={onInput} />
  const inputMode = type === 'number' ? 'decimal' : 'text'
  return <input {...shared} type="text" dir="auto" autoComplete="off" inputMode={inputMode} onInput={onInput} />
}
