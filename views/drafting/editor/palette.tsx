/** Chooses the person and the kind of field to place. */
import { FIELD_TYPES, type FieldType } from '../../../src/core/field/field.ts'
import { Icon } from '../../parts/icon.tsx'
import { format, formatCount } from '../../signing/browser/texts.ts'
import { mayHave, type Person, signersWithoutSignature } from './model.ts'
import { personName, typeName } from './names.ts'
import { personClassOf } from './people.ts'
import { PersonSign, PlainButton, TYPE_ICONS, type Ui } from './ui.tsx'

export function Palette({ ui }: { ui: Ui }) {
  const { session, texts } = ui
  const { active } = session
  const able = session.people.filter(person => mayHave(person, 'text'))
  if (!active || able.every(({ role }) => role === 'sender')) return <NoPeople ui={ui} />
  const types = FIELD_TYPES.filter(type => mayHave(active, type))
  return (
    <section class="palette" aria-label={texts.palette}>
      {able.length > 1 && <People ui={ui} people={able} />}
      <div class={`kinds ${personClassOf(session, active.id)}`}>
        {types.map(type => (
          <Kind key={type} ui={ui} type={type} />
        ))}
      </div>
      <p class="quiet small how-to">{session.tool ? texts.armed : texts.howTo}</p>
      <Missing ui={ui} />
      <Answers ui={ui} />
    </section>
  )
}

function NoPeople({ ui: { texts, base } }: { ui: Ui }) {
  return (
    <section class="palette empty">
      <h2>{texts.noPeople.title}</h2>
      <p>{texts.noPeople.text}</p>
      <a class="button primary" href={`${base}/people`}>
        <span>{texts.noPeople.link}</span>
      </a>
    </section>
  )
}

function People({ ui, people }: { ui: Ui; people: Person[] }) {
  const { session, actions, texts, lang } = ui
  const { active } = session
  const counts = new Map<string, number>()
  for (const { recipientId } of session.state.fields.values()) counts.set(recipientId, (counts.get(recipientId) ?? 0) + 1)
  return (
    <>
      <ul class="persons" aria-label={texts.forPerson}>
        {people.map(person => {
          const isActive = person.id === active?.id
          const name = personName(person, texts)
          return (
            <li key={person.id}>
              <button type="button" class="person-choice" aria-pressed={isActive} onClick={() => actions.activate(person)}>
                <PersonSign ui={ui} person={person} />
                <span class="person-name" dir="auto">
                  {name}
                  {person.role === 'sender' && <span class="sender-hint quiet small">{texts.senderHint}</span>}
                </span>
                <span class="quiet small">
                  <span aria-hidden="true">{counts.get(person.id) ?? 0}</span>
                  <span class="unseen">{formatCount(texts.fieldCount, counts.get(person.id) ?? 0, lang)}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {active && (
        <label class="tick small show-only">
          <input
            type="checkbox"
            checked={session.shownPersonId !== undefined}
            onChange={event => session.showOnly(event.currentTarget.checked ? active.id : undefined)}
          />
          <span>{format(texts.showOnly, { person: personName(active, texts) })}</span>
        </label>
      )}
    </>
  )
}

function Kind({ ui, type }: { ui: Ui; type: FieldType }) {
  const { session, actions, texts } = ui
  const isArmed = session.tool?.type === type
  const name = typeName(type, session.active?.id, texts)
  return (
    <button
      type="button"
      class="kind"
      data-type={type}
      title={name}
      aria-pressed={isArmed}
      onPointerDown={event => ui.dragTool(event, { type, isKept: false })}
      onClick={event => {
        // Without a pointer the field is placed at once.
        if (event.detail === 0) actions.placeInSight(type)
        else session.arm(isArmed ? undefined : { type, isKept: event.shiftKey })
      }}
    >
      <Icon name={TYPE_ICONS[type]} />
      <span>{texts.hyphenated[type] ?? name}</span>
    </button>
  )
}

/** Signers who could sign nowhere on the pages. */
function Missing({ ui }: { ui: Ui }) {
  const { session, actions, texts } = ui
  const missing = signersWithoutSignature(session.state.fields, session.people)
  if (missing.length === 0) return null
  return (
    <ul class="missing">
      {missing.map(person => (
        <li key={person.id}>
          <Icon name="triangle-alert" />
          <span>{format(texts.missingSignature, { person: personName(person, texts) })}</span>
          <PlainButton kind="link" onPress={() => void actions.placeSignature(person)}>
            {texts.addSignature}
          </PlainButton>
        </li>
      ))}
    </ul>
  )
}

/** Proposals that were answered: the answer can be changed while the draft is edited. */
function Answers({ ui }: { ui: Ui }) {
  const { proposals, texts } = ui
  const answers = proposals.all
  const used = answers.filter(({ answer }) => answer === 'used').length
  const left = answers.filter(({ answer }) => answer === 'left').length
  if (used + left === 0) return null
  return (
    <p class="answers small">
      <span class="quiet">{format(texts.proposals.answered, { used, left })}</span>{' '}
      <PlainButton kind="link" onPress={() => ui.openAnswers(!ui.isAnswersOpen)}>
        {ui.isAnswersOpen ? texts.proposals.closeAnswers : texts.proposals.changeAnswers}
      </PlainButton>
    </p>
  )
}
