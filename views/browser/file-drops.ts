/** File inputs in a drop area: shows the chosen names, takes files dropped on the whole page. */

const names = (files: FileList | null) => [...(files ?? [])].map(({ name }) => name).join(', ')
const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

function upgrade(area: HTMLElement): void {
  const input = area.querySelector<HTMLInputElement>('input[type="file"]')
  const shown = area.querySelector('[data-file-names]')
  if (!input || !shown) return
  const show = () => {
    shown.textContent = names(input.files)
  }
  input.addEventListener('change', show)
  // A browser keeps the choice when a person comes back.
  show()
  const target: EventTarget = area.dataset.wholePage === undefined ? area : document
  const mark = (event: Event, isOver: boolean) => {
    if (hasFiles(event as DragEvent)) area.classList.toggle('over', isOver)
  }
  target.addEventListener('dragover', event => {
    if (!hasFiles(event as DragEvent)) return
    event.preventDefault()
    mark(event, true)
  })
  target.addEventListener('dragleave', event => mark(event, false))
  target.addEventListener('drop', event => {
    const { dataTransfer } = event as DragEvent
    mark(event, false)
    if (!dataTransfer || dataTransfer.files.length === 0) return
    event.preventDefault()
    input.files = chosen(dataTransfer.files, input.multiple)
    input.dispatchEvent(new Event('input', { bubbles: true }))
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
}

/** An input for one file takes the first. */
function chosen(files: FileList, isMultiple: boolean): FileList {
  if (isMultiple || files.length === 1) return files
  const one = new DataTransfer()
  if (files[0]) one.items.add(files[0])
  return one.files
}

export function upgradeFileDrops(within: ParentNode): void {
  for (const area of within.querySelectorAll<HTMLElement>('[data-file-drop]')) upgrade(area)
}
