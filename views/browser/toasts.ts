/** What has just been done: kept in view, gone when pressed, or after a while unless it is read. */
const SHOWN_MS = 8_000

export function upgradeToasts(within: ParentNode): void {
  for (const toast of within.querySelectorAll<HTMLElement>('[data-toast]')) {
    // The space below stays: nothing moves when the toast goes.
    toast.closest('main')?.classList.add('had-toast')
    let timer = setTimeout(() => toast.remove(), SHOWN_MS)
    toast.addEventListener('click', () => toast.remove())
    toast.addEventListener('pointerenter', () => clearTimeout(timer))
    toast.addEventListener('pointerleave', () => {
      timer = setTimeout(() => toast.remove(), SHOWN_MS)
    })
  }
}
