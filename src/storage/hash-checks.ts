/** Verifies files on disk by their hash, once for each state of a file; readers share a check. */
import { sha256OfFile } from '../lib/disk.ts'
import { LruCache } from '../lib/lru-cache.ts'
import type { FileFacts, Machine } from '../lib/machine.ts'

const MAX_CHECKS = 10_000
/** File systems round timestamps: a file may change again within this time without new ones. */
const SETTLED_MS = 2000

export class HashChecks {
  /** Checks, finished or running, by hash and state of the file on disk. */
  readonly #checks = new LruCache<string, Promise<boolean>>(MAX_CHECKS)
  readonly #machine: Pick<Machine, 'fileSystem' | 'now'>
  readonly #hash: (path: string) => Promise<string>

  constructor(machine: Pick<Machine, 'fileSystem' | 'now'>, hash = (path: string) => sha256OfFile(machine.fileSystem, path)) {
    this.#machine = machine
    this.#hash = hash
  }

  /** The file's size, `undefined` if it has another hash. Throws file system errors. */
  async sizeIfIntact(path: string, sha256: string): Promise<number | undefined> {
    const found = await this.#machine.fileSystem.facts(path)
    return (await this.#isIntact(path, sha256, found)) ? found.size : undefined
  }

  async #isIntact(path: string, sha256: string, found: FileFacts): Promise<boolean> {
    const state = `${sha256} ${found.state}`
    const running = this.#checks.get(state)
    if (running) return running
    const check = this.#hash(path).then(actual => actual === sha256)
    this.#checks.set(state, check)
    let isIntact = false
    try {
      isIntact = await check
      return isIntact
    } finally {
      if (!isIntact || this.#machine.now().getTime() - found.mtime.getTime() < SETTLED_MS) this.#checks.delete(state)
    }
  }
}
