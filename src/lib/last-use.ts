/**
 * Remembers when keys and sessions were last used, so that not every request writes to their rows.
 */
import { LruCache } from './lru-cache.ts'

const MAX_IDS = 50_000

export class LastUse {
  readonly #ms = new LruCache<string, number>(MAX_IDS)

  /** The later of the stored time and the remembered one, which may not be stored yet. */
  lastMs(id: string, storedAt: Date | undefined): number {
    return Math.max(storedAt?.getTime() ?? 0, this.#ms.get(id) ?? 0)
  }

  /** Remembers the use before it is stored, so that simultaneous requests store it once. */
  note(id: string, now: Date): void {
    this.#ms.set(id, now.getTime())
  }
}
