/** Messages and offers over the pages, and the bar of a selected field on phones. */
import { SIGN_IN_PATH } from '../../../src/core/page-paths.ts'
import { Callout } from '../../parts/notice.tsx'
import { format, formatCount } from '../../signing/browser/data.ts'
import { fieldName, mayHave, personName, typeName } from './model.ts'
import type { AnsweredProposal, OpenProposal } from './proposals.ts'
import type { Conflict } from './session.ts'
import { PersonSign, PlainButton, ToolButton, type Ui } from './ui.tsx'

export function Strip({ ui }: { ui: Ui }) {
  const { session, texts, saveState, base, unsavedCount } = ui
  return (
    <>
      {saveState === 'closed' && (
        <Callout
          tone="warn"
          role="alert"
          title={texts.closed.title}
          actions={
            <>
              {unsavedCount > 0 && (
                <button
                  type="button"
                  class="button primary compact"
                  aria-disabled={ui.isCopying}
                  onClick={() => ui.copyToNewDraft()}
                >
                  {ui.isCopying ? texts.closed.copying : texts.closed.copy}
                </button>
              )}
              <a class="button plain compact" href={base}>
                {texts.closed.open}
              </a>
            </>
          }
        >
          <p>{format(texts.closed.text, { n: unsavedCount })}</p>
        </Callout>
      )}
      {saveState === 'signedOut' && (
        <Callout
          tone="warn"
          role="alert"
          title={texts.signedOut.title}
          actions={
            <a class="button plain compact" href={`${SIGN_IN_PATH}?next=${encodeURIComponent(`${base}/fields`)}`}>
              {texts.signedOut.signIn}
            </a>
          }
        >
          <p>{texts.signedOut.text}</p>
        </Callout>
      )}
      {session.conflicts.map(conflict => (
        <ConflictCallout key={conflict.id} ui={ui} conflict={conflict} />
      ))}
      <Offer ui={ui} />
      {ui.isSearching && (
        <p class="strip-note" role="status">
          {ui.texts.proposals.searching}
        </p>
      )}
      {ui.notice !== undefined && (
        <div class="strip-note" role="status">
          <span>{ui.notice}</span>
          <ToolButton icon="x" label={texts.done} onPress={() => ui.dismissNotice()} />
        </div>
      )}
      <SameFor ui={ui} />
    </>
  )
}

function ConflictCallout({ ui: { session, texts }, conflict }: { ui: Ui; conflict: Conflict }) {
  const theirs = session.field(conflict.id)
  const shown = theirs ?? conflict.mine
  const field = shown ? fieldName(shown, session.person(shown.recipientId), texts) : ''
  const about = { by: conflict.by ?? texts.someone, field }
  return (
    <Callout
      tone="warn"
      role="alert"
      title={format(theirs ? texts.conflict.title : texts.conflict.removed, about)}
      actions={
        <>
          <PlainButton onPress={() => session.resolve(conflict, true)}>{texts.conflict.mine}</PlainButton>
          <PlainButton kind="quiet" onPress={() => session.resolve(conflict, false)}>
            {texts.conflict.theirs}
          </PlainButton>
        </>
      }
    >
      {theirs && <p>{texts.conflict.text}</p>}
    </Callout>
  )
}

function question({ proposals }: Ui['texts'], name: string | undefined, number: number | undefined): string {
  if (name !== undefined) return format(proposals.owner, { name })
  return number === undefined ? proposals.unnumbered : format(proposals.numbered, { n: number })
}

