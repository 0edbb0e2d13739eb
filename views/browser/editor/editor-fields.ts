/** The fields on the pages as buttons, with handles on a single selected one. */
import { initialsOf } from '../../parts/initials.ts'
import { element } from '../signing-element.ts'
import { format } from '../signing-texts.ts'
import { type Change, type EditorField, type Fields, inReadingOrder, toPoints } from './editor-model.ts'
import { fieldName } from './editor-names.ts'
import type { PageList, ShownPage } from './editor-pages.ts'
import type { EditorSession } from './editor-session.ts'
import type { EditorTexts } from './editor-texts.ts'

const HANDLES = [
  [-1, -1],
  [0, -1],
  [1, -1],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
] as const
/** Smaller sides have their handles outside, so that the field itself can be dragged; px. */
const SMALL_PX = 64
/** The fifth person and later have dashed borders: not everybody distinguishes all colours. */
const DASHED_FROM = 4
const COLOURS = 8

function place(target: HTMLElement, box: Pick<EditorField, 'x' | 'y' | 'width' | 'height'>): void {
  const { style } = target
  style.left = `${box.x}%`
  style.top = `${box.y}%`
  style.width = `${box.width}%`
  style.height = `${box.height}%`
}

export class FieldViews {
  readonly #session: EditorSession
  readonly #texts: EditorTexts
  /** Set before the first page is mounted. */
  pages!: PageList
  readonly #buttons = new Map<string, HTMLButtonElement>()
  readonly #drawn = new Map<string, EditorField>()
  readonly #handles = element('div', { class: 'handles', 'aria-hidden': 'true' })
  #grouped: { fields: Fields; byPage: Map<number, EditorField[]> } | undefined
  #previewed: string[] = []

  constructor(session: EditorSession, texts: EditorTexts) {
    this.#session = session
    this.#texts = texts
    for (const [x, y] of HANDLES) {
      this.#handles.append(element('div', { class: 'handle', 'data-x': String(x), 'data-y': String(y) }))
    }
  }

  button(id: string): HTMLButtonElement | undefined {
    return this.#buttons.get(id)
  }

  /** The fields of each page, in reading order. */
  get byPage(): Map<number, EditorField[]> {
    const { fields } = this.#session.state
    if (this.#grouped?.fields !== fields) {
      this.#grouped = { fields, byPage: Map.groupBy(inReadingOrder(fields.values()), ({ page }) => page) }
    }
    return this.#grouped.byPage
  }

  mount(page: ShownPage): void {
    this.#fill(page)
  }

  unmount(page: ShownPage): void {
    for (const button of page.layer.querySelectorAll<HTMLElement>('.field')) this.#forget(button.dataset.id ?? '')
    if (this.#handles.parentElement === page.layer) this.#handles.remove()
  }

  #forget(id: string): void {
    this.#buttons.get(id)?.remove()
    this.#buttons.delete(id)
    this.#drawn.delete(id)
  }

  /** Shows these fields as they are now; all of the shown pages without `ids`. */
  refresh(ids?: readonly string[]): void {
    const pages = new Set<number>()
    for (const id of ids ?? []) {
      const [before, after] = [this.#drawn.get(id), this.#session.field(id)]
      if (before) pages.add(before.page)
      if (after) pages.add(after.page)
      if (!after) this.#forget(id)
    }
    for (const page of this.pages.shown.values()) if (!ids || pages.has(page.number)) this.#fill(page)
    this.placeHandles()
  }

  /** Adds, removes, draws and orders the buttons of a page. The focus stays. */
  #fill({ number, section, layer }: ShownPage): void {
    const fields = this.byPage.get(number) ?? []
    const texts = this.#texts
    const name = fields.length === 0 ? texts.emptyPage : texts.pageWithFields
    section.setAttribute('aria-label', format(name, { page: number, pages: this.pages.count, n: fields.length }))
    const focused = document.activeElement
    let next = layer.querySelector<HTMLElement>('.field')
    for (const field of fields) {
      const button = this.#drawnButton(field)
      if (button === next) next = next.nextElementSibling as HTMLElement | null
      else layer.insertBefore(button, next)
    }
    if (focused instanceof HTMLElement && focused !== document.activeElement && layer.contains(focused)) {
      focused.focus({ preventScroll: true })
    }
  }

