/** A stored PDF as an answer: checked against its hash, with ETag, conditional requests and ranges. RFC 9110 §8.8.3, §13, §14. */
import { Refusal } from '../core/refusal.ts'
import { attachment } from '../lib/content-disposition.ts'
import type { App } from '../ports.ts'

export interface Asked {
  sha256: string | undefined
  fileName: string
}

/** An upload is always a download, never shown inline by this address. */
export async function fileAnswer(app: App, request: Request, { sha256, fileName }: Asked): Promise<Response> {
  if (sha256 === undefined)
    throw new Refusal('not_found', 'There is no sealed file yet: it exists once the document is completed.')
  const etag = `"${sha256}"`
  const headers: Record<string, string> = {
    etag,
    'content-type': 'application/pdf',
    'content-disposition': attachment(fileName),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
  }
  if (matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  const bytes = await app.storage.read(sha256)
  const ifRange = request.headers.get('if-range')
  const range = ifRange === null || ifRange === etag ? request.headers.get('range') : null
  const span = rangeOf(range, bytes.length)
  if (span === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${bytes.length}` } })
  }
  if (span === undefined) return new Response(bytes as Uint8Array<ArrayBuffer>, { headers })
  const [first, last] = span
  return new Response(bytes.subarray(first, last + 1) as Uint8Array<ArrayBuffer>, {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${first}-${last}/${bytes.length}` },
  })
}

function matches(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.split(',').some(part => part.trim().replace(/^W\//, '') === etag || part.trim() === '*')
}

/** One byte range, both ends included. Several ranges and other units are ignored, as §14.2 allows. */
function rangeOf(header: string | null, length: number): [number, number] | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  if (match[1] === '') {
    const suffix = Number(match[2])
    return suffix === 0 ? 'unsatisfiable' : [Math.max(0, length - suffix), length - 1]
  }
  const first = Number(match[1])
  const last = match[2] === '' ? length - 1 : Math.min(Number(match[2]), length - 1)
  if (first >= length) return 'unsatisfiable'
  return last < first ? undefined : [first, last]
}
