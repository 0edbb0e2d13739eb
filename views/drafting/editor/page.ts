/** Composes the editor: session, pages, gestures, keys, panels and saving. */
import { type FoundFields, NO_FOUND_FIELDS } from '../../../src/core/draft/proposal.ts'
import type { PercentBox } from '../../../src/core/field/geometry.ts'
import { openDrawing, type PageView } from '../../documents/browser/document-page.ts'
import { openOnDemand, type Pdf } from '../../documents/browser/document-pdf.ts'
import { openPointerZoom } from '../../documents/browser/document-view.ts'
import { format } from '../../signing/browser/data.ts'
import { button, element } from '../../signing/browser/element.ts'
import { EditorActions } from './actions.ts'
import type { EditorData, EditorTexts } from './data.ts'
import type { Draft } from './draft.ts'
import type { Stage } from './drag.ts'
import { FieldViews } from './fields.tsx'
import type { Picture } from './free-space.ts'
import { Gestures } from './gestures.ts'
import { type Merged, merge } from './history.ts'
import { type EditorField, firstChoices, type PageSize, personClassOf, personName, typeName } from './model.ts'
import { PageList, type ShownPage } from './pages.ts'
import { FIRST_PROPERTY_ID, listenToKeys } from './perform.ts'
import { type OpenProposal, Proposals } from './proposals.ts'
import type { StoredDraft } from './save.ts'
import { EditorSession, type SessionChange } from './session.ts'
import { Guides } from './snap.ts'
import { Thumbnails } from './thumbnails.ts'
import { Announcer } from './ui.tsx'

// Proposals on the pages: a button that accepts, and one that dismisses.

/** The parts of the editor that proposals need. */
interface ProposalEditor {
  readonly session: EditorSession
  readonly pages: PageList
  readonly proposals: Proposals
  readonly actions: EditorActions
}

interface GhostOptions {
  editor: ProposalEditor
  texts: EditorTexts
  personClass(personId: string): string
}

class Ghosts {
  readonly #options: GhostOptions
  #key = ''
  /** The place of the proposal that was tapped once. */
  #tapped: PercentBox | undefined

  constructor(options: GhostOptions) {
    this.#options = options
  }

