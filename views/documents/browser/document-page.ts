/** One page of the document: canvas, selectable text, marks, and a layer for markers. */
import type { PDFPageProxy, TextLayer } from 'pdfjs-dist'
import type { SignerTexts } from '../../../src/locales/catalogue.ts'
import { format } from '../../signing/browser/data.ts'
import { button, element } from '../../signing/browser/element.ts'
import type { Pdf } from './document-pdf.ts'

export interface PageView {
  section: HTMLElement
  layer: HTMLElement
  /** pt, as displayed. */
  width: number
  /** Sets the scale in CSS px per pt. The drawn canvas is stretched until it is redrawn. */
  resize(scale: number): void
  /** Pixels of all canvases at this scale. */
  pixelsAt(scale: number): number
  isDrawn(): boolean
  /** Not drawn at this scale. False after a failure, until the person retries. */
  wantsPaper(): boolean
  wantsMarks(): boolean
  /** Also resolves if the page is released meanwhile. */
  drawPaper(pdf: Pdf): Promise<void>
  /** Rejects if the marks cannot be fetched. */
  drawMarks(pdf: Pdf): Promise<void>
  /** The marks changed on the server. */
  forgetMarks(): void
  /** Frees the canvases and the text. Returns whether there were any. */
  release(): boolean
}

interface PageViewOptions {
  page: number
  count: number
  /** pt, as displayed. */
  width: number
  height: number
  texts: Pick<SignerTexts['view'], 'page' | 'pageFailed' | 'tryAgain'>
  /** Undefined: the page has no marks. */
  marksUrl?: string
  isTextSelectable?: boolean
  /** Of one canvas. */
  maxPixels?: number
  /** The person wants to retry the page. */
  onAgain(): void
}

interface Wanted {
  scale: number
  canvasOf(): HTMLCanvasElement
}

/** Limits of a canvas that older phones can hold. */
const MAX_PIXELS = 6_000_000
const MAX_RATIO = 3

/** A canvas without a size frees its memory, also in browsers that keep the element for a while. */
function drop(canvas: HTMLCanvasElement | undefined): void {
  if (!canvas) return
  canvas.width = 0
  canvas.height = 0
  canvas.remove()
}

export function openPageView(options: PageViewOptions): PageView {
  const { page, count, width, height, texts, marksUrl, onAgain, isTextSelectable = true, maxPixels = MAX_PIXELS } = options
  const layer = element('div', { class: 'page-layer' })
  const section = element('section', { class: 'page', 'aria-label': format(texts.page, { page, pages: count }) }, layer)
  const paper = openPaper(page, section, isTextSelectable ? layer : undefined)
  const marks = openMarks(page, marksUrl ?? '', layer)
  let failure: HTMLElement | undefined
  let scaleNow = 1

  const ratioAt = (scale: number) =>
    Math.min(devicePixelRatio || 1, MAX_RATIO, Math.sqrt(maxPixels / (width * height * scale * scale)))
  const pixelsAt = (scale: number) => width * height * (scale * ratioAt(scale)) ** 2 * (marks.isEmpty() ? 1 : 2)
  function canvasFor(kind: string): HTMLCanvasElement {
    const pixelScale = scaleNow * ratioAt(scaleNow)
    const canvas = element('canvas', { class: kind, 'aria-hidden': 'true' })
    canvas.width = Math.max(1, Math.round(width * pixelScale))
    canvas.height = Math.max(1, Math.round(height * pixelScale))
    return canvas
  }
  function broken(): void {
    const again = () => {
      failure?.remove()
      failure = undefined
      onAgain()
    }
    failure = element('p', { class: 'page-failed', role: 'status' }, texts.pageFailed, ' ')
    failure.append(button(texts.tryAgain, { class: 'plain' }, again))
    layer.before(failure)
  }
  return {
    section,
    layer,
    width,
    resize(scale) {
      scaleNow = scale
      section.style.width = `${width * scale}px`
      section.style.height = `${height * scale}px`
      section.style.setProperty('--scale', String(scale))
    },
    pixelsAt,
    isDrawn: () => paper.drawnAt() !== undefined,
    wantsPaper: () => !failure && paper.drawnAt() !== scaleNow,
    wantsMarks: () => !failure && marksUrl !== undefined && paper.drawnAt() === scaleNow && marks.drawnAt() !== scaleNow,
    async drawPaper(pdf) {
      try {
        await paper.draw(pdf, { scale: scaleNow, canvasOf: () => canvasFor('paper') })
      } catch (error) {
        console.warn(error)
        broken()
      }
    },
    drawMarks: pdf => marks.draw(pdf, { scale: scaleNow, canvasOf: () => canvasFor('marks') }),
    forgetMarks: marks.forget,
    release() {
      const opened = paper.drawnAt() !== undefined || marks.drawnAt() !== undefined
      paper.release()
      marks.release()
      return opened
    },
  }
}

