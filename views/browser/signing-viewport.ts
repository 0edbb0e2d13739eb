/** Fits the page into what is free of the screen: the keyboard of a phone takes its part, and some browsers do not say so to the style sheet. */

/** Less height than this, CSS px, has no room for what only helps. */
const LOW = 480

/** Keeps `data-low` and `--free-height`, `--free-top` and `--bar-height`, px, at the root. */
export function fitViewport(bar: HTMLElement): void {
  const root = document.documentElement
  const { style } = root
  const visual = window.visualViewport
  const fit = () => {
    // Enlarged by two fingers, the page stays as it is.
    const isPlain = visual && Math.abs(visual.scale - 1) < 0.01
    style.setProperty('--free-height', `${isPlain ? visual.height : innerHeight}px`)
    root.toggleAttribute('data-low', (isPlain ? visual.height : innerHeight) < LOW)
    style.setProperty('--free-top', `${isPlain ? visual.offsetTop : 0}px`)
  }
  visual?.addEventListener('resize', fit)
  visual?.addEventListener('scroll', fit)
  addEventListener('resize', fit)
  fit()
  const measure = () => style.setProperty('--bar-height', `${bar.getBoundingClientRect().height}px`)
  new ResizeObserver(measure).observe(bar)
  measure()
}
