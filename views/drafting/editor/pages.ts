/** Pages in one long scroll area: only those near the visible part are in the document. */
import { openPageView, type PageView } from '../../documents/browser/document-page.ts'
import { element } from '../../signing/browser/element.ts'
import type { Point } from './commands.ts'
import type { Box, PageSize } from './model.ts'

/** Around and between the pages, px. */
const GAP = 16
/** Pages kept before and after the visible ones. */
const BESIDE = 2
const MAX_CANVAS_PIXELS = 5_000_000
const MAX_CANVASES = 10
/** CSS px of one pt at 100 %. */
const PX_PER_PT = 96 / 72
const MIN_ZOOM = 0.25
const MAX_ZOOM = 4

export interface ShownPage {
  readonly number: number
  readonly section: HTMLElement
  readonly layer: HTMLElement
  readonly view: PageView
}

export interface PagePoint extends Point {
  readonly page: number
}

interface Options {
  scroller: HTMLElement
  sizes: readonly PageSize[]
  /** Receives the views of the shown pages. */
  views: PageView[]
  texts: Parameters<typeof openPageView>[0]['texts']
  onMount(page: ShownPage): void
  onUnmount(page: ShownPage): void
  /** Pages that stay in the document although they are out of sight. */
  kept(): Iterable<number>
  /** The visible part or the scale changed. */
  onView(isZoomed: boolean): void
  onRetry(): void
}

export class PageList {
  readonly #options: Options
  readonly #sheet = element('div', { class: 'sheets' })
  readonly #tops: Float64Array
  readonly #widest: number
  readonly #shown = new Map<number, ShownPage>()
  #scale = 1
  #isFitted = true
  #frame = 0

