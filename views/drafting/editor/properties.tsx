/** The properties of the selected fields. Each change is saved at once. */
import { Fragment } from 'preact'
import { hasBoxes, hasMember, hasOptions, isFile, isPrefillable, isPrinted } from '../../../src/core/field/field.ts'
import { SENDER } from '../../../src/core/field/placed-fields.ts'
import { Icon } from '../../parts/icon.tsx'
import { format, formatCount } from '../../signing/browser/texts.ts'
import { Arrange, CopyToPages } from './arranging.tsx'
import type { FieldBox } from './boxes.ts'
import { Choices } from './choices-panel.tsx'
import type { Properties as FieldProperties } from './commands.ts'
import { NameAndCondition } from './condition.tsx'
import { Files, Format, Labelled, NumberEntry, Tick, textOf } from './format.tsx'
import { type Box, boxOf, type EditorField, mayHave } from './model.ts'
import { personName, typeName } from './names.ts'
import { personClassOf } from './people.ts'
import { PlainButton, TYPE_ICONS, type Ui } from './ui.tsx'
import { Value } from './value.tsx'

export function Properties({ ui }: { ui: Ui }) {
  const { session, actions, texts, lang } = ui
  const fields = session.selected
  const [field] = fields
  if (!field) return null
  const isOne = fields.length === 1
  const ids = fields.map(({ id }) => id)
  const [box, ...otherBoxes] = session.selectedBoxes
  return (
    <section class="properties" aria-label={texts.properties}>
      <div class="properties-head">
        <h2 class={personClassOf(session, field.recipientId)}>
          {isOne ? (
            <>
              <Icon name={TYPE_ICONS[field.type]} />
              {typeName(field.type, field.recipientId, texts)}
            </>
          ) : (
            formatCount(texts.several, fields.length, lang)
          )}
        </h2>
        <button type="button" class="button quiet compact sheet-close" onClick={() => ui.openSheet(false)}>
          {texts.done}
        </button>
      </div>
      {ids
        .flatMap(id => session.errorsOf(id))
        .map(error => (
          <p key={error} class="field-error" role="alert">
            {error}
          </p>
        ))}
      <Owner ui={ui} fields={fields} />
      <Tick
        label={texts.isRequired}
        isChecked={fields.every(({ required }) => required)}
        isMixed={new Set(fields.map(({ required }) => required)).size > 1}
        onChange={required => actions.change(ids, { required })}
      />
      {fields.every(({ type }) => hasMember(type, 'rule')) && (
        <Tick
          label={texts.rule}
          isChecked={fields.every(({ rule }) => rule === true)}
          isMixed={new Set(fields.map(({ rule }) => rule)).size > 1}
          onChange={isRuled => actions.change(ids, { rule: isRuled || undefined })}
        />
      )}
      {isOne && <Words key={field.id} ui={ui} field={field} />}
      {box && otherBoxes.length === 0 && <PlaceAndSize key={box.key} ui={ui} placed={box} />}
      {otherBoxes.length > 0 && <Arrange ui={ui} />}
      <CopyToPages ui={ui} />
      <CopyFor ui={ui} fields={fields} />
      <div class="row">
        <PlainButton icon="copy" onPress={() => actions.copies.duplicate(ids)}>
          {texts.duplicate}
        </PlainButton>
        <PlainButton kind="danger" icon="trash-2" onPress={() => actions.delete(session.selection)}>
          {texts.delete}
        </PlainButton>
      </div>
    </section>
  )
}

