/** Opens the document with pdf.js. Scripts, XFA and links in it are never run. */
import type * as Pdfjs from 'pdfjs-dist'
import type { PDFDataRangeTransport } from 'pdfjs-dist'

export interface Pdf {
  pdfjs: typeof Pdfjs
  document: Pdfjs.PDFDocumentProxy
  /** Opens a small document from memory. */
  read(data: Uint8Array): Promise<Pdfjs.PDFDocumentProxy>
  /** Requests again the ranges that failed. */
  retry(): void
}

interface PdfOptions {
  url: string
  /** Where pdf.js is served; ends with a slash. */
  folder: string
  /** Number of earlier attempts: browsers may cache a failed import of a module. */
  tried: number
  /** A range could not be fetched. */
  onLost(): void
}

export async function openPdf({ url, folder, tried, onLost }: PdfOptions): Promise<Pdf> {
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
export function openOnDemand({ url, folder, onLost }: Omit<PdfOptions, 'tried'>) {
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

// Plans requests for the byte ranges pdf.js asks for: joins near ones, doubles sequential ones.

/** `end` is exclusive. */
export interface ByteRange {
  begin: number
  end: number
}

interface RangeRequest extends ByteRange {
  /** The ranges that pdf.js asked for. */
  ranges: ByteRange[]
}

/** The chunk size of pdf.js. Ranges start at its multiples. */
export const CHUNK_BYTES = 8 * 1024
/** Gaps up to this size are fetched too. */
const MAX_GAP_BYTES = 16 * 1024
const MAX_JOINED_BYTES = 512 * 1024
const MAX_GROWN_BYTES = 256 * 1024

/** The length of each earlier request, by where it ended. */
export type LengthByEnd = Map<number, number>

/** Updates `lengthByEnd`. */
export function planRequests(asked: ByteRange[], fileLength: number, lengthByEnd: LengthByEnd): RangeRequest[] {
  const requests: RangeRequest[] = []
  for (const range of [...asked].sort((a, b) => a.begin - b.begin)) {
    const last = requests.at(-1)
    if (last && range.begin - last.end <= MAX_GAP_BYTES && range.end - last.begin <= MAX_JOINED_BYTES) {
      last.ranges.push(range)
      last.end = Math.max(last.end, range.end)
    } else requests.push({ ...range, ranges: [range] })
  }
  for (const request of requests) {
    const previousLength = lengthByEnd.get(request.begin)
    lengthByEnd.delete(request.begin)
    if (previousLength !== undefined) {
      const grown = Math.min(2 * previousLength, MAX_GROWN_BYTES)
      request.end = Math.min(fileLength, Math.max(request.end, request.begin + grown))
    }
    lengthByEnd.set(request.end, request.end - request.begin)
  }
  return requests
}

/** Splits a response by range. The last range also gets the bytes that were read ahead. */
export function splitResponse({ begin, end, ranges }: RangeRequest, bytes: Uint8Array): { begin: number; bytes: Uint8Array }[] {
  const furthest = ranges.findLast(range => range.end === Math.max(...ranges.map(one => one.end)))
  return ranges.map(range => {
    const until = range === furthest ? end : range.end
    return { begin: range.begin, bytes: bytes.slice(range.begin - begin, until - begin) }
  })
}

// Fetches the visible parts of the file by ranges (RFC 9110 §14) and retries failed ones. A missing
// range is never replaced by nothing: a page with a hole must not be signed.

interface Ranges {
  transport: PDFDataRangeTransport
  /** Requests again every range that failed. */
  retry(): void
}

const FIRST_BYTES = 128 * 1024
/** A connection without data for this long is given up. */
const SILENCE_MS = 20_000
/** Pauses before automatic retries. */
const PAUSES_MS = [500, 2000]

/** Ranges asked for within this time are planned together. */
const BREATH_MS = 5

/** A response that an immediate retry would not change. */
class FinalResponseError extends Error {}

type Transport = new (length: number, initialData: Uint8Array) => PDFDataRangeTransport

/** Reads the whole response, however slow, as long as data arrives. */
async function fetched(url: string, begin: number, end: number): Promise<{ response: Response; bytes: Uint8Array }> {
  const stop = new AbortController()
  let timer = setTimeout(() => stop.abort(), SILENCE_MS)
  try {
    // Without `no-store`, browsers serialise requests to one URL that might be cached.
    const init: RequestInit = { headers: { range: `bytes=${begin}-${end - 1}` }, signal: stop.signal, cache: 'no-store' }
    const response = await fetch(url, init)
    if (response.status !== 206 && response.status !== 200)
      throw new FinalResponseError(`the document was answered ${response.status}`)
    const parts: Uint8Array[] = []
    const reader = response.body?.getReader()
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => stop.abort(), SILENCE_MS)
      parts.push(part.value)
    }
    return { response, bytes: joined(parts) }
  } finally {
    clearTimeout(timer)
  }
}

function joined(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Rejects if the beginning of the file fails. `onLost`: a range was given up. */
async function openRanges(url: string, Base: Transport, onLost: () => void): Promise<Ranges> {
  const first = await fetched(url, 0, FIRST_BYTES)
  const total = /\/(\d+)$/.exec(first.response.headers.get('content-range') ?? '')?.[1]
  const length = total === undefined ? first.bytes.length : Number(total)
  const etag = first.response.headers.get('etag')
  const lost: RangeRequest[] = []
  let isOver = false

  async function bytesOf({ begin, end }: ByteRange): Promise<Uint8Array> {
    const { response, bytes } = await fetched(url, begin, end)
    const isSame = response.status === 206 && response.headers.get('etag') === etag
    if (!isSame) throw new FinalResponseError('the document is not the same any more')
    if (bytes.length !== end - begin) throw new Error('the answer was cut off')
    return bytes
  }
  function send(request: RangeRequest, tried = 0): void {
    if (isOver) return
    bytesOf(request).then(
      bytes => {
        if (isOver) return
        for (const range of splitResponse(request, bytes)) transport.onDataRange(range.begin, range.bytes)
      },
      (error: unknown) => {
        if (isOver) return
        const pauseMs = error instanceof FinalResponseError ? undefined : PAUSES_MS[tried]
        if (pauseMs !== undefined) return setTimeout(() => send(request, tried + 1), pauseMs)
        lost.push(request)
        onLost()
      },
    )
  }
  let asked: ByteRange[] = []
  const lengthByEnd: LengthByEnd = new Map()
  function ask(range: ByteRange): void {
    asked.push(range)
    if (asked.length > 1) return
    setTimeout(() => {
      const together = asked
      asked = []
      for (const request of planRequests(together, length, lengthByEnd)) send(request)
    }, BREATH_MS)
  }
  class FileTransport extends Base {
    override requestDataRange(begin: number, end: number): void {
      ask({ begin, end })
    }
    override abort(): void {
      isOver = true
    }
  }
  const transport = new FileTransport(length, first.bytes)
  return {
    transport,
    retry() {
      for (const request of lost.splice(0)) send(request)
    },
  }
}
