/** Opens SQLite as a database that keeps its word: WAL, full synchronous, every pragma read back. The one place that knows the driver. */
import { closeSync, openSync, readSync } from 'node:fs'
import type SqliteDatabase from 'better-sqlite3'
import { CompiledQuery, type DatabaseConnection, Kysely, SqliteDialect, SqliteDriver, type Transaction } from 'kysely'
import { ReadCache } from './read-cache.ts'
import type { Schema } from './schema.ts'

/** Inside the executable only a static entry per platform finds its addon. */
const Sqlite: typeof SqliteDatabase =
  process.arch === 'arm64' ? require('better-sqlite3/linux-arm64') : require('better-sqlite3/linux-x64')

export type Raw = SqliteDatabase.Database
export type Tx = Transaction<Schema>

/** What must hold on every connection; read back after it was set. */
const PRAGMAS: [name: string, set: string | number, expected: string | number][] = [
  ['journal_mode', 'WAL', 'wal'],
  // NORMAL, the driver's default from the second open on, may lose acknowledged rows at a power loss.
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['busy_timeout', 5000, 5000],
  ['trusted_schema', 'OFF', 0],
]

/** Throws when a pragma does not hold. A reader never writes and never sees what is not committed. */
export function openRaw(path: string, { reader = false } = {}): Raw {
  const raw = new Sqlite(path, { readonly: reader })
  for (const [name, set, expected] of PRAGMAS) {
    if (!(reader && name === 'journal_mode')) raw.pragma(`${name} = ${set}`)
    const got = raw.pragma(name, { simple: true })
    if (got !== expected) throw new Error(`SQLite did not accept ${name} = ${set} (it says ${got}) on ${path}`)
  }
  return raw
}

/** Bytes 18 and 19 of the file's header are 2 in WAL mode. https://www.sqlite.org/fileformat.html#the_database_header */
const WAL_BYTE = 18

/**
 * Opens a database to look at it, changing nothing, not even its journal mode. A reader of a database in WAL mode would leave side files behind,
 * a writer that writes nothing takes them away; elsewhere a reader leaves nothing.
 */
export function openUnchanged(path: string): Raw {
  const file = openSync(path, 'r')
  const header = Buffer.alloc(100)
  readSync(file, header, 0, header.length, 0)
  closeSync(file)
  const inWal = header[WAL_BYTE] === 2
  return new Sqlite(path, { readonly: !inWal, fileMustExist: true })
}

/** A database that is nothing but a lock: without a write-ahead log an exclusive transaction shuts everyone else out at once, and ends with the process. */
export function openExclusive(path: string): Raw {
  const raw = new Sqlite(path, { timeout: 0 })
  try {
    raw.exec('BEGIN EXCLUSIVE')
    return raw
  } catch (error) {
    raw.close()
    throw error
  }
}

/** A deferred BEGIN lets another process write between our read and our write, and the write then fails: take the lock at once. */
class ImmediateDriver extends SqliteDriver {
  readonly #raw: Raw
  constructor(raw: Raw) {
    super({ database: raw })
    this.#raw = raw
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
  /** A full or failing disk makes SQLite roll back by itself; a second rollback would hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#raw.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #raw: Raw
  constructor(raw: Raw) {
    super({ database: raw })
    this.#raw = raw
  }
  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#raw)
  }
}

/**
 * The connection that only reads, with its prepared statements and the cache of what was read. A
 * `Db` is not assignable to `Tx`: a query on it inside a transaction would not see the changes.
 */
export class Db extends Kysely<Schema> {
  readonly cache = new ReadCache()
  readonly #reader: Raw
  readonly #statements = new Map<string, SqliteDatabase.Statement>()

  constructor(reader: Raw) {
    super({ dialect: new ImmediateDialect(reader) })
    this.#reader = reader
  }

  override get isTransaction(): false {
    return false
  }

  statement(sql: string): SqliteDatabase.Statement {
    const statement = this.#statements.get(sql) ?? this.#reader.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

/** One connection writes, another reads: a read never waits behind a transaction and never sees half of one. */
export interface Database {
  raw: Raw
  db: Db
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** `raw` is open for writing and its schema is up to date. */
export function openDatabase(path: string, raw: Raw): Database {
  const reader = openRaw(path, { reader: true })
  const db = new Db(reader)
  const writer = new Kysely<Schema>({ dialect: new ImmediateDialect(raw) })
  return {
    raw,
    db,
    write: work => writer.transaction().execute(work),
    async close() {
      await db.destroy()
      // A connection that was never used is not closed by destroying what stands above it.
      reader.close()
      raw.pragma('wal_checkpoint(TRUNCATE)')
      await writer.destroy()
      raw.close()
    },
  }
}

/** A prepared statement on the reading connection, for the few measured hot paths in queries files. */
export function prepared(db: Db, sql: string): SqliteDatabase.Statement {
  if (db.isTransaction) throw new Error('prepared statements belong to the reading connection')
  return db.statement(sql)
}

/**
 * Rises when any other connection commits a change, in this process or another.
 * https://www.sqlite.org/pragma.html#pragma_data_version
 */
export function changeCounter(db: Db): number {
  return prepared(db, 'PRAGMA data_version').pluck().get() as number
}

/** Reads several statements of one state of the database, whatever another process commits meanwhile. */
export function readSnapshot<T>(db: Db, read: () => T): T {
  prepared(db, 'BEGIN').run()
  try {
    return read()
  } finally {
    prepared(db, 'COMMIT').run()
  }
}
