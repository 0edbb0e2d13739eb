/** Buttons on the pages of the document that open the entries. Shape and text show their state. */
import { inReadingOrder } from '../../../src/core/field/geometry.ts'
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import { type BoxData, type DocumentView, format } from './data.ts'
import { element, svgElement } from './element.ts'
import { type Entry, isErrorShown } from './entries.ts'
import type { Stop } from './stops.ts'

export interface Markers {
  update(entry: Entry): void
  highlight(stop: Stop | undefined): void
  /** Focuses the marker of the stop; `false` if there is none. */
  focus(stop: Stop): boolean
}

type State = keyof ScriptTexts['states']

const SHAPES: Record<State, string> = {
  // Star, ring, tick, exclamation mark; of a box to choose: tick, ring.
  required: 'M8 2.5v11M3.2 5.2l9.6 5.6M12.8 5.2l-9.6 5.6',
  optional: 'M8 3.5a4.5 4.5 0 1 0 .01 0z',
  done: 'M3 8.5l3.5 3.5L13 4.5',
  error: 'M8 2.5v7M8 12.6v.8',
  chosen: 'M3 8.5l3.5 3.5L13 4.5',
  notChosen: 'M8 3.5a4.5 4.5 0 1 0 .01 0z',
}

function stateOf(entry: Entry, { option }: BoxData): State {
  if (isErrorShown(entry)) return 'error'
  if (entry.isFilled() && option !== undefined) return entry.chosen?.() === option ? 'chosen' : 'notChosen'
  if (entry.isFilled()) return 'done'
  return entry.isRequired ? 'required' : 'optional'
}

/** CSS px; WCAG 2.2, 2.5.8. */
const MIN_PX = 24

/** The centre of a box of this size, kept inside the page. */
const within = (percent: number, size: string) => `clamp(${size} / 2, ${percent}%, 100% - ${size} / 2)`

/** A box, also one that its condition hides now, and the entry it opens. */
export interface MarkerPlace {
  entry: Entry
  box: BoxData
}

interface Marker extends MarkerPlace {
  button: HTMLButtonElement
}

interface Options {
  view: DocumentView
  places: readonly MarkerPlace[]
  direction: 'ltr' | 'rtl'
  texts: ScriptTexts
  press(place: MarkerPlace): void
}

/** Call when the view is ready. */
export function openMarkers({ view, places, direction, texts, press }: Options): Markers {
  // In reading order, so that the Tab key moves down the page.
  const inOrder = inReadingOrder(places, ({ box }) => box, direction)
  const markers = inOrder.map((place): Marker => {
    const { box } = place
    const button = element('button', { type: 'button', class: box.option === undefined ? 'marker' : 'marker option' })
    const { style } = button
    const [width, height] = [`max(${MIN_PX}px, ${box.width}%)`, `max(${MIN_PX}px, ${box.height}%)`]
    style.left = within(box.x + box.width / 2, width)
    style.top = within(box.y + box.height / 2, height)
    style.width = width
    style.height = height
    button.addEventListener('click', () => press(place))
    view.layer(box.page).append(button)
    return { ...place, button }
  })
  const draw = ({ entry, box, button }: Marker) => {
    button.hidden = entry.isHidden || !entry.boxes.includes(box)
    const state = stateOf(entry, box)
    if (button.dataset.state === state) return
    button.dataset.state = state
    const about = { field: box.label, page: box.page, state: texts.states[state] }
    button.setAttribute('aria-label', format(texts.marker, about))
    const icon = svgElement('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svgElement('path', { d: SHAPES[state] }))
    const text = element('span', { 'aria-hidden': 'true', dir: 'auto' }, box.label)
    button.replaceChildren(icon, ...(state === 'done' || state === 'chosen' ? [] : [text]))
  }
  for (const marker of markers) draw(marker)
  return {
    update(entry) {
      for (const marker of markers) if (marker.entry === entry) draw(marker)
    },
    highlight(stop) {
      for (const { box, button } of markers) button.classList.toggle('current', stop?.boxes.includes(box) ?? false)
    },
    focus({ entry, boxes }) {
      const own = markers.filter(({ box, button }) => boxes.includes(box) && !button.hidden)
      const marker = own.find(({ box }) => box.option !== undefined && box.option === entry.chosen?.()) ?? own[0]
      marker?.button.focus({ preventScroll: true })
      return marker !== undefined
    },
  }
}