  #drawnButton(field: EditorField): HTMLButtonElement {
    const session = this.#session
    const button = this.#buttons.get(field.id) ?? element('button', { type: 'button', 'data-id': field.id })
    this.#buttons.set(field.id, button)
    this.#drawn.set(field.id, field)
    const index = session.personIndex(field.recipientId)
    const isSelected = session.selection.includes(field.id)
    const isDimmed = session.shownPersonId !== undefined && session.shownPersonId !== field.recipientId
    button.className = [
      'field',
      `person-${(index % COLOURS) + 1}`,
      ...(index >= DASHED_FROM ? ['dashed'] : []),
      ...(isSelected ? ['selected'] : []),
      ...(isDimmed ? ['dimmed'] : []),
      ...(session.errorsOf(field.id).length > 0 ? ['faulty'] : []),
      `of-${field.type}`,
    ].join(' ')
    button.setAttribute('aria-pressed', String(isSelected))
    const person = session.person(field.recipientId)
    button.setAttribute('aria-label', fieldName(field, person, this.#texts))
    place(button, field)
    this.#drawFace(button, field, initialsOf(person?.name ?? '') || String(index + 1))
    return button
  }

  #drawFace(button: HTMLButtonElement, field: EditorField, initials: string): void {
    const shown = field.value && field.type !== 'checkbox' ? field.value : (field.label ?? this.#texts.types[field.type])
    const isTicked = field.type === 'checkbox' && field.value === 'true'
    const words = field.type === 'checkbox' ? (isTicked ? '✓' : '') : shown
    const key = `${initials}\n${words}\n${field.required}\n${field.align}`
    if (button.dataset.face === key) return
    button.dataset.face = key
    // Drawn by the style sheet: the accessible name says it in words.
    button.replaceChildren(
      element('span', { class: 'field-initials', 'data-words': initials }),
      element('span', { class: `field-words ${field.align ?? ''}`, 'data-words': words }),
      ...(field.required && field.type !== 'checkbox' ? [element('span', { class: 'field-required' })] : []),
    )
  }

  /** Shows where the fields of these changes would be, without changing them. */
  preview(changes: readonly Change[]): void {
    const ids = changes.map(({ id }) => id)
    for (const id of this.#previewed) if (!ids.includes(id)) this.#clear(id)
    this.#previewed = ids
    for (const change of changes) this.#previewOne(change)
  }

  #previewOne({ id, before, after }: Change): void {
    const button = this.#buttons.get(id)
    if (!button || !before || !after) return
    button.classList.add('moving')
    const isResized = before.width !== after.width || before.height !== after.height
    const targets = this.#handles.isConnected ? [button, this.#handles] : [button]
    for (const target of targets) {
      if (before.page === after.page && isResized) place(target, after)
      else target.style.transform = this.#shiftOf(before, after)
    }
  }

  #shiftOf(before: EditorField, after: EditorField): string {
    const { sizes } = this
    const from = this.pages.placeOf(before.page, toPoints(before, sizes[before.page - 1]!))
    const to = this.pages.placeOf(after.page, toPoints(after, sizes[after.page - 1]!))
    return `translate(${to.x - from.x}px, ${to.y - from.y}px)`
  }

  get sizes() {
    return this.#session.state.pages
  }

  endPreview(): void {
    for (const id of this.#previewed) this.#clear(id)
    this.#previewed = []
    this.#handles.style.transform = ''
    this.placeHandles()
  }

  #clear(id: string): void {
    const button = this.#buttons.get(id)
    const field = this.#session.field(id)
    button?.classList.remove('moving')
    if (!button || !field) return
    button.style.transform = ''
    place(button, field)
  }

  /** On the selected field, if there is one alone. */
  placeHandles(): void {
    const [only, ...more] = this.#session.selected
    const page = only && this.pages.shown.get(only.page)
    if (!only || more.length > 0 || !page) {
      this.#handles.remove()
      return
    }
    place(this.#handles, only)
    const [width, height] = this.sizes[only.page - 1]!
    const { classList } = this.#handles
    classList.toggle('narrow', (only.width / 100) * width * this.pages.scale < SMALL_PX)
    classList.toggle('low', (only.height / 100) * height * this.pages.scale < SMALL_PX)
    if (this.#handles.parentElement !== page.layer) page.layer.append(this.#handles)
  }
}