  /** Shows the open proposals on the shown pages. */
  refresh(isForced = false): void {
    const { proposals, pages, session } = this.#options.editor
    const { open } = proposals
    const shown = [...pages.shown.keys()]
    const key = `${shown}\n${open.map(({ index, person }) => `${index} ${person?.id}`)}\n${session.people.length}`
    if (key === this.#key && !isForced) return
    this.#key = key
    for (const page of pages.shown.values()) this.#fill(page, open)
  }

  mount(page: ShownPage): void {
    this.#fill(page, this.#options.editor.proposals.open)
  }

  #fill({ number, layer }: ShownPage, open: OpenProposal[]): void {
    const present = [...layer.querySelectorAll<HTMLElement>('.ghost')]
    for (const ghost of present) ghost.remove()
    for (const each of open) {
      const places = (each.proposal.boxes ?? [each.proposal]).filter(({ page }) => page === number)
      for (const place of places) layer.append(this.#ghost(each, place))
    }
  }

  /** The place of the whole field, or of one of its choices. */
  #ghost(open: OpenProposal, place: PercentBox): HTMLElement {
    const { x, y, width, height } = place
    const { texts, personClass, editor } = this.#options
    const { actions } = editor
    const { type, page, label } = open.proposal
    const kind = typeName(type, open.person?.id, texts)
    const name = label ? format(texts.labelled, { type: kind, label }) : kind
    const words = open.person ? `${name}, ${personName(open.person, texts)}` : name
    const about = { type: words, page }
    const face = element('button', {
      type: 'button',
      class: 'ghost-accept',
      title: words,
      'aria-label': format(open.proposal.isDoubtful ? texts.proposals.acceptDoubtful : texts.proposals.accept, about),
    })
    this.#listen(face, open, place)
    const cross = element('button', {
      type: 'button',
      class: 'ghost-dismiss',
      'aria-label': format(texts.proposals.dismiss, about),
    })
    cross.addEventListener('click', () => actions.dismiss([open]))
    face.append(element('span', { class: 'ghost-sign' }))
    const made = element('div', { class: `ghost ${open.person ? personClass(open.person.id) : ''}` }, face, cross)
    made.classList.toggle('tapped', place === this.#tapped)
    made.classList.toggle('doubtful', open.proposal.isDoubtful === true)
    made.style.left = `${x}%`
    made.style.top = `${y}%`
    made.style.width = `${width}%`
    made.style.height = `${height}%`
    return made
  }

  /** A finger cannot point: its first tap shows the cross, its second accepts. */
  #listen(face: HTMLElement, open: OpenProposal, place: PercentBox): void {
    const { texts, editor } = this.#options
    let isTouch = false
    face.addEventListener('pointerdown', ({ pointerType }) => {
      isTouch = pointerType === 'touch'
    })
    face.addEventListener('keydown', () => {
      isTouch = false
    })
    face.addEventListener('click', () => {
      if (!isTouch || this.#tapped === place) return editor.actions.accept([open])
      this.#tapped = place
      for (const tapped of document.querySelectorAll('.ghost.tapped')) tapped.classList.remove('tapped')
      face.parentElement?.classList.add('tapped')
      editor.actions.say(texts.proposals.tapAgain)
    })
  }
}

// Draws a page small, to see where it shows nothing.

/** A large page has fewer pixels than points. */
const MAX_PIXELS = 2_000_000

/** With forms and annotations, one pixel for each point. Rejects if the page cannot be drawn. */
async function pictureOf({ document, pdfjs }: Pdf, page: number): Promise<Picture> {
  const proxy = await document.getPage(page)
  const plain = proxy.getViewport({ scale: 1 })
  const viewport = proxy.getViewport({ scale: Math.min(1, Math.sqrt(MAX_PIXELS / (plain.width * plain.height))) })
  const canvas = element('canvas', {})
  canvas.width = Math.max(1, Math.floor(viewport.width))
  canvas.height = Math.max(1, Math.floor(viewport.height))
  const drawn = canvas.getContext('2d', { willReadFrequently: true })
  if (!drawn) throw new Error('the browser gave no canvas')
  await proxy.render({ canvas, canvasContext: drawn, viewport, annotationMode: pdfjs.AnnotationMode.ENABLE }).promise
  const { data, width, height } = drawn.getImageData(0, 0, canvas.width, canvas.height)
  // An empty canvas frees its memory at once.
  canvas.width = 0
  proxy.cleanup()
  return { data, width, height }
}

// The editor without its panels.

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

// Loads the document and draws the pages near the visible part.

interface SourceOptions {
  url: string
  pdfjsUrl: string
  /** Of the shown pages; kept up to date by the list of pages. */
  views: PageView[]
  /** The views to draw, the nearest first. */
  near(): PageView[]
  /** Where a failure is shown. */
  notice: HTMLElement
  texts: EditorTexts
}

function openSource({ url, pdfjsUrl, views, near, notice, texts }: SourceOptions) {
  const { pdf, retry: retryLoading } = openOnDemand({ url, folder: pdfjsUrl, onLost })
  function onLost(): void {
    notice.classList.remove('starting')
    notice.replaceChildren(texts.documentFailed, ' ', button(texts.tryAgain, { class: 'button plain compact' }, retry))
    notice.hidden = false
  }
  function retry(): void {
    notice.hidden = true
    retryLoading()
    void drawing.draw()
  }
  addEventListener('online', () => {
    if (!notice.hidden) retry()
  })
  const drawing = openDrawing({
    views,
    near,
    pdf,
    onDrawn: () => {
      notice.hidden = true
    },
    onLost,
  })
  return {
    pdf,
    draw: () => void drawing.draw(),
    drawAfterRest: drawing.afterRest,
    /** Whether a page in sight still waits. */
    isBusy: () =>
      near()
        .slice(0, 3)
        .some(view => view.wantsPaper()),
  }
}
