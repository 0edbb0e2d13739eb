/** PDFs dropped on the list of documents open the page that takes them. */
import { upgradeFileDrops } from '../../browser/file-drops.ts'
import { upgradeUpload } from './upload.ts'

const NEW_DOCUMENT = '/documents/new'
const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

/** Shows the other page without leaving this one: a file cannot be handed to the next page. */
async function openWith(files: readonly File[]): Promise<void> {
  const response = await fetch(NEW_DOCUMENT)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const [main, next] = [document.querySelector('main'), page.querySelector('main')]
  if (!response.ok || !main || !next?.querySelector('[data-upload]')) {
    location.assign(NEW_DOCUMENT)
    return
  }
  main.replaceWith(document.adoptNode(next))
  history.pushState(null, '', NEW_DOCUMENT)
  window.addEventListener('popstate', () => location.reload())
  document.title = page.title
  upgradeFileDrops(next)
  await upgradeUpload(next)?.(files)
}

export function upgradeListDrop(): void {
  if (location.pathname !== '/documents') return
  let isOpening = false
  const mark = (isOver: boolean) => document.body.classList.toggle('drop-over', isOver)
  document.addEventListener('dragover', event => {
    if (isOpening || !hasFiles(event)) return
    event.preventDefault()
    mark(true)
  })
  document.addEventListener('dragleave', event => {
    if (event.relatedTarget === null) mark(false)
  })
  document.addEventListener('drop', event => {
    mark(false)
    const files = [...(event.dataTransfer?.files ?? [])]
    if (isOpening || files.length === 0) return
    event.preventDefault()
    isOpening = true
    void openWith(files)
  })
}
