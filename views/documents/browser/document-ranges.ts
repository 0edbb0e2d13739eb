/**
 * Fetches the visible parts of the file by ranges (RFC 9110 §14) and retries failed ones. A missing
 * range is never replaced by nothing: a page with a hole must not be signed.
 */
import type { PDFDataRangeTransport } from 'pdfjs-dist'
import { type ByteRange, type LengthByEnd, planRequests, type RangeRequest, splitResponse } from './document-fetch-plan.ts'

export interface Ranges {
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
export async function openRanges(url: string, Base: Transport, onLost: () => void): Promise<Ranges> {
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
