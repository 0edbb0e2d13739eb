/** Moves through the entries and keeps form, markers, bar and document in step. */
import type { Bar } from './signing-bar.ts'
import type { FieldData } from './signing-data.ts'
import { type Entry, isErrorShown, isMissing, nextOpen, showError } from './signing-entries.ts'
import type { MarkEntry } from './signing-mark.ts'
import type { Markers } from './signing-markers.ts'
import type { Panel } from './signing-panel.ts'
import type { DocumentView } from './signing-view.ts'

export interface Navigation {
  begin(): void
  show(markers: Markers): void
  /** Opens the entry at one of its boxes. */
  open(entry: Entry, place: FieldData): void
  next(): void
  /** The entry received the focus. */
  follow(entry: Entry | undefined, place?: FieldData): void
  changed(entry: Entry): void
  /** Shows a validation error of the server at its field. */
  refuse(path: string, message: string): void
  /** The sheet on a phone was closed. */
  closed(): void
}

interface Options {
  /** In reading order, consent last. Filled before `begin`. */
  entries: Entry[]
  marks: MarkEntry[]
  panel: Panel
  bar: Bar
  view: DocumentView
}

export function openNavigation({ entries, marks, panel, bar, view }: Options): Navigation {
  const passed = new Set<Entry>()
  let current: Entry | undefined
  let markers: Markers | undefined

  // Leaving a mark chooses what was made.
  const settle = (entry: Entry | undefined) => marks.find(mark => mark === entry)?.settle()
  function follow(entry: Entry | undefined, place = entry?.boxes[0]): void {
    if (current !== entry) settle(current)
    current = entry
    panel.follow(entry)
    markers?.highlight(entry)
    if (place) requestAnimationFrame(() => view.show(place.page, place))
  }
  function showFieldError(entry: Entry, message: string): void {
    showError(entry, message)
    markers?.update(entry)
  }
  return {
    follow,
    begin() {
      showProgress(bar, entries)
      const summary = document.querySelector<HTMLElement>('#summary')
      if (!summary) return
      panel.openAll()
      summary.focus()
    },
    show(shown) {
      markers = shown
      markers.highlight(current)
    },
    open(entry, place) {
      panel.open(entry)
      follow(entry, place)
    },
    next() {
      settle(current)
      if (current) passed.add(current)
      const to = nextOpen(entries, current, passed)
      if (to && to !== current && to !== entries.at(-1)) return panel.open(to)
      const missing = entries.flatMap(entry => ({ entry, message: entry.error() })).filter(isMissing)
      // If only the consent is missing, it is opened. Otherwise all missing entries are listed.
      if (missing.length === 1 && to && to !== current) return panel.open(to)
      for (const { entry, message } of missing) showFieldError(entry, message)
      if (missing.length > 1) return panel.summary(missing)
      if (to) return panel.open(to)
      panel.close()
      bar.focusFinish()
    },
    changed(entry) {
      if (!entries.includes(entry)) return
      showError(entry, entry.refusal ?? (isErrorShown(entry) ? entry.error() : undefined))
      markers?.update(entry)
      showProgress(bar, entries)
    },
    refuse(path, message) {
      const entry = entries.find(({ name }) => name === path)
      if (!entry) return
      entry.refusal = message
      showFieldError(entry, message)
    },
    closed() {
      // The focus returns to the marker it came from.
      if (!current || !markers?.focus(current)) bar.element.querySelector<HTMLElement>('.next')?.focus()
      follow(undefined)
    },
  }
}

function showProgress(bar: Bar, entries: Entry[]): void {
  const required = entries.filter(entry => entry.isRequired)
  bar.progress(required.filter(entry => entry.isFilled()).length, required.length)
}
