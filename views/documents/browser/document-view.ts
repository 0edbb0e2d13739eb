/**
 * The document next to the form, drawn page by page, with its toolbar and zoom. Markers are the
 * caller's.
 */
import type { SignerTexts } from '../../../src/locales/catalogue.ts'
import { type DocumentView, format, type OpenDocumentView, type Place } from '../../signing/browser/data.ts'
import { button, element } from '../../signing/browser/element.ts'
import { nearPages, openDrawing, openPageView, type PageView, pagesInSight } from './document-page.ts'
import { openOnDemand } from './document-pdf.ts'

type ViewOptions = Parameters<OpenDocumentView>[0]

/** As wide as the container. `ready` resolves when all pages have their size. */
export const openDocumentView: OpenDocumentView = options => {
  const { container, texts, insetBottom = () => 0, enlarges = () => false, onSight } = options
  const scroller = element('div', { class: 'pages', tabindex: '0', role: 'region', 'aria-label': texts.document })
  const notice = openNotice(texts)
  const views: PageView[] = []
  const lost = () =>
    notice.failed(() => {
      source.retry()
      settle()
    })
  const source = openOnDemand({ url: options.fileUrl, folder: options.pdfjsUrl, onLost: lost })
  const near = () => nearPages(scroller, views, layout.scale)
  const sight = () => {
    if (onSight) pagesInSight(scroller, views, scroller.clientHeight - insetBottom()).forEach(onSight)
  }
  const onDrawn = () => {
    notice.drawn()
    sight()
  }
  const drawing = openDrawing({ views, near, pdf: source.pdf, onDrawn, onLost: lost })
  const layout = new PageLayout(scroller, views, drawing.afterRest)
  // Waits for the page sizes.
  const show: DocumentView['show'] = (page, place) => void ready.then(() => layout.show(page, place, insetBottom, enlarges()))
  const tools = openTools({ texts, onZoom: factor => layout.zoom(factor), onFit: () => layout.fit(), onPage: page => show(page) })
  function settle(): void {
    tools.current(layout.pageAt((scroller.clientHeight - insetBottom()) / 2))
    sight()
    void drawing.draw()
  }
  container.append(tools.element, scroller, notice.element)
  openZoom(scroller, layout)
  onceAFrame(scroller, settle)

  const ready = new Promise<void>(resolve => {
    const attempt = () => {
      pagesOf(options, settle).then(
        pages => {
          views.push(...pages)
          scroller.append(...views.map(({ section }) => section))
          tools.count(views.length)
          layout.begin(options.coveredBy)
          resolve()
          settle()
        },
        () => notice.failed(attempt),
      )
    }
    attempt()
  })
  return {
    ready,
    get pageCount() {
      return views.length
    },
    layer(page) {
      const found = views[page - 1]
      if (!found) throw new RangeError(`there is no page ${page}`)
      return found.layer
    },
    show,
    release: () => layout.release(),
    async refreshMarks(page) {
      views[page - 1]?.forgetMarks()
      await drawing.drawMarks()
    },
  }
}

function onceAFrame(scroller: HTMLElement, settle: () => void): void {
  let frame = 0
  const soon = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(settle)
  }
  scroller.addEventListener('scroll', soon, { passive: true })
}

/** The sizes come first, so that the layout does not jump. */
async function pagesOf({ pagesUrl, marksUrl, texts }: ViewOptions, onAgain: () => void): Promise<PageView[]> {
  const response = await fetch(pagesUrl)
  if (!response.ok) throw new Error(`the pages were answered ${response.status}`)
  const sizes = (await response.json()) as [width: number, height: number][]
  const shared = { count: sizes.length, texts, onAgain }
  return sizes.map(([width, height], i) => openPageView({ ...shared, page: i + 1, width, height, marksUrl: marksUrl(i + 1) }))
}

/** Reports loading and failure, with a retry button. Retries when the connection is back. */
function openNotice(texts: ViewOptions['texts']) {
  const made = element('p', { class: 'document-status', role: 'status' }, texts.loading)
  let retry: (() => void) | undefined
  function retryNow(): void {
    const again = retry
    if (!again) return
    retry = undefined
    made.replaceChildren(texts.loading)
    again()
  }
  addEventListener('online', retryNow)
  return {
    element: made,
    drawn(): void {
      if (!retry) made.hidden = true
    },
    failed(again: () => void): void {
      if (retry) return
      retry = again
      made.replaceChildren(texts.failed, ' ', button(texts.tryAgain, { class: 'plain' }, retryNow))
      made.hidden = false
    },
  }
}

// Zooms by two fingers, by Ctrl and the wheel (trackpads send this for a pinch), and by keys.

interface Zoomable {
  /** `x` and `y` are px from the corner of the element. */
  zoom(factor: number, x?: number, y?: number): void
  fit(): void
}

