/**
 * A stored file as a response, verified by its hash (RFC 9110 §8.8.3, §13, §14), and files that are
 * made while they are sent.
 */
import type { FieldFile, MediaType } from '../core/field/field.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import { attachment } from '../lib/file-names.ts'
import { sha256Hex } from '../lib/sha256.ts'
import type { App } from '../ports.ts'
import { RangeNotSatisfiableError } from './errors.ts'
import { PRIVATE } from './version-headers.ts'

export interface RequestedFile {
  /** Undefined where no such version exists. */
  sha256: string | undefined
  fileName: string
  /** Default: a PDF. */
  mediaType?: MediaType
  /** Bytes that follow those of the stored file. */
  update?: Uint8Array
}

/** No browser may run what a stranger sent, even if it opens the file in a window. */
const SANDBOX = { 'content-security-policy': "sandbox; default-src 'none'", 'x-content-type-options': 'nosniff' }

/** As `fileResponse`, of a file that a recipient added. */
export async function addedFileResponse(app: App, request: Request, file: FieldFile): Promise<Response> {
  const response = await fileResponse(app, request, file)
  for (const [name, value] of Object.entries(SANDBOX)) response.headers.set(name, value)
  return response
}

/** The receipt of who has signed: an S/MIME message, which no browser shows. */
export function receiptResponse({ fileName, text }: { fileName: string; text: string }): Response {
  const headers = { 'content-type': 'message/rfc822', 'content-disposition': attachment(fileName), ...PRIVATE, ...SANDBOX }
  return new Response(text, { headers })
}

/** Ranges up to this size are read before the response starts, so failures are still reported. */
const MAX_BUFFERED_BYTES = 1 << 20
/** With an update. */
const MAX_JOINED_BYTES = 16 << 20
const NO_UPDATE = new Uint8Array()

/**
 * Always an attachment: a browser never shows an upload inline. HEAD neither reads the file nor
 * ranges (§14.2). Throws `not_found`, `RangeNotSatisfiableError` and `FileDamagedError`.
 */
export async function fileResponse(
  app: App,
  request: Request,
  { sha256, fileName, mediaType = 'application/pdf', update = NO_UPDATE }: RequestedFile,
): Promise<Response> {
  if (sha256 === undefined) throw new Refusal('not_found', violation('not_sealed_yet'))
  const etag = update.length === 0 ? `"${sha256}"` : `"${sha256}-${sha256Hex(update).slice(0, 16)}"`
  const known = { etag, 'cache-control': 'private, no-store' }
  // §15.4.5: a 304 repeats only the headers that a cache needs.
  if (matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: known })
  const headers: Record<string, string> = {
    ...known,
    'content-type': mediaType,
    'content-disposition': attachment(fileName),
    'accept-ranges': 'bytes',
  }
  if (request.method === 'HEAD') {
    const length = (await app.storage.sizeOf(sha256)) + update.length
    return new Response(null, { headers: { ...headers, 'content-length': String(length) } })
  }
  const { path, bytes } = await app.storage.intact(sha256)
  const content: Content = { file: app.fileSystem.blob(path), bytes, update }
  const length = bytes + update.length
  // §13.1.5: a strong comparison. A date or the tag of another version requests the whole file.
  const ifRange = request.headers.get('if-range')
  const range = ifRange === null || ifRange === etag ? request.headers.get('range') : null
  const span = parseRange(range, length)
  if (span === 'unsatisfiable') throw new RangeNotSatisfiableError(length)
  if (span === undefined) return new Response(await spanOf(content, 0, length), { headers })
  const [first, last] = span
  return new Response(await spanOf(content, first, last + 1), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${first}-${last}/${length}` },
  })
}

interface Content {
  file: Blob
  /** Of the stored file. */
  bytes: number
  update: Uint8Array
}

/** The bytes from `first` to before `end`. Large ranges are not buffered. */
async function spanOf({ file, bytes, update }: Content, first: number, end: number): Promise<BodyInit> {
  const stored = file.slice(Math.min(first, bytes), Math.min(end, bytes))
  if (end <= bytes) return end - first > MAX_BUFFERED_BYTES ? stored : stored.bytes()
  const added = update.subarray(Math.max(first - bytes, 0), end - bytes)
  // The runtime drops the Content-Length of a stream: without it pdf.js requests no ranges.
  if (end - first > MAX_JOINED_BYTES) return streamOfChunks(joined(stored, added))
  return Buffer.concat([await stored.bytes(), added])
}

async function* joined(stored: Blob, added: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield* stored.stream()
  yield added
}

export function matches(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.split(',').some(part => part.trim().replace(/^W\//, '') === etag || part.trim() === '*')
}

/** One range, both ends included. Undefined for ranges that §14.2 allows to ignore. */
function parseRange(header: string | null, length: number): [number, number] | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  if (match[1] === '') {
    const suffix = Number(match[2])
    if (suffix === 0) return 'unsatisfiable'
    return length > 0 ? [Math.max(0, length - suffix), length - 1] : undefined
  }
  const first = Number(match[1])
  const last = match[2] === '' ? Number.POSITIVE_INFINITY : Number(match[2])
  if (last < first) return undefined
  return first < length ? [first, Math.min(last, length - 1)] : 'unsatisfiable'
}

// Files that are made while they are sent.

/** A chunk is made when the reader takes it. */
export function streamOfChunks(chunks: AsyncGenerator<string | Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? Buffer.from(value) : value)
    },
    async cancel() {
      await chunks.return()
    },
  })
}

export function csvResponse(name: string, chunks: AsyncGenerator<string, void>): Response {
  const headers = { ...PRIVATE, 'content-type': 'text/csv; charset=utf-8', 'content-disposition': attachment(name) }
  return new Response(streamOfChunks(chunks), { headers })
}
