/** The limit of hashing passwords at a time. */
import type { Threads } from './machine.ts'

const MAX_CONCURRENT = 2

/** Runs two operations at a time, so that sign-ins leave CPU time and memory for other requests. */
export class PasswordHasher {
  #running = 0
  readonly #waiting: (() => void)[] = []
  /** Hash of a password that no account has, for verification against unknown accounts. */
  #decoy: Promise<string> | undefined
  readonly #threads: Threads

  constructor(threads: Threads) {
    this.#threads = threads
  }

  hash(password: string): Promise<string> {
    return this.#limit(() => this.#threads.hashPassword(password))
  }

  /** Takes the same time for an unknown account (`hash` undefined) as for a known one. */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    this.#decoy ??= this.hash('nobody has this password')
    const expected = hash ?? (await this.#decoy)
    const isSame = await this.#limit(() => this.#threads.verifyPassword(password, expected))
    return isSame && hash !== undefined
  }

  async #limit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_CONCURRENT) await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
      this.#waiting.shift()?.()
    }
  }
}