/** The canvas of the page and its selectable text, which is below `layer`. */
function openPaper(number: number, section: HTMLElement, layer: HTMLElement | undefined) {
  let drawn: { scale: number; canvas: HTMLCanvasElement } | undefined
  let text: { element: HTMLElement; layer: TextLayer } | undefined
  /** Cancels the drawing in progress. */
  let stop = () => {}

  async function picture(proxy: PDFPageProxy, pdf: Pdf, { scale, canvasOf }: Wanted, stopped: Promise<void>) {
    const canvas = canvasOf()
    const plain = proxy.getViewport({ scale: 1 })
    const viewport = proxy.getViewport({ scale: canvas.width / plain.width })
    const task = proxy.render({ canvas, viewport, annotationMode: pdf.pdfjs.AnnotationMode.ENABLE })
    let isStopped = false
    void stopped.then(() => {
      isStopped = true
      task.cancel()
    })
    try {
      await task.promise
    } catch (error) {
      if (!isStopped) throw error
    }
    if (isStopped) return drop(canvas)
    section.insertBefore(canvas, section.firstChild)
    section.style.setProperty('--user-unit', String(proxy.userUnit))
    drop(drawn?.canvas)
    drawn = { scale, canvas }
  }
  /** The texts grow with the page: they are laid once. */
  async function writing(proxy: PDFPageProxy, pdf: Pdf): Promise<void> {
    if (!layer || text || !drawn) return
    const mine = element('div', { class: 'textLayer' })
    const textContentSource = proxy.streamTextContent()
    const viewport = proxy.getViewport({ scale: drawn.scale })
    text = { element: mine, layer: new pdf.pdfjs.TextLayer({ textContentSource, container: mine, viewport }) }
    layer.before(mine)
    try {
      await text.layer.render()
    } catch (error) {
      // A released text layer rejects too.
      if (text?.element === mine) throw error
    }
  }
  return {
    drawnAt: () => drawn?.scale,
    async draw(pdf: Pdf, wanted: Wanted): Promise<void> {
      stop()
      const stopped = new Promise<void>(resolve => {
        stop = resolve
      })
      const work = async () => {
        const proxy = await pdf.document.getPage(number)
        await picture(proxy, pdf, wanted, stopped)
        await writing(proxy, pdf)
        proxy.cleanup()
      }
      // A page that waits for missing bytes must not block others once it is out of view.
      await Promise.race([work(), stopped])
    },
    release(): void {
      stop()
      drop(drawn?.canvas)
      drawn = undefined
      const opened = text
      text = undefined
      opened?.layer.cancel()
      opened?.element.remove()
    },
  }
}

/** The marks, drawn over the page. */
function openMarks(number: number, url: string, layer: HTMLElement) {
  /** `null`: no marks on this page. */
  let bytes: Uint8Array | null | undefined
  let drawn: { scale: number; canvas: HTMLCanvasElement | undefined } | undefined
  /** Increases when a drawing in progress becomes obsolete. */
  let turn = 0

  async function fetched(): Promise<Uint8Array | null> {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`the marks were answered ${response.status}`)
    return response.status === 204 ? null : new Uint8Array(await response.arrayBuffer())
  }
  async function picture({ read, document }: Pdf, data: Uint8Array, canvas: HTMLCanvasElement): Promise<void> {
    const overlay = await read(data)
    try {
      const [own, { rotate }] = await Promise.all([overlay.getPage(1), document.getPage(number)])
      // The overlay has no unit and rotation of its own: fit it to the canvas of the page.
      const plain = own.getViewport({ scale: 1, rotation: rotate })
      const viewport = own.getViewport({ scale: canvas.width / plain.width, rotation: rotate })
      // pdf.js makes an opaque context; this one is transparent.
      const canvasContext = canvas.getContext('2d')
      if (!canvasContext) throw new Error('no canvas context')
      await own.render({ canvas: null, canvasContext, viewport, background: 'rgba(0,0,0,0)' }).promise
    } finally {
      await overlay.loadingTask.destroy()
    }
  }
  return {
    drawnAt: () => drawn?.scale,
    isEmpty: () => !bytes,
    async draw(pdf: Pdf, { scale, canvasOf }: Wanted): Promise<void> {
      const mine = ++turn
      const data = bytes === undefined ? await fetched() : bytes
      if (mine !== turn) return
      bytes = data
      const canvas = data ? canvasOf() : undefined
      if (data && canvas) await picture(pdf, data.slice(), canvas)
      if (mine !== turn) return drop(canvas)
      drop(drawn?.canvas)
      drawn = { scale, canvas }
      if (canvas) layer.before(canvas)
    },
    forget(): void {
      turn++
      bytes = undefined
      if (!drawn) return
      // The old marks stay visible until the new ones are drawn, at no scale that is asked for.
      drawn.scale = 0
      drawn.canvas?.classList.add('old')
    },
    release(): void {
      turn++
      drop(drawn?.canvas)
      drawn = undefined
      bytes = undefined
    },
  }
}

