/** The engine that tests run on: SQLite, or PostgreSQL with `SIGNET_TEST_ENGINE=postgresql`. */
import { join } from 'node:path'
import { migrate } from '../../src/db/migrate.ts'
import type { Database, Engine } from '../../src/db/open.ts'
import { openPostgresql } from '../../src/db/postgresql.ts'
import type { PgConnections } from '../../src/db/postgresql-connection.ts'
import { openRaw, openSqlite, type Raw } from '../../src/db/sqlite.ts'
import { connectionsTo, giveBack, migratedSchema } from './pglite.ts'

export const ENGINE: Engine = process.env.SIGNET_TEST_ENGINE === 'postgresql' ? 'postgresql' : 'sqlite'

/** For what only SQLite has: its file, its plans, its pragmas. */
export function onSqlite<T extends { skip: unknown }>(test: T): T {
  return ENGINE === 'sqlite' ? test : (test.skip as T)
}

export interface TestDatabase extends Database {
  /** SQLite's writing connection; other engines have none. */
  readonly raw: Raw
}

/** Connections to an empty schema of PostgreSQL, or none on SQLite. `end` gives it back. */
export async function testConnections(): Promise<{ connections: PgConnections | undefined; end(): Promise<void> }> {
  if (ENGINE === 'sqlite') return { connections: undefined, end: async () => {} }
  const schema = await migratedSchema()
  return { connections: await connectionsTo(schema), end: () => giveBack(schema) }
}

/** A database with all tables and no rows. */
export async function openTestDatabase(folder: string): Promise<TestDatabase> {
  const { connections, end } = await testConnections()
  if (connections === undefined) {
    const raw = openRaw(join(folder, 'signet.db'))
    migrate(raw)
    return openSqlite(join(folder, 'signet.db'), raw)
  }
  const database = openPostgresql({ connections, pause: async () => {} })
  return {
    ...database,
    get raw(): Raw {
      throw new Error('a test of SQLite alone: say so by onSqlite(test)')
    },
    async close() {
      await database.close()
      await end()
    },
  }
}
