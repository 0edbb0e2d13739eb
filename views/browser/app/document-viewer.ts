/** Draws the pages of a document for its sender, by the view that recipients have. */
import type { SignerTexts } from '../../../src/locales/catalogue.ts'
import { openDocumentView } from '../document-view.ts'

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
    const { pdfjs = '', texts = '{}' } = this.#container.dataset
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
