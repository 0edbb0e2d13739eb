/** Verifies files on disk by their hash, once for each state of a file; readers share a check. */
import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { sha256OfFile } from '../lib/disk.ts'
import { LruCache } from '../lib/lru-cache.ts'
import type { Clock } from '../lib/machine.ts'

const MAX_CHECKS = 10_000
/** File systems round timestamps: a file may change again within this time without new ones. */
const SETTLED_MS = 2000

export class HashChecks {
  /** Checks, finished or running, by hash and state of the file on disk. */
  readonly #checks = new LruCache<string, Promise<boolean>>(MAX_CHECKS)
  readonly #now: () => Date
  readonly #hash: (path: string) => Promise<string>

  constructor({ now }: Clock, hash = sha256OfFile) {
    this.#now = now
    this.#hash = hash
  }

  /** The file's size, `undefined` if it has another hash. Throws file system errors. */
  async sizeIfIntact(path: string, sha256: string): Promise<number | undefined> {
    const found = await stat(path, { bigint: true })
    return (await this.#isIntact(path, sha256, found)) ? Number(found.size) : undefined
  }

  async #isIntact(path: string, sha256: string, found: BigIntStats): Promise<boolean> {
    // ctime, unlike mtime, cannot be set by a program.
    const state = [sha256, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ')
    const running = this.#checks.get(state)
    if (running) return running
    const check = this.#hash(path).then(actual => actual === sha256)
    this.#checks.set(state, check)
    let isIntact = false
    try {
      isIntact = await check
      return isIntact
    } finally {
      if (!isIntact || this.#now().getTime() - Number(found.mtimeMs) < SETTLED_MS) this.#checks.delete(state)
    }
  }
}
