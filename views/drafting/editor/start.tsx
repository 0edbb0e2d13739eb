/** Loads the draft, opens the editor, shows its panels and saves what changes. */
import { render } from 'preact'
import { monotonicFactory } from 'ulid'
import type { FoundFields } from '../../../src/core/draft/proposal.ts'
import { requireElement } from '../../signing/browser/element.ts'
import { format } from '../../signing/browser/texts.ts'
import { EDITOR_DATA_ID, type EditorData } from './data.ts'
import type { Draft } from './draft.ts'
import type { PageSize } from './model.ts'
import { NewDraft } from './new-draft.ts'
import { type Areas, type Beginning, ComposedEditor, createAreas } from './page.ts'
import { Palette } from './palette.tsx'
import { Properties } from './properties.tsx'
import { draftRequests } from './requests.ts'
import { DraftSaver, type MergedDraft } from './save.ts'
import type { Tool } from './session.ts'
import { type DraftStore, openStore } from './store.ts'
import { SelectionBar, Strip } from './strip.tsx'
import { Toolbar } from './toolbar.tsx'
import type { Ui } from './ui.tsx'

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

  #renderSoon(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.#render())
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
