/**
 * Copies of stored files on this node's disk, up to a total size. A copy is used only while its
 * hash is right, so nothing here needs a sync and everything may be deleted at any time.
 */
import { join } from 'node:path'
import { MINUTE_MS } from '../lib/duration.ts'
import { isMissing, removeIfExists } from '../lib/files.ts'
import type { FileSystem } from '../lib/machine.ts'
import { fileNameOf, sha256OfName } from './file-store.ts'
import { HashChecks } from './hash-checks.ts'

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
  fileSystem: FileSystem
  folder: string
  maxBytes: number
  now(): Date
}

/** A reader that got a path may open the file within this time. */
const IN_USE_MS = 15 * MINUTE_MS

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
    const { fileSystem, folder } = this.#options
    await fileSystem.makeFolder(folder)
    const found: [string, Entry][] = []
    for (const name of await fileSystem.names(folder)) {
      const sha256 = sha256OfName(name)
      if (sha256 === undefined) continue
      const { size, atime, mtime } = await fileSystem.facts(join(folder, name))
      found.push([sha256, { bytes: size, usedMs: Math.max(atime.getTime(), mtime.getTime()) }])
    }
    for (const [sha256, entry] of found.toSorted(([, a], [, b]) => a.usedMs - b.usedMs)) this.#add(sha256, entry)
    await this.#evict()
  }

  /** The verified copy, made by `download` if there is none. Callers at the same time share it. */
  async get(sha256: string, download: () => Promise<string>): Promise<Copy> {
    const running = this.#running.get(sha256) ?? this.#find(sha256, download)
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
    const { fileSystem, folder } = this.#options
    const path = this.#pathOf(sha256)
    const { size: bytes } = await fileSystem.facts(temporaryPath)
    await fileSystem.makeFolder(folder)
    await fileSystem.rename(temporaryPath, path)
    this.#add(sha256, { bytes, usedMs: this.#options.now().getTime() })
    await this.#evict()
    return { path, bytes }
  }

  async drop(sha256: string): Promise<void> {
    this.#forget(sha256)
    await removeIfExists(this.#options.fileSystem, this.#pathOf(sha256))
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

  async #find(sha256: string, download: () => Promise<string>): Promise<Copy> {
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
    return this.adopt(await download(), sha256)
  }

  async #sizeIfIntact(path: string, sha256: string): Promise<number | undefined> {
    try {
      return await this.#checks.sizeIfIntact(path, sha256)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
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
