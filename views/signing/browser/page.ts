/**
 * The signing page by script: adds document, markers, bar and saving to the form, applies
 * conditions, and submits the form, which still holds the values.
 */
import { type Bar, openBar } from './bar.ts'
import { type Conditions, isOfEntry, openConditions } from './conditions.ts'
import { DATA_ID, type DocumentView, type OpenDocumentView, type SigningData } from './data.ts'
import { element, requireElement } from './element.ts'
import { consentEntry, type Entry, type Missing, missingOf, showError, shownOf } from './entries.ts'
import { fieldEntry } from './fields.ts'
import type { fileEntry } from './file.ts'
import { type FormSaver, type Members, openFormSaver, type SaveState } from './form-saver.ts'
import { type MarkEntry, markEntry } from './mark.ts'
import { type MarkerPlace, openMarkers } from './markers.ts'
import { Navigation } from './navigation.ts'
import type { NumberTools } from './number.ts'
import { fitViewport, openPanel, type Panel, PHONE } from './panel.ts'

export async function startSigning(openView: OpenDocumentView): Promise<void> {
  const data = JSON.parse(requireElement(`#${DATA_ID}`, HTMLScriptElement).text) as SigningData
  const { texts, lang, intent, direction } = data
  const form = requireElement('#sign', HTMLFormElement)
  const finish = requireElement('#sign button[type="submit"]', HTMLButtonElement).textContent ?? ''
  const makeFileEntry = await fileScript(data)
  const numbers = await numberScript(data)
  document.documentElement.classList.add('scripted')

  const entries: Entry[] = []
  const marks: MarkEntry[] = []
  const container = element('div', { id: 'document' })
  const panel = openPanel({ texts, lang, onClose: () => navigation.closed(), lead: entry => navigation.lead(entry) })
  const bar = openBar({ texts, lang, intent, finish, next: () => navigation.next(), all: () => panel.openAll() })
  panel.element.before(container)
  panel.element.after(bar.element)
  requireElement('.finish', HTMLElement).hidden = true
  fitViewport(bar.element)

  const saver = openPageSaver(data, {
    onState: (state, waitS) => bar.state(state, waitS),
    onSaved: names => refreshMarks(view, data, entries, names),
    onErrors(errors) {
      for (const { path, message } of errors) navigation.refuse(path, message)
    },
  })
  const view = openView({ ...viewOptions(data, container, panel), onSight: openSight(data, saver) })
  const navigation = new Navigation({ data, entries, marks, panel, bar, view })
  const onChange = (entry: Entry) => navigation.changed(entry)
  const redraw = (entry: Entry) => refreshMarks(view, data, entries, [entry.name])
  marks.push(...markEntries(data, saver, onChange, redraw))
  const fields = data.fields
    .filter(field => field.filledBy !== 'mark')
    .map(field =>
      field.filledBy === 'file' && makeFileEntry
        ? makeFileEntry({ field, data, onChange, onStored: redraw })
        : fieldEntry(field, { ...data, numbers }),
    )
  entries.push(...inFormOrder(form, [...fields, ...marks, consentEntry(texts)]))

  const conditions = openConditions({
    data,
    entries,
    onChange(changed) {
      for (const mark of marks) if (changed.includes(mark)) mark.redraw()
      for (const entry of changed) {
        if (entry.isHidden) panel.dropFromSummary(entry)
        navigation.changed(entry)
      }
    },
  })
  wireEntries({ entries, marks, saver, navigation, conditions })
  leadFromSummary(panel, entries, navigation)
  leadFromSkip(panel)
  leadFromMenu(panel)
  keepProposals(data, entries, saver)
  openFinish({ form, entries, marks, saver, bar, panel, navigation })
  navigation.begin()
  // A browser restores what was entered when it comes back to the page.
  addEventListener('pageshow', conditions.update)
  const press = ({ entry, box }: MarkerPlace) => {
    if (box.option !== undefined) entry.choose?.(box.option)
    navigation.open(entry, box)
  }
  const places = placesOf(data, entries)
  void view.ready.then(() => navigation.show(openMarkers({ view, places, direction, texts, press })))
}

/**
 * Loaded for documents with such fields only. If it cannot be, the page stays the form that it is
 * without a script.
 */
