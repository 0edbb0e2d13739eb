/** The name of a field, and the condition under which it is shown. */
import { useState } from 'preact/hooks'
import { MAX_FIELD_NAME, readEntry } from '../../../src/core/field/field.ts'
import { enteredNumber } from '../../../src/core/field/number.ts'
import { nameKey } from '../../../src/core/field/visibility.ts'
import { format } from '../../signing/browser/texts.ts'
import { answersOf, type Controlling, controllingFields, Names } from './conditions.ts'
import { Entry, Labelled } from './format.tsx'
import type { EditorField } from './model.ts'
import { PlainButton, type Ui } from './ui.tsx'

export function NameAndCondition({ ui, field }: { ui: Ui; field: EditorField }) {
  const isUsed = field.name !== undefined || field.showIf !== undefined
  return (
    <details class="name-and-condition" open={isUsed || ui.session.problemsOf(field.id).length > 0}>
      <summary>{ui.texts.nameAndCondition}</summary>
      <Name ui={ui} field={field} />
      <ShowIf key={`${field.showIf?.field}`} ui={ui} field={field} />
    </details>
  )
}

function Problem({ ui: { session, texts }, field, member }: { ui: Ui; field: EditorField; member: 'name' | 'showIf' }) {
  const problem = session.problemsOf(field.id).find(each => each.member === member)
  if (!problem) return null
  const about = { field: field.showIf?.field ?? '', is: answerName(field.showIf?.is ?? '', undefined, { texts }) }
  return (
    <p class="field-error" id={`field-${member}-error`}>
      {format(texts.conditionErrors[problem.code], about)}
    </p>
  )
}

const describedBy = (ui: Ui, { id }: EditorField, member: 'name' | 'showIf') =>
  ui.session.problemsOf(id).some(each => each.member === member)
    ? { 'aria-invalid': true, 'aria-describedby': `field-${member}-error` }
    : {}

function Name({ ui, field }: { ui: Ui; field: EditorField }) {
  const { session, actions, texts } = ui
  const proposed = field.label === undefined ? undefined : new Names(session.state.fields).propose(field.label)
  return (
    <Labelled id="field-name" label={texts.name}>
      <Entry
        id="field-name"
        maxLength={MAX_FIELD_NAME}
        value={field.name ?? ''}
        {...describedBy(ui, field, 'name')}
        onEntered={name => actions.conditions.rename(field.id, name)}
      />
      <Problem ui={ui} field={field} member="name" />
      {field.name === undefined && proposed !== undefined && (
        <PlainButton kind="link" onPress={() => actions.conditions.rename(field.id, proposed)}>
          {format(texts.useName, { name: proposed })}
        </PlainButton>
      )}
    </Labelled>
  )
}

function ShowIf({ ui, field }: { ui: Ui; field: EditorField }) {
  const { session, actions, texts } = ui
  const { showIf } = field
  const all = controllingFields(session.conditionContext, field, type => texts.types[type])
  const here = all.find(({ name }) => showIf && nameKey(name) === nameKey(showIf.field))
  /** Chosen, but the value to ask for is still missing. */
  const [chosenId, setChosenId] = useState(here?.field.id)
  const chosen = all.find(each => each.field.id === chosenId)
  const set = (controlling: Controlling, is: string) =>
    actions.conditions.showOnlyIf([field.id], { controllingId: controlling.field.id, name: controlling.name, is })
  const isLost = showIf !== undefined && here === undefined
  return (
    <>
      <Labelled id="field-show-if" label={texts.showIf}>
        <select
          id="field-show-if"
          value={isLost ? '?' : (chosenId ?? '')}
          {...describedBy(ui, field, 'showIf')}
          onChange={event => {
            const controlling = all.find(each => each.field.id === event.currentTarget.value)
            setChosenId(controlling?.field.id)
            if (!controlling) return actions.conditions.showOnlyIf([field.id], undefined)
            const answers = answersOf(controlling.field)
            if (answers?.[0] !== undefined) set(controlling, answers[0])
          }}
        >
          <option value="">{texts.alwaysShown}</option>
          {isLost && <option value="?">{showIf.field}</option>}
          {all.map(({ field: { id }, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Labelled>
      {chosen && <Is ui={ui} controlling={chosen} is={here === chosen ? (showIf?.is ?? '') : ''} onSet={is => set(chosen, is)} />}
      <Problem ui={ui} field={field} member="showIf" />
      {all.length === 0 && !showIf && <p class="hint">{texts.noControlling}</p>}
    </>
  )
}

interface IsProps {
  ui: Ui
  controlling: Controlling
  is: string
  onSet(is: string): void
}

function Is({ ui, controlling: { field }, is, onSet }: IsProps) {
  const { texts } = ui
  const answers = answersOf(field)
  return (
    <Labelled id="field-is" label={texts.is}>
      {answers ? (
        <select id="field-is" value={is} onChange={event => onSet(event.currentTarget.value)}>
          {!answers.includes(is) && <option value={is}>{is}</option>}
          {answers.map(answer => (
            <option key={answer} value={answer}>
              {answerName(answer, field, ui)}
            </option>
          ))}
        </select>
      ) : (
        <Entry
          id="field-is"
          inputMode={field.type === 'number' ? 'decimal' : 'text'}
          value={field.type === 'number' ? enteredNumber(is, ui.lang) : is}
          onEntered={text => {
            if (text.trim() !== '') onSet(readEntry(field, text.trim(), ui.lang))
          }}
        />
      )}
    </Labelled>
  )
}

function answerName(answer: string, field: EditorField | undefined, { texts }: Pick<Ui, 'texts'>): string {
  if (field?.type !== 'checkbox') return answer
  return answer === 'true' ? texts.ticked : texts.notTicked
}
