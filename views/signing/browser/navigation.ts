/** Moves through the entries and keeps form, markers, bar and document in step. */
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import type { Bar } from './bar.ts'
import { type BoxData, type DocumentView, format, type SigningData } from './data.ts'
import { element } from './element.ts'
import { type Entry, isErrorShown, type Missing, missingOf, showError } from './entries.ts'
import type { MarkEntry } from './mark.ts'
import type { Markers } from './markers.ts'
import type { Panel } from './panel.ts'
import { areaOf, progressOf, Round, type Stop, stopsOf } from './stops.ts'

interface Options {
  data: Pick<SigningData, 'texts' | 'lang' | 'direction'>
  /** In the order of the form, consent last. Filled before `begin`. */
  entries: Entry[]
  marks: MarkEntry[]
  panel: Panel
  bar: Bar
  view: DocumentView
}

export class Navigation {
  readonly #options: Options
  readonly #round = new Round()
  readonly #say = openAnnouncement()
  #current: Stop | undefined
  #markers: Markers | undefined

  constructor(options: Options) {
    this.#options = options
  }

  begin(): void {
    this.#showProgress()
    const summary = document.querySelector<HTMLElement>('#summary')
    if (!summary) return
    this.#options.panel.openAll()
    summary.focus()
  }

  show(markers: Markers): void {
    this.#markers = markers
    markers.highlight(this.#current)
  }

  /** Opens the entry at one of its boxes. */
  open(entry: Entry, box: BoxData): void {
    this.#open(this.#stopOf(entry, box))
  }

  /** Opens the entry at its first place. */
  lead(entry: Entry): void {
    this.#open(this.#stopOf(entry))
  }

  next(): void {
    const current = this.#current
    this.#settle(current?.entry)
    if (current) this.#round.pass(current)
    const to = this.#round.next(this.#stops, current)
    if (to) this.#open(to)
    else this.#end()
  }

  /** The entry received the focus. */
  follow(entry: Entry): void {
    this.#goTo(this.#current?.entry === entry ? this.#current : this.#stopOf(entry))
  }

  changed(entry: Entry): void {
    if (!this.#options.entries.includes(entry)) return
    showError(entry, entry.refusal ?? (isErrorShown(entry) ? entry.error() : undefined))
    this.#markers?.update(entry)
    this.#showProgress()
  }

  /** Shows a validation error of the server at its field. */
  refuse(path: string, message: string): void {
    const entry = this.#options.entries.find(({ name }) => name === path)
    if (!entry) return
    entry.refusal = message
    this.#showError(entry, message)
  }

  /** The sheet on a phone was closed. */
  closed(): void {
    const { bar } = this.#options
    // The focus returns to the marker it came from.
    if (!this.#current || !this.#markers?.focus(this.#current)) bar.element.querySelector<HTMLElement>('.next')?.focus()
    this.#goTo(undefined)
  }

  get #stops(): Stop[] {
    return stopsOf(this.#options.entries, this.#options.data.direction)
  }

  #stopOf(entry: Entry, box = entry.boxes[0]): Stop | undefined {
    return this.#stops.find(stop => stop.entry === entry && (!box || stop.boxes.includes(box)))
  }

  /** Leaving a mark chooses what was made. */
  #settle(entry: Entry | undefined): void {
    this.#options.marks.find(mark => mark === entry)?.settle()
  }

  #goTo(stop: Stop | undefined): void {
    const { panel, view } = this.#options
    if (this.#current?.entry !== stop?.entry) this.#settle(this.#current?.entry)
    this.#current = stop
    this.#showProgress()
    panel.follow(stop?.entry)
    this.#markers?.highlight(stop)
    const area = stop && areaOf(stop)
    if (area) requestAnimationFrame(() => view.show(area.page, area))
    else view.release()
  }

  #open(stop: Stop | undefined): void {
    if (!stop) return
    this.#goTo(stop)
    const name = nameOf(stop, this.#options.data)
    this.#options.panel.open(stop.entry, name)
    this.#say(name)
  }

  /** All stops are passed: says what is missing, or leads to the finish button. */
  #end(): void {
    const { entries, panel, bar } = this.#options
    const missing = missingOf(entries)
    const [only, more] = missing
    if (!only) {
      panel.close()
      bar.focusFinish()
      return
    }
    if (this.asksConsent(missing)) return
    for (const { entry, message } of missing) this.#showError(entry, message)
    if (!more) {
      this.lead(only.entry)
      return
    }
    this.#round.reopen(missing.map(({ entry }) => entry))
    this.#goTo(undefined)
    panel.summary(missing)
  }

  /**
   * Leads to the consent if it alone is missing, as the last step: that it is not given is an
   * error only after it was asked for. Answers whether it alone is missing.
   */
  asksConsent([only, more]: Missing[]): boolean {
    if (!only || more || only.entry !== this.#consent || only.entry.isFilled()) return false
    if (this.#current?.entry === only.entry) this.#showError(only.entry, only.message)
    this.lead(only.entry)
    return true
  }

  get #consent(): Entry | undefined {
    return this.#options.entries.at(-1)
  }

  #showError(entry: Entry, message: string): void {
    showError(entry, message)
    this.#markers?.update(entry)
  }

  #showProgress(): void {
    const { bar, entries } = this.#options
    const consent = this.#consent
    bar.progress(progressOf(entries), consent?.isFilled() ?? false, this.#current?.entry === consent)
  }
}

/** "Initials, page 3". Without a number of its own: the bar counts, and it counts what is done. */
function nameOf({ entry, boxes: [box] }: Stop, { texts, lang }: { texts: ScriptTexts; lang: string }): string {
  if (!box) return entry.label
  const field = box.option === undefined ? box.label : entry.label
  return format(texts.place, { field, page: new Intl.NumberFormat(lang).format(box.page) })
}

/** For screen readers: a mark has the same control at all of its places. */
function openAnnouncement(): (text: string) => void {
  const status = element('p', { class: 'unseen', role: 'status', id: 'place' })
  document.body.append(status)
  return text => {
    status.textContent = text
  }
}
