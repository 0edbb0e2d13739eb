/** Fits the page into the visible screen: some browsers do not tell CSS about the keyboard. */

/** Below this height (rem) help texts are hidden. */
const LOW_REM = 30

/** The control with the label around it. */
export const wordsOf = (control: Element): Element => control.closest('label') ?? control

/** A keyboard opens, or the bar grows, after the focus and may cover the field. */
function seeFocus(): void {
  const { activeElement } = document
  if (activeElement?.matches('#panel :is(input, select, textarea)')) wordsOf(activeElement).scrollIntoView({ block: 'nearest' })
}

/** Keeps `data-low` and `--free-height`, `--free-top` and `--bar-height` (px) at the root. */
export function fitViewport(bar: HTMLElement): void {
  const root = document.documentElement
  const { style } = root
  const visual = window.visualViewport
  const fit = () => {
    // While zoomed by two fingers the page stays as it is.
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
  const measure = () => {
    style.setProperty('--bar-height', `${bar.getBoundingClientRect().height}px`)
    seeFocus()
  }
  new ResizeObserver(measure).observe(bar)
  measure()
}
