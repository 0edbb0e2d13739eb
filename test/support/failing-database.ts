/** A database whose connection fails as a test says. */
import { type Database, DatabaseUnavailableError, type Db, type Reads, type Tx } from '../../src/db/open.ts'

/** `lost`: COMMIT did not arrive. `made`: it arrived, and its answer did not. Both look the same. */
export type CommitFault = 'lost' | 'made'

class RolledBackError extends Error {}

export class FailingDatabase {
  /** Nothing reaches the database. */
  isDown = false
  /** The fault of each of the next commits; `undefined` for one that succeeds. */
  readonly commits: (CommitFault | undefined)[] = []

  readonly wrap = (database: Database): Database => {
    const write = database.write.bind(database)
    this.#failReads(database.db)
    return Object.assign(database, {
      write: <T>(work: (tx: Tx) => Promise<T>) => {
        this.#requireUp()
        return this.#commit(write, work)
      },
    })
  }

  async #commit<T>(write: Database['write'], work: (tx: Tx) => Promise<T>): Promise<T> {
    const fault = this.commits.shift()
    if (fault === undefined) return write(work)
    const made = write(async tx => {
      await work(tx)
      if (fault === 'lost') throw new RolledBackError()
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
    const guarded = <F extends (...args: never[]) => unknown>(read: F): F =>
      ((...args: never[]) => {
        this.#requireUp()
        return read(...args)
      }) as F
    const { reads } = db
    const asynchronous = <F extends (...args: never[]) => unknown>(read: F) => guarded(read.bind(reads) as F)
    const own: Reads = {
      all: async (...args) => asynchronous(reads.all)(...args),
      first: async (...args) => asynchronous(reads.first)(...args),
      allAtOnce: async (...args) => asynchronous(reads.allAtOnce)(...args),
      changeCounter: () => reads.changeCounter(),
    }
    Object.assign(db, { reads: own, selectFrom: guarded(db.selectFrom.bind(db)), getExecutor: guarded(db.getExecutor.bind(db)) })
  }
}
