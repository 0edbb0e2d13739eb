/** Buttons on the pages of the document that open the entries. Shape and text show their state. */
import type { ScriptTexts } from '../../src/locales/catalogue.ts'
import type { FieldData } from './signing-data.ts'
import { element, svgElement } from './signing-element.ts'
import { type Entry, isErrorShown } from './signing-entries.ts'
import { format } from './signing-texts.ts'
import type { DocumentView } from './signing-view.ts'

export interface Markers {
  update(entry: Entry): void
  highlight(entry: Entry | undefined): void
  /** Focuses the first marker; `false` if there is none. */
  focus(entry: Entry): boolean
}

type State = keyof ScriptTexts['states']

const SHAPES: Record<State, string> = {
  // Star, ring, tick, exclamation mark.
  required: 'M8 2.5v11M3.2 5.2l9.6 5.6M12.8 5.2l-9.6 5.6',
  optional: 'M8 3.5a4.5 4.5 0 1 0 .01 0z',
  done: 'M3 8.5l3.5 3.5L13 4.5',
  error: 'M8 2.5v7M8 12.6v.8',
}

function stateOf(entry: Entry): State {
  if (isErrorShown(entry)) return 'error'
  if (entry.isFilled()) return 'done'
  return entry.isRequired ? 'required' : 'optional'
}

/** CSS px; WCAG 2.2, 2.5.8. */
const MIN_PX = 24

/** The centre of a box of this size, kept inside the page. */
const within = (percent: number, size: string) => `clamp(${size} / 2, ${percent}%, 100% - ${size} / 2)`

interface Marker {
  entry: Entry
  field: FieldData
  button: HTMLButtonElement
}

interface Options {
  view: DocumentView
  entries: Entry[]
  texts: ScriptTexts
  press(entry: Entry, field: FieldData): void
}

/** Call when the view is ready. */
export function openMarkers({ view, entries, texts, press }: Options): Markers {
  const places = entries.flatMap(entry => entry.boxes.map(field => ({ entry, field })))
  // In reading order, so that the Tab key moves down the page.
  places.sort((a, b) => a.field.page - b.field.page || a.field.y - b.field.y || a.field.x - b.field.x)
  const markers = places.map(({ entry, field }): Marker => {
    const button = element('button', { type: 'button', class: 'marker' })
    const { style } = button
    const [width, height] = [`max(${MIN_PX}px, ${field.width}%)`, `max(${MIN_PX}px, ${field.height}%)`]
    style.left = within(field.x + field.width / 2, width)
    style.top = within(field.y + field.height / 2, height)
    style.width = width
    style.height = height
    button.addEventListener('click', () => press(entry, field))
    view.layer(field.page).append(button)
    return { entry, field, button }
  })
  const draw = ({ entry, field, button }: Marker) => {
    const state = stateOf(entry)
    if (button.dataset.state === state) return
    button.dataset.state = state
    const about = { field: field.label, page: field.page, state: texts.states[state] }
    button.setAttribute('aria-label', format(texts.marker, about))
    const icon = svgElement('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svgElement('path', { d: SHAPES[state] }))
    const text = element('span', { 'aria-hidden': 'true', dir: 'auto' }, field.label)
    button.replaceChildren(icon, ...(state === 'done' ? [] : [text]))
  }
  for (const marker of markers) draw(marker)
  return {
    update(entry) {
      for (const marker of markers) if (marker.entry === entry) draw(marker)
    },
    highlight(entry) {
      for (const marker of markers) marker.button.classList.toggle('current', marker.entry === entry)
    },
    focus(entry) {
      const marker = markers.find(each => each.entry === entry)
      marker?.button.focus({ preventScroll: true })
      return marker !== undefined
    },
  }
}
