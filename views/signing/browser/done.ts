/** The page after signing: follows the document to its seal, and draws the page with the mark. */
import type { SignerTexts } from '../../../src/locales/catalogue.ts'
import { upgradeLive } from '../../browser/live.ts'
import { openPageView, type PageView } from '../../documents/browser/document-page.ts'
import { openPdf, type Pdf } from '../../documents/browser/document-pdf.ts'

/** Of the canvas: sharp at the size at which it is shown. */
const MAX_PIXELS = 1_500_000

class Picture {
  readonly #container: HTMLElement
  readonly #base: string
  readonly #page: number
  #tried = 0

  constructor(container: HTMLElement) {
    this.#container = container
    this.#base = container.dataset.base ?? ''
    this.#page = Number(container.dataset.page)
  }

  /** Again when others have signed, and when the sealed file takes the place of the original. */
  async draw(): Promise<void> {
    try {
      await this.#drawPage()
      this.#container.hidden = false
    } catch (error) {
      // The page says all of it in words, and offers the file.
      console.warn(error)
      this.#container.hidden = this.#container.childElementCount === 0
    }
  }

  async #drawPage(): Promise<void> {
    const [view, pdf] = await Promise.all([this.#openView(), this.#openFile()])
    try {
      const width = this.#container.clientWidth
      view.resize(width / view.width)
      await view.drawPaper(pdf)
      // A sealed file shows them itself.
      if (!isSealed()) await view.drawMarks(pdf)
      this.#container.replaceChildren(view.section)
    } finally {
      await pdf.document.loadingTask.destroy()
    }
  }

  async #openView(): Promise<PageView> {
    const { pages, texts = '{}' } = this.#container.dataset
    const response = await fetch(`${this.#base}/pages`)
    if (!response.ok) throw new Error(`the pages were answered ${response.status}`)
    const sizes = (await response.json()) as [width: number, height: number][]
    const [width, height] = sizes[this.#page - 1] ?? [595, 842]
    return openPageView({
      page: this.#page,
      count: Number(pages),
      width,
      height,
      texts: JSON.parse(texts) as SignerTexts['view'],
      marksUrl: `${this.#base}/marks?page=${this.#page}`,
      isTextSelectable: false,
      maxPixels: MAX_PIXELS,
      onAgain: () => void this.draw(),
    })
  }

  #openFile(): Promise<Pdf> {
    const folder = this.#container.dataset.pdfjs ?? ''
    return openPdf({ url: `${this.#base}/file`, folder, tried: this.#tried++, onLost: () => {} })
  }
}

const isSealed = () => document.querySelector('[data-sealed]') !== null

const container = document.querySelector<HTMLElement>('.done-picture')
const picture = container && new Picture(container)
void picture?.draw()
upgradeLive(document)
const state = document.getElementById('done-state')
if (state) new MutationObserver(() => void picture?.draw()).observe(state, { childList: true, subtree: true })
