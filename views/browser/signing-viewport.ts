/**
 * Fits the page into what is free of the screen: the keyboard of a phone takes its part, and some
 * browsers do not say so to the style sheet.
 */

/** Less height than this, in letters of the page (rem), has no room for what only helps. */
const LOW_REM = 30

/** A keyboard opens after its field has taken the focus, and takes the place where that stood. */
function seeFocus(): void {
  const { activeElement } = document
  if (activeElement?.matches('#panel :is(input, select, textarea)')) activeElement.scrollIntoView({ block: 'nearest' })
}

/** Keeps `data-low` and `--free-height`, `--free-top` and `--bar-height`, px, at the root. */
export function fitViewport(bar: HTMLElement): void {
  const root = document.documentElement
  const { style } = root
  const visual = window.visualViewport
  const fit = () => {
    // Enlarged by two fingers, the page stays as it is.
    const isPlain = visual && Math.abs(visual.scale - 1) < 0.01
    const height = isPlain ? visual.height : innerHeight
    const isOther = style.getPropertyValue('--free-height') !== `${height}px`
    style.setProperty('--free-height', `${height}px`)
    root.toggleAttribute('data-low', height < LOW_REM * Number.parseFloat(getComputedStyle(root).fontSize))
    style.setProperty('--free-top', `${isPlain ? visual.offsetTop : 0}px`)
    if (isOther) requestAnimationFrame(seeFocus)
  }
  visual?.addEventListener('resize', fit)
  visual?.addEventListener('scroll', fit)
  addEventListener('resize', fit)
  fit()
  const measure = () => style.setProperty('--bar-height', `${bar.getBoundingClientRect().height}px`)
  new ResizeObserver(measure).observe(bar)
  measure()
}
