/** Decides which pages are drawn: those near the visible part, the nearest first. */
import type { PageView } from './document-page.ts'
import type { Pdf } from './document-pdf.ts'

/** Pages drawn beyond the visible part, in heights of the window. */
const AHEAD = 1
/** Limits of the pages that stay drawn. A pixel takes 4 bytes. */
const MAX_DRAWN = 8
const MAX_PIXELS = 32_000_000
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
      return pixels <= MAX_PIXELS || (top <= middle && bottom >= middle)
    })
    .slice(0, MAX_DRAWN)
    .map(({ view }) => view)
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
