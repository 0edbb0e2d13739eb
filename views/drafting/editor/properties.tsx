/** The properties of the selected fields. Each change is saved at once. */
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import {
  hasBoxes,
  hasMember,
  hasOptions,
  isFile,
  isPrefillable,
  isPrinted,
  MAX_FIELD_NAME,
  MAX_OPTION_LENGTH,
  MAX_OPTIONS,
  readEntry,
} from '../../../src/core/field/field.ts'
import { enteredNumber } from '../../../src/core/field/number.ts'
import { nameKey, SENDER } from '../../../src/core/field/visibility.ts'
import { Icon } from '../../parts/icon.tsx'
import type { IconName } from '../../parts/icons.ts'
import { format, formatCount } from '../../signing/browser/data.ts'
import type { Alignment } from './arrange.ts'
import { type FieldBox, keysOf } from './boxes.ts'
import { isChoiceName, MIN_CHOICES } from './choices.ts'
import type { Properties as FieldProperties } from './commands.ts'
import { answersOf, type Controlling, controllingFields, Names } from './conditions.ts'
import type { Target } from './copies.ts'
import { Entry, Files, Format, Labelled, NumberEntry, Tick, textOf } from './format.tsx'
import { type Box, boxOf, type EditorField, mayHave, personClassOf, personName, typeName } from './model.ts'
import { PlainButton, ToolButton, TYPE_ICONS, type Ui } from './ui.tsx'
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

// The name of a field, and the condition under which it is shown.

function NameAndCondition({ ui, field }: { ui: Ui; field: EditorField }) {
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

// The choices of a field that has a box for each: their values, and more or fewer of them.

function Choices({ ui, field }: { ui: Ui; field: EditorField }) {
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

// Arranges several fields, and copies fields to other pages.

const ALIGNMENT_ICONS: Record<Alignment, IconName> = {
  left: 'align-start-vertical',
  centre: 'align-center-vertical',
  right: 'align-end-vertical',
  top: 'align-start-horizontal',
  middle: 'align-center-horizontal',
  bottom: 'align-end-horizontal',
}

function Arrange({ ui: { actions, texts } }: { ui: Ui }) {
  return (
    <fieldset class="arrange">
      <legend>{texts.arrange}</legend>
      {(Object.keys(ALIGNMENT_ICONS) as Alignment[]).map(to => (
        <ToolButton key={to} icon={ALIGNMENT_ICONS[to]} label={texts.alignments[to]} onPress={() => actions.align(to)} />
      ))}
      <ToolButton icon="align-horizontal-space-between" label={texts.distributeX} onPress={() => actions.distribute('x')} />
      <ToolButton icon="align-vertical-space-between" label={texts.distributeY} onPress={() => actions.distribute('y')} />
      <ToolButton icon="move-horizontal" label={texts.sameWidth} onPress={() => actions.equalise(['width'])} />
      <ToolButton icon="move-vertical" label={texts.sameHeight} onPress={() => actions.equalise(['height'])} />
      <ToolButton icon="scaling" label={texts.sameSize} onPress={() => actions.equalise(['width', 'height'])} />
    </fieldset>
  )
}

const TARGETS = ['all', 'butFirst', 'butLast', 'range'] as const
type TargetName = (typeof TARGETS)[number]

function CopyToPages({ ui: { actions, pages, texts } }: { ui: Ui }) {
  const [name, setName] = useState<TargetName>('all')
  const [from, setFrom] = useState(1)
  const [to, setTo] = useState(pages.count)
  if (pages.count < 2) return null
  const target: Target = name === 'range' ? { from, to } : name
  return (
    <div class="property copy-to-pages">
      <label for="copy-to">{texts.copyToPages}</label>
      <div class="row">
        <select id="copy-to" value={name} onChange={event => setName(event.currentTarget.value as TargetName)}>
          {TARGETS.map(each => (
            <option key={each} value={each}>
              {texts.targets[each]}
            </option>
          ))}
        </select>
        <PlainButton icon="copy" onPress={() => actions.copies.toPages(target)}>
          {texts.copy}
        </PlainButton>
      </div>
      {name === 'range' && (
        <div class="row">
          <PageInput id="copy-from-page" label={texts.from} value={from} max={pages.count} onChange={setFrom} />
          <PageInput id="copy-to-page" label={texts.to} value={to} max={pages.count} onChange={setTo} />
        </div>
      )}
    </div>
  )
}

interface PageInputProps {
  id: string
  label: string
  value: number
  max: number
  onChange(page: number): void
}

function PageInput({ id, label, value, max, onChange }: PageInputProps) {
  return (
    <span class="page-input">
      <label for={id}>{label}</label>
      <NumberEntry
        id={id}
        min={1}
        max={max}
        value={value}
        onEntered={(page = 1) => onChange(Math.min(Math.max(Math.round(page), 1), max))}
      />
    </span>
  )
}