async function fileScript({ fields, filesUrl }: SigningData): Promise<typeof fileEntry | undefined> {
  if (!fields.some(each => each.filledBy === 'file')) return undefined
  return ((await import(filesUrl)) as { fileEntry: typeof fileEntry }).fileEntry
}

/** As `fileScript`, for documents with numbers. */
async function numberScript({ fields, numbersUrl }: SigningData): Promise<NumberTools | undefined> {
  if (!fields.some(({ type }) => type === 'number')) return undefined
  return ((await import(numbersUrl)) as { numberTools: NumberTools }).numberTools
}

function inFormOrder(form: HTMLFormElement, entries: Entry[]): Entry[] {
  const order = [...form.querySelectorAll('[data-entry]')]
  return entries.sort((a, b) => order.indexOf(a.element) - order.indexOf(b.element))
}

function placesOf({ fields }: SigningData, entries: Entry[]): MarkerPlace[] {
  return fields.flatMap(field => {
    const entry = entries.find(each => isOfEntry(field, each))
    return entry ? field.boxes.map(box => ({ entry, box })) : []
  })
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
    enlarges: () => PHONE.matches,
    coveredBy: panel.element,
    insetBottom: () => Math.max(0, covered() - (innerHeight - container.getBoundingClientRect().bottom)),
  }
}

/** These members are saved: redraw the pages of their fields, and of those that depend on them. */
function refreshMarks(view: DocumentView, data: SigningData, entries: Entry[], names: string[]): void {
  const saved = entries.filter(({ name, members }) => [name, ...Object.keys(members())].some(each => names.includes(each)))
  const own = saved.flatMap(entry => entry.boxes.map(({ page }) => page))
  const dependent = saved.some(({ value }) => value) ? conditionalPages(data) : []
  for (const page of new Set([...own, ...dependent])) void view.refreshMarks(page)
}

function conditionalPages({ fields, fixed }: SigningData): number[] {
  const all = [...fields.map(({ showIf, boxes }) => ({ showIf, pages: boxes.map(({ page }) => page) })), ...fixed]
  return all.flatMap(({ showIf, pages }) => (showIf ? pages : []))
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

interface Wiring {
  entries: Entry[]
  marks: MarkEntry[]
  saver: FormSaver
  navigation: Navigation
  conditions: Conditions
}

/** Saves input, shows the focused field, and lets Enter go on instead of submitting. */
function wireEntries({ entries, marks, saver, navigation, conditions }: Wiring): void {
  for (const entry of entries) {
    entry.element.addEventListener('focusin', () => navigation.follow(entry))
    entry.element.addEventListener('keydown', event => {
      const { target } = event
      if (event.key !== 'Enter' || event.isComposing || !(target instanceof HTMLInputElement) || target.type === 'file') return
      event.preventDefault()
      navigation.next()
    })
    // Marks and files store what they are given themselves.
    if (marks.some(mark => mark === entry) || Object.keys(entry.members()).length === 0) continue
    entry.element.addEventListener('input', () => {
      entry.refusal = undefined
      saver.put(entry.members())
      conditions.update()
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
function leadFromSummary(panel: Panel, entries: Entry[], navigation: Navigation): void {
  panel.element.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('#summary a') : null
    if (!link) return
    event.preventDefault()
    const id = link.getAttribute('href')?.slice(1) ?? ''
    const entry = entries.find(({ name }) => name === id)
    if (entry) navigation.lead(entry)
    else document.getElementById(id)?.focus()
  })
}

/** The menu of the header leads to what can be done instead of signing. */
function leadFromMenu(panel: Panel): void {
  const menu = requireElement('#more', HTMLDetailsElement)
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || !menu.contains(target)) menu.open = false
  })
  document.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  })
  menu.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link) return
    menu.open = false
    if (!link.hash) return
    event.preventDefault()
    panel.openOther(link.hash.slice(1))
  })
}

/** The form may be hidden, so a plain link does not reach it. */
function leadFromSkip(panel: Panel): void {
  requireElement('a.skip[href="#sign"]', HTMLAnchorElement).addEventListener('click', event => {
    event.preventDefault()
    panel.openAll()
  })
}

// Which pages were displayed.

