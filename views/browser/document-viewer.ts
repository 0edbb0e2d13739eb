/** Draws the pages of a document for its sender, by the view that recipients have. */
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import { openDocumentView } from '../documents/browser/document-view.ts'
import { personClass } from '../parts/initials.ts'
import { element } from '../signing/browser/element.ts'
import type { FieldPlace } from '../templates/template.tsx'

export function upgradeDocumentViewers(within: ParentNode): void {
  for (const container of within.querySelectorAll<HTMLElement>('[data-document-view]')) new Viewer(container)
}

class Viewer {
  readonly #container: HTMLElement
  readonly #base: string
  #view: ReturnType<typeof openDocumentView> | undefined

  constructor(container: HTMLElement) {
    this.#container = container
    this.#base = container.dataset.base ?? ''
    this.#open()
    this.#followChanges()
  }

  #open(): void {
    const { pdfjs = '', texts = '{}', boxes = '[]' } = this.#container.dataset
    this.#container.replaceChildren()
    this.#container.classList.add('scripted-viewer')
    this.#view = openDocumentView({
      container: this.#container,
      fileUrl: `${this.#base}/file`,
      pagesUrl: `${this.#base}/pages`,
      marksUrl: page => `${this.#base}/marks?page=${page}`,
      pdfjsUrl: pdfjs,
      texts: JSON.parse(texts) as SignerTexts['view'],
    })
    void this.#drawBoxes(JSON.parse(boxes) as FieldPlace[])
  }

  /** Where fields are in a file that nobody has signed. The page names them in words. */
  async #drawBoxes(boxes: readonly FieldPlace[]): Promise<void> {
    const view = this.#view
    await view?.ready
    for (const { page, x, y, width, height, text, index } of boxes) {
      const owner = index === undefined ? 'sender' : personClass(index)
      const box = element('span', { class: `field-box ${owner}`, 'aria-hidden': 'true' }, element('span', { dir: 'auto' }, text))
      Object.assign(box.style, { left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` })
      view?.layer(page).append(box)
    }
  }

  /** The page names who has signed and which file is sealed; it is updated when they change. */
  #followChanges(): void {
    const state = document.getElementById('viewer-state')
    if (!state) return
    let file = state.dataset.file
    new MutationObserver(() => {
      if (state.dataset.file === file) void this.#drawMarks()
      else this.#open()
      file = state.dataset.file
    }).observe(state, { attributes: true, attributeFilter: ['data-signed', 'data-file'] })
  }

  async #drawMarks(): Promise<void> {
    const view = this.#view
    if (!view) return
    await view.ready
    for (let page = 1; page <= view.pageCount; page++) await view.refreshMarks(page)
  }
}
