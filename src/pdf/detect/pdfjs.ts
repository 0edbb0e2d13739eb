/**
 * Reads page content by pdf.js, which knows fonts and their encodings. It runs on the thread of the
 * child process, draws nothing, decodes no image and runs no script.
 */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import type { PageBox } from '../../core/field/geometry.ts'
import { ContentReader, type FontFacts } from './content-reader.ts'
import { OperatorRunner } from './operators.ts'
import type { PageContent } from './page-content.ts'

type Pdfjs = typeof import('pdfjs-dist')

let library: Promise<Pdfjs> | undefined

/** Loaded at the first use: most children never search for fields. */
function loadPdfjs(): Promise<Pdfjs> {
  library ??= (async () => {
    // pdf.js warns about classes for drawing, which nothing here uses.
    const unused = class {}
    Object.assign(globalThis, { DOMMatrix: unused, Path2D: unused })
    // With its handler in place pdf.js starts no worker.
    Object.assign(globalThis, { pdfjsWorker: await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs') })
    return import('pdfjs-dist/legacy/build/pdf.min.mjs')
  })()
  return library
}

const OPTIONS = {
  // Larger images are left out, so none is decoded.
  maxImageSize: 1,
  disableFontFace: true,
  fontExtraProperties: false,
  useSystemFonts: false,
  useWorkerFetch: false,
  useWasm: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  enableXfa: false,
  verbosity: 0,
}

type Layers = Awaited<ReturnType<PDFDocumentProxy['getOptionalContentConfig']>>

/** A font that pdf.js has not delivered by then has failed. */
const FONT_WAIT_MS = 1_000

export class ContentSource {
  readonly #pdfjs: Pdfjs
  readonly #document: PDFDocumentProxy
  readonly #layers: Layers

  private constructor(pdfjs: Pdfjs, document: PDFDocumentProxy, layers: Layers) {
    this.#pdfjs = pdfjs
    this.#document = document
    this.#layers = layers
  }

  /** Undefined if pdf.js cannot open the file. */
  static async open(bytes: Uint8Array): Promise<ContentSource | undefined> {
    const pdfjs = await loadPdfjs()
    const task = pdfjs.getDocument({ ...OPTIONS, data: Uint8Array.from(bytes) })
    try {
      const document = await task.promise
      return new ContentSource(pdfjs, document, await document.getOptionalContentConfig())
    } catch {
      await task.destroy()
      return undefined
    }
  }

  get pageCount(): number {
    return this.#document.numPages
  }

  /** Undefined if pdf.js cannot read the page. */
  async readPage(number: number, box: PageBox): Promise<PageContent | undefined> {
    try {
      const page = await this.#document.getPage(number)
      try {
        return await this.#read(page, box)
      } finally {
        page.cleanup()
      }
    } catch {
      return undefined
    }
  }

  async #read(page: PDFPageProxy, box: PageBox): Promise<PageContent> {
    const { AnnotationMode, OPS } = this.#pdfjs
    const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE })
    const fonts = new Map<string, FontFacts>()
    for (let i = 0; i < fnArray.length; i++) {
      const id: unknown = fnArray[i] === OPS.setFont ? argsArray[i]?.[0] : undefined
      if (typeof id === 'string' && !fonts.has(id)) fonts.set(id, await fontOf(page, id))
    }
    const reader = new ContentReader(box)
    const runner = new OperatorRunner(OPS, reader, {
      fontOf: id => fonts.get(id),
      isVisible: group => group === null || this.#layers.isVisible(group),
    })
    for (let i = 0; i < fnArray.length; i++) runner.run(fnArray[i] ?? -1, argsArray[i] ?? [])
    return reader.content
  }

  close(): Promise<void> {
    return this.#document.loadingTask.destroy()
  }
}

const MISSING_FONT: FontFacts = { scale: 0.001, isVertical: false }

async function fontOf(page: PDFPageProxy, id: string): Promise<FontFacts> {
  const delivered = new Promise<unknown>(resolve => page.commonObjs.get(id, resolve))
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => timeout.resolve(undefined), FONT_WAIT_MS)
  const font = await Promise.race([delivered, timeout.promise])
  clearTimeout(timer)
  if (typeof font !== 'object' || font === null) return MISSING_FONT
  const { fontMatrix, vertical } = font as { fontMatrix?: number[]; vertical?: boolean }
  return { scale: fontMatrix?.[0] ?? MISSING_FONT.scale, isVertical: vertical === true }
}
