/** Files that are dropped anywhere on the page, and details that are open on paper. */

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

export function takeDrops(page: Document, take: (files: File[]) => void): void {
  const mark = (isOver: boolean) => page.querySelector('[data-drop-area]')?.classList.toggle('over', isOver)
  page.addEventListener('dragover', event => {
    if (!hasFiles(event)) return
    event.preventDefault()
    mark(true)
  })
  page.addEventListener('dragleave', () => mark(false))
  page.addEventListener('drop', event => {
    if (!hasFiles(event)) return
    event.preventDefault()
    mark(false)
    take([...(event.dataTransfer?.files ?? [])])
  })
}

/** Closes afterwards what it opened. */
export function openForPrinting(window: Window): void {
  let opened: HTMLDetailsElement[] = []
  window.addEventListener('beforeprint', () => {
    opened = [...window.document.querySelectorAll<HTMLDetailsElement>('.verdict details:not([open])')]
    for (const details of opened) details.open = true
  })
  window.addEventListener('afterprint', () => {
    for (const details of opened) details.open = false
    opened = []
  })
}
