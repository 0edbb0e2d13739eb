/**
 * The person's way through the entries: which one they are at, which comes next, and what form,
 * markers, bar and document show of it.
 */
import type { Bar } from './signing-bar.ts'
import type { FieldData } from './signing-data.ts'
import { type Entry, isErrorShown, isMissing, nextOpen, showError } from './signing-entries.ts'
import type { MarkEntry } from './signing-mark.ts'
import type { Markers } from './signing-markers.ts'
import type { Panel } from './signing-panel.ts'
import type { DocumentView } from './signing-view.ts'

export interface Navigation {
  begin(): void
  /** The document is there, with its markers. */
  show(markers: Markers): void
  /** To this entry, at one of its places. */
  open(entry: Entry, place: FieldData): void
  next(): void
  /** The entry has got the focus. */
  follow(entry: Entry | undefined, place?: FieldData): void
  changed(entry: Entry): void
  /** The server's word on a member. */
  refuse(path: string, message: string): void
  /** The sheet is gone from a phone. */
  closed(): void
}

interface Options {
  /** In reading order, the consent last. Filled before `begin`. */
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

  // What was made and not yet chosen is chosen by going on.
  const settle = (entry: Entry | undefined) => marks.find(mark => mark === entry)?.settle()
  function follow(entry: Entry | undefined, place = entry?.boxes[0]): void {
    if (current !== entry) settle(current)
    current = entry
    panel.follow(entry)
    markers?.highlight(entry)
    if (place) requestAnimationFrame(() => view.show(place.page, place))
  }
  /** Beside the entry and by its marker. */
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
      // With nothing but the consent left, it is asked for; what else is missing is named with it.
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
      // Whoever opened it goes on where they were.
      if (!current || !markers?.focus(current)) bar.element.querySelector<HTMLElement>('.next')?.focus()
      follow(undefined)
    },
  }
}

/** What is required, and how much of it is done. */
function showProgress(bar: Bar, entries: Entry[]): void {
  const required = entries.filter(entry => entry.isRequired)
  bar.progress(required.filter(entry => entry.isFilled()).length, required.length)
}