/** Proposals of the PDF: the sure ones together, and one by one those that are doubtful. */
function Offer({ ui }: { ui: Ui }) {
  const { proposals, session, texts, lang } = ui
  if (session.recipients.every(person => !mayHave(person, 'text'))) return null
  const { all } = proposals
  const open = all.filter(({ answer }) => answer === 'open')
  const sure = open.filter(({ proposal }) => !proposal.isDoubtful)
  const doubtful = open.filter(({ proposal }) => proposal.isDoubtful)
  const listed = ui.isAnswersOpen ? all : doubtful
  if (sure.length + listed.length === 0) return null
  return (
    <section class="offer" aria-label={texts.proposals.title}>
      {sure.length > 0 && <p>{formatCount(texts.proposals.found, sure.length, lang)}</p>}
      <Owners ui={ui} />
      {sure.length > 0 && <Sure ui={ui} open={sure} />}
      {doubtful.length > 0 && <p>{formatCount(texts.proposals.doubtful, doubtful.length, lang)}</p>}
      {listed.length > 0 && (
        <ul class="offer-places">
          {listed.map(each => (
            <Place key={each.index} ui={ui} proposal={each} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** One place, to be used or left by itself. */
function Place({ ui, proposal: each }: { ui: Ui; proposal: AnsweredProposal }) {
  const { texts, actions } = ui
  const { proposal, person, answer } = each
  const kind = typeName(proposal.type, person?.id, texts)
  const name = proposal.label ? format(texts.labelled, { type: kind, label: proposal.label }) : kind
  const place = format(texts.proposals.place, { field: name, page: proposal.page })
  const labelled = (words: string) => format(texts.proposals.ofPlace, { answer: words, place })
  return (
    <li>
      <PlainButton kind="link" onPress={() => actions.showProposal(each)}>
        {place}
      </PlainButton>
      <span class="row">
        <PlainButton
          label={labelled(texts.proposals.use)}
          isPressed={answer === 'used'}
          onPress={() => answer !== 'used' && actions.accept([each])}
        >
          {texts.proposals.use}
        </PlainButton>
        <PlainButton
          label={labelled(texts.proposals.leave)}
          isPressed={answer === 'left'}
          onPress={() => answer !== 'left' && actions.leave(each)}
        >
          {texts.proposals.leave}
        </PlainButton>
      </span>
    </li>
  )
}

/** The sure ones: one answer for all. */
function Sure({ ui, open }: { ui: Ui; open: readonly OpenProposal[] }) {
  const { texts, lang, actions } = ui
  const ready = open.filter(({ person }) => person)
  const accept = () => {
    actions.accept(ready)
    // Nothing can be accepted before somebody is chosen.
    if (ready.length === 0) document.querySelector<HTMLElement>('.offer select')?.focus()
  }
  return (
    <span class="row">
      <PlainButton kind="primary" icon="check" onPress={accept}>
        {formatCount(texts.proposals.acceptAll, ready.length || open.length, lang)}
      </PlainButton>
      <PlainButton kind="quiet" onPress={() => actions.dismiss(open)}>
        {texts.proposals.dismissAll}
      </PlainButton>
    </span>
  )
}

/** Whose the fields are, where the PDF does not say. */
function Owners({ ui }: { ui: Ui }) {
  const { proposals, session, texts, actions } = ui
  return (
    <>
      {proposals.unclear.map(({ key, name, number, people }, i) => (
        <span class="offer-owner" key={`${key}\n${people.map(({ id }) => id)}`}>
          <label for={`owner-${i}`}>{question(texts, name, number)}</label>
          <select
            id={`owner-${i}`}
            onChange={event => {
              const person = session.person(event.currentTarget.value)
              if (person) actions.chooseOwner(key, person)
            }}
          >
            <option value="">{texts.proposals.choose}</option>
            {people.map(person => (
              <option key={person.id} value={person.id}>
                {personName(person, texts)}
              </option>
            ))}
          </select>
        </span>
      ))}
    </>
  )
}

/** After a signature was placed: the same for those who have none yet. */
function SameFor({ ui }: { ui: Ui }) {
  const { session, actions, texts, placed } = ui
  const field = placed && session.field(placed.id)
  if (field?.type !== 'signature') return null
  const having = new Set([...session.state.fields.values()].filter(({ type }) => type === 'signature').map(f => f.recipientId))
  const others = session.people.filter(person => mayHave(person, 'signature') && !having.has(person.id))
  if (others.length === 0) return null
  return (
    <section class="strip-note" aria-label={texts.sameFor}>
      <span>{texts.sameFor}</span>
      {others.map(person => (
        <button
          key={person.id}
          type="button"
          class="button plain compact"
          onClick={() => actions.copies.forPerson([field.id], person)}
        >
          <PersonSign ui={ui} person={person} />
          <span>{personName(person, texts)}</span>
        </button>
      ))}
    </section>
  )
}

const STEP_PT = 4

/** Of a selected field where there is no space for the properties. */
export function SelectionBar({ ui }: { ui: Ui }) {
  const { session, actions, texts } = ui
  const ids = session.selection
  if (ids.length === 0) return null
  return (
    <section class="selection-bar" aria-label={texts.selection}>
      <ToolButton icon="arrow-left" label={texts.nudge.left} onPress={() => actions.nudge(ids, -STEP_PT, 0)} />
      <ToolButton icon="arrow-up" label={texts.nudge.up} onPress={() => actions.nudge(ids, 0, -STEP_PT)} />
      <ToolButton icon="arrow-down" label={texts.nudge.down} onPress={() => actions.nudge(ids, 0, STEP_PT)} />
      <ToolButton icon="arrow-right" label={texts.nudge.right} onPress={() => actions.nudge(ids, STEP_PT, 0)} />
      <PlainButton icon="pencil" onPress={() => ui.openSheet(true)}>
        {texts.edit}
      </PlainButton>
      <ToolButton icon="trash-2" label={texts.delete} onPress={() => actions.delete(ids)} />
      <ToolButton icon="check" label={texts.done} onPress={() => session.select([])} />
    </section>
  )
}