// Decides which pages are drawn: those near the visible part, the nearest first.

/** Pages drawn beyond the visible part, in heights of the window. */
const AHEAD = 1
/** Limits of the pages that stay drawn. A pixel takes 4 bytes. */
const MAX_DRAWN = 8
const DOCUMENT_DRAWING_MAX_PIXELS = 32_000_000
/** Pages are redrawn this long after the last zoom. */
const REST_MS = 150

/** The nearest pages first, as many as the limits allow. */
export function nearPages({ scrollTop, clientHeight }: HTMLElement, views: PageView[], scale: number): PageView[] {
  const middle = scrollTop + clientHeight / 2
  const inReach = views
    .map(view => ({ view, top: view.section.offsetTop, bottom: view.section.offsetTop + view.section.offsetHeight }))
    .filter(({ top, bottom }) => bottom > scrollTop - AHEAD * clientHeight && top < scrollTop + (1 + AHEAD) * clientHeight)
    .sort((a, b) => Math.abs((a.top + a.bottom) / 2 - middle) - Math.abs((b.top + b.bottom) / 2 - middle))
  let pixels = 0
  return inReach
    .filter(({ view, top, bottom }) => {
      pixels += view.pixelsAt(scale)
      return pixels <= DOCUMENT_DRAWING_MAX_PIXELS || (top <= middle && bottom >= middle)
    })
    .slice(0, MAX_DRAWN)
    .map(({ view }) => view)
}

/** Numbers of the drawn pages of which half, or half of the view, is in its upper `height` px. */
export function pagesInSight({ scrollTop }: HTMLElement, views: PageView[], height: number): number[] {
  return views.flatMap((view, i) => {
    const { offsetTop: top, offsetHeight } = view.section
    const inSight = Math.min(top + offsetHeight, scrollTop + height) - Math.max(top, scrollTop)
    return view.isDrawn() && inSight * 2 >= Math.min(offsetHeight, height) ? [i + 1] : []
  })
}

interface Drawing {
  views: PageView[]
  near(): PageView[]
  pdf(): Promise<Pdf>
  onDrawn(): void
  onLost(): void
}

export function openDrawing({ views, near, pdf, onDrawn, onLost }: Drawing) {
  const papers = oneByOne(
    () => near().find(view => view.wantsPaper()),
    async view => {
      await view.drawPaper(await pdf())
      onDrawn()
      void drawMarks()
    },
  )
  const marks = oneByOne(
    () => near().find(view => view.wantsMarks()),
    async view => {
      await view.drawMarks(await pdf())
      onDrawn()
    },
  )
  const drawPapers = () => papers().catch(onLost)
  const drawMarks = () => marks().catch(onLost)
  async function draw(): Promise<void> {
    const kept = new Set(near())
    for (const view of views) if (!kept.has(view)) view.release()
    await Promise.all([drawPapers(), drawMarks()])
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    draw,
    drawMarks,
    afterRest(): void {
      clearTimeout(timer)
      timer = setTimeout(() => void draw(), REST_MS)
    },
  }
}

/** Calls `act` for one view after the other. A call while it runs joins it. */
function oneByOne(next: () => PageView | undefined, act: (view: PageView) => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  const run = async () => {
    for (let view = next(); view; view = next()) await act(view)
  }
  return () => {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}
