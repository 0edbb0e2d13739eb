/** Opens the document with pdf.js. Scripts, XFA and links in it are never run. */
import type * as Pdfjs from 'pdfjs-dist'
import { CHUNK_BYTES } from './document-fetch-plan.ts'
import { openRanges } from './document-ranges.ts'

export interface Pdf {
  pdfjs: typeof Pdfjs
  document: Pdfjs.PDFDocumentProxy
  /** Opens a small document from memory. */
  read(data: Uint8Array): Promise<Pdfjs.PDFDocumentProxy>
  /** Requests again the ranges that failed. */
  retry(): void
}

interface Options {
  url: string
  /** Where pdf.js is served; ends with a slash. */
  folder: string
  /** Number of earlier attempts: browsers may cache a failed import of a module. */
  tried: number
  /** A range could not be fetched. */
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
    // Pages look the same on every device, whatever fonts are installed.
    useSystemFonts: false,
  }
  const byRanges = { range: ranges.transport, rangeChunkSize: CHUNK_BYTES, disableAutoFetch: true, disableStream: true }
  try {
    const document = await pdfjs.getDocument({ ...shared, ...byRanges }).promise
    return { pdfjs, document, read: data => pdfjs.getDocument({ ...shared, data }).promise, retry: ranges.retry }
  } catch (error) {
    worker.destroy()
    throw error
  }
}

/** Opens the document when it is first asked for, and again after a failure. */
export function openOnDemand({ url, folder, onLost }: Omit<Options, 'tried'>) {
  let opening: Promise<Pdf> | undefined
  let opened: Pdf | undefined
  let tried = 0
  const open = async () => {
    try {
      opened = await openPdf({ url, folder, tried: tried++, onLost })
      return opened
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  return {
    pdf(): Promise<Pdf> {
      opening ??= open()
      return opening
    },
    /** Requests again what failed. A document that failed to open is opened by the next drawing. */
    retry(): void {
      opened?.retry()
    },
  }
}
