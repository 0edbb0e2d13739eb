/** The value that the sender gives a field: as a proposal, for good, or as the sender's own. */
import { useState } from 'preact/hooks'
import { hasOptions, isDate, needsValue } from '../../../src/core/field/field.ts'
import { choicesOf, enteredNumber, readEntered, shownNumber } from '../../../src/core/field/number.ts'
import { SENDER } from '../../../src/core/field/visibility.ts'
import { Labelled, Tick, textOf } from './format.tsx'
import type { EditorField } from './model.ts'
import { PlainButton, type Ui } from './ui.tsx'

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

function ValueInput({ ui, field, onChange }: InputProps) {
  const { texts } = ui
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
  if (type === 'number') return <NumberValue key={field.id} ui={ui} field={field} onChange={onChange} />
  return <input {...shared} type="text" dir="auto" autoComplete="off" onInput={onInput} />
}

/** Read by the language of the page, and shown back as it is read. */
function NumberValue({ ui: { texts, lang }, field, onChange }: InputProps) {
  const [typed, setTyped] = useState<string>()
  const read = (text: string) => {
    const parsed = readEntered(text, lang)
    return 'number' in parsed ? parsed.number : undefined
  }
  const enter = (text: string) => {
    setTyped(text)
    onChange(read(text))
  }
  // The value may have changed otherwise, as by undoing.
  const entered = typed !== undefined && read(typed) === field.value ? typed : enteredNumber(field.value ?? '', lang)
  const parsed = readEntered(entered, lang)
  return (
    <>
      <input
        id="field-value"
        type="text"
        inputMode="decimal"
        dir="auto"
        autoComplete="off"
        value={entered}
        aria-describedby="field-value-reading"
        onInput={event => enter(event.currentTarget.value)}
      />
      <div id="field-value-reading" class="hint" role="status">
        {'number' in parsed && `= ${shownNumber(parsed.number, lang)}`}
        {'error' in parsed && entered.trim() !== '' && texts.notANumber}
        {'unclear' in parsed && texts.numberUnclear}
      </div>
      {'unclear' in parsed && (
        <div class="row">
          {choicesOf(parsed, lang).map(choice => (
            <PlainButton key={choice.entered} onPress={() => enter(choice.entered)}>
              {choice.shown}
            </PlainButton>
          ))}
        </div>
      )}
    </>
  )
}
