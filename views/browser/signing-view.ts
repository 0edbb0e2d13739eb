/** The view of the document, as the signing page uses it. Types only. */
import type { SigningData } from './signing-data.ts'

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
  /** Scrolls so that the box is in the middle of the free area. */
  show(page: number, place?: Place): void
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
}) => DocumentView
