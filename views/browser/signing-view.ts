/** What the signing page asks of the view that draws the document beside the form. Types only. */
import type { SigningData } from './signing-data.ts'

/** Percent of the page as displayed. */
export interface Place {
  x: number
  y: number
  width: number
  height: number
}

export interface DocumentView {
  /** All page sections stand in order with their sizes. */
  ready: Promise<void>
  pageCount: number
  /** Where markers of a page are put; its children use percent of the page as displayed. */
  layer(page: number): HTMLElement
  /** Scrolls so that the place stands in the middle of what is free. */
  show(page: number, place?: Place): void
  /** The marks of this page have changed on the server. */
  refreshMarks(page: number): Promise<void>
}

export type OpenDocumentView = (options: {
  /** The scroll container. */
  container: HTMLElement
  fileUrl: string
  /** Width and height of each page as displayed, pt, as JSON. */
  pagesUrl: string
  marksUrl: (page: number) => string
  pdfjsUrl: string
  texts: SigningData['viewTexts']
  /** CSS px covered at the bottom of the container. */
  insetBottom?: () => number
}) => DocumentView
