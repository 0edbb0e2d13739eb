/**
 * Copies of stored files on this node's disk, up to a total size. A copy is used only while its
 * hash is right, so nothing here needs a sync and everything may be deleted at any time.
 */
import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileNameOf, sha256OfName } from './file-store.ts'
import { HashChecks } from './hash-checks.ts'
import { isMissing, removeIfExists } from './scratch.ts'

export interface Copy {
  path: string
  bytes: number
}

/** Since the start of the process. */
export interface CopiesState {
  bytes: number
  maxBytes: number
  hits: number
  misses: number
}

interface Entry {
  bytes: number
  usedMs: number
}

interface Options {
  folder: string
  maxBytes: number
  now(): Date
}

/** A reader that got a path may open the file within this time. */
const IN_USE_MS = 15 * 60_000

export class LocalCopies {
  readonly #options: Options
  readonly #checks: HashChecks
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>()
  readonly #running = new Map<string, Promise<Copy>>()
  #bytes = 0
  #hits = 0
  #misses = 0

  constructor(options: Options) {
    this.#options = options
    this.#checks = new HashChecks(options)
  }

  /** Finds the copies of earlier starts. */
  async load(): Promise<void> {
    const { folder } = this.#options
    await this.#makeFolder()
    const found: [string, Entry][] = []
    for (const name of await readdir(folder)) {
      const sha256 = sha256OfName(name)
      if (sha256 === undefined) continue
      const { size, atimeMs, mtimeMs } = await stat(join(folder, name))
      found.push([sha256, { bytes: size, usedMs: Math.max(atimeMs, mtimeMs) }])
    }
    for (const [sha256, entry] of found.toSorted(([, a], [, b]) => a.usedMs - b.usedMs)) this.#add(sha256, entry)
    await this.#evict()
  }

  /** The verified copy, made by `fetch` if there is none. Simultaneous callers share the work. */
  async get(sha256: string, fetch: () => Promise<string>): Promise<Copy> {
    const running = this.#running.get(sha256) ?? this.#find(sha256, fetch)
    this.#running.set(sha256, running)
    try {
      return await running
    } finally {
      if (this.#running.get(sha256) === running) this.#running.delete(sha256)
    }
  }

  get state(): CopiesState {
    return { bytes: this.#bytes, maxBytes: this.#options.maxBytes, hits: this.#hits, misses: this.#misses }
  }

  has(sha256: string): boolean {
    return this.#entries.has(sha256)
  }

  /** Takes over a temporary file on the same disk with these bytes. */
  async adopt(temporaryPath: string, sha256: string): Promise<Copy> {
    const path = this.#pathOf(sha256)
    const { size: bytes } = await stat(temporaryPath)
    await this.#makeFolder()
    await rename(temporaryPath, path)
    this.#add(sha256, { bytes, usedMs: this.#options.now().getTime() })
    await this.#evict()
    return { path, bytes }
  }

  async drop(sha256: string): Promise<void> {
    this.#forget(sha256)
    await removeIfExists(this.#pathOf(sha256))
  }

  /** Removes copies that `findReferenced` does not return. Returns their number. */
  async sweep(findReferenced: (sha256s: string[]) => Promise<Set<string>>, atOnce = 200): Promise<number> {
    const all = [...this.#entries].filter(([, entry]) => !this.#isInUse(entry)).map(([sha256]) => sha256)
    let swept = 0
    for (let i = 0; i < all.length; i += atOnce) {
      const some = all.slice(i, i + atOnce)
      const referenced = await findReferenced(some)
      for (const sha256 of some.filter(each => !referenced.has(each))) {
        await this.drop(sha256)
        swept++
      }
    }
    return swept
  }

  async #find(sha256: string, fetch: () => Promise<string>): Promise<Copy> {
    const known = this.#entries.get(sha256)
    if (known) {
      // Before the check, so that the copy is not removed during it.
      this.#add(sha256, { ...known, usedMs: this.#options.now().getTime() })
      const path = this.#pathOf(sha256)
      const bytes = await this.#sizeIfIntact(path, sha256)
      if (bytes !== undefined) {
        this.#hits++
        return { path, bytes }
      }
      await this.drop(sha256)
    }
    this.#misses++
    return this.adopt(await fetch(), sha256)
  }

  async #sizeIfIntact(path: string, sha256: string): Promise<number | undefined> {
    try {
      return await this.#checks.sizeIfIntact(path, sha256)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async #makeFolder(): Promise<void> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 })
  }

  #pathOf(sha256: string): string {
    return join(this.#options.folder, fileNameOf(sha256))
  }

  #isInUse({ usedMs }: Entry): boolean {
    return this.#options.now().getTime() - usedMs < IN_USE_MS
  }

  /** As the last used. */
  #add(sha256: string, entry: Entry): void {
    this.#forget(sha256)
    this.#entries.set(sha256, entry)
    this.#bytes += entry.bytes
  }

  #forget(sha256: string): void {
    this.#bytes -= this.#entries.get(sha256)?.bytes ?? 0
    this.#entries.delete(sha256)
  }

  /** Copies in use stay, even if they have more than the maximum together. */
  async #evict(): Promise<void> {
    for (const [sha256, entry] of this.#entries) {
      if (this.#bytes <= this.#options.maxBytes || this.#isInUse(entry)) return
      await this.drop(sha256)
    }
  }
}
