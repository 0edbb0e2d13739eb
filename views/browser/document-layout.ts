/**
 * How large the pages are, which part of them is in sight, and what stays in its place while that
 * changes.
 */
import type { PageView } from './document-page.ts'
import type { Place } from './signing-view.ts'

/** px around and between the pages. */
const GAP = 12
/** Further than so many pages is a leap: gliding over all between them would draw them. */
const MOST_SMOOTH = 3

export interface PageLayout {
  scale(): number
  /** Gives the pages their first size and follows the window from then on. */
  begin(): void
  fit(): void
  /** The point at `x`, `y` (px from the corner of the scroller) stays there. */
  enlarge(factor: number, x?: number, y?: number): void
  /** The page at this height below the upper edge of the scroller. */
  pageAt(y: number): number
  /**
   * Scrolls to the page, or so that the place on it stands in the middle of what is free above
   * `covered` px; there it stays until the person scrolls.
   */
  show(page: number, place: Place | undefined, covered: () => number): void
}

export function openPageLayout(scroller: HTMLElement, views: PageView[], afterRest: () => void): PageLayout {
  let scale = 1
  let isFitted = true
  let before = { width: 0, height: 0 }
  /** Shows again what was to be shown last: a keyboard that opens meanwhile must not hide it. */
  let aim: (() => void) | undefined
  const restX = () => scroller.clientWidth / 2
  const fitting = () => Math.max(0.1, (scroller.clientWidth - 2 * GAP) / Math.max(...views.map(({ width }) => width)))
  const pageAt = (y: number) => {
    const below = views.findIndex(({ section }) => section.offsetTop + section.offsetHeight > scroller.scrollTop + y)
    return below < 0 ? views.length : below + 1
  }
  /** What stands at `from` below the upper edge stands at `to` afterwards. */
  function become(next: number, x: number, from: number, to = from): void {
    const page = views[pageAt(from) - 1]
    if (!page) return
    const { section } = page
    const left = (scroller.scrollLeft + x - section.offsetLeft) / scale
    const top = (scroller.scrollTop + from - section.offsetTop) / scale
    scale = next
    for (const view of views) view.resize(scale)
    scroller.scrollLeft = left * scale + section.offsetLeft - x
    scroller.scrollTop = top * scale + section.offsetTop - to
    afterRest()
  }
  function resized(): void {
    const { clientWidth: width, clientHeight: height } = scroller
    if (width === before.width && height === before.height) return
    // Where the eye rests stays there.
    become(isFitted ? fitting() : scale, restX(), before.height / 3, height / 3)
    before = { width, height }
    aim?.()
  }
  function scrollTo(page: number, place: Place | undefined, covered: number, isSmooth: boolean): void {
    const section = views[page - 1]?.section
    if (!section) return
    // Room to bring the end of the last page above what covers it.
    scroller.style.paddingBottom = `${GAP + covered}px`
    const { x, y, width, height } = place ?? { x: 0, y: 0, width: 100, height: 0 }
    const middle = section.offsetTop + ((y + height / 2) / 100) * section.offsetHeight
    const centre = section.offsetLeft + ((x + width / 2) / 100) * section.offsetWidth
    const top = place ? middle - (scroller.clientHeight - covered) / 2 : section.offsetTop - GAP
    scroller.scrollTo({ top, left: centre - scroller.clientWidth / 2, behavior: isSmooth ? 'smooth' : 'auto' })
  }
  const forgetAim = () => {
    aim = undefined
  }
  for (const act of ['pointerdown', 'wheel', 'keydown'] as const) scroller.addEventListener(act, forgetAim, { passive: true })
  return {
    scale: () => scale,
    begin() {
      scale = fitting()
      for (const view of views) view.resize(scale)
      before = { width: scroller.clientWidth, height: scroller.clientHeight }
      new ResizeObserver(resized).observe(scroller)
    },
    fit() {
      isFitted = true
      forgetAim()
      become(fitting(), restX(), scroller.clientHeight / 3)
    },
    enlarge(factor, x = restX(), y = scroller.clientHeight / 3) {
      isFitted = false
      forgetAim()
      become(Math.min(Math.max(scale * factor, fitting() / 2), fitting() * 6), x, y)
    },
    pageAt,
    show(page, place, covered) {
      const isFar = Math.abs(page - pageAt(0)) > MOST_SMOOTH
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
      scrollTo(page, place, covered(), !isFar && !isStill)
      aim = () => scrollTo(page, place, covered(), false)
    },
  }
}
