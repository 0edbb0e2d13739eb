/** The fields on the pages as buttons, with handles on a single selected one. */
import { render } from 'preact'
import { type DateLanguage, printedValue } from '../../../src/core/field/date-format.ts'
import { hasBoxes, isPrinted } from '../../../src/core/field/field.ts'
import { printedSize } from '../../../src/core/field/field-size.ts'
import { Icon } from '../../parts/icon.tsx'
import { format } from '../../signing/browser/data.ts'
import { element } from '../../signing/browser/element.ts'
import { boxesOf, type FieldBox, keysOf } from './boxes.ts'
import type { EditorData, EditorTexts } from './data.ts'
import { ChoiceFrames } from './frames.ts'
import {
  boxName,
  type Change,
  type EditorField,
  type Fields,
  pageSizeOf,
  personClassOf,
  signOf,
  toPoints,
  typeName,
} from './model.ts'
import type { PageList, ShownPage } from './pages.ts'
import type { EditorSession } from './session.ts'

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
/** Small boxes that are ticked or chosen. */
const isTicked = ({ type }: EditorField) => type === 'checkbox' || hasBoxes(type)

function conditionSign(): HTMLElement {
  const sign = element('span', { class: 'field-condition' })
  render(<Icon name="eye" />, sign)
  return sign
}

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
  readonly #dates: DateLanguage
  /** Set before the first page is mounted. */
  pages!: PageList
  /** By the key of their box. */
  readonly #buttons = new Map<string, HTMLButtonElement>()
  /** By field id, as they were drawn last. */
  readonly #drawn = new Map<string, EditorField>()
  readonly #frames = new ChoiceFrames()
  readonly #handles = element('div', { class: 'handles', 'aria-hidden': 'true' })
  #grouped: { fields: Fields; byPage: Map<number, FieldBox[]> } | undefined
  #previewed: string[] = []

  constructor(session: EditorSession, { texts, dates }: Pick<EditorData, 'texts' | 'dates'>) {
    this.#session = session
    this.#texts = texts
    this.#dates = dates
    for (const [x, y] of HANDLES) {
      this.#handles.append(element('div', { class: 'handle', 'data-x': String(x), 'data-y': String(y) }))
    }
  }

  button(key: string): HTMLButtonElement | undefined {
    return this.#buttons.get(key)
  }

  /** The boxes of each page, in reading order. */
  get byPage(): Map<number, FieldBox[]> {
    const { fields } = this.#session.state
    if (this.#grouped?.fields !== fields) {
      this.#grouped = { fields, byPage: Map.groupBy(this.#session.inOrder(), ({ page }) => page) }
    }
    return this.#grouped.byPage
  }

  /** A field with several boxes on the page counts once. */
  fieldCountOf(page: number): number {
    return new Set(this.byPage.get(page)?.map(({ field }) => field)).size
  }

  mount(page: ShownPage): void {
    this.#fill(page)
  }

  unmount(page: ShownPage): void {
    for (const button of page.layer.querySelectorAll<HTMLElement>('.field')) this.#forget(button.dataset.id ?? '')
    if (this.#handles.parentElement === page.layer) this.#handles.remove()
  }

  #forget(key: string): void {
    this.#buttons.get(key)?.remove()
    this.#buttons.delete(key)
  }

  /** Shows the fields with these ids as they are now; all of the shown pages without `ids`. */
  refresh(ids?: readonly string[]): void {
    const pages = ids && new Set(ids.flatMap(id => this.#pagesToFill(id)))
    for (const page of this.pages.shown.values()) if (pages?.has(page.number) !== false) this.#fill(page)
    this.placeHandles()
  }

  /** The pages where a field was drawn last and where it is now. Removes buttons of lost boxes. */
  #pagesToFill(id: string): number[] {
    const [before, after] = [this.#drawn.get(id), this.#session.field(id)]
    const [drawn, boxes] = [before, after].map(field => (field ? boxesOf(field) : [])) as [FieldBox[], FieldBox[]]
    const shown = new Set(boxes.filter(({ page }) => this.pages.shown.has(page)).map(({ key }) => key))
    for (const { key } of drawn) if (!shown.has(key)) this.#forget(key)
    if (!after) this.#drawn.delete(id)
    return [...drawn, ...boxes].map(({ page }) => page)
  }

  /** Adds, removes, draws and orders the buttons of a page. The focus stays. */
  #fill({ number, section, layer }: ShownPage): void {
    const boxes = this.byPage.get(number) ?? []
    const texts = this.#texts
    const n = this.fieldCountOf(number)
    const name = n === 0 ? texts.emptyPage : texts.pageWithFields
    section.setAttribute('aria-label', format(name, { page: number, pages: this.pages.count, n }))
    const focused = document.activeElement
    let next = layer.querySelector<HTMLElement>('.field')
    for (const box of boxes) {
      const button = this.#drawnButton(box)
      if (button === next) next = next.nextElementSibling as HTMLElement | null
      else layer.insertBefore(button, next)
    }
    if (focused instanceof HTMLElement && focused !== document.activeElement && layer.contains(focused)) {
      focused.focus({ preventScroll: true })
    }
  }

  #drawnButton(box: FieldBox): HTMLButtonElement {
    const session = this.#session
    const { key, field } = box
    const button = this.#buttons.get(key) ?? element('button', { type: 'button', 'data-id': key })
    this.#buttons.set(key, button)
    this.#drawn.set(field.id, field)
    const person = session.person(field.recipientId)
    const isSelected = session.selection.includes(key)
    const isDimmed = session.shownPersonId !== undefined && session.shownPersonId !== field.recipientId
    button.className = [
      'field',
      personClassOf(session, field.recipientId),
      ...(isSelected ? ['selected'] : []),
      ...(isDimmed ? ['dimmed'] : []),
      ...(session.errorsOf(field.id).length + session.problemsOf(field.id).length > 0 ? ['faulty'] : []),
      `of-${field.type}`,
      ...(field.rule ? ['ruled'] : []),
    ].join(' ')
    button.setAttribute('aria-pressed', String(isSelected))
    button.setAttribute('aria-label', boxName(box, person, this.#texts))
    place(button, box)
    this.#drawFace(button, box, person ? signOf(session, person, this.#texts) : '?')
    return button
  }

  #drawFace(button: HTMLButtonElement, box: FieldBox, initials: string): void {
    const { field } = box
    const words = this.#wordsOf(box)
    const isSmall = isTicked(field)
    const size = this.#sizeOf(box)
    const key = JSON.stringify([initials, words, size, field.required, field.align, field.showIf, box.index])
    if (button.dataset.face === key) return
    button.dataset.face = key
    const shown = element('span', {
      class: `field-words ${size === '' ? '' : 'printed'} ${field.align ?? ''}`,
      'data-words': words,
    })
    shown.style.fontSize = size
    // Drawn by the style sheet: the accessible name says it in words.
    button.replaceChildren(
      ...(box.index === 0 ? [element('span', { class: 'field-initials', 'data-words': initials })] : []),
      shown,
      ...(field.required && !isSmall ? [element('span', { class: 'field-required' })] : []),
      ...(field.showIf ? [conditionSign()] : []),
    )
  }

  /** A value has the size in which it is printed; labels have one of their own. */
  #sizeOf({ field, page, height }: FieldBox): string {
    if (!field.value || !isPrinted(field.type)) return ''
    const size = pageSizeOf(this.#session.state, page)
    return `calc(${printedSize(field.fontSize, (height / 100) * size[1], size).toFixed(2)}px * var(--scale, 1))`
  }

  #wordsOf({ field, index }: FieldBox): string {
    if (hasBoxes(field.type)) return field.value !== undefined && field.value === field.options[index] ? '●' : ''
    if (field.type === 'checkbox') return field.value === 'true' ? '✓' : ''
    if (field.value) return printedValue(field, field.value, this.#dates)
    return field.label ?? typeName(field.type, field.recipientId, this.#texts)
  }

  /** Shows where the boxes of these changes would be, without changing them. */
  preview(changes: readonly Change[]): void {
    const keys = changes.flatMap(({ after }) => (after ? keysOf(after) : []))
    for (const key of this.#previewed) if (!keys.includes(key)) this.#clear(key)
    this.#previewed = keys
    for (const { before, after } of changes) {
      if (!before || !after) continue
      const places = boxesOf(after)
      for (const [i, box] of boxesOf(before).entries()) this.#previewOne(box, places[i] ?? box)
    }
  }

  #previewOne(before: FieldBox, after: FieldBox): void {
    const button = this.#buttons.get(before.key)
    if (!button) return
    button.classList.add('moving')
    const isResized = before.width !== after.width || before.height !== after.height
    const isHeld = this.#handles.isConnected && this.#session.selection.includes(before.key)
    const targets = isHeld ? [button, this.#handles] : [button]
    for (const target of targets) {
      if (before.page === after.page && isResized) place(target, after)
      else target.style.transform = this.#shiftOf(before, after)
    }
  }

  #shiftOf(before: FieldBox, after: FieldBox): string {
    const { sizes } = this
    const from = this.pages.placeOf(before.page, toPoints(before, sizes[before.page - 1]!))
    const to = this.pages.placeOf(after.page, toPoints(after, sizes[after.page - 1]!))
    return `translate(${to.x - from.x}px, ${to.y - from.y}px)`
  }

  get sizes() {
    return this.#session.state.pages
  }

  endPreview(): void {
    for (const key of this.#previewed) this.#clear(key)
    this.#previewed = []
    this.#handles.style.transform = ''
    this.placeHandles()
  }

  #clear(key: string): void {
    const button = this.#buttons.get(key)
    const box = this.#session.box(key)
    button?.classList.remove('moving')
    if (!button || !box) return
    button.style.transform = ''
    place(button, box)
  }

  /** On the selected box, if there is one alone. */
  placeHandles(): void {
    this.#frames.show(this.#session.selected, this.pages, this.sizes)
    const [only, ...more] = this.#session.selectedBoxes
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