function Owner({ ui, fields }: { ui: Ui; fields: EditorField[] }) {
  const { session, actions, texts } = ui
  const able = session.people.filter(person => fields.every(({ type }) => mayHave(person, type)))
  if (session.people.length < 2) return null
  const owners = new Set(fields.map(({ recipientId }) => recipientId))
  const [only] = owners.size === 1 ? owners : ['']
  return (
    <Labelled id="field-person" label={texts.person}>
      <select
        id="field-person"
        value={only ?? ''}
        onChange={event => {
          const person = session.person(event.currentTarget.value)
          if (person) actions.reassign(session.selection, person)
        }}
      >
        {owners.size > 1 && <option value="">{texts.severalPeople}</option>}
        {able.map(person => (
          <option key={person.id} value={person.id}>
            {personName(person, texts)}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

function Words({ ui, field }: { ui: Ui; field: EditorField }) {
  const { actions, texts } = ui
  const change = (properties: FieldProperties) => actions.change([field.id], properties)
  const isOurs = field.recipientId === SENDER
  const isAsked = isPrefillable(field.type) && !isOurs
  const mayHaveValue = isOurs || isPrefillable(field.type)
  const text = (member: 'label' | 'placeholder', label: string, hint?: string) => (
    <Labelled id={`field-${member}`} label={label} {...(hint === undefined ? {} : { hint })}>
      <input
        id={`field-${member}`}
        type="text"
        dir="auto"
        autoComplete="off"
        {...(hint === undefined ? {} : { 'aria-describedby': `field-${member}-hint` })}
        value={field[member] ?? ''}
        onInput={event => change({ [member]: textOf(event.currentTarget.value) })}
      />
    </Labelled>
  )
  return (
    <>
      {text('label', texts.label, isOurs || !isPrefillable(field.type) ? undefined : texts.labelHint)}
      {hasBoxes(field.type) && <Choices ui={ui} field={field} />}
      {hasOptions(field.type) && !hasBoxes(field.type) && <Options ui={ui} field={field} />}
      {mayHaveValue && <Value ui={ui} field={field} />}
      {isFile(field.type) && <Files ui={ui} field={field} />}
      <NameAndCondition ui={ui} field={field} />
      {isPrinted(field.type) && (
        <details class="text-format">
          <summary>{texts.textAndFormat}</summary>
          {isAsked && !hasOptions(field.type) && text('placeholder', texts.placeholder)}
          <Format ui={ui} field={field} />
        </details>
      )}
    </>
  )
}

function Options({ ui, field }: { ui: Ui; field: EditorField }) {
  const { actions, texts } = ui
  const isEmpty = field.options.length === 0
  const parse = (value: string) => [...new Set(value.split('\n').map(line => line.trim()))].filter(line => line !== '')
  return (
    <Labelled id="field-options" label={texts.options}>
      <textarea
        id="field-options"
        rows={4}
        dir="auto"
        defaultValue={field.options.join('\n')}
        aria-invalid={isEmpty}
        {...(isEmpty ? { 'aria-describedby': 'field-options-error' } : {})}
        onInput={event => {
          const options = parse(event.currentTarget.value)
          const isKept = field.value !== undefined && options.includes(field.value)
          actions.change([field.id], { options, ...(isKept ? {} : { value: undefined }) })
        }}
      />
      {isEmpty && (
        <p class="field-error" id="field-options-error">
          {texts.noOptions}
        </p>
      )}
    </Labelled>
  )
}

const SIDES = ['x', 'y', 'width', 'height'] as const

/** Typing and buttons instead of dragging: WCAG 2.5.7. */
function PlaceAndSize({ ui, placed }: { ui: Ui; placed: FieldBox }) {
  const { session, actions, texts } = ui
  const box = boxOf(session.state, placed)
  const set = (side: keyof Box, points: number) => actions.setBox(placed.key, { [side]: points })
  return (
    <fieldset class="place-and-size">
      <legend>{texts.position}</legend>
      {SIDES.map(side => (
        <Fragment key={side}>
          <label for={`field-${side}`}>{texts[side]}</label>
          <span class="stepped">
            <button
              type="button"
              class="tool"
              aria-label={format(texts.less, { name: texts[side] })}
              onClick={() => set(side, box[side] - 1)}
            >
              <Icon name="minus" />
            </button>
            <NumberEntry
              id={`field-${side}`}
              value={Math.round(box[side] * 10) / 10}
              onEntered={points => points !== undefined && set(side, points)}
            />
            <button
              type="button"
              class="tool"
              aria-label={format(texts.more, { name: texts[side] })}
              onClick={() => set(side, box[side] + 1)}
            >
              <Icon name="plus" />
            </button>
          </span>
        </Fragment>
      ))}
    </fieldset>
  )
}

function CopyFor({ ui, fields }: { ui: Ui; fields: EditorField[] }) {
  const { session, actions, texts } = ui
  const owners = new Set(fields.map(({ recipientId }) => recipientId))
  const others = session.people.filter(person => !owners.has(person.id) && fields.some(({ type }) => mayHave(person, type)))
  if (others.length === 0) return null
  return (
    <Labelled id="copy-for" label={texts.copyFor}>
      <select
        id="copy-for"
        value=""
        onChange={event => {
          const person = session.person(event.currentTarget.value)
          event.currentTarget.value = ''
          if (person) actions.copies.forPerson(session.selection, person)
        }}
      >
        <option value="">{texts.proposals.choose}</option>
        {others.map(person => (
          <option key={person.id} value={person.id}>
            {personName(person, texts)}
          </option>
        ))}
      </select>
    </Labelled>
  )
}
