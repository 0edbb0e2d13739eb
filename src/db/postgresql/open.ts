/** Opens PostgreSQL: transactions one after another by a row that each locks, reads beside them. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Timers } from '../../lib/machine.ts'
import { latestVersion, SchemaTooNewError } from '../migrate.ts'
import { type Database, DatabaseUnavailableError, Db, type Read, type Reads } from '../open.ts'
import { storableValues } from '../row-mapper.ts'
import type { Schema } from '../schema.ts'
import {
  asUnavailable,
  isConnectionFailure,
  isSerializationFailure,
  numbered,
  type PgAnswer,
  type PgConnection,
  type PgConnections,
  type Use,
} from './connection.ts'

/** The pauses before further attempts: a server that restarts is back within seconds. */
const RETRY_PAUSES_MS: readonly number[] = [0, 100, 300, 600, 1_000]
/** No attempt begins later: the client that waits for the answer has a time limit, too. */
const MAX_ATTEMPTS_MS = 5_000
const BUSY_PAUSES_MS: readonly number[] = [0, 20, 50]

interface PostgresqlOptions {
  connections: PgConnections
  /** The schema that this executable knows; the newest by default. */
  knownSchema?: number
  /** Called when a newer schema refuses the writes of this executable: it must end. */
  onSchemaTooNew?: ((error: SchemaTooNewError) => void) | undefined
  /** Called when the database did not answer, also after repeats. */
  onUnavailable?: (() => void) | undefined
  steadyMs(): number
  timers: Pick<Timers, 'sleep'>
}

export interface PostgresqlDatabase extends Database {
  readonly engine: 'postgresql'
  /** For statements outside the tables of the application. */
  connections: PgConnections
}

/**
 * A process that was stopped inside a transaction loses it before those that wait for the row give
 * up. `FOR UPDATE` also fails on a standby. Set for this transaction alone: behind a pooler the
 * next one may run on another connection.
 */
const BEGIN = `BEGIN;
SET LOCAL statement_timeout = '30s'; SET LOCAL lock_timeout = '12s'; SET LOCAL idle_in_transaction_session_timeout = '5s';
SELECT schema, oldest_writer FROM writer FOR UPDATE`

/** A crash of the server may undo the change, though none that was committed later. */
const BEGIN_UNSYNCED = BEGIN.replace('BEGIN;', 'BEGIN; SET LOCAL synchronous_commit = off;')

/** A commit that waits for a standby must not be ended by the time-out: it would look durable. */
const COMMIT = 'SET LOCAL statement_timeout = 0; COMMIT'

export function openPostgresql(options: PostgresqlOptions): PostgresqlDatabase {
  const { connections } = options
  const reading = (use: Use): Db => {
    const reads = new PostgresqlReads(options, use)
    return new Db({ engine: 'postgresql', dialect: dialectOf(() => new ReadingDriver(reads)), reads })
  }
  const db = reading('read')
  const heartbeats = reading('heartbeat')
  const writer = new Kysely<Schema>({ dialect: dialectOf(() => new WritingDriver(options, BEGIN)) })
  const unsynced = new Kysely<Schema>({ dialect: dialectOf(() => new WritingDriver(options, BEGIN_UNSYNCED)) })
  return {
    engine: 'postgresql',
    connections,
    db,
    heartbeats,
    write: (work, { durable = true } = {}) => repeated(options, () => (durable ? writer : unsynced).transaction().execute(work)),
    async close() {
      await db.destroy()
      await heartbeats.destroy()
      await writer.destroy()
      await unsynced.destroy()
      await connections.close()
    },
  }
}

function dialectOf(createDriver: () => Driver): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver,
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/** Nothing was done, and the same work may be done again. */
class RepeatableError extends Error {
  readonly pausesMs: readonly number[]

  constructor(cause: unknown, pausesMs: readonly number[]) {
    super('to be repeated', { cause })
    this.pausesMs = pausesMs
  }
}

function repeatable(error: unknown): unknown {
  if (error instanceof RepeatableError) return error
  if (isSerializationFailure(error)) return new RepeatableError(error, BUSY_PAUSES_MS)
  if (isConnectionFailure(error)) return new RepeatableError(error, RETRY_PAUSES_MS)
  return error
}

async function repeated<T>({ steadyMs, timers, onUnavailable }: PostgresqlOptions, attempt: () => Promise<T>): Promise<T> {
  const startMs = steadyMs()
  const reported = (error: unknown) => {
    // Others are still in the way, or the node was halted meanwhile: the client may try again.
    if (isSerializationFailure(error)) return new DatabaseUnavailableError('not-done', { cause: error })
    const known = asUnavailable(error, 'not-done')
    if (known instanceof DatabaseUnavailableError) onUnavailable?.()
    return known
  }
  for (let repeats = 0; ; repeats++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RepeatableError)) throw reported(error)
      const pauseMs = error.pausesMs[repeats]
      if (pauseMs === undefined || steadyMs() - startMs > MAX_ATTEMPTS_MS) throw reported(error.cause)
      if (pauseMs > 0) await timers.sleep(pauseMs)
    }
  }
}

/** Reads change nothing: they are repeated on another connection when one fails. */
class PostgresqlReads implements Reads {
  readonly #connections: PgConnections
  readonly #options: PostgresqlOptions
  readonly #use: Use

  constructor(options: PostgresqlOptions, use: Use) {
    this.#connections = options.connections
    this.#options = options
    this.#use = use
  }

