/** The view of the document, as the signing page uses it. Types only. */
import type { SigningData } from './data.ts'

/** Percent of the page as displayed. */
export interface Place {
  x: number
  y: number
  width: number
  height: number
}

export interface DocumentView {
  /** Resolves when all pages have their size. */
  ready: Promise<void>
  pageCount: number
  /** The markers of a page; positions are percent of the page as displayed. */
  layer(page: number): HTMLElement
  /** Scrolls the place into the middle of the free area, enlarged where that is asked for. */
  show(page: number, place?: Place): void
  /** Nothing is shown any more: a page that was enlarged for it is as wide as the container. */
  release(): void
  /** The marks of this page changed on the server. */
  refreshMarks(page: number): Promise<void>
}

export type OpenDocumentView = (options: {
  /** The scroll container. */
  container: HTMLElement
  fileUrl: string
  /** JSON with the width and height of each page as displayed, pt. */
  pagesUrl: string
  marksUrl: (page: number) => string
  pdfjsUrl: string
  texts: SigningData['viewTexts']
  /** CSS px covered at the bottom of the container. */
  insetBottom?: () => number
  /** What covers it there: when its size changes, the place that was shown stays in sight. */
  coveredBy?: HTMLElement
  /** Whether `show` enlarges a place that is too small to read. */
  enlarges?: () => boolean
}) => DocumentView
