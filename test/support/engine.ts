/** The engine that tests run on: SQLite, or PostgreSQL with `SIGNET_TEST_ENGINE=postgresql`. */
import { join } from 'node:path'
import { NO_CLOCK } from '../../src/db/migrate.ts'
import type { Database, Engine } from '../../src/db/open.ts'
import { numbered, type PgConnection, type PgConnections } from '../../src/db/postgresql/connection.ts'
import { openPostgresql } from '../../src/db/postgresql/open.ts'
import { openRaw, openSqlite, type Raw } from '../../src/db/sqlite.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { writeMigratedFile } from './migrated-file.ts'
import { connectionsTo, giveBack, migratedSchema } from './pglite.ts'

export const ENGINE: Engine = process.env.SIGNET_TEST_ENGINE === 'postgresql' ? 'postgresql' : 'sqlite'

/** For what only SQLite has: its file, its plans, its pragmas. */
export function onSqlite<T extends { skip: unknown }>(test: T): T {
  return ENGINE === 'sqlite' ? test : (test.skip as T)
}

/** Runs a statement, with a `?` for each value, and returns its rows. */
export type RunSql = <Row = Record<string, unknown>>(sql: string, ...values: unknown[]) => Promise<Row[]>

export interface TestDatabase extends Database {
  /** SQLite's writing connection; other engines have none. */
  readonly raw: Raw
  /** Past the application. */
  sql: RunSql
  /** As `sql`, without triggers and foreign keys: as only someone with access to the server can. */
  tamper: RunSql
}

/** An empty database for an App: in this folder, or in a schema of PostgreSQL. */
export interface DatabaseOfApp {
  /** None on SQLite. */
  connections: PgConnections | undefined
  /** Past the application. */
  sql: RunSql
  end(): Promise<void>
}

export async function databaseOfApp(folder: string): Promise<DatabaseOfApp> {
  if (ENGINE === 'sqlite') {
    let raw: Raw | undefined
    const sql: RunSql = (text, ...values) => {
      raw ??= openRaw(join(folder, 'signet.db'))
      return sqlOnSqlite(raw)(text, ...values)
    }
    return { connections: undefined, sql, end: async () => void raw?.close() }
  }
  const schema = await migratedSchema()
  const connections = await connectionsTo(schema)
  return { connections, sql: sqlOnPostgresql(connections), end: () => giveBack(schema) }
}

/** A database with all tables and no rows. */
export async function openTestDatabase(folder: string): Promise<TestDatabase> {
  const { connections, sql, end } = await databaseOfApp(folder)
  if (connections === undefined) {
    const path = join(folder, 'signet.db')
    writeMigratedFile(path, NO_CLOCK)
    const raw = openRaw(path)
    const database = openSqlite(path, raw)
    return { ...database, sql: sqlOnSqlite(raw), tamper: tamperingOnSqlite(raw) }
  }
  const database = openPostgresql({ connections, steadyMs: THIS_MACHINE.steadyMs, timers: { sleep: async () => {} } })
  return {
    ...database,
    sql,
    tamper: tamperingOnPostgresql(connections),
    get raw(): Raw {
      throw new Error('a test of SQLite alone: say so by onSqlite(test)')
    },
    async close() {
      await database.close()
      await end()
    },
  }
}

function sqlOnSqlite(raw: Raw): RunSql {
  return async <Row>(sql: string, ...values: unknown[]) => {
    const statement = raw.prepare(sql)
    if (statement.reader) return statement.all(...values) as Row[]
    statement.run(...values)
    return []
  }
}

function tamperingOnSqlite(raw: Raw): RunSql {
  return async (sql, ...values) => {
    const triggers = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[]
    for (const name of triggers) raw.exec(`DROP TRIGGER ${name}`)
    raw.pragma('foreign_keys = OFF')
    return sqlOnSqlite(raw)(sql, ...values)
  }
}

function sqlOnPostgresql(connections: PgConnections): RunSql {
  return (sql, ...values) => acquired(connections, async c => (await c.run(numbered(sql), values)).rows as never)
}

function tamperingOnPostgresql(connections: PgConnections): RunSql {
  return (sql, ...values) =>
    acquired(connections, async c => {
      await c.script('SET session_replication_role = replica')
      try {
        return (await c.run(numbered(sql), values)).rows as never
      } finally {
        await c.script('SET session_replication_role = origin')
      }
    })
}

async function acquired<T>(connections: PgConnections, work: (connection: PgConnection) => Promise<T>): Promise<T> {
  const connection = await connections.acquire('write')
  try {
    return await work(connection)
  } finally {
    connections.release(connection, false)
  }
}