  read<T>(work: (connection: PgConnection) => Promise<T>): Promise<T> {
    return repeated(this.#options, async () => {
      let connection: PgConnection | undefined
      let isBroken = false
      try {
        connection = await this.#connections.acquire(this.#use)
        return await work(connection)
      } catch (error) {
        isBroken = isConnectionFailure(error)
        throw repeatable(error)
      } finally {
        if (connection) this.#connections.release(connection, isBroken)
      }
    })
  }

  async all(sql: string, values: readonly unknown[]): Promise<unknown[]> {
    return (await this.read(connection => connection.run(numbered(sql), storableValues(values)))).rows
  }

  async column(sql: string, values: readonly unknown[]): Promise<unknown[]> {
    return (await this.all(sql, values)).map(row => Object.values(row as object)[0])
  }

  async first(sql: string, values: readonly unknown[]): Promise<unknown> {
    return (await this.all(sql, values))[0]
  }

  async value(sql: string, values: readonly unknown[]): Promise<unknown> {
    return (await this.column(sql, values))[0]
  }

  /** One round trip: all statements are sent before the first is answered. */
  allAtOnce(reads: readonly Read[]): Promise<unknown[][]> {
    return this.read(async connection => {
      const begin = connection.script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const answers = reads.map(({ sql, values }) => connection.run(numbered(sql), storableValues(values)))
      const settled = await Promise.allSettled([begin, ...answers, connection.script('COMMIT')])
      const failed = settled.find(answer => answer.status === 'rejected')
      if (failed) throw failed.reason
      return Promise.all(answers.map(async answer => (await answer).rows))
    })
  }

  changeCounter(): undefined {
    return undefined
  }
}

function resultOf<R>({ rows, count }: PgAnswer): QueryResult<R> {
  return { rows: rows as R[], numAffectedRows: BigInt(count) }
}

function isChange({ query }: CompiledQuery): boolean {
  return query.kind !== 'SelectQueryNode' && query.kind !== 'RawNode'
}

/** Its connections are those of the reads: each statement takes one and may be repeated. */
class ReadingDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(reads: PostgresqlReads) {
    this.#connection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        if (isChange(query)) throw new Error('only a transaction of `write` changes the database')
        return resultOf(await reads.read(connection => connection.run(query.sql, storableValues(query.parameters))))
      },
      streamQuery: notStreamed,
    }
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}
  async releaseConnection(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  beginTransaction(): Promise<void> {
    throw new Error('transactions are those of `write`')
  }

  commitTransaction(): Promise<void> {
    return this.beginTransaction()
  }

  rollbackTransaction(): Promise<void> {
    return this.beginTransaction()
  }
}

function notStreamed(): never {
  throw new Error('rows are not streamed')
}

class WritingConnection implements DatabaseConnection {
  readonly inner: PgConnection
  isBroken = false

  constructor(inner: PgConnection) {
    this.inner = inner
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return resultOf(await this.noted(this.inner.run(query.sql, storableValues(query.parameters))))
  }

  /** Notes that the connection failed: it is not used again, and nothing was committed. */
  async noted<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (isConnectionFailure(error)) this.isBroken = true
      throw repeatable(error)
    }
  }

  streamQuery = notStreamed
}

class WritingDriver implements Driver {
  readonly #options: PostgresqlOptions
  readonly #begin: string
  readonly #knownSchema: number

  constructor(options: PostgresqlOptions, begin: string) {
    this.#options = options
    this.#begin = begin
    this.#knownSchema = options.knownSchema ?? latestVersion()
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  async acquireConnection(): Promise<WritingConnection> {
    try {
      return new WritingConnection(await this.#options.connections.acquire('write'))
    } catch (error) {
      throw repeatable(error)
    }
  }

  async beginTransaction(connection: WritingConnection): Promise<void> {
    try {
      const { rows } = await connection.noted(connection.inner.script(this.#begin))
      this.#requireKnownSchema(rows[0] as { schema: number; oldest_writer: number } | undefined)
    } catch (error) {
      if (!connection.isBroken) await this.rollbackTransaction(connection)
      throw error
    }
  }

  #requireKnownSchema(row: { schema: number; oldest_writer: number } | undefined): void {
    if (row === undefined) throw new Error('the table writer has no row: it was emptied by another program')
    if (row.oldest_writer <= this.#knownSchema) return
    const error = new SchemaTooNewError('database', row.schema, this.#knownSchema)
    this.#options.onSchemaTooNew?.(error)
    throw new DatabaseUnavailableError('not-done', { cause: error })
  }

  async commitTransaction(connection: WritingConnection): Promise<void> {
    const wasUsable = connection.inner.isUsable
    let answer: PgAnswer
    try {
      answer = await connection.inner.script(COMMIT)
    } catch (error) {
      if (!isConnectionFailure(error)) throw repeatable(error)
      connection.isBroken = true
      throw wasUsable ? asUnavailable(error, 'unknown') : repeatable(error)
    }
    const { command = 'COMMIT', warning } = answer
    // The server answers the COMMIT of a failed transaction with ROLLBACK, and no error.
    if (command !== 'COMMIT') throw new DatabaseUnavailableError('not-done', { cause: new Error(`COMMIT answered ${command}`) })
    // Somebody ended the wait for the standby, or a pooler the transaction: not acknowledged.
    if (warning !== undefined) throw new DatabaseUnavailableError('unknown', { cause: new Error(warning) })
  }

  async rollbackTransaction(connection: WritingConnection): Promise<void> {
    if (connection.isBroken) return
    try {
      await connection.inner.script('ROLLBACK')
    } catch {
      // The server rolls back what a connection leaves open.
      connection.isBroken = true
    }
  }

  async releaseConnection(connection: WritingConnection): Promise<void> {
    this.#options.connections.release(connection.inner, connection.isBroken)
  }
}
