/** Records the statements that an App sends to its database, BEGIN and COMMIT included. */
import type { CompiledQuery } from 'kysely'
import type { CommitOptions, Database, Db, Read, Tx } from '../../src/db/open.ts'

export class StatementLog {
  readonly #sent: string[] = []

  readonly wrap = (database: Database): Database => {
    const write = database.write.bind(database)
    this.#recordReads(database.db)
    return Object.assign(database, {
      write: async <T>(work: (tx: Tx) => Promise<T>, options?: CommitOptions) => {
        // With the lock, which an engine takes in the same round trip.
        this.#sent.push('BEGIN')
        const result = await write(tx => {
          this.#recordQueries(tx)
          return work(tx)
        }, options)
        this.#sent.push('COMMIT')
        return result
      },
    })
  }

  /** Those since the last call. */
  take(): string[] {
    return this.#sent.splice(0)
  }

  #recordQueries(db: Db | Tx): void {
    const executor = db.getExecutor()
    const execute = executor.executeQuery.bind(executor)
    const executeQuery = (query: CompiledQuery) => {
      this.#sent.push(query.sql)
      return execute(query)
    }
    Object.assign(executor, { executeQuery })
  }

  #recordReads(db: Db): void {
    this.#recordQueries(db)
    const { reads } = db
    // One of them may call another: that is the same statement.
    let isInside = false
    const record = <A extends unknown[], R>(read: (...args: A) => R, sent: (...args: A) => string[]) => {
      return (...args: A): R => {
        if (isInside) return read.apply(reads, args)
        this.#sent.push(...sent(...args))
        isInside = true
        try {
          return read.apply(reads, args)
        } finally {
          isInside = false
        }
      }
    }
    const ofOne = (sql: string) => [sql]
    Object.assign(reads, {
      all: record(reads.all, ofOne),
      column: record(reads.column, ofOne),
      first: record(reads.first, ofOne),
      value: record(reads.value, ofOne),
      allAtOnce: record(reads.allAtOnce, (some: readonly Read[]) => some.map(({ sql }) => sql)),
    })
  }
}
