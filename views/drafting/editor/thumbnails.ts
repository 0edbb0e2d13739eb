/** Small pictures of the pages with counts of fields. Only those in sight exist. */
import type { Pdf } from '../../documents/browser/document-pdf.ts'
import { format, formatCount } from '../../signing/browser/data.ts'
import { element } from '../../signing/browser/element.ts'
import type { EditorTexts } from './data.ts'
import type { PageSize } from './model.ts'

const WIDTH_PX = 126
/** Taller pages are shrunk to this. */
const HEIGHT_PX = 164
/** One entry with its number. */
const ROW_PX = 200
const AHEAD_PX = 300
const IDLE_MS = 200

interface Options {
  list: HTMLElement
  sizes: readonly PageSize[]
  texts: EditorTexts
  lang: string
  pdf(): Promise<Pdf>
  /** Whether pages in sight still wait to be drawn. */
  isBusy(): boolean
  fieldCountOf(page: number): number
  onPage(page: number): void
}

interface Entry {
  button: HTMLButtonElement
  paper: HTMLElement
  count: HTMLElement
  isDrawn: boolean
}

export class Thumbnails {
  readonly #options: Options
  readonly #sheet = element('div', { class: 'thumbnail-sheet' })
  readonly #entries = new Map<number, Entry>()
  #current = 1
  #timer: ReturnType<typeof setTimeout> | undefined
  #isDrawing = false

  constructor(options: Options) {
    this.#options = options
    const { list, sizes } = options
    this.#sheet.style.height = `${sizes.length * ROW_PX}px`
    list.append(this.#sheet)
    list.addEventListener('scroll', () => this.#update(), { passive: true })
    list.addEventListener('keydown', event => this.#key(event))
    new ResizeObserver(() => this.#update()).observe(list)
  }

  /** Marks the page in sight. */
  current(page: number): void {
    if (page === this.#current && this.#entries.size > 0) return
    const before = this.#current
    this.#current = page
    const { list } = this.#options
    const top = (page - 1) * ROW_PX
    const isInSight = top >= list.scrollTop && top + ROW_PX <= list.scrollTop + list.clientHeight
    if (!isInSight && list.clientHeight > 0) list.scrollTop = top - (list.clientHeight - ROW_PX) / 2
    this.#update()
    for (const each of [before, page]) this.#mark(each)
  }

  /** The fields changed. */
  refresh(): void {
    for (const page of this.#entries.keys()) this.#mark(page)
  }

  #mark(page: number): void {
    const entry = this.#entries.get(page)
    if (!entry) return
    const { texts, lang, fieldCountOf } = this.#options
    const n = fieldCountOf(page)
    const isCurrent = page === this.#current
    entry.button.tabIndex = isCurrent ? 0 : -1
    if (isCurrent) entry.button.setAttribute('aria-current', 'page')
    else entry.button.removeAttribute('aria-current')
    const name = format(texts.page, { page, pages: this.#options.sizes.length })
    entry.button.setAttribute('aria-label', n === 0 ? name : `${name}, ${formatCount(texts.fieldCount, n, lang)}`)
    entry.count.dataset.words = String(n)
    entry.count.hidden = n === 0
  }

  #update(): void {
    const { list, sizes } = this.#options
    if (list.clientHeight === 0) return
    const first = Math.max(1, Math.floor((list.scrollTop - AHEAD_PX) / ROW_PX) + 1)
    const last = Math.min(sizes.length, Math.ceil((list.scrollTop + list.clientHeight + AHEAD_PX) / ROW_PX))
    const isKept = (page: number, entry: Entry) => (page >= first && page <= last) || entry.button === document.activeElement
    for (const [page, entry] of [...this.#entries]) {
      if (isKept(page, entry)) continue
      entry.button.remove()
      this.#entries.delete(page)
    }
    for (let page = first; page <= last; page++) if (!this.#entries.has(page)) this.#add(page)
    this.#drawSoon()
  }

  #add(page: number): void {
    const { sizes, onPage } = this.#options
    const [width, height] = sizes[page - 1]!
    const scale = Math.min(WIDTH_PX / width, HEIGHT_PX / height)
    const paper = element('span', { class: 'thumbnail-paper' })
    paper.style.width = `${width * scale}px`
    paper.style.height = `${height * scale}px`
    const count = element('span', { class: 'thumbnail-count' })
    const made = element('button', { type: 'button', class: 'thumbnail' })
    made.addEventListener('click', () => onPage(page))
    made.append(paper, element('span', { class: 'thumbnail-number', 'data-words': String(page) }), count)
    made.style.top = `${(page - 1) * ROW_PX}px`
    this.#entries.set(page, { button: made, paper, count, isDrawn: false })
    const after = [...this.#entries.keys()].filter(other => other > page).sort((a, b) => a - b)[0]
    this.#sheet.insertBefore(made, after === undefined ? null : this.#entries.get(after)!.button)
    this.#mark(page)
  }

  #key(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const page = Math.min(Math.max(this.#current + by, 1), this.#options.sizes.length)
    this.#options.onPage(page)
    this.current(page)
    this.#entries.get(page)?.button.focus({ preventScroll: true })
  }

  #drawSoon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#drawAll(), IDLE_MS)
  }

  async #drawAll(): Promise<void> {
    if (this.#isDrawing) return
    if (this.#options.isBusy()) return this.#drawSoon()
    this.#isDrawing = true
    try {
      const pdf = await this.#options.pdf()
      for (let next = this.#next(); next && !this.#options.isBusy(); next = this.#next()) await this.#draw(pdf, ...next)
    } catch (error) {
      // The pages themselves report what cannot be drawn.
      console.warn(error)
    } finally {
      this.#isDrawing = false
    }
    if (this.#next()) this.#drawSoon()
  }

  #next(): [number, Entry] | undefined {
    return [...this.#entries]
      .filter(([, { isDrawn }]) => !isDrawn)
      .sort(([a], [b]) => Math.abs(a - this.#current) - Math.abs(b - this.#current))[0]
  }

  async #draw(pdf: Pdf, page: number, entry: Entry): Promise<void> {
    entry.isDrawn = true
    const proxy = await pdf.document.getPage(page)
    const plain = proxy.getViewport({ scale: 1 })
    const canvas = element('canvas', { 'aria-hidden': 'true' })
    const ratio = Math.min(devicePixelRatio || 1, 2)
    const scale = Math.min(WIDTH_PX / plain.width, HEIGHT_PX / plain.height) * ratio
    canvas.width = Math.max(1, Math.round(plain.width * scale))
    canvas.height = Math.max(1, Math.round(plain.height * scale))
    await proxy.render({ canvas, viewport: proxy.getViewport({ scale }), annotationMode: pdf.pdfjs.AnnotationMode.ENABLE })
      .promise
    entry.paper.replaceChildren(canvas)
    proxy.cleanup()
  }
}
