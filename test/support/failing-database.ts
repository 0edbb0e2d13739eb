/** A database whose connection fails as a test says. */
import { type CommitOptions, type Database, DatabaseUnavailableError, type Db, type Tx } from '../../src/db/open.ts'
import type { App } from '../../src/ports.ts'

/** `lost`: COMMIT did not arrive. `made`: its answer did not arrive. Both look the same. */
export type LostCommit = 'lost' | 'made'

class RolledBackError extends Error {}

export class FailingDatabase {
  /** Nothing reaches the database. */
  isDown = false
  /** What becomes of the next commits; `undefined` for one that succeeds. */
  readonly commits: (LostCommit | undefined)[] = []

  /** The database of an app, whose commits are those of the app. */
  readonly wrapApp = ({ db, write }: Pick<App, 'db' | 'write'>): Database =>
    this.wrap({
      engine: db.engine,
      db,
      write: (work, options) => write(work, { wake: false, ...options }),
      async close() {},
    })

  readonly wrap = (database: Database): Database => {
    const write = database.write.bind(database)
    this.#failReads(database.db)
    return Object.assign(database, {
      write: <T>(work: (tx: Tx) => Promise<T>, options?: CommitOptions) => {
        this.#requireUp()
        return this.#commit(work => write(work, options), work)
      },
    })
  }

  async #commit<T>(write: Database['write'], work: (tx: Tx) => Promise<T>): Promise<T> {
    const change = this.commits.shift()
    if (change === undefined) return write(work)
    const made = write(async tx => {
      await work(tx)
      if (change === 'lost') throw new RolledBackError()
    })
    await made.catch(error => {
      if (!(error instanceof RolledBackError)) throw error
    })
    throw new DatabaseUnavailableError('unknown')
  }

  #requireUp(): void {
    if (this.isDown) throw new DatabaseUnavailableError('not-done')
  }

  #failReads(db: Db): void {
    this.#guard(db.reads, ['all', 'first', 'allAtOnce'])
    this.#guard(db.getExecutor(), ['executeQuery'])
  }

  #guard<O extends object>(owner: O, names: (keyof O)[]): void {
    for (const name of names) {
      const method = owner[name] as (...args: unknown[]) => unknown
      const guarded = (...args: unknown[]) => {
        this.#requireUp()
        return method.apply(owner, args)
      }
      Object.assign(owner, { [name]: guarded })
    }
  }
}
