/** Draws a page small, to see where it shows nothing. */
import type { Pdf } from '../../documents/browser/document-pdf.ts'
import { element } from '../../signing/browser/element.ts'
import type { Picture } from './free-space.ts'

/** A large page has fewer pixels than points. */
const MAX_PIXELS = 2_000_000

/** With forms and annotations, one pixel for each point. Rejects if the page cannot be drawn. */
export async function pictureOf({ document, pdfjs }: Pdf, page: number): Promise<Picture> {
  const proxy = await document.getPage(page)
  const plain = proxy.getViewport({ scale: 1 })
  const viewport = proxy.getViewport({ scale: Math.min(1, Math.sqrt(MAX_PIXELS / (plain.width * plain.height))) })
  const canvas = element('canvas', {})
  canvas.width = Math.max(1, Math.floor(viewport.width))
  canvas.height = Math.max(1, Math.floor(viewport.height))
  const drawn = canvas.getContext('2d', { willReadFrequently: true })
  if (!drawn) throw new Error('the browser gave no canvas')
  await proxy.render({ canvas, canvasContext: drawn, viewport, annotationMode: pdfjs.AnnotationMode.ENABLE }).promise
  const { data, width, height } = drawn.getImageData(0, 0, canvas.width, canvas.height)
  // An empty canvas frees its memory at once.
  canvas.width = 0
  proxy.cleanup()
  return { data, width, height }
}
