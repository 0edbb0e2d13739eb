/**
 * Enlarging by two fingers, by the wheel with Ctrl (what a trackpad sends for a pinch), and by
 * keys. The page around it is not enlarged.
 */

interface Zoom {
  /** `x` and `y` are px from the corner of the element. */
  enlarge(factor: number, x?: number, y?: number): void
  fit(): void
}

export function openZoom(target: HTMLElement, zoom: Zoom): void {
  const within = (clientX: number, clientY: number): [number, number] => {
    const { left, top } = target.getBoundingClientRect()
    return [clientX - left, clientY - top]
  }
  target.addEventListener(
    'wheel',
    event => {
      if (!event.ctrlKey) return
      event.preventDefault()
      zoom.enlarge(Math.exp(-event.deltaY / 300), ...within(event.clientX, event.clientY))
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
      zoom.enlarge(now / distance, ...within((a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2))
      distance = now
    },
    { passive: false },
  )
  target.addEventListener('keydown', event => {
    if (event.altKey || event.metaKey || event.ctrlKey || event.target !== target) return
    const factor = { '+': 1.25, '=': 1.25, '-': 0.8 }[event.key]
    if (factor !== undefined) zoom.enlarge(factor)
    else if (event.key === '0') zoom.fit()
    else return
    event.preventDefault()
  })
}
