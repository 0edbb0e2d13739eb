/** The scale of the pages and the scroll position, and what stays in place when they change. */
import type { Place } from '../../signing/browser/view.ts'
import type { PageView } from './document-page.ts'

/** Around and between the pages, px. */
const GAP = 12
/** CSS px a point: text of 10 points can be read on a phone. */
const READABLE_SCALE = 1.2
/** A jump over more pages is not animated: it would draw all pages in between. */
const MAX_SMOOTH_PAGES = 3

export class PageLayout {
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
    const whole = (this.#scroller.clientWidth - 2 * GAP) / ((width / 100) * view.width)
    const scale = Math.max(this.#fittingScale(), Math.min(READABLE_SCALE, whole))
    this.#zoom = 'enlarged'
    if (scale !== this.#scale) this.#rescale(scale, this.#centre, this.#scroller.clientHeight / 3)
  }

  get #centre(): number {
    return this.#scroller.clientWidth / 2
  }

  #fittingScale(): number {
    return Math.max(0.1, (this.#scroller.clientWidth - 2 * GAP) / Math.max(...this.#views.map(({ width }) => width)))
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
    this.#scroller.style.paddingBottom = `${GAP + covered}px`
    const { x, y, width, height } = place ?? { x: 0, y: 0, width: 100, height: 0 }
    const middle = section.offsetTop + ((y + height / 2) / 100) * section.offsetHeight
    const centre = section.offsetLeft + ((x + width / 2) / 100) * section.offsetWidth
    const top = place ? middle - (this.#scroller.clientHeight - covered) / 2 : section.offsetTop - GAP
    this.#scroller.scrollTo({ top, left: centre - this.#centre, behavior: isSmooth ? 'smooth' : 'auto' })
  }
}
