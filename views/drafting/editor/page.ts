/** Composes the editor: session, pages, gestures, keys, panels and saving. */
import { type FoundFields, NO_FOUND_FIELDS } from '../../../src/core/draft/proposal.ts'
import type { PageView } from '../../documents/browser/document-page.ts'
import { openPointerZoom } from '../../documents/browser/document-zoom.ts'
import { element } from '../../signing/browser/element.ts'
import { EditorActions } from './actions.ts'
import { Announcer } from './announcer.ts'
import type { EditorData } from './data.ts'
import type { Draft } from './draft.ts'
import type { Stage } from './drag.ts'
import { FieldViews } from './fields.tsx'
import { Gestures } from './gestures.ts'
import { Ghosts } from './ghosts.ts'
import { Guides } from './guides.ts'
import { type Merged, merge } from './merge.ts'
import type { EditorField, PageSize } from './model.ts'
import { firstChoices } from './names.ts'
import { PageList } from './pages.ts'
import { personClassOf } from './people.ts'
import { FIRST_PROPERTY_ID, listenToKeys } from './perform.ts'
import { pictureOf } from './picture.ts'
import { Proposals } from './proposals.ts'
import { EditorSession, type SessionChange } from './session.ts'
import { openSource } from './source.ts'
import type { StoredDraft } from './store.ts'
import { Thumbnails } from './thumbnails.ts'

/** What the editor starts with. */
export interface Beginning {
  data: EditorData
  draft: Draft
  sizes: readonly PageSize[]
  stored: StoredDraft | undefined
  newFieldId(): string
}

/** The areas of the editor, in the order of F6. */
export interface Areas {
  root: HTMLElement
  bar: HTMLElement
  thumbnails: HTMLElement
  strip: HTMLElement
  scroller: HTMLElement
  side: HTMLElement
  below: HTMLElement
  live: HTMLElement
  notice: HTMLElement
}

export function createAreas(root: HTMLElement, { texts }: EditorData): Areas {
  const bar = element('div', { class: 'editor-bar', role: 'group', 'aria-label': texts.tools })
  const thumbnails = element('nav', { class: 'thumbnails', 'aria-label': texts.thumbnails })
  const strip = element('div', { class: 'editor-strip' })
  const scroller = element('div', { class: 'pages', tabindex: '0', role: 'region', 'aria-label': texts.document })
  const notice = element('p', { class: 'document-status starting', role: 'status' }, texts.loading)
  const side = element('div', { class: 'editor-side' })
  const below = element('div', { class: 'editor-below' })
  const live = element('div', { class: 'unseen', 'aria-live': 'polite', 'data-announcer': true })
  const middle = element('div', { class: 'editor-middle' }, strip, scroller, notice)
  root.replaceChildren(bar, thumbnails, middle, side, below, live)
  return { root, bar, thumbnails, strip, scroller, side, below, live, notice }
}

/** The editor without its panels. Listeners hear of every change that panels may show. */
export class ComposedEditor {
  readonly #beginning: Beginning
  readonly #areas: Areas
  readonly #listeners = new Set<() => void>()
  readonly #views: PageView[] = []
  readonly #fieldViews: FieldViews
  readonly #ghosts: Ghosts
  readonly #source: ReturnType<typeof openSource>
  readonly #guides: Guides
  readonly #thumbnails: Thumbnails
  /** The draft merged with the changes that an earlier visit could not save. */
  readonly restored: Merged
  readonly session: EditorSession
  readonly pages: PageList
  readonly actions: EditorActions
  readonly gestures: Gestures
  proposals: Proposals
  /** Shows a sentence until the next one. */
  notify = (_sentence: string | undefined): void => {}
  /** Brings the panels up to date at once. */
  renderNow = (): void => {}
  /** The field that was placed last by the pointer. */
  placed: EditorField | undefined

