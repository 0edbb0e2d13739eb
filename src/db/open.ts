/** The database as all modules see it. `sqlite.ts` and `postgresql.ts` open the engines. */
import { type Dialect, Kysely, type Transaction } from 'kysely'
import { type Outcome, UnavailableError } from '../lib/unavailable.ts'
import { ReadCache } from './read-cache.ts'
import type { Schema } from './schema.ts'

export type Engine = 'sqlite' | 'postgresql'
export type Tx = Transaction<Schema>

/** One SELECT: a `?` for each value, words that differ between engines from `words.ts`. */
export interface Read {
  sql: string
  values: readonly unknown[]
}

/** Reads of measured hot paths, outside transactions, past the query builder. */
export interface Reads {
  all(sql: string, values: readonly unknown[]): Promise<unknown[]>
  /** The first column of each row. */
  column(sql: string, values: readonly unknown[]): Promise<unknown[]>
  /** The first row, or `undefined`. */
  first(sql: string, values: readonly unknown[]): Promise<unknown>
  /** The first column of the first row, or `undefined`. */
  value(sql: string, values: readonly unknown[]): Promise<unknown>
  /** All on one state of the database, whatever is committed meanwhile. */
  allAtOnce(reads: readonly Read[]): Promise<unknown[][]>
  /**
   * Differs after every commit of another connection. `undefined`: the engine has no such
   * counter, and what may change at any time must not be cached.
   */
  changeCounter(): number | undefined
}

/** The reading connection. Not assignable to `Tx`: it does not see changes of a transaction. */
export class Db extends Kysely<Schema> {
  readonly engine: Engine
  readonly reads: Reads
  readonly cache = new ReadCache()
  /** Called for a document whose rows cannot be read. The App sets it. */
  onUnreadable: (documentId: string, error: unknown) => void = () => undefined

  constructor({ engine, dialect, reads }: { engine: Engine; dialect: Dialect; reads: Reads }) {
    super({ dialect })
    this.engine = engine
    this.reads = reads
  }

  override get isTransaction(): false {
    return false
  }
}

export interface CommitOptions {
  /** False: a crash may undo the commit, though none that was made later. True by default. */
  durable?: boolean | undefined
}

/** Reads do not wait for transactions. */
export interface Database {
  readonly engine: Engine
  db: Db
  /** For heartbeats alone, which wait for no other read. */
  heartbeats?: Db
  /** Transactions run one after another. Inside, await only `tx`. */
  write<T>(work: (tx: Tx) => Promise<T>, options?: CommitOptions): Promise<T>
  /** Overwrites what deleted rows have left in SQLite's files. PostgreSQL's server does its own. */
  compact?(): Promise<void>
  close(): Promise<void>
}

/** The connection failed, not the statement. `unknown`: COMMIT was sent, its answer never came. */
export class DatabaseUnavailableError extends UnavailableError {
  constructor(outcome: Outcome, options?: ErrorOptions) {
    super(
      outcome === 'not-done'
        ? 'the database is not available'
        : 'the connection to the database ended during COMMIT: the change may have been made',
      outcome,
      options,
    )
  }
}
