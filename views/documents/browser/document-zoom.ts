/** Zooms by two fingers, by Ctrl and the wheel (trackpads send this for a pinch), and by keys. */

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

export function openZoom(target: HTMLElement, layout: Zoomable): void {
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