  constructor(options: Options) {
    this.#options = options
    const { scroller, sizes } = options
    this.#tops = new Float64Array(sizes.length + 1)
    for (const [i, [, height]] of sizes.entries()) this.#tops[i + 1] = this.#tops[i]! + height
    this.#widest = sizes.reduce((most, [width]) => Math.max(most, width), 1)
    scroller.append(this.#sheet)
    scroller.addEventListener('scroll', () => this.#updateSoon(), { passive: true })
    new ResizeObserver(() => (this.#isFitted ? this.fit() : this.#layOut())).observe(scroller)
  }

  /** CSS px per pt. */
  get scale(): number {
    return this.#scale
  }
  get zoomPercent(): number {
    return (this.#scale / PX_PER_PT) * 100
  }
  get count(): number {
    return this.#options.sizes.length
  }
  get shown(): ReadonlyMap<number, ShownPage> {
    return this.#shown
  }

  #top(page: number): number {
    return GAP * page + this.#tops[page - 1]! * this.#scale
  }

  #left(page: number): number {
    const free = this.#sheetWidth() - this.#options.sizes[page - 1]![0] * this.#scale
    return Math.max(GAP, free / 2)
  }

  #sheetWidth(): number {
    return Math.max(this.#options.scroller.clientWidth, this.#widest * this.#scale + 2 * GAP)
  }

  /** The page at this distance from the top of the scroll area, px. */
  #pageAtOffset(y: number): number {
    let [low, high] = [1, this.count]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.#top(middle) - GAP / 2 <= y) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The page in the middle of the visible part. */
  get current(): number {
    const { scrollTop, clientHeight } = this.#options.scroller
    return this.#pageAtOffset(scrollTop + clientHeight / 2)
  }

  get visible(): [first: number, last: number] {
    const { scrollTop, clientHeight } = this.#options.scroller
    return [this.#pageAtOffset(scrollTop), this.#pageAtOffset(scrollTop + clientHeight)]
  }

  /** The visible part of a page, pt. */
  sightOf(page: number): Box {
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.#options.scroller
    const [width, height] = this.#options.sizes[page - 1]!
    const top = (scrollTop - this.#top(page)) / this.#scale
    const left = (scrollLeft - this.#left(page)) / this.#scale
    const x = Math.min(Math.max(0, left), width)
    const y = Math.min(Math.max(0, top), height)
    return {
      x,
      y,
      width: Math.max(0, Math.min(width, left + clientWidth / this.#scale) - x),
      height: Math.max(0, Math.min(height, top + clientHeight / this.#scale) - y),
    }
  }

  /** The page under a point of the window and the place on it in pt. Between pages: the nearest. */
  pointAt(clientX: number, clientY: number): PagePoint {
    const { scroller, sizes } = this.#options
    const page = this.#pageAtOffset(scroller.scrollTop + clientY - scroller.getBoundingClientRect().top)
    return { page, ...this.pointOn(page, clientX, clientY), ...(sizes[page - 1] ? {} : { page: 1 }) }
  }

  pointOn(page: number, clientX: number, clientY: number): Point {
    const [width, height] = this.#options.sizes[page - 1]!
    const rect = this.#shown.get(page)?.section.getBoundingClientRect() ?? this.#rectOf(page)
    return { x: ((clientX - rect.left) / rect.width) * width, y: ((clientY - rect.top) / rect.height) * height }
  }

  #rectOf(page: number): DOMRect {
    const { scroller, sizes } = this.#options
    const origin = scroller.getBoundingClientRect()
    const [width, height] = sizes[page - 1]!
    const left = origin.left + this.#left(page) - scroller.scrollLeft
    const top = origin.top + this.#top(page) - scroller.scrollTop
    return new DOMRect(left, top, width * this.#scale, height * this.#scale)
  }

  /** Px from the upper left corner of the scroll area. */
  placeOf(page: number, { x, y }: Point): Point {
    return { x: this.#left(page) + x * this.#scale, y: this.#top(page) + y * this.#scale }
  }

  begin(): void {
    this.fit()
  }

  /** As wide as the scroll area, at most 150 %. */
  fit(): void {
    this.#isFitted = true
    const wide = (this.#options.scroller.clientWidth - 2 * GAP) / this.#widest
    this.#rescale(Math.min(wide, 1.5 * PX_PER_PT))
  }

  /** Keeps the point of the window in place; by default the middle of the upper third. */
  zoom(factor: number, client?: Point): void {
    this.zoomTo((this.#scale / PX_PER_PT) * factor, client)
  }

  /** 1 is 100 %. */
  zoomTo(zoom: number, client?: Point): void {
    this.#isFitted = false
    this.#rescale(zoom * PX_PER_PT, client)
  }

  #rescale(wanted: number, client?: Point): void {
    const { scroller } = this.#options
    const scale = Math.min(Math.max(wanted, MIN_ZOOM * PX_PER_PT), MAX_ZOOM * PX_PER_PT)
    const { left, top } = scroller.getBoundingClientRect()
    const at = client ?? { x: left + scroller.clientWidth / 2, y: top + scroller.clientHeight / 3 }
    const page = this.#pageAtOffset(scroller.scrollTop + at.y - top)
    const fixed = {
      x: (scroller.scrollLeft + at.x - left - this.#left(page)) / this.#scale,
      y: (scroller.scrollTop + at.y - top - this.#top(page)) / this.#scale,
    }
    // Who is at the top stays there: the beginning of the first page would slide out of sight.
    const isAtTop = !client && scroller.scrollTop <= 0
    this.#scale = scale
    this.#layOut()
    const place = this.placeOf(page, fixed)
    const scrollTop = isAtTop ? 0 : place.y - (at.y - top)
    scroller.scrollTo({ left: place.x - (at.x - left), top: scrollTop, behavior: 'instant' })
    this.update()
    this.#options.onView(true)
  }

  /** Scrolls to a page, or so that a box on it is in sight with some space around it. */
  show(page: number, box?: Box): void {
    const { scroller } = this.#options
    if (!box) {
      scroller.scrollTo({ top: this.#top(page) - GAP, behavior: 'instant' })
      this.update()
      return
    }
    const from = this.placeOf(page, box)
    const [width, height] = [box.width * this.#scale, box.height * this.#scale]
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroller
    const isInSight =
      from.x >= scrollLeft &&
      from.y >= scrollTop + GAP &&
      from.x + width <= scrollLeft + clientWidth &&
      from.y + height <= scrollTop + clientHeight - GAP
    if (!isInSight) {
      const left = from.x + width / 2 - clientWidth / 2
      scroller.scrollTo({ left, top: from.y + height / 2 - clientHeight / 2, behavior: 'instant' })
    }
    this.update()
  }

  #layOut(): void {
    const { style } = this.#sheet
    style.width = `${this.#sheetWidth()}px`
    style.height = `${GAP * (this.count + 1) + this.#tops[this.count]! * this.#scale}px`
    for (const page of this.#shown.values()) this.#put(page)
    this.update()
  }

  #put({ number, section, view }: ShownPage): void {
    view.resize(this.#scale)
    section.style.left = `${this.#left(number)}px`
    section.style.top = `${this.#top(number)}px`
  }

  #updateSoon(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => {
      this.update()
      this.#options.onView(false)
    })
  }

  /** Brings the pages in the document in line with the visible part. */
  update(): void {
    const [first, last] = this.visible
    const wanted = new Set<number>(this.#options.kept())
    for (let page = Math.max(1, first - BESIDE); page <= Math.min(this.count, last + BESIDE); page++) wanted.add(page)
    for (const page of [...this.#shown.values()]) if (!wanted.has(page.number)) this.#unmount(page)
    for (const page of [...wanted].sort((a, b) => a - b)) if (!this.#shown.has(page)) this.#mount(page)
  }

  #mount(number: number): void {
    const { sizes, texts, onMount, onRetry } = this.#options
    const [width, height] = sizes[number - 1]!
    const view = openPageView({
      page: number,
      count: this.count,
      width,
      height,
      texts,
      maxPixels: MAX_CANVAS_PIXELS,
      isTextSelectable: false,
      onAgain: onRetry,
    })
    const { section, layer } = view
    section.setAttribute('role', 'group')
    section.dataset.page = String(number)
    const page = { number, section, layer, view }
    const after = [...this.#shown.values()].filter(other => other.number > number).sort((a, b) => a.number - b.number)[0]
    this.#sheet.insertBefore(section, after?.section ?? null)
    this.#shown.set(number, page)
    this.#options.views.push(view)
    this.#put(page)
    onMount(page)
  }

  #unmount(page: ShownPage): void {
    this.#options.onUnmount(page)
    page.view.release()
    page.section.remove()
    this.#shown.delete(page.number)
    const { views } = this.#options
    views.splice(views.indexOf(page.view), 1)
  }

  /** The views to draw, the nearest to the middle first. */
  near(): PageView[] {
    const { current } = this
    return [...this.#shown.values()]
      .sort((a, b) => Math.abs(a.number - current) - Math.abs(b.number - current))
      .slice(0, MAX_CANVASES)
      .map(({ view }) => view)
  }
}