/** By fingers and the wheel. */
export function openPointerZoom(target: HTMLElement, layout: Pick<Zoomable, 'zoom'>): void {
  const within = (clientX: number, clientY: number): [number, number] => {
    const { left, top } = target.getBoundingClientRect()
    return [clientX - left, clientY - top]
  }
  target.addEventListener(
    'wheel',
    event => {
      if (!event.ctrlKey) return
      event.preventDefault()
      layout.zoom(Math.exp(-event.deltaY / 300), ...within(event.clientX, event.clientY))
    },
    { passive: false },
  )
  let distance = 0
  const spread = ([a, b]: [Touch, Touch]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)
  const pair = ({ touches: [a, b, ...more] }: TouchEvent): [Touch, Touch] | undefined =>
    a && b && more.length === 0 ? [a, b] : undefined
  target.addEventListener(
    'touchstart',
    event => {
      const touches = pair(event)
      distance = touches ? spread(touches) : 0
    },
    { passive: true },
  )
  target.addEventListener(
    'touchmove',
    event => {
      const touches = pair(event)
      if (!touches || distance === 0) return
      event.preventDefault()
      const now = spread(touches)
      const [a, b] = touches
      layout.zoom(now / distance, ...within((a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2))
      distance = now
    },
    { passive: false },
  )
}

function openZoom(target: HTMLElement, layout: Zoomable): void {
  openPointerZoom(target, layout)
  target.addEventListener('keydown', event => {
    if (event.altKey || event.metaKey || event.ctrlKey || event.target !== target) return
    const factor = { '+': 1.25, '=': 1.25, '-': 0.8 }[event.key]
    if (factor !== undefined) layout.zoom(factor)
    else if (event.key === '0') layout.fit()
    else return
    event.preventDefault()
  })
}

// The toolbar above the document: zoom and page number.

interface DocumentToolsOptions {
  texts: SignerTexts['view']
  onZoom(factor: number): void
  onFit(): void
  onPage(page: number): void
}

const ZOOM_STEP = 1.25

function openTools({ texts, onZoom, onFit, onPage }: DocumentToolsOptions) {
  const tool = (label: string, sign: string, act: () => void) =>
    button(sign, { class: 'tool', 'aria-label': label, title: label }, act)
  const input = element('input', {
    id: 'go-to-page',
    type: 'text',
    inputmode: 'numeric',
    size: '3',
    autocomplete: 'off',
    value: '1',
  })
  const of = element('span', {})
  let count = 1
  let currentPage = 1
  const isEntering = () => document.activeElement === input
  // Enter fires `change` too.
  input.addEventListener('change', () => {
    const page = Number(input.value)
    if (Number.isInteger(page) && page >= 1 && page <= count) onPage(page)
    else input.value = String(currentPage)
  })
  input.addEventListener('focus', () => input.select())
  input.addEventListener('blur', () => {
    input.value = String(currentPage)
  })
  const jump = element('div', { class: 'jump' }, element('label', { for: 'go-to-page' }, texts.goToPage), input, of)
  const made = element(
    'div',
    { class: 'document-tools', role: 'group', 'aria-label': texts.tools },
    tool(texts.zoomOut, '−', () => onZoom(1 / ZOOM_STEP)),
    tool(texts.zoomIn, '+', () => onZoom(ZOOM_STEP)),
    tool(texts.fitWidth, '↔', onFit),
    jump,
  )
  return {
    element: made,
    count(pages: number): void {
      count = pages
      of.textContent = format(texts.ofPages, { pages })
      jump.hidden = pages < 2
    },
    current(page: number): void {
      currentPage = page
      if (!isEntering()) input.value = String(page)
    },
  }
}

// The scale of the pages and the scroll position, and what stays in place when they change.

/** Around and between the pages, px. */
const PAGE_GAP = 12
/** CSS px a point: text of 10 points can be read on a phone. */
const READABLE_SCALE = 1.2
/** A jump over more pages is not animated: it would draw all pages in between. */
const MAX_SMOOTH_PAGES = 3

class PageLayout {
  readonly #scroller: HTMLElement
  readonly #views: PageView[]
  readonly #onScale: () => void
  #scale = 1
  /** `enlarged`: for the place that is shown. */
  #zoom: 'fitted' | 'enlarged' | 'own' = 'fitted'
  #size = { width: 0, height: 0 }
  /** Repeats the last `show`: a keyboard that opens meanwhile must not hide it. */
  #showAgain: (() => void) | undefined

  constructor(scroller: HTMLElement, views: PageView[], onScale: () => void) {
    this.#scroller = scroller
    this.#views = views
    this.#onScale = onScale
    for (const type of ['pointerdown', 'wheel', 'keydown'] as const) {
      scroller.addEventListener(type, () => this.#forgetShown(), { passive: true })
    }
  }

  get scale(): number {
    return this.#scale
  }

  /** Sets the first scale and follows the sizes of the window and of what covers a part of it. */
  begin(coveredBy?: HTMLElement): void {
    this.#resize(this.#fittingScale())
    this.#size = { width: this.#scroller.clientWidth, height: this.#scroller.clientHeight }
    new ResizeObserver(() => this.#followSize()).observe(this.#scroller)
    if (coveredBy) new ResizeObserver(() => this.#showAgain?.()).observe(coveredBy)
  }

  fit(): void {
    this.#zoom = 'fitted'
    this.#forgetShown()
    this.#rescale(this.#fittingScale(), this.#centre, this.#scroller.clientHeight / 3)
  }

  /** Keeps the point at `x`, `y` (px from the corner of the scroller) in place. */
  zoom(factor: number, x = this.#centre, y = this.#scroller.clientHeight / 3): void {
    this.#zoom = 'own'
    this.#forgetShown()
    const fitting = this.#fittingScale()
    this.#rescale(Math.min(Math.max(this.#scale * factor, fitting / 2), fitting * 6), x, y)
  }

  /** The page at this distance below the top of the scroller. */
  pageAt(y: number): number {
    const bottom = this.#scroller.scrollTop + y
    const index = this.#views.findIndex(({ section }) => section.offsetTop + section.offsetHeight > bottom)
    return index < 0 ? this.#views.length : index + 1
  }

  /**
   * Scrolls to the page, or centres the place on it in the area above `covered` px. It stays there
   * until the person scrolls. `isEnlarged`: so large that it can be read.
   */
  show(page: number, place: Place | undefined, covered: () => number, isEnlarged: boolean): void {
    if (place && isEnlarged) this.#enlarge(page, place)
    const isFar = Math.abs(page - this.pageAt(0)) > MAX_SMOOTH_PAGES
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    this.#scrollTo(page, place, covered(), !isFar && !isStill)
    this.#showAgain = () => this.#scrollTo(page, place, covered(), false)
  }

  /** Undoes what `show` has enlarged. The person's own zoom stays. */
  release(): void {
    if (this.#zoom === 'enlarged') this.fit()
  }

  /** A place wider than the screen is shown whole. Never smaller than it is now. */
  #enlarge(page: number, { width }: Place): void {
    const view = this.#views[page - 1]
    if (!view || this.#zoom === 'own') return
    const whole = (this.#scroller.clientWidth - 2 * PAGE_GAP) / ((width / 100) * view.width)
    const scale = Math.max(this.#fittingScale(), Math.min(READABLE_SCALE, whole))
    this.#zoom = 'enlarged'
    if (scale !== this.#scale) this.#rescale(scale, this.#centre, this.#scroller.clientHeight / 3)
  }

  get #centre(): number {
    return this.#scroller.clientWidth / 2
  }

  #fittingScale(): number {
    return Math.max(0.1, (this.#scroller.clientWidth - 2 * PAGE_GAP) / Math.max(...this.#views.map(({ width }) => width)))
  }

  #forgetShown(): void {
    this.#showAgain = undefined
  }

  #resize(scale: number): void {
    this.#scale = scale
    for (const view of this.#views) view.resize(scale)
  }

  /** Moves the point at `x` and `from` below the top to `to`. */
  #rescale(scale: number, x: number, from: number, to = from): void {
    const section = this.#views[this.pageAt(from) - 1]?.section
    if (!section) return
    const scroller = this.#scroller
    const left = (scroller.scrollLeft + x - section.offsetLeft) / this.#scale
    const top = (scroller.scrollTop + from - section.offsetTop) / this.#scale
    this.#resize(scale)
    scroller.scrollLeft = left * scale + section.offsetLeft - x
    scroller.scrollTop = top * scale + section.offsetTop - to
    this.#onScale()
  }

  #followSize(): void {
    const { clientWidth: width, clientHeight: height } = this.#scroller
    const before = this.#size
    if (width === before.width && height === before.height) return
    // Keep the upper third in place.
    this.#rescale(this.#zoom === 'fitted' ? this.#fittingScale() : this.#scale, this.#centre, before.height / 3, height / 3)
    this.#size = { width, height }
    this.#showAgain?.()
  }

  #scrollTo(page: number, place: Place | undefined, covered: number, isSmooth: boolean): void {
    const section = this.#views[page - 1]?.section
    if (!section) return
    // Allow the end of the last page to scroll above the covered part.
    this.#scroller.style.paddingBottom = `${PAGE_GAP + covered}px`
    const { x, y, width, height } = place ?? { x: 0, y: 0, width: 100, height: 0 }
    const middle = section.offsetTop + ((y + height / 2) / 100) * section.offsetHeight
    const centre = section.offsetLeft + ((x + width / 2) / 100) * section.offsetWidth
    const top = place ? middle - (this.#scroller.clientHeight - covered) / 2 : section.offsetTop - PAGE_GAP
    this.#scroller.scrollTo({ top, left: centre - this.#centre, behavior: isSmooth ? 'smooth' : 'auto' })
  }
}
