/**
 * The signing page with its script: the plain form stays and holds what is entered; here the document, the markers on its pages, the bar, the drafts
 * and the choosers of marks are put around it and wired to each other.
 */
import { openAct } from './signing-act.ts'
import { type Bar, openBar } from './signing-bar.ts'
import { DATA_ID, type FieldData, type SigningData } from './signing-data.ts'
import { type Draft, type DraftState, type Members, openDraft } from './signing-draft.ts'
import { demand, element } from './signing-element.ts'
import { consentEntry, type Entry, fieldEntry, isFaultShown, nextOpen, showFault } from './signing-entries.ts'
import { type MarkEntry, markEntry } from './signing-mark.ts'
import { type Markers, openMarkers } from './signing-markers.ts'
import { openPanel, type Panel, PHONE } from './signing-panel.ts'
import type { OpenDocumentView } from './signing-view.ts'
import { fitViewport } from './signing-viewport.ts'

const isMark = ({ type }: FieldData) => type === 'signature' || type === 'initials'

/** Starts the page. */
export function startSigning(openView: OpenDocumentView): void {
  const data = JSON.parse(demand(`#${DATA_ID}`, HTMLScriptElement).text) as SigningData
  const { words, lang, base } = data
  const form = demand('#sign', HTMLFormElement)
  const submit = demand('#sign button[type="submit"]', HTMLButtonElement)
  document.documentElement.classList.add('scripted')

  const entries: Entry[] = []
  const marks: MarkEntry[] = []
  const passed = new Set<Entry>()
  let current: Entry | undefined
  let markers: Markers | undefined

  const container = element('div', { id: 'document' })
  const panel = openPanel({ words, lang, onClose: closed })
  panel.element.before(container)
  const covered = () => (PHONE.matches && panel.isOpen() ? innerHeight - panel.element.getBoundingClientRect().top : 0)
  const insetBottom = () => Math.max(0, covered() - (innerHeight - container.getBoundingClientRect().bottom))
  const bar = openBar({ words, lang, intent: data.intent, finish: submit.textContent ?? '', next, all: () => panel.openAll() })
  panel.element.after(bar.element)
  demand('.finish', HTMLElement).hidden = true
  fitViewport(bar.element)

  const draft = openPageDraft(data, {
    onState: state => bar.state(state),
    onSaved: names => refreshPages(names),
    onFaults(faults) {
      for (const { path, message } of faults) refuse(path, message)
    },
  })
  const view = openView({
    container,
    fileUrl: `${base}/file`,
    pagesUrl: `${base}/pages`,
    marksUrl: page => `${base}/marks?page=${page}`,
    pdfjsUrl: data.pdfjsUrl,
    words: data.viewWords,
    insetBottom,
  })

  function refreshPages(names: string[]): void {
    const saved = entries.filter(entry => Object.keys(entry.members()).some(name => names.includes(name)))
    const pages = new Set(saved.flatMap(entry => entry.boxes.map(({ page }) => page)))
    for (const page of pages) void view.refreshMarks(page)
  }
  function refuse(path: string, message: string): void {
    const entry = entries.find(({ name }) => name === path)
    if (!entry) return
    entry.refusal = message
    showFault(entry, message)
    markers?.update(entry)
  }
  function changed(entry: Entry): void {
    if (!entries.includes(entry)) return
    const fault = entry.refusal ?? (isFaultShown(entry) ? entry.fault() : undefined)
    showFault(entry, fault)
    markers?.update(entry)
    tellProgress(bar, entries)
  }
  function follow(entry: Entry | undefined, place = entry?.boxes[0]): void {
    if (current !== entry) settle(current)
    current = entry
    panel.follow(entry)
    markers?.highlight(entry)
    if (place) requestAnimationFrame(() => view.show(place.page, place))
  }
  function settle(entry: Entry | undefined): void {
    marks.find(mark => mark === entry)?.settle()
  }
  function next(): void {
    settle(current)
    if (current) passed.add(current)
    const to = nextOpen(entries, current, passed)
    if (to) panel.open(to)
    else {
      panel.close()
      bar.focusFinish()
    }
  }
  /** The sheet is gone from a phone; what opened it is where the person goes on. */
  function closed(): void {
    const last = current
    if (!last || !markers?.focus(last)) bar.element.querySelector<HTMLElement>('.next')?.focus()
    follow(undefined)
  }

  const asked = data.fields.filter(field => !isMark(field))
  entries.push(...asked.map(field => fieldEntry(field, words)))
  for (const name of ['signature', 'initials'] as const) {
    if (!document.querySelector(`[data-mark="${name}"]`)) continue
    marks.push(markEntry({ name, data, draft, onChange: changed, onStored: entry => refreshPages(Object.keys(entry.members())) }))
  }
  entries.push(...marks, consentEntry(words))
  wireEntries({ entries, marks, draft, changed, follow, next })
  leadFromSummary(panel, entries)
  keepProposals(data, entries, draft)
  openAct({ form, entries, marks, draft, bar, panel, onTold: entry => markers?.update(entry) })
  tellProgress(bar, entries)
  if (document.querySelector('#summary')) panel.openAll()
  document.querySelector<HTMLElement>('#summary')?.focus()
  void view.ready.then(() => {
    markers = openMarkers({
      view,
      entries,
      words,
      press(entry, place) {
        panel.open(entry)
        follow(entry, place)
      },
    })
    markers.highlight(current)
  })
}

