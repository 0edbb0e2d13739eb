/** Loads the document and draws the pages near the visible part. */
import { openDrawing } from '../../documents/browser/document-drawing.ts'
import type { PageView } from '../../documents/browser/document-page.ts'
import { openOnDemand } from '../../documents/browser/document-pdf.ts'
import { button } from '../../signing/browser/element.ts'
import type { EditorTexts } from './texts.ts'

interface Options {
  url: string
  pdfjsUrl: string
  /** Of the shown pages; kept up to date by the list of pages. */
  views: PageView[]
  /** The views to draw, the nearest first. */
  near(): PageView[]
  /** Where a failure is shown. */
  notice: HTMLElement
  texts: EditorTexts
}

export function openSource({ url, pdfjsUrl, views, near, notice, texts }: Options) {
  const { pdf, retry: retryLoading } = openOnDemand({ url, folder: pdfjsUrl, onLost })
  function onLost(): void {
    notice.classList.remove('starting')
    notice.replaceChildren(texts.documentFailed, ' ', button(texts.tryAgain, { class: 'button plain compact' }, retry))
    notice.hidden = false
  }
  function retry(): void {
    notice.hidden = true
    retryLoading()
    void drawing.draw()
  }
  addEventListener('online', () => {
    if (!notice.hidden) retry()
  })
  const drawing = openDrawing({
    views,
    near,
    pdf,
    onDrawn: () => {
      notice.hidden = true
    },
    onLost,
  })
  return {
    pdf,
    draw: () => void drawing.draw(),
    drawAfterRest: drawing.afterRest,
    /** Whether a page in sight still waits. */
    isBusy: () =>
      near()
        .slice(0, 3)
        .some(view => view.wantsPaper()),
  }
}
