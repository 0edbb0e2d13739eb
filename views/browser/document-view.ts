/**
 * The document beside the form: pages drawn by pdf.js as they come into sight, sharp, enlarged by
 * buttons, keys, wheel and two fingers, given up again when far away. Knows no fields: whoever
 * wants something on a page puts it into its layer.
 */
import { nearPages, openDrawing } from './document-drawing.ts'
import { openPageLayout } from './document-layout.ts'
import { openPageView, type PageView } from './document-page.ts'
import { openPdf, type Pdf } from './document-pdf.ts'
import { openTools } from './document-tools.ts'
import { openZoom } from './document-zoom.ts'
import { button, element } from './signing-element.ts'
import type { DocumentView, OpenDocumentView } from './signing-view.ts'

type Options = Parameters<OpenDocumentView>[0]

/**
 * As wide as its container to begin with. `ready` is kept once all pages stand in their places;
 * drawing them goes on.
 */
export const openDocumentView: OpenDocumentView = options => {
  const { container, texts, insetBottom = () => 0 } = options
  const scroller = element('div', { class: 'pages', tabindex: '0', role: 'region', 'aria-label': texts.document })
  const notice = openNotice(texts)
  const views: PageView[] = []
  const lost = () =>
    notice.failed(() => {
      source.retry()
      settle()
    })
  const source = openSource(options, lost)
  const near = () => nearPages(scroller, views, layout.scale())
  const drawing = openDrawing({ views, near, pdf: source.pdf, onDrawn: notice.drawn, onLost: lost })
  const layout = openPageLayout(scroller, views, drawing.afterRest)
  // Asked before the pages stand, it is done when they do.
  const show: DocumentView['show'] = (page, place) => void ready.then(() => layout.show(page, place, insetBottom))
  const tools = openTools({ texts, onZoom: layout.enlarge, onFit: layout.fit, onPage: page => show(page) })
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
          layout.begin()
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

/** Their sizes come first, so that nothing jumps when they are drawn. */
async function pagesOf({ pagesUrl, marksUrl, texts }: Options, onAgain: () => void): Promise<PageView[]> {
  const response = await fetch(pagesUrl)
  if (!response.ok) throw new Error(`the pages were answered ${response.status}`)
  const sizes = (await response.json()) as [width: number, height: number][]
  const shared = { count: sizes.length, texts, onAgain }
  return sizes.map(([width, height], i) => openPageView({ ...shared, page: i + 1, width, height, marksUrl: marksUrl(i + 1) }))
}

/**
 * Says that the document is coming, or that it did not, with a way to try again; when the
 * connection is back, that is done by itself.
 */
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

/** The document, opened when it is first drawn, and again when that failed. */
function openSource({ fileUrl, pdfjsUrl }: Options, onLost: () => void) {
  let opened: Promise<Pdf> | undefined
  let tried = 0
  const pdf = () => {
    opened ??= openPdf({ url: fileUrl, folder: pdfjsUrl, tried: tried++, onLost }).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  const retry = () => {
    // One that could not be opened is opened anew by whoever draws next.
    opened?.then(
      held => held.retry(),
      () => {},
    )
  }
  return { pdf, retry }
}