/** What the page proposes stands in the form; from now on in the document too. */
function keepProposals({ fields }: SigningData, entries: Entry[], draft: Draft): void {
  const proposed = fields.filter(({ type }) => type === 'name' || type === 'email').map(({ id }) => `fields.${id}`)
  for (const entry of entries) if (proposed.includes(entry.name) && entry.isFilled()) draft.put(entry.members())
}

/** What is required, and how much of it is done. */
function tellProgress(bar: Bar, entries: Entry[]): void {
  const required = entries.filter(entry => entry.isRequired)
  bar.progress(required.filter(entry => entry.isFilled()).length, required.length)
}

interface Wiring {
  entries: Entry[]
  marks: MarkEntry[]
  draft: Draft
  changed(entry: Entry): void
  follow(entry: Entry): void
  next(): void
}

/** What is typed is kept; what has the focus is shown in the document; Enter goes on instead of ending everything. */
function wireEntries({ entries, marks, draft, changed, follow, next }: Wiring): void {
  for (const entry of entries) {
    entry.element.addEventListener('focusin', () => follow(entry))
    entry.element.addEventListener('keydown', event => {
      const { target } = event
      if (event.key !== 'Enter' || event.isComposing || !(target instanceof HTMLInputElement) || target.type === 'file') return
      event.preventDefault()
      next()
    })
    if (marks.some(mark => mark === entry)) continue
    entry.element.addEventListener('input', () => {
      entry.refusal = undefined
      draft.put(entry.members())
      changed(entry)
    })
    entry.element.addEventListener('change', () => {
      // What is wrong is told when the person has finished with the field, not while they type.
      if (entry.isFilled()) showFault(entry, entry.fault())
      changed(entry)
      void draft.flush()
    })
  }
}

/** The lines of a summary that came with the page. */
function leadFromSummary(panel: Panel, entries: Entry[]): void {
  panel.element.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('#summary a') : null
    const entry = entries.find(({ name }) => link?.getAttribute('href') === `#${name}`)
    if (!entry) return
    event.preventDefault()
    panel.open(entry)
  })
}

interface Told {
  onState(state: DraftState): void
  onSaved(names: string[]): void
  onFaults(faults: { path: string; message: string }[]): void
}

/** Longer than any answer takes that still comes. */
const PATIENCE_MS = 20_000

/** The draft of this page, sent on also when the page is left. */
function openPageDraft({ base, csrf }: SigningData, told: Told): Draft {
  const url = `${base}/draft`
  const body = (members: Members) => new URLSearchParams({ csrf, ...members })
  const draft = openDraft({
    send(members) {
      const stop = new AbortController()
      const timer = setTimeout(() => stop.abort(), PATIENCE_MS)
      return fetch(url, { method: 'POST', body: body(members), signal: stop.signal }).finally(() => clearTimeout(timer))
    },
    later(delayMs, run) {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    ...told,
  })
  addEventListener('online', () => void draft.flush())
  const leave = () => {
    const unsaved = draft.unsaved()
    if (Object.keys(unsaved).length > 0) navigator.sendBeacon(url, body(unsaved))
  }
  addEventListener('pagehide', leave)
  // A reload asks for the page before it hides this one.
  addEventListener('beforeunload', leave)
  // A phone may end a page in the background without a further word.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') leave()
  })
  return draft
}
