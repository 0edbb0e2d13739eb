/** Compresses text answers. A route decides whether its answers may be: see `mayCompress`. */
import { sha256Hex } from '../lib/sha256.ts'
import type { ApiRoute } from './route.ts'

/** Below it, compression saves no packet. */
const MIN_BYTES = 2_048
/** Near the best size, at a third of the time. */
const LEVEL = 4
const BEST_LEVEL = 9

/** RFC 9110 §12.5.3. */
export function acceptsGzip(request: Request): boolean {
  return /(^|[ ,])gzip(?! *; *q=0(\.0*)? *(,|$))/.test(request.headers.get('accept-encoding') ?? '')
}

/**
 * The length of a compressed answer tells what it repeats: input of a stranger beside a secret
 * would reveal the secret (BREACH). So only answers without secrets to programs are compressed.
 * Browsers send a cookie with requests that another site makes, and pages have form tokens: no
 * answer of a page is.
 */
export function mayCompress({ method, answerHasSecret }: Pick<ApiRoute, 'method' | 'answerHasSecret'>): boolean {
  return method === 'GET' && !answerHasSecret
}

/** A text answer of a route that may be compressed. */
export function textResponse(request: Request, text: string, status: number, given: Record<string, string>): Response {
  const headers = new Headers({ ...given, vary: 'accept-encoding' })
  if (text.length < MIN_BYTES || !acceptsGzip(request)) return new Response(text, { status, headers })
  headers.set('content-encoding', 'gzip')
  // RFC 9110 §8.8.3.3: a tag names the bytes of one coding, unless it is weak.
  const etag = headers.get('etag')
  if (etag !== null && !etag.startsWith('W/')) headers.set('etag', `W/${etag}`)
  return new Response(Bun.gzipSync(text, { level: LEVEL }), { status, headers })
}

/** A text that is the same for many requests, made once. */
export class FixedText {
  readonly #text: string
  readonly #etag: string
  #gzip: Uint8Array<ArrayBuffer> | undefined

  constructor(text: string) {
    this.#text = text
    this.#etag = sha256Hex(text).slice(0, 32)
  }

  /** Answers `If-None-Match`. Caches ask each time whether it is still the same. */
  response(request: Request, given: Headers): Response {
    const isPlain = !acceptsGzip(request)
    const etag = `"${this.#etag}${isPlain ? '' : '-gzip'}"`
    const headers = new Headers(given)
    headers.append('vary', 'accept-encoding')
    headers.set('cache-control', 'no-cache')
    headers.set('etag', etag)
    if (request.headers.get('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
    if (isPlain) return new Response(this.#text, { headers })
    headers.set('content-encoding', 'gzip')
    this.#gzip ??= Bun.gzipSync(this.#text, { level: BEST_LEVEL })
    return new Response(this.#gzip, { headers })
  }
}