/** Notes the pages in the form, and for the next visit. */
function openSight({ pagesShown }: SigningData, saver: FormSaver): (page: number) => void {
  const input = requireElement('#sign input[name="pagesShown"]', HTMLInputElement)
  const shown = new Set(pagesShown)
  const write = () => {
    input.value = [...shown].sort((a, b) => a - b).join() || 'none'
  }
  write()
  return page => {
    if (shown.has(page)) return
    shown.add(page)
    write()
    saver.keep({ pagesShown: input.value })
  }
}

// Saving.

interface SaverListeners {
  onState(state: SaveState, waitS?: number): void
  onSaved(names: string[]): void
  onErrors(errors: { path: string; message: string }[]): void
}

/** Any response that still comes takes less. */
const PATIENCE_MS = 20_000

/** Saves the form values, also when the page is left. */
function openPageSaver({ base, csrf }: SigningData, listeners: SaverListeners): FormSaver {
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
    ...listeners,
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

// Submits the form once: shows what is missing, or saves and sends it.

const STILL_HERE_MS = 20_000

interface FinishOptions {
  form: HTMLFormElement
  entries: Entry[]
  marks: MarkEntry[]
  saver: FormSaver
  bar: Bar
  panel: Panel
  navigation: Navigation
}

/** Takes over the form's submission. */
function openFinish({ form, entries, marks, saver, bar, panel, navigation }: FinishOptions): void {
  let isUnderway = false
  /** Shows what is missing or wrong, if there is anything. */
  function hasErrors(errors: Missing[] = missingOf(entries)): boolean {
    panel.clearSummary()
    if (navigation.asksConsent(errors)) return true
    for (const { entry, message } of errors) {
      showError(entry, message)
      navigation.changed(entry)
    }
    if (errors.length > 0) panel.summary(errors)
    return errors.length > 0
  }

  /** Waits for files on their way. One that is not taken is shown, one that was cancelled stops. */
  async function filesArrive(): Promise<boolean> {
    for (;;) {
      const sending = shownOf(entries).flatMap(entry => {
        const taken = entry.underway?.()
        return taken ? [{ entry, taken }] : []
      })
      if (sending.length === 0) return !hasErrors()
      // What is saved meanwhile would change the state of the bar.
      await saver.flush()
      bar.state('waiting')
      const taken = await Promise.all(sending.map(each => each.taken))
      const refused = sending.flatMap(({ entry }, i) => {
        return !taken[i] && entry.refusal !== undefined ? [{ entry, message: entry.refusal }] : []
      })
      const others = missingOf(entries).filter(({ entry }) => refused.every(each => each.entry !== entry))
      if (hasErrors([...refused, ...others]) || taken.includes(false)) return false
    }
  }

  async function finish(): Promise<void> {
    if (isUnderway) return
    for (const mark of marks) mark.settle()
    if (hasErrors()) return
    isUnderway = true
    if (!(await filesArrive())) return again()
    bar.state('sending')
    const state = await saveAll(saver, entries)
    const isRefused = hasErrors()
    if (isRefused || (state !== 'saved' && state !== 'gone')) {
      isUnderway = false
      bar.state(isRefused ? 'quiet' : 'notSent')
      return
    }
    // Saving has changed the state of the bar meanwhile.
    bar.state('sending')
    // A plain submit, as without a script: the response is a page.
    HTMLFormElement.prototype.submit.call(form)
    // The person stopped it, or the response was lost. Sending again counts once.
    setTimeout(again, STILL_HERE_MS)
  }
  const again = () => {
    isUnderway = false
    bar.state('quiet')
  }
  form.noValidate = true
  // The values of hidden fields stay in the page only.
  form.addEventListener('formdata', ({ formData }) => {
    for (const { isHidden, members } of entries) if (isHidden) for (const name of Object.keys(members())) formData.delete(name)
  })
  form.addEventListener('submit', event => {
    event.preventDefault()
    void finish()
  })
  // After the browser's Back button the form can be sent again.
  window.addEventListener('pageshow', event => {
    if (event.persisted) again()
  })
}

/** Saves everything first, so that the browser's offline page does not replace the form. */
function saveAll(saver: FormSaver, entries: Entry[]): Promise<SaveState> {
  for (const entry of entries) saver.put(entry.members())
  return saver.flush()
}
