/** Opens SQLite with durable commits (WAL, synchronous=FULL). Only this file uses the driver. */
import { closeSync, openSync, readSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type SqliteDriverModule from 'better-sqlite3'
import { CompiledQuery, type DatabaseConnection, Kysely, type QueryResult, SqliteDialect, SqliteDriver } from 'kysely'
import { LruCache } from '../lib/lru-cache.ts'
import { nameKey } from '../lib/search-text.ts'
import { type Database, Db, type Read, type Reads } from './open.ts'
import { storableValues } from './row-mapper.ts'
import type { Schema } from './schema.ts'

/**
 * In the executable only the entry of a platform finds its native module. For other platforms
 * `scripts/compile.ts` replaces these two.
 */
const Sqlite: typeof SqliteDriverModule =
  process.arch === 'arm64' ? require('better-sqlite3/linux-arm64') : require('better-sqlite3/linux-x64')

class SqliteLoadError extends Error {}

/** @throws SqliteLoadError: the native module is unpacked into the temporary folder first */
function openDatabase(path: string, options?: SqliteDriverModule.Options): Raw {
  try {
    const raw = new Sqlite(path, options)
    raw.function('name_key', { deterministic: true }, name => nameKey(String(name)))
    return raw
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_DLOPEN_FAILED')) throw error
    throw new SqliteLoadError(
      `SQLite cannot be loaded (${error.message}): it needs libstdc++.so.6 (Debian: libstdc++6) and a temporary folder (TMPDIR, now ${tmpdir()}) that this user can write and that is not mounted with noexec.`,
    )
  }
}

export type Raw = SqliteDriverModule.Database

const SYNCHRONOUS = { FULL: 2, NORMAL: 1 } as const

/** The level of a connection's next commit. One under NORMAL is synced by the next under FULL. */
class Synchronous {
  readonly #raw: Raw
  #level: keyof typeof SYNCHRONOUS | undefined

  constructor(raw: Raw) {
    this.#raw = raw
  }

  set(level: keyof typeof SYNCHRONOUS): void {
    if (this.#level === level) return
    this.#level = undefined
    this.#raw.pragma(`synchronous = ${level}`)
    const got = this.#raw.pragma('synchronous', { simple: true })
    if (got !== SYNCHRONOUS[level]) throw new Error(`SQLite did not accept synchronous = ${level} (it returned ${got})`)
    this.#level = level
  }
}

/** Settings of every connection; each is read back. */
const PRAGMAS: [name: string, set: string | number, expected: string | number][] = [
  ['journal_mode', 'WAL', 'wal'],
  // The driver's default from the second open on is NORMAL, which may lose commits at a power loss.
  ['synchronous', 'FULL', SYNCHRONOUS.FULL],
  ['foreign_keys', 'ON', 1],
  ['busy_timeout', 5000, 5000],
  ['trusted_schema', 'OFF', 0],
  // What was erased must not stay readable in free pages.
  ['secure_delete', 'ON', 1],
]

/**
 * In KiB: memory that each connection fills and keeps. With 100,000 documents twice as much makes
 * one of 25 lists faster (what needs attention, 2 instead of 3 ms), half as much none slower. The
 * writer needs few pages again.
 */
const CACHE_KIB = { reader: 8_000, writer: 2_000 }

/** Throws when a pragma has no effect. A reader cannot write. */
export function openRaw(path: string, { reader = false } = {}): Raw {
  const raw = openDatabase(path, { readonly: reader })
  const cache = -CACHE_KIB[reader ? 'reader' : 'writer']
  for (const [name, set, expected] of [...PRAGMAS, ['cache_size', cache, cache] as const]) {
    if (!(reader && name === 'journal_mode')) raw.pragma(`${name} = ${set}`)
    const got = raw.pragma(name, { simple: true })
    if (got !== expected) throw new Error(`SQLite did not accept ${name} = ${set} (it returned ${got}) on ${path}`)
  }
  return raw
}

/** A database without a file, to read a schema from. */
export function openInMemory(): Raw {
  return openDatabase(':memory:')
}

/** 2 in WAL mode. https://www.sqlite.org/fileformat.html#the_database_header */
const WAL_BYTE = 18

/** Changes nothing, not even the journal mode. In WAL mode a reader would leave files behind. */
export function openUnchanged(path: string): Raw {
  const file = openSync(path, 'r')
  const header = Buffer.alloc(100)
  readSync(file, header, 0, header.length, 0)
  closeSync(file)
  const inWal = header[WAL_BYTE] === 2
  return openDatabase(path, { readonly: !inWal, fileMustExist: true })
}

/** The id of the instance; undefined before the first start stored it. */
export function storedInstance(path: string): string | undefined {
  const raw = openUnchanged(path)
  try {
    return (raw.prepare("SELECT value FROM instance WHERE name = 'id'").get() as { value: string } | undefined)?.value
  } finally {
    raw.close()
  }
}

/** One state of the database, also while others write to it. The new file needs no WAL. */
export function copyDatabase(raw: Raw, to: string): void {
  raw.prepare('VACUUM INTO ?').run(to)
}

/** Opens a database that serves as a lock: its exclusive transaction ends with the process. */
export function openExclusive(path: string): Raw {
  const raw = openDatabase(path, { timeout: 0 })
  try {
    raw.exec('BEGIN EXCLUSIVE')
    return raw
  } catch (error) {
    raw.close()
    throw error
  }
}

/** As on PostgreSQL: SQLite would store NUL, and what it stores can move there. */
class StorableConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection

  constructor(inner: DatabaseConnection) {
    this.#inner = inner
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const parameters = storableValues(query.parameters)
    return this.#inner.executeQuery(parameters === query.parameters ? query : { ...query, parameters })
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#inner.streamQuery(query, chunkSize)
  }
}

/** A list has another statement for each combination of filters, so a client makes any number. */
export const MAX_STATEMENTS = 200

/**
 * Prepares a statement once, and lets go of the least recently used. After a change of the schema
 * SQLite prepares it again by itself. https://www.sqlite.org/c3ref/prepare.html
 */
export class Statements {
  readonly #raw: Raw
  readonly #kept = new LruCache<string, SqliteDriverModule.Statement>(MAX_STATEMENTS)

  constructor(raw: Raw) {
    this.#raw = raw
  }

  prepare(sql: string): SqliteDriverModule.Statement {
    const kept = this.#kept.get(sql)
    if (kept) return kept
    const statement = this.#raw.prepare(sql)
    this.#kept.set(sql, statement)
    return statement
  }

  get size(): number {
    return this.#kept.size
  }
}

/** Locks at BEGIN: otherwise another process could write between our read and our write. */
class ImmediateDriver extends SqliteDriver {
  readonly #raw: Raw
  #connection: StorableConnection | undefined
  constructor(raw: Raw, statements: Statements) {
    super({ database: { prepare: sql => statements.prepare(sql), close: () => void raw.close() } })
    this.#raw = raw
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= new StorableConnection(await super.acquireConnection())
    return this.#connection
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
  /** On a disk error SQLite rolls back by itself; a second rollback would hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#raw.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }
}

function immediateDialect(raw: Raw, statements: Statements): SqliteDialect {
  const dialect = new SqliteDialect({ database: raw })
  dialect.createDriver = () => new ImmediateDriver(raw, statements)
  return dialect
}

/** Every method runs to its end before it returns: nothing is committed between its statements. */
export class SqliteReads implements Reads {
  readonly #statements: Statements
  /** Of the same connection: a statement answers with rows or with values of a column. */
  readonly #columns: Statements

  constructor(statements: Statements, columns: Statements) {
    this.#statements = statements
    this.#columns = columns
  }

  async all(sql: string, values: readonly unknown[]): Promise<unknown[]> {
    return this.#statements.prepare(sql).all(...values)
  }

  /** Twice as fast as rows. */
  async column(sql: string, values: readonly unknown[]): Promise<unknown[]> {
    return this.#column(sql).all(...values)
  }

  async first(sql: string, values: readonly unknown[]): Promise<unknown> {
    return this.#statements.prepare(sql).get(...values)
  }

  async value(sql: string, values: readonly unknown[]): Promise<unknown> {
    return this.#column(sql).get(...values)
  }

  async allAtOnce(reads: readonly Read[]): Promise<unknown[][]> {
    this.#statements.prepare('BEGIN').run()
    try {
      return reads.map(({ sql, values }) => this.#statements.prepare(sql).all(...values))
    } finally {
      this.#statements.prepare('COMMIT').run()
    }
  }

  /** https://sqlite.org/pragma.html#pragma_data_version */
  changeCounter(): number {
    return this.#column('PRAGMA data_version').get() as number
  }

  #column(sql: string): SqliteDriverModule.Statement {
    return this.#columns.prepare(sql).pluck()
  }
}

/** Its reads and its queries share what is prepared. */
function openDb(raw: Raw): Db {
  const statements = new Statements(raw)
  const reads = new SqliteReads(statements, new Statements(raw))
  return new Db({ engine: 'sqlite', dialect: immediateDialect(raw, statements), reads })
}

/** Nothing else is answered meanwhile: about a second for 200 MB. */
const MAX_VACUUM_BYTES = 256 * 1024 ** 2

/** secure_delete leaves remains where rows moved within pages that are still in use. */
function compact(raw: Raw): void {
  const [pages, size] = ['page_count', 'page_size'].map(name => Number(raw.pragma(name, { simple: true })))
  if ((pages ?? 0) * (size ?? 0) <= MAX_VACUUM_BYTES) raw.exec('VACUUM')
  raw.pragma('wal_checkpoint(TRUNCATE)')
}

/** One connection writes, another reads. */
export interface SqliteDatabase extends Database {
  readonly engine: 'sqlite'
  /** The writing connection. */
  raw: Raw
}

export interface Snapshot {
  db: Db
  raw: Raw
  close(): Promise<void>
}

/** Reads a copy that nothing else opens, of any schema; no file appears beside it. */
export function openSnapshot(path: string): Snapshot {
  const raw = openUnchanged(path)
  raw.pragma('trusted_schema = OFF')
  const db = openDb(raw)
  return {
    db,
    raw,
    async close() {
      await db.destroy()
      raw.close()
    },
  }
}

/** `raw` is open for writing and its schema is up to date. */
export function openSqlite(path: string, raw: Raw): SqliteDatabase {
  const reader = openRaw(path, { reader: true })
  const db = openDb(reader)
  const writer = new Kysely<Schema>({ dialect: immediateDialect(raw, new Statements(raw)) })
  const synchronous = new Synchronous(raw)
  return {
    engine: 'sqlite',
    raw,
    db,
    write: (work, { durable = true } = {}) =>
      writer.connection().execute(connection => {
        synchronous.set(durable ? 'FULL' : 'NORMAL')
        return connection.transaction().execute(work)
      }),
    compact: () => writer.connection().execute(async () => compact(raw)),
    async close() {
      await db.destroy()
      // Kysely does not close a connection that it never used.
      reader.close()
      // Not within a transaction that was not waited for, which is rolled back.
      if (!raw.inTransaction) raw.pragma('wal_checkpoint(TRUNCATE)')
      await writer.destroy()
      raw.close()
    },
  }
}
