/** Loads the draft, opens the editor, shows its panels and saves what changes. */
import { render } from 'preact'
import { monotonicFactory } from 'ulid'
import type { FoundFields } from '../../../src/core/draft/proposal.ts'
import { FIELD_TYPES, type FieldType } from '../../../src/core/field/field.ts'
import { PATIENCE_MS } from '../../browser/request-limits.ts'
import { Icon } from '../../parts/icon.tsx'
import { format, formatCount } from '../../signing/browser/data.ts'
import { requireElement } from '../../signing/browser/element.ts'
import { EDITOR_DATA_ID, type EditorData } from './data.ts'
import type { Draft } from './draft.ts'
import { merge } from './history.ts'
import {
  type Change,
  type EditorField,
  mayHave,
  type PageSize,
  type Person,
  personClassOf,
  personName,
  signersWithoutSignature,
  typeName,
} from './model.ts'
import { type Areas, type Beginning, ComposedEditor, createAreas } from './page.ts'
import { Properties } from './properties.tsx'
import { DraftSaver, type DraftStore, draftRequests, editOf, type MergedDraft, openStore, type Unsaved } from './save.ts'
import type { Tool } from './session.ts'
import { SelectionBar, Strip } from './strip.tsx'
import { Toolbar } from './toolbar.tsx'
import { PersonSign, PlainButton, TYPE_ICONS, type Ui } from './ui.tsx'

const STORE_AFTER_MS = 100

async function fetchJson<T>(url: string): Promise<T> {
  const response = await fetch(url, { redirect: 'manual' })
  if (!response.ok) throw new Error(`${url} was answered ${response.status}`)
  return (await response.json()) as T
}

export async function startEditor(): Promise<void> {
  const data = JSON.parse(requireElement(`#${EDITOR_DATA_ID}`, HTMLScriptElement).text) as EditorData
  const root = requireElement('#editor', HTMLElement)
  const { base } = data
  const requests = draftRequests({ url: `${base}/draft`, csrf: data.csrf })
  const store = openStore(base)
  const [draft, sizes, stored] = await Promise.all([
    requests.get(),
    fetchJson<PageSize[]>(`${base}/pages?version=original`),
    store.read().catch((error: unknown) => void console.warn(error)),
  ])
  if (draft === 'signedOut' || !draft.isDraft) return location.assign(base)
  const nextId = monotonicFactory()
  const newFieldId = () => `fld_${nextId().toLowerCase()}`
  document.querySelector('.page-loading')?.remove()
  root.hidden = false
  const areas = createAreas(root, data)
  const beginning: Beginning = { data, draft, sizes, stored: stored ?? undefined, newFieldId }
  const editor = new ComposedEditor(beginning, areas)
  const newDraft = new NewDraft({ base, csrf: data.csrf, newFieldId })
  const page = new EditorPage({ data, draft, areas, editor, requests, store, newDraft })
  page.begin()
  const asked = new URLSearchParams(location.search).get('focus')
  if (asked !== null) editor.actions.show(asked)
  await page.search(fetchJson<FoundFields>(`${base}/proposals`))
}

interface Options {
  data: EditorData
  draft: Draft
  areas: Areas
  editor: ComposedEditor
  requests: ReturnType<typeof draftRequests>
  store: DraftStore
  newDraft: NewDraft
}

class EditorPage {
  readonly #options: Options
  readonly #saver: DraftSaver
  #notice: string | undefined
  #isSheetOpen = false
  #isCopying = false
  #isAnswersOpen = false
  #isSearching = false
  /** The person wants to go on when the search has ended. */
  #isWaiting = false
  #frame = 0
  #storeTimer: ReturnType<typeof setTimeout> | undefined

