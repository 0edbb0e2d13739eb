/** The properties of the selected fields. Each change is saved at once. */
import { Fragment } from 'preact'
import { hasOptions, isPrefillable, isPrinted } from '../../../src/core/field.ts'
import { Icon } from '../../parts/icon.tsx'
import { format, formatCount } from '../signing-texts.ts'
import { Arrange, CopyToPages } from './editor-arranging.tsx'
import type { Properties as FieldProperties } from './editor-commands.ts'
import { Format, Labelled, textOf } from './editor-format.tsx'
import { type Box, boxOf, type EditorField, mayHave } from './editor-model.ts'
import { personName } from './editor-names.ts'
import { PlainButton, personClassOf, TYPE_ICONS, type Ui } from './editor-ui.tsx'

export function Properties({ ui }: { ui: Ui }) {
  const { session, actions, texts, lang } = ui
  const fields = session.selected
  const [field] = fields
  if (!field) return null
  const isOne = fields.length === 1
  const ids = fields.map(({ id }) => id)
  return (
    <section class="properties" aria-label={texts.properties}>
      <div class="properties-head">
        <h2 class={personClassOf(session.personIndex(field.recipientId))}>
          {isOne ? (
            <>
              <Icon name={TYPE_ICONS[field.type]} />
              {texts.types[field.type]}
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
      {isOne && <Words key={field.id} ui={ui} field={field} />}
      {isOne && <PlaceAndSize ui={ui} field={field} />}
      {!isOne && <Arrange ui={ui} />}
      <CopyToPages ui={ui} />
      <CopyFor ui={ui} fields={fields} />
      <div class="row">
        <PlainButton icon="copy" onPress={() => actions.copies.duplicate(ids)}>
          {texts.duplicate}
        </PlainButton>
        <PlainButton kind="danger" icon="trash-2" onPress={() => actions.delete(ids)}>
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

interface TickProps {
  label: string
  isChecked: boolean
  isMixed?: boolean
  isDisabled?: boolean
  onChange(isChecked: boolean): void
}

function Tick({ label, isChecked, isMixed = false, isDisabled = false, onChange }: TickProps) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={isChecked}
        indeterminate={isMixed}
        disabled={isDisabled}
        onChange={event => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

function Words({ ui, field }: { ui: Ui; field: EditorField }) {
  const { actions, texts } = ui
  const change = (properties: FieldProperties) => actions.change([field.id], properties)
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
      {text('label', texts.label, texts.labelHint)}
      {hasOptions(field.type) && <Options ui={ui} field={field} />}
      {isPrefillable(field.type) && <Prefilled ui={ui} field={field} />}
      {isPrinted(field.type) && (
        <details class="text-format">
          <summary>{texts.textAndFormat}</summary>
          {isPrefillable(field.type) && !hasOptions(field.type) && text('placeholder', texts.placeholder)}
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

function Prefilled({ ui, field }: { ui: Ui; field: EditorField }) {
  const { actions, texts } = ui
  const change = (value: string | undefined) => actions.change([field.id], { value })
  const readOnly = (
    <Tick
      label={texts.isReadOnly}
      isChecked={field.readOnly}
      isDisabled={field.value === undefined}
      onChange={isReadOnly => actions.change([field.id], { readOnly: isReadOnly })}
    />
  )
  if (field.type === 'checkbox') {
    return (
      <>
        <Tick
          label={texts.checked}
          isChecked={field.value === 'true'}
          onChange={isTicked => change(isTicked ? 'true' : undefined)}
        />
        {readOnly}
      </>
    )
  }
  return (
    <>
      <Labelled id="field-value" label={texts.value}>
        {hasOptions(field.type) ? (
          <select id="field-value" value={field.value ?? ''} onChange={event => change(textOf(event.currentTarget.value))}>
            <option value="">{texts.noValue}</option>
            {field.options.map(option => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </select>
        ) : (
          <input
            id="field-value"
            type="text"
            dir="auto"
            autoComplete="off"
            inputMode={field.type === 'number' ? 'decimal' : 'text'}
            value={field.value ?? ''}
            onInput={event => change(textOf(event.currentTarget.value))}
          />
        )}
      </Labelled>
      {readOnly}
    </>
  )
}

const SIDES = ['x', 'y', 'width', 'height'] as const

/** Typing and buttons instead of dragging: WCAG 2.5.7. */
function PlaceAndSize({ ui, field }: { ui: Ui; field: EditorField }) {
  const { session, actions, texts } = ui
  const box = boxOf(session.state, field)
  const set = (side: keyof Box, points: number) => {
    if (Number.isFinite(points)) actions.setBox(field.id, { [side]: points })
  }
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
            <input
              id={`field-${side}`}
              type="number"
              step="any"
              value={Math.round(box[side] * 10) / 10}
              onChange={event => set(side, event.currentTarget.valueAsNumber)}
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
