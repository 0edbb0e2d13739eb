/** Adds document, markers, bar and saving to the form. The form still holds the values. */
import { isMark } from '../../src/core/field.ts'
import { openBar } from './signing-bar.ts'
import { DATA_ID, type FieldData, type SigningData } from './signing-data.ts'
import { element, requireElement } from './signing-element.ts'
import { consentEntry, type Entry, fieldEntry, inReadingOrder, showError } from './signing-entries.ts'
import { openFinish } from './signing-finish.ts'
import { type FormSaver, type Members, openFormSaver, type SaveState } from './signing-form-saver.ts'
import { type MarkEntry, markEntry } from './signing-mark.ts'
import { openMarkers } from './signing-markers.ts'
import { type Navigation, openNavigation } from './signing-navigation.ts'
import { openPanel, type Panel, PHONE } from './signing-panel.ts'
import type { DocumentView, OpenDocumentView } from './signing-view.ts'
import { fitViewport } from './signing-viewport.ts'

export function startSigning(openView: OpenDocumentView): void {
  const data = JSON.parse(requireElement(`#${DATA_ID}`, HTMLScriptElement).text) as SigningData
  const { texts, lang, intent } = data
  const form = requireElement('#sign', HTMLFormElement)
  const finish = requireElement('#sign button[type="submit"]', HTMLButtonElement).textContent ?? ''
  document.documentElement.classList.add('scripted')

  const entries: Entry[] = []
  const marks: MarkEntry[] = []
  const container = element('div', { id: 'document' })
  const panel = openPanel({ texts, lang, onClose: () => navigation.closed() })
  const bar = openBar({ texts, lang, intent, finish, next: () => navigation.next(), all: () => panel.openAll() })
  panel.element.before(container)
  panel.element.after(bar.element)
  requireElement('.finish', HTMLElement).hidden = true
  fitViewport(bar.element)

  const saver = openPageSaver(data, {
    onState: state => bar.state(state),
    onSaved: names => refreshMarks(view, entries, names),
    onErrors(errors) {
      for (const { path, message } of errors) navigation.refuse(path, message)
    },
  })
  const view = openView(viewOptions(data, container, panel))
  const navigation = openNavigation({ entries, marks, panel, bar, view })
  const onChange = (entry: Entry) => navigation.changed(entry)
  marks.push(...markEntries(data, saver, onChange, entry => refreshMarks(view, entries, Object.keys(entry.members()))))
  const fields = data.fields.filter(field => !isMark(field.type)).map(field => fieldEntry(field, texts))
  entries.push(...inReadingOrder([...fields, ...marks]), consentEntry(texts))

  wireEntries(entries, marks, saver, navigation)
  leadFromSummary(panel, entries)
  leadFromSkip(panel)
  keepProposals(data, entries, saver)
  openFinish({ form, entries, marks, saver, bar, panel, onErrorShown: onChange })
  navigation.begin()
  const press = (entry: Entry, place: FieldData) => navigation.open(entry, place)
  void view.ready.then(() => navigation.show(openMarkers({ view, entries, texts, press })))
}

function viewOptions(data: SigningData, container: HTMLElement, panel: Panel): Parameters<OpenDocumentView>[0] {
  const { base, pdfjsUrl, viewTexts } = data
  const covered = () => (PHONE.matches && panel.isOpen() ? innerHeight - panel.element.getBoundingClientRect().top : 0)
  return {
    container,
    fileUrl: `${base}/file`,
    pagesUrl: `${base}/pages`,
    marksUrl: page => `${base}/marks?page=${page}`,
    pdfjsUrl,
    texts: viewTexts,
    insetBottom: () => Math.max(0, covered() - (innerHeight - container.getBoundingClientRect().bottom)),
  }
}

/** These members are saved: redraw the pages of their fields. */
function refreshMarks(view: DocumentView, entries: Entry[], names: string[]): void {
  const saved = entries.filter(entry => Object.keys(entry.members()).some(name => names.includes(name)))
  const pages = new Set(saved.flatMap(entry => entry.boxes.map(({ page }) => page)))
  for (const page of pages) void view.refreshMarks(page)
}

function markEntries(
  data: SigningData,
  saver: FormSaver,
  onChange: (entry: Entry) => void,
  onStored: (entry: Entry) => void,
): MarkEntry[] {
  const asked = (['signature', 'initials'] as const).filter(name => document.querySelector(`[data-mark="${name}"]`))
  return asked.map(name => markEntry({ name, data, saver, onChange, onStored }))
}

/** Saves the proposed values, so that the document shows them. */
function keepProposals({ fields }: SigningData, entries: Entry[], saver: FormSaver): void {
  const proposed = fields.filter(({ type }) => type === 'name' || type === 'email').map(({ id }) => `fields.${id}`)
  for (const entry of entries) if (proposed.includes(entry.name) && entry.isFilled()) saver.put(entry.members())
}

/** Saves input, shows the focused field, and lets Enter go on instead of submitting. */
function wireEntries(entries: Entry[], marks: MarkEntry[], saver: FormSaver, navigation: Navigation): void {
  for (const entry of entries) {
    entry.element.addEventListener('focusin', () => navigation.follow(entry))
    entry.element.addEventListener('keydown', event => {
      const { target } = event
      if (event.key !== 'Enter' || event.isComposing || !(target instanceof HTMLInputElement) || target.type === 'file') return
      event.preventDefault()
      navigation.next()
    })
    if (marks.some(mark => mark === entry)) continue
    entry.element.addEventListener('input', () => {
      entry.refusal = undefined
      saver.put(entry.members())
      navigation.changed(entry)
    })
    entry.element.addEventListener('change', () => {
      // Show an error when the person leaves the field, not while typing.
      if (entry.isFilled()) showError(entry, entry.error())
      navigation.changed(entry)
      void saver.flush()
    })
  }
}

/** Links of an error summary that came with the page. */
function leadFromSummary(panel: Panel, entries: Entry[]): void {
  panel.element.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('#summary a') : null
    const entry = entries.find(({ name }) => link?.getAttribute('href') === `#${name}`)
    if (!entry) return
    event.preventDefault()
    panel.open(entry)
  })
}

/** The form may be hidden, so a plain link does not reach it. */
function leadFromSkip(panel: Panel): void {
  requireElement('a.skip[href="#sign"]', HTMLAnchorElement).addEventListener('click', event => {
    event.preventDefault()
    panel.openAll()
  })
}

interface Listeners {
  onState(state: SaveState): void
  onSaved(names: string[]): void
  onErrors(errors: { path: string; message: string }[]): void
}

/** Any response that still comes takes less. */
const PATIENCE_MS = 20_000

/** Saves the form values, also when the page is left. */
function openPageSaver({ base, csrf }: SigningData, format: Listeners): FormSaver {
  const url = `${base}/form-values`
  const body = (members: Members) => new URLSearchParams({ csrf, ...members })
  const saver = openFormSaver({
    send(members) {
      const stop = new AbortController()
      const timer = setTimeout(() => stop.abort(), PATIENCE_MS)
      return fetch(url, { method: 'POST', body: body(members), signal: stop.signal }).finally(() => clearTimeout(timer))
    },
    later(delayMs, run) {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    ...format,
  })
  addEventListener('online', () => void saver.flush())
  const leave = () => {
    const unsaved = saver.unsaved()
    if (Object.keys(unsaved).length > 0) navigator.sendBeacon(url, body(unsaved))
  }
  addEventListener('pagehide', leave)
  // A reload requests the page before it hides this one.
  addEventListener('beforeunload', leave)
  // A phone may end a page in the background without another event.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') leave()
  })
  return saver
}
