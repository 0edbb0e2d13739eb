/** The choices of a field that has a box for each: their values, and more or fewer of them. */
import { useState } from 'preact/hooks'
import { MAX_OPTION_LENGTH, MAX_OPTIONS } from '../../../src/core/field/field.ts'
import { Icon } from '../../parts/icon.tsx'
import { format } from '../../signing/browser/texts.ts'
import { keysOf } from './boxes.ts'
import { isChoiceName, MIN_CHOICES } from './choices.ts'
import { Entry } from './format.tsx'
import type { EditorField } from './model.ts'
import { PlainButton, type Ui } from './ui.tsx'

export function Choices({ ui, field }: { ui: Ui; field: EditorField }) {
  const { session, actions, texts } = ui
  const keys = keysOf(field)
  const isWhole = keys.every(key => session.selection.includes(key))
  return (
    <fieldset class="choices-list">
      <legend>{texts.choices}</legend>
      <ol>
        {field.options.map((_, index) => (
          <Choice
            key={`${index} of ${field.options.length}`}
            ui={ui}
            field={field}
            index={index}
            boxKey={keys[index] ?? field.id}
          />
        ))}
      </ol>
      <div class="row">
        {field.options.length < MAX_OPTIONS && (
          <PlainButton icon="plus" onPress={() => actions.choices.add(field.id)}>
            {texts.addChoice}
          </PlainButton>
        )}
        {!isWhole && (
          <PlainButton kind="quiet" icon="move" onPress={() => actions.choices.selectWhole([field.id])}>
            {texts.selectWhole}
          </PlainButton>
        )}
      </div>
    </fieldset>
  )
}

interface ChoiceProps {
  ui: Ui
  field: EditorField
  index: number
  boxKey: string
}

function Choice({ ui, field, index, boxKey }: ChoiceProps) {
  const { session, actions, texts } = ui
  const id = `field-choice-${index}`
  const name = format(texts.choiceOf, { n: index + 1, count: field.options.length })
  const value = field.options[index] ?? ''
  /** Typed and not saved: empty, or the value of another choice. */
  const [isRefused, setRefused] = useState(false)
  return (
    <li class={session.selection.includes(boxKey) ? 'current' : ''}>
      <Entry
        id={id}
        aria-label={name}
        maxLength={MAX_OPTION_LENGTH}
        value={value}
        {...(isRefused ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {})}
        onEntered={entered => {
          const isAllowed = isChoiceName(field, index, entered)
          setRefused(!isAllowed)
          if (isAllowed) actions.choices.rename(field.id, index, entered)
          return isAllowed
        }}
      />
      {field.options.length > MIN_CHOICES && (
        <button
          type="button"
          class="tool"
          aria-label={format(texts.removeChoice, { choice: name })}
          title={format(texts.removeChoice, { choice: name })}
          onClick={() => actions.choices.remove(boxKey)}
        >
          <Icon name="x" />
        </button>
      )}
      {isRefused && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {texts.choiceRefused}
        </p>
      )}
    </li>
  )
}