  constructor(options: Options) {
    this.#options = options
    const { editor, draft, requests } = options
    this.#saver = new DraftSaver({
      draft,
      fields: () => editor.session.state.fields,
      ...requests,
      later(ms, run) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
      onState: state => {
        options.areas.root.dataset.save = state
        this.#renderSoon()
      },
      onMerged: merged => this.#onMerged(merged),
      onRefused: errors => {
        editor.session.setErrors(errors)
        // What concerns no field in particular, such as the title.
        const whole = errors.find(({ id }) => id === undefined)
        if (whole) this.#notice = whole.message
      },
    })
  }

  begin(): void {
    const { editor } = this.#options
    const { session } = editor
    editor.renderNow = () => this.#render()
    editor.notify = sentence => this.#show(sentence)
    editor.begin()
    editor.listen(() => {
      this.#renderSoon()
      this.#storeSoon()
    })
    session.listen(({ fields }) => {
      if (fields) this.#saver.noteChange()
      if (session.selection.length === 0) this.#isSheetOpen = false
      this.#storeSoon()
    })
    this.#showConflicts()
    this.#options.areas.root.dataset.save = this.#saver.state
    this.#saver.noteChange()
    this.#render()
    this.#listenToPage()
  }

  /** Proposals never appear after the person has gone on: going on waits for them once. */
  async search(searching: Promise<FoundFields>): Promise<void> {
    const { editor, data } = this.#options
    this.#isSearching = true
    this.#renderSoon()
    try {
      editor.setFound(await searching)
    } catch (error) {
      // Without proposals the editor is complete.
      console.warn(error)
    }
    this.#isSearching = false
    const wasWaiting = this.#isWaiting
    this.#isWaiting = false
    if (!wasWaiting) return this.#renderSoon()
    if (editor.proposals.open.length === 0) return this.#goOn()
    this.#show(data.texts.proposals.foundMeanwhile)
  }

  #show(notice: string | undefined): void {
    this.#notice = notice
    this.#renderSoon()
  }

  /** Changes of an earlier visit that others have overwritten. */
  #showConflicts(): void {
    const { editor } = this.#options
    const { conflicts } = editor.restored
    if (conflicts.length === 0) return
    const { session } = editor
    const offered = conflicts.map(({ id, after }) => ({ id, mine: after, by: undefined }))
    session.replace(session.state.fields, session, offered)
  }

  #listenToPage(): void {
    const title = requireElement('#title', HTMLInputElement)
    title.addEventListener('change', () => this.#saver.setTitle(title.value))
    // Enter would send the form of the table, which is not in the page.
    title.addEventListener('keydown', event => event.key === 'Enter' && title.blur())
    addEventListener('blur', () => void this.#saver.flush())
    addEventListener('online', () => void this.#saver.flush())
    addEventListener('pagehide', () => this.#leave())
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.#leave()
    })
    const events = new EventSource(`${this.#options.data.base}/live`)
    events.addEventListener('changed', event => {
      const { version } = JSON.parse((event as MessageEvent<string>).data || '{}') as { version?: number }
      void this.#saver.noteVersion(version ?? Number.MAX_SAFE_INTEGER)
    })
    // An EventSource that is open keeps the page out of the browser's cache of pages.
    addEventListener('pagehide', () => events.close())
  }

  #leave(): void {
    this.#saver.leave()
    void this.#store()
  }

  #storeSoon(): void {
    clearTimeout(this.#storeTimer)
    this.#storeTimer = setTimeout(() => void this.#store(), STORE_AFTER_MS)
  }

  async #store(): Promise<void> {
    const { editor, store } = this.#options
    try {
      await store.write(editor.session.toStored(this.#saver.pending(), editor.proposals.dismissed))
    } catch (error) {
      console.warn('undo steps were not kept', error)
    }
  }

  #onMerged({ fields, draft, conflicts, theirs, by }: MergedDraft): void {
    const { editor, data } = this.#options
    const { texts } = data
    const offered = conflicts.map(({ id, after }) => ({ id, mine: after, by }))
    editor.session.replace(fields, draft, offered)
    if (theirs.length === 0 || conflicts.length > 0) return
    this.#show(by === undefined ? texts.mergedOwn : format(texts.merged, { by }))
  }

  /** In the next frame, however many changes follow until then. */
  #renderSoon(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0
      this.#render()
    })
  }

  #ui(): Ui {
    const { editor, data } = this.#options
    const { session, actions, pages, gestures, placed } = editor
    return {
      session,
      actions,
      pages,
      proposals: editor.proposals,
      texts: data.texts,
      lang: data.lang,
      base: data.base,
      isTemplate: data.isTemplate,
      saveState: this.#saver.state,
      unsavedCount: this.#saver.pending().length,
      notice: this.#notice,
      placed,
      isAnswersOpen: this.#isAnswersOpen,
      openAnswers: isOpen => {
        this.#isAnswersOpen = isOpen
        this.#renderSoon()
      },
      isSearching: this.#isSearching,
      isSheetOpen: this.#isSheetOpen,
      openSheet: isOpen => {
        this.#isSheetOpen = isOpen
        this.#renderSoon()
      },
      dismissNotice: () => this.#show(undefined),
      dragTool: (event: PointerEvent, tool: Tool) => gestures.beginFromPalette(event, tool, () => {}),
      goOn: () => void this.#goOn(),
      copyToNewDraft: () => void this.#copyToNewDraft(),
      isCopying: this.#isCopying,
    }
  }

  async #copyToNewDraft(): Promise<void> {
    if (this.#isCopying) return
    const { newDraft, data } = this.#options
    this.#isCopying = true
    this.#notice = undefined
    this.#renderSoon()
    try {
      location.assign(await newDraft.make(this.#saver.unsaved))
    } catch (error) {
      console.warn(error)
      this.#isCopying = false
      this.#notice = data.texts.closed.notCopied
      this.#renderSoon()
    }
  }

  #render(): void {
    const { areas } = this.#options
    const ui = this.#ui()
    areas.root.classList.toggle('sheet-open', this.#isSheetOpen)
    areas.root.classList.toggle('selecting', ui.session.selection.length > 0)
    render(<Toolbar ui={ui} />, areas.bar)
    render(<Strip ui={ui} />, areas.strip)
    render(
      <>
        <Palette ui={ui} />
        <Properties ui={ui} />
      </>,
      areas.side,
    )
    render(<SelectionBar ui={ui} />, areas.below)
  }

  async #goOn(): Promise<void> {
    const { data } = this.#options
    if (this.#isSearching && !this.#isWaiting) {
      this.#isWaiting = true
      return this.#show(data.texts.proposals.wait)
    }
    if (await this.#saver.flush()) return location.assign(data.next)
    const refused = this.#saver.state === 'refused' ? this.#options.editor.session.errorIds[0] : undefined
    if (refused !== undefined) return this.#options.editor.actions.show(refused)
    this.#show(data.texts.leaveUnsaved)
  }
}

// Chooses the person and the kind of field to place.

function Palette({ ui }: { ui: Ui }) {
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

// Copies a document that is no longer a draft, with the changes that were not saved.

interface NewDraftOptions {
  /** `/documents/doc_…` of the original. */
  base: string
  csrf: string
  newFieldId(): string
}

/** The ids of the copy by those of the original: both have the same order. */
function idsOfCopy(original: Draft, copy: Draft): Map<string, string> {
  const ids = new Map<string, string>()
  original.people.forEach((person, i) => {
    const twin = copy.people[i]
    if (!twin) return
    ids.set(person.id, twin.id)
    const fieldsOf = (draft: Draft, personId: string) =>
      [...draft.fields.values()].filter(({ recipientId }) => recipientId === personId)
    const twins = fieldsOf(copy, twin.id)
    fieldsOf(original, person.id).forEach((field, n) => {
      const other = twins[n]
      if (other?.type === field.type) ids.set(field.id, other.id)
    })
  })
  return ids
}

/**
 * The changes of the original's fields as changes of the copy's. Where somebody else changed the
 * same field before it was sent, mine wins. Without its person a change cannot be kept.
 */
function changesForCopy(original: Draft, copy: Draft, changes: readonly Change[], newIdOf: (id: string) => string): Change[] {
  const ids = idsOfCopy(original, copy)
  const { pending, conflicts } = merge(original.fields, changes, original.fields, new Set(ids.keys()))
  return [...pending, ...conflicts].flatMap(({ id, after }): Change[] => {
    const twinId = ids.get(id)
    const before = twinId === undefined ? undefined : copy.fields.get(twinId)
    if (!after) return before ? [{ id: before.id, before, after: undefined }] : []
    const recipientId = ids.get(after.recipientId)
    if (recipientId === undefined) return []
    const own: EditorField = { ...after, id: before?.id ?? newIdOf(id), recipientId }
    return [{ id: own.id, before, after: own }]
  })
}

/** The editor of the copy sends them again and shows at each field why it is refused. */
async function keepUnsaved(base: string, pending: Change[]): Promise<void> {
  const store = openStore(base)
  const history = { undo: [], redo: [] }
  await store.write({ history, pending, sizes: {}, isSnapping: true, dismissed: [], atMs: Date.now() })
  if (!(await store.read())) throw new Error('the browser keeps nothing')
}

class NewDraft {
  readonly #options: NewDraftOptions
  /** Made already, if a later step failed. */
  #made: { base: string; address: string } | undefined
  /** By the ids of the original: a repeated request adds no field twice. */
  readonly #newIds = new Map<string, string>()

  constructor(options: NewDraftOptions) {
    this.#options = options
  }

  /** Resolves with the address of the copy once the changes are in it. */
  async make({ changes, title }: Unsaved): Promise<string> {
    const { base, csrf } = this.#options
    this.#made ??= await this.#duplicate()
    const requests = draftRequests({ url: `${this.#made.base}/draft`, csrf })
    const [original, copy] = await Promise.all([draftRequests({ url: `${base}/draft`, csrf }).get(), requests.get()])
    if (original === 'signedOut' || copy === 'signedOut') throw new Error('signed out')
    const own = changesForCopy(original, copy, changes, id => this.#newIdOf(id))
    const answer = await requests.post(editOf(copy.version, own, title))
    if (answer.kind === 'refused') await keepUnsaved(this.#made.base, own)
    else if (answer.kind !== 'saved') throw new Error(`the changes of the copy were answered: ${answer.kind}`)
    return this.#made.address
  }

  #newIdOf(id: string): string {
    const made = this.#newIds.get(id) ?? this.#options.newFieldId()
    this.#newIds.set(id, made)
    return made
  }

  async #duplicate(): Promise<{ base: string; address: string }> {
    const { base, csrf } = this.#options
    const body = new URLSearchParams({ csrf })
    const response = await fetch(`${base}/duplicate`, { method: 'POST', body, signal: AbortSignal.timeout(PATIENCE_MS) })
    const { pathname, searchParams } = new URL(response.url)
    const [copyBase] = /^\/documents\/doc_\w+/.exec(pathname) ?? []
    if (!response.ok || copyBase === undefined || copyBase === base) throw new Error(`the copy was answered ${response.status}`)
    // The page of the document says that access codes are to be set again.
    const address = searchParams.get('notice') === 'duplicated' ? `${copyBase}/fields` : response.url
    return { base: copyBase, address }
  }
}
