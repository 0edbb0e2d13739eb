/**
 * Remembers for some minutes which files children could not read: sent again, they cost nothing.
 */
import { statSync } from 'node:fs'
import { sha256OfFile } from '../lib/disk.ts'
import { MINUTE_MS } from '../lib/duration.ts'
import { LruCache } from '../lib/lru-cache.ts'
import { THIS_FILE_SYSTEM } from '../lib/this-file-system.ts'
import type { PdfChildError } from './errors.ts'

const REMEMBERED_MS = 10 * MINUTE_MS
const MAX_REMEMBERED = 1_000

/** A file of an owner, as a task reads it. */
export interface ReadFile {
  kind: string
  owner: string
  path: string
}

/** By owner too: a fast answer would tell one owner that another has the same file. */
export class RefusedFiles {
  readonly #now: () => number
  /** The newest of each size, so that only a file of that size is hashed. */
  readonly #refused = new LruCache<string, { sha256: string; error: PdfChildError; untilMs: number }>(MAX_REMEMBERED)

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  async add(file: ReadFile, error: PdfChildError): Promise<void> {
    const key = keyOf(file)
    if (key === undefined) return
    this.#refused.set(key, {
      sha256: await sha256OfFile(THIS_FILE_SYSTEM, file.path),
      error,
      untilMs: this.#now() + REMEMBERED_MS,
    })
  }

  async find(file: ReadFile): Promise<PdfChildError | undefined> {
    const key = keyOf(file)
    const refused = key === undefined ? undefined : this.#refused.get(key)
    if (!refused || refused.untilMs <= this.#now()) return undefined
    return (await sha256OfFile(THIS_FILE_SYSTEM, file.path)) === refused.sha256 ? refused.error : undefined
  }
}

/** Undefined without a file. */
function keyOf({ kind, owner, path }: ReadFile): string | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  return size === undefined ? undefined : `${kind} ${owner} ${size}`
}
