/** A stored PDF as a response, verified by its hash. RFC 9110 §8.8.3, §13, §14. */
import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Refusal } from '../core/refusal.ts'
import { attachment } from '../lib/content-disposition.ts'
import type { App } from '../ports.ts'
import { FileDamagedError, type FileStore } from '../storage/files.ts'
import { RangeNotSatisfiableError } from './errors.ts'

export interface RequestedFile {
  /** Undefined where no such version exists. */
  sha256: string | undefined
  fileName: string
}

/** Ranges up to this size are read before the response starts, so failures are still reported. */
const MAX_BUFFERED_BYTES = 1 << 20

/**
 * Always an attachment: a browser never shows an upload inline. HEAD neither reads the file nor
 * ranges (§14.2). Throws `not_found`, `RangeNotSatisfiableError` and `FileDamagedError`.
 */
export async function fileResponse(app: App, request: Request, { sha256, fileName }: RequestedFile): Promise<Response> {
  if (sha256 === undefined)
    throw new Refusal('not_found', 'There is no sealed file yet: it exists once the document is completed.')
  const etag = `"${sha256}"`
  const known = { etag, 'cache-control': 'private, no-store' }
  // §15.4.5: a 304 repeats only the headers that a cache needs.
  if (matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: known })
  const headers: Record<string, string> = {
    ...known,
    'content-type': 'application/pdf',
    'content-disposition': attachment(fileName),
    'accept-ranges': 'bytes',
  }
  const path = app.storage.pathOf(sha256)
  const found = await stateOf(app, sha256)
  const length = Number(found.size)
  if (request.method === 'HEAD') return new Response(null, { headers: { ...headers, 'content-length': String(length) } })
  await requireIntact(app, sha256, found)
  // §13.1.5: a strong comparison. A date or the tag of another version requests the whole file.
  const ifRange = request.headers.get('if-range')
  const range = ifRange === null || ifRange === etag ? request.headers.get('range') : null
  const span = parseRange(range, length)
  if (span === 'unsatisfiable') throw new RangeNotSatisfiableError(length)
  if (span === undefined) return new Response(await spanOf(path, 0, length), { headers })
  const [first, last] = span
  return new Response(await spanOf(path, first, last + 1), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${first}-${last}/${length}` },
  })
}

async function stateOf({ storage, damage }: App, sha256: string): Promise<BigIntStats> {
  try {
    return await stat(storage.pathOf(sha256), { bigint: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    damage.noteFile(sha256, 'missing')
    throw new FileDamagedError(`file ${sha256} is missing`, { cause: error })
  }
}

/** The bytes from `first` to before `end`. Large ranges are not buffered. */
async function spanOf(path: string, first: number, end: number): Promise<Blob | Uint8Array<ArrayBuffer>> {
  const span = Bun.file(path).slice(first, end)
  return end - first > MAX_BUFFERED_BYTES ? span : span.bytes()
}

/** File systems round timestamps: a file may change again within this time without new ones. */
const SETTLED_MS = 2000

/** Hashes a file once per state on disk, shared. Throws `FileDamagedError`. */
async function requireIntact({ storage, fileChecks }: App, sha256: string, found: BigIntStats): Promise<void> {
  // ctime, unlike mtime, cannot be set by a program.
  const state = [sha256, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ')
  const running = fileChecks.get(state)
  if (running) return running
  const check = requireHash(storage, sha256)
  fileChecks.set(state, check)
  let isIntact = false
  try {
    await check
    isIntact = true
  } finally {
    if (!isIntact || Date.now() - Number(found.mtimeMs) < SETTLED_MS) fileChecks.delete(state)
  }
}

async function requireHash(storage: FileStore, sha256: string): Promise<void> {
  const actual = await storage.hashOf(sha256)
  if (actual !== sha256)
    throw new FileDamagedError(`file ${sha256} ${actual === undefined ? 'is missing from' : 'has changed on'} disk`)
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