  constructor(beginning: Beginning, areas: Areas) {
    const { data, draft, sizes, stored } = beginning
    this.#beginning = beginning
    this.#areas = areas
    this.restored = merge(draft.fields, stored?.pending ?? [], draft.fields, new Set(draft.people.map(({ id }) => id)))
    const { fields } = this.restored
    this.session = new EditorSession({ ...draft, pages: sizes, fields, stored, now: () => Date.now() })
    this.proposals = new Proposals(this.session, NO_FOUND_FIELDS, stored?.dismissed ?? [])
    this.#fieldViews = new FieldViews(this.session, data)
    this.#source = this.#openSource()
    this.pages = this.#createPages()
    this.#fieldViews.pages = this.pages
    this.#guides = new Guides(this.pages, sizes)
    this.actions = this.#createActions()
    this.#ghosts = new Ghosts({
      editor: this,
      texts: data.texts,
      personClass: this.#personClass,
    })
    this.gestures = new Gestures(this.#createStage(), areas.scroller)
    this.#thumbnails = this.#createThumbnails()
  }

  readonly #personClass = (id: string) => personClassOf(this.session, id)

  #openSource() {
    const { data } = this.#beginning
    return openSource({
      url: `${data.base}/file?version=original`,
      pdfjsUrl: data.pdfjsUrl,
      views: this.#views,
      near: () => this.pages.near(),
      notice: this.#areas.notice,
      texts: data.texts,
    })
  }

  #createPages(): PageList {
    const { data, sizes } = this.#beginning
    return new PageList({
      scroller: this.#areas.scroller,
      sizes,
      views: this.#views,
      texts: data.texts,
      onMount: page => {
        this.#fieldViews.mount(page)
        this.#ghosts.mount(page)
      },
      onUnmount: page => this.#fieldViews.unmount(page),
      kept: () => keptPages(this.session, this.#fieldViews),
      onView: isZoomed => {
        if (isZoomed) this.#source.drawAfterRest()
        else this.#source.draw()
        this.#fieldViews.placeHandles()
        this.#tell()
      },
      onRetry: this.#source.draw,
    })
  }

  #createActions(): EditorActions {
    const { data, newFieldId } = this.#beginning
    return new EditorActions({
      session: this.session,
      pages: this.pages,
      texts: data.texts,
      lang: data.lang,
      announcer: new Announcer(this.#areas.live),
      newFieldId,
      focusField: key => this.#focusField(key),
      focusPages: () => this.#areas.scroller.focus(),
      cancelGesture: () => this.gestures.cancel(),
      proposals: () => this.proposals,
      pictureOf: async page => pictureOf(await this.#source.pdf(), page),
      notify: sentence => this.notify(sentence),
      onProposals: () => {
        this.#ghosts.refresh(true)
        this.#tell()
      },
    })
  }

  #createStage(): Stage {
    const { actions } = this
    const { data, newFieldId } = this.#beginning
    const whole = Math.round
    return {
      session: this.session,
      pages: this.pages,
      fields: this.#fieldViews,
      guides: this.#guides,
      newFieldId,
      linesOf: page => this.proposals.linesOf(page),
      personClass: this.#personClass,
      typeName: type => data.texts.types[type],
      choices: firstChoices(data.texts),
      measureText: ({ x, y, width, height }, isSize) =>
        isSize ? `${whole(width)} × ${whole(height)}` : `${whole(x)}, ${whole(y)}`,
      onPlaced: (field, isDrawn) => {
        this.placed = field
        actions.sayPlaced(field, isDrawn)
        this.#focusField(field.id)
      },
      onMoved: keys => {
        actions.sayPlace(keys)
        this.#focusField(keys[0] ?? '')
      },
      onResized: key => actions.saySize(key),
      onSelected: () => actions.saySelection(),
    }
  }

  #createThumbnails(): Thumbnails {
    const { data, sizes } = this.#beginning
    return new Thumbnails({
      list: this.#areas.thumbnails,
      sizes,
      texts: data.texts,
      lang: data.lang,
      pdf: this.#source.pdf,
      isBusy: this.#source.isBusy,
      fieldCountOf: page => this.#fieldViews.fieldCountOf(page),
      onPage: page => this.pages.show(page),
    })
  }

  listen(listener: () => void): void {
    this.#listeners.add(listener)
  }

  #tell(): void {
    this.#thumbnails.current(this.pages.current)
    for (const listener of this.#listeners) listener()
  }

  /** The proposals arrived. */
  setFound(found: FoundFields): void {
    this.proposals = new Proposals(this.session, found, this.#beginning.stored?.dismissed ?? [])
    this.#ghosts.refresh(true)
    this.#tell()
  }

  begin(): void {
    const { session, actions } = this
    const { root, bar, thumbnails, scroller, side, below } = this.#areas
    session.listen(change => this.#onChange(change))
    this.pages.begin()
    this.#source.draw()
    this.#fieldViews.refresh()
    listenToKeys({
      session,
      actions,
      scroller,
      root,
      panes: [bar, thumbnails, scroller, side, below],
      focusProperties: () => {
        this.renderNow()
        side.querySelector<HTMLElement>(`#${FIRST_PROPERTY_ID}`)?.focus()
      },
      focusField: key => this.#focusField(key),
    })
    openPointerZoom(scroller, {
      zoom: (factor, x = 0, y = 0) => {
        const { left, top } = scroller.getBoundingClientRect()
        this.pages.zoom(factor, { x: left + x, y: top + y })
      },
    })
    // Brings the pages of the neighbours into the document, so that Tab reaches them.
    scroller.addEventListener('focusin', () => this.pages.update())
  }

  #onChange({ fields, people }: SessionChange): void {
    if (people) this.#fieldViews.refresh()
    else if (fields) this.#fieldViews.refresh(fields)
    if (fields || people) {
      this.#thumbnails.refresh()
      this.#ghosts.refresh()
    }
    const { tool } = this.session
    this.#areas.root.classList.toggle('armed', tool !== undefined)
    if (!tool && !this.gestures.isActive) this.#guides.clear()
    this.#tell()
  }

  #focusField(key: string): void {
    const box = this.session.box(key)
    if (!box) return
    if (!this.pages.shown.has(box.page)) this.pages.show(box.page)
    this.#fieldViews.button(box.key)?.focus({ preventScroll: true })
  }
}

/** Pages of the focused field and of its neighbours, so that Tab reaches them. */
function* keptPages(session: EditorSession, fieldViews: FieldViews): Iterable<number> {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.id : undefined
  const box = focused === undefined ? undefined : session.box(focused)
  if (!box) return
  yield box.page
  const pages = [...fieldViews.byPage.keys()].sort((a, b) => a - b)
  const at = pages.indexOf(box.page)
  for (const page of [pages[at - 1], pages[at + 1]]) if (page !== undefined) yield page
}
