/** A stored PDF as an answer: checked against its hash, with ETag, conditional requests and ranges. RFC 9110 §8.8.3, §13, §14. */
import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Refusal } from '../core/refusal.ts'
import { attachment } from '../lib/content-disposition.ts'
import type { App } from '../ports.ts'
import { FileDamagedError, type FileStore } from '../storage/files.ts'
import { RangeNotSatisfiableError } from './errors.ts'

export interface Asked {
  sha256: string | undefined
  fileName: string
}

/** Spans up to this size are read before the answer begins: a failure is then still told as one. */
const READ_FIRST_BYTES = 1 << 20

/**
 * An upload is always a download, never shown inline by this address. HEAD reads nothing of the file, and of ranges nothing either (§14.2).
 * Throws `not_found`, `RangeNotSatisfiableError` and `FileDamagedError`.
 */
export async function fileResponse(app: App, request: Request, { sha256, fileName }: Asked): Promise<Response> {
  if (sha256 === undefined)
    throw new Refusal('not_found', 'There is no sealed file yet: it exists once the document is completed.')
  const etag = `"${sha256}"`
  const known = { etag, 'cache-control': 'private, no-store' }
  // §15.4.5: what the client has already is not told again.
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
  // §13.1.5: a strong comparison; a date, or another version's tag, asks for the whole.
  const ifRange = request.headers.get('if-range')
  const range = ifRange === null || ifRange === etag ? request.headers.get('range') : null
  const span = rangeOf(range, length)
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

/** The bytes from `first` to before `end`; large spans go from the disk to the socket without being held. */
async function spanOf(path: string, first: number, end: number): Promise<Blob | Uint8Array<ArrayBuffer>> {
  const span = Bun.file(path).slice(first, end)
  return end - first > READ_FIRST_BYTES ? span : span.bytes()
}

/** A file written more recently may change again without a change of its times: file systems tell times in steps. */
const SETTLED_MS = 2000

/**
 * Hashes the whole file once per state of it on disk; simultaneous requests wait for the same
 * check. Throws `FileDamagedError`.
 */
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
    throw new FileDamagedError(`file ${sha256} ${actual === undefined ? 'is gone from' : 'has changed on'} disk`)
}

function matches(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.split(',').some(part => part.trim().replace(/^W\//, '') === etag || part.trim() === '*')
}

/** One byte range, both ends included. Several ranges, other units and what is no range are ignored, as §14.2 allows: the answer is the whole. */
function rangeOf(header: string | null, length: number): [number, number] | 'unsatisfiable' | undefined {
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
