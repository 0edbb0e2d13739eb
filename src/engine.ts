/** Opens the database of either engine: looks first, then brings the schema up to date. */
import { existsSync } from 'node:fs'
import type { Config } from './config.ts'
import { type CheckMode, checkInChild } from './db/check.ts'
import { checkSchema, latestVersion, migrate, requireKnownSchema, type SchemaTooNewError } from './db/migrate.ts'
import type { Database } from './db/open.ts'
import type { PgConnection, PgConnections } from './db/postgresql/connection.ts'
import { parseDatabaseUrl } from './db/postgresql/url.ts'
import { makeSnapshot, removeLeftovers } from './db/snapshots.ts'
import { openRaw, openSqlite, openUnchanged, storedInstance } from './db/sqlite.ts'
import { storedVersion } from './db/stored-version.ts'
import { backupsFolder, databasePath } from './lib/data-paths.ts'
import type { Log } from './lib/log.ts'
import type { Machine } from './lib/machine.ts'

/** The start fails; the message contains the remedy. */
export class StartError extends Error {}

interface EngineOptions {
  config: Config
  /** Whether this process may change the schema. */
  mayMigrate: boolean
  machine: Pick<Machine, 'now' | 'steadyMs' | 'timers' | 'random'>
  log: Log
  /** Called when a newer executable changed the schema so that this one must not write. */
  onSchemaTooNew?: ((error: SchemaTooNewError) => void) | undefined
  /** Called when PostgreSQL did not answer, also after repeats. */
  onUnavailable?: () => void
  /** PostgreSQL of a test. */
  connections?: PgConnections | undefined
}

export interface Engine {
  /** No node has used the database yet. */
  isNew: boolean
  /** Whose database it is; undefined for a new one. */
  instanceId(): Promise<string | undefined>
  /** `masterKey` encrypts the copy that a migration of SQLite makes before. */
  open(masterKey: Uint8Array): Promise<Database>
  /** SQLite's findings; PostgreSQL has checksums and tools of its own. */
  check(mode: CheckMode): Promise<string[]>
}

/** Refuses a foreign database before anything is changed. */
export async function findEngine(options: EngineOptions): Promise<Engine> {
  const isPostgresql = options.config.databaseUrl !== undefined || options.connections !== undefined
  return isPostgresql ? findPostgresql(options) : findSqlite(options)
}

/** One entry: a first start runs all of them. */
function logMigrations(log: Log, ran: readonly string[]): void {
  if (ran.length > 0) log('info', 'migrated', { migrations: ran.length, newest: ran.at(-1) })
}

function findSqlite({ config, mayMigrate, log, machine }: EngineOptions): Engine {
  const path = databasePath(config.dataFolder)
  return {
    isNew: versionOfFile(path) === 0,
    instanceId: async () => (versionOfFile(path) === 0 ? undefined : storedInstance(path)),
    async open(masterKey) {
      const raw = openRaw(path)
      if (!mayMigrate && checkSchema(raw) < latestVersion()) throw olderSchema()
      const backups = backupsFolder(config.dataFolder)
      if (mayMigrate) removeLeftovers(backups)
      const beforeChange = (version: number) => makeSnapshot(raw, backups, { kind: 'before', version }, masterKey, machine)
      const ran = mayMigrate ? migrate(raw, machine, { beforeChange }) : []
      logMigrations(log, ran)
      return openSqlite(path, raw)
    },
    check: mode => checkInChild(path, mode),
  }
}

function olderSchema(): StartError {
  return new StartError('The serving instance uses an older schema: restart it with this executable first.')
}

/** The schema's version, 0 for none. */
function versionOfFile(path: string): number {
  if (!existsSync(path)) return 0
  // Of a newer release, nothing is touched.
  requireKnownSchema(storedVersion(path))
  const raw = openUnchanged(path)
  try {
    return checkSchema(raw)
  } finally {
    raw.close()
  }
}

async function findPostgresql(options: EngineOptions): Promise<Engine> {
  // Loaded only where it is used: the start with SQLite does not pay for it.
  const [
    { openPostgresql },
    { checkPostgresqlSchema, hasInstance, instanceIn, migratePostgresql },
    { connectPostgresql, withOne },
    { loginOf },
  ] = await Promise.all([
    import('./db/postgresql/open.ts'),
    import('./db/postgresql/schema.ts'),
    import('./db/postgresql/connect.ts'),
    import('./db/postgresql/server-check.ts'),
  ])
  const { machine, onSchemaTooNew, onUnavailable } = options
  const connect = () => connectPostgresql(parseDatabaseUrl(options.config.databaseUrl ?? ''), machine)
  const connections = options.connections ?? (await connect())
  const version = await withOne(connections, connection => checkPostgresqlSchema(connection))
  const requireOwner = async (connection: PgConnection) => {
    const { name, mayMigrate } = await loginOf(connection)
    if (!mayMigrate) throw needsOwner(version, name)
  }
  return {
    isNew: version === 0 || !(await withOne(connections, hasInstance)),
    instanceId: async () => (version === 0 ? undefined : withOne(connections, instanceIn)),
    async open() {
      if (!options.mayMigrate && version < latestVersion()) throw schemaToMigrate(version)
      if (options.mayMigrate && version < latestVersion()) await withOne(connections, requireOwner)
      const ran = options.mayMigrate ? await withOne(connections, connection => migratePostgresql(connection, machine)) : []
      logMigrations(options.log, ran)
      return openPostgresql({ connections, onSchemaTooNew, onUnavailable, ...machine })
    },
    check: async () => [],
  }
}

/** A login with data rights alone serves; it changes no tables. */
function needsOwner(version: number, login: string): StartError {
  const found = version === 0 ? 'is empty' : `has schema ${version}, this executable needs schema ${latestVersion()}`
  return new StartError(
    `The database ${found}, and its user ${login} may not change tables: run signet migrate with the login that owns them.`,
  )
}

function schemaToMigrate(version: number): StartError {
  const found = version === 0 ? 'is empty' : `has schema ${version}, this executable needs schema ${latestVersion()}`
  return new StartError(`The database ${found}: run signet migrate first; nodes that serve continue to do so.`)
}
