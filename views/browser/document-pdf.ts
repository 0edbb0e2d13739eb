/**
 * pdf.js and the document it reads. Nothing in a document is run: no scripts, no XFA, and no link
 * leads anywhere.
 */
import type * as Pdfjs from 'pdfjs-dist'
import { PIECE_BYTES } from './document-fetch-plan.ts'
import { openRanges } from './document-ranges.ts'

export interface Pdf {
  pdfjs: typeof Pdfjs
  document: Pdfjs.PDFDocumentProxy
  /** Reads a small document that came whole. */
  read(data: Uint8Array): Promise<Pdfjs.PDFDocumentProxy>
  /** Asks again for what did not come. */
  retry(): void
}

interface Options {
  url: string
  /** Where pdf.js and its parts are served; ends with a slash. */
  folder: string
  /** How often this was tried before: a browser may remember that a module did not come. */
  tried: number
  /** A part of the document did not come. */
  onLost(): void
}

export async function openPdf({ url, folder, tried, onLost }: Options): Promise<Pdf> {
  const pdfjs = (await import(`${folder}pdf.min.mjs${tried > 0 ? `?again=${tried}` : ''}`)) as typeof Pdfjs
  pdfjs.GlobalWorkerOptions.workerSrc = `${folder}pdf.worker.min.mjs`
  const ranges = await openRanges(url, pdfjs.PDFDataRangeTransport, onLost)
  const worker = new pdfjs.PDFWorker()
  const shared = {
    worker,
    enableXfa: false,
    cMapUrl: `${folder}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${folder}standard_fonts/`,
    wasmUrl: `${folder}wasm/`,
    iccUrl: `${folder}iccs/`,
    // The same picture on every device, whatever fonts it has.
    useSystemFonts: false,
  }
  const byRanges = { range: ranges.transport, rangeChunkSize: PIECE_BYTES, disableAutoFetch: true, disableStream: true }
  try {
    const document = await pdfjs.getDocument({ ...shared, ...byRanges }).promise
    return { pdfjs, document, read: data => pdfjs.getDocument({ ...shared, data }).promise, retry: ranges.retry }
  } catch (error) {
    worker.destroy()
    throw error
  }
}
