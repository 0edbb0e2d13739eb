/** The document next to the form, drawn page by page. Markers are the caller's. */
import { button, element } from '../../signing/browser/element.ts'
import type { DocumentView, OpenDocumentView } from '../../signing/browser/view.ts'
import { nearPages, openDrawing } from './document-drawing.ts'
import { PageLayout } from './document-layout.ts'
import { openPageView, type PageView } from './document-page.ts'
import { openOnDemand } from './document-pdf.ts'
import { openTools } from './document-tools.ts'
import { openZoom } from './document-zoom.ts'

type Options = Parameters<OpenDocumentView>[0]

/** As wide as the container. `ready` resolves when all pages have their size. */
export const openDocumentView: OpenDocumentView = options => {
  const { container, texts, insetBottom = () => 0, enlarges = () => false } = options
  const scroller = element('div', { class: 'pages', tabindex: '0', role: 'region', 'aria-label': texts.document })
  const notice = openNotice(texts)
  const views: PageView[] = []
  const lost = () =>
    notice.failed(() => {
      source.retry()
      settle()
    })
  const source = openOnDemand({ url: options.fileUrl, folder: options.pdfjsUrl, onLost: lost })
  const near = () => nearPages(scroller, views, layout.scale)
  const drawing = openDrawing({ views, near, pdf: source.pdf, onDrawn: notice.drawn, onLost: lost })
  const layout = new PageLayout(scroller, views, drawing.afterRest)
  // Waits for the page sizes.
  const show: DocumentView['show'] = (page, place) => void ready.then(() => layout.show(page, place, insetBottom, enlarges()))
  const tools = openTools({ texts, onZoom: factor => layout.zoom(factor), onFit: () => layout.fit(), onPage: page => show(page) })
  function settle(): void {
    tools.current(layout.pageAt((scroller.clientHeight - insetBottom()) / 2))
    void drawing.draw()
  }
  container.append(tools.element, scroller, notice.element)
  openZoom(scroller, layout)
  onceAFrame(scroller, settle)

  const ready = new Promise<void>(resolve => {
    const attempt = () => {
      pagesOf(options, settle).then(
        pages => {
          views.push(...pages)
          scroller.append(...views.map(({ section }) => section))
          tools.count(views.length)
          layout.begin(options.coveredBy)
          resolve()
          settle()
        },
        () => notice.failed(attempt),
      )
    }
    attempt()
  })
  return {
    ready,
    get pageCount() {
      return views.length
    },
    layer(page) {
      const found = views[page - 1]
      if (!found) throw new RangeError(`there is no page ${page}`)
      return found.layer
    },
    show,
    release: () => layout.release(),
    async refreshMarks(page) {
      views[page - 1]?.forgetMarks()
      await drawing.drawMarks()
    },
  }
}

function onceAFrame(scroller: HTMLElement, settle: () => void): void {
  let frame = 0
  const soon = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(settle)
  }
  scroller.addEventListener('scroll', soon, { passive: true })
}

/** The sizes come first, so that the layout does not jump. */
async function pagesOf({ pagesUrl, marksUrl, texts }: Options, onAgain: () => void): Promise<PageView[]> {
  const response = await fetch(pagesUrl)
  if (!response.ok) throw new Error(`the pages were answered ${response.status}`)
  const sizes = (await response.json()) as [width: number, height: number][]
  const shared = { count: sizes.length, texts, onAgain }
  return sizes.map(([width, height], i) => openPageView({ ...shared, page: i + 1, width, height, marksUrl: marksUrl(i + 1) }))
}

/** Reports loading and failure, with a retry button. Retries when the connection is back. */
function openNotice(texts: Options['texts']) {
  const made = element('p', { class: 'document-status', role: 'status' }, texts.loading)
  let retry: (() => void) | undefined
  function retryNow(): void {
    const again = retry
    if (!again) return
    retry = undefined
    made.replaceChildren(texts.loading)
    again()
  }
  addEventListener('online', retryNow)
  return {
    element: made,
    drawn(): void {
      if (!retry) made.hidden = true
    },
    failed(again: () => void): void {
      if (retry) return
      retry = again
      made.replaceChildren(texts.failed, ' ', button(texts.tryAgain, { class: 'plain' }, retryNow))
      made.hidden = false
    },
  }
}
